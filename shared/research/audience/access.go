package audience

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Role is what a caller is to an Audience (M-2).
type Role string

// Roles, the strongest first. Owner does everything. Admin renames it and says who
// sees it. RoleMember copies it, as both above do. TeamMember sees it with what it
// was made from; these four are its collaborators. PublicViewer sees what is public
// of it.
const (
	Owner        Role = "owner"
	Admin        Role = "admin"
	RoleMember   Role = "member"
	TeamMember   Role = "team_member"
	PublicViewer Role = "public_viewer"
)

// rank orders the roles; 0 is none.
func (r Role) rank() int {
	switch r {
	case Owner:
		return 5
	case Admin:
		return 4
	case RoleMember:
		return 3
	case TeamMember:
		return 2
	case PublicViewer:
		return 1
	}
	return 0
}

// Reaches reports whether a role may do what needs another.
func (r Role) Reaches(need Role) bool { return r.rank() > 0 && r.rank() >= need.rank() }

// RoleOf tells what the caller in the context is to an Audience; empty: nothing.
func RoleOf(ctx context.Context, a Audience) Role {
	p := account.From(ctx)
	if p.Workspace == a.Workspace && p.Account != "" {
		switch {
		case p.Account == a.Owner:
			return Owner
		case a.People[p.Account] == Admin, a.People[p.Account] == RoleMember:
			return a.People[p.Account]
		case a.SharedWithTeam:
			return TeamMember
		}
	}
	if a.IsPublic {
		return PublicViewer
	}
	return ""
}

// Access reads an Audience that the caller may see with at least the role need.
// NOT_FOUND for what is not there or of another workspace and not public; FORBIDDEN
// for one that the caller's role does not reach.
func (s *Service) Access(ctx context.Context, id string, need Role) (Audience, error) {
	id, err := lookup.ID("audienceId", id)
	if err != nil {
		return Audience{}, err
	}
	p := account.From(ctx)
	a, err := s.read(ctx, p.Workspace, id)
	if errors.Is(err, records.ErrNotFound) {
		a, err = s.published(ctx, id)
	}
	if errors.Is(err, records.ErrNotFound) {
		return Audience{}, fault.New(fault.NotFound, "No Audience with this id.")
	}
	if err != nil {
		return Audience{}, err
	}
	switch role := RoleOf(ctx, a); {
	case role.Reaches(need):
		return a, nil
	case role == "":
		return Audience{}, fault.New(fault.Forbidden, "This Audience belongs to another member of your workspace, who has not shared it.")
	default:
		return Audience{}, fault.New(fault.Forbidden, "You see this Audience as %s, and this needs %s. Ask its owner.", role, need)
	}
}

// mayChange is Access where the contract answers alike for what is not there and
// for who may not.
func (s *Service) mayChange(ctx context.Context, id string, need Role) (Audience, error) {
	a, err := s.Access(ctx, id, need)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return Audience{}, fault.New(fault.NotFound, "No Audience with this id.")
	}
	return a, err
}

// read reads an Audience, whoever asks. records.ErrNotFound.
func (s *Service) read(ctx context.Context, workspace, id string) (Audience, error) {
	it, err := s.d.Records.Get(ctx, recordKey(workspace, id))
	if err != nil {
		return Audience{}, err
	}
	return decode(it)
}

// place is where an Audience stands.
type place struct {
	Workspace string `json:"workspace"`
	Audience  string `json:"audience"`
}

// published reads a public Audience of any workspace. records.ErrNotFound for
// every other.
func (s *Service) published(ctx context.Context, id string) (Audience, error) {
	return s.behind(ctx, publicKey(id), func(a Audience) bool { return a.IsPublic })
}

// behind reads the Audience that a global row names, while it is shown.
func (s *Service) behind(ctx context.Context, key records.Key, shown func(Audience) bool) (Audience, error) {
	it, err := s.d.Records.Get(ctx, key)
	if err != nil {
		return Audience{}, err
	}
	var at place
	if err := json.Unmarshal(it.Body, &at); err != nil {
		return Audience{}, err
	}
	a, err := s.read(ctx, at.Workspace, at.Audience)
	if err == nil && !shown(a) {
		return Audience{}, records.ErrNotFound
	}
	return a, err
}

// asOwner is the context in which what belongs to the owner of an Audience is read:
// its members, for who may see them.
func asOwner(ctx context.Context, a Audience) context.Context {
	if p := account.From(ctx); p.Account == a.Owner && p.Workspace == a.Workspace {
		return ctx
	}
	return account.With(ctx, account.Principal{Account: a.Owner, Workspace: a.Workspace, Scopes: []string{"*"}, Method: "internal"})
}
