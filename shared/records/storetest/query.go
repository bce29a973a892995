package storetest

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

func batchGet(t *testing.T, open Open) {
	s := open(t, env(t))
	var keys []records.Key
	for i := range 230 {
		k := key(fmt.Sprintf("p%d", i%7), fmt.Sprintf("%03d", i))
		if i%5 == 0 {
			k.Table = records.Idempotency
		}
		if i%10 != 3 {
			put(t, s, records.Item{Key: k, N: int64(i), Body: body(i)})
		}
		keys = append(keys, k)
	}
	slices.Reverse(keys)
	keys = append(keys, keys[0], keys[1]) // asked for twice, given twice
	items, err := s.BatchGet(t.Context(), keys)
	must(t, err)
	var want []records.Key
	for _, k := range keys {
		if k.SK[2] != '3' {
			want = append(want, k)
		}
	}
	if len(items) != len(want) {
		t.Fatalf("%d items, want %d", len(items), len(want))
	}
	for i, it := range items {
		if it.Key != want[i] || fmt.Sprintf("%03d", it.N) != it.SK || string(it.Body) != fmt.Sprint(it.N) {
			t.Fatalf("item %d is %+v, want %v", i, it, want[i])
		}
	}
	if items, err = s.BatchGet(t.Context(), nil); err != nil || len(items) != 0 {
		t.Fatalf("nothing asked: %v, %v", items, err)
	}
}

// walk checks that every page size and both directions give each item once.
func walk(t *testing.T, s records.Store, q records.Query, n int, sorted func(a, b records.Item) bool) {
	t.Helper()
	for _, limit := range []int{1, 2, 7, n, n + 1, 0} {
		for _, desc := range []bool{false, true} {
			q.Limit, q.Desc = limit, desc
			items := all(t, s, q)
			seen := map[records.Key]bool{}
			for i, it := range items {
				if seen[it.Key] {
					t.Fatalf("limit %d desc %v: %v came twice", limit, desc, it.Key)
				}
				seen[it.Key] = true
				if i > 0 {
					a, b := items[i-1], it
					if desc {
						a, b = b, a
					}
					if !sorted(a, b) {
						t.Fatalf("limit %d desc %v: %v before %v", limit, desc, items[i-1].Key, it.Key)
					}
				}
			}
			if len(items) != n {
				t.Fatalf("limit %d desc %v: %d items, want %d", limit, desc, len(items), n)
			}
		}
	}
}

func pagesBase(t *testing.T, open Open) {
	s := open(t, env(t))
	const n = 23
	for i := range n {
		put(t, s, item("p", fmt.Sprintf("k%02d", (i*7)%n)))
		put(t, s, item("other", fmt.Sprintf("k%02d", i)))
		put(t, s, records.Item{Key: records.Key{Table: records.Idempotency, PK: "p", SK: fmt.Sprint(i)}})
	}
	walk(t, s, records.Query{PK: "p"}, n, func(a, b records.Item) bool { return a.SK < b.SK })
	if got := all(t, s, records.Query{PK: "nobody"}); len(got) != 0 {
		t.Fatalf("%d items of nobody", len(got))
	}
}

func pagesTies(t *testing.T, open Open) {
	s := open(t, env(t))
	const n = 24
	for i := range n {
		it := item(fmt.Sprintf("p%d", i%3), fmt.Sprintf("k%02d", i))
		it.G1PK, it.G1SK = "tied", fmt.Sprintf("s%d", i/12) // two values only
		it.G2PK, it.G2SK = "all", "same"
		put(t, s, it)
	}
	settled(t, s, records.Query{Index: records.G1, PK: "tied"}, n)
	settled(t, s, records.Query{Index: records.G2, PK: "all"}, n)
	walk(t, s, records.Query{Index: records.G1, PK: "tied"}, n, func(a, b records.Item) bool { return a.G1SK <= b.G1SK })
	walk(t, s, records.Query{Index: records.G2, PK: "all"}, n, func(a, b records.Item) bool { return true })
	walk(t, s, records.Query{Index: records.G1, PK: "tied", Prefix: "s1"}, n/2, func(a, b records.Item) bool { return true })
}

