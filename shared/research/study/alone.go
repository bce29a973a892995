package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// AskAlone asks one Audience one question in a private Study of its own, made by
// this call: each call makes another (M-78). What would refuse the question is
// looked at first, so that no Study is left behind that asks nothing. name empty:
// the Audience's. r names neither Study nor Audiences.
func (s *Service) AskAlone(ctx context.Context, audienceID, name string, r AskRequest) (Asked, error) {
	if name == "" {
		found, err := s.d.Audiences.GetMany(ctx, []string{audienceID})
		if err != nil {
			return Asked{}, err
		}
		if len(found) == 0 {
			return Asked{}, fault.New(fault.NotFound, "No Audience of yours with this id. Copy one that others share with duplicate_audience, and ask that.")
		}
		name = found[0].Name
	}
	made := CreateRequest{Name: name, AudienceIDs: []string{audienceID}, IdempotencyKey: s.d.IDs.NewID()}
	if err := made.check(); err != nil {
		return Asked{}, err
	}
	row, _, err := s.compose(ctx, made)
	if err != nil {
		return Asked{}, err
	}
	r.AudienceIDs, r.ClientRequestID, r.Derive = nil, "", false
	checked, err := r.checked()
	if err != nil {
		return Asked{}, err
	}
	who, _, err := s.panelOf(ctx, row, checked)
	if err != nil {
		return Asked{}, err
	}
	if _, err := s.model(ctx, checked); err != nil {
		return Asked{}, err
	}
	if err := s.stimuli(ctx, checked); err != nil {
		return Asked{}, err
	}
	left, err := s.d.Accounts.ResponsesLeft(ctx)
	if err != nil {
		return Asked{}, err
	}
	if left != nil && *left < int64(len(who.Minds)) {
		return Asked{}, s.d.Accounts.PlanLimit(ctx, account.Responses, int64(len(who.Minds)))
	}
	created, err := s.Create(ctx, made)
	if err != nil {
		return Asked{}, err
	}
	r.StudyID = created.Study.ID
	return s.Ask(ctx, r)
}
