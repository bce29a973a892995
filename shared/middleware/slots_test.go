package middleware

import (
	"context"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
)

func TestSlots(t *testing.T) {
	held := clock.Hold(time.Date(2026, 11, 30, 12, 0, 10, 0, time.UTC))
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "records.db"), sqlite.Options{Clock: held, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	one, two := account.Principal{Account: "a", Workspace: "w"}, account.Principal{Account: "b", Workspace: "w"}
	for what, s := range map[string]Slots{"memory": NewMemorySlots(2), "records": NewRecordsSlots(store, 2, held)} {
		t.Run(what, func(t *testing.T) {
			take := func(p account.Principal) func() {
				t.Helper()
				release, full, err := s.Take(t.Context(), p)
				if err != nil || full != 0 {
					t.Fatal(full, err)
				}
				return release
			}
			first, _ := take(one), take(one)
			if _, full, err := s.Take(t.Context(), one); full != 2 || err != nil {
				t.Errorf("a third call runs: %d %v", full, err)
			}
			take(two)() // another account's slots are its own
			first()
			first() // ends once
			take(one)
			if _, full, _ := s.Take(t.Context(), one); full != 2 {
				t.Error("a call ended twice")
			}
		})
	}
	// What a dead process held comes back with the next period.
	held.Advance(slotPeriod)
	if _, full, err := NewRecordsSlots(store, 2, held).Take(t.Context(), one); full != 0 || err != nil {
		t.Error(full, err)
	}
	for what, s := range map[string]Slots{"no cap in memory": NewMemorySlots(0), "no cap in records": NewRecordsSlots(nil, 0, held), "none": NoSlots{}} {
		for range 100 {
			if _, full, err := s.Take(t.Context(), one); full != 0 || err != nil {
				t.Fatal(what, full, err)
			}
		}
	}
}

// Many at once never pass the cap, and all come back.
func TestSlotsUnderLoad(t *testing.T) {
	s := NewMemorySlots(3)
	var running, most, refused atomic.Int64
	var all sync.WaitGroup
	for range 200 {
		all.Go(func() {
			release, full, _ := s.Take(context.Background(), account.Principal{Account: "a"})
			if full > 0 {
				refused.Add(1)
				return
			}
			n := running.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			running.Add(-1)
			release()
		})
	}
	all.Wait()
	if most.Load() > 3 || len(s.used) != 0 {
		t.Errorf("%d at once, %d refused, %d left", most.Load(), refused.Load(), len(s.used))
	}
}