// settled waits until an index shows n items: indexes may be late.
func settled(t *testing.T, s records.Store, q records.Query, n int) []records.Item {
	t.Helper()
	var items []records.Item
	for range 500 {
		if items = all(t, s, q); len(items) == n {
			return items
		}
		must(t, clock.System{}.Sleep(t.Context(), 10*time.Millisecond))
	}
	t.Fatalf("the index shows %d items, want %d", len(items), n)
	return nil
}

func ranges(t *testing.T, open Open) {
	s := open(t, env(t))
	for _, sk := range []string{"a", "ab", "abc", "abd", "b", "b\u007f", "bé", "c", "€"} {
		it := item("p", sk)
		it.G1PK, it.G1SK = "g", sk
		put(t, s, it)
	}
	settled(t, s, records.Query{Index: records.G1, PK: "g"}, 9)
	for _, ix := range []records.Index{records.Base, records.G1} {
		pk := "p"
		if ix == records.G1 {
			pk = "g"
		}
		for _, c := range []struct {
			q    records.Query
			want []string
		}{
			{records.Query{Prefix: "ab"}, []string{"ab", "abc", "abd"}},
			{records.Query{Prefix: "b"}, []string{"b", "b\u007f", "bé"}},
			{records.Query{Prefix: "b\u007f"}, []string{"b\u007f"}},
			{records.Query{Prefix: "x"}, nil},
			{records.Query{From: "abc", To: "b"}, []string{"abc", "abd", "b"}},
			{records.Query{From: "b\u007f"}, []string{"b\u007f", "bé", "c", "€"}},
			{records.Query{To: "ab"}, []string{"a", "ab"}},
			{records.Query{From: "ab", To: "ab"}, []string{"ab"}},
		} {
			for _, limit := range []int{0, 1, 2} {
				q := c.q
				q.Index, q.PK, q.Limit = ix, pk, limit
				wantSKs(t, all(t, s, q), c.want...)
				q.Desc = true
				back := slices.Clone(c.want)
				slices.Reverse(back)
				wantSKs(t, all(t, s, q), back...)
			}
		}
	}
}

func keysOnly(t *testing.T, open Open) {
	s := open(t, env(t))
	for i := range 5 {
		it := item("p", fmt.Sprint(i))
		it.G1PK, it.G1SK, it.N = "g", fmt.Sprint(i), int64(i)
		it.Fields = map[string]string{"state": "x"}
		it.ExpiresAt = time.Now().Add(time.Hour).UTC().Truncate(time.Millisecond)
		put(t, s, it)
	}
	settled(t, s, records.Query{Index: records.G1, PK: "g"}, 5)
	for _, q := range []records.Query{{PK: "p", KeysOnly: true, Limit: 2}, {Index: records.G1, PK: "g", KeysOnly: true}} {
		for i, it := range all(t, s, q) {
			if it.Body != nil || it.Fields != nil {
				t.Fatalf("more than keys: %+v", it)
			}
			if it.SK != fmt.Sprint(i) || it.N != int64(i) || it.Version != 1 || it.G1SK != fmt.Sprint(i) || it.ExpiresAt.IsZero() {
				t.Fatalf("less than keys: %+v", it)
			}
		}
	}
	// A skip by keys goes on with whole items: the cursor is of the same query.
	p, err := s.Query(t.Context(), records.Query{PK: "p", KeysOnly: true, Limit: 3})
	must(t, err)
	p, err = s.Query(t.Context(), records.Query{PK: "p", Limit: 1, Cursor: p.Cursor})
	must(t, err)
	if len(p.Items) != 1 || p.Items[0].SK != "3" || p.Items[0].Body == nil {
		t.Fatalf("page %+v", p)
	}
}

