package storetest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func putGet(t *testing.T, open Open) {
	s := open(t, env(t))
	for _, table := range []records.Table{records.Records, records.Idempotency} {
		it := records.Item{
			Key:  records.Key{Table: table, PK: "w#1#a", SK: "mind#ü€\u2028'\""},
			G1PK: "g1", G1SK: "s1", G2PK: "g2", G2SK: "s2",
			Fields:    map[string]string{"state": "queued", "empty": "", "odd name": "x"},
			N:         -42,
			ExpiresAt: time.Now().Add(time.Hour),
			Body:      body(map[string]any{"text": "a \u0000 b", "n": 1.5}),
		}
		out := put(t, s, it)
		want := it.Normal()
		want.Version = 1
		if !reflect.DeepEqual(out, want) {
			t.Fatalf("put returned\n%+v, want\n%+v", out, want)
		}
		if got := get(t, s, it.Key); !reflect.DeepEqual(got, want) {
			t.Fatalf("got\n%+v, want\n%+v", got, want)
		}
		// The whole item is replaced, not merged.
		if out = put(t, s, records.Item{Key: it.Key}); out.Version != 2 {
			t.Fatalf("version %d, want 2", out.Version)
		}
		if got := get(t, s, it.Key); !reflect.DeepEqual(got, records.Item{Key: it.Key, Version: 2}) {
			t.Fatalf("left over: %+v", got)
		}
	}
	// A version that the caller sets is not taken over.
	if out := put(t, s, records.Item{Key: key("p", "v"), Version: 77}); out.Version != 1 {
		t.Fatalf("version %d, want 1", out.Version)
	}
	gone(t, s, key("p", "none"))
	for _, n := range []int64{math.MaxInt64, math.MinInt64} {
		put(t, s, records.Item{Key: key("p", "n"), N: n})
		if got := get(t, s, key("p", "n")).N; got != n {
			t.Fatalf("N %d, want %d", got, n)
		}
	}
}

func conditions(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("p", "there")
	put(t, s, records.Item{Key: k, Fields: map[string]string{"state": "open", "empty": ""}})
	put(t, s, records.Item{Key: k, Fields: map[string]string{"state": "open", "empty": ""}}) // version 2
	for _, c := range []struct {
		name string
		cond records.Cond
		// there, missing: whether it holds for the item and for none.
		there, missing bool
	}{
		{"not exists", records.NotExists(), false, true},
		{"exists", records.Exists(), true, false},
		{"version", records.VersionIs(2), true, false},
		{"older version", records.VersionIs(1), false, false},
		{"version 0", records.VersionIs(0), false, false},
		{"field", records.FieldIs("state", "open"), true, false},
		{"other value", records.FieldIs("state", "closed"), false, false},
		{"empty value", records.FieldIs("empty", ""), true, false},
		{"no such field", records.FieldIs("none", ""), false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			check := func(k records.Key, holds bool) {
				t.Helper()
				err := s.Transact(t.Context(), "", records.Check(k, c.cond))
				if holds {
					must(t, err)
					return
				}
				canceled(t, err, 1, 0)
			}
			check(k, c.there)
			check(key("p", "missing"), c.missing)
			if !c.there {
				_, err := s.Put(t.Context(), records.Item{Key: k}, c.cond)
				if e := refused(t, err); e == nil || e.Version != 2 || e.Fields["state"] != "open" {
					t.Fatalf("existing %+v", e)
				}
				refused(t, s.Delete(t.Context(), k, c.cond))
			}
			if !c.missing {
				_, err := s.Put(t.Context(), records.Item{Key: key("p", "missing")}, c.cond)
				if e := refused(t, err); e != nil {
					t.Fatalf("existing %+v, want none", e)
				}
				refused(t, s.Delete(t.Context(), key("p", "missing"), c.cond))
			}
		})
	}
	// All conditions of one write have to hold.
	_, err := s.Put(t.Context(), records.Item{Key: k}, records.VersionIs(2), records.FieldIs("state", "closed"))
	refused(t, err)
	for i, conds := range [][]records.Cond{
		{records.Exists()},
		{records.VersionIs(3)},
		{records.Exists(), records.FieldIs("state", "open"), records.FieldIs("empty", "")},
		{},
	} {
		out := put(t, s, records.Item{Key: k, Fields: map[string]string{"state": "open", "empty": ""}}, conds...)
		if out.Version != int64(3+i) {
			t.Fatalf("version %d, want %d", out.Version, 3+i)
		}
	}
}

