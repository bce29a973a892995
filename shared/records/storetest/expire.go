package storetest

import (
	"fmt"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/records"
)

func expiring(pk, sk string, at time.Time) records.Item {
	it := item(pk, sk)
	it.ExpiresAt = at
	it.Fields = map[string]string{"state": "old"}
	return it
}

func expiry(t *testing.T, open Open) {
	e, c := held(t)
	s := open(t, e)
	put(t, s, expiring("p", "a", start.Add(1500*time.Millisecond)))
	c.Advance(1499 * time.Millisecond)
	if got := get(t, s, key("p", "a")); !got.ExpiresAt.Equal(start.Add(1500 * time.Millisecond)) {
		t.Fatalf("expiry %v", got.ExpiresAt)
	}
	c.Advance(time.Millisecond)
	gone(t, s, key("p", "a"))
	items, err := s.BatchGet(t.Context(), []records.Key{key("p", "a")})
	must(t, err)
	if len(items) != 0 {
		t.Fatalf("batch gave %+v", items)
	}
	_, err = s.Update(t.Context(), key("p", "a"), 0, func(*records.Item) error { return nil })
	wantErr(t, err, records.ErrNotFound)
	// What is put already expired is never seen.
	put(t, s, expiring("p", "b", start))
	gone(t, s, key("p", "b"))
}

func expiredConditions(t *testing.T, open Open) {
	e, c := held(t)
	s := open(t, e)
	fresh := func(sk string) records.Key {
		put(t, s, expiring("p", sk, c.Now().Add(time.Second)))
		put(t, s, expiring("p", sk, c.Now().Add(time.Second))) // version 2
		return key("p", sk)
	}
	for _, sk := range []string{"exists", "version", "field"} {
		fresh(sk)
	}
	for i := range 8 {
		fresh(fmt.Sprint(i))
	}
	c.Advance(time.Second)
	for sk, cond := range map[string]records.Cond{
		"exists": records.Exists(), "version": records.VersionIs(2), "field": records.FieldIs("state", "old"),
	} {
		_, err := s.Put(t.Context(), item("p", sk), cond)
		if e := refused(t, err); e != nil {
			t.Fatalf("%s: shown what has expired: %+v", sk, e)
		}
		refused(t, s.Delete(t.Context(), key("p", sk), cond))
		if e := canceled(t, s.Transact(t.Context(), "", records.Check(key("p", sk), cond)), 1, 0).Reasons[0].Existing; e != nil {
			t.Fatalf("%s: shown what has expired: %+v", sk, e)
		}
		must(t, s.Transact(t.Context(), "", records.Check(key("p", sk), records.NotExists())))
		must(t, s.Delete(t.Context(), key("p", sk), records.NotExists()))
	}
	// Written anew it starts at version 1 and has nothing of the old one.
	check := func(sk string) {
		t.Helper()
		got := get(t, s, key("p", sk))
		if got.Version != 1 || got.Fields != nil || !got.ExpiresAt.IsZero() {
			t.Fatalf("%s: %+v", sk, got)
		}
	}
	if out := put(t, s, item("p", "0"), records.NotExists()); out.Version != 1 {
		t.Fatalf("version %d", out.Version)
	}
	check("0")
	if out := put(t, s, item("p", "1")); out.Version != 1 {
		t.Fatalf("version %d", out.Version)
	}
	check("1")
	must(t, s.Transact(t.Context(), "",
		records.PutItem(item("p", "2"), records.NotExists()),
		records.PutItem(item("p", "3")),
		records.DeleteItem(key("p", "4")),
		records.AddTo(key("p", "5"), records.Delta{By: 7}),
		records.PutItem(item("p", "new")),
	))
	check("2")
	check("3")
	check("5")
	if got := get(t, s, key("p", "5")); got.N != 7 || got.Body != nil {
		t.Fatalf("counter %+v", got)
	}
	// A refusal elsewhere still leaves all of it alone.
	canceled(t, s.Transact(t.Context(), "",
		records.PutItem(item("p", "6")), records.Check(key("p", "7"), records.Exists())), 2, 1)
	gone(t, s, key("p", "6"))
}

func expiredCounter(t *testing.T, open Open) {
	e, c := held(t)
	s := open(t, e)
	k := key("rate", "minute")
	add := func(want int64) {
		t.Helper()
		n, err := s.Add(t.Context(), k, records.Delta{By: 1, Ceil: records.Bound(2), ExpiresAt: start.Add(time.Minute)})
		must(t, err)
		if n != want {
			t.Fatalf("counter at %d, want %d", n, want)
		}
	}
	add(1)
	add(2)
	_, err := s.Add(t.Context(), k, records.Delta{By: 1, Ceil: records.Bound(2)})
	if e := refused(t, err); e == nil || e.N != 2 {
		t.Fatalf("existing %+v", e)
	}
	c.Advance(time.Minute)
	_, err = s.Add(t.Context(), k, records.Delta{By: 3, Ceil: records.Bound(2)})
	if e := refused(t, err); e != nil {
		t.Fatalf("existing %+v, want none", e)
	}
	n, err := s.Add(t.Context(), k, records.Delta{By: 1, Ceil: records.Bound(2)})
	must(t, err)
	if got := get(t, s, k); n != 1 || got.Version != 1 || !got.ExpiresAt.IsZero() {
		t.Fatalf("a new window starts at %d: %+v", n, got)
	}
}

func expiredQueries(t *testing.T, open Open) {
	e, c := held(t)
	s := open(t, e)
	for i := range 40 {
		it := expiring("p", fmt.Sprintf("%02d", i), start.Add(time.Second))
		if i%10 == 9 {
			it.ExpiresAt = start.Add(time.Minute)
		}
		it.G1PK, it.G1SK = "g", it.SK
		put(t, s, it)
	}
	q := records.Query{Index: records.G1, PK: "g"}
	settled(t, s, q, 40)
	c.Advance(time.Second)
	for _, limit := range []int{0, 1, 3, 4} {
		for _, q := range []records.Query{{PK: "p", Limit: limit}, {Index: records.G1, PK: "g", Limit: limit}} {
			wantSKs(t, all(t, s, q), "09", "19", "29", "39")
		}
	}
}

func restart(t *testing.T, open Open) {
	e := env(t)
	s := open(t, e)
	for i := range 10 {
		it := item("p", fmt.Sprint(i))
		it.G1PK, it.G1SK = "g", fmt.Sprint(i)
		put(t, s, it)
	}
	must(t, s.Delete(t.Context(), key("p", "3")))
	// The first store stays open: a crash closes nothing either.
	s = open(t, e)
	if got := all(t, s, records.Query{PK: "p"}); len(got) != 9 {
		t.Fatalf("%d items after a restart, want 9", len(got))
	}
	settled(t, s, records.Query{Index: records.G1, PK: "g"}, 9)
	if out := put(t, s, item("p", "5")); out.Version != 2 {
		t.Fatalf("version %d after a restart, want 2", out.Version)
	}
}
