package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Cancel stops the run of one question: it takes no more answers, what was answered
// stays and is shown, and the rest is not charged. Repeated, it answers the same.
// NOT_FOUND; DRAFT_CONSUMED (409) for a run that had ended by itself.
func (s *Service) Cancel(ctx context.Context, runID string) (Run, error) {
	q, err := s.byRun(ctx, runID)
	if err != nil {
		return Run{}, err
	}
	if !q.settled() {
		in := JobInput{Job: q.JobID, Workspace: account.From(ctx).Workspace, Account: q.Owner, Study: q.StudyID, Question: q.ID}
		how := settling{Stopped: true, Failure: "The question was stopped before everybody had answered. What was answered is shown; the rest was not charged."}
		if _, err := s.settleAs(ctx, in, how); err != nil {
			return Run{}, err
		}
		if q, _, err = s.question(ctx, q.StudyID, q.ID); err != nil {
			return Run{}, err
		}
	}
	if q.Status != Cancelled {
		return Run{}, fault.New(fault.DraftConsumed, "The run has ended already (%s); there is nothing to cancel.", q.Status).With("status", q.Status)
	}
	return q.run(), nil
}
