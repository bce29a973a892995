package idempotency_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
)

func leased(window time.Duration) idempotency.Call {
	return must(idempotency.Keyed(scope, "lease", args{Name: "Ada"}, window))
}

// M-90: a crashed holder's lease lets the next caller resume the same result id,
// never a new one; not a millisecond before it ends.
func TestM90CrashedHolderIsResumed(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(24*time.Hour)
	dead := must(h.table.Begin(ctx, call, "first"))
	if dead.Outcome != idempotency.Fresh || dead.ResultID != "first" {
		t.Fatalf("claim %+v", dead)
	}
	h.clock.Advance(idempotency.LeaseTime - time.Millisecond)
	_, err := h.table.Begin(ctx, call, "second")
	f := h.wantCode(err, fault.IdempotencyInProgress)
	if id, ok := idempotency.Running(err); !ok || id != "first" || f.Data["leaseSeconds"] != 1 {
		t.Fatalf("in progress: %+v", f)
	}
	h.clock.Advance(time.Millisecond)
	next := must(h.table.Begin(ctx, call, "second"))
	if next.Outcome != idempotency.Resumed || next.ResultID != "first" {
		t.Fatalf("claim %+v", next)
	}
	// The old holder, should it still live, has lost its right.
	for _, err := range []error{h.table.Heartbeat(ctx, dead), h.table.Complete(ctx, dead, "stale"), h.table.Abandon(ctx, dead)} {
		if !errors.Is(err, idempotency.ErrLeaseLost) {
			t.Fatalf("error %v", err)
		}
	}
	if err := h.table.Forget(ctx, dead); err != nil {
		t.Fatal(err)
	}
	if err := h.table.Complete(ctx, next, "first-result"); err != nil {
		t.Fatal(err)
	}
	if err := h.table.Complete(ctx, next, "again"); err != nil {
		t.Fatal(err)
	}
	if err := h.table.Forget(ctx, next); err != nil { // what is done stays
		t.Fatal(err)
	}
	last := must(h.table.Begin(ctx, call, "third"))
	if last.Outcome != idempotency.Replayed || last.ResultID != "first-result" {
		t.Fatalf("claim %+v", last)
	}
	if h.table.Heartbeat(ctx, last) == nil {
		t.Fatal("a replay has a lease")
	}
}

func TestHeartbeatKeepsTheLease(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(24*time.Hour)
	c := must(h.table.Begin(ctx, call, "first"))
	for range 5 {
		h.clock.Advance(idempotency.LeaseTime - time.Second)
		if err := h.table.Heartbeat(ctx, c); err != nil {
			t.Fatal(err)
		}
	}
	_, err := h.table.Begin(ctx, call, "second")
	h.wantCode(err, fault.IdempotencyInProgress)
}

func TestAbandonAndForget(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(24*time.Hour)
	c := must(h.table.Begin(ctx, call, "first"))
	if err := h.table.Abandon(ctx, c); err != nil {
		t.Fatal(err)
	}
	if err := h.table.Complete(ctx, c, "x"); !errors.Is(err, idempotency.ErrLeaseLost) {
		t.Fatalf("error %v", err)
	}
	c = must(h.table.Begin(ctx, call, "second"))
	if c.Outcome != idempotency.Resumed || c.ResultID != "first" {
		t.Fatalf("claim %+v", c)
	}
	if err := h.table.Forget(ctx, c); err != nil {
		t.Fatal(err)
	}
	c = must(h.table.Begin(ctx, call, "third"))
	if c.Outcome != idempotency.Fresh || c.ResultID != "third" {
		t.Fatalf("claim %+v", c)
	}
}

// A lease of a run that is over is free at once; of a living one, also on the
// same machine, it is not.
func TestLeaseOfAnEarlierBoot(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(24*time.Hour)
	must(h.boot("boot-1", nil).Begin(ctx, call, "first"))
	ended := map[string]bool{}
	two := h.boot("boot-2", func(id string) bool { return ended[id] })
	_, err := two.Begin(ctx, call, "second")
	h.wantCode(err, fault.IdempotencyInProgress)
	ended["boot-1"] = true
	c := must(two.Begin(ctx, call, "second"))
	if c.Outcome != idempotency.Resumed || c.ResultID != "first" {
		t.Fatalf("claim %+v", c)
	}
	// Another host knows nothing of runs: only time frees the lease.
	ended["boot-2"] = true
	_, err = h.table.Begin(ctx, call, "third")
	h.wantCode(err, fault.IdempotencyInProgress)
}

