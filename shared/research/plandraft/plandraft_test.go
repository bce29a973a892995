package plandraft_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

type world struct {
	*researchtest.World
	*plandraft.Service
	studies *study.Service
	deps    plandraft.Deps
}

func newWorld(t testing.TB) *world {
	t.Helper()
	w := &world{World: researchtest.New(t)}
	files, err := folder.Open(filepath.Join(t.TempDir(), "blobs"), folder.Options{Clock: w.Clock})
	if err != nil {
		t.Fatal(err)
	}
	w.studies = study.New(study.Deps{Records: w.Store, Blobs: files, Clock: w.Clock, IDs: clock.RandomIDs{}, Accounts: w.Accounts,
		Minds: w.Minds, Audiences: w.Audiences, Jobs: w.Jobs, Respondents: simulate.NewOffline(), PublicURL: "http://127.0.0.1:8080"})
	w.deps = plandraft.Deps{Records: w.Store, Blobs: files, Clock: w.Clock, IDs: clock.RandomIDs{}, Studies: w.studies}
	w.Service = plandraft.New(w.deps)
	return w
}

func (w *world) study(t testing.TB, ctx context.Context, name string) string {
	t.Helper()
	made, err := w.studies.Create(ctx, study.CreateRequest{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return made.Study.ID
}

func (w *world) preview(t testing.TB, ctx context.Context, r plandraft.Request) plandraft.Draft {
	t.Helper()
	d, err := w.Preview(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func code(err error) fault.Code {
	if err == nil {
		return ""
	}
	return fault.From(err).Code
}

const cars = "1. Do you own a car?\n2. If yes, which one?\n3. How happy are you with it? (1-5)"

// M-79: revisions count from 1, each change adds one, and only the latest changes.
func TestRevisions_M79(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyName: "cars", Request: cars})
	if d.Revision != 1 || d.Status != plandraft.Open || d.Replayed || d.ExecutionStarted || d.ConfirmedRunID != nil || len(d.DraftReview.Items()) != 3 {
		t.Fatalf("%+v", d)
	}
	two := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: 1, Refinement: "Make question 3 a 7-point scale"})
	if two.Revision != 2 || two.DraftPlanID != d.DraftPlanID || two.DraftReview.Items()[2].Response.ScaleRange[1] != 7 {
		t.Fatalf("%+v", two)
	}
	_, err := w.Preview(ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: 1, Refinement: "Remove question 3"})
	if f := fault.From(err); code(err) != fault.StaleRevision || f.Data["currentRevision"] != 2 {
		t.Errorf("an old revision: %v", err)
	}
	aim := "Cars and their owners"
	three := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: 2, Edits: &planner.Edits{Objective: &aim}})
	latest := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, LoadLatest: true})
	if three.Revision != 3 || !reflect.DeepEqual(latest, three) {
		t.Errorf("the latest is\n%+v\nand not\n%+v", latest, three)
	}
}

// M-80: modes do not mix.
func TestModes_M80(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars})
	aim := "x"
	one := []planner.Question{{Text: "Why?", Response: planner.Response{Type: planner.Qualitative}}}
	for name, r := range map[string]plandraft.Request{
		"nothing":                {},
		"request and questions":  {Request: "a?", Questions: one},
		"edits and request":      {DraftID: d.DraftPlanID, Revision: 1, Edits: &planner.Edits{Objective: &aim}, Request: "a?"},
		"edits and methods":      {DraftID: d.DraftPlanID, Revision: 1, Edits: &planner.Edits{Objective: &aim}, Methods: []planner.Selection{{MethodID: "nps"}}},
		"edits of no draft":      {Edits: &planner.Edits{Objective: &aim}},
		"refinement, no draft":   {Refinement: "a"},
		"no revision":            {DraftID: d.DraftPlanID, Refinement: "a"},
		"no change":              {DraftID: d.DraftPlanID, Revision: 1},
		"latest with a revision": {DraftID: d.DraftPlanID, Revision: 1, LoadLatest: true},
		"latest of nothing":      {LoadLatest: true},
		"questions, refinement":  {DraftID: d.DraftPlanID, Revision: 1, Questions: one, Refinement: "a"},
	} {
		r.StudyID = id
		if _, err := w.Preview(ctx, r); code(err) != fault.Validation {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// M-90, section 6: the same key or the same arguments give the revision saved then.
func TestRepeatedCallsGiveTheSavedRevision_M91(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	first := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars})
	again := w.preview(t, ctx, plandraft.Request{StudyName: "Cars", Request: cars})
	if !again.Replayed || again.DraftPlanID != first.DraftPlanID {
		t.Errorf("the same arguments: %+v", again)
	}
	fresh := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars, IdempotencyKey: "new"})
	if fresh.Replayed || fresh.DraftPlanID == first.DraftPlanID {
		t.Errorf("a fresh key makes a new plan: %+v", fresh)
	}
	other := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: "Something else?", IdempotencyKey: "new"})
	if !other.Replayed || other.DraftPlanID != fresh.DraftPlanID || len(other.DraftReview.Items()) != 3 {
		t.Errorf("inputs of a repeated key are ignored: %+v", other)
	}
	w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: first.DraftPlanID, Revision: 1, Refinement: "Remove question 3"})
	change := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: first.DraftPlanID, Revision: 1, Refinement: "Remove question 3"})
	if !change.Replayed || change.Revision != 2 {
		t.Errorf("a repeated change: %+v", change)
	}
	elsewhere := w.study(t, ctx, "Boats")
	if d := w.preview(t, ctx, plandraft.Request{StudyID: elsewhere, Request: cars, IdempotencyKey: "new"}); d.Replayed {
		t.Error("a key reached another Study")
	}
}

