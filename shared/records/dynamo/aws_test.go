//go:build aws

package dynamo_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/dynamo"
	"github.com/mindgate-dev/mindgate/shared/records/storetest"
)

// client talks to AWS_ENDPOINT_URL, which must be set: with this build tag the
// suite never skips.
func client(t *testing.T) *dynamodb.Client {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("AWS_ENDPOINT_URL is not set: start the AWS double and point it there (make test-aws does)")
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return dynamo.NewClient(cfg)
}

// tables makes both tables of a data folder's name, or finds them again.
func tables(t *testing.T, c *dynamodb.Client, dir string) map[records.Table]string {
	t.Helper()
	sum := sha256.Sum256([]byte(dir))
	base := "contract-" + hex.EncodeToString(sum[:8])
	out := map[records.Table]string{records.Records: base + "-records", records.Idempotency: base + "-idempotency"}
	for table, name := range out {
		_, err := c.CreateTable(t.Context(), dynamo.TableSchema(name, table))
		var there *types.ResourceInUseException
		if errors.As(err, &there) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, err := c.DeleteTable(context.WithoutCancel(t.Context()), &dynamodb.DeleteTableInput{TableName: aws.String(name)})
			var gone *types.ResourceNotFoundException // a deletion that was sent twice
			if err != nil && !errors.As(err, &gone) {
				t.Error(err)
			}
		})
	}
	return out
}

func TestContract(t *testing.T) {
	c := client(t)
	storetest.Run(t, func(t *testing.T, e storetest.Env) records.Store {
		s, err := dynamo.New(c, dynamo.Options{Tables: tables(t, c, e.Dir), Clock: e.Clock, CursorKey: e.CursorKey})
		if err != nil {
			t.Fatal(err)
		}
		return s
	})
}