// Work that outlives its own window ends well; an equal call is new work by then.
func TestWindowEndsUnderWork(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(10*time.Second)
	one := must(h.table.Begin(ctx, call, "one"))
	h.clock.Advance(10 * time.Second)
	two := must(h.table.Begin(ctx, call, "two"))
	if two.Outcome != idempotency.Fresh || two.ResultID != "two" {
		t.Fatalf("claim %+v", two)
	}
	for _, err := range []error{h.table.Heartbeat(ctx, one), h.table.Complete(ctx, one, "one")} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := h.table.Complete(ctx, two, "two"); err != nil {
		t.Fatal(err)
	}
	if c := must(h.table.Begin(ctx, call, "three")); c.Outcome != idempotency.Replayed || c.ResultID != "two" {
		t.Fatalf("claim %+v", c)
	}
}

// M-90: of 200 at once one works; the others hear that it does, and its id.
func TestM90LeaseTogether(t *testing.T) {
	h := newHouse(t)
	const n = 200
	run := func(outcome idempotency.Outcome, want string) {
		t.Helper()
		var won, busy atomic.Int64
		errs := make([]error, n)
		together(n, func(i int) {
			c, err := h.table.Begin(t.Context(), leased(time.Hour), fmt.Sprint("id-", i))
			switch id, running := idempotency.Running(err); {
			case err == nil && c.Outcome == outcome && (want == "" || c.ResultID == want):
				won.Add(1)
			case running && (want == "" || id == want):
				busy.Add(1)
			default:
				errs[i] = fmt.Errorf("%+v, %w", c, err)
			}
		})
		if err := errors.Join(errs...); err != nil || won.Load() != 1 || busy.Load() != n-1 {
			t.Fatalf("%d won, %d heard of it: %v", won.Load(), busy.Load(), err)
		}
	}
	run(idempotency.Fresh, "")
	_, err := h.table.Begin(t.Context(), leased(time.Hour), "x")
	id, _ := idempotency.Running(err)
	h.clock.Advance(idempotency.LeaseTime)
	run(idempotency.Resumed, id) // all find the dead one's lease: one takes it over
}

func TestRun(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(time.Hour)
	var seen []idempotency.Claim
	run := func(newID string, ref string, err error) (idempotency.Result, error) {
		return h.table.Run(ctx, call, newID, func(_ context.Context, c idempotency.Claim) (string, error) {
			seen = append(seen, c)
			return ref, err
		})
	}
	no := fault.New(fault.PlanLimit, "no")
	if _, err := run("a", "", idempotency.Refused(no)); err != error(no) {
		t.Fatalf("error %v, want the refusal as it was", err)
	}
	boom := errors.New("boom")
	if _, err := run("b", "", boom); err != boom {
		t.Fatalf("error %v", err)
	}
	if r, err := run("c", "result", nil); err != nil || r.Ref != "result" || r.Replayed || r.Key != "lease" {
		t.Fatalf("%+v, %v", r, err)
	}
	if r, err := run("d", "other", nil); err != nil || r.Ref != "result" || !r.Replayed {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, c := range seen {
		got = append(got, fmt.Sprint(c.Outcome, c.ResultID))
	}
	// The refused call left nothing, the broken one its id.
	if want := "[1a 1b 2b]"; fmt.Sprint(got) != want {
		t.Fatalf("claims %v, want %s", got, want)
	}
}

// Run prolongs its lease while it works, and its context ends when it gets lost.
func TestRunHoldsAndLosesTheLease(t *testing.T) {
	h := newHouse(t)
	ctx, call := t.Context(), leased(idempotency.Forever)
	working := make(chan struct{})
	finished := make(chan error)
	go func() {
		_, err := h.table.Run(ctx, call, "first", func(ctx context.Context, _ idempotency.Claim) (string, error) {
			close(working)
			<-ctx.Done()
			return "", context.Cause(ctx)
		})
		finished <- err
	}()
	<-working
	// beats moves the clock while the holder waits for its next beat; done when
	// it has stopped waiting for good.
	beats := func(step time.Duration) (done bool, err error) {
		t.Helper()
		for h.clock.Waiting() == 0 {
			select {
			case err := <-finished:
				return true, err
			case <-ctx.Done():
				t.Fatal("the holder does not wait for its next beat")
			default:
			}
		}
		h.clock.Advance(step)
		return false, nil
	}
	for range 20 { // five leases long
		if done, err := beats(idempotency.LeaseTime / 4); done {
			t.Fatalf("ended early: %v", err)
		}
	}
	// It hangs for the length of a lease, and somebody takes over, unless its
	// late beat comes first: then once more.
	for {
		if done, err := beats(idempotency.LeaseTime); done {
			t.Fatalf("ended early: %v", err)
		}
		c, err := h.table.Begin(ctx, call, "third")
		if fault.Is(err, fault.IdempotencyInProgress) {
			continue
		}
		if err != nil || c.ResultID != "first" || c.Outcome != idempotency.Resumed {
			t.Fatalf("%+v, %v", c, err)
		}
		break
	}
	for {
		if done, err := beats(time.Second); done {
			if !errors.Is(err, idempotency.ErrLeaseLost) {
				t.Fatalf("error %v", err)
			}
			return
		}
	}
}
