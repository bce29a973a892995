// Package s3 keeps blobs in one S3 bucket under prefix/<first two digits>/<SHA-256>.
// Encryption at rest is the bucket's default. The role needs s3:ListBucket
// besides Get, Put and DeleteObject: without it S3 says 403, not 404, of what
// is not there.
package s3

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// maxObject is the most that S3 takes in one request.
const maxObject = 5 << 30

// Options of New. The zero value works.
type Options struct {
	// SpoolDir takes content above 1 MiB while its name is computed; the
	// system's folder for temporary files by default (on Lambda /tmp).
	SpoolDir string
}

// Store is a blobs.Store in a bucket.
type Store struct {
	client  *awss3.Client
	presign *awss3.PresignClient
	bucket  string
	spool   string
}

var _ blobs.Store = (*Store)(nil)

// New uses a bucket that is there.
func New(client *awss3.Client, bucket string, opt Options) *Store {
	return &Store{client: client, presign: awss3.NewPresignClient(client), bucket: bucket, spool: opt.SpoolDir}
}

// Put stores what r gives, up to limit bytes (never above 5 GiB). The name is
// the content's hash, so the content is spooled first: in memory up to 1 MiB,
// else in a file. S3 checks the hash again and never overwrites.
func (s *Store) Put(ctx context.Context, prefix, mediaType string, r io.Reader, limit int64) (blobs.Ref, error) {
	if err := blobs.CheckPrefix(prefix); err != nil {
		return blobs.Ref{}, err
	}
	mediaType, err := blobs.MediaType(mediaType)
	if err != nil {
		return blobs.Ref{}, err
	}
	sp, err := spool(ctx, s.spool, r, min(limit, maxObject))
	if err != nil {
		return blobs.Ref{}, err
	}
	defer sp.Close()
	ref := blobs.Ref{Prefix: prefix, SHA256: hex.EncodeToString(sp.sum), Size: sp.size, MediaType: mediaType}
	for try := 1; ; try++ {
		_, err = s.client.PutObject(ctx, &awss3.PutObjectInput{
			Bucket: &s.bucket, Key: aws.String(ref.Key()), Body: sp.body,
			ContentLength: &ref.Size, ContentType: &mediaType,
			ChecksumSHA256: aws.String(base64.StdEncoding.EncodeToString(sp.sum)),
			IfNoneMatch:    aws.String("*"),
		})
		switch code(err) {
		case "":
			return ref, nil
		case "PreconditionFailed", strconv.Itoa(http.StatusPreconditionFailed):
			return ref, nil // these very bytes are there
		case "ConditionalRequestConflict":
			// A delete of the same key ran meanwhile. Only then it helps to ask
			// again; the SDK does not retry a 409 by itself.
			if try == 5 {
				break
			}
			if _, err := sp.body.Seek(0, io.SeekStart); err != nil {
				return blobs.Ref{}, fmt.Errorf("blobs: reading the spool: %w", err)
			}
			if err := ctx.Err(); err != nil {
				return blobs.Ref{}, err
			}
			continue
		}
		return blobs.Ref{}, fmt.Errorf("blobs: put: %w", later(ctx, err))
	}
}

// Open reads length bytes from offset; length -1 reads to the end.
func (s *Store) Open(ctx context.Context, ref blobs.Ref, offset, length int64) (io.ReadCloser, error) {
	if err := blobs.CheckRange(offset, length); err != nil {
		return nil, err
	}
	if err := ref.Check(); err != nil {
		return nil, err
	}
	if length == 0 {
		return s.nothing(ctx, ref, offset)
	}
	in := &awss3.GetObjectInput{Bucket: &s.bucket, Key: aws.String(ref.Key())}
	if offset > 0 || length > 0 {
		r := "bytes=" + strconv.FormatInt(offset, 10) + "-"
		// The last byte named must not overflow; S3 cuts what passes the end.
		if last := offset + length - 1; length > 0 && last >= offset {
			r += strconv.FormatInt(last, 10)
		}
		in.Range = &r
	}
	out, err := s.client.GetObject(ctx, in, quietChecksums)
	switch code(err) {
	case "":
	case "InvalidRange", strconv.Itoa(http.StatusRequestedRangeNotSatisfiable):
		return s.nothing(ctx, ref, offset) // offset is the end, or past it
	case "NoSuchKey", "NotFound":
		return nil, blobs.ErrNotFound
	default:
		return nil, fmt.Errorf("blobs: get: %w", later(ctx, err))
	}
	if size := wholeSize(out); !ref.Fits(size) {
		_ = out.Body.Close()
		return nil, blobs.ErrCorrupt
	}
	return out.Body, nil
}

