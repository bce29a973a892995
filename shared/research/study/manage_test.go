package study_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// beside is another account of anna's workspace, by the name of its account.
func (w *world) beside(name string) context.Context {
	p := account.From(w.ctx)
	p.Account, p.Name = "acc-of-"+name, name
	return account.With(w.ctx, p)
}

func (w *world) refused(err error, code fault.Code) {
	w.t.Helper()
	if !fault.Is(err, code) {
		w.t.Errorf("%v, want %s", err, code)
	}
}

// asked is a Study with two Minds and one answered question.
func (w *world) asked() (study.Study, study.QuestionResult) {
	w.t.Helper()
	st := w.study(w.ctx, "Steak", w.audience(w.ctx, "Panel", w.minds(w.ctx, 2)))
	return st, w.ask(w.ctx, st.ID, "Do you like steak? (Yes / No)")
}

// M-4, M-5: the link shows the Study with its Audiences and Minds while it is on, and
// nothing once it is off; on again it is the same link. Only the owner turns it.
func TestLinkOfAStudy_M4_M5(t *testing.T) {
	w := newWorld(t, account.Team)
	st, _ := w.asked()
	for _, who := range []context.Context{w.as("bob", account.Team), w.beside("carla")} {
		_, err := w.Studies.ShareLink(who, st.ID, true)
		w.refused(err, fault.NotFound)
	}
	on, err := w.Studies.ShareLink(w.ctx, strings.ToUpper(st.ID), true)
	w.must(err)
	if !on.IsLinkSharingEnabled || on.PublicShareID == nil || on.SharedStudyURL == nil || !strings.HasSuffix(*on.SharedStudyURL, *on.PublicShareID) {
		t.Fatalf("%+v", on)
	}
	d, err := w.Studies.Shared(t.Context(), *on.PublicShareID)
	if err != nil || len(d.Audiences) != 1 || len(d.Audiences[0].Minds) != 2 || len(d.Messages) != 1 {
		t.Errorf("%+v, %v", d, err)
	}
	off, err := w.Studies.ShareLink(w.ctx, st.ID, false)
	if err != nil || off.IsLinkSharingEnabled || off.PublicShareID != nil || off.SharedStudyURL != nil {
		t.Errorf("%+v, %v", off, err)
	}
	_, err = w.Studies.Shared(t.Context(), *on.PublicShareID)
	w.refused(err, fault.NotFound)
	if _, err := w.Studies.ShareLink(w.ctx, st.ID, false); err != nil {
		t.Error(err)
	}
	again, err := w.Studies.ShareLink(w.ctx, st.ID, true)
	if err != nil || *again.PublicShareID != *on.PublicShareID {
		t.Errorf("%+v, %v", again, err)
	}
	rows, _, err := w.Studies.List(w.ctx, 10, 0)
	if err != nil || !rows[0].IsLinkSharingEnabled {
		t.Errorf("the list does not know: %+v, %v", rows, err)
	}
}

// Attaching is of a set: what is there stays, and one that is not there attaches none.
func TestAttach(t *testing.T) {
	w := newWorld(t, account.Team)
	st, _ := w.asked()
	w.clock.Advance(time.Minute) // the same Mind once more is another one by then
	b := w.audience(w.ctx, "Second", w.minds(w.ctx, 1))
	const nobody = "0b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"
	theirs := w.as("bob", account.Team)
	foreign := w.audience(theirs, "Theirs", w.minds(theirs, 1))
	for _, id := range []string{nobody, foreign.ID} {
		_, err := w.Studies.Attach(w.ctx, st.ID, []string{b.ID, id})
		w.refused(err, fault.NotFound)
	}
	_, err := w.Studies.Attach(theirs, st.ID, []string{foreign.ID})
	w.refused(err, fault.NotFound)
	_, err = w.Studies.Attach(w.beside("carla"), st.ID, []string{b.ID})
	w.refused(err, fault.Forbidden)
	_, err = w.Studies.Attach(w.ctx, st.ID, nil)
	w.refused(err, fault.Validation)
	out, err := w.Studies.Attach(w.ctx, st.ID, []string{strings.ToUpper(b.ID), b.ID, st.Audiences[0].ID})
	if err != nil || len(out.Attached) != 1 || out.Attached[0] != b.ID || len(out.AlreadyAttached) != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	if out, err = w.Studies.Attach(w.ctx, st.ID, []string{b.ID}); err != nil || len(out.Attached) != 0 || len(out.AlreadyAttached) != 1 {
		t.Errorf("%+v, %v", out, err)
	}
	q := w.ask(w.ctx, st.ID, "Do you like beans? (Yes / No)")
	if q.TotalMinds != 3 {
		t.Errorf("%d Minds were asked", q.TotalMinds)
	}
}

