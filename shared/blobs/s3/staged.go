package s3

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

var _ blobs.Stager = (*Store)(nil)

// stagedPrefix is where staged content waits; the bucket's lifecycle empties it.
const stagedPrefix = "staged/"

// SignedPut is a presigned PUT. S3 holds the sender to the length if one is given.
func (s *Store) SignedPut(ctx context.Context, name string, size int64, ttl time.Duration) (string, error) {
	if err := blobs.CheckPrefix(name); err != nil {
		return "", err
	}
	in := &awss3.PutObjectInput{Bucket: &s.bucket, Key: aws.String(stagedPrefix + name)}
	if size > 0 {
		in.ContentLength = &size
	}
	req, err := s.presign.PresignPutObject(ctx, in, awss3.WithPresignExpires(ttl))
	if err != nil {
		return "", fmt.Errorf("blobs: sign: %w", err)
	}
	return req.URL, nil
}

// OpenStaged reads what was put.
func (s *Store) OpenStaged(ctx context.Context, name string) (io.ReadCloser, error) {
	if err := blobs.CheckPrefix(name); err != nil {
		return nil, err
	}
	out, err := s.client.GetObject(ctx, &awss3.GetObjectInput{Bucket: &s.bucket, Key: aws.String(stagedPrefix + name)})
	switch code(err) {
	case "":
		return out.Body, nil
	case "NoSuchKey", "NotFound":
		return nil, blobs.ErrNotFound
	}
	return nil, fmt.Errorf("blobs: get: %w", later(ctx, err))
}

// DeleteStaged removes what was put.
func (s *Store) DeleteStaged(ctx context.Context, name string) error {
	if err := blobs.CheckPrefix(name); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &s.bucket, Key: aws.String(stagedPrefix + name)})
	if c := code(err); c != "" && c != "NoSuchKey" {
		return fmt.Errorf("blobs: delete: %w", later(ctx, err))
	}
	return nil
}
