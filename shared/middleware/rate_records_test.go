package middleware_test

import (
	"context"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// counters keeps counters as the store does.
type counters map[records.Key]int64

func (c counters) Add(_ context.Context, k records.Key, d records.Delta) (int64, error) {
	next := c[k] + d.By
	if d.Ceil != nil && next > *d.Ceil {
		return 0, &records.ConditionError{Existing: &records.Item{Key: k, N: c[k]}}
	}
	c[k] = next
	return next, nil
}

// M-106 across processes: one counter an account and window, aligned to the
// clock, in the tenant's own keys.
func TestRecordsLimiter(t *testing.T) {
	held := clock.Hold(time.Date(2026, 1, 1, 0, 0, 45, 0, time.UTC))
	store := counters{}
	one, other := middleware.NewRecords(store, 3, held), middleware.NewRecords(store, 3, held)
	p := account.Principal{Account: "a", Workspace: "w"}
	take := func(l *middleware.Records, n int) middleware.Window {
		w, err := l.Take(t.Context(), p, n)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if w := take(one, 2); !w.Allowed || w.Remaining != 1 || w.Reset != 15*time.Second {
		t.Errorf("%+v", w)
	}
	if w := take(other, 2); w.Allowed || w.Remaining != 1 {
		t.Errorf("two of one left: %+v", w)
	}
	if w := take(other, 1); !w.Allowed || w.Remaining != 0 {
		t.Errorf("%+v", w)
	}
	if w := take(one, 1); w.Allowed || w.Remaining != 0 {
		t.Errorf("%+v", w)
	}
	held.Advance(15 * time.Second)
	if w := take(one, 1); !w.Allowed || w.Remaining != 2 || w.Reset != time.Minute {
		t.Errorf("next window: %+v", w)
	}
	for k := range store {
		if k.PK != "w#w#a#rate" {
			t.Errorf("key %+v", k)
		}
	}
}
