package study_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// Section 6: the same arguments replay for 15 minutes, a key for 24 hours; a
// change of anything is another Study, other input with a key is refused (M-91:
// the key comes back).
func TestCreateIdempotent_M90_M91(t *testing.T) {
	w := newWorld(t, account.Team)
	a := w.audience(w.ctx, "A", w.minds(w.ctx, 2))
	create := func(r study.CreateRequest) study.Created {
		t.Helper()
		made, err := w.Studies.Create(w.ctx, r)
		w.must(err)
		return made
	}
	r := study.CreateRequest{Name: "Brand", AudienceIDs: []string{a.ID}}
	first := create(r)
	if first.Replayed || first.Key == "" {
		t.Fatalf("%+v", first)
	}
	w.clock.Advance(15*time.Minute - time.Millisecond)
	if again := create(r); !again.Replayed || again.Study.ID != first.Study.ID {
		t.Error("a repeat within 15 minutes made another Study")
	}
	other := r
	other.Name = "Brand "
	if create(other).Study.ID == first.Study.ID {
		t.Error("one more character is another call")
	}
	w.clock.Advance(2 * time.Millisecond)
	if create(r).Replayed {
		t.Error("after 15 minutes the same arguments make a new Study")
	}
	r.IdempotencyKey = " my key "
	keyed := create(r)
	w.clock.Advance(24*time.Hour - time.Millisecond)
	if again := create(r); again.Study.ID != keyed.Study.ID || again.Key != "my key" {
		t.Error("a key replays for 24 hours")
	}
	r.Name = "Another"
	if _, err := w.Studies.Create(w.ctx, r); !fault.Is(err, fault.IdempotencyConflict) {
		t.Error(err)
	}
	w.clock.Advance(2 * time.Millisecond)
	if create(r).Replayed {
		t.Error("after 24 hours the key is free")
	}
}

// 200 equal calls at once make one Study and count it once.
func TestCreateConcurrent_M90(t *testing.T) {
	w := newWorld(t, account.Team)
	a := w.audience(w.ctx, "A", w.minds(w.ctx, 1))
	ids := make([]string, 200)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			made, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "One", AudienceIDs: []string{a.ID}, AudienceNew: []study.InlineAudience{{MindIDs: a.MemberIDs}}})
			if err != nil {
				t.Error(err)
				return
			}
			ids[i] = made.Study.ID
		})
	}
	wg.Wait()
	for _, id := range ids {
		if id != ids[0] {
			t.Fatal("two Studies of one call")
		}
	}
	if _, total, err := w.Studies.List(w.ctx, 20, 0); err != nil || total != 1 {
		t.Errorf("%d Studies, %v", total, err)
	}
	if n, err := w.Accounts.Owned(w.ctx, account.Audiences); err != nil || n != 2 {
		t.Errorf("%d Audiences counted, %v", n, err)
	}
}

// A failing inline Audience rolls everything back: no Study, no Audience, no
// count. Existing and inline Audiences may be mixed; an empty name is 'Audience N'.
func TestCreateAtomic(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 3)
	a := w.audience(w.ctx, "Old", ids[:1])
	foreign := w.as("bert", account.Team)
	theirs := w.minds(foreign, 1)
	_, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "S", AudienceNew: []study.InlineAudience{{MindIDs: ids}, {MindIDs: theirs}}})
	if !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	if _, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "S", AudienceIDs: []string{w.audience(foreign, "Theirs", theirs).ID}}); !fault.Is(err, fault.NotFound) {
		t.Fatal(err)
	}
	if n, _ := w.Accounts.Owned(w.ctx, account.Audiences); n != 1 {
		t.Errorf("%d Audiences after a refused call", n)
	}
	if n, _ := w.Accounts.Owned(w.ctx, account.Flows); n != 0 {
		t.Errorf("%d flows after a refused call", n)
	}
	made, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: " S ", AudienceIDs: []string{a.ID, strings.ToUpper(a.ID)},
		AudienceNew: []study.InlineAudience{{MindIDs: ids}, {Name: "New", MindIDs: ids[1:]}}})
	w.must(err)
	var names []string
	for _, x := range made.Study.Audiences {
		names = append(names, fmt.Sprint(x.Name, " ", x.MindCount))
	}
	if made.Study.Name != "S" || fmt.Sprint(names) != "[Old 1 Audience 1 3 New 2]" {
		t.Errorf("%q %v", made.Study.Name, names)
	}
}

