//go:build !aws

package idempotency_test

import (
	"path/filepath"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

// openStore gives the store that the tests run on: SQLite here, DynamoDB with
// the build tag aws.
func openStore(t *testing.T, c *clock.Held) records.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "records.db"),
		sqlite.Options{Clock: c, CursorKey: []byte("a key that signs cursors in tests")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}
