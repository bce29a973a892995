package s3

import (
	"context"
	"fmt"

	"github.com/aws/aws-sdk-go-v2/aws"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

var _ blobs.Clearer = (*Store)(nil)

// Clear lists and removes the objects under a prefix.
func (s *Store) Clear(ctx context.Context, prefix string) error {
	if err := blobs.CheckPrefix(prefix); err != nil {
		return err
	}
	pages := awss3.NewListObjectsV2Paginator(s.client, &awss3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: aws.String(prefix + "/")})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return fmt.Errorf("blobs: list: %w", later(ctx, err))
		}
		for _, o := range page.Contents {
			_, err := s.client.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &s.bucket, Key: o.Key})
			if c := code(err); c != "" && c != "NoSuchKey" {
				return fmt.Errorf("blobs: delete: %w", later(ctx, err))
			}
		}
	}
	return nil
}
