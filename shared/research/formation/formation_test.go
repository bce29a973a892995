package formation_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

func none(int) string { return "" }

// M-159: a bucket that is a segment takes its members from the cohort, sure of
// it; every member is in exactly one bucket.
func TestSortedByCohort(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 12, none))
	f := w.create(t, a, split("Woman", "Man"))
	if f.Status != formation.Building || f.Name != "By what they are" {
		t.Fatalf("%+v", f)
	}
	d := w.get(t, a, f.ID)
	if d.Status != formation.Building || d.Progress == nil || d.Progress.Phase != formation.Classify || d.Progress.Total != 12 || len(d.Subgroups) != 0 {
		t.Errorf("while it builds: %+v", d)
	}
	w.run(t)
	d = w.get(t, a, f.ID)
	if d.Status != formation.Ready || d.Progress != nil || !maps.Equal(sizes(d), map[string]int{"Woman": 6, "Man": 6}) {
		t.Fatalf("%+v", d)
	}
	for _, b := range d.Subgroups {
		for _, m := range b.Memberships {
			if m.Confidence == nil || *m.Confidence != 1 {
				t.Errorf("%+v", m)
			}
		}
	}
	// Other words for a segment, and its definition in the form of a proposal.
	h := split("Women", "Others")
	h.Subgroups[1].Definition = "Members whose Gender is Man."
	w.Clock.Advance(time.Second)
	g := w.create(t, a, h)
	w.run(t)
	if d := w.get(t, a, g.ID); !maps.Equal(sizes(d), map[string]int{"Women": 6, "Others": 6}) {
		t.Errorf("%v", sizes(d))
	}
	p, err := w.s.List(w.ctx, a.ID, 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	if p.Total != 2 || len(p.Rows) != 1 || p.Rows[0].ID != f.ID || p.Rows[0].Subgroups[0].Count.Memberships != 6 || p.Next() != nil {
		t.Errorf("newest first, one page on: %+v", p)
	}
}

// M-159: without a cohort the profile's own fields decide, then its words, then
// the answer; nobody is lost.
func TestSortedByProfile(t *testing.T) {
	w := open(t)
	a := w.panel(t, 9, func(i int) string {
		switch {
		case i < 4:
			return fmt.Sprintf("Age: %d\nGender: Female", 20+i)
		case i < 6:
			return "I cycle to work every day and love my bicycle."
		}
		return ""
	})
	h := formation.Hypothesis{Intent: "By age and habits", Subgroups: []formation.Bucket{
		{ID: "young", Label: "18-24", Definition: "Members whose Age is 18-24."},
		{ID: "cyclists", Label: "Cyclists", Definition: "People who cycle to work by bicycle"},
	}}
	f := w.create(t, a, h)
	w.run(t)
	d := w.get(t, a, f.ID)
	if got := sizes(d); d.Status != formation.Ready || got["18-24"] != 4 || got["Cyclists"] != 2 || got["Other"] != 3 {
		t.Fatalf("%s %v", d.Status, got)
	}
	last := d.Subgroups[2]
	if !last.IsAuxiliary || last.Definition != nil || last.Position != 2 {
		t.Errorf("the rest is last and auxiliary: %+v", last)
	}
	for _, m := range d.Subgroups[1].Memberships {
		if m.Confidence == nil || *m.Confidence < .35 || *m.Confidence > 1 {
			t.Errorf("confidence is the score: %+v", m)
		}
	}
}

// M-153: a person's split that parts nobody has failed, with a text that is safe.
func TestFewerThanTwoPopulated(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	f := w.create(t, a, split("Woman", "Astronaut"))
	w.run(t)
	d := w.get(t, a, f.ID)
	if d.Status != formation.Failed || d.Progress == nil || d.Progress.FailureReason != "fewer than two populated subgroups" || len(d.Subgroups) != 0 {
		t.Errorf("%+v %+v", d, d.Progress)
	}
}

