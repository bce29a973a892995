// Package storetest holds every store of records to the same promises. An
// adapter calls Run from its own tests.
package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Env is what a test wants of the store it opens.
type Env struct {
	// Dir names the data: the same Dir is the same data again (a restart), a
	// new one is empty. It exists and goes away after the test.
	Dir       string
	Clock     clock.Clock
	CursorKey []byte
	// IndexDelay asks for late indexes, measured by Clock. A store that cannot
	// be made late leaves it out: the tests bear both.
	IndexDelay time.Duration
}

// Open gives a store for the Env, closed by t.Cleanup at the latest.
type Open func(t *testing.T, env Env) records.Store

// Run runs the whole contract.
func Run(t *testing.T, open Open) {
	for _, c := range []struct {
		name string
		test func(*testing.T, Open)
	}{
		{"put, get, versions", putGet},
		{"conditions", conditions},
		{"put twice", putTwice},
		{"bad requests", badRequests},
		{"size limit", sizeLimit},
		{"delete", deletes},
		{"update", updates},
		{"compare and set by 100 goroutines", compareAndSet},
		{"100 claims, one winner", claims},
		{"counter", counters},
		{"counter in 100 goroutines", countersTogether},
		{"transaction", transaction},
		{"transaction refused", transactionRefused},
		{"transaction limits", transactionLimits},
		{"token", tokens},
		{"token by many at once", tokenRace},
		{"200 creates on one counter", createsOnCounter},
		{"ceiling refuses everything", ceilingInTransaction},
		{"batch get", batchGet},
		{"pages of the base table", pagesBase},
		{"pages of an index with ties", pagesTies},
		{"ranges", ranges},
		{"keys only", keysOnly},
		{"cursors", cursors},
		{"big pages", bigPages},
		{"index membership", indexMembership},
		{"late indexes", lateIndexes},
		{"expiry", expiry},
		{"expired is not existing", expiredConditions},
		{"expired counter", expiredCounter},
		{"expired in queries", expiredQueries},
		{"restart", restart},
		{"context", contexts},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, open) })
	}
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func env(t *testing.T) Env {
	return Env{Dir: t.TempDir(), Clock: clock.System{}, CursorKey: []byte("a key that signs cursors in tests")}
}

// held gives an Env whose clock stands still.
func held(t *testing.T) (Env, *clock.Held) {
	e, c := env(t), clock.Hold(start)
	e.Clock = c
	return e, c
}

func key(pk, sk string) records.Key { return records.Key{PK: pk, SK: sk} }

func body(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func item(pk, sk string) records.Item {
	return records.Item{Key: key(pk, sk), Body: body(map[string]string{"name": sk})}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantErr(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("error %v, want %v", err, want)
	}
}

// refused checks for a failed condition and returns what stood there.
func refused(t *testing.T, err error) *records.Item {
	t.Helper()
	var c *records.ConditionError
	if !errors.As(err, &c) {
		t.Fatalf("error %v, want a failed condition", err)
	}
	return c.Existing
}

// canceled checks for a refused transaction, at exactly these positions.
func canceled(t *testing.T, err error, n int, positions ...int) *records.CanceledError {
	t.Helper()
	var c *records.CanceledError
	if !errors.As(err, &c) {
		t.Fatalf("error %v, want a cancelled transaction", err)
	}
	if len(c.Reasons) != n {
		t.Fatalf("%d reasons for %d actions", len(c.Reasons), n)
	}
	want := map[int]bool{}
	for _, p := range positions {
		want[p] = true
	}
	for i := range n {
		if c.Failed(i) != want[i] {
			t.Fatalf("position %d failed: %v, want %v", i, c.Failed(i), want[i])
		}
	}
	return c
}

func put(t *testing.T, s records.Store, it records.Item, conds ...records.Cond) records.Item {
	t.Helper()
	out, err := s.Put(t.Context(), it, conds...)
	must(t, err)
	return out
}

func get(t *testing.T, s records.Store, k records.Key) records.Item {
	t.Helper()
	it, err := s.Get(t.Context(), k)
	must(t, err)
	return it
}

func gone(t *testing.T, s records.Store, k records.Key) {
	t.Helper()
	_, err := s.Get(t.Context(), k)
	wantErr(t, err, records.ErrNotFound)
}

// together runs f n times at once and returns the errors in order.
func together(ctx context.Context, n int, f func(ctx context.Context, i int) error) []error {
	errs := make([]error, n)
	var ready, done sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-gate
			errs[i] = f(ctx, i)
		})
	}
	ready.Wait()
	close(gate)
	done.Wait()
	return errs
}

func count(errs []error, match func(error) bool) (n int) {
	for _, err := range errs {
		if match(err) {
			n++
		}
	}
	return n
}

// all walks every page of a query.
func all(t *testing.T, s records.Store, q records.Query) []records.Item {
	t.Helper()
	var items []records.Item
	for range 10_000 {
		p, err := s.Query(t.Context(), q)
		must(t, err)
		limit := q.Limit
		if limit == 0 {
			limit = records.MaxPage
		}
		if len(p.Items) > limit {
			t.Fatalf("page of %d, limit %d", len(p.Items), limit)
		}
		items = append(items, p.Items...)
		if p.Cursor == "" {
			return items
		}
		q.Cursor = p.Cursor
	}
	t.Fatal("pages without end")
	return nil
}

func sks(items []records.Item) []string {
	out := make([]string, len(items))
	for i, it := range items {
		out[i] = it.SK
	}
	return out
}

func wantSKs(t *testing.T, items []records.Item, want ...string) {
	t.Helper()
	if got := sks(items); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("items %v, want %v", got, want)
	}
}
