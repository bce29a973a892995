package account_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func open(t testing.TB, c clock.Clock) records.Store {
	t.Helper()
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "records.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

func service(t testing.TB) (*account.Service, *clock.Held, records.Store) {
	t.Helper()
	c := clock.Hold(start)
	store := open(t, c)
	return account.New(account.Config{Records: store, Clock: c, IDs: clock.RandomIDs{}, Plans: account.DefaultPlans()}), c, store
}