// M-153, M-154: what create refuses.
func TestRefusedCreates(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	long := split("a", "b")
	long.Subgroups[0].Definition = strings.Repeat("x", 2001)
	blank := split("a", "b")
	blank.Subgroups[1].Definition = " \t"
	same := split("a", "b")
	same.Subgroups[1].ID = " b0 "
	taken := split("a", "b")
	taken.Subgroups[0].ID = " __other "
	many := split(strings.Split(strings.Repeat("x,", 15)+"x", ",")...)
	for name, h := range map[string]formation.Hypothesis{"one bucket": split("a"), "16 buckets": many, "labels in another case": split("Yes", " yES "), "long": long, "blank": blank, "ids after trimming": same, "reserved": taken, "no intent": {Subgroups: split("a", "b").Subgroups}} {
		if _, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Hypothesis: h}); !fault.Is(err, fault.InvalidHypothesis) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Name: strings.Repeat("n", 201), Hypothesis: split("a", "b")}); !fault.Is(err, fault.Validation) {
		t.Errorf("a long name: %v", err)
	}
	// An Audience without members, and one with too many.
	if _, err := w.Audiences.Change(w.ctx, a.ID, func(a *audience.Audience) error { a.MemberIDs = nil; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Hypothesis: split("a", "b")}); !fault.Is(err, fault.InvalidHypothesis) {
		t.Errorf("no members: %v", err)
	}
	crowd := make([]string, 1001)
	for i := range crowd {
		crowd[i] = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	}
	if _, err := w.Audiences.Change(w.ctx, a.ID, func(a *audience.Audience) error { a.MemberIDs = crowd; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Hypothesis: split("a", "b")}); !fault.Is(err, fault.FormationCap) {
		t.Errorf("1,001 members: %v", err)
	}
}

// Equal creates within 60 seconds are one; at 60 s and 1 ms they are two; any
// other letter is another.
func TestEqualCreatesAreOne(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	first := w.create(t, a, split("Woman", "Man"))
	w.Clock.Advance(59*time.Second + 999*time.Millisecond)
	if again := w.create(t, a, split(" Woman ", "Man")); again.ID != first.ID {
		t.Error("trimmed alike, but two")
	}
	if other := w.create(t, a, split("Woman", "Man!")); other.ID == first.ID {
		t.Error("another label, but one")
	}
	w.Clock.Advance(2 * time.Millisecond)
	if later := w.create(t, a, split("Woman", "Man")); later.ID == first.ID {
		t.Error("after a minute still one")
	}
}

