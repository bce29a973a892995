//go:build aws

package s3_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	awss3 "github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/google/uuid"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/blobs/blobtest"
	"github.com/mindgate-dev/mindgate/shared/blobs/s3"
)

// The suite on a bucket of its own. AWS_ENDPOINT_URL names the double; without
// it the test fails, so that it can never be skipped by accident. Links live by
// real time here, so only the clock-driven case is left out.
func TestContract(t *testing.T) {
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("set AWS_ENDPOINT_URL (and AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) to the double to test against")
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := awss3.NewFromConfig(cfg, func(o *awss3.Options) { o.UsePathStyle = true })
	blobtest.Run(t, func(t *testing.T) blobtest.Store {
		bucket := "mindgate-test-" + uuid.NewString()
		if _, err := client.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
			t.Fatal(err)
		}
		spool := t.TempDir()
		t.Cleanup(func() { dropBucket(t, client, bucket) })
		return blobtest.Store{
			Store:     s3.New(client, bucket, s3.Options{SpoolDir: spool}),
			Fetch:     fetch,
			Forgeable: !checksSignatures(t, client, bucket),
			Objects: func(t *testing.T) int {
				left, err := filepath.Glob(filepath.Join(spool, "*"))
				if err != nil {
					t.Fatal(err)
				}
				return len(keys(t, client, bucket)) + len(left)
			},
		}
	})
}

// What a sender puts straight into the bucket is read once and goes.
func TestStaged(t *testing.T) {
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := awss3.NewFromConfig(cfg, func(o *awss3.Options) { o.UsePathStyle = true })
	bucket := "mindgate-test-" + uuid.NewString()
	if _, err := client.CreateBucket(t.Context(), &awss3.CreateBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dropBucket(t, client, bucket) })
	s := s3.New(client, bucket, s3.Options{SpoolDir: t.TempDir()})
	if _, err := s.OpenStaged(t.Context(), "w/a/u/1"); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("before it came: %v", err)
	}
	url, err := s.SignedPut(t.Context(), "w/a/u/1", 5, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPut, url, strings.NewReader("hello"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("put: %d", res.StatusCode)
	}
	in, err := s.OpenStaged(t.Context(), "w/a/u/1")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(in); string(got) != "hello" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	_ = in.Close()
	for range 2 {
		if err := s.DeleteStaged(t.Context(), "w/a/u/1"); err != nil {
			t.Fatal(err)
		}
	}
	if left := keys(t, client, bucket); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
}

// checksSignatures asks the double for an object with a signature that is
// wrong. AWS refuses; some doubles give everything to everybody, and then a
// forged link proves nothing.
func checksSignatures(t *testing.T, client *awss3.Client, bucket string) bool {
	req, err := awss3.NewPresignClient(client).PresignHeadBucket(t.Context(), &awss3.HeadBucketInput{Bucket: &bucket})
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, req.URL[:len(req.URL)-4]+"0000", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode == http.StatusOK && strings.HasSuffix(os.Getenv("AWS_ENDPOINT_URL"), "amazonaws.com") {
		t.Fatal("AWS took a wrong signature")
	}
	return res.StatusCode != http.StatusOK
}

func fetch(t *testing.T, url string, header map[string]string) blobtest.Download {
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		r.Header.Set(k, v)
	}
	res, err := (&http.Client{Timeout: time.Minute}).Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	d := blobtest.Download{Status: res.StatusCode, Body: body, Header: map[string]string{}}
	for k := range res.Header {
		d.Header[k] = res.Header.Get(k)
	}
	return d
}

func keys(t *testing.T, client *awss3.Client, bucket string) (all []string) {
	pages := awss3.NewListObjectsV2Paginator(client, &awss3.ListObjectsV2Input{Bucket: &bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Contents {
			all = append(all, aws.ToString(o.Key))
		}
	}
	return all
}

func dropBucket(t *testing.T, client *awss3.Client, bucket string) {
	ctx := context.WithoutCancel(t.Context()) // the test's own ends before cleanups run
	pages := awss3.NewListObjectsV2Paginator(client, &awss3.ListObjectsV2Input{Bucket: &bucket})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range page.Contents {
			if _, err := client.DeleteObject(ctx, &awss3.DeleteObjectInput{Bucket: &bucket, Key: o.Key}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if _, err := client.DeleteBucket(ctx, &awss3.DeleteBucketInput{Bucket: &bucket}); err != nil {
		t.Fatal(err)
	}
}
