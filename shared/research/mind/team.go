package mind

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Team reads the Minds of the caller's workspace, whoever owns them. It is for those
// who came by the ids through an Audience that the caller may ask (M-240), and never
// for ids that a caller sends.
type Team struct{ *Service }

// Team gives the Minds of the caller's whole workspace.
func (s *Service) Team() Team { return Team{s} }

// GetMany reads Minds in the order of ids; what the workspace does not have is left
// out.
func (t Team) GetMany(ctx context.Context, ids []string) ([]Mind, error) {
	all := t.owned()
	all.Owner = func(Mind) string { return account.From(ctx).Account }
	return all.GetMany(ctx, "mindIds", ids)
}

// Respondents is that of a Service. NOT_FOUND when the workspace does not have one.
func (t Team) Respondents(ctx context.Context, ids []string) ([]simulate.Respondent, error) {
	minds, err := t.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	found, err := each(ids, minds)
	if err != nil {
		return nil, err
	}
	return t.RespondentsOf(ctx, found)
}
