package audience

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// Team reads the Audiences that the caller may ask: one's own, and those that
// somebody of the workspace shares with the caller or with the team (M-240). What a
// question uses is charged to who asks.
type Team struct{ *Service }

// Team gives the Audiences that the caller may ask.
func (s *Service) Team() Team { return Team{s} }

// GetMany reads Audiences in the order of ids; what the caller may not ask is left
// out.
func (t Team) GetMany(ctx context.Context, ids []string) ([]Audience, error) {
	all := t.owned()
	all.Owner = func(a Audience) string {
		if RoleOf(ctx, a).Reaches(TeamMember) {
			return account.From(ctx).Account
		}
		return a.Owner
	}
	return all.GetMany(ctx, "audienceIds", ids)
}
