package training

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Clean removes what deleted Minds have left: their place in Audiences, chats,
// knowledge with patterns and vectors, pictures. It works for a while; done is
// false when there is more: call again. A Mind that is still there is left alone.
func (s *Service) Clean(ctx context.Context, jobID string, mindIDs []string) (done bool, err error) {
	until := s.d.Clock.Now().Add(slice)
	left, err := s.d.Minds.Left(ctx, mindIDs)
	if err != nil {
		return false, err
	}
	if len(left) > 0 && s.d.Forget != nil {
		ids := make([]string, len(left))
		for i, g := range left {
			ids[i] = g.ID
		}
		if err := s.d.Forget(ctx, ids); err != nil {
			return false, err
		}
	}
	for _, g := range left {
		if !s.d.Clock.Now().Before(until) {
			return false, nil
		}
		err := s.bury(ctx, g)
		if errors.Is(err, knowledge.ErrUnfinished) {
			return false, nil // it goes on where it stopped
		}
		if err != nil {
			return false, err
		}
	}
	again, err := s.d.Minds.CleanedUp(ctx, jobID, mindIDs)
	return err == nil && !again, err
}

// bury clears up after one Mind. The note of it goes last, so that what was cut
// off is done again.
func (s *Service) bury(ctx context.Context, g mind.Gone) error {
	for _, clean := range s.d.Cleaners {
		if err := clean(ctx, g.ID); err != nil {
			return err
		}
	}
	if err := s.d.Knowledge.DeleteOf(ctx, g.ID); err != nil {
		return err
	}
	if err := s.remove(ctx, g.Blobs...); err != nil {
		return err
	}
	return s.d.Minds.Buried(ctx, g)
}

// ExpireDelete goes on with a clean-up whose machine gave up: each sweep tries
// again until nothing is left. One whose time ran out is an error, so that the
// job stays open for the next sweep.
func (s *Service) ExpireDelete(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in mind.DeleteJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	ctx = account.With(ctx, p)
	for {
		done, err := s.Clean(ctx, j.ID, in.Minds)
		if done || err != nil {
			return err
		}
		if end, ok := ctx.Deadline(); ok && time.Until(end) < slice {
			return knowledge.ErrUnfinished
		}
	}
}
