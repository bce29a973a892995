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
