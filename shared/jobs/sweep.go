package jobs

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

const (
	// Again is after how long a job that the sweeper started is started once
	// more, in case its engine has lost it.
	Again = 10 * time.Minute

	sweepers = 8 // jobs looked at at once

	// reserve is kept free before the deadline of a sweep's context, so that what
	// was begun ends; the rest waits for the next sweep.
	reserve = 5 * time.Second
)

// Sweep looks at every job that has been open for longer than Grace. One that
// is past its deadline is handed to expired[machine], which settles its record
// as failed and closes the job; its execution is then stopped. The others are
// started, and marked, so that the next sweeps leave them alone until Again has
// passed: starting what runs already changes nothing. It returns how many
// starts the engine took and how many jobs were failed; one job's trouble never
// keeps the others waiting, and comes back joined in err. A sweep that comes
// near its context's deadline ends without an error; the next one goes on.
func (s *Service) Sweep(ctx context.Context, expired map[string]func(context.Context, Job) error) (started, failed int, err error) {
	w := &sweep{Service: s, now: s.clock.Now(), expired: expired, held: s.heldSince()}
	err = w.run(ctx, w.now.Add(-Grace))
	return w.started, w.failed, err
}

// TakeOver is the first sweep of a process that begins to run the jobs of a
// store which nobody ran for a while: every open job has lost its starter, so
// it is started however young, and none is failed. From now on this Service's
// sweeps count the time that a job may take from here, if that is later: the
// time in which nobody ran it is not its own.
func (s *Service) TakeOver(ctx context.Context) (started int, err error) {
	now := s.clock.Now()
	s.held.Store(&now)
	w := &sweep{Service: s, now: now, held: now, takeOver: true}
	err = w.run(ctx, now)
	return w.started, err
}

func (s *Service) heldSince() time.Time {
	if at := s.held.Load(); at != nil {
		return *at
	}
	return time.Time{}
}

// sweep is one pass over the open jobs.
type sweep struct {
	*Service
	now, held time.Time
	expired   map[string]func(context.Context, Job) error
	takeOver  bool

	mu              sync.Mutex
	started, failed int
	problems        []error
}

// run looks at the jobs that were queued until then.
func (w *sweep) run(ctx context.Context, until time.Time) error {
	q := records.Query{Index: records.G1, PK: openPK, To: clock.Stamp(until) + "#~"}
	var g errgroup.Group
	g.SetLimit(sweepers)
	for {
		page, err := w.records.Query(ctx, q)
		if err != nil {
			w.note(didNothing, err)
			break
		}
		for _, it := range page.Items {
			if err := ctx.Err(); err != nil {
				_ = g.Wait()
				w.note(didNothing, err)
				return errors.Join(w.problems...)
			}
			if nearlyOver(ctx) {
				w.log.WarnContext(ctx, "sweep of jobs goes on next time")
				_ = g.Wait()
				return errors.Join(w.problems...)
			}
			if w.leaves(it) {
				continue
			}
			g.Go(func() error {
				w.note(w.one(ctx, it))
				return nil
			})
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			break
		}
	}
	_ = g.Wait() // no job's trouble is the sweep's
	return errors.Join(w.problems...)
}

// nearlyOver asks the real clock: a context's deadline is of that one.
func nearlyOver(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < reserve
}

func (w *sweep) note(did outcome, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err != nil {
		w.problems = append(w.problems, err)
	}
	switch did {
	case didStart:
		w.started++
	case didFail:
		w.failed++
	}
}

// leaves reports whether a job needs nothing now: it was started a while ago
// and has time left. The index tells; if it lags, the job is started once more.
func (w *sweep) leaves(it records.Item) bool {
	at, err := time.Parse(time.RFC3339, it.Fields[fieldStarted])
	if err != nil || w.takeOver || w.now.Sub(at) >= Again {
		return false
	}
	var j Job
	return json.Unmarshal(it.Body, &j) == nil && !w.past(j)
}

// past reports whether a job has used up its time. What passed before this
// process took the jobs over counts for none of it.
func (w *sweep) past(j Job) bool {
	if j.Deadline.IsZero() || w.takeOver {
		return false
	}
	until := j.Deadline
	if again := w.held.Add(j.Deadline.Sub(j.QueuedAt)); w.held.After(j.QueuedAt) && again.After(until) {
		until = again
	}
	return !w.now.Before(until)
}

type outcome int

const (
	didNothing outcome = iota
	didStart
	didFail
)

func (w *sweep) one(ctx context.Context, it records.Item) (outcome, error) {
	// The index may lag: the row itself says whether the job is still open.
	row, err := w.records.Get(ctx, it.Key)
	if errors.Is(err, records.ErrNotFound) {
		return didNothing, nil
	}
	if err != nil {
		return didNothing, err
	}
	var j Job
	if err := json.Unmarshal(row.Body, &j); err != nil {
		return didNothing, err
	}
	if !w.past(j) {
		if err := w.Start(ctx, j); err != nil {
			return didNothing, err
		}
		return didStart, w.mark(ctx, row)
	}
	fail := w.expired[j.Machine]
	if fail == nil {
		return didNothing, errors.New("jobs: nobody settles an expired job of machine " + j.Machine)
	}
	if err := fail(ctx, j); err != nil {
		return didNothing, err
	}
	// Whoever settles a record closes its job with it; of a record that is gone
	// the job goes here.
	if err := w.records.Delete(ctx, it.Key); err != nil {
		return didNothing, err
	}
	w.log.WarnContext(ctx, "job passed its deadline", "machine", j.Machine, "job", j.ID, "workspace", j.Workspace)
	if err := w.engine.Stop(ctx, j.Machine, j.ID, "deadline passed"); err != nil && !errors.Is(err, workflow.ErrNotFound) {
		return didFail, err
	}
	return didFail, nil
}

// mark notes in the job's row when it was started. A job that was closed
// meanwhile, or marked by another sweep, stays as it is.
func (w *sweep) mark(ctx context.Context, row records.Item) error {
	row.Fields = map[string]string{fieldStarted: clock.Stamp(w.now)}
	_, err := w.records.Put(ctx, row, records.VersionIs(row.Version))
	var lost *records.ConditionError
	if errors.As(err, &lost) {
		return nil
	}
	return err
}