// M-79: the last 20 revisions and the last 50 drafts are kept.
func TestHistoryIsBounded_M79(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars})
	for n := 1; n <= plandraft.KeptRevisions; n++ {
		aim := fmt.Sprint("aim ", n)
		d = w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: n, Edits: &planner.Edits{Objective: &aim}})
	}
	if d.Revision != plandraft.KeptRevisions+1 {
		t.Fatal(d.Revision)
	}
	if _, err := w.Preview(ctx, plandraft.Request{StudyID: id, Request: cars}); code(err) != fault.NotFound {
		t.Errorf("revision 1 is no longer kept: %v", err)
	}
	for n := range plandraft.KeptDrafts {
		w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars, IdempotencyKey: fmt.Sprint(n)})
	}
	if _, err := w.Preview(ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, LoadLatest: true}); code(err) != fault.NotFound {
		t.Errorf("the oldest of 51 drafts is still there: %v", err)
	}
}

// M-3, M-310: another tenant's drafts do not exist; another account's are refused.
func TestDraftsOfOthers_M3(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars})
	stranger := w.As(t, "other", account.Team)
	_, missing := w.Preview(stranger, plandraft.Request{StudyID: "550e8400-e29b-41d4-a716-446655440000", Request: cars})
	for _, r := range []plandraft.Request{{StudyID: id, Request: cars}, {StudyID: id, DraftID: d.DraftPlanID, LoadLatest: true}} {
		if _, err := w.Preview(stranger, r); code(err) != fault.NotFound || err.Error() != missing.Error() {
			t.Errorf("%v, want %v", err, missing)
		}
	}
	theirs := w.study(t, stranger, "Theirs")
	if _, err := w.Preview(stranger, plandraft.Request{StudyID: theirs, DraftID: d.DraftPlanID, LoadLatest: true}); code(err) != fault.NotFound {
		t.Errorf("a draft of another Study: %v", err)
	}
}

// M-79: one draft confirms one run; then it is closed but can be read.
func TestConfirmedDraftsAreClosed_M79(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars})
	if _, err := w.Confirm(ctx, id, d.DraftPlanID, 2, "run"); code(err) != fault.StaleRevision {
		t.Error(err)
	}
	c, err := w.Confirm(ctx, id, d.DraftPlanID, 1, "run-1")
	if err != nil || !reflect.DeepEqual(c.Plan, d.DraftReview) {
		t.Fatalf("%v\n%+v\n%+v", err, c.Plan, d.DraftReview)
	}
	late, err := w.Confirm(ctx, id, d.DraftPlanID, 1, "run-2")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Store.Transact(ctx, "", c.Actions...); err != nil {
		t.Fatal(err)
	}
	var cancelled *records.CanceledError
	if err := w.Store.Transact(ctx, "", late.Actions...); !errors.As(err, &cancelled) {
		t.Errorf("a draft confirmed twice: %v", err)
	}
	if _, err := w.Preview(ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: 1, Refinement: "Remove question 3"}); code(err) != fault.DraftAlreadyConfirmed {
		t.Error(err)
	}
	got := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, LoadLatest: true})
	if got.Status != plandraft.Confirmed || got.ConfirmedRunID == nil || *got.ConfirmedRunID != "run-1" {
		t.Errorf("%+v", got)
	}
}

