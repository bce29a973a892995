package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func transaction(t *testing.T, open Open) {
	s := open(t, env(t))
	put(t, s, item("p", "old"))
	put(t, s, item("p", "changed"))
	put(t, s, item("p", "field"))
	idem := records.Key{Table: records.Idempotency, PK: "w#1", SK: "key"}
	must(t, s.Transact(t.Context(), "",
		records.PutItem(item("p", "new"), records.NotExists()),
		records.PutItem(item("p", "changed"), records.VersionIs(1)),
		records.PutItem(item("p", "field")), // whatever is there
		records.DeleteItem(key("p", "old"), records.Exists()),
		records.DeleteItem(key("p", "never there")),
		records.Check(key("p", "nobody"), records.NotExists()),
		records.AddTo(key("p", "count"), records.Delta{By: 3, Floor: records.Bound(0)}),
		records.PutItem(records.Item{Key: idem, Fields: map[string]string{"fp": "x"}}, records.NotExists()),
	))
	gone(t, s, key("p", "old"))
	for sk, version := range map[string]int64{"new": 1, "changed": 2, "field": 2, "count": 1} {
		if got := get(t, s, key("p", sk)); got.Version != version {
			t.Errorf("%s has version %d, want %d", sk, got.Version, version)
		}
	}
	if got := get(t, s, idem); got.Fields["fp"] != "x" {
		t.Errorf("row of the other table: %+v", got)
	}
	if got := get(t, s, key("p", "count")); got.N != 3 {
		t.Errorf("counter %+v", got)
	}
}

func transactionRefused(t *testing.T, open Open) {
	s := open(t, env(t))
	it := item("p", "a")
	it.Fields = map[string]string{"state": "open"}
	put(t, s, it)
	err := s.Transact(t.Context(), "",
		records.PutItem(item("p", "b"), records.NotExists()),
		records.PutItem(item("p", "a"), records.NotExists()),
		records.AddTo(key("p", "n"), records.Delta{By: 1}),
		records.Check(key("p", "missing"), records.Exists()),
		records.DeleteItem(key("p", "c"), records.FieldIs("state", "open")),
		records.DeleteItem(key("p", "d")),
	)
	c := canceled(t, err, 6, 1, 3, 4)
	if e := c.Reasons[1].Existing; e == nil || e.Version != 1 || e.Fields["state"] != "open" || string(e.Body) != string(it.Body) {
		t.Fatalf("existing at 1: %+v", e)
	}
	for _, i := range []int{0, 2, 3, 4, 5} {
		if e := c.Reasons[i].Existing; e != nil {
			t.Fatalf("existing at %d: %+v, want none", i, e)
		}
	}
	gone(t, s, key("p", "b"))
	gone(t, s, key("p", "n"))
	if got := get(t, s, key("p", "a")); got.Version != 1 {
		t.Fatalf("a refused transaction changed %+v", got)
	}
}

func transactionLimits(t *testing.T, open Open) {
	s := open(t, env(t))
	ctx := t.Context()
	puts := func(n int) []records.Action {
		list := make([]records.Action, n)
		for i := range list {
			list[i] = records.PutItem(item("many", fmt.Sprintf("%03d", i)))
		}
		return list
	}
	wantErr(t, s.Transact(ctx, ""), records.ErrInvalid)
	wantErr(t, s.Transact(ctx, "", puts(records.MaxActions+1)...), records.ErrInvalid)
	wantErr(t, s.Transact(ctx, "token", puts(records.MaxActions)...), records.ErrInvalid)
	must(t, s.Transact(ctx, "", puts(records.MaxActions)...))
	must(t, s.Transact(ctx, "token", puts(records.MaxActions-1)...))
	if got := all(t, s, records.Query{PK: "many"}); len(got) != records.MaxActions || got[0].Version != 2 {
		t.Fatalf("%d rows", len(got))
	}
	wantErr(t, s.Transact(ctx, "", records.PutItem(item("p", "a")), records.DeleteItem(key("p", "a"))), records.ErrInvalid)
	must(t, s.Transact(ctx, "", records.PutItem(item("p", "a")),
		records.DeleteItem(records.Key{Table: records.Idempotency, PK: "p", SK: "a"}))) // another table is another item
	wantErr(t, s.Transact(ctx, strings.Repeat("t", records.MaxTokenLength+1), records.PutItem(item("p", "a"))), records.ErrInvalid)
	must(t, s.Transact(ctx, strings.Repeat("t", records.MaxTokenLength), records.PutItem(item("p", "a"))))
	wantErr(t, s.Transact(ctx, "", records.Check(key("p", "a"))), records.ErrInvalid)
	wantErr(t, s.Transact(ctx, "", records.Action{Item: item("p", "a")}), records.ErrInvalid)
	var big []records.Action
	for i := range 11 {
		big = append(big, records.PutItem(padded(key("big", fmt.Sprint(i)), records.MaxItemBytes)))
	}
	wantErr(t, s.Transact(ctx, "", big...), records.ErrInvalid)
	gone(t, s, key("big", "0"))
	must(t, s.Transact(ctx, "", big[:10]...))
}

func tokens(t *testing.T, open Open) {
	e, c := held(t)
	s := open(t, e)
	ctx := t.Context()
	count := records.AddTo(key("p", "n"), records.Delta{By: 1})
	create := records.PutItem(item("p", "a"), records.NotExists())
	must(t, s.Transact(ctx, "token-1", create, count))
	c.Advance(records.TokenMemory - time.Millisecond)
	// The same again is done already, though its conditions would refuse it now.
	must(t, s.Transact(ctx, "token-1", create, count))
	if got := get(t, s, key("p", "n")).N; got != 1 {
		t.Fatalf("done %d times", got)
	}
	// Other actions, another order, another condition: another transaction.
	for _, other := range [][]records.Action{
		{create},
		{count, create},
		{records.PutItem(item("p", "a")), count},
		{create, records.AddTo(key("p", "n"), records.Delta{By: 2})},
	} {
		wantErr(t, s.Transact(ctx, "token-1", other...), records.ErrTokenReused)
	}
	// Without a token, and with another, it is a new one.
	canceled(t, s.Transact(ctx, "", create, count), 2, 0)
	canceled(t, s.Transact(ctx, "token-2", create, count), 2, 0)
	// A refused transaction leaves its token free.
	must(t, s.Transact(ctx, "token-2", count))
	// A restart does not forget.
	s = open(t, e)
	must(t, s.Transact(ctx, "token-1", create, count))
	if got := get(t, s, key("p", "n")).N; got != 2 {
		t.Fatalf("counter at %d, want 2", got)
	}
	// After ten minutes it does.
	c.Advance(time.Millisecond)
	canceled(t, s.Transact(ctx, "token-1", create, count), 2, 0)
	must(t, s.Transact(ctx, "token-1", count))
	if got := get(t, s, key("p", "n")).N; got != 3 {
		t.Fatalf("counter at %d, want 3", got)
	}
}

func tokenRace(t *testing.T, open Open) {
	s := open(t, env(t))
	errs := together(t.Context(), 50, func(ctx context.Context, _ int) error {
		return s.Transact(ctx, "one token", records.AddTo(key("p", "n"), records.Delta{By: 1}))
	})
	must(t, errors.Join(errs...))
	if got := get(t, s, key("p", "n")).N; got != 1 {
		t.Fatalf("done %d times", got)
	}
}
