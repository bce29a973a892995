package account

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Counter is a limitType of M-101.
type Counter string

// The counters.
const (
	Minds           Counter = "minds"
	Audiences       Counter = "audiences"
	AudienceMembers Counter = "audienceMembers" // compared, never counted
	Flows           Counter = "flows"
	Messages        Counter = "messages" // compared, never counted
	Responses       Counter = "responses"
	Validations     Counter = "validations"
	Exports         Counter = "exports" // allowed or not

	DatasetSegmentation Counter = "datasetSegmentation" // allowed or not
	TeamSharing         Counter = "teamSharing"         // allowed or not
	Heatmaps            Counter = "heatmaps"
	APIKeys             Counter = "apiKeys"
)

// Count changes what the principal owns (Minds, Audiences, Flows) by the given
// number, as a part of the caller's transaction. Taking is refused (failed
// condition) above the plan's allowance, giving back never below zero; answer a
// refusal with PlanLimit.
func (s *Service) Count(p Principal, what Counter, by int64) (records.Action, error) {
	switch what {
	case Minds, Audiences, Flows:
	default:
		return records.Action{}, errors.New("account: " + string(what) + " is no counter of what an account owns")
	}
	d := records.Delta{By: by, Floor: records.Bound(0)}
	if by > 0 {
		d.Ceil = s.plans.Of(p.Plan).Of(what)
	}
	return records.AddTo(usageKey(p.Workspace, p.Account, what), d), nil
}

// PlanLimit is the refusal of M-102 for the caller: 403 with the allowance, what
// is used, and what was asked for.
func (s *Service) PlanLimit(ctx context.Context, what Counter, requested int64) *fault.Error {
	p := From(ctx)
	limit := s.plans.Of(p.Plan).Of(what)
	var n int64
	if limit != nil {
		n = *limit
	}
	f := fault.New(fault.PlanLimit, "The plan %s allows %s. %s", p.Plan, allowance(what, n), wayOut(what)).
		With("limitType", string(what)).With("currentPlan", string(p.Plan)).With("limit", n)
	if requested > 0 {
		f = f.With("requested", requested)
	}
	switch what {
	case Minds, Audiences, Flows:
		if used, err := s.read(ctx, usageKey(p.Workspace, p.Account, what)); err == nil {
			f = f.With("current", used)
		}
		if requested > 0 {
			f = f.With("itemsToCreate", requested)
		}
	case Responses:
		now := s.clock.Now()
		if used, err := s.read(ctx, responsesKey(p.Workspace, now)); err == nil {
			f = f.With("current", used)
		}
		f = f.With("periodEnd", clock.Stamp(periodEnd(now)))
	}
	return f
}

// ReserveResponses takes n answers from the workspace's allowance of the
// calendar month (UTC) of at, as a part of the caller's transaction; a failed
// condition means that they do not fit: answer it with PlanLimit(Responses, n).
// Keep at: RefundResponses takes it, so that both speak of the same month.
func (s *Service) ReserveResponses(ctx context.Context, n int64, at time.Time) (records.Action, error) {
	if n < 0 {
		return records.Action{}, errors.New("account: responses to reserve are not negative")
	}
	p := From(ctx)
	return records.AddTo(responsesKey(p.Workspace, at), records.Delta{
		By: n, Floor: records.Bound(0), Ceil: s.plans.Of(p.Plan).Of(Responses),
	}), nil
}

// RefundResponses gives n answers back to the month in which they were
// reserved, as a part of the caller's transaction.
func (s *Service) RefundResponses(ctx context.Context, n int64, reservedAt time.Time) (records.Action, error) {
	if n < 0 {
		return records.Action{}, errors.New("account: responses to refund are not negative")
	}
	p := From(ctx)
	return records.AddTo(responsesKey(p.Workspace, reservedAt), records.Delta{By: -n, Floor: records.Bound(0)}), nil
}

// ResponsesUsed tells how many answers the workspace has taken this month.
func (s *Service) ResponsesUsed(ctx context.Context) (int64, error) {
	used, err := s.read(ctx, responsesKey(From(ctx).Workspace, s.clock.Now()))
	if err != nil {
		return 0, meterDown(err)
	}
	return used, nil
}

// ResponsesLeft tells how many answers the workspace may still ask this month;
// nil is no limit.
func (s *Service) ResponsesLeft(ctx context.Context) (*int64, error) {
	p := From(ctx)
	limit := s.plans.Of(p.Plan).Of(Responses)
	if limit == nil {
		return nil, nil
	}
	used, err := s.ResponsesUsed(ctx)
	if err != nil {
		return nil, err
	}
	left := max(*limit-used, 0)
	return &left, nil
}

func (s *Service) read(ctx context.Context, k records.Key) (int64, error) {
	it, err := s.records.Get(ctx, k)
	if errors.Is(err, records.ErrNotFound) {
		return 0, nil
	}
	return it.N, err
}

func meterDown(err error) error {
	return fault.New(fault.UsageMeteringUnavailable,
		"The meter of synthetic responses cannot be reached; nothing was generated or charged. Try again later.").Because(err)
}

// periodEnd is the first moment of the next calendar month, UTC.
func periodEnd(t time.Time) time.Time {
	t = t.UTC()
	return time.Date(t.Year(), t.Month()+1, 1, 0, 0, 0, 0, time.UTC)
}
