package audience_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// expect checks what a lease call says.
func expect(t *testing.T, what string, want bool) func(bool, error) {
	return func(got bool, err error) {
		t.Helper()
		if got != want || err != nil {
			t.Errorf("%s: %v, %v; want %v", what, got, err, want)
		}
	}
}

// M-45: many runs at once; a change waits for them, goes before new runs, and
// holds the Audience alone.
func TestLeases_M45(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := w.Audiences
	expect(t, "a run", true)(a.Share(ctx, "A", "run1"))
	expect(t, "another run", true)(a.Share(ctx, "A", "run2"))
	expect(t, "the first again", true)(a.Share(ctx, "A", "run1"))
	expect(t, "a change meets runs", false)(a.Acquire(ctx, "A", "change1"))
	expect(t, "a new run meets a waiting change", false)(a.Share(ctx, "A", "run3"))
	expect(t, "a run that holds", true)(a.Share(ctx, "A", "run2"))
	expect(t, "another change", false)(a.Acquire(ctx, "A", "change2"))
	for range 2 { // releasing twice changes nothing
		if err := a.Release(ctx, "A", "run1"); err != nil {
			t.Fatal(err)
		}
	}
	expect(t, "one run is left", false)(a.Acquire(ctx, "A", "change1"))
	if err := a.Release(ctx, "A", "run2"); err != nil {
		t.Fatal(err)
	}
	expect(t, "no run is left", true)(a.Acquire(ctx, "A", "change1"))
	expect(t, "the change again", true)(a.Acquire(ctx, "A", "change1"))
	expect(t, "it beats", true)(a.Beat(ctx, "A", "change1"))
	expect(t, "a run meets a change", false)(a.Share(ctx, "A", "run3"))
	expect(t, "elsewhere", true)(a.Share(ctx, "B", "run3"))
	if err := a.Release(ctx, "A", "change1"); err != nil {
		t.Fatal(err)
	}
	expect(t, "the run that waited", true)(a.Share(ctx, "A", "run3"))
	other := w.As(t, "other", account.Team)
	expect(t, "another tenant's Audience of the same id", true)(a.Acquire(other, "A", "x"))
}

// M-45: a lease ends five minutes after its last heartbeat, of a run and of a
// change alike.
func TestLeasesExpire_M45(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := w.Audiences
	expect(t, "a run", true)(a.Share(ctx, "A", "run1"))
	w.Clock.Advance(4 * time.Minute)
	expect(t, "it beats", true)(a.Beat(ctx, "A", "run1"))
	w.Clock.Advance(4 * time.Minute)
	expect(t, "held by its heartbeat", false)(a.Acquire(ctx, "A", "change"))
	w.Clock.Advance(time.Minute)
	expect(t, "the run is gone", true)(a.Acquire(ctx, "A", "change"))
	expect(t, "its beat tells it so", false)(a.Beat(ctx, "A", "run1"))
	w.Clock.Advance(audience.LeaseLife - time.Second)
	expect(t, "a change holds", false)(a.Share(ctx, "A", "run2"))
	w.Clock.Advance(time.Second)
	expect(t, "the change is gone", true)(a.Share(ctx, "A", "run2"))
	// A change that waits and dies does not keep runs out either.
	expect(t, "waits", false)(a.Acquire(ctx, "A", "dead"))
	w.Clock.Advance(4 * time.Minute)
	expect(t, "the run beats", true)(a.Beat(ctx, "A", "run2"))
	w.Clock.Advance(time.Minute)
	expect(t, "the wait is over", true)(a.Share(ctx, "A", "run3"))
}

// Several Audiences are taken whole or not at all.
func TestLeasesOfSeveral_M45(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := w.Audiences
	expect(t, "a change", true)(a.Acquire(ctx, "B", "change"))
	expect(t, "a run of both", false)(a.ShareAll(ctx, []string{"A", "B"}, "run"))
	expect(t, "A was let go", true)(a.Acquire(ctx, "A", "other"))
	expect(t, "a change of both", false)(a.AcquireAll(ctx, []string{"B", "A"}, "change"))
	expect(t, "it still holds B", false)(a.Share(ctx, "B", "run"))
	if err := a.Release(ctx, "A", "other"); err != nil {
		t.Fatal(err)
	}
	expect(t, "a change of both", true)(a.AcquireAll(ctx, []string{"B", "A"}, "change"))
}

// Under contention a change is never alone with a run.
func TestLeasesAtOnce_M45(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := w.Audiences
	var runs, changes atomic.Int64
	var g sync.WaitGroup
	for i := range 12 {
		g.Go(func() {
			holder, take, inside := fmt.Sprintf("run%d", i), a.Share, &runs
			if i%4 == 0 {
				holder, take, inside = fmt.Sprintf("change%d", i), a.Acquire, &changes
			}
			for done := 0; done < 4; {
				ok, err := take(ctx, "A", holder)
				if err != nil {
					t.Error(err)
					return
				}
				if !ok {
					continue
				}
				n := inside.Add(1)
				if inside == &changes && (n > 1 || runs.Load() > 0) || inside == &runs && changes.Load() > 0 {
					t.Errorf("%d changes, %d runs at once", changes.Load(), runs.Load())
				}
				inside.Add(-1)
				if err := a.Release(context.WithoutCancel(ctx), "A", holder); err != nil {
					t.Error(err)
				}
				done++
			}
		})
	}
	g.Wait()
}