// M-150: the first page of the owner makes the defaults once, for ever.
func TestDefaultsAreSeededOnce(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 12, func(i int) string { return fmt.Sprintf("Age: %d", 20+5*i) }))
	page := func() formation.Page {
		t.Helper()
		p, err := w.s.List(w.ctx, a.ID, 100, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	p := page()
	keys := map[string]string{}
	for _, r := range p.Rows {
		keys[*r.DimensionKey] = r.ID
		if r.Source != formation.Auto || r.Visibility != formation.Shared || !r.CanMutate || r.Status != formation.Building {
			t.Errorf("%+v", r)
		}
	}
	if p.Total != 3 || keys["age"] == "" || keys["gender"] == "" || keys["grounding:Gender"] != "" || keys["grounding:Household income"] == "" {
		t.Fatalf("seeded %v", keys)
	}
	w.run(t)
	if again := page(); again.Total != 3 {
		t.Errorf("seeded again: %d", again.Total)
	}
	age := w.get(t, a, keys["age"])
	if got := sizes(age); age.Status != formation.Ready || got["18-24"] != 1 || got["25-34"] != 2 || got["65+"] != 3 {
		t.Errorf("%s %v", age.Status, got)
	}
	if got := sizes(w.get(t, a, keys["grounding:Household income"])); !maps.Equal(got, map[string]int{"Low": 4, "Middle": 4, "High": 4}) {
		t.Errorf("incomes %v", got)
	}
	if err := w.s.Delete(w.ctx, a.ID, keys["age"]); err != nil {
		t.Fatal(err)
	}
	if again := page(); again.Total != 2 {
		t.Errorf("a deleted default came back: %d", again.Total)
	}
	if len(w.Engine.Take()) != 0 {
		t.Error("something was started for it")
	}
}

// M-152: a page past the end is empty with the full total; limits are held.
func TestPages(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	for i := range 5 {
		w.create(t, a, split("Woman", fmt.Sprint("Man ", i)))
	}
	var ids []string
	for offset := 0; ; {
		p, err := w.s.List(w.ctx, a.ID, 2, offset)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range p.Rows {
			ids = append(ids, r.ID)
		}
		next := p.Next()
		if next == nil {
			if p.Total != len(ids) {
				t.Errorf("%d of %d", len(ids), p.Total)
			}
			break
		}
		offset = *next
	}
	p, err := w.s.List(w.ctx, a.ID, 100, 500)
	if err != nil || p.Total != len(ids) || len(p.Rows) != 0 || p.Next() != nil {
		t.Errorf("past the end: %+v %v", p, err)
	}
	for _, bad := range [][2]int{{0, 0}, {101, 0}, {10, -1}} {
		if _, err := w.s.List(w.ctx, a.ID, bad[0], bad[1]); !fault.Is(err, fault.Validation) {
			t.Errorf("limit %d, offset %d: %v", bad[0], bad[1], err)
		}
	}
}

// M-155: recompute keeps the last set readable until the new one is whole, joins
// a build that runs, and sorts the members of now.
func TestRecompute(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 6, none))
	f := w.create(t, a, split("Woman", "Man"))
	w.run(t)
	before := w.get(t, a, f.ID)
	gone := a.MemberIDs[0]
	if _, err := w.Audiences.Change(w.ctx, a.ID, func(a *audience.Audience) error { a.MemberIDs = a.MemberIDs[1:]; return nil }, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second one joins
		r, err := w.s.Recompute(w.ctx, a.ID, f.ID)
		if err != nil || r.ID != f.ID || r.Status != formation.Building {
			t.Fatalf("%+v %v", r, err)
		}
	}
	d := w.get(t, a, f.ID)
	if d.Status != formation.Building || !maps.Equal(sizes(d), sizes(before)) {
		t.Errorf("meanwhile: %s %v", d.Status, sizes(d))
	}
	started := w.Engine.Take()
	if len(started) != 1 {
		t.Fatalf("%d builds", len(started))
	}
	if err := w.build(t, started[0]); err != nil {
		t.Fatal(err)
	}
	d = w.get(t, a, f.ID)
	if d.Status != formation.Ready || !maps.Equal(sizes(d), map[string]int{"Woman": 2, "Man": 3}) {
		t.Errorf("%s %v", d.Status, sizes(d))
	}
	for i, b := range d.Subgroups {
		if b.ID != before.Subgroups[i].ID {
			t.Error("a bucket changed its id")
		}
		for _, m := range b.Memberships {
			if m.MindID == gone {
				t.Error("who left is still sorted")
			}
		}
	}
}

