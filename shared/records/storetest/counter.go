package storetest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func counters(t *testing.T, open Open) {
	s := open(t, env(t))
	ctx, k := t.Context(), key("p", "count")
	add := func(d records.Delta) int64 {
		t.Helper()
		n, err := s.Add(ctx, k, d)
		must(t, err)
		return n
	}
	no := func(d records.Delta) *records.Item {
		t.Helper()
		_, err := s.Add(ctx, k, d)
		return refused(t, err)
	}
	// A counter that is not there counts as 0, for bounds too.
	if e := no(records.Delta{By: 6, Ceil: records.Bound(5)}); e != nil {
		t.Fatalf("existing %+v, want none", e)
	}
	no(records.Delta{By: -1, Floor: records.Bound(0)})
	gone(t, s, k)
	if n := add(records.Delta{By: 5, Ceil: records.Bound(5)}); n != 5 {
		t.Fatalf("value %d, want 5", n)
	}
	if e := no(records.Delta{By: 1, Ceil: records.Bound(5)}); e == nil || e.N != 5 || e.Version != 1 {
		t.Fatalf("existing %+v, want the counter at 5", e)
	}
	if n := add(records.Delta{By: -5, Floor: records.Bound(0)}); n != 0 {
		t.Fatalf("value %d, want 0", n)
	}
	no(records.Delta{By: -1, Floor: records.Bound(0)})
	no(records.Delta{By: 1, Floor: records.Bound(2)})
	if n := add(records.Delta{By: -3}); n != -3 {
		t.Fatalf("value %d, want -3", n)
	}
	if n := add(records.Delta{By: 0, Floor: records.Bound(-3), Ceil: records.Bound(-3)}); n != -3 {
		t.Fatalf("value %d, want -3", n)
	}
	if got := get(t, s, k); got.N != -3 || got.Version != 4 || !got.ExpiresAt.IsZero() {
		t.Fatalf("counter %+v", got)
	}
	// What would not fit is refused, not wrapped.
	add(records.Delta{By: math.MinInt64 + 3})
	no(records.Delta{By: -1})
	no(records.Delta{By: 5, Ceil: records.Bound(math.MinInt64)})
	if got := get(t, s, k).N; got != math.MinInt64 {
		t.Fatalf("value %d", got)
	}
	// The rest of an item stays as it is.
	k = key("p", "with body")
	it := item("p", "with body")
	it.Fields = map[string]string{"state": "open"}
	put(t, s, it)
	at := time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
	add(records.Delta{By: 2, ExpiresAt: at})
	if got := get(t, s, k); got.N != 2 || string(got.Body) != string(it.Body) || got.Fields["state"] != "open" || !got.ExpiresAt.Equal(at) {
		t.Fatalf("item %+v", got)
	}
	add(records.Delta{By: 2}) // without an expiry the old one stays
	if got := get(t, s, k); !got.ExpiresAt.Equal(at) {
		t.Fatalf("expiry %v, want %v", got.ExpiresAt, at)
	}
}

func countersTogether(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("p", "count")
	errs := together(t.Context(), 100, func(ctx context.Context, _ int) error {
		_, err := s.Add(ctx, k, records.Delta{By: 1, Ceil: records.Bound(60)})
		return err
	})
	for _, err := range errs {
		if err != nil {
			refused(t, err)
		}
	}
	if won := count(errs, func(err error) bool { return err == nil }); won != 60 || get(t, s, k).N != 60 {
		t.Fatalf("%d passed, counter at %d, want 60", won, get(t, s, k).N)
	}
}

func createsOnCounter(t *testing.T, open Open) {
	s := open(t, env(t))
	total := key("w#1", "total")
	const n, ceil = 200, 150
	errs := together(t.Context(), n, func(ctx context.Context, i int) error {
		return s.Transact(ctx, fmt.Sprintf("create-%d", i),
			records.PutItem(item("w#1#minds", fmt.Sprintf("%03d", i)), records.NotExists()),
			records.AddTo(total, records.Delta{By: 1, Ceil: records.Bound(ceil)}))
	})
	for i, err := range errs {
		if err != nil {
			c := canceled(t, err, 2, 1)
			if e := c.Reasons[1].Existing; e == nil || e.N != ceil {
				t.Fatalf("create %d was shown %+v", i, e)
			}
			gone(t, s, key("w#1#minds", fmt.Sprintf("%03d", i)))
		}
	}
	if won := count(errs, func(err error) bool { return err == nil }); won != ceil {
		t.Fatalf("%d creates passed, want %d: %v", won, ceil, errors.Join(errs...))
	}
	if got := get(t, s, total).N; got != ceil {
		t.Fatalf("counter at %d, want %d", got, ceil)
	}
	if rows := all(t, s, records.Query{PK: "w#1#minds"}); len(rows) != ceil {
		t.Fatalf("%d rows, want %d", len(rows), ceil)
	}
}

func ceilingInTransaction(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("w#1", "used")
	put(t, s, records.Item{Key: k, N: 9})
	err := s.Transact(t.Context(), "", records.PutItem(item("p", "a")),
		records.AddTo(k, records.Delta{By: 2, Ceil: records.Bound(10)}), records.DeleteItem(key("p", "b")))
	if e := canceled(t, err, 3, 1).Reasons[1].Existing; e == nil || e.N != 9 {
		t.Fatalf("existing %+v, want the counter at 9", e)
	}
	gone(t, s, key("p", "a"))
	must(t, s.Transact(t.Context(), "", records.PutItem(item("p", "a")),
		records.AddTo(k, records.Delta{By: 1, Ceil: records.Bound(10)})))
	if got := get(t, s, k); got.N != 10 || got.Version != 2 {
		t.Fatalf("counter %+v", got)
	}
}
