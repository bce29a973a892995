package audience

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// fail settles an operation as failed: what it counted and did not make is given
// back, and an Audience that is there already becomes failed, with the members
// that were made, in one transaction (M-56). Nothing is done for one that is
// settled.
func (s *Service) fail(ctx context.Context, o operation, why *fault.Error) error {
	for range changeAttempts {
		if o.settled() {
			return nil
		}
		e := &OperationError{Code: string(why.Code), Message: why.Message, Retryable: why.Retryable() || why.Code == fault.Internal}
		if e.Code == string(fault.Internal) {
			e.Message = "The Audience could not be made because of a mistake on our side. Repeat the same arguments: what was made already is kept."
		}
		execution := o.job(s.d.Clock.Now())
		o.Status, o.Error = OperationFailed, e
		extra := []records.Action{s.d.Jobs.Discard(execution)}
		p := account.From(ctx)
		if o.HeldMinds > 0 {
			a, err := s.d.Accounts.Hold(p, account.Minds, -int64(o.HeldMinds))
			if err != nil {
				return err
			}
			extra, o.HeldMinds = append(extra, a...), 0
		}
		if o.HeldOne {
			a, err := s.d.Accounts.Hold(p, account.Audiences, -1)
			if err != nil {
				return err
			}
			extra, o.HeldOne = append(extra, a...), false
		}
		if o.HasRow {
			rows, err := s.failed(ctx, o, e)
			if err != nil {
				return err
			}
			extra = append(extra, rows...)
		}
		err := s.step(ctx, &o, extra...)
		var lost *records.CanceledError
		if err == nil || !errors.Is(err, errMoved) && !errors.As(err, &lost) {
			return err
		}
		if o, err = s.operation(ctx, "operation", o.ID); err != nil {
			return ended(err)
		}
	}
	return records.ErrConflict
}

// failed are the actions that make the operation's Audience failed; none when it
// was deleted.
func (s *Service) failed(ctx context.Context, o operation, e *OperationError) ([]records.Action, error) {
	was, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return nil, ended(err)
	}
	a := was
	a.State, a.Failure = Failed, &Failure{Code: e.Code, Message: e.Message, Retryable: e.Retryable}
	if o.Plan != nil && o.Made > 0 {
		var p plan
		if err := s.getJSON(ctx, *o.Plan, &p); err != nil {
			return nil, err
		}
		a.MemberIDs = p.ids(o.Made)
	}
	return rewritten(was, a)
}

// ended takes what is gone for done.
func ended(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// FailCreation settles an operation whose execution gave up.
func (s *Service) FailCreation(ctx context.Context, j CreationJob, outOfTime bool) error {
	o, mine, err := s.running(ctx, j)
	if err != nil || !mine {
		return err
	}
	why := fault.New(fault.Internal, "")
	if outOfTime {
		why = fault.New(fault.DeadlineExceeded, "The operation took too long and was ended. Repeat the same arguments: what was made already is kept.")
	}
	return s.fail(ctx, o, why)
}

// ExpireCreation settles an operation that is past its deadline.
func (s *Service) ExpireCreation(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	ctx = account.With(ctx, p)
	var in CreationJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	if err := s.FailCreation(ctx, in, true); err != nil {
		return err
	}
	// A row that the operation no longer knows goes too.
	return s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(j))
}
