//go:build aws

package idempotency_test

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/dynamo"
)

// heldTime stands still for windows, but the store's waits between tries pass.
type heldTime struct{ *clock.Held }

func (heldTime) Sleep(ctx context.Context, d time.Duration) error {
	return clock.System{}.Sleep(ctx, d)
}

func openStore(t *testing.T, c *clock.Held) records.Store {
	t.Helper()
	if os.Getenv("AWS_ENDPOINT_URL") == "" {
		t.Fatal("AWS_ENDPOINT_URL is not set: start the AWS double and point it there (make test-aws does)")
	}
	cfg, err := config.LoadDefaultConfig(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client := dynamo.NewClient(cfg)
	base := "once-" + clock.RandomIDs{}.NewID()
	names := map[records.Table]string{records.Records: base + "-records", records.Idempotency: base + "-idempotency"}
	for table, name := range names {
		if _, err := client.CreateTable(t.Context(), dynamo.TableSchema(name, table)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_, err := client.DeleteTable(context.Background(), &dynamodb.DeleteTableInput{TableName: &name})
			var gone *types.ResourceNotFoundException // a deletion that was sent twice
			if err != nil && !errors.As(err, &gone) {
				t.Error(err)
			}
		})
	}
	s, err := dynamo.New(client, dynamo.Options{Tables: names, Clock: heldTime{c}, CursorKey: []byte("a key that signs cursors in tests")})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