// The schema's most: 50 new Audiences are more than one transaction takes, and
// still all or nothing.
func TestCreateFiftyAudiences(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 2)
	r := study.CreateRequest{Name: "Wide", LinkSharing: true}
	for range 50 {
		r.AudienceNew = append(r.AudienceNew, study.InlineAudience{MindIDs: ids})
	}
	made, err := w.Studies.Create(w.ctx, r)
	w.must(err)
	if len(made.Study.Audiences) != 50 {
		t.Fatal(len(made.Study.Audiences))
	}
	found, err := w.Audiences.Get(w.ctx, made.Study.Audiences[49].ID)
	w.must(err)
	if len(found.MemberIDs) != 2 {
		t.Error(found)
	}
	if _, total, _ := w.Audiences.List(w.ctx, 100, 0, false); total != 50 {
		t.Errorf("%d Audiences listed", total)
	}
	if again, err := w.Studies.Create(w.ctx, r); err != nil || !again.Replayed {
		t.Error(again.Replayed, err)
	}
	// Refused by the allowance: nothing is left behind.
	free := w.as("carl", account.Free)
	mine := w.minds(free, 2)
	for i := range r.AudienceNew {
		r.AudienceNew[i].MindIDs = mine
	}
	_, err = w.Studies.Create(free, r)
	if f := fault.From(err); f.Code != fault.PlanLimit || f.Data["limitType"] != "audiences" {
		t.Fatal(err, fault.From(err).Data)
	}
	if _, total, _ := w.Studies.List(free, 20, 0); total != 0 {
		t.Error("a refused Study is listed")
	}
	if n, _ := w.Accounts.Owned(free, account.Audiences); n != 0 {
		t.Error("refused Audiences are counted")
	}
}

// A commit whose answer was lost may have happened: nothing that it wrote is
// taken back, and the next call gives the Study with all of its Audiences.
func TestALostAnswerUndoesNothing_M90(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 2)
	r := study.CreateRequest{Name: "Wide"}
	for range 50 {
		r.AudienceNew = append(r.AudienceNew, study.InlineAudience{MindIDs: ids})
	}
	w.faults.after = func(actions []records.Action) error {
		for _, a := range actions {
			if a.Item.SK == "study" {
				w.faults.after = nil
				return records.ErrUnavailable
			}
		}
		return nil
	}
	if _, err := w.Studies.Create(w.ctx, r); err == nil {
		t.Fatal("the answer was not lost")
	}
	made, err := w.Studies.Create(w.ctx, r)
	w.must(err)
	if !made.Replayed || len(made.Study.Audiences) != 50 {
		t.Fatalf("replayed %v, %d Audiences", made.Replayed, len(made.Study.Audiences))
	}
	for _, a := range made.Study.Audiences {
		if _, err := w.Audiences.Get(w.ctx, a.ID); err != nil {
			t.Fatalf("the Study names an Audience that is gone: %v", err)
		}
	}
}

// M-102: the allowance of flows refuses the Study that passes it.
func TestFlowsAllowance_M102(t *testing.T) {
	w := newWorld(t, account.Free)
	for i := range 3 {
		_, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: fmt.Sprint("S", i)})
		w.must(err)
	}
	_, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "S4"})
	f := fault.From(err)
	if f.Code != fault.PlanLimit || f.Data["limitType"] != "flows" || f.Data["limit"] != int64(3) || f.Data["current"] != int64(3) {
		t.Errorf("%v %v", err, f.Data)
	}
}

// M-4, M-5: sharing is off unless asked for; on, the link reads the Study
// without the owner's links, and another tenant still cannot open it by id.
func TestSharing_M4_M5(t *testing.T) {
	w := newWorld(t, account.Team)
	a := w.audience(w.ctx, "A", w.minds(w.ctx, 2))
	private := w.study(w.ctx, "Private", a)
	if private.IsLinkSharingEnabled || private.PublicShareID != nil || private.SharedStudyURL != nil {
		t.Errorf("%+v", private)
	}
	made, err := w.Studies.Create(w.ctx, study.CreateRequest{Name: "Open", AudienceIDs: []string{a.ID}, LinkSharing: true})
	w.must(err)
	if made.Study.SharedStudyURL == nil || !strings.HasSuffix(*made.Study.SharedStudyURL, *made.Study.PublicShareID) {
		t.Fatalf("%+v", made.Study)
	}
	d, err := w.Studies.Shared(context.Background(), *made.Study.PublicShareID)
	w.must(err)
	if d.Name != "Open" || len(d.Audiences[0].Minds) != 2 || strings.Contains(d.WorkspaceURL, "/api/v1/studies/") {
		t.Errorf("%+v", d)
	}
	if _, err := w.Studies.Shared(context.Background(), private.ID); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
}

