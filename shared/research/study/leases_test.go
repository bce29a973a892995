package study_test

import (
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// M-45: a run that meets a change stays queued and begins when the Audience is
// free; from its start until it is settled no change gets the Audience.
func TestRunsAndChangesKeepApart_M45(t *testing.T) {
	w := newWorld(t, account.Team)
	a := w.audience(w.ctx, "A", w.minds(w.ctx, 3))
	s := w.study(w.ctx, "S", a)
	acquire := func(want bool) {
		t.Helper()
		ok, err := w.Audiences.Acquire(w.ctx, a.ID, "change")
		w.must(err)
		if ok != want {
			t.Errorf("the change has the Audience: %v", ok)
		}
	}
	acquire(true)
	asked, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	claim := func(want bool) {
		t.Helper()
		ok, err := w.Studies.Claim(w.ctx, in)
		w.must(err)
		if ok != want {
			t.Errorf("the run has the Audience: %v", ok)
		}
	}
	claim(false)
	if run, err := w.Studies.Run(w.ctx, asked.Run.RunID); err != nil || run.Status != study.Queued {
		t.Errorf("it waits as %s, %v", run.Status, err)
	}
	w.must(w.Audiences.Release(w.ctx, a.ID, "change"))
	claim(true)
	claim(true) // the task may run twice
	chunks, err := w.Studies.Prepare(w.ctx, in)
	w.must(err)
	acquire(false)
	w.clock.Advance(audience.LeaseLife - time.Second)
	for _, c := range chunks { // which beats
		_, err := w.Studies.AnswerChunk(w.ctx, in, c)
		w.must(err)
	}
	w.clock.Advance(audience.LeaseLife - time.Second)
	acquire(false)
	if status, err := w.Studies.Settle(w.ctx, in); err != nil || status != study.Completed {
		t.Errorf("%s, %v", status, err)
	}
	acquire(true)
	w.must(w.Audiences.Release(w.ctx, a.ID, "change"))
}

// A run whose lease has ended does not go on while its Audience is being changed.
func TestAStalledRunWaits_M45(t *testing.T) {
	w, _, _, in := asked1of3(t)
	audiences, _, err := w.Audiences.List(w.ctx, 1, 0, false)
	w.must(err)
	id := audiences[0].ID
	if ok, err := w.Studies.Claim(w.ctx, in); !ok || err != nil {
		t.Fatal(ok, err)
	}
	w.clock.Advance(audience.LeaseLife)
	if ok, err := w.Audiences.Acquire(w.ctx, id, "change"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	if _, err := w.Studies.AnswerChunk(w.ctx, in, 1); err != study.ErrAudienceInChange {
		t.Errorf("it went on: %v", err)
	}
	w.must(w.Audiences.Release(w.ctx, id, "change"))
	if n, err := w.Studies.AnswerChunk(w.ctx, in, 1); err != nil || n != 50 {
		t.Errorf("%d answers, %v", n, err)
	}
}
