package study

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// answerers bounds how many Minds of a chunk answer at once; for the offline
// engine that is a matter of cores, for a model of its connections.
const answerers = 8

// ErrEngineChanged says that another engine than the one pinned to the question
// would answer; it never does (M-301).
var ErrEngineChanged = errors.New("study: the respondent engine is not the one of the question")

// Prepare starts a queued question and gives the chunks to answer: 0, 1, 2, …
// None if it is settled. Running it again gives the same.
func (s *Service) Prepare(ctx context.Context, in JobInput) (chunks []int, err error) {
	q, _, err := s.question(ctx, in.Study, in.Question)
	if err != nil || q.settled() {
		return []int{}, err
	}
	if err := s.writeChunks(ctx, in.Workspace, q); err != nil {
		return nil, err
	}
	q, err = s.change(ctx, in, func(q *questionRow) error {
		if q.Status != Queued {
			return errUnchanged
		}
		now := s.d.Clock.Now()
		q.Status = Running
		q.event("run.started", now, EventPayload{Status: Running})
		q.event("item.started", now, EventPayload{ItemID: q.ID, Status: Running})
		return nil
	})
	if err != nil || q.settled() {
		return []int{}, err
	}
	chunks = make([]int, q.Chunks)
	for i := range chunks {
		chunks[i] = i
	}
	return chunks, nil
}

var errUnchanged = errors.New("study: nothing to change")

// change updates a question's row; an errUnchanged of fn leaves it as it is.
func (s *Service) change(ctx context.Context, in JobInput, fn func(*questionRow) error) (questionRow, error) {
	var q questionRow
	_, err := s.d.Records.Update(ctx, questionKey(in.Workspace, in.Study, in.Question), 0, func(it *records.Item) error {
		var err error
		if q, err = readQuestion(*it); err != nil {
			return err
		}
		if err := fn(&q); err != nil {
			return err
		}
		next := q.item(in.Workspace)
		it.Body, it.Fields = next.Body, next.Fields
		return nil
	})
	if errors.Is(err, errUnchanged) {
		err = nil
	}
	return q, err
}

// AnswerChunk lets the Minds of one chunk answer and stores all of their
// answers under the chunk's key. A repeated chunk finds them and asks nobody.
// It gives how many answers are stored.
func (s *Service) AnswerChunk(ctx context.Context, in JobInput, chunk int) (int, error) {
	q, _, err := s.question(ctx, in.Study, in.Question)
	if err != nil || q.settled() {
		return 0, err
	}
	if c, err := s.chunk(ctx, in.Workspace, q.ID, chunk); err != nil || c != nil {
		if err != nil {
			return 0, err
		}
		return c.Count, nil
	}
	info := s.d.Respondents.Info()
	if info.Name != q.Engine.Name || info.Version != q.Engine.Version {
		return 0, ErrEngineChanged
	}
	part, err := s.readChunk(ctx, in.Workspace, q.ID, chunk)
	if err != nil {
		return 0, err
	}
	answers, err := s.answer(ctx, in.Workspace, q, part)
	if err != nil {
		return 0, err
	}
	return len(answers), s.storeChunk(ctx, in.Workspace, q, chunk, answers)
}

// answer asks each Mind once. A Mind that cannot be asked any more, or whose
// answer fails, is recorded as failed; it costs nothing (M-73).
func (s *Service) answer(ctx context.Context, ws string, q questionRow, part chunkRow) ([]mindAnswer, error) {
	free, strict, err := s.prepared(ctx, q)
	if err != nil {
		return nil, err
	}
	respondents, err := s.respondents(ctx, part.Minds)
	if err != nil {
		return nil, err
	}
	if err := s.recall(ctx, ws, q, part.Recall, respondents); err != nil {
		return nil, err
	}
	out := make([]mindAnswer, len(part.Minds))
	var g errgroup.Group
	g.SetLimit(answerers)
	for i, m := range part.Minds {
		out[i] = mindAnswer{MindID: m.ID, Answer: simulate.Answer{Status: Failed, Reason: "mind_unavailable"}}
		r := respondents[i]
		if r == nil {
			continue
		}
		asked := free
		if m.KnowledgeOnly {
			asked = strict
		}
		g.Go(func() error {
			a, err := asked.Answer(ctx, *r)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				s.d.Log.WarnContext(ctx, "a Mind's answer failed", "question", q.ID, "mind", r.ID, "error", err)
				out[i].Answer = simulate.Answer{Status: Failed, Reason: "engine_error"}
			default:
				out[i].Answer = a
			}
			return nil
		})
	}
	return out, g.Wait()
}