func putTwice(t *testing.T, open Open) {
	s := open(t, env(t))
	first := put(t, s, item("p", "a"), records.NotExists())
	second := item("p", "a")
	second.Body = body("other")
	_, err := s.Put(t.Context(), second, records.NotExists())
	if e := refused(t, err); e == nil || !bytes.Equal(e.Body, first.Body) || e.Version != 1 {
		t.Fatalf("existing %+v", e)
	}
	if got := get(t, s, first.Key); !bytes.Equal(got.Body, first.Body) {
		t.Fatalf("body %s", got.Body)
	}
}

func badRequests(t *testing.T, open Open) {
	s := open(t, env(t))
	ctx := t.Context()
	long := strings.Repeat("k", records.MaxPKBytes+1)
	for name, it := range map[string]records.Item{
		"no pk":            {Key: key("", "s")},
		"no sk":            {Key: key("p", "")},
		"long pk":          {Key: key(long, "s")},
		"long sk":          {Key: key("p", long[:records.MaxSKBytes+1])},
		"pk not text":      {Key: key("\xff", "s")},
		"zero byte":        {Key: key("p", "a\x00b")},
		"long index key":   {Key: key("p", "s"), G1PK: long, G1SK: "x"},
		"body not JSON":    {Key: key("p", "s"), Body: []byte("{")},
		"body not text":    {Key: key("p", "s"), Body: []byte("\"\xff\"")},
		"field no name":    {Key: key("p", "s"), Fields: map[string]string{"": "x"}},
		"field not text":   {Key: key("p", "s"), Fields: map[string]string{"a": "\xff"}},
		"table of nowhere": {Key: records.Key{Table: "nowhere", PK: "p", SK: "s"}},
	} {
		if _, err := s.Put(ctx, it); !errors.Is(err, records.ErrInvalid) {
			t.Errorf("%s: put gave %v", name, err)
		}
		if err := s.Transact(ctx, "", records.PutItem(item("p", "other")), records.PutItem(it)); !errors.Is(err, records.ErrInvalid) {
			t.Errorf("%s: transaction gave %v", name, err)
		}
	}
	gone(t, s, key("p", "other"))
	_, err := s.Get(ctx, key("", "s"))
	wantErr(t, err, records.ErrInvalid)
	wantErr(t, s.Delete(ctx, key("p", "")), records.ErrInvalid)
	_, err = s.Add(ctx, key("p", ""), records.Delta{By: 1})
	wantErr(t, err, records.ErrInvalid)
	_, err = s.BatchGet(ctx, []records.Key{key("p", "s"), key("", "s")})
	wantErr(t, err, records.ErrInvalid)
	_, err = s.BatchGet(ctx, make([]records.Key, records.MaxBatchGet+1))
	wantErr(t, err, records.ErrInvalid)
	_, err = s.Put(ctx, item("p", "s"), records.NotExists(), records.Exists())
	wantErr(t, err, records.ErrInvalid)
	_, err = s.Put(ctx, item("p", "s"), records.Cond{})
	wantErr(t, err, records.ErrInvalid)
	for name, q := range map[string]records.Query{
		"no pk":            {},
		"limit":            {PK: "p", Limit: records.MaxPage + 1},
		"negative limit":   {PK: "p", Limit: -1},
		"prefix and range": {PK: "p", Prefix: "a", From: "a"},
		"backward range":   {PK: "p", From: "b", To: "a"},
		"index":            {PK: "p", Index: 3},
		"table of nowhere": {PK: "p", Table: "nowhere"},
		"keys by index":    {PK: "p", Table: records.Idempotency, Index: records.G1},
	} {
		if _, err := s.Query(ctx, q); !errors.Is(err, records.ErrInvalid) {
			t.Errorf("query, %s: %v", name, err)
		}
	}
}

// padded is an item of exactly this size.
func padded(k records.Key, size int) records.Item {
	it := records.Item{Key: k, Body: []byte(`""`)}
	it.Body = []byte(`"` + strings.Repeat("x", size-records.Size(it)) + `"`)
	return it
}

func sizeLimit(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("p", "big")
	full := padded(k, records.MaxItemBytes)
	full.Fields = map[string]string{"state": "queued"}
	full.ExpiresAt = time.Now().Add(time.Hour)
	full.Body = append(full.Body[:len(full.Body)-1-(records.Size(full)-records.MaxItemBytes)], '"')
	if n := records.Size(full); n != records.MaxItemBytes {
		t.Fatalf("the test made %d bytes", n)
	}
	put(t, s, full)
	put(t, s, full) // by way of an update too
	if got := get(t, s, k); !bytes.Equal(got.Body, full.Body) {
		t.Fatalf("body of %d bytes came back with %d", len(full.Body), len(got.Body))
	}
	more := padded(k, records.MaxItemBytes+1)
	_, err := s.Put(t.Context(), more)
	wantErr(t, err, records.ErrTooLarge)
	wantErr(t, s.Transact(t.Context(), "", records.PutItem(more)), records.ErrTooLarge)
	_, err = s.Update(t.Context(), k, 0, func(it *records.Item) error {
		it.Body = more.Body
		it.Fields, it.ExpiresAt = nil, time.Time{}
		return nil
	})
	wantErr(t, err, records.ErrTooLarge)
	if got := get(t, s, k); got.Version != 2 {
		t.Fatalf("a refused write changed the version to %d", got.Version)
	}
}