// M-240: who is invited opens and asks; an admin attaches; the rest is the owner's.
func TestRolesInAStudy_M240(t *testing.T) {
	w := newWorld(t, account.Team)
	st, q := w.asked()
	who, _, err := w.Studies.Admit(w.ctx, st.ID, []string{study.Folded(" Carla@Example.COM "), "dora@example.com"}, study.Member, false)
	if err != nil || len(who) != 2 || who[0].Again || who[0].Address != "carla@example.com" {
		t.Fatalf("%+v, %v", who, err)
	}
	carla := w.beside("Carla@example.com")
	if d, err := w.Studies.Get(carla, st.ID); err != nil || len(d.Audiences[0].Minds) != 2 {
		t.Errorf("%+v, %v", d, err)
	}
	if seen := w.result(carla, st.ID, q.QuestionID); seen.AnsweredCount != 2 {
		t.Errorf("%+v", seen)
	}
	if more := w.ask(carla, st.ID, "Do you like beans? (Yes / No)"); more.TotalMinds != 2 {
		t.Errorf("%+v", more)
	}
	_, err = w.Studies.Attach(carla, st.ID, []string{st.Audiences[0].ID})
	w.refused(err, fault.Forbidden)
	_, err = w.Studies.ShareLink(carla, st.ID, true)
	w.refused(err, fault.NotFound)
	_, _, err = w.Studies.Admit(carla, st.ID, []string{"x@example.com"}, study.Member, false)
	w.refused(err, fault.NotFound)
	w.refused(w.Studies.Delete(carla, st.ID), fault.Forbidden)
	_, err = w.Studies.Get(w.beside("erik@example.com"), st.ID)
	w.refused(err, fault.Forbidden)
	// The name of an account of another workspace is nobody's here.
	_, err = w.Studies.Get(w.as("carla@example.com", account.Team), st.ID)
	w.refused(err, fault.NotFound)
	who, _, err = w.Studies.Admit(w.ctx, st.ID, []string{"carla@example.com", "dora@example.com"}, study.Admin, false)
	if err != nil || who[0].Again {
		t.Errorf("%+v, %v", who, err)
	}
	who, _, err = w.Studies.Admit(w.ctx, st.ID, []string{"carla@example.com"}, study.Admin, true)
	if err != nil || !who[0].Again {
		t.Errorf("%+v, %v", who, err)
	}
	if _, err := w.Studies.Get(w.beside("erik@example.com"), st.ID); err != nil {
		t.Errorf("the whole team was invited: %v", err)
	}
}

// buried holds that of a Study nothing is left.
func (w *world) buried(id, when string, questions ...string) {
	w.t.Helper()
	_, err := w.Studies.Get(w.ctx, id)
	w.refused(err, fault.NotFound)
	partitions := []string{"w#ws-anna#study#" + id, "w#ws-anna#gone-study#" + id, "w#ws-anna#plans#" + id}
	for _, q := range questions {
		partitions = append(partitions, "w#ws-anna#question#"+q)
	}
	for _, pk := range partitions {
		page, err := w.store.Query(w.t.Context(), records.Query{PK: pk})
		w.must(err)
		if len(page.Items) > 0 {
			w.t.Errorf("%s: %s holds %d rows, such as %s", when, pk, len(page.Items), page.Items[0].SK)
		}
	}
	if rows, total, err := w.Studies.List(w.ctx, 10, 0); err != nil || total != 0 || len(rows) != 0 {
		w.t.Errorf("%s: %d of %d Studies are listed, %v", when, len(rows), total, err)
	}
}

// clear works a deletion off, beyond what has to be left for a moment.
func (w *world) clear(job study.DeleteJob) {
	w.t.Helper()
	for range 50 {
		c, err := w.Studies.Clear(w.ctx, job)
		if errors.Is(err, records.ErrUnavailable) {
			continue
		}
		w.must(err)
		if c.Done {
			return
		}
		w.clock.Advance(time.Minute)
	}
	w.t.Fatal("there is always more to do")
}

func (w *world) doomed() study.DeleteJob {
	w.t.Helper()
	for _, j := range w.queue.take() {
		if j.machine == study.DeleteMachine {
			var in study.DeleteJob
			w.must(json.Unmarshal(j.input, &in))
			return in
		}
	}
	w.t.Fatal("no deletion was started")
	return study.DeleteJob{}
}

