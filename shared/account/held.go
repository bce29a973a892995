package account

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Long creations count what they will make when they are admitted, so that a plan
// refuses them before anything is made. What is counted and not made yet is held:
// it fills the allowance, and lists do not count it.

// Hold counts by of what (Minds, Audiences) before they are made, as a part of the
// caller's transaction; a failed condition of the first action means that they do
// not fit: answer it with PlanLimit. By below zero gives held ones back unmade.
func (s *Service) Hold(p Principal, what Counter, by int64) ([]records.Action, error) {
	count, err := s.Count(p, what, by)
	if err != nil {
		return nil, err
	}
	return []records.Action{count, s.held(p, what, by)}, nil
}

// Made turns by held ones into owned ones, in the transaction that writes them;
// below zero, what was made is held again.
func (s *Service) Made(p Principal, what Counter, by int64) (records.Action, error) {
	if what != Minds && what != Audiences {
		return records.Action{}, errors.New("account: nothing of " + string(what) + " is held")
	}
	return s.held(p, what, -by), nil
}

func (s *Service) held(p Principal, what Counter, by int64) records.Action {
	return records.AddTo(heldKey(p.Workspace, p.Account, what), records.Delta{By: by, Floor: records.Bound(0)})
}

// Owned reads a counter: what the principal owns now, without what is held.
func (s *Service) Owned(ctx context.Context, what Counter) (int64, error) {
	p := From(ctx)
	switch what {
	case Minds, Audiences:
	default:
		return s.read(ctx, usageKey(p.Workspace, p.Account, what))
	}
	rows, err := s.records.BatchGet(ctx, []records.Key{usageKey(p.Workspace, p.Account, what), heldKey(p.Workspace, p.Account, what)})
	if err != nil {
		return 0, err
	}
	var n int64
	for _, it := range rows {
		if it.SK == heldKey(p.Workspace, p.Account, what).SK {
			n -= it.N
		} else {
			n += it.N
		}
	}
	return n, nil
}

// Room is how many more of what the plan allows, with what is held; nil is no
// limit.
func (s *Service) Room(ctx context.Context, what Counter) (*int64, error) {
	p := From(ctx)
	limit := s.plans.Of(p.Plan).Of(what)
	if limit == nil {
		return nil, nil
	}
	used, err := s.read(ctx, usageKey(p.Workspace, p.Account, what))
	if err != nil {
		return nil, err
	}
	left := max(*limit-used, 0)
	return &left, nil
}
