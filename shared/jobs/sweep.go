package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Sweep looks at every job that has been open for longer than Grace. One that
// is past its deadline is handed to expired[machine], which settles its record
// as failed and closes the job; its execution is then stopped. The others are
// started: starting what runs already changes nothing. It returns how many
// starts the engine took and how many jobs were failed; one job's trouble never
// keeps the others waiting, and comes back joined in err.
func (s *Service) Sweep(ctx context.Context, expired map[string]func(context.Context, Job) error) (started, failed int, err error) {
	now := s.clock.Now()
	q := records.Query{Index: records.G1, PK: openPK, To: clock.Stamp(now.Add(-Grace)) + "#~"}
	var problems []error
	for {
		page, err := s.records.Query(ctx, q)
		if err != nil {
			return started, failed, errors.Join(append(problems, err)...)
		}
		for _, it := range page.Items {
			if err := ctx.Err(); err != nil {
				return started, failed, errors.Join(append(problems, err)...)
			}
			did, err := s.sweepOne(ctx, it, expired)
			if err != nil {
				problems = append(problems, err)
			}
			switch did {
			case didStart:
				started++
			case didFail:
				failed++
			}
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return started, failed, errors.Join(problems...)
		}
	}
}

type outcome int

const (
	didNothing outcome = iota
	didStart
	didFail
)

func (s *Service) sweepOne(ctx context.Context, it records.Item, expired map[string]func(context.Context, Job) error) (outcome, error) {
	// The index may lag: the row itself says whether the job is still open.
	row, err := s.records.Get(ctx, it.Key)
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
	if j.Deadline.IsZero() || s.clock.Now().Before(j.Deadline) {
		if err := s.Start(ctx, j); err != nil {
			return didNothing, err
		}
		return didStart, nil
	}
	fail := expired[j.Machine]
	if fail == nil {
		return didNothing, errors.New("jobs: nobody settles an expired job of machine " + j.Machine)
	}
	if err := fail(ctx, j); err != nil {
		return didNothing, err
	}
	s.log.WarnContext(ctx, "job passed its deadline", "machine", j.Machine, "job", j.ID, "workspace", j.Workspace)
	if err := s.engine.Stop(ctx, j.Machine, j.ID, "deadline passed"); err != nil && !errors.Is(err, workflow.ErrNotFound) {
		return didFail, err
	}
	return didFail, nil
}
