package formation_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// following is a world whose Formations follow its Audiences.
func following(t testing.TB) *world {
	t.Helper()
	w := &world{}
	w.World = researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Formations: func() audience.Formations { return w.s }})
	w.s = formation.New(formation.Deps{Records: w.Store, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts, Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: simulate.NewOffline()})
	w.ctx = w.As(t, "owner", account.Enterprise)
	return w
}

// everything runs every started job to its end, builds as their machine does.
func (w *world) everything(t testing.TB) {
	t.Helper()
	for range 20 {
		started := w.Engine.Take()
		if len(started) == 0 {
			return
		}
		for _, s := range started {
			var err error
			if s.Machine == formation.Machine {
				err = w.build(t, s)
			} else {
				err = w.Step(t.Context(), s)
			}
			if err != nil {
				t.Fatal(s.Machine, err)
			}
		}
	}
}

// genders makes a Formation by gender of n members in turn, sorted.
func (w *world) genders(t testing.TB, n int) (audience.Audience, string) {
	t.Helper()
	a := w.panel(t, n, func(i int) string { return fmt.Sprintf("Age: %d\nGender: %s", 20+i, []string{"Female", "Male"}[i%2]) })
	made, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Name: "By gender", Hypothesis: formation.Hypothesis{Intent: "gender", Subgroups: []formation.Bucket{
		{ID: "f", Label: "Female", Definition: "Members whose gender is Female."}, {ID: "m", Label: "Male", Definition: "Members whose gender is Male."},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	return a, made.ID
}

// sorted gives the members of each bucket by its label.
func (w *world) sorted(t testing.TB, audienceID, id string) map[string][]string {
	t.Helper()
	d, err := w.s.Get(w.ctx, audienceID, id)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, b := range d.Subgroups {
		for _, m := range b.Memberships {
			out[b.Label] = append(out[b.Label], m.MindID)
		}
	}
	return out
}

func TestWhoLeavesTheAudienceLeavesItsBuckets_M1(t *testing.T) {
	w := following(t)
	a, id := w.genders(t, 6)
	if got := w.sorted(t, a.ID, id); len(got["Female"]) != 3 || len(got["Male"]) != 3 {
		t.Fatal(got)
	}
	if err := w.Audiences.RemoveMember(w.ctx, a.ID, a.MemberIDs[0]); err != nil {
		t.Fatal(err)
	}
	if got := w.sorted(t, a.ID, id); len(got["Female"]) != 2 || slices.Contains(got["Female"], a.MemberIDs[0]) || len(got["Male"]) != 3 {
		t.Errorf("%v", got)
	}
	page, err := w.s.List(w.ctx, a.ID, 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(page.Rows, func(r formation.Summary) bool { return r.ID == id })
	if page.Rows[at].Subgroups[0].Count.Memberships != 2 {
		t.Errorf("%+v", page.Rows[at])
	}
}

func TestWhoJoinsTheAudienceIsSorted(t *testing.T) {
	w := following(t)
	a, id := w.genders(t, 4)
	c, err := w.Minds.Create(w.ctx, mind.CreateRequest{Name: "Late", Mode: mind.ModeManual, PersonaContext: "Age: 50\nGender: Female"})
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(time.Minute)
	if _, err := w.Audiences.AddMembers(w.ctx, a.ID, []string{c.Mind.ID}); err != nil {
		t.Fatal(err)
	}
	if got := w.sorted(t, a.ID, id); len(got["Female"]) != 2 { // what was completed stays readable
		t.Errorf("%v", got)
	}
	w.everything(t)
	if got := w.sorted(t, a.ID, id); len(got["Female"]) != 3 || !slices.Contains(got["Female"], c.Mind.ID) {
		t.Errorf("%v", got)
	}
}

func TestTheEndOfAnAudienceIsThatOfItsFormations(t *testing.T) {
	w := following(t)
	a, id := w.genders(t, 4)
	if _, err := w.s.List(w.ctx, a.ID, 100, 0); err != nil { // seeds two that build
		t.Fatal(err)
	}
	if err := w.Audiences.Delete(w.ctx, a.ID); err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	for _, pk := range []string{"#formations", "#dimensions", "#building"} {
		page, err := w.Store.Query(w.ctx, records.Query{PK: "w#" + a.Workspace + "#audience#" + a.ID + pk})
		if err != nil || len(page.Items) != 0 {
			t.Errorf("%s: %d rows, %v", pk, len(page.Items), err)
		}
	}
	page, err := w.Store.Query(w.ctx, records.Query{PK: "w#" + a.Workspace + "#formation#" + id})
	if err != nil || len(page.Items) != 0 {
		t.Errorf("%d rows, %v", len(page.Items), err)
	}
	w.Clock.Advance(time.Hour)
	if _, failed, err := w.Jobs.Sweep(w.ctx, nil); failed != 0 || err != nil {
		t.Errorf("%d jobs, %v", failed, err)
	}
}

// A copy has the Formations of its original, of its own Minds (M-321).
func TestFormationsAreCopied_M321(t *testing.T) {
	w := following(t)
	a, id := w.genders(t, 4)
	if _, err := w.s.List(w.ctx, a.ID, 100, 0); err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	was, err := w.s.List(w.ctx, a.ID, 100, 0)
	if err != nil {
		t.Fatal(err)
	}
	d, err := w.Audiences.Duplicate(w.ctx, audience.DuplicateRequest{AudienceID: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	got, err := w.Audiences.Get(w.ctx, d.Audience.ID)
	if err != nil || got.State != "" {
		t.Fatal(got.State, err)
	}
	now, err := w.s.List(w.ctx, got.ID, 100, 0)
	if err != nil || now.Total != was.Total || w.Engine.Take() != nil { // nothing is seeded or built anew
		t.Fatalf("%d Formations of %d, %v", now.Total, was.Total, err)
	}
	for i, r := range now.Rows {
		o := was.Rows[i]
		if r.ID == o.ID || r.Name != o.Name || r.Status != formation.Ready || r.Source != o.Source {
			t.Errorf("%+v of %+v", r, o)
		}
		if o.ID != id {
			continue
		}
		split := w.sorted(t, got.ID, r.ID)
		want := map[string][]string{"Female": {got.MemberIDs[0], got.MemberIDs[2]}, "Male": {got.MemberIDs[1], got.MemberIDs[3]}}
		if fmt.Sprint(split) != fmt.Sprint(want) {
			t.Errorf("%v, want %v", split, want)
		}
		if r.Subgroups[0].ID == o.Subgroups[0].ID {
			t.Error("a bucket's id is its own")
		}
	}
}

// A Mind that is deleted leaves the buckets with its Audience (M-1).
func TestADeletedMindLeavesItsBuckets_M1(t *testing.T) {
	w := following(t)
	a, id := w.genders(t, 6)
	if err := w.Minds.Delete(w.ctx, a.MemberIDs[1]); err != nil {
		t.Fatal(err)
	}
	w.everything(t)
	if got := w.sorted(t, a.ID, id); len(got["Male"]) != 2 || slices.Contains(got["Male"], a.MemberIDs[1]) || len(got["Female"]) != 3 {
		t.Errorf("%v", got)
	}
}
