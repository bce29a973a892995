package mind_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func owned(t *testing.T, w *researchtest.World, ctx context.Context) int64 {
	t.Helper()
	n, err := w.Accounts.Owned(ctx, account.Minds)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// openJobs counts the jobs that a sweep would still start.
func openJobs(t *testing.T, w *researchtest.World) int {
	t.Helper()
	w.Clock.Advance(jobs.Grace + time.Second)
	n, _, err := w.Jobs.Sweep(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestADeletedMindIsGoneAtOnce_M1(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := clone("Ada")
	r.LinkSharing = true
	m, stays := trained(t, w, ctx, r), trained(t, w, ctx, clone("Eve"))
	a, err := w.Audiences.Create(ctx, audience.CreateRequest{Name: "Both", MindIDs: []string{m.ID, stays.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Minds.Delete(ctx, strings.ToUpper(m.ID)); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Minds.Get(ctx, m.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("read after its deletion: %v", err)
	}
	if _, err := w.Minds.Shared(t.Context(), m.PublicShareID); !fault.Is(err, fault.NotFound) {
		t.Errorf("by its link: %v", err)
	}
	if rows, total, err := w.Minds.List(ctx, 20, 0); err != nil || total != 1 || len(rows) != 1 || rows[0].ID != stays.ID {
		t.Errorf("the list: %v, %d, %v", rows, total, err)
	}
	if err := w.Minds.Delete(ctx, m.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleted again: %v", err)
	}
	for range 2 { // the clean-up may run twice
		if left := w.Engine.Take(); len(left) == 1 {
			for range 2 {
				if err := w.Step(t.Context(), left[0]); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	d, err := w.Audiences.Detail(ctx, a.Audience.ID)
	if err != nil || d.MindCount != 1 || len(d.Minds) != 1 || d.Minds[0].ID != stays.ID {
		t.Errorf("the Audience counts %d: %+v, %v", d.MindCount, d.Minds, err)
	}
	if _, err := w.Blobs.Stat(ctx, m.Portrait.PNG); !errors.Is(err, blobs.ErrNotFound) {
		t.Errorf("its portrait: %v", err)
	}
	if left, err := w.Minds.Left(ctx, []string{m.ID}); err != nil || len(left) != 0 {
		t.Errorf("left to clean up: %v, %v", left, err)
	}
	if n := openJobs(t, w); n != 0 {
		t.Errorf("%d jobs are still open", n)
	}
}

// Somebody else's Mind does not exist, also for deletion (never 403).
func TestOnlyOnesOwnMindsAreDeleted_M3(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	m := trained(t, w, ctx, clone("Ada"))
	if err := w.Minds.Delete(other, m.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("%v", err)
	}
	p := account.From(ctx)
	p.Account = "another member"
	if err := w.Minds.Delete(account.With(ctx, p), m.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("of the same workspace: %v", err)
	}
	if _, err := w.Minds.Get(ctx, m.ID); err != nil || len(w.Engine.Take()) != 0 {
		t.Errorf("it is gone: %v", err)
	}
}

func TestDeleteManyHasIndependentOutcomes(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	foreign := trained(t, w, w.As(t, "other", account.Team), clone("Foreign")).ID
	var ids []string
	for i := range 97 {
		ids = append(ids, create(t, w, ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %d", i), Mode: "manual"}).Mind.ID)
	}
	asked := append([]string{foreign, key}, append(ids, ids[0])...)
	out, err := w.Minds.DeleteMany(ctx, asked)
	if err != nil || len(out) != 100 {
		t.Fatalf("%d outcomes, %v", len(out), err)
	}
	for i, o := range out {
		want := mind.Outcome{MindID: asked[i], Deleted: i >= 2 && i < 99}
		if !want.Deleted {
			want.Error = "not_found"
		}
		if o != want {
			t.Errorf("%d: %+v", i, o)
		}
	}
	if n := owned(t, w, ctx); n != 0 {
		t.Errorf("%d Minds are still counted", n)
	}
	w.Run(t)
	if n := openJobs(t, w); n != 0 {
		t.Errorf("%d jobs are still open", n)
	}
	again, err := w.Minds.DeleteMany(ctx, ids[:3])
	if err != nil || again[0].Deleted || again[2].Error != "not_found" {
		t.Errorf("again: %+v, %v", again, err)
	}
	for name, ids := range map[string][]string{"none": nil, "101": append(asked, key), "no id": {"x"}} {
		if _, err := w.Minds.DeleteMany(ctx, ids); !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A Mind that is deleted while it trains: every later step ends quietly, and
// nothing of it is written again.
func TestDeletedWhileItTrains(t *testing.T) {
	for name, at := range map[string]int{"queued": 0, "collected": 1, "settled, no portrait yet": 2} {
		t.Run(name, func(t *testing.T) {
			w := researchtest.New(t)
			ctx := w.As(t, "lab", account.Team)
			c := create(t, w, ctx, clone("Ada")).Mind
			training := w.Engine.Take()[0]
			steps := []func() error{
				func() error { _, err := w.Training.Collect(ctx, c.ID, training.Name); return err },
				func() error { return w.Training.Prompt(ctx, c.ID, training.Name) },
			}
			for _, step := range steps[:at] {
				if err := step(); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Minds.Delete(ctx, c.ID); err != nil {
				t.Fatal(err)
			}
			w.Run(t)
			if err := w.Step(t.Context(), training); err != nil {
				t.Errorf("the training: %v", err)
			}
			if err := w.Training.Fail(ctx, c.ID, training.Name, mind.InternalFailure); err != nil {
				t.Errorf("its failure: %v", err)
			}
			if n := openJobs(t, w); n != 0 {
				t.Errorf("%d jobs are still open", n)
			}
			page, err := w.Store.Query(ctx, records.Query{PK: account.WorkspacePrefix(c.Workspace) + "mind#" + c.ID})
			if err != nil || len(page.Items) != 0 {
				t.Errorf("rows of it: %v, %v", page.Items, err)
			}
		})
	}
}

// cutting fails every write from the n-th on.
type cutting struct {
	records.Store
	mu   sync.Mutex
	left int
}

func (c *cutting) cut() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left == 0 {
		return records.ErrUnavailable
	}
	c.left--
	return nil
}

func (c *cutting) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if err := c.cut(); err != nil {
		return err
	}
	return c.Store.Transact(ctx, token, actions...)
}

func (c *cutting) Delete(ctx context.Context, k records.Key, conds ...records.Cond) error {
	if err := c.cut(); err != nil {
		return err
	}
	return c.Store.Delete(ctx, k, conds...)
}

// Wherever a deletion is cut off, what is gone is cleaned up by the sweeper, what
// is there is whole, and the allowance counts what is there.
func TestADeletionCutOffAnywhereIsEndedLater(t *testing.T) {
	for writes := range 12 {
		var cut *cutting
		w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store {
			cut = &cutting{Store: s, left: -1}
			return cut
		}})
		ctx := w.As(t, "lab", account.Team)
		ids := []string{trained(t, w, ctx, clone("Ada")).ID, trained(t, w, ctx, clone("Eve")).ID}
		cut.left = writes
		out, err := w.Minds.DeleteMany(ctx, ids)
		for _, s := range w.Engine.Take() {
			_ = w.Step(t.Context(), s)
		}
		cut.left = -1 // the store is back
		expired := map[string]func(context.Context, jobs.Job) error{mind.DeleteMachine: w.Training.ExpireDelete}
		w.Clock.Advance(mind.DeleteTime + time.Second)
		if _, _, err := w.Jobs.Sweep(t.Context(), expired); err != nil {
			t.Fatalf("after %d writes: the sweep: %v", writes, err)
		}
		there := 0
		for i, id := range ids {
			_, getErr := w.Minds.Get(ctx, id)
			if getErr == nil {
				there++
			}
			if err == nil && out[i].Deleted == (getErr == nil) {
				t.Errorf("after %d writes: outcome %+v, and reading gives %v", writes, out[i], getErr)
			}
		}
		if n := owned(t, w, ctx); n != int64(there) {
			t.Errorf("after %d writes: %d Minds are there and %d are counted", writes, there, n)
		}
		if left, err := w.Minds.Left(ctx, ids); err != nil || len(left) != 0 {
			t.Errorf("after %d writes: left to clean up: %v, %v", writes, left, err)
		}
		if n := openJobs(t, w); n != 0 {
			t.Errorf("after %d writes: %d jobs are still open", writes, n)
		}
	}
}

// A rebuild that the store cannot take is refused as such, and nothing is left of it.
func TestARebuildThatCannotBeQueued(t *testing.T) {
	var cut *cutting
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store {
		cut = &cutting{Store: s, left: -1}
		return cut
	}})
	ctx := w.As(t, "lab", account.Team)
	m := trained(t, w, ctx, clone("Ada"))
	cut.left = 0
	_, err := w.Minds.RegenerateEmbeddings(ctx, m.ID)
	if f := fault.From(err); f.Code != fault.QueueUnavailable || !f.Retryable() {
		t.Errorf("%v", err)
	}
	cut.left = -1
	if after, err := w.Minds.Get(ctx, m.ID); err != nil || after.Rebuilding != nil || len(w.Engine.Take()) != 0 {
		t.Errorf("%+v, %v", after.Rebuilding, err)
	}
	// An engine that is away loses nothing: the job waits for the sweeper.
	w.Engine.Down = errors.New("away")
	if _, err := w.Minds.RegenerateEmbeddings(ctx, m.ID); err != nil {
		t.Error(err)
	}
	w.Engine.Down = nil
	if n := openJobs(t, w); n != 1 {
		t.Errorf("%d jobs wait", n)
	}
}
