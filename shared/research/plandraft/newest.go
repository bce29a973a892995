package plandraft

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/planner"
)

// Newest is a draft at its newest revision, for who is to run it.
type Newest struct {
	ID       string
	Revision int
	RunID    string // the run that it was confirmed for; empty while it was not
	Plan     planner.Plan
}

// Newest reads a draft of a Study that the caller has opened; NOT_FOUND.
func (s *Service) Newest(ctx context.Context, studyID, draft string) (Newest, error) {
	row, err := s.load(ctx, studyID, draft)
	if err != nil {
		return Newest{}, err
	}
	p, err := s.plan(ctx, row.current())
	if err != nil {
		return Newest{}, err
	}
	out := Newest{ID: row.ID, Revision: row.current().N, Plan: p}
	if row.Status == Confirmed {
		out.RunID = row.RunID
	}
	return out, nil
}
