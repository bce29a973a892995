package audience_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// panels makes an Audience of three Minds, of which the last is in another one too.
func panels(t testing.TB, w *researchtest.World, ctx context.Context) (doomed, other audience.Audience, ids []string) {
	t.Helper()
	ids = minds(t, w, ctx, "Age: 30", "Age: 40", "Age: 50")
	w.Run(t)
	a, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Panel", MindIDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	b, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Other", MindIDs: ids[2:]})
	if err != nil {
		t.Fatal(err)
	}
	return a.Audience, b.Audience, ids
}

// buried checks that of a deleted Audience nothing is left but the Mind that is in
// another.
func buried(t testing.TB, w *researchtest.World, ctx context.Context, a, other audience.Audience, ids []string, when string) {
	t.Helper()
	if _, err := w.Audiences.Detail(ctx, a.ID); !fault.Is(err, fault.NotFound) {
		t.Fatalf("%s: %v", when, err)
	}
	rows, total, err := w.Audiences.List(ctx, 20, 0, true)
	if err != nil || total != 1 || len(rows) != 1 || rows[0].ID != other.ID || rows[0].MindCount != 1 {
		t.Fatalf("%s: %+v of %d, %v", when, rows, total, err)
	}
	left, all, err := w.Minds.List(ctx, 20, 0)
	room, _ := w.Accounts.Room(ctx, account.Minds)
	if err != nil || all != 1 || len(left) != 1 || left[0].ID != ids[2] || *room != 199 {
		t.Fatalf("%s: %d Minds of %d, room for %d, %v", when, len(left), all, *room, err)
	}
	if started, failed, err := w.Jobs.Sweep(ctx, nil); started+failed != 0 || err != nil {
		t.Fatalf("%s: %d jobs are still open, %v", when, started+failed, err)
	}
	page, err := w.Store.Query(ctx, records.Query{PK: "w#" + a.Workspace + "#audience#" + a.ID})
	if err != nil || len(page.Items) != 0 {
		t.Fatalf("%s: %d rows are left, %v", when, len(page.Items), err)
	}
}

// all runs whatever was started or left queued until nothing is.
func all(t testing.TB, w *researchtest.World, ctx context.Context) {
	t.Helper()
	for range 20 {
		jobs := w.Engine.Take()
		if len(jobs) == 0 {
			w.Clock.Advance(time.Minute)
			if started, _, err := w.Jobs.Sweep(ctx, nil); err != nil {
				t.Fatal(err)
			} else if started == 0 {
				return
			}
			continue
		}
		for _, j := range jobs {
			repeat(t, func() error { return w.Step(ctx, j) })
		}
	}
	t.Fatal("there is always more to do")
}

// A deletion may be cut off at every single access to the store: repeated, the
// Audience is gone with the Minds that are in no other (M-1).
func TestDeletionCutOffAnywhere_M1(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 300 {
				t.Fatal("more accesses than were tried")
			}
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			w, c, ctx := cut(t)
			a, other, ids := panels(t, w, ctx)
			c.ops, c.at, c.after = 0, at, after
			for {
				err := w.Audiences.Delete(ctx, a.ID)
				if err == nil || fault.Is(err, fault.NotFound) { // committed, and the answer lost
					break
				}
				if !errors.Is(err, records.ErrUnavailable) {
					t.Fatal(err)
				}
			}
			for _, j := range w.Engine.Take() {
				repeat(t, func() error { return w.Step(ctx, j) })
			}
			ops := c.ops
			c.at = 0
			all(t, w, ctx)
			buried(t, w, ctx, a, other, ids, when)
			if at > ops {
				break
			}
		}
	}
}

// Whoever asks an Audience while it is deleted finishes with its Minds: they go when
// the run has settled, or its lease has ended.
func TestADeletionWaitsForRuns_M45(t *testing.T) {
	w, _, ctx := cut(t)
	a, other, ids := panels(t, w, ctx)
	if ok, err := w.Audiences.Share(ctx, a.ID, "run"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if err := w.Audiences.Delete(ctx, a.ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Audiences.Delete(ctx, a.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("twice: %v", err)
	}
	p := account.From(ctx)
	started := w.Engine.Take()[0]
	job := audience.DeleteJob{Job: started.Name, Workspace: p.Workspace, Account: p.Account, Audience: a.ID}
	for range 3 {
		if c, err := w.Audiences.Clear(ctx, job); err != nil || c.Done || !c.Wait {
			t.Fatalf("%+v, %v", c, err)
		}
		if _, err := w.Audiences.Beat(ctx, a.ID, "run"); err != nil {
			t.Fatal(err)
		}
		w.Clock.Advance(2 * time.Minute)
	}
	if found, err := w.Minds.GetMany(ctx, ids); err != nil || len(found) != 3 {
		t.Fatalf("%d Minds, %v", len(found), err)
	}
	if err := w.Audiences.Release(ctx, a.ID, "run"); err != nil {
		t.Fatal(err)
	}
	if err := w.Step(ctx, started); err != nil {
		t.Fatal(err)
	}
	all(t, w, ctx)
	buried(t, w, ctx, a, other, ids, "after the run")
}

// An Audience may be deleted while it is made: what was made of it goes too, and
// the allowance is as before.
func TestDeletedWhileItIsMade_M1_M56(t *testing.T) {
	w, _, ctx := cut(t)
	op := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", MemberCount: killed})
	p := account.From(ctx)
	started := w.Engine.Take()[0]
	j := audience.CreationJob{Job: started.Name, Workspace: p.Workspace, Account: p.Account, Operation: op.Operation.JobID}
	for done := false; !done; {
		var err error
		if done, err = w.Audiences.ReadMaterial(ctx, j); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Audiences.Compose(ctx, j); err != nil {
		t.Fatal(err)
	}
	rows, _, err := w.Audiences.List(ctx, 20, 0, false)
	if err != nil || len(rows) != 1 || rows[0].State != audience.Creating {
		t.Fatal(rows, err)
	}
	if err := w.Audiences.Delete(ctx, rows[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := w.Step(ctx, started); err != nil { // the creation goes on, and finds it gone
		t.Fatal(err)
	}
	all(t, w, ctx)
	_, audiences, _ := w.Audiences.List(ctx, 20, 0, false)
	left, total, err := w.Minds.List(ctx, 20, 0)
	room, _ := w.Accounts.Room(ctx, account.Minds)
	if err != nil || audiences != 0 || len(left) != 0 || total != 0 || *room != 200 {
		t.Errorf("%d Audiences, %d Minds of %d, room for %d, %v", audiences, len(left), total, *room, err)
	}
}
