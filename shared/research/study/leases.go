package study

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
)

// Leases keeps Audiences as they are while a run asks them (M-45): a run shares
// them from its start until it is settled.
type Leases interface {
	// ShareAll takes all of these Audiences or none; false while one of them is
	// being changed, or waits to be.
	ShareAll(ctx context.Context, audienceIDs []string, runID string) (ok bool, err error)
	// Beat keeps a lease alive; false when it has ended.
	Beat(ctx context.Context, audienceID, runID string) (held bool, err error)
	Release(ctx context.Context, audienceID, runID string) error
}

// ErrAudienceInChange says that a run lost its lease and that its Audience is
// being changed: the work is tried again once it is not.
var ErrAudienceInChange = errors.New("study: an Audience of the run is being changed")

// Claim takes the Audiences of a queued question, so that they do not change while
// it runs. ok is false while one of them is being changed: the question stays
// queued, and the machine asks again.
func (s *Service) Claim(ctx context.Context, in JobInput) (ok bool, err error) {
	q, _, err := s.question(ctx, in.Study, in.Question)
	if err != nil || q.closed() || s.d.Leases == nil {
		return true, err
	}
	ids, err := s.audiencesOf(ctx, in.Workspace, q.ID)
	if err != nil {
		return false, err
	}
	return s.d.Leases.ShareAll(ctx, ids, q.RunID)
}

// audiencesOf are the Audiences that a question is put to.
func (s *Service) audiencesOf(ctx context.Context, ws, question string) ([]string, error) {
	who, err := s.panel(ctx, ws, question)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(who.Audiences))
	for i, a := range who.Audiences {
		ids[i] = a.ID
	}
	return ids, nil
}

// keep beats for a run that works on these Audiences. A lease that ended
// meanwhile, as after a standstill, is taken again; ErrAudienceInChange when
// somebody else has it.
func (s *Service) keep(ctx context.Context, ids []string, q questionRow) error {
	if s.d.Leases == nil {
		return nil
	}
	for _, id := range ids {
		held, err := s.d.Leases.Beat(ctx, id, q.RunID)
		if err != nil {
			return err
		}
		if held {
			continue
		}
		ok, err := s.d.Leases.ShareAll(ctx, ids, q.RunID)
		if err != nil {
			return err
		}
		if !ok {
			return ErrAudienceInChange
		}
		return nil
	}
	return nil
}

// letGo ends the lease of a settled question. What cannot be let go ends by
// itself, so a failure is logged and is none of the run.
func (s *Service) letGo(ctx context.Context, in JobInput) {
	if s.d.Leases == nil {
		return
	}
	q, _, err := s.question(ctx, in.Study, in.Question)
	var ids []string
	if err == nil {
		ids, err = s.audiencesOf(ctx, in.Workspace, q.ID)
	}
	if errors.Is(err, records.ErrNotFound) {
		return // deleted with its Study
	}
	for _, id := range ids {
		if e := s.d.Leases.Release(ctx, id, q.RunID); e != nil {
			err = e
		}
	}
	if err != nil {
		s.d.Log.WarnContext(ctx, "a run did not let its Audiences go", "workspace", in.Workspace, "question", in.Question, "error", err)
	}
}