// M-3: another tenant's Study, question, run, message and job do not exist, with
// the body of what never existed. Another account of the own tenant is refused.
func TestTenancy_M3(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 1)))
	q := w.ask(w.ctx, s.ID, "Do you eat steak?")
	runs, _, err := w.Studies.Runs(w.ctx, s.ID, 1, "")
	w.must(err)
	const nobody = "00000000-0000-4000-8000-000000000000"
	foreign := w.as("bert", account.Team)
	for name, read := range map[string]func(ctx context.Context, study, run, message string) error{
		"get":    func(ctx context.Context, id, _, _ string) error { _, err := w.Studies.Get(ctx, id); return err },
		"status": func(ctx context.Context, id, _, _ string) error { _, err := w.Studies.Status(ctx, id, ""); return err },
		"runs": func(ctx context.Context, id, _, _ string) error {
			_, _, err := w.Studies.Runs(ctx, id, 20, "")
			return err
		},
		"run": func(ctx context.Context, _, run, _ string) error { _, err := w.Studies.Run(ctx, run); return err },
		"answers": func(ctx context.Context, id, _, message string) error {
			_, err := w.Studies.Answers(ctx, id, message, false)
			return err
		},
		"analytics": func(ctx context.Context, id, _, _ string) error { _, err := w.Studies.Analytics(ctx, id); return err },
		"ask": func(ctx context.Context, id, _, _ string) error {
			_, err := w.Studies.Ask(ctx, study.AskRequest{StudyID: id, Question: "x?"})
			return err
		},
	} {
		theirs, none := read(foreign, s.ID, runs[0].RunID, q.MessageID), read(foreign, nobody, nobody, nobody)
		if !fault.Is(theirs, fault.NotFound) || theirs.Error() != none.Error() {
			t.Errorf("%s: %v and %v", name, theirs, none)
		}
		if err := read(w.ctx, s.ID, runs[0].RunID, q.MessageID); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	mate := account.With(w.t.Context(), account.Principal{Account: "acc-mate", Workspace: "ws-anna", Plan: account.Team})
	if _, err := w.Studies.Get(mate, s.ID); !fault.Is(err, fault.Forbidden) {
		t.Error(err)
	}
}

// M-310 to M-312: pages in order, totals, the closest name, an id that wins.
func TestListAndResolve_M310_M312(t *testing.T) {
	w := newWorld(t, account.Team)
	for i := range 23 {
		w.study(w.ctx, fmt.Sprintf("Study %02d", i))
		if i%3 == 0 {
			w.clock.Advance(time.Second) // the others share their millisecond
		}
	}
	var all []study.Study
	for offset := 0; ; {
		rows, total, err := w.Studies.List(w.ctx, 10, offset)
		w.must(err)
		if total != 23 {
			t.Fatal(total)
		}
		all = append(all, rows...)
		if offset += len(rows); offset >= total {
			break
		}
	}
	seen := map[string]bool{}
	for i, s := range all {
		seen[s.ID] = true
		if i > 0 && (s.CreatedAt > all[i-1].CreatedAt || s.CreatedAt == all[i-1].CreatedAt && s.ID > all[i-1].ID) {
			t.Errorf("order at %d: %s %s after %s %s", i, s.CreatedAt, s.ID, all[i-1].CreatedAt, all[i-1].ID)
		}
	}
	if len(seen) != 23 {
		t.Errorf("%d different Studies", len(seen))
	}
	for _, limit := range []int{0, 101} {
		if _, _, err := w.Studies.List(w.ctx, limit, 0); !fault.Is(err, fault.Validation) {
			t.Error(limit, err)
		}
	}
	got, err := w.Studies.Resolve(w.ctx, "", "the study 07")
	w.must(err)
	if got.Name != "Study 07" {
		t.Error(got.Name)
	}
	if _, err := w.Studies.Resolve(w.ctx, got.ID, "Quarterly numbers"); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
	if _, err := w.Studies.Resolve(w.ctx, "", "zzzzqqq"); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if _, err := w.Studies.Resolve(w.ctx, "", " "); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}
