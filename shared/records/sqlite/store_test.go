package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/records/storetest"
)

func open(t testing.TB, e storetest.Env) *sqlite.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(e.Dir, "records.db"),
		sqlite.Options{Clock: e.Clock, CursorKey: e.CursorKey, IndexDelay: e.IndexDelay})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestContract(t *testing.T) {
	storetest.Run(t, func(t *testing.T, e storetest.Env) records.Store { return open(t, e) })
}
