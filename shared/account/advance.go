package account

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// advanceTime is how long an advance may be open: more than any answer takes.
const advanceTime = 15 * time.Minute

// Advance is a number of responses that were taken before the work which they pay
// for, where nothing else writes down that the work is under way. It stands in
// the store until it is kept or returned, so that a process that ends in between
// costs nobody anything: SweepAdvances returns what is left.
type Advance struct {
	s   *Service
	row advanceRow
}

type advanceRow struct {
	ID        string    `json:"id"`
	Workspace string    `json:"workspace"`
	N         int64     `json:"n"`
	At        time.Time `json:"at"`
}

func (r advanceRow) key() records.Key { return advanceKey(r.Workspace, r.ID) }

// TakeResponses takes n answers from the allowance of the month of at:
// PLAN_LIMIT when they do not fit, USAGE_METERING_UNAVAILABLE when that cannot be
// written; then nothing was charged.
func (s *Service) TakeResponses(ctx context.Context, n int64, at time.Time) (*Advance, error) {
	charge, err := s.ReserveResponses(ctx, n, at)
	if err != nil {
		return nil, err
	}
	row := advanceRow{ID: s.ids.NewID(), Workspace: From(ctx).Workspace, N: n, At: at}
	body, err := json.Marshal(row)
	if err != nil {
		return nil, err
	}
	err = s.records.Transact(ctx, "", charge, records.PutItem(records.Item{
		Key: row.key(), G1PK: advancesPK, G1SK: advanceSK(at, row.ID), Body: body,
	}, records.NotExists()))
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(0) {
		return nil, s.PlanLimit(ctx, Responses, n)
	}
	if err != nil {
		return nil, meterDown(err)
	}
	return &Advance{s: s, row: row}, nil
}

// Keep says that the work was done and is paid for. One that a sweep returned
// meanwhile stays returned.
func (a *Advance) Keep(ctx context.Context) error {
	return a.s.records.Delete(ctx, a.row.key())
}

// Return gives back what was taken, once, however often it is called.
func (a *Advance) Return(ctx context.Context) error { return a.s.refund(ctx, a.row) }

func (s *Service) refund(ctx context.Context, row advanceRow) error {
	err := s.records.Transact(ctx, "",
		records.DeleteItem(row.key(), records.Exists()),
		records.AddTo(responsesKey(row.Workspace, row.At), records.Delta{By: -row.N, Floor: records.Bound(0)}))
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(0) {
		return nil // kept or returned before
	}
	return err
}

// SweepAdvances returns what processes that ended left open, oldest first, in
// every workspace.
func (s *Service) SweepAdvances(ctx context.Context) (returned int, err error) {
	q := records.Query{Index: records.G1, PK: advancesPK, To: clock.Stamp(s.clock.Now().Add(-advanceTime)), Limit: 100}
	for {
		page, err := s.records.Query(ctx, q)
		if err != nil {
			return returned, err
		}
		for _, it := range page.Items {
			var row advanceRow
			if err := json.Unmarshal(it.Body, &row); err != nil {
				return returned, err
			}
			if err := s.refund(ctx, row); err != nil {
				return returned, err
			}
			returned++
		}
		if q.Cursor = page.Cursor; q.Cursor == "" {
			return returned, nil
		}
	}
}