// A refused plan saves nothing (M-181).
func TestRefusedPlansSaveNothing_M181(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	bad := []planner.Question{{Text: "Why?", Response: planner.Response{Type: planner.Qualitative}, AskIf: &planner.AskIf{QuestionID: "x", AnswerIn: []string{"Yes"}}}}
	if _, err := w.Preview(ctx, plandraft.Request{StudyID: id, Questions: bad, IdempotencyKey: "k"}); code(err) != fault.InvalidAskIf {
		t.Fatal(err)
	}
	bad[0].AskIf = nil
	if d := w.preview(t, ctx, plandraft.Request{StudyID: id, Questions: bad, IdempotencyKey: "k"}); d.Replayed {
		t.Error("the refused call took the key")
	}
	if _, err := w.Preview(ctx, plandraft.Request{StudyID: id, Request: "a?", Attachments: []planner.Attachment{{URL: "http://10.0.0.1/x.png"}}}); code(err) != fault.UnsafeURL {
		t.Errorf("an address without a guard: %v", err)
	}
}

// Many calls at once: every draft is there, and of equal changes one wins.
func TestCallsAtOnce(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	var wg sync.WaitGroup
	ids, errs := make([]string, 6), make([]error, 6)
	for i := range ids {
		wg.Go(func() {
			d, err := w.Preview(ctx, plandraft.Request{StudyID: id, Request: cars, IdempotencyKey: fmt.Sprint(i)})
			ids[i], errs[i] = d.DraftPlanID, err
		})
	}
	wg.Wait()
	for i := range ids {
		if errs[i] != nil {
			t.Fatal(errs[i])
		}
		w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: ids[i], LoadLatest: true})
	}
	won := make([]error, 4)
	for i := range won {
		wg.Go(func() {
			aim := fmt.Sprint("aim ", i)
			_, won[i] = w.Preview(ctx, plandraft.Request{StudyID: id, DraftID: ids[0], Revision: 1, Edits: &planner.Edits{Objective: &aim}})
		})
	}
	wg.Wait()
	n := 0
	for _, err := range won {
		switch code(err) {
		case "":
			n++
		case fault.StaleRevision:
		default:
			t.Error(err)
		}
	}
	if n != 1 {
		t.Errorf("%d of 4 changes of one revision were saved", n)
	}
}

type breaking struct {
	records.Store
	after bool
}

var errBroken = errors.New("the process ended")

func (b *breaking) Transact(ctx context.Context, token string, a ...records.Action) error {
	if b.after {
		if err := b.Store.Transact(ctx, token, a...); err != nil {
			return err
		}
	}
	return errBroken
}

// Killed before or after its one transaction, a repeated call gives one draft, or
// one revision, and never two.
func TestKilledAtAnyPoint(t *testing.T) {
	for _, after := range []bool{false, true} {
		t.Run(fmt.Sprint("after ", after), func(t *testing.T) {
			w := newWorld(t)
			ctx := w.As(t, "lab", account.Team)
			id := w.study(t, ctx, "Cars")
			deps := w.deps
			deps.Records = &breaking{Store: w.Store, after: after}
			dying := plandraft.New(deps)
			r := plandraft.Request{StudyID: id, Request: cars}
			if _, err := dying.Preview(ctx, r); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			d := w.preview(t, ctx, r)
			if d.Replayed != after || d.Revision != 1 {
				t.Errorf("%+v", d)
			}
			r = plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, Revision: 1, Refinement: "Remove question 3"}
			if _, err := dying.Preview(ctx, r); !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			if got := w.preview(t, ctx, r); got.Replayed != after || got.Revision != 2 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// A stored plan reads back as it was written.
func TestPlansReadBack(t *testing.T) {
	w := newWorld(t)
	ctx := w.As(t, "lab", account.Team)
	id := w.study(t, ctx, "Cars")
	d := w.preview(t, ctx, plandraft.Request{StudyID: id, Request: cars + "\nKano for these features: Dark mode; Voice search"})
	got := w.preview(t, ctx, plandraft.Request{StudyID: id, DraftID: d.DraftPlanID, LoadLatest: true})
	a, _ := json.Marshal(d)
	b, _ := json.Marshal(got)
	if string(a) != string(b) {
		t.Errorf("\n%s\n%s", a, b)
	}
}
