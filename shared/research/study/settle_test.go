package study_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// closes tells the transaction that closes a job from all others.
func closes(actions []records.Action) bool {
	for _, a := range actions {
		if a.Kind == records.ActDelete && strings.HasSuffix(a.Item.PK, "#jobs") {
			return true
		}
	}
	return false
}

// asked puts a question to 110 Minds (three chunks) and answers the first.
func asked1of3(t *testing.T) (*world, study.Study, string, study.JobInput) {
	t.Helper()
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 110)))
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	_, err = w.Studies.Prepare(w.ctx, in)
	w.must(err)
	_, err = w.Studies.AnswerChunk(w.ctx, in, 0)
	w.must(err)
	return w, s, *a.Run.QuestionID, in
}

// ways to settle a question before all of it was answered.
func settlings(w *world, in study.JobInput) map[string]func() error {
	return map[string]func() error{
		"Settle": func() error { _, err := w.Studies.Settle(w.ctx, in); return err },
		"Fail":   func() error { _, err := w.Studies.Fail(w.ctx, in, "Transient"); return err },
		"Expire": func() error {
			return w.Studies.Expire(w.t.Context(), jobs.Job{Input: []byte(`{"job":"` + in.Job + `","workspace":"` + in.Workspace +
				`","account":"` + in.Account + `","study":"` + in.Study + `","question":"` + in.Question + `"}`)})
		},
	}
}

// A chunk that is answered while the answers are added up is too late: what the
// figures count, what is charged and what can be read are the same (M-73, M-327).
func TestNoAnswerLandsWhileSettling_M73(t *testing.T) {
	for _, name := range []string{"Settle", "Fail", "Expire"} {
		t.Run(name, func(t *testing.T) {
			w, s, q, in := asked1of3(t)
			begun, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error)
			var once sync.Once
			w.engine.fail = func(simulate.Respondent) (simulate.Answer, error, bool) {
				once.Do(func() { close(begun) })
				<-goOn
				return simulate.Answer{}, nil, false
			}
			go func() {
				_, err := w.Studies.AnswerChunk(w.ctx, in, 1)
				done <- err
			}()
			<-begun // the chunk saw a running question, and is being answered
			late := false
			w.faults.before = func(actions []records.Action) error {
				if closes(actions) && !late {
					late = true
					close(goOn)
					return <-done
				}
				return nil
			}
			w.must(settlings(w, in)[name]())
			if !late {
				t.Fatal("nothing landed in between")
			}
			got := w.result(w.ctx, s.ID, q)
			shown := 0
			for _, a := range got.Audiences[0].Answers {
				if a.AnswerProvenance.Status != study.Failed {
					shown++
				}
			}
			left, err := w.Accounts.ResponsesLeft(w.ctx)
			w.must(err)
			if got.AnsweredCount != shown || int(*left) != 10000-shown {
				t.Errorf("%d counted, %d readable, %d charged", got.AnsweredCount, shown, 10000-*left)
			}
		})
	}
}

// A process that ends between the two writes leaves a question that still runs
// to its readers, takes no more answers, and is finished by whoever settles next.
func TestSettlingIsResumed(t *testing.T) {
	crash := errors.New("the process ended")
	for _, name := range []string{"Settle", "Fail", "Expire"} {
		t.Run(name, func(t *testing.T) {
			w, s, q, in := asked1of3(t)
			w.faults.before = func(actions []records.Action) error {
				if closes(actions) {
					return crash
				}
				return nil
			}
			if _, err := w.Studies.Fail(w.ctx, in, "Transient"); !errors.Is(err, crash) {
				t.Fatal(err)
			}
			if got := w.result(w.ctx, s.ID, q); got.Status != study.Running {
				t.Errorf("status %s in between", got.Status)
			}
			if chunks, err := w.Studies.Prepare(w.ctx, in); err != nil || len(chunks) != 0 {
				t.Errorf("chunks %v, %v", chunks, err)
			}
			if n, err := w.Studies.AnswerChunk(w.ctx, in, 1); err != nil || n != 0 {
				t.Errorf("%d answers taken, %v", n, err)
			}
			w.faults.before = nil
			for range 2 {
				w.must(settlings(w, in)[name]())
			}
			got := w.result(w.ctx, s.ID, q)
			if got.Status != study.Partial || got.AnsweredCount != 50 || got.Error == nil || !strings.Contains(*got.Error, "could not be finished") {
				t.Errorf("%s, %d answered, %v", got.Status, got.AnsweredCount, got.Error)
			}
			if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000-50 {
				t.Errorf("%d left", *left)
			}
		})
	}
}

// A meter that has less than is to be given back never keeps a question open.
func TestARefusedRefundSettles(t *testing.T) {
	w, s, q, in := asked1of3(t)
	w.must(w.giveBack(w.ctx, 110, start)) // as if an operator had reset it
	if status, err := w.Studies.Fail(w.ctx, in, "Transient"); err != nil || status != study.Partial {
		t.Fatal(status, err)
	}
	if got := w.result(w.ctx, s.ID, q); got.AnsweredCount != 50 {
		t.Errorf("%+v", got)
	}
	w.clock.Advance(time.Hour)
	if started, failed, err := w.Jobs.Sweep(context.WithoutCancel(w.ctx), nil); started+failed != 0 || err != nil {
		t.Error("the job is still open", started, failed, err)
	}
}

// What is reserved in the last moment of a month is given back to that month,
// also when the clock strikes between the question and its commit (M-73).
func TestReservedAndRefundedInOneMonth_M73(t *testing.T) {
	w := newWorld(t, account.Team)
	s := w.study(w.ctx, "S", w.audience(w.ctx, "A", w.minds(w.ctx, 3)))
	end := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	w.clock.Advance(end.Add(-time.Millisecond).Sub(w.clock.Now()))
	struck := false
	w.ids.before = func() {
		if !struck { // the first id of a question is made after its time was read
			struck = true
			w.clock.Advance(time.Second)
		}
	}
	a, err := w.Studies.Ask(w.ctx, study.AskRequest{StudyID: s.ID, Question: "Do you eat steak?"})
	w.must(err)
	in := jobInput(t, w.queue.take()[0])
	if left, _ := w.Accounts.ResponsesLeft(w.ctx); *left != 10000 {
		t.Errorf("reserved in another month than the question's: %d left", *left)
	}
	if status, err := w.Studies.Fail(w.ctx, in, "Transient"); err != nil || status != study.Failed {
		t.Fatal(status, err)
	}
	if got := w.result(w.ctx, s.ID, *a.Run.QuestionID); got.Status != study.Failed {
		t.Errorf("%+v", got)
	}
	march := account.With(t.Context(), account.From(w.ctx))
	if err := w.giveBack(march, 1, end.Add(-time.Second)); err == nil {
		t.Error("March still holds responses that nobody was asked for")
	}
}
