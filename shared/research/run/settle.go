package run

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// settleItem adds up the item that is being answered, gives back what was reserved
// for answers that did not come (M-73), and makes the run ready for the next. status
// overrides what the answers add up to, for an item that was cut short.
func (s *Service) settleItem(ctx context.Context, ws string, row runRow, version int64, status string) error {
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	q := k.exec.Items[row.Current-1]
	it, err := s.itemAt(ctx, ws, row.ID, row.Current)
	if err != nil {
		return err
	}
	answers, size, err := s.stored(ctx, ws, row, row.Current)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if it.Asked[i] == ask && a.S == string(stateAnswered) {
			it.Answered++
		}
	}
	it.Failed, it.Bytes = it.Reserved-it.Answered, size
	switch {
	case status != "" && it.Failed > 0:
		it.Status = status
	case it.Answered == 0:
		it.Status = Failed
	case it.Failed > 0:
		it.Status = Partial
	default:
		it.Status = Completed
	}
	art := artifact(k.roll, q, it, answers)
	raw, err := encode(art)
	if err != nil {
		return err
	}
	if it.Result, err = s.pack(ctx, ws, raw, inlineLimit/2); err != nil {
		return err
	}
	var t simulate.Tally
	if row.Evidence != nil {
		t.Merge(*row.Evidence)
	}
	t.Merge(art.Evidence)
	evidence := t.Summary()
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	row.Evidence, row.Current = &evidence, 0
	row.Answered, row.Asked, row.Bytes = row.Answered+it.Answered, row.Asked+it.Reserved, row.Bytes+size
	row.counted(it.Status)
	p := row.Progress
	event := row.note(ws, "item.settled", now, EventPayload{ItemID: q.ID, Status: it.Status, Progress: &p})
	put, err := it.record(ws, row.ID)
	if err != nil {
		return err
	}
	actions := []records.Action{records.PutItem(row.item(ws), records.VersionIs(version)), put, event}
	if it.Failed == 0 {
		return s.d.Records.Transact(ctx, "", actions...)
	}
	refund, err := s.d.Accounts.RefundResponses(ctx, int64(it.Failed), it.ReservedAt)
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append(actions, refund)...)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(len(actions)) && !refused.Failed(0) {
		// The meter has less than is to be given back: somebody reset it. That is the
		// operator's matter, and no reason to keep the answers from anybody.
		s.d.Log.ErrorContext(ctx, "responses could not be given back", "workspace", ws, "run", row.ID, "responses", it.Failed)
		return s.d.Records.Transact(ctx, "", actions...)
	}
	return err
}

// Conclude ends the run: it takes no answers any more, computes what the methods of
// the plan give, and settles. Running it again changes nothing.
func (s *Service) Conclude(ctx context.Context, in JobInput) (status string, err error) {
	return s.conclude(ctx, in, ending{})
}

// Fail ends a run whose machine gave up: what is finished stays.
func (s *Service) Fail(ctx context.Context, in JobInput, reason string) (status string, err error) {
	f := &Failure{Code: string(fault.Internal), Message: "The run could not be finished. What was answered is shown; the rest was not charged. Plan a new draft for the rest."}
	switch reason {
	case string(fault.ModelConnectionStale), string(fault.ModelConnectionUnverified):
		f = &Failure{Code: reason, Message: "The model connection was changed, disabled or revoked, or stopped working, while the run went on; nothing else answered in its place. What was answered is shown; the rest was not charged."}
	case "EngineChanged":
		f.Message = "The respondent engine was replaced while the run went on, so it was stopped. What was answered is shown; the rest was not charged."
	}
	return s.conclude(ctx, in, ending{Failure: f})
}

// Expire ends a run that is past its deadline; the sweeper calls it.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in JobInput
	if err := json.Unmarshal(j.Input, &in); err != nil {
		return err
	}
	p := account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"}
	_, err := s.conclude(account.With(ctx, p), in, ending{Failure: &Failure{Code: string(fault.DeadlineExceeded), Message: "The run did not finish in time. What was answered is shown; the rest was not charged."}})
	return err
}

