package study

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// panel reads who a question asks.
func (s *Service) panel(ctx context.Context, ws, question string) (panel, error) {
	it, err := s.d.Records.Get(ctx, panelKey(ws, question))
	if err != nil {
		return panel{}, err
	}
	var at packed
	if err := json.Unmarshal(it.Body, &at); err != nil {
		return panel{}, err
	}
	var p panel
	return p, s.unpack(ctx, at, &p)
}

// chunk reads the answers of one chunk; nil while there are none.
func (s *Service) chunk(ctx context.Context, ws, question string, n int) (*answerChunk, error) {
	it, err := s.d.Records.Get(ctx, answersKey(ws, question, n))
	if errors.Is(err, records.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var c answerChunk
	return &c, json.Unmarshal(it.Body, &c)
}

// answersOf reads what a question's Minds answered, in the order of the panel;
// nil where there is no answer yet.
func (s *Service) answersOf(ctx context.Context, ws string, q questionRow, who panel) ([]*simulate.Answer, error) {
	place := make(map[string]int, len(who.Minds))
	for i, m := range who.Minds {
		place[m.ID] = i
	}
	out := make([]*simulate.Answer, len(who.Minds))
	query := records.Query{PK: answersPK(ws, q.ID), Prefix: prefixAnswers, Limit: 20}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			var c answerChunk
			if err := json.Unmarshal(it.Body, &c); err != nil {
				return nil, err
			}
			var answers []mindAnswer
			if err := s.unpack(ctx, c.Answers, &answers); err != nil {
				return nil, err
			}
			for i := range answers {
				if at, ok := place[answers[i].MindID]; ok {
					out[at] = &answers[i].Answer
				}
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return out, nil
		}
	}
}

// recall gives each respondent its own earlier answers of this Study, oldest
// first, as far as the history mode reaches; nothing of others (M-74).
func (s *Service) recall(ctx context.Context, ws string, q questionRow, respondents []*simulate.Respondent) error {
	if len(q.History) == 0 {
		return nil
	}
	most := 5
	if q.HistoryMode == historyFollowup {
		most = 1
	}
	mine := make(map[string]*simulate.Respondent, len(respondents))
	for _, r := range respondents {
		if r != nil {
			mine[r.ID] = r
		}
	}
	for _, id := range q.History { // newest first
		earlier, _, err := s.question(ctx, q.StudyID, id)
		if err != nil {
			return err
		}
		who, err := s.panel(ctx, ws, id)
		if err != nil {
			return err
		}
		if err := s.recallOne(ctx, ws, earlier, who, mine, most); err != nil {
			return err
		}
	}
	for _, r := range mine {
		for i, j := 0, len(r.Earlier)-1; i < j; i, j = i+1, j-1 {
			r.Earlier[i], r.Earlier[j] = r.Earlier[j], r.Earlier[i]
		}
	}
	return nil
}

// recallOne adds the answers to one earlier question, reading only the chunks
// that hold one of these Minds.
func (s *Service) recallOne(ctx context.Context, ws string, earlier questionRow, who panel, mine map[string]*simulate.Respondent, most int) error {
	need := map[int]bool{}
	for i, m := range who.Minds {
		if r := mine[m.ID]; r != nil && len(r.Earlier) < most {
			need[i/ChunkSize] = true
		}
	}
	for n := range need {
		c, err := s.chunk(ctx, ws, earlier.ID, n)
		if err != nil {
			return err
		}
		if c == nil {
			continue
		}
		var answers []mindAnswer
		if err := s.unpack(ctx, c.Answers, &answers); err != nil {
			return err
		}
		for _, a := range answers {
			r := mine[a.MindID]
			if r == nil || len(r.Earlier) >= most || a.Answer.Status != simulate.Answered {
				continue
			}
			r.Earlier = append(r.Earlier, simulate.Earlier{Question: earlier.Text, Option: a.Answer.Option,
				Options: a.Answer.Options, Number: a.Answer.Number, Text: a.Answer.Text})
		}
	}
	return nil
}
