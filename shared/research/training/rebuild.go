package training

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Reembedded is how far a rebuild of vectors has come.
type Reembedded struct {
	Cursor string `json:"cursor"` // where the next step goes on
	Done   bool   `json:"done"`
}

// Reembed makes vectors anew for a while, for a training or for an open request,
// which it closes at the end. It begins at cursor, "" at first.
func (s *Service) Reembed(ctx context.Context, mindID, jobID, cursor string) (Reembedded, error) {
	m, err := s.d.Minds.Get(ctx, mindID)
	if fault.Is(err, fault.NotFound) {
		return Reembedded{Done: true}, nil
	}
	if err != nil {
		return Reembedded{}, err
	}
	request := m.Rebuilding != nil && m.Rebuilding.JobID == jobID
	if !request && !m.Owns(jobID) {
		return Reembedded{Done: true}, nil
	}
	if !request && cursor == "" {
		if err := s.d.Minds.Progress(ctx, mindID, jobID, mind.IndexStep, "Rebuilding the index of its knowledge."); err != nil {
			return Reembedded{}, err
		}
	}
	next, err := s.d.Knowledge.Reembed(ctx, mindID, cursor, s.d.Clock.Now().Add(slice))
	if fault.Is(err, fault.NotFound) {
		return Reembedded{Done: true}, nil
	}
	if err != nil || next != "" {
		return Reembedded{Cursor: next}, err
	}
	if request {
		err = s.d.Minds.Rebuilt(ctx, mindID, jobID)
	}
	return Reembedded{Done: err == nil}, err
}

// ReembedFail closes a rebuild that could not be carried out. What it made
// stands, and the rest is as it was: retrieval never mixes vectors.
func (s *Service) ReembedFail(ctx context.Context, mindID, jobID string) error {
	return s.d.Minds.Rebuilt(ctx, mindID, jobID)
}

// ExpireReembed closes a rebuild that is past its deadline.
func (s *Service) ExpireReembed(ctx context.Context, j jobs.Job) error {
	return s.expired(ctx, j, func(ctx context.Context, mindID string) error { return s.ReembedFail(ctx, mindID, j.ID) })
}
