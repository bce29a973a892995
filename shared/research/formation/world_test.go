package formation_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// faulty is a store that is down at chosen accesses: before the access, or, when
// late, behind a write that was done.
type faulty struct {
	records.Store
	mu    sync.Mutex
	ops   int
	fails map[int]bool
	late  bool
}

func (f *faulty) hit() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops++
	return f.fails[f.ops]
}

func (f *faulty) Get(ctx context.Context, k records.Key) (records.Item, error) {
	if f.hit() {
		return records.Item{}, records.ErrUnavailable
	}
	return f.Store.Get(ctx, k)
}

func (f *faulty) Query(ctx context.Context, q records.Query) (records.Page, error) {
	if f.hit() {
		return records.Page{}, records.ErrUnavailable
	}
	return f.Store.Query(ctx, q)
}

func (f *faulty) Transact(ctx context.Context, token string, actions ...records.Action) error {
	down := f.hit()
	if down && !f.late {
		return records.ErrUnavailable
	}
	if err := f.Store.Transact(ctx, token, actions...); err != nil {
		return err
	}
	if down {
		return records.ErrUnavailable
	}
	return nil
}

type world struct {
	*researchtest.World
	store *faulty
	s     *formation.Service
	ctx   context.Context
}

func open(t testing.TB) *world {
	t.Helper()
	w := &world{}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store {
		w.store = &faulty{Store: s}
		return w.store
	}})
	w.s = formation.New(formation.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: simulate.NewOffline()})
	w.ctx = w.As(t, "owner", account.Enterprise)
	return w
}

// panel makes an Audience of n Minds whose persona text is what say gives.
func (w *world) panel(t testing.TB, n int, say func(i int) string) audience.Audience {
	t.Helper()
	var ids []string
	for i := range n {
		c, err := w.Minds.Create(w.ctx, mind.CreateRequest{Name: fmt.Sprintf("Mind %03d", i), Mode: mind.ModeManual, PersonaContext: say(i)})
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, c.Mind.ID)
	}
	made, err := w.Audiences.Create(w.ctx, audience.CreateRequest{Name: "Panel", MindIDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	return made.Audience
}

// allocated gives the members of an Audience cells: gender in turn, income in
// thirds.
func (w *world) allocated(t testing.TB, a audience.Audience) audience.Audience {
	t.Helper()
	c := audience.Cohort{Axes: []audience.CohortAxis{{Name: "Gender", Dimension: "gender", Segments: []string{"Woman", "Man"}}, {Name: "Household income", Dimension: "income", Segments: []string{"Low", "Middle", "High"}}, {Name: "Country", Dimension: "geography", Segments: []string{"Germany"}}}}
	for i, id := range a.MemberIDs {
		c.Members = append(c.Members, audience.CohortMember{MindID: id, Index: i, Segments: []int16{int16(i % 2), int16(i % 3), 0}, Weight: 1})
	}
	ref, err := w.Audiences.PutCohort(w.ctx, a.Workspace, c)
	if err != nil {
		t.Fatal(err)
	}
	if a, err = w.Audiences.Change(w.ctx, a.ID, func(a *audience.Audience) error { a.Cohort = ref; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	return a
}

// run takes every started build to its end, as the machine does.
func (w *world) run(t testing.TB) {
	t.Helper()
	for _, s := range w.Engine.Take() {
		if s.Machine != formation.Machine {
			continue
		}
		if err := w.build(t, s); err != nil {
			t.Fatal(err)
		}
	}
}

func (w *world) build(t testing.TB, s researchtest.Started) error {
	var j formation.Job
	if err := json.Unmarshal(s.Input, &j); err != nil {
		t.Fatal(err)
	}
	ctx := account.With(t.Context(), account.Principal{Account: j.Account, Workspace: j.Workspace, Scopes: []string{"*"}, Method: "internal"})
	for tries := 0; ; {
		done, err := w.s.Build(ctx, j)
		switch {
		case errors.Is(err, records.ErrUnavailable) || errors.Is(err, records.ErrConflict):
			if tries++; tries > 50 {
				return err
			}
		case err != nil || done:
			return err
		}
	}
}

func (w *world) create(t testing.TB, a audience.Audience, h formation.Hypothesis) formation.Started {
	t.Helper()
	f, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Hypothesis: h})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (w *world) get(t testing.TB, a audience.Audience, id string) formation.Detail {
	t.Helper()
	d, err := w.s.Get(w.ctx, a.ID, id)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func split(labels ...string) formation.Hypothesis {
	h := formation.Hypothesis{Intent: "By what they are"}
	for i, l := range labels {
		h.Subgroups = append(h.Subgroups, formation.Bucket{ID: fmt.Sprint("b", i), Label: l, Definition: l})
	}
	return h
}

func sizes(d formation.Detail) map[string]int {
	out := map[string]int{}
	for _, b := range d.Subgroups {
		out[b.Label] = len(b.Memberships)
	}
	return out
}