// prepared is the question as the Minds are asked it: under its own policy, and
// for Minds that only ever answer from their knowledge (M-27).
func (s *Service) prepared(ctx context.Context, q questionRow) (free, strict simulate.Asked, err error) {
	p := simulate.Policy{KnowledgeOnly: q.SourcePolicy == "knowledge_only", ResponseForm: q.ResponseForm}
	if free, err = s.d.Respondents.Ask(ctx, q.Asked, p); err != nil || p.KnowledgeOnly {
		return free, free, err
	}
	p.KnowledgeOnly = true
	strict, err = s.d.Respondents.Ask(ctx, q.Asked, p)
	return free, strict, err
}

// respondents loads the Minds of a chunk, nil where one is gone. All are loaded
// at once; only if one is gone, one by one.
func (s *Service) respondents(ctx context.Context, minds []panelMind) ([]*simulate.Respondent, error) {
	ids := make([]string, len(minds))
	for i, m := range minds {
		ids[i] = m.ID
	}
	out := make([]*simulate.Respondent, len(minds))
	found, err := s.d.Minds.Respondents(ctx, ids)
	if err == nil {
		for i := range found {
			out[i] = &found[i]
		}
		return out, nil
	}
	if !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	for i, id := range ids {
		one, err := s.d.Minds.Respondents(ctx, []string{id})
		switch {
		case fault.Is(err, fault.NotFound):
		case err != nil:
			return nil, err
		default:
			out[i] = &one[0]
		}
	}
	return out, nil
}

// storeChunk writes the answers, if the question still runs and nobody wrote
// them before.
func (s *Service) storeChunk(ctx context.Context, ws string, q questionRow, chunk int, answers []mindAnswer) error {
	body, err := s.pack(ctx, ws, answers, inlineLimit)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(answerChunk{At: s.d.Clock.Now().Truncate(time.Millisecond), Answers: body, Count: len(answers)})
	if err != nil {
		return err
	}
	err = s.d.Records.Transact(ctx, "",
		records.PutItem(records.Item{Key: answersKey(ws, q.ID, chunk), Body: raw}, records.NotExists()),
		records.Check(questionKey(ws, q.StudyID, q.ID), records.FieldIs(fieldState, Running)))
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		return nil // a twin of this task was quicker, or the question is settled
	}
	return err
}

// Settle adds the answers up and closes the question: completed, partial when
// some Minds gave none, failed when nobody did. Answers that were reserved and
// not given are refunded (M-73). Running it again changes nothing.
func (s *Service) Settle(ctx context.Context, in JobInput) (status string, err error) {
	return s.settle(ctx, in, "")
}

// Fail settles a question whose machine gave up: what was answered stays.
func (s *Service) Fail(ctx context.Context, in JobInput, reason string) (status string, err error) {
	text := "The question could not be finished. What was answered is shown; the rest was not charged. Ask again."
	if reason == "EngineChanged" {
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
	ctx = account.With(ctx, account.Principal{Account: in.Account, Workspace: in.Workspace, Scopes: []string{"*"}, Method: "internal"})
	_, err := s.settle(ctx, in, "The question did not finish in time. What was answered is shown; the rest was not charged. Ask again.")
	return err
}

func (s *Service) settle(ctx context.Context, in JobInput, failure string) (string, error) {
	for {
		q, version, err := s.question(ctx, in.Study, in.Question)
		if err != nil {
			return "", err
		}
		if q.settled() {
			return q.Status, nil
		}
		if err := s.outcome(ctx, in.Workspace, &q, failure); err != nil {
			return "", err
		}
		err = s.close(ctx, in.Workspace, q, version)
		var refused *records.CanceledError
		if !errors.As(err, &refused) || ctx.Err() != nil {
			return q.Status, err
		}
		// The row changed since it was read: look again, it may be settled.
		if !refused.Failed(0) {
			return "", err
		}
	}
}

// outcome fills in what the answers add up to.
func (s *Service) outcome(ctx context.Context, ws string, q *questionRow, failure string) error {
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return err
	}
	answers, err := s.answersOf(ctx, ws, *q, who)
	if err != nil {
		return err
	}
	r := settleFigures(q.Asked, who, answers)
	q.Answered, q.Failed = r.All.Base.Answered, r.All.Base.Failed
	q.Evidence = &r.All.Evidence
	switch {
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
	if unused := q.Minds - q.Answered; unused > 0 {
		refund, err := s.d.Accounts.RefundResponses(ctx, int64(unused), q.ReservedAt)
		if err != nil {
			return err
		}
		actions = append(actions, refund)
	}
	return s.d.Records.Transact(ctx, "", actions...)
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