func deletes(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("p", "a")
	must(t, s.Delete(t.Context(), k))
	put(t, s, item("p", "a"))
	put(t, s, item("p", "a"))
	refused(t, s.Delete(t.Context(), k, records.VersionIs(1)))
	must(t, s.Delete(t.Context(), k, records.VersionIs(2)))
	gone(t, s, k)
	if out := put(t, s, item("p", "a")); out.Version != 1 {
		t.Fatalf("version %d after deletion, want 1", out.Version)
	}
}

func updates(t *testing.T, open Open) {
	s := open(t, env(t))
	ctx, k := t.Context(), key("p", "a")
	_, err := s.Update(ctx, k, 0, func(*records.Item) error { t.Fatal("called for none"); return nil })
	wantErr(t, err, records.ErrNotFound)
	put(t, s, item("p", "a"))
	out, err := s.Update(ctx, k, 1, func(it *records.Item) error {
		it.Fields = map[string]string{"state": "done"}
		it.Key = key("other", "key") // an item stays where it is
		return nil
	})
	must(t, err)
	if out.Version != 2 || out.Key != k {
		t.Fatalf("updated to %+v", out)
	}
	_, err = s.Update(ctx, k, 1, func(*records.Item) error { t.Fatal("called for another version"); return nil })
	if e := refused(t, err); e == nil || e.Version != 2 {
		t.Fatalf("existing %+v", e)
	}
	stop := errors.New("stop")
	_, err = s.Update(ctx, k, 0, func(*records.Item) error { return stop })
	if err != stop {
		t.Fatalf("error %v, want the one of fn as it is", err)
	}
	if got := get(t, s, k); got.Version != 2 || got.Fields["state"] != "done" {
		t.Fatalf("got %+v", got)
	}
}

func compareAndSet(t *testing.T, open Open) {
	s := open(t, env(t))
	k := key("p", "cas")
	put(t, s, records.Item{Key: k})
	const n = 100
	errs := together(t.Context(), n, func(ctx context.Context, _ int) error {
		_, err := s.Update(ctx, k, 0, func(it *records.Item) error { it.N++; return nil })
		return err
	})
	must(t, errors.Join(errs...))
	if got := get(t, s, k); got.N != n || got.Version != n+1 {
		t.Fatalf("N %d at version %d, want %d at %d", got.N, got.Version, n, n+1)
	}
	// With a version to expect, one of them wins.
	errs = together(t.Context(), n, func(ctx context.Context, _ int) error {
		_, err := s.Update(ctx, k, n+1, func(it *records.Item) error { it.N++; return nil })
		return err
	})
	if won := count(errs, func(err error) bool { return err == nil }); won != 1 {
		t.Fatalf("%d winners", won)
	}
}

func claims(t *testing.T, open Open) {
	s := open(t, env(t))
	const n = 100
	errs := together(t.Context(), n, func(ctx context.Context, i int) error {
		it := item("p", "claim")
		it.Fields = map[string]string{"by": fmt.Sprint(i)}
		_, err := s.Put(ctx, it, records.NotExists())
		return err
	})
	winner := get(t, s, key("p", "claim")).Fields["by"]
	for i, err := range errs {
		if err == nil {
			if fmt.Sprint(i) != winner {
				t.Fatalf("%d was told it won, %s is stored", i, winner)
			}
			continue
		}
		if e := refused(t, err); e == nil || e.Fields["by"] != winner {
			t.Fatalf("loser was shown %+v", e)
		}
	}
	if won := count(errs, func(err error) bool { return err == nil }); won != 1 {
		t.Fatalf("%d winners", won)
	}
}

func contexts(t *testing.T, open Open) {
	s := open(t, env(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Put(ctx, item("p", "a"))
	wantErr(t, err, context.Canceled)
	_, err = s.Get(ctx, key("p", "a"))
	wantErr(t, err, context.Canceled)
	_, err = s.Query(ctx, records.Query{PK: "p"})
	wantErr(t, err, context.Canceled)
	wantErr(t, s.Transact(ctx, "", records.PutItem(item("p", "a"))), context.Canceled)
	gone(t, s, key("p", "a"))
}