// quietChecksums: a part of an object has no checksum to compare, and the SDK
// would log that for every range.
func quietChecksums(o *awss3.Options) { o.DisableLogOutputChecksumValidationSkipped = true }

// nothing is an empty reader for ranges that S3 has no words for, with the
// same refusals as any other range.
func (s *Store) nothing(ctx context.Context, ref blobs.Ref, offset int64) (io.ReadCloser, error) {
	there, err := s.Stat(ctx, ref)
	if err != nil {
		return nil, err
	}
	if _, _, err := blobs.Range(there.Size, offset, 0); err != nil {
		return nil, err
	}
	return http.NoBody, nil
}

// wholeSize is the size of the blob of which out is a part.
func wholeSize(out *awss3.GetObjectOutput) int64 {
	if out.ContentRange != nil {
		var from, to, size int64
		if _, err := fmt.Sscanf(*out.ContentRange, "bytes %d-%d/%d", &from, &to, &size); err == nil {
			return size
		}
	}
	return aws.ToInt64(out.ContentLength)
}

// Stat tells whether the blob is there and how large it is.
func (s *Store) Stat(ctx context.Context, ref blobs.Ref) (blobs.Ref, error) {
	if err := ref.Check(); err != nil {
		return blobs.Ref{}, err
	}
	out, err := s.client.HeadObject(ctx, &awss3.HeadObjectInput{Bucket: &s.bucket, Key: aws.String(ref.Key())})
	switch code(err) {
	case "":
	case "NotFound", "NoSuchKey":
		return blobs.Ref{}, blobs.ErrNotFound
	default:
		return blobs.Ref{}, fmt.Errorf("blobs: head: %w", later(ctx, err))
	}
	size := aws.ToInt64(out.ContentLength)
	if !ref.Fits(size) {
		return blobs.Ref{}, blobs.ErrCorrupt
	}
	ref.Size = size
	return ref, nil
}

// Delete removes the blob; removing what is not there is no error.
func (s *Store) Delete(ctx context.Context, ref blobs.Ref) error {
	if err := ref.Check(); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &s.bucket, Key: aws.String(ref.Key())})
	if c := code(err); c != "" && c != "NoSuchKey" {
		return fmt.Errorf("blobs: delete: %w", later(ctx, err))
	}
	return nil
}

// SignedURL is a presigned GET. It ends early when the credentials that sign
// it do, which on Lambda is hours away. S3 answers with the name and the type
// that were signed.
func (s *Store) SignedURL(ctx context.Context, ref blobs.Ref, l blobs.Link) (string, error) {
	if err := ref.Check(); err != nil {
		return "", err
	}
	mediaType, err := blobs.MediaType(ref.MediaType)
	if err != nil {
		return "", err
	}
	life, err := l.Life()
	if err != nil {
		return "", err
	}
	req, err := s.presign.PresignGetObject(ctx, &awss3.GetObjectInput{
		Bucket: &s.bucket, Key: aws.String(ref.Key()),
		ResponseContentDisposition: aws.String(blobs.Disposition(l.Filename)),
		ResponseContentType:        &mediaType,
		ResponseCacheControl:       aws.String("private, no-store"),
	}, awss3.WithPresignExpires(life))
	if err != nil {
		return "", fmt.Errorf("blobs: sign: %w", err)
	}
	return req.URL, nil
}

// later marks what another try may mend: no answer, throttling, trouble of the
// service. A refusal such as AccessDenied stays.
func later(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	var answer *smithyhttp.ResponseError
	if errors.As(err, &answer) {
		status := answer.HTTPStatusCode()
		if status < 500 && status != http.StatusTooManyRequests && code(err) != "ConditionalRequestConflict" {
			return err
		}
	}
	return fmt.Errorf("%w: %w", blobs.ErrUnavailable, err)
}

// code is the service's name for err; "" for nil, "?" for anything else.
func code(err error) string {
	if err == nil {
		return ""
	}
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return "?"
}
