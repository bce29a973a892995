package run_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// cutting is a store that is cut off at one access: before it is done, or after, so
// that its answer is lost.
type cutting struct {
	records.Store
	mu      sync.Mutex
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

func (c *cutting) Put(ctx context.Context, it records.Item, conds ...records.Cond) (out records.Item, err error) {
	err = c.cut(func() error { out, err = c.Store.Put(ctx, it, conds...); return err })
	return out, err
}

func (c *cutting) Query(ctx context.Context, q records.Query) (page records.Page, err error) {
	err = c.cut(func() error { page, err = c.Store.Query(ctx, q); return err })
	return page, err
}

// A run may be cut off at every single access to the store, before and after it:
// started anew in another process, it ends the same, nobody whose answer is stored is
// asked twice, and what was charged is what was answered (M-73, M-81).
func TestRunCutOffAnywhere_M81(t *testing.T) {
	if testing.Short() {
		t.Skip("goes through every access")
	}
	c := &cutting{}
	w := open(t, setting{minds: 4, wrap: func(s records.Store) records.Store { c.Store = s; return c }})
	place := map[string]int{}
	for i, m := range w.minds {
		place[m.ID] = i
	}
	w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) {
		if place[r.ID] == 3 {
			return simulate.Answer{}, errors.New("no") // so that there is something to give back
		}
		return picks(q, place[r.ID]%2), nil
	}
	items := []run.Item{
		choice("a", "A?", "Yes", "No"),
		when(choice("b", "B?", "Yes", "No"), "a", []string{"Yes"}, nil),
		when(choice("c", "C?", "Yes", "No"), "b", []string{"No"}, nil), // nobody
	}
	want := ""
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			when := fmt.Sprintf("cut off at access %d, after it: %v", at, after)
			c.at = 0
			w.runs = run.New(w.deps)
			before := w.left()
			d := w.draft(items...)
			c.ops, c.at, c.after = 0, at, after
			req := run.StartRequest{StudyID: w.study, DraftID: d, Revision: 1, Confirmed: true}
			s, err := w.runs.Start(w.ctx, req)
			if err != nil {
				if !errors.Is(err, records.ErrUnavailable) {
					// The meter may be what cannot be reached.
					t.Logf("%s: %v", when, err)
				}
				if s, err = w.runs.Start(w.ctx, req); err != nil {
					t.Fatalf("%s: %v", when, err)
				}
			}
			in := run.JobInput{Job: s.RunID, Workspace: account.From(w.ctx).Workspace, Account: account.From(w.ctx).Account, Study: w.study}
			w.Engine.Take()
			tries := 0
			for ; tries < 3; tries++ {
				if err = carry(w.ctx, run.New(w.deps), in); err == nil {
					break
				}
			}
			if err != nil {
				t.Fatalf("%s: %v", when, err)
			}
			reached := c.ops >= at
			c.at = 0
			r := w.get(s.RunID)
			raw, err := json.Marshal([]any{r.Status, r.Progress, bases(r), r.MethodStages})
			w.must(err)
			if want == "" {
				want = string(raw)
			}
			if string(raw) != want {
				t.Fatalf("%s:\n%s\n%s", when, raw, want)
			}
			if charged := before - w.left(); charged != 3+2 {
				t.Fatalf("%s: %d charged", when, charged)
			}
			events, _, err := w.runs.Events(w.ctx, s.RunID, 0, 500)
			w.must(err)
			for i, e := range events {
				if e.Sequence != i+1 {
					t.Fatalf("%s: event %d has sequence %d", when, i, e.Sequence)
				}
			}
			if !reached {
				break
			}
			if at > 300 {
				t.Fatal("more accesses than were tried")
			}
		}
	}
	if _, failed, err := w.Jobs.Sweep(w.ctx, nil); failed != 0 || err != nil {
		t.Error(failed, err)
	}
}

func bases(r run.StudyRun) []any {
	var out []any
	for _, a := range r.Artifacts {
		out = append(out, a.Base, a.Counts, a.Routing != nil)
	}
	return out
}
