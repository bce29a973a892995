package study

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// answerers bounds how many Minds of a chunk are loaded and answer at once; for the offline
// engine that is a matter of cores, for a model of its connections.
const answerers = 8

// ErrEngineChanged says that another engine than the one pinned to the question
// would answer; it never does (M-301).
var ErrEngineChanged = errors.New("study: the respondent engine is not the one of the question")

// Prepare starts a queued question and gives the chunks to answer: 0, 1, 2, …
// None if it takes no answers any more. Running it again gives the same.
func (s *Service) Prepare(ctx context.Context, in JobInput) (chunks []int, err error) {
	q, _, err := s.question(ctx, in.Study, in.Question)
	if err != nil || q.closed() {
		return []int{}, err
	}
	if err := s.writeChunks(ctx, in.Workspace, q); err != nil {
		return nil, err
	}
	q, err = s.change(ctx, in, func(q *questionRow) error {
		if q.Status != Queued || q.closed() {
			return errUnchanged
		}
		now := s.d.Clock.Now()
		q.Status = Running
		q.event("run.started", now, EventPayload{Status: Running})
		q.event("item.started", now, EventPayload{ItemID: q.ID, Status: Running})
		return nil
	})
	if err != nil || q.closed() {
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
	if err != nil || q.closed() {
		return 0, err
	}
	if c, err := s.chunk(ctx, in.Workspace, q.ID, chunk); err != nil || c != nil {
		if err != nil {
			return 0, err
		}
		return c.Count, nil
	}
	of, err := s.audiencesOf(ctx, in.Workspace, q.ID)
	if err != nil {
		return 0, err
	}
	if err := s.keep(ctx, of, q); err != nil {
		return 0, err
	}
	by, err := s.by(ctx, q.Engine.ModelConnection)
	if err != nil {
		return 0, err
	}
	info := by.Info()
	if info.Name != q.Engine.Name || info.Version != q.Engine.Version {
		return 0, ErrEngineChanged
	}
	part, err := s.readChunk(ctx, in.Workspace, q.ID, chunk)
	if err != nil {
		return 0, err
	}
	if q.Asked, err = s.shown(ctx, by, q); err != nil {
		return 0, err
	}
	answers, err := s.answer(ctx, in.Workspace, of, by, q, part)
	if err != nil {
		return 0, err
	}
	return len(answers), s.storeChunk(ctx, in.Workspace, q, chunk, answers)
}

// answer asks each Mind once. A Mind that cannot be asked any more, or whose
// answer fails, is recorded as failed; it costs nothing (M-73). Few Minds are
// loaded at once, since each may bring much knowledge.
func (s *Service) answer(ctx context.Context, ws string, of []string, by simulate.Respondents, q questionRow, part chunkRow) ([]mindAnswer, error) {
	free, strict, err := prepared(ctx, by, q)
	if err != nil {
		return nil, err
	}
	earlier, err := s.recall(ctx, ws, q, part)
	if err != nil {
		return nil, err
	}
	out := make([]mindAnswer, 0, len(part.Minds))
	for minds := range slices.Chunk(part.Minds, answerers) {
		if err := s.keep(ctx, of, q); err != nil {
			return nil, err
		}
		respondents, err := s.respondents(ctx, minds)
		if err != nil {
			return nil, err
		}
		for i, r := range respondents {
			if r != nil {
				r.Earlier = earlier[minds[i].ID]
			}
		}
		answers, err := s.askAll(ctx, q, minds, respondents, free, strict)
		if err != nil {
			return nil, err
		}
		out = append(out, answers...)
	}
	return out, nil
}

// askAll asks some Minds at once; their answers come in their order.
func (s *Service) askAll(ctx context.Context, q questionRow, minds []panelMind, respondents []*simulate.Respondent, free, strict simulate.Asked) ([]mindAnswer, error) {
	out := make([]mindAnswer, len(minds))
	var g errgroup.Group
	for i, m := range minds {
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
			if err := ctx.Err(); err != nil {
				return err
			}
			a, err := asked.Answer(ctx, *r)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case fault.Is(err, fault.ModelConnectionStale), fault.Is(err, fault.ModelConnectionUnverified):
				return err // of the question, not of this Mind: nobody else answers in its place
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
func prepared(ctx context.Context, by simulate.Respondents, q questionRow) (free, strict simulate.Asked, err error) {
	p := simulate.Policy{KnowledgeOnly: q.SourcePolicy == "knowledge_only", ResponseForm: q.ResponseForm}
	if free, err = by.Ask(ctx, q.Asked, p); err != nil || p.KnowledgeOnly {
		return free, free, err
	}
	p.KnowledgeOnly = true
	strict, err = by.Ask(ctx, q.Asked, p)
	return free, strict, err
}

// respondents loads some Minds of a chunk, nil where one is gone. All are loaded
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
		return nil // a twin of this task was quicker, or the question takes no answers any more
	}
	return err
}
