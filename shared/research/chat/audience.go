package chat

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// ask puts a message as one question to all ready Minds of the chat's Audiences;
// each knows its own answers in the turns that are kept, and nothing of others
// (M-74). Figures are made as in a Study.
func (s *Service) ask(ctx context.Context, row chatRow, m messageRow, h history) (outcome, error) {
	by, err := s.d.Answerers.For(ctx, nil)
	if err != nil {
		return outcome{}, err
	}
	q, err := s.d.Studies.Inquire(ctx, m.Text, audienceIDs(row))
	if err != nil {
		return outcome{}, err
	}
	earlier, err := s.answered(ctx, h)
	if err != nil {
		return outcome{}, err
	}
	answers, err := q.Answer(ctx, by, false, func(id string) []simulate.Earlier { return earlier[id] })
	if err != nil {
		return outcome{}, mind.Ungenerated(err)
	}
	used := int64(study.Answered(answers))
	result := q.Results(engineOf(by), answers)
	reply := messageRow{ID: s.d.IDs.NewID(), Role: roleAssistant, Text: inWords(result), At: s.now(), place: m.place + 1}
	if err := s.keep(context.WithoutCancel(ctx), row, m, &reply, q, answers); err != nil {
		return outcome{}, err
	}
	// More may be ready now than when the message was written down; what was
	// reserved is all that it costs.
	return outcome{sent: Sent{MessageID: reply.ID, OutputData: s.fitting(result)}, replies: []messageRow{reply}, answered: min(used, row.Pending.Reserved)}, nil
}

// keep stores the answers for the turns to come.
func (s *Service) keep(ctx context.Context, row chatRow, m messageRow, reply *messageRow, q *study.Inquiry, answers []*simulate.Answer) error {
	doc := answersDoc{ChatID: row.ID, MessageID: m.ID, Question: q.Question}
	for i, id := range q.MindIDs() {
		if answers[i] != nil {
			doc.Answers = append(doc.Answers, mindAnswer{id, *answers[i]})
		}
	}
	raw, err := json.Marshal(doc)
	if err != nil {
		return err
	}
	ref, err := s.d.Blobs.Put(ctx, "w/"+row.Workspace, "application/json", bytes.NewReader(raw), maxAnswers)
	if err != nil {
		return err
	}
	reply.Answers = &ref
	return nil
}

// fitting leaves single answers out of a result that one reply could not hold;
// figures stay, over all.
func (s *Service) fitting(r study.OutputData) *study.OutputData {
	raw, err := json.Marshal(r)
	if err != nil || len(raw) <= s.d.ReplyBytes {
		return &r
	}
	for i := range r.Audiences {
		r.Audiences[i].Answers = []study.AudienceAnswer{}
	}
	return &r
}

// inWords is the result in a line, for summaries.
func inWords(r study.OutputData) string {
	parts := make([]string, len(r.Audiences))
	for i, a := range r.Audiences {
		parts[i] = fmt.Sprintf("%s: %s (synthetic answers: %d of %d asked)", a.Audience, a.Value, a.Base.Answered, a.Base.Asked)
	}
	return strings.Join(parts, "; ")
}
