package audience_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// cutting is a store that is cut off at one access: before it is done, or after,
// so that its answer is lost.
type cutting struct {
	records.Store
	mu      sync.Mutex // a sweep reads its jobs at once
	ops, at int
	after   bool
}

func (c *cutting) cut(do func() error) error {
	c.mu.Lock()
	c.ops++
	hit, after := c.ops == c.at, c.after
	c.mu.Unlock()
	if !hit {
		return do()
	}
	if after {
		if err := do(); err != nil {
			return err
		}
	}
	return records.ErrUnavailable
}

func (c *cutting) Transact(ctx context.Context, token string, actions ...records.Action) error {
	return c.cut(func() error { return c.Store.Transact(ctx, token, actions...) })
}

func (c *cutting) Get(ctx context.Context, k records.Key) (it records.Item, err error) {
	err = c.cut(func() error { it, err = c.Store.Get(ctx, k); return err })
	return it, err
}

func (c *cutting) BatchGet(ctx context.Context, keys []records.Key) (items []records.Item, err error) {
	err = c.cut(func() error { items, err = c.Store.BatchGet(ctx, keys); return err })
	return items, err
}

func cut(t testing.TB) (*researchtest.World, *cutting, context.Context) {
	c := &cutting{}
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store { c.Store = s; return c }})
	return w, c, w.As(t, "lab", account.Premium)
}

// repeat does again what failed because the store was down, as a machine or a
// caller does.
func repeat(t testing.TB, do func() error) {
	t.Helper()
	for range 20 {
		err := do()
		if err == nil {
			return
		}
		if !errors.Is(err, records.ErrUnavailable) && !errors.Is(err, records.ErrConflict) {
			t.Fatal(err)
		}
	}
	t.Fatal("it never ends")
}

// whole checks that there is one Audience of n members, and nothing besides.
func whole(t testing.TB, w *researchtest.World, ctx context.Context, job string, n int, when string) {
	t.Helper()
	out, err := w.Audiences.Outcome(ctx, job)
	if err != nil || out.Audience == nil || out.Audience.MindCount != n || out.Audience.State != audience.Ready {
		t.Fatalf("%s: %+v %+v, %v", when, out.Operation, out.Audience, err)
	}
	rows, total, err := w.Audiences.List(ctx, 20, 0, false)
	if err != nil || total != 1 || len(rows) != 1 || rows[0].ID != out.Audience.ID {
		t.Fatalf("%s: %d Audiences of %d, %v", when, len(rows), total, err)
	}
	minds, all, err := w.Minds.List(ctx, 100, 0)
	room, _ := w.Accounts.Room(ctx, account.Minds)
	if err != nil || all != n || len(minds) != n || *room != int64(200-n) {
		t.Fatalf("%s: %d Minds listed, %d counted, room for %d, %v", when, len(minds), all, *room, err)
	}
	seen := map[int64]bool{}
	for _, m := range out.Audience.Minds {
		x, err := w.Minds.Get(ctx, m.ID)
		if err != nil || seen[x.Slot] || !x.ReadyToChat() || x.AudienceID != out.Audience.ID {
			t.Fatalf("%s: member %+v, %v", when, x, err)
		}
		seen[x.Slot] = true
	}
}

const killed = 7 // members, so that one chunk is enough; 30 make two

// A creation may be cut off at every single access to the store, before and after
// it: repeated, it ends with one Audience, whole (M-55, M-56).
func TestCreationCutOffAnywhere_M55(t *testing.T) {
	n := killed
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 200 {
				t.Fatal("more accesses than were tried")
			}
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			w, c, ctx := cut(t)
			r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: n}
			c.ops, c.at, c.after = 0, at, after
			var a audience.Admitted
			repeat(t, func() (err error) { a, err = w.Audiences.FromBrief(ctx, r); return err })
			started := w.Engine.Take()
			if len(started) == 0 { // committed, and the answer lost: the sweeper starts it
				w.Clock.Advance(time.Minute)
				repeat(t, func() error { _, _, err := w.Jobs.Sweep(ctx, nil); return err })
				started = w.Engine.Take()
			}
			if len(started) != 1 {
				t.Fatalf("%s: %d jobs", when, len(started))
			}
			repeat(t, func() error { return w.Step(ctx, started[0]) })
			ops := c.ops
			c.at = 0
			whole(t, w, ctx, a.Operation.JobID, n, when)
			if at > ops {
				break
			}
		}
	}
}

