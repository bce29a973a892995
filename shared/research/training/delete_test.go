package training_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// A clean-up whose time ran out has come further: it is called again, and is no
// failure that uses up its tries.
func TestACleanUpGoesOnWhereItStopped(t *testing.T) {
	w := open(t, nil)
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "manual"})
	w.Run(t)
	if err := w.Minds.Delete(w.ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	started := w.Engine.Take()[0]
	w.unwiped = 3
	for i := range 3 {
		if done, err := w.Training.Clean(w.ctx, started.Name, []string{m.ID}); done || err != nil {
			t.Fatalf("call %d: %v, %v", i, done, err)
		}
	}
	for range 2 { // a repeated task changes nothing
		if done, err := w.Training.Clean(w.ctx, started.Name, []string{m.ID}); !done || err != nil {
			t.Fatal(done, err)
		}
	}
	if len(w.wiped) != 4 {
		t.Errorf("wiped %d times", len(w.wiped))
	}
}

// A sweep that has little time left does one slice of a clean-up, and leaves the
// job open for the next.
func TestAnExpiredCleanUpLeavesTheRestToTheNextSweep(t *testing.T) {
	w := open(t, nil)
	m := w.create(t, mind.CreateRequest{Name: "Ada", Mode: "manual"})
	w.Run(t)
	if err := w.Minds.Delete(w.ctx, m.ID); err != nil {
		t.Fatal(err)
	}
	started := w.Engine.Take()[0]
	job := jobs.Job{ID: started.Name, Machine: mind.DeleteMachine, Workspace: m.Workspace, Account: m.Owner, Input: started.Input}
	short, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	w.unwiped = 1
	if err := w.Training.ExpireDelete(short, job); !errors.Is(err, knowledge.ErrUnfinished) || len(w.wiped) != 1 {
		t.Fatalf("%v after %d slices", err, len(w.wiped))
	}
	w.unwiped = 2
	if err := w.Training.ExpireDelete(t.Context(), job); err != nil || len(w.wiped) != 4 {
		t.Errorf("%v after %d slices", err, len(w.wiped))
	}
}
