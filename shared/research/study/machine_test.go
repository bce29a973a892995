package study_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Every task may run twice, in any order after its first time, and changes
// nothing more; a machine that gave up leaves what was answered.
func TestTasksAreIdempotent(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, 110)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", ids))
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	for range 2 {
		chunks, err := w.Studies.Prepare(w.ctx, in)
		w.must(err)
		if fmt.Sprint(chunks) != "[0 1 2]" {
			t.Fatal(chunks)
		}
		for _, n := range []int{2, 0, 2} {
			if _, err := w.Studies.AnswerChunk(w.ctx, in, n); err != nil {
				t.Fatal(err)
			}
		}
	}
	for id, n := range w.engine.asked {
		if n != 1 {
			t.Fatalf("%s asked %d times", id, n)
		}
	}
	pending := w.result(w.ctx, s.ID, *a.Run.QuestionID)
	if pending.Status != study.Running || pending.AnsweredCount != 60 || pending.Audiences[0].Base.Asked != 110 || pending.Audiences[0].Base.Answered != 60 {
		t.Errorf("%+v", pending.Audiences[0].Base)
	}
	if status, err := w.Studies.Fail(w.ctx, in, "Transient"); err != nil || status != study.Partial {
		t.Fatal(status, err)
	}
	// A late task finds the question settled and stores nothing.
	if n, err := w.Studies.AnswerChunk(w.ctx, in, 1); n != 0 || err != nil {
		t.Error(n, err)
	}
	for range 2 {
		if status, err := w.Studies.Settle(w.ctx, in); err != nil || status != study.Partial {
			t.Error(status, err)
		}
	}
	if chunks, err := w.Studies.Prepare(w.ctx, in); err != nil || len(chunks) != 0 {
		t.Error(chunks, err)
	}
	got := w.result(w.ctx, s.ID, *a.Run.QuestionID)
	if b := got.Audiences[0].Base; b.Answered != 60 || b.Failed != 50 || got.Error == nil {
		t.Errorf("%+v %v", b, got.Error)
	}
	if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000-60 {
		t.Errorf("%d left", *left)
	}
	if started, failed, err := w.Jobs.Sweep(w.ctx, nil); started+failed != 0 || err != nil {
		t.Error("the job is still open", started, failed, err)
	}
}

// A question whose start was lost is started by the sweeper, and settled as
// failed, with its responses given back, once it is past its deadline.
func TestSweep(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 2)))
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	w.queue.take() // lost
	w.clock.Advance(jobs.Grace + time.Second)
	expired := map[string]func(context.Context, jobs.Job) error{study.Machine: w.Studies.Expire}
	if started, _, err := w.Jobs.Sweep(w.t.Context(), expired); started != 1 || err != nil {
		t.Fatal(started, err)
	}
	w.queue.take() // lost again
	w.clock.Advance(time.Hour)
	if _, failed, err := w.Jobs.Sweep(w.t.Context(), expired); failed != 1 || err != nil {
		t.Fatal(failed, err)
	}
	if got := w.result(w.ctx, s.ID, *a.Run.QuestionID); got.Status != study.Failed || !strings.Contains(*got.Error, "in time") {
		t.Errorf("%+v", got)
	}
	if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000 {
		t.Errorf("%d left", *left)
	}
}

// An answer is only given by the engine that is pinned to the question.
func TestEngineIsPinned(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 2)))
	_, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	_, err = w.Studies.Prepare(w.ctx, in)
	w.must(err)
	w.engine.version = "9.9.9"
	if _, err := w.Studies.AnswerChunk(w.ctx, in, 0); !errors.Is(err, study.ErrEngineChanged) {
		t.Error(err)
	}
}

// A connection that is revoked while its question runs ends the question, and says
// so; it is no failure of single Minds, and nobody else answers.
func TestARevokedConnectionEndsTheQuestion_M301(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 2)))
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	_, err = w.Studies.Prepare(w.ctx, in)
	w.must(err)
	w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{}, fault.New(fault.ModelConnectionStale, "The model connection was revoked."), true
	}
	if _, err := w.Studies.AnswerChunk(w.ctx, in, 0); !fault.Is(err, fault.ModelConnectionStale) {
		t.Fatal(err)
	}
	_, err = w.Studies.Fail(w.ctx, in, string(fault.ModelConnectionStale))
	w.must(err)
	if got := w.result(w.ctx, s.ID, *a.Run.QuestionID); got.Status != study.Failed || !strings.Contains(*got.Error, "MODEL_CONNECTION_STALE") {
		t.Errorf("%+v", got)
	}
	if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000 {
		t.Errorf("%d left", *left)
	}
}

// A Mind that is gone when its turn comes is a failed answer, not a failed
// question.
func TestMindGone(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 3)))
	w.engine.fail = func(r simulate.Respondent) (simulate.Answer, error, bool) {
		return simulate.Answer{}, errors.New("boom"), strings.HasSuffix(r.Name, "001")
	}
	got := w.ask(w.ctx, s.ID, "Do you eat steak?")
	if got.Status != study.Partial || got.AnsweredCount != 2 {
		t.Fatalf("%+v", got)
	}
	for _, a := range got.Audiences[0].Answers {
		if a.Persona == "Mind 001" && (a.EvidenceState != nil || a.Value != "" || a.AnswerProvenance.Status != "failed" || a.Message == "") {
			t.Errorf("%+v", a)
		}
	}
}

// A Study never has the knowledge of a whole chunk in memory: few Minds are
// loaded at once, whatever ChunkSize is, and answers keep the order of the panel.
func TestFewMindsAreLoadedAtOnce(t *testing.T) {
	w := newWorld(t, account.Team)
	ids := w.minds(w.ctx, study.ChunkSize)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", ids))
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	most := 0
	w.faults.batch = func(keys []records.Key) { most = max(most, len(keys)) }
	w.run()
	w.faults.batch = nil
	got := w.result(w.ctx, s.ID, *a.Run.QuestionID)
	if most == 0 || most > 8 {
		t.Errorf("%d Minds loaded at once", most)
	}
	for i, a := range got.Audiences[0].Answers {
		if a.MindID != ids[i] {
			t.Fatal("answers are out of order")
		}
	}
}