// An execution that gives up at any access leaves the operation failed, with what
// was not made given back; the same arguments take it up and end with that one
// Audience (M-56).
func TestTheSameArgumentsResumeAFailure_M56(t *testing.T) {
	n := killed
	for at := 1; ; at++ {
		if at > 200 {
			t.Fatal("more accesses than were tried")
		}
		when := fmt.Sprintf("given up at access %d", at)
		w, c, ctx := cut(t)
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: n}
		a := fromBrief(t, w, ctx, r)
		job := w.Engine.Take()[0]
		c.ops, c.at, c.after = 0, at, false
		err := w.Step(ctx, job)
		ops := c.ops
		c.at = 0
		if err == nil {
			whole(t, w, ctx, a.Operation.JobID, n, when)
			if at > ops {
				return
			}
			continue // what was cut off came after the end
		}
		j := audience.CreationJob{Job: job.Name, Workspace: account.From(ctx).Workspace, Account: account.From(ctx).Account, Operation: a.Operation.JobID}
		if err := w.Audiences.FailCreation(ctx, j, false); err != nil {
			t.Fatal(err)
		}
		out, err := w.Audiences.Outcome(ctx, a.Operation.JobID)
		if err != nil {
			t.Fatal(err)
		}
		if out.Operation.Status == audience.OperationCompleted { // only the start of trainings was left
			whole(t, w, ctx, a.Operation.JobID, n, when)
			continue
		}
		rows, _, _ := w.Audiences.List(ctx, 20, 0, true)
		made := 0
		if len(rows) == 1 {
			if rows[0].State != audience.Failed {
				t.Fatalf("%s: the Audience is %s", when, rows[0].State)
			}
			made = rows[0].MindCount
		}
		if room, _ := w.Accounts.Room(ctx, account.Minds); out.Operation.Error == nil || !out.Operation.Error.Retryable || *room != int64(200-made) {
			t.Fatalf("%s: %+v, room for %d with %d made", when, out.Operation, *room, made)
		}
		again := fromBrief(t, w, ctx, r)
		if again.Operation.JobID != a.Operation.JobID {
			t.Fatalf("%s: another operation", when)
		}
		for _, next := range w.Engine.Take() {
			if err := w.Step(ctx, next); err != nil {
				t.Fatal(err)
			}
		}
		whole(t, w, ctx, a.Operation.JobID, n, when)
	}
}

// Chunks: a creation of many members that is cut off between them goes on where it
// was, and makes nobody twice.
func TestManyMembersCutOff(t *testing.T) {
	for _, at := range []int{25, 30, 35, 40, 45, 50} {
		w, c, ctx := cut(t)
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 20, Mode: allocate.Balanced}
		a := fromBrief(t, w, ctx, r)
		job := w.Engine.Take()[0]
		c.ops, c.at, c.after = 0, at, true
		repeat(t, func() error { return w.Step(ctx, job) })
		c.at = 0
		whole(t, w, ctx, a.Operation.JobID, 20, fmt.Sprint("at ", at))
	}
}

// Fifty equal calls at once are one operation and one Audience.
func TestEqualCallsAtOnce_M90(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Premium)
	r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: killed}
	jobs := make(chan string, 50)
	for range 50 {
		go func() {
			a, err := w.Audiences.FromBrief(ctx, r)
			if err != nil {
				t.Error(err)
			}
			jobs <- a.Operation.JobID
		}()
	}
	first := <-jobs
	for range 49 {
		if other := <-jobs; other != first {
			t.Fatalf("two operations: %s and %s", first, other)
		}
	}
	w.Run(t)
	whole(t, w, ctx, first, killed, "fifty at once")
}