// A deleted Study does not exist from the commit on, its link included; nothing is left
// behind, a run that goes on is ended and given back, and the room is free again.
func TestDelete(t *testing.T) {
	w := newWorld(t, account.Team)
	st, q := w.asked()
	on, err := w.Studies.ShareLink(w.ctx, st.ID, true)
	w.must(err)
	before, err := w.Accounts.ResponsesUsed(w.ctx)
	w.must(err)
	running, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: st.ID, Question: "Do you like beans? (Yes / No)"})
	w.must(err)
	job := w.queue.take()[0]
	w.refused(w.Studies.Delete(w.as("bob", account.Team), st.ID), fault.NotFound)
	w.refused(w.Studies.Delete(w.beside("carla"), st.ID), fault.Forbidden)
	w.must(w.Studies.Delete(w.ctx, st.ID))
	w.refused(w.Studies.Delete(w.ctx, st.ID), fault.NotFound)
	_, err = w.Studies.Shared(t.Context(), *on.PublicShareID)
	w.refused(err, fault.NotFound)
	_, err = w.Studies.Ask(w.ctx, study.AskRequest{StudyID: st.ID, Question: "Is it there?"})
	w.refused(err, fault.NotFound)
	doomed := w.doomed()
	if c, err := w.Studies.Clear(w.ctx, doomed); err != nil || c.Done || !c.Wait {
		t.Fatalf("%+v, %v", c, err)
	}
	// Its machine finds it ended.
	if chunks, err := w.Studies.Prepare(w.ctx, jobInput(t, job)); err != nil || len(chunks) != 0 {
		t.Errorf("%v, %v", chunks, err)
	}
	w.clear(doomed)
	w.buried(st.ID, "deleted", q.QuestionID, *running.Run.QuestionID)
	if after, err := w.Accounts.ResponsesUsed(w.ctx); err != nil || after != before {
		t.Errorf("%d responses are used, %d before, %v", after, before, err)
	}
	if _, err := w.Studies.Run(w.ctx, running.Run.RunID); !fault.Is(err, fault.NotFound) {
		t.Error(err)
	}
	if room, err := w.Accounts.Room(w.ctx, account.Flows); err != nil || room != nil && *room < 1 {
		t.Errorf("%v, %v", room, err)
	}
	// The same call again makes another Study: it is not a replay of a deleted one.
	second := w.study(w.ctx, "Steak", w.audienceNamed(st))
	if second.ID == st.ID {
		t.Error("the deleted Study came back")
	}
	if third := w.study(w.ctx, "Steak", w.audienceNamed(st)); third.ID != second.ID {
		t.Error("an equal call made one more")
	}
}

// Cut off at any transaction, before it or after it, a deletion ends whole.
func TestDeleteCutOffAnywhere(t *testing.T) {
	for _, after := range []bool{false, true} {
		for at := 1; ; at++ {
			if at > 60 {
				t.Fatal("more transactions than were tried")
			}
			w := newWorld(t, account.Team)
			st, q := w.asked()
			running, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: st.ID, Question: "Do you like beans? (Yes / No)"})
			w.must(err)
			w.queue.take()
			n := 0
			cut := func([]records.Action) error {
				if n++; n == at {
					return records.ErrUnavailable
				}
				return nil
			}
			if after {
				w.faults.after = cut
			} else {
				w.faults.before = cut
			}
			for {
				err := w.Studies.Delete(w.ctx, st.ID)
				if err == nil || fault.Is(err, fault.NotFound) {
					break
				}
				if !errors.Is(err, records.ErrUnavailable) {
					t.Fatal(err)
				}
			}
			started := w.queue.take()
			if len(started) == 0 { // the answer was lost: the sweeper starts it
				w.clock.Advance(time.Minute)
				_, _, err := w.Jobs.Sweep(w.ctx, nil)
				w.must(err)
				started = w.queue.take()
			}
			var job study.DeleteJob
			for _, j := range started {
				if j.machine == study.DeleteMachine {
					w.must(json.Unmarshal(j.input, &job))
				}
			}
			w.clear(job)
			w.faults.before, w.faults.after = nil, nil
			w.buried(st.ID, fmt.Sprintf("cut off at transaction %d, after it: %v", at, after), q.QuestionID, *running.Run.QuestionID)
			if at > n {
				break
			}
		}
	}
}

// audienceNamed is the one Audience of a Study.
func (w *world) audienceNamed(st study.Study) audience.Audience {
	w.t.Helper()
	a, err := w.Audiences.Get(w.ctx, st.Audiences[0].ID)
	w.must(err)
	return a
}