// Cancel asks a run to stop: it ends at once, what is finished stays, and nothing
// more is charged. Repeated, it answers the same; STUDY_RUN_ACTIVE never, but
// VALIDATION for a run that had ended by itself.
func (s *Service) Cancel(ctx context.Context, runID string) (Summary, error) {
	row, err := s.visible(ctx, runID)
	if err != nil {
		return Summary{}, err
	}
	if row.settled() && row.Status != Cancelled {
		return Summary{}, fault.New(fault.DraftConsumed, "The run has ended already (%s); there is nothing to cancel.", row.Status).With("status", row.Status)
	}
	in := JobInput{Job: row.ID, Workspace: account.From(ctx).Workspace, Account: row.Owner, Study: row.StudyID}
	if _, err := s.conclude(ctx, in, ending{Status: Cancelled}); err != nil {
		return Summary{}, err
	}
	return s.Summary(ctx, row.ID)
}

// conclude ends a run in steps, each of which may be the last before a crash: the
// first ends the taking of answers, so that what the others add up is what stays.
func (s *Service) conclude(ctx context.Context, in JobInput, how ending) (string, error) {
	err := s.change(ctx, in, func(r *runRow, now time.Time) ([]records.Action, error) {
		if r.closed() {
			return nil, errUnchanged
		}
		how.At = now
		r.Ending = &how
		if how.Status == Cancelled {
			return []records.Action{r.note(in.Workspace, "run.cancelled", now, EventPayload{Status: Cancelled})}, nil
		}
		return nil, nil
	})
	if err != nil {
		return "", err
	}
	for {
		row, version, err := s.job(ctx, in)
		if err != nil {
			return "", err
		}
		if row.settled() {
			if version != 0 {
				s.letGo(ctx, in.Workspace, row)
			}
			return row.Status, nil
		}
		if row.Current > 0 {
			status := ""
			if row.Ending.Status == Cancelled {
				status = Cancelled
			}
			err = s.settleItem(ctx, in.Workspace, row, version, status)
		} else {
			err = s.close(ctx, in.Workspace, row, version)
		}
		var refused *records.CanceledError
		if errors.As(err, &refused) && refused.Failed(0) && ctx.Err() == nil {
			continue // somebody else was quicker: look again
		}
		if err != nil {
			return "", err
		}
	}
}

// close writes the settled run and closes its job.
func (s *Service) close(ctx context.Context, ws string, row runRow, version int64) error {
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	e := row.Ending
	row.Failure = e.Failure
	switch {
	case e.Status != "":
		row.Status = e.Status
	case row.Asked > 0 && row.Answered == 0, row.Progress.Settled == 0:
		row.Status = Failed
	case e.Failure != nil, row.Progress.Failed+row.Progress.Partial > 0, row.Progress.Settled < row.Total:
		row.Status = Partial
	default:
		row.Status = Completed
	}
	if row.Status == Failed && row.Failure == nil {
		row.Failure = &Failure{Code: "NO_ANSWERS", Message: "No Mind could answer any question; nothing was charged."}
	}
	ask := row.stage(stageAsk)
	switch {
	case row.Progress.Settled == row.Total:
		*ask = ask.ended("completed", "", now)
	case row.StartedAt.IsZero():
		*ask = ask.ended("skipped", "The run ended before it began.", now)
		*row.stage(stagePrepare) = row.stage(stagePrepare).ended("skipped", "The run ended before it began.", now)
	default:
		*ask = ask.ended("failed", fmt.Sprintf("%d of %d items were settled.", row.Progress.Settled, row.Total), now)
	}
	var events []records.Action
	if !row.StartedAt.IsZero() {
		if err := s.compute(ctx, ws, &row, now, &events); err != nil {
			return err
		}
	} else {
		for i := range row.Stages {
			if st := &row.Stages[i]; st.Status == "pending" {
				*st = st.ended("skipped", "The run ended before it began.", now)
			}
		}
	}
	row.CompletedAt = now
	p := row.Progress
	events = append(events, row.note(ws, "run.settled", now, EventPayload{Status: row.Status, Progress: &p}))
	actions := append([]records.Action{records.PutItem(row.item(ws), records.VersionIs(version)), s.d.Jobs.Discard(row.job(ws))}, events...)
	return s.d.Records.Transact(ctx, "", actions...)
}

// letGo ends the leases of a settled run. What cannot be let go ends by itself, so a
// failure is logged and is none of the run.
func (s *Service) letGo(ctx context.Context, ws string, row runRow) {
	if s.d.Leases == nil {
		return
	}
	roll, err := s.roll(ctx, ws, row.ID)
	if err == nil {
		for _, id := range audienceIDs(roll) {
			if e := s.d.Leases.Release(ctx, id, row.ID); e != nil {
				err = e
			}
		}
	}
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		s.d.Log.WarnContext(ctx, "a run did not let its Audiences go", "workspace", ws, "run", row.ID, "error", err)
	}
}
