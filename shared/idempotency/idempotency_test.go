package idempotency_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
)

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

type house struct {
	t     *testing.T
	store records.Store
	clock *clock.Held
	table *idempotency.Table
	made  atomic.Int64 // how many things exist, by number
}

func newHouse(t *testing.T) *house {
	h := &house{t: t, clock: clock.Hold(start)}
	h.store = openStore(t, h.clock)
	h.table = h.boot("", nil)
	return h
}

func (h *house) boot(id string, ended func(string) bool) *idempotency.Table {
	return idempotency.New(h.store, idempotency.Options{Clock: h.clock, Boot: id, Ended: ended})
}

var scope = idempotency.Scope{Workspace: "w1", Account: "a1", Operation: "create_mind"}

type args struct {
	Name string `json:"name"`
	Size int    `json:"size,omitempty"`
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// create is a domain call of the first recipe.
func (h *house) create(c idempotency.Call) (idempotency.Result, error) {
	id := fmt.Sprintf("mind-%d", h.made.Add(1))
	return h.table.Once(h.t.Context(), c, id, func(row records.Action) error {
		return h.store.Transact(h.t.Context(), "",
			records.PutItem(records.Item{Key: records.Key{PK: "w#w1#minds", SK: id}}, records.NotExists()),
			records.AddTo(records.Key{PK: "w#w1#count", SK: "minds"}, records.Delta{By: 1}),
			row)
	})
}

func (h *house) count() int64 {
	it, err := h.store.Get(h.t.Context(), records.Key{PK: "w#w1#count", SK: "minds"})
	if errors.Is(err, records.ErrNotFound) {
		return 0
	}
	if err != nil {
		h.t.Fatal(err)
	}
	return it.N
}

func (h *house) wantCode(err error, code fault.Code) *fault.Error {
	h.t.Helper()
	if !fault.Is(err, code) {
		h.t.Fatalf("error %v, want %s", err, code)
	}
	var f *fault.Error
	errors.As(err, &f)
	return f
}

// M-92: at 9.999 s two identical calls give one id, at 10.001 s two; at
// 5 h 59 m one, at 6 h 00 m 01 s two.
func TestM92Windows(t *testing.T) {
	const second, hour = time.Second, time.Hour
	for _, c := range []struct {
		window, after time.Duration
		same          bool
	}{
		{10 * second, 9999 * time.Millisecond, true},
		{10 * second, 10 * second, false},
		{10 * second, 10001 * time.Millisecond, false},
		{6 * hour, 5*hour + 59*time.Minute, true},
		{6 * hour, 6*hour - time.Millisecond, true},
		{6 * hour, 6*hour + second, false},
		{idempotency.Forever, 1000 * 24 * hour, true},
	} {
		t.Run(fmt.Sprintf("%v after %v", c.window, c.after), func(t *testing.T) {
			h := newHouse(t)
			call := must(idempotency.Derived(scope, args{Name: "Ada"}, c.window))
			first, err := h.create(call)
			if err != nil || first.Replayed || first.Key != call.Key {
				t.Fatalf("first %+v, %v", first, err)
			}
			// A call in between does not move the window: it counts from the first.
			h.clock.Advance(c.after / 2)
			if r, err := h.create(call); err != nil || r.Ref != first.Ref || !r.Replayed {
				t.Fatalf("between %+v, %v", r, err)
			}
			h.clock.Advance(c.after - c.after/2)
			second, err := h.create(call)
			if err != nil || (second.Ref == first.Ref) != c.same || second.Replayed != c.same {
				t.Fatalf("second %+v, %v; first %s", second, err, first.Ref)
			}
			want := int64(1)
			if !c.same {
				want = 2
			}
			if h.count() != want {
				t.Fatalf("%d made, want %d", h.count(), want)
			}
			// The lease recipe keeps the same windows.
			begin := func(id string) idempotency.Claim {
				return must(h.table.Begin(t.Context(), must(idempotency.Derived(scope, "leased", c.window)), id))
			}
			one := begin("one")
			if err := h.table.Complete(t.Context(), one, "one"); err != nil {
				t.Fatal(err)
			}
			h.clock.Advance(c.after)
			if two := begin("two"); (two.Outcome == idempotency.Replayed) != c.same || (two.ResultID == "one") != c.same {
				t.Fatalf("second claim %+v", two)
			}
		})
	}
}

// M-92: a change of one character of any argument gives two.
func TestM92OneCharacter(t *testing.T) {
	h := newHouse(t)
	seen := map[string]bool{}
	for _, a := range []any{args{Name: "Ada"}, args{Name: "ada"}, args{Name: "Ada "}, args{Name: "Adа"}, args{Name: "Ada", Size: 1}, args{Name: "Ada", Size: 2}} {
		r, err := h.create(must(idempotency.Derived(scope, a, time.Minute)))
		if err != nil || seen[r.Ref] {
			t.Fatalf("%+v gave %+v, %v", a, r, err)
		}
		seen[r.Ref] = true
	}
}

// M-90: other input with the same key is refused, by name.
func TestM90Conflict(t *testing.T) {
	h := newHouse(t)
	call := must(idempotency.Keyed(scope, "k-1", args{Name: "Ada"}, 24*time.Hour))
	first := must(h.create(call))
	other := must(idempotency.Keyed(scope, "k-1", args{Name: "Bob"}, 24*time.Hour))
	_, err := h.create(other)
	f := h.wantCode(err, fault.IdempotencyConflict)
	if !strings.Contains(f.Message, "idempotencyKey") || !strings.Contains(f.Message, "24 hours") || f.Data["idempotencyKey"] != "k-1" {
		t.Fatalf("fault %+v", f)
	}
	_, err = h.table.Begin(t.Context(), other, "x")
	h.wantCode(err, fault.IdempotencyConflict)
	// Where the first result counts whatever the input is now:
	other.AnyInput = true
	if r, err := h.create(other); err != nil || r.Ref != first.Ref || !r.Replayed {
		t.Fatalf("%+v, %v", r, err)
	}
	if h.count() != 1 {
		t.Fatalf("%d made", h.count())
	}
}

// A key means something in its scope only, and never a derived one.
func TestScopes(t *testing.T) {
	h := newHouse(t)
	derived := must(idempotency.Derived(scope, args{Name: "Ada"}, time.Minute))
	calls := []idempotency.Call{derived, must(idempotency.Keyed(scope, derived.Key, args{Name: "Ada"}, time.Minute))}
	for _, s := range []idempotency.Scope{
		{Workspace: "w2", Account: "a1", Operation: "create_mind"},
		{Workspace: "w1", Account: "a2", Operation: "create_mind"},
		{Workspace: "w1", Account: "a1", Operation: "create_study"},
		{Workspace: "w1", Account: "a1", Operation: "create_mind", Within: "s1"},
		{Workspace: "w1", Operation: "create_mind", Within: "s1"},
	} {
		calls = append(calls, must(idempotency.Keyed(s, derived.Key, args{Name: "Ada"}, time.Minute)))
	}
	for _, c := range calls {
		if r, err := h.create(c); err != nil || r.Replayed {
			t.Fatalf("%+v: %+v, %v", c.Scope, r, err)
		}
	}
	for _, s := range []idempotency.Scope{{}, {Workspace: "w", Operation: "o"}, {Workspace: "w#1", Account: "a", Operation: "o"}} {
		if _, err := h.create(must(idempotency.Keyed(s, "k", 1, time.Minute))); err == nil {
			t.Errorf("scope %+v was taken", s)
		}
	}
	if _, err := h.create(idempotency.Call{Scope: scope, Key: "k", Fingerprint: "f"}); err == nil {
		t.Error("a call without a window was taken")
	}
}

func together(n int, f func(i int)) {
	var wait sync.WaitGroup
	gate := make(chan struct{})
	for i := range n {
		wait.Go(func() {
			<-gate
			f(i)
		})
	}
	close(gate)
	wait.Wait()
}

// M-90: 200 identical calls at once give one result; one with other input among
// them is refused.
func TestM90Together(t *testing.T) {
	h := newHouse(t)
	call := must(idempotency.Keyed(scope, "k", args{Name: "Ada"}, time.Hour))
	must(h.create(must(idempotency.Keyed(scope, "other", args{Name: "Ada"}, time.Hour))))
	const n = 200
	refs, errs := make([]string, n), make([]error, n)
	var fresh atomic.Int64
	together(n, func(i int) {
		c := call
		if i%50 == 49 {
			c = must(idempotency.Keyed(scope, "other", args{Name: "Bob"}, time.Hour))
		}
		r, err := h.create(c)
		refs[i], errs[i] = r.Ref, err
		if err == nil && !r.Replayed {
			fresh.Add(1)
		}
	})
	for i := range n {
		if i%50 == 49 {
			h.wantCode(errs[i], fault.IdempotencyConflict)
		} else if errs[i] != nil || refs[i] != refs[0] {
			t.Fatalf("call %d: %s, %v; the first got %s", i, refs[i], errs[i], refs[0])
		}
	}
	if fresh.Load() != 1 || h.count() != 2 {
		t.Fatalf("%d fresh, %d made", fresh.Load(), h.count())
	}
}

// A refusal of the write itself comes back as it is, and leaves the key free;
// when the row was refused as well, the replay goes before.
func TestOnceRefused(t *testing.T) {
	h := newHouse(t)
	ctx := t.Context()
	call := must(idempotency.Keyed(scope, "k", args{Name: "Ada"}, time.Hour))
	limit := records.AddTo(records.Key{PK: "c", SK: "n"}, records.Delta{By: 1, Ceil: records.Bound(0)})
	_, err := h.table.Once(ctx, call, "x", func(row records.Action) error {
		return h.store.Transact(ctx, "", limit, row)
	})
	var off *records.CanceledError
	if !errors.As(err, &off) || !off.Failed(0) || off.Failed(1) {
		t.Fatalf("error %v", err)
	}
	boom := errors.New("boom")
	if _, err := h.table.Once(ctx, call, "x", func(records.Action) error { return boom }); !errors.Is(err, boom) {
		t.Fatalf("error %v", err)
	}
	if _, found, err := h.table.Lookup(ctx, call); found || err != nil {
		t.Fatalf("found %v, %v", found, err)
	}
	// The winner comes between this call's look and its write.
	r, err := h.table.Once(ctx, call, "loser", func(row records.Action) error {
		must(h.create(call))
		return fmt.Errorf("wrapped: %w", h.store.Transact(ctx, "", limit, row))
	})
	if err != nil || !r.Replayed || r.Ref == "loser" {
		t.Fatalf("%+v, %v", r, err)
	}
}

func TestFingerprint(t *testing.T) {
	fp := func(v any) string { return must(idempotency.Fingerprint(v)) }
	if fp(map[string]any{"b": 1, "a": []int{1}}) != fp(struct {
		A []int   `json:"a"`
		B float64 `json:"b"`
	}{[]int{1}, 1.0}) {
		t.Error("order of members or form of a number made a difference")
	}
	different := []any{"", "a", "a<b", "é", "e\u0301", nil, true, 0, 1.5, []string{}, []string{"a", "b"}, []string{"b", "a"}, map[string]any{}, map[string]any{"a": nil}}
	seen := map[string]any{}
	for _, v := range different {
		f := fp(v)
		if other, twice := seen[f]; twice || len(f) != 64 {
			t.Errorf("%v and %v have the print %s", v, other, f)
		}
		seen[f] = v
	}
	if _, err := idempotency.Fingerprint(func() {}); err == nil {
		t.Error("a function has a print")
	}
	// SHA-256 of the text {"a":1,"b":"ü"}
	if got, want := fp(map[string]any{"b": "ü", "a": 1}), "1a59e522e02ce50ad2c27c11a6d30f8667489c199580627fe9e3e33e2b0e91d5"; got != want {
		t.Errorf("print %s, want %s", got, want)
	}
}

func FuzzFingerprint(f *testing.F) {
	f.Add("a", "b", 1.5)
	f.Add("\u2028<>&", "\\\"", math.Copysign(0, -1))
	f.Add("\x00\x1f", "😀", 1e21)
	f.Fuzz(func(t *testing.T, k, v string, n float64) {
		if n != n || n > 1e308 || n < -1e308 {
			return
		}
		one, err := idempotency.Fingerprint(map[string]any{"k" + k: v, "n": n})
		if err != nil {
			t.Fatal(err)
		}
		two, err := idempotency.Fingerprint(map[string]any{"n": n, "k" + k: v})
		if err != nil || one != two {
			t.Fatalf("%s, %s, %v", one, two, err)
		}
		if other, _ := idempotency.Fingerprint(map[string]any{"n": n, "k" + k: v + "x"}); other == one {
			t.Fatal("one letter more made no difference")
		}
	})
}
