package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

type engine struct {
	workflow.Engine
	down    error
	started []string
	stopped []string
}

func (e *engine) Start(_ context.Context, _, name string, _ json.RawMessage) error {
	if e.down == nil {
		e.started = append(e.started, name)
	}
	return e.down
}

func (e *engine) Stop(_ context.Context, _, name, _ string) error {
	e.stopped = append(e.stopped, name)
	return workflow.ErrNotFound
}

func TestSweep(t *testing.T) {
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	// The index is late, as it may be on AWS.
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32), IndexDelay: 5 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	e := &engine{}
	s := jobs.New(store, e, c, nil)
	open := func(id, machine string, life time.Duration) jobs.Job {
		j := jobs.Job{ID: id, Machine: machine, Workspace: "ws", Account: "acc", Input: json.RawMessage(`{}`), QueuedAt: c.Now(), Deadline: c.Now().Add(life)}
		if err := store.Transact(t.Context(), "", s.Open(j)); err != nil {
			t.Fatal(err)
		}
		return j
	}
	settled := map[string]int{}
	expired := map[string]func(context.Context, jobs.Job) error{"m": func(ctx context.Context, j jobs.Job) error {
		settled[j.ID]++
		return store.Transact(ctx, "", s.Close(j))
	}}
	sweep := func() string {
		started, failed, err := s.Sweep(t.Context(), expired)
		return fmt.Sprintf("%d started, %d failed, trouble %v", started, failed, err != nil)
	}

	a := open("a", "m", 10*time.Minute)
	open("b", "m", time.Minute)
	if got := sweep(); got != "0 started, 0 failed, trouble false" {
		t.Errorf("young jobs are left to their own start: %s", got)
	}
	c.Advance(31 * time.Second)
	if got := sweep(); got != "2 started, 0 failed, trouble false" {
		t.Errorf("after 30 s: %s", got)
	}
	if err := store.Transact(t.Context(), "", s.Close(a)); err != nil {
		t.Fatal(err)
	}
	if err := store.Transact(t.Context(), "", s.Close(a)); err == nil {
		t.Error("a job was closed twice")
	}
	if got := sweep(); got != "1 started, 0 failed, trouble false" {
		t.Errorf("a closed job that the index still shows: %s", got)
	}
	c.Advance(time.Minute)
	if got := sweep(); got != "0 started, 1 failed, trouble false" || settled["b"] != 1 || len(e.stopped) != 1 {
		t.Errorf("past the deadline: %s, settled %v, stopped %v", got, settled, e.stopped)
	}
	open("c", "unknown", time.Second)
	open("d", "m", time.Hour)
	e.down = errors.New("away")
	c.Advance(time.Minute)
	if got := sweep(); got != "0 started, 0 failed, trouble true" {
		t.Errorf("trouble: %s", got)
	}
	e.down = nil
	if got := sweep(); got != "1 started, 0 failed, trouble true" {
		t.Errorf("one job's trouble must not keep the others waiting: %s", got)
	}
}
