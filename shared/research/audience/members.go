package audience

import (
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Formations follow what becomes of their Audience: who joins and leaves it, its
// end, its copies. The principal is the Audience's owner, of Copy whoever copies;
// every call may be repeated.
type Formations interface {
	Joined(ctx context.Context, a Audience) error
	Left(ctx context.Context, a Audience, mindIDs []string) error
	DeleteOf(ctx context.Context, workspace, audienceID string) error
	Copy(ctx context.Context, from, to Audience, minds map[string]string, newID func(string) string) error
}

func (s *Service) formations() Formations {
	if s.d.Formations == nil {
		return nil
	}
	return s.d.Formations()
}

// errSame ends a change that has nothing to change.
var errSame = errors.New("audience: it is so already")

// still refuses changes of the members while something else changes them.
func (a Audience) still() error {
	switch {
	case a.State == Creating:
		return fault.New(fault.AudienceBuilding, "This Audience is still being made. Change its members once its state is ready.")
	case a.Calibration != nil:
		return fault.New(fault.RecalibrationRunning, "This Audience is being recalibrated. Change its members once that is over.")
	}
	return nil
}

// AddMembers puts Minds of the caller into an Audience, all or none; those that are
// in it already stay where they are. added counts the distinct ids that were asked
// for. Owner only. VALIDATION, NOT_FOUND, PLAN_LIMIT (audienceMembers),
// AUDIENCE_BUILDING, RECALIBRATION_RUNNING.
func (s *Service) AddMembers(ctx context.Context, id string, mindIDs []string) (added int, err error) {
	a, err := s.mayChange(ctx, id, Owner)
	if err != nil {
		return 0, err
	}
	ids, err := distinct(mindIDs)
	if err != nil {
		return 0, err
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return 0, err
	}
	minds, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return 0, err
	}
	if len(minds) != len(ids) {
		have := map[string]bool{}
		for _, m := range minds {
			have[m.ID] = true
		}
		for _, id := range ids {
			if !have[id] {
				return 0, fault.New(fault.NotFound, "No Mind with the id %s; nobody was added. Use list_minds for the ids of your Minds.", id).With("mindId", id)
			}
		}
	}
	joined := false
	a, err = s.Change(ctx, a.ID, func(a *Audience) error {
		if err := a.still(); err != nil {
			return err
		}
		joined = false
		for _, id := range ids {
			if !slices.Contains(a.MemberIDs, id) {
				a.MemberIDs, joined = append(a.MemberIDs, id), true
			}
		}
		if !joined {
			return errSame
		}
		if n := len(a.MemberIDs); n > memberCeiling(limits) {
			f := s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(n))
			if limits.AudienceMembers == nil || *limits.AudienceMembers > systemLimit {
				f = fault.New(fault.PlanLimit, "An Audience has at most %d members.", systemLimit).
					With("limitType", string(account.AudienceMembers)).With("limit", int64(systemLimit)).With("requested", int64(n))
			}
			return f.With("audienceId", a.ID)
		}
		return nil
	}, nil)
	if err != nil && !errors.Is(err, errSame) {
		return 0, err
	}
	if f := s.formations(); f != nil && joined {
		if err := f.Joined(ctx, a); err != nil { // the members are in; Formations can be computed again by hand
			s.d.Log.WarnContext(ctx, "Formations did not take new members", "workspace", a.Workspace, "audience", a.ID, "error", err)
		}
	}
	return len(ids), nil
}

// distinct reads 1 to 6,000 ids, each once.
func distinct(raw []string) ([]string, error) {
	if len(raw) == 0 || len(raw) > maxMindIDs {
		return nil, fault.New(fault.Validation, "Name 1 to %d Minds by mindId or mindIds; %d were sent.", maxMindIDs, len(raw)).With("field", "mindIds")
	}
	ids := make([]string, 0, len(raw))
	seen := make(map[string]bool, len(raw))
	for _, r := range raw {
		id, err := lookup.ID("mindIds", r)
		if err != nil {
			return nil, err
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// RemoveMember takes a Mind out of an Audience and of its Formations (M-1); the
// Mind stays. One that is no member changes nothing. Owner only. NOT_FOUND,
// AUDIENCE_BUILDING, RECALIBRATION_RUNNING.
func (s *Service) RemoveMember(ctx context.Context, id, mindID string) error {
	a, err := s.mayChange(ctx, id, Owner)
	if err != nil {
		return err
	}
	if mindID, err = lookup.ID("mindId", mindID); err != nil {
		return err
	}
	// The Formations first: cut off between both, the call is repeated as it was.
	if f := s.formations(); f != nil && slices.Contains(a.MemberIDs, mindID) {
		if err := a.still(); err != nil {
			return err
		}
		if err := f.Left(ctx, a, []string{mindID}); err != nil {
			return err
		}
	}
	a, err = s.Change(ctx, a.ID, func(a *Audience) error {
		at := slices.Index(a.MemberIDs, mindID)
		if at < 0 {
			return errSame
		}
		a.MemberIDs = slices.Delete(a.MemberIDs, at, at+1)
		return a.still()
	}, nil)
	if errors.Is(err, errSame) {
		return nil
	}
	if f := s.formations(); err == nil && f != nil { // a build may have put it back in between
		return f.Left(ctx, a, []string{mindID})
	}
	return err
}