func cursors(t *testing.T, open Open) {
	e := env(t)
	s := open(t, e)
	for i := range 6 {
		for _, pk := range []string{"w#1", "w#2"} {
			it := item(pk, fmt.Sprintf("k%d", i))
			it.G1PK, it.G1SK = pk, fmt.Sprintf("k%d", i)
			put(t, s, it)
		}
	}
	q := records.Query{PK: "w#1", Limit: 2}
	p, err := s.Query(t.Context(), q)
	must(t, err)
	if p.Cursor == "" {
		t.Fatal("no cursor")
	}
	bad := func(name string, q records.Query) {
		t.Helper()
		if _, err := s.Query(t.Context(), q); !errors.Is(err, records.ErrBadCursor) {
			t.Errorf("%s: %v, want ErrBadCursor", name, err)
		}
	}
	for name, change := range map[string]func(*records.Query){
		"another tenant":    func(q *records.Query) { q.PK = "w#2" },
		"another direction": func(q *records.Query) { q.Desc = true },
		"another index":     func(q *records.Query) { q.Index = records.G1 },
		"another table":     func(q *records.Query) { q.Table = records.Idempotency },
		"another prefix":    func(q *records.Query) { q.Prefix = "k" },
		"another range":     func(q *records.Query) { q.From = "k" },
		"an end":            func(q *records.Query) { q.To = "k9" },
	} {
		other := q
		other.Cursor = p.Cursor
		change(&other)
		bad(name, other)
	}
	for i := range len(p.Cursor) {
		b := []byte(p.Cursor)
		if b[i]++; b[i] == 'Z'+1 || b[i] == 'z'+1 || b[i] == '9'+1 {
			b[i] = 'A'
		}
		bad(fmt.Sprintf("character %d", i), records.Query{PK: "w#1", Cursor: string(b)})
	}
	for _, c := range []string{"x", "AQ", "!!", p.Cursor[:len(p.Cursor)-1], p.Cursor + "A", p.Cursor + p.Cursor} {
		bad(c, records.Query{PK: "w#1", Cursor: c})
	}
	// Another limit is the same query, and a restart keeps cursors.
	s = open(t, e)
	q.Limit, q.Cursor = 3, p.Cursor
	p, err = s.Query(t.Context(), q)
	must(t, err)
	wantSKs(t, p.Items, "k2", "k3", "k4")
	// A store with another key does not take them.
	e.CursorKey = []byte("quite another key for cursors")
	if _, err := open(t, e).Query(t.Context(), q); !errors.Is(err, records.ErrBadCursor) {
		t.Errorf("another key: %v", err)
	}
}

func bigPages(t *testing.T, open Open) {
	s := open(t, env(t))
	const n = 12
	for i := range n {
		put(t, s, padded(key("p", fmt.Sprintf("%02d", i)), 300<<10))
	}
	p, err := s.Query(t.Context(), records.Query{PK: "p"})
	must(t, err)
	if len(p.Items) == n || p.Cursor == "" {
		t.Fatalf("a page of %d items with 300 KB each", len(p.Items))
	}
	if got := all(t, s, records.Query{PK: "p"}); len(got) != n {
		t.Fatalf("%d items, want %d", len(got), n)
	}
}

func indexMembership(t *testing.T, open Open) {
	s := open(t, env(t))
	in := item("p", "in")
	in.G1PK, in.G1SK = "g", "1"
	put(t, s, in)
	half := item("p", "half")
	half.G1PK, half.G2SK = "g", "2"
	put(t, s, half)
	q := records.Query{Index: records.G1, PK: "g"}
	wantSKs(t, settled(t, s, q, 1), "in")
	if got := get(t, s, half.Key); got.G1PK != "g" || got.G1SK != "" || got.G2SK != "2" {
		t.Fatalf("half a key came back as %+v", got)
	}
	half.G1SK = "0"
	put(t, s, half)
	wantSKs(t, settled(t, s, q, 2), "half", "in")
	in.G1PK, in.G1SK = "", ""
	put(t, s, in) // out again
	wantSKs(t, settled(t, s, q, 1), "half")
	must(t, s.Delete(t.Context(), half.Key))
	settled(t, s, q, 0)
}

// lateIndexes checks that an index shows a change in the end, and the base table
// at once, whatever the delay.
func lateIndexes(t *testing.T, open Open) {
	e, c := held(t)
	e.IndexDelay = time.Second
	s := open(t, e)
	it := item("p", "a")
	it.G1PK, it.G1SK = "g", "1"
	put(t, s, it)
	wantSKs(t, all(t, s, records.Query{PK: "p"}), "a")
	c.Advance(time.Second)
	settled(t, s, records.Query{Index: records.G1, PK: "g"}, 1)
	it.G1SK = "2"
	put(t, s, it)
	c.Advance(time.Second)
	settled(t, s, records.Query{Index: records.G1, PK: "g", From: "2"}, 1)
	settled(t, s, records.Query{Index: records.G1, PK: "g", To: "1"}, 0)
}
