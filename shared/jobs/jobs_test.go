package jobs_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/records/sqlite"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

type engine struct {
	workflow.Engine
	mu      sync.Mutex
	down    error
	started []string
	stopped []string
}

func (e *engine) Start(_ context.Context, _, name string, _ json.RawMessage) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.down == nil {
		e.started = append(e.started, name)
	}
	return e.down
}

func (e *engine) Stop(_ context.Context, _, name, _ string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
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
		t.Errorf("a closed job that the index still shows, and one whose mark it does not show yet: %s", got)
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

// world is a store with an engine, and jobs to open in it.
type world struct {
	*jobs.Service
	t     *testing.T
	clock *clock.Held
	store *counting
	e     *engine
}

type counting struct {
	records.Store
	ops atomic.Int64
}

func (c *counting) Get(ctx context.Context, k records.Key) (records.Item, error) {
	c.ops.Add(1)
	return c.Store.Get(ctx, k)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	store, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "r.db"), sqlite.Options{Clock: c, CursorKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	w := &world{t: t, clock: c, store: &counting{Store: store}, e: &engine{}}
	w.Service = jobs.New(w.store, w.e, c, nil)
	return w
}

func (w *world) open(id string, life time.Duration) {
	w.t.Helper()
	j := jobs.Job{ID: id, Machine: "m", Workspace: "ws", Input: json.RawMessage(`{}`), QueuedAt: w.clock.Now(), Deadline: w.clock.Now().Add(life)}
	if err := w.store.Transact(w.t.Context(), "", w.Open(j)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) sweep(ctx context.Context) string {
	w.t.Helper()
	started, failed, err := w.Sweep(ctx, map[string]func(context.Context, jobs.Job) error{"m": func(ctx context.Context, j jobs.Job) error {
		return w.store.Transact(ctx, "", w.Close(j))
	}})
	if err != nil {
		w.t.Error(err)
	}
	return fmt.Sprintf("%d started, %d failed", started, failed)
}

// A job that a sweep started costs the next ones nothing, until so much time
// has passed that its engine may have lost it.
func TestStartedJobsAreLeftAlone(t *testing.T) {
	w := newWorld(t)
	for i := range 40 {
		w.open(fmt.Sprint("job-", i), time.Hour)
	}
	w.clock.Advance(jobs.Grace + time.Second)
	if got := w.sweep(t.Context()); got != "40 started, 0 failed" {
		t.Fatal(got)
	}
	w.store.ops.Store(0)
	for range 9 {
		w.clock.Advance(time.Minute)
		if got := w.sweep(t.Context()); got != "0 started, 0 failed" {
			t.Fatal(got)
		}
	}
	if n := w.store.ops.Load(); n > 0 || len(w.e.started) != 40 {
		t.Errorf("%d reads, %d starts", n, len(w.e.started))
	}
	w.clock.Advance(time.Minute)
	if got := w.sweep(t.Context()); got != "40 started, 0 failed" {
		t.Errorf("after a long silence: %s", got)
	}
	w.clock.Advance(time.Hour)
	if got := w.sweep(t.Context()); got != "0 started, 40 failed" {
		t.Errorf("past the deadline: %s", got)
	}
}

// The time in which no process ran the jobs is not theirs: whoever takes them
// over starts all, fails none, and gives each its whole time from then on.
func TestDowntimeIsNoRunningTime(t *testing.T) {
	w := newWorld(t)
	w.open("old", 15*time.Minute)
	w.clock.Advance(31 * time.Second)
	w.sweep(t.Context())
	w.clock.Advance(3 * time.Hour) // nobody runs the jobs
	w.open("young", 15*time.Minute)
	next := jobs.New(w.store, w.e, w.clock, nil)
	w.Service, w.e.started = next, nil
	if started, err := w.TakeOver(t.Context()); err != nil || started != 2 {
		t.Fatalf("%d started, %v", started, err)
	}
	w.clock.Advance(14 * time.Minute)
	if got := w.sweep(t.Context()); got != "2 started, 0 failed" {
		t.Errorf("within its time: %s", got)
	}
	w.clock.Advance(time.Minute)
	if got := w.sweep(t.Context()); got != "0 started, 2 failed" {
		t.Errorf("past its time: %s", got)
	}
	// Without a take-over the deadline is what it is.
	w.open("late", time.Minute)
	w.clock.Advance(time.Hour)
	if got := w.sweep(t.Context()); got != "0 started, 1 failed" {
		t.Error(got)
	}
}

// A sweep whose time is nearly over begins nothing more, and is no failure.
func TestSweepEndsBeforeItsDeadline(t *testing.T) {
	w := newWorld(t)
	w.open("a", time.Hour)
	w.clock.Advance(time.Minute)
	short, cancel := context.WithTimeout(t.Context(), 3*time.Second)
	defer cancel()
	if got := w.sweep(short); got != "0 started, 0 failed" {
		t.Error(got)
	}
	if got := w.sweep(t.Context()); got != "1 started, 0 failed" {
		t.Error(got)
	}
}

// A job whose record is gone has nobody who closes it: it ends with its time.
func TestAJobWithoutARecordEnds(t *testing.T) {
	w := newWorld(t)
	w.open("orphan", time.Minute)
	w.clock.Advance(time.Hour)
	nothing := map[string]func(context.Context, jobs.Job) error{"m": func(context.Context, jobs.Job) error { return nil }}
	if _, failed, err := w.Sweep(t.Context(), nothing); failed != 1 || err != nil {
		t.Fatal(failed, err)
	}
	if started, failed, err := w.Sweep(t.Context(), nothing); started+failed != 0 || err != nil {
		t.Errorf("%d started, %d failed, %v", started, failed, err)
	}
	// What is taken away with its record may be closed already.
	j := jobs.Job{ID: "a", Machine: "m", Workspace: "ws", Input: json.RawMessage(`{}`)}
	for range 2 {
		if err := w.store.Transact(t.Context(), "", w.Discard(j)); err != nil {
			t.Error(err)
		}
	}
	if err := w.store.Transact(t.Context(), "", w.StillOpen(j)); err == nil {
		t.Error("a job that is closed counts as open")
	}
}