// A Formation that is missing, deleted, of another Audience or another tenant is
// one and the same NOT_FOUND.
func TestNotFound(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	b := w.panel(t, 2, none)
	f := w.create(t, a, split("Woman", "Man"))
	other := w.As(t, "stranger", account.Team)
	for name, do := range map[string]func() error{
		"missing": func() error {
			_, err := w.s.Get(w.ctx, a.ID, "00000000-0000-4000-8000-000000000000")
			return err
		},
		"of another Audience": func() error { _, err := w.s.Get(w.ctx, b.ID, f.ID); return err },
		"another tenant":      func() error { _, err := w.s.Get(other, a.ID, f.ID); return err },
		"list of another":     func() error { _, err := w.s.List(other, a.ID, 100, 0); return err },
		"create in another": func() error {
			_, err := w.s.Create(other, formation.CreateRequest{AudienceID: a.ID, Hypothesis: split("a", "b")})
			return err
		},
		"delete of another":  func() error { return w.s.Delete(other, a.ID, f.ID) },
		"preview of another": func() error { _, err := w.s.Preview(other, formation.PreviewRequest{AudienceID: a.ID}); return err },
		"recompute":          func() error { _, err := w.s.Recompute(other, a.ID, f.ID); return err },
	} {
		var got *fault.Error
		if err := do(); !errors.As(err, &got) || got.Code != fault.NotFound || got.Message != "Formation not found" {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Deleting what builds stops the build: its job finds nothing to do.
	if err := w.s.Delete(w.ctx, a.ID, f.ID); err != nil {
		t.Fatal(err)
	}
	w.run(t)
	if _, err := w.s.Get(w.ctx, a.ID, f.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("a deleted one: %v", err)
	}
	if err := w.s.Delete(w.ctx, a.ID, f.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("deleted twice: %v", err)
	}
}

// M-151: the first page takes up builds that nobody has worked on for ten
// minutes; one that cannot be read keeps neither the others nor the list.
func TestStalledBuildsAreTakenUp(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	if _, err := w.s.List(w.ctx, a.ID, 100, 0); err != nil { // the defaults
		t.Fatal(err)
	}
	w.run(t)
	f := w.create(t, a, split("Woman", "Man"))
	first := w.Engine.Take()
	list := func() {
		t.Helper()
		if _, err := w.s.List(w.ctx, a.ID, 100, 0); err != nil {
			t.Fatal(err)
		}
	}
	w.Clock.Advance(9 * time.Minute)
	list()
	if n := len(w.Engine.Take()); n != 0 {
		t.Errorf("%d taken up too early", n)
	}
	broken := records.Item{Key: records.Key{PK: account.WorkspacePrefix(a.Workspace) + "audience#" + a.ID + "#building", SK: "2000-01-01T00:00:00.000Z#00000000-0000-4000-8000-000000000009"}, Body: []byte("{}")}
	if err := w.Store.Transact(t.Context(), "", records.PutItem(broken)); err != nil {
		t.Fatal(err)
	}
	w.Clock.Advance(2 * time.Minute)
	list()
	second := w.Engine.Take()
	if len(second) != 1 || second[0].Name == first[0].Name {
		t.Fatalf("taken up: %+v", second)
	}
	if err := w.build(t, first[0]); err != nil { // the old execution wakes up: it is not its build any more
		t.Fatal(err)
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Building {
		t.Errorf("the old execution settled it: %s", d.Status)
	}
	if err := w.build(t, second[0]); err != nil {
		t.Fatal(err)
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Ready {
		t.Errorf("%s", d.Status)
	}
	// After half an hour in all there is no more to try.
	g := w.create(t, a, split("Woman", "Man "+"x"))
	w.Engine.Take()
	w.Clock.Advance(31 * time.Minute)
	list()
	if d := w.get(t, a, g.ID); d.Status != formation.Failed || d.Progress.FailureReason != "the build took too long" {
		t.Errorf("%s %+v", d.Status, d.Progress)
	}
}

// The sweeper ends a build that is past its deadline, and a machine that gave up
// ends its own.
func TestFailedBuilds(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 4, none))
	f := w.create(t, a, split("Woman", "Man"))
	started := w.Engine.Take()[0]
	if err := w.s.Fail(w.ctx, formation.Job{Job: started.Name, Workspace: a.Workspace, Account: a.Owner, Formation: f.ID}, false); err != nil {
		t.Fatal(err)
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Failed || d.Progress.FailureReason != "the build could not be completed" {
		t.Errorf("%s %+v", d.Status, d.Progress)
	}
	if err := w.build(t, started); err != nil {
		t.Fatal(err)
	}
	if r, err := w.s.Recompute(w.ctx, a.ID, f.ID); err != nil || r.Status != formation.Building {
		t.Fatalf("a failed one is sorted again: %+v %v", r, err)
	}
	w.Engine.Take()
	w.Clock.Advance(31 * time.Minute)
	if _, failed, err := w.Jobs.Sweep(w.ctx, map[string]func(context.Context, jobs.Job) error{formation.Machine: w.s.Expire}); err != nil || failed != 1 {
		t.Fatalf("swept %d: %v", failed, err)
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Failed || d.Progress.FailureReason != "the build took too long" {
		t.Errorf("%s %+v", d.Status, d.Progress)
	}
}

// A build may be cut off at every access to the store, before it or behind its
// write: repeated, it comes to the end that it has undisturbed, and leaves
// nothing behind.
func TestBuildCutOffAnywhere(t *testing.T) {
	want := map[string]int{"Woman": 30, "Man": 30}
	for _, late := range []bool{false, true} {
		for at := 1; at < 80; at++ {
			w := open(t)
			a := w.allocated(t, w.panel(t, 60, none))
			f := w.create(t, a, split("Woman", "Man"))
			started := w.Engine.Take()[0]
			w.store.ops, w.store.fails, w.store.late = 0, map[int]bool{at: true}, late
			if err := w.build(t, started); err != nil {
				t.Fatalf("cut off at access %d: %v", at, err)
			}
			ops := w.store.ops
			w.store.fails = nil
			if d := w.get(t, a, f.ID); d.Status != formation.Ready || !maps.Equal(sizes(d), want) {
				t.Fatalf("cut off at access %d: %s %v", at, d.Status, sizes(d))
			}
			if left := w.left(t, a); left != "" {
				t.Fatalf("cut off at access %d: %s is left", at, left)
			}
			if at > ops {
				break
			}
		}
	}
}

// Creating, seeding and deleting, cut off anywhere and repeated, make one and
// leave none.
func TestCallsCutOffAnywhere(t *testing.T) {
	for at := 1; at < 60; at++ {
		w := open(t)
		a := w.allocated(t, w.panel(t, 4, none))
		w.store.ops, w.store.fails, w.store.late = 0, map[int]bool{at: true}, at%2 == 0
		again := func(do func() error) {
			t.Helper()
			for range 10 {
				if err := do(); !errors.Is(err, records.ErrUnavailable) {
					if err != nil && !fault.Is(err, fault.NotFound) {
						t.Fatalf("cut off at access %d: %v", at, err)
					}
					return
				}
			}
		}
		var f formation.Started
		again(func() (err error) {
			f, err = w.s.Create(w.ctx, formation.CreateRequest{AudienceID: a.ID, Hypothesis: split("Woman", "Man")})
			return err
		})
		again(func() error { _, err := w.s.List(w.ctx, a.ID, 100, 0); return err })
		again(func() error { return w.s.Delete(w.ctx, a.ID, f.ID) })
		ops := w.store.ops
		w.store.fails = nil
		w.Clock.Advance(31 * time.Second)
		if _, _, err := w.Jobs.Sweep(w.ctx, nil); err != nil { // what was committed and not started
			t.Fatal(err)
		}
		w.run(t)
		p, err := w.s.List(w.ctx, a.ID, 100, 0)
		if err != nil || p.Total != 3 {
			t.Fatalf("cut off at access %d: %d rows, %v", at, p.Total, err)
		}
		if left := w.left(t, a); left != "" {
			t.Fatalf("cut off at access %d: %s is left", at, left)
		}
		if at > ops {
			return
		}
	}
	t.Error("more accesses than were tried")
}

// left names what a finished build must not leave.
func (w *world) left(t *testing.T, a audience.Audience) string {
	t.Helper()
	page, err := w.Store.Query(t.Context(), records.Query{PK: account.WorkspacePrefix(a.Workspace) + "audience#" + a.ID + "#building", Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Items) > 0 {
		return page.Items[0].SK
	}
	w.Clock.Advance(time.Hour)
	if n, _, _ := w.Jobs.Sweep(w.ctx, nil); n > 0 {
		return "a job"
	}
	for _, s := range w.Engine.Take() {
		if s.Machine == formation.Machine {
			return "job " + s.Name
		}
	}
	return ""
}

// Two runs of one task at once come to one result.
func TestTwoRunsOfOneBuild(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 60, none))
	f := w.create(t, a, split("Woman", "Man"))
	started := w.Engine.Take()[0]
	errs := make(chan error, 3)
	for range cap(errs) {
		go func(s researchtest.Started) { errs <- w.build(t, s) }(started)
	}
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Ready || !maps.Equal(sizes(d), map[string]int{"Woman": 30, "Man": 30}) {
		t.Errorf("%s %v", d.Status, sizes(d))
	}
}

// M-156, M-158: proposals without a model.
func TestPreview(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 60, none))
	ask := func(input string) (formation.Preview, error) {
		return w.s.Preview(w.ctx, formation.PreviewRequest{AudienceID: a.ID, UserInput: input})
	}
	for input, first := range map[string]string{"by gender please": "Woman", "How do rich and poor differ, by what they earn (income)?": "Low", "men and women, then income": "Woman", "Income before gender": "Low", "nach Einkommen": "Low", "": "Woman"} {
		p, err := ask(input)
		if err != nil {
			t.Errorf("%q: %v", input, err)
			continue
		}
		if p.Hypothesis.Subgroups[0].Label != first || p.Phase != "hypothesizing" || p.MemberCount != 60 || !p.SoftWarn || p.HardCapExceeded {
			t.Errorf("%q: %+v", input, p)
		}
	}
	p, _ := ask("income")
	if b := p.Hypothesis.Subgroups[1]; b.ID != "middle" || b.Definition != "Members whose Household income is Middle." {
		t.Errorf("%+v", b)
	}
	if _, err := ask(strings.Repeat("ü", 2001)); !fault.Is(err, fault.Validation) {
		t.Errorf("2,001 characters: %v", err)
	}
	if _, err := ask(strings.Repeat(" ", 3000)); err != nil {
		t.Errorf("blanks are trimmed first: %v", err)
	}
	// A prior split is reworked by what is named, and by nothing else.
	rework := func(input string) []string {
		t.Helper()
		q, err := w.s.Preview(w.ctx, formation.PreviewRequest{AudienceID: a.ID, UserInput: input, PriorHypothesis: &p.Hypothesis})
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, b := range q.Hypothesis.Subgroups {
			out = append(out, b.Label)
		}
		return out
	}
	if got := fmt.Sprint(rework("merge low and middle")); got != "[Low / Middle High]" {
		t.Error(got)
	}
	if got := fmt.Sprint(rework("drop high")); got != "[Low Middle]" {
		t.Error(got)
	}
	if got := fmt.Sprint(rework("make it nicer")); got != "[Low Middle High]" {
		t.Error(got)
	}
	if _, err := w.s.Preview(w.ctx, formation.PreviewRequest{AudienceID: a.ID, UserInput: "merge low, middle and high", PriorHypothesis: &p.Hypothesis}); !fault.Is(err, fault.PreviewFailed) {
		t.Errorf("one bucket: %v", err)
	}
	// What is merged is sorted as both.
	q, err := w.s.Preview(w.ctx, formation.PreviewRequest{AudienceID: a.ID, UserInput: "combine Low and Middle", PriorHypothesis: &p.Hypothesis})
	if err != nil {
		t.Fatal(err)
	}
	f := w.create(t, a, q.Hypothesis)
	w.run(t)
	if got := sizes(w.get(t, a, f.ID)); got["Low / Middle"] != 40 || got["High"] != 20 {
		t.Errorf("%v", got)
	}
	// Nothing stored: only what was created here.
	list, err := w.s.List(w.ctx, a.ID, 100, 1)
	if err != nil || list.Total != 1 {
		t.Errorf("%d stored, %v", list.Total, err)
	}
	// Nobody is known to differ.
	plain := w.panel(t, 3, none)
	if _, err := w.s.Preview(w.ctx, formation.PreviewRequest{AudienceID: plain.ID}); !fault.Is(err, fault.PreviewFailed) {
		t.Errorf("nothing to split by: %v", err)
	}
}

// A thousand members are sorted in bounded pieces.
func TestThousandMembers(t *testing.T) {
	if testing.Short() {
		t.Skip()
	}
	w := open(t)
	a := w.panel(t, 2, none)
	crowd := make([]string, 1000)
	for i := range crowd {
		crowd[i] = fmt.Sprintf("00000000-0000-4000-8000-%012d", i)
	}
	a, err := w.Audiences.Change(w.ctx, a.ID, func(a *audience.Audience) error { a.MemberIDs = append(a.MemberIDs, crowd[2:]...); return nil }, nil)
	if err != nil {
		t.Fatal(err)
	}
	a = w.allocated(t, a)
	f := w.create(t, a, split("Woman", "Man"))
	w.run(t)
	d := w.get(t, a, f.ID)
	total := 0
	for _, n := range sizes(d) {
		total += n
	}
	if d.Status != formation.Ready || total != 1000 {
		t.Errorf("%s, %d sorted: %v", d.Status, total, sizes(d))
	}
}

// Members who join while a build runs are sorted by it, each once.
func TestJoinedWhileItIsBuilt(t *testing.T) {
	w := open(t)
	a := w.allocated(t, w.panel(t, 6, none))
	all := a.MemberIDs
	shorter := func(n int) func(*audience.Audience) error {
		return func(a *audience.Audience) error { a.MemberIDs = all[:n]; return nil }
	}
	if _, err := w.Audiences.Change(w.ctx, a.ID, shorter(4), nil); err != nil {
		t.Fatal(err)
	}
	f := w.create(t, a, split("Woman", "Man"))
	started := w.Engine.Take()[0]
	for range 3 { // open, classify, reconcile
		if _, err := w.s.Build(w.ctx, formation.Job{Job: started.Name, Workspace: a.Workspace, Account: a.Owner, Formation: f.ID}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Audiences.Change(w.ctx, a.ID, shorter(6), nil); err != nil {
		t.Fatal(err)
	}
	if err := w.build(t, started); err != nil {
		t.Fatal(err)
	}
	if d := w.get(t, a, f.ID); d.Status != formation.Ready || !maps.Equal(sizes(d), map[string]int{"Woman": 3, "Man": 3}) {
		t.Errorf("%s %v", d.Status, sizes(d))
	}
}

// M-157, M-150: who only sees what is public makes no defaults, and makes
// Formations that nobody else sees.
func TestViewersAreOnTheirOwn(t *testing.T) {
	w := open(t)
	a := w.panel(t, 6, func(i int) string { return []string{"Gender: Female", "Gender: Male"}[i%2] })
	open := true
	if _, err := w.Audiences.Update(w.ctx, a.ID, audience.Patch{IsPublic: &open}); err != nil {
		t.Fatal(err)
	}
	viewer := w.As(t, "viewer", account.Team)
	list := func(ctx context.Context) formation.Page {
		t.Helper()
		p, err := w.s.List(ctx, a.ID, 100, 0)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := list(viewer); p.Total != 0 {
		t.Errorf("a viewer made %d defaults", p.Total)
	}
	p, err := w.s.Preview(viewer, formation.PreviewRequest{AudienceID: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	f, err := w.s.Create(viewer, formation.CreateRequest{AudienceID: a.ID, Hypothesis: p.Hypothesis})
	if err != nil {
		t.Fatal(err)
	}
	w.run(t)
	d, err := w.s.Get(viewer, a.ID, f.ID)
	if err != nil || d.Status != formation.Ready || d.Visibility != formation.Private || !d.CanMutate || !maps.Equal(sizes(d), map[string]int{"Female": 3, "Male": 3}) {
		t.Fatalf("%+v %v", d, err)
	}
	if _, err := w.s.Get(w.ctx, a.ID, f.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the owner sees a private one: %v", err)
	}
	if p := list(w.ctx); p.Total != 2 { // age and gender
		t.Errorf("the owner sees %d", p.Total)
	}
	w.run(t)
	seen := list(viewer)
	if seen.Total != 3 {
		t.Fatalf("the viewer sees %d", seen.Total)
	}
	for _, r := range seen.Rows {
		if r.CanMutate != (r.ID == f.ID) {
			t.Errorf("%s may be changed: %v", r.Name, r.CanMutate)
		}
		if r.ID != f.ID {
			if err := w.s.Delete(viewer, a.ID, r.ID); !fault.Is(err, fault.NotFound) {
				t.Errorf("a viewer deletes %s: %v", r.Name, err)
			}
		}
	}
}
