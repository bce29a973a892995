package mind

import (
	"context"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// loading bounds how many Minds read their knowledge at once.
const loading = 8

// Respondents gives Minds as the engine needs them, in the order of ids, with
// their home slot, profile, passages and evidence. Content that several Minds
// were given is read and parsed once, and they share it. NOT_FOUND when one is
// not visible.
func (s *Service) Respondents(ctx context.Context, ids []string) ([]simulate.Respondent, error) {
	minds, err := s.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	found, err := each(ids, minds)
	if err != nil {
		return nil, err
	}
	return s.RespondentsOf(ctx, found)
}

// each gives the Mind of every id, in their order. NOT_FOUND when one is missing.
func each(ids []string, minds []Mind) ([]Mind, error) {
	byID := make(map[string]Mind, len(minds))
	for _, m := range minds {
		byID[m.ID] = m
	}
	out := make([]Mind, len(ids))
	for i, id := range ids {
		m, ok := byID[strings.ToLower(id)]
		if !ok {
			return nil, notFound().With("mindId", id)
		}
		out[i] = m
	}
	return out, nil
}

// RespondentsOf is Respondents of Minds as they were read, for a run that keeps to
// what they were when it started.
func (s *Service) RespondentsOf(ctx context.Context, minds []Mind) ([]simulate.Respondent, error) {
	out := make([]simulate.Respondent, len(minds))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(loading)
	for i, m := range minds {
		if len(m.Knowledge) == 0 && m.Evidence == nil {
			out[i] = m.respondent(Known{})
			continue
		}
		g.Go(func() error {
			known, err := s.know(ctx, m)
			if err != nil {
				return err
			}
			out[i] = m.respondent(known)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return out, nil
}
