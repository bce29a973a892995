package study

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Settle adds the answers up and closes the question: completed, partial when
// some Minds gave none, failed when nobody did. Answers that were reserved and
// not given are refunded (M-73). Running it again changes nothing.
func (s *Service) Settle(ctx context.Context, in JobInput) (status string, err error) {
	return s.settle(ctx, in, "")
}

// Fail settles a question whose machine gave up: what was answered stays.
func (s *Service) Fail(ctx context.Context, in JobInput, reason string) (status string, err error) {
	text := "The question could not be finished. What was answered is shown; the rest was not charged. Ask again."
	switch reason {
	case string(fault.ModelConnectionStale), string(fault.ModelConnectionUnverified):
		text = "The model connection was changed, disabled or revoked, or stopped working, while the question ran (" + reason + "); nothing else answered in its place. What was answered is shown; the rest was not charged. Ask again with a verified connection."
	case "EngineChanged":
		text = "The respondent engine was replaced while the question ran, so it was stopped. What was answered is shown; the rest was not charged. Ask again."
	}
	return s.settle(ctx, in, text)
}

// Expire settles a question that is past its deadline; the sweeper calls it.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	var in JobInput
	if err := json.Unmarshal(j.Input, &in); err != nil {
		return err
	}
	// Settling asks for no allowance, so it needs no plan; an account that is gone
	// must not keep its questions open.
	p := account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"}
	_, err := s.settle(account.With(ctx, p), in, "The question did not finish in time. What was answered is shown; the rest was not charged. Ask again.")
	return err
}

// settle closes a question in two writes. The first ends the taking of answers:
// from then on no chunk is stored, so what the second adds up is what stays. A
// crash between the two leaves a question that any later settling finishes.
func (s *Service) settle(ctx context.Context, in JobInput, failure string) (string, error) {
	return s.settleAs(ctx, in, settling{Failure: failure})
}

func (s *Service) settleAs(ctx context.Context, in JobInput, how settling) (string, error) {
	status, err := s.settleRow(ctx, in, how)
	if err == nil {
		s.letGo(ctx, in)
	}
	return status, err
}

func (s *Service) settleRow(ctx context.Context, in JobInput, how settling) (string, error) {
	q, err := s.change(ctx, in, func(q *questionRow) error {
		if q.closed() {
			return errUnchanged
		}
		how.At = s.d.Clock.Now().Truncate(time.Millisecond)
		q.Settling = &how
		return nil
	})
	if err != nil || q.settled() {
		return q.Status, err
	}
	for {
		q, version, err := s.question(ctx, in.Study, in.Question)
		if err != nil {
			return "", err
		}
		if q.settled() {
			return q.Status, nil
		}
		if err := s.outcome(ctx, in.Workspace, &q); err != nil {
			return "", err
		}
		err = s.close(ctx, in.Workspace, q, version)
		var refused *records.CanceledError
		if !errors.As(err, &refused) || ctx.Err() != nil {
			return q.Status, err
		}
		// The row changed since it was read: look again, it is settled.
		if !refused.Failed(0) {
			return "", err
		}
	}
}

// outcome fills in what the answers add up to.
func (s *Service) outcome(ctx context.Context, ws string, q *questionRow) error {
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return err
	}
	answers, err := s.answersOf(ctx, ws, *q, who)
	if err != nil {
		return err
	}
	failure := q.Settling.Failure
	r := settleFigures(q.Asked, who, answers)
	q.Answered, q.Failed = r.All.Base.Answered, r.All.Base.Failed
	q.Evidence = &r.All.Evidence
	switch {
	case q.Settling.Stopped:
		q.Status, q.Error = Cancelled, failure
	case q.Answered == 0:
		q.Status = Failed
		if q.Error = failure; failure == "" {
			q.Error = "No Mind could answer this question; " + reasonText(answers)
		}
	case q.Failed > 0:
		q.Status, q.Error = Partial, failure
	default:
		q.Status = Completed
	}
	if raw, err := json.Marshal(audienceResults(*q, who, r, answers)); err == nil {
		q.Bytes = len(raw)
	}
	now := s.d.Clock.Now().Truncate(time.Millisecond)
	q.CompletedAt = now
	if q.Status == Cancelled {
		q.event("run.cancelled", now, EventPayload{Status: q.Status})
	}
	q.event("item.settled", now, EventPayload{ItemID: q.ID, Status: q.Status})
	progress := q.run().Progress
	q.event("run.settled", now, EventPayload{Status: q.Status, Progress: &progress})
	q.Result, err = s.pack(ctx, ws, r, resultRoom)
	return err
}

// resultRoom keeps rows with figures small, since a Study's questions are read
// together.
const resultRoom = 60 << 10

// close writes the settled row, gives back what was not used and closes the job.
func (s *Service) close(ctx context.Context, ws string, q questionRow, version int64) error {
	actions := []records.Action{
		records.PutItem(q.item(ws), records.VersionIs(version)),
		s.d.Jobs.Close(q.job(ws)),
		touch(ws, q.StudyID, q.CompletedAt),
	}
	unused := q.Minds - q.Answered
	if unused <= 0 {
		return s.d.Records.Transact(ctx, "", actions...)
	}
	refund, err := s.d.Accounts.RefundResponses(ctx, int64(unused), q.ReservedAt)
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "", append(actions, refund)...)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(len(actions)) && !refused.Failed(0) {
		// The meter has less than is to be given back: somebody reset it. That is
		// the operator's matter, and no reason to keep the answers from anybody.
		s.d.Log.ErrorContext(ctx, "responses could not be given back", "workspace", ws, "question", q.ID, "responses", unused)
		return s.d.Records.Transact(ctx, "", actions...)
	}
	return err
}

// reasonText says why nobody answered.
func reasonText(answers []*simulate.Answer) string {
	for _, a := range answers {
		if a == nil {
			continue
		}
		switch a.Reason {
		case simulate.ReasonNeedsVision:
			return "it needs to be seen, and no model that sees is connected."
		case simulate.ReasonNoEvidence:
			return "nothing that they know supports an answer."
		case "mind_unavailable":
			return "the Minds do not exist any more."
		}
	}
	return "nothing was charged. Ask again."
}
