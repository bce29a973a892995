package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// maxPeople bounds whom an Audience is shared with directly, so that a change of it
// stays one transaction.
const maxPeople = 20

// Patch changes what is not nil.
type Patch struct {
	Name           *string
	IsPublic       *bool
	SharedWithTeam *bool
}

// Update renames an Audience and says who sees it; link sharing is not changed
// here. It needs the role admin. VALIDATION, NOT_FOUND, PLAN_LIMIT when the plan has
// no team sharing.
func (s *Service) Update(ctx context.Context, id string, p Patch) (Audience, error) {
	if _, err := s.mayChange(ctx, id, Admin); err != nil {
		return Audience{}, err // whether it is there comes before what is wrong with the rest
	}
	if p.Name != nil {
		name, err := CheckName(*p.Name)
		if err != nil {
			return Audience{}, err
		}
		p.Name = &name
	}
	if p.SharedWithTeam != nil && *p.SharedWithTeam {
		limits, err := s.d.Accounts.Limits(ctx)
		if err != nil {
			return Audience{}, err
		}
		if !limits.TeamSharing {
			return Audience{}, s.d.Accounts.PlanLimit(ctx, account.TeamSharing, 0)
		}
	}
	a, err := s.mayChange(ctx, id, Admin)
	if err != nil {
		return Audience{}, err
	}
	return s.Change(asOwner(ctx, a), a.ID, func(a *Audience) error {
		if !RoleOf(ctx, *a).Reaches(Admin) {
			return fault.New(fault.NotFound, "No Audience with this id.")
		}
		if p.Name != nil {
			a.Name = *p.Name
		}
		if p.IsPublic != nil {
			a.IsPublic = *p.IsPublic
		}
		if p.SharedWithTeam != nil {
			a.SharedWithTeam = *p.SharedWithTeam
		}
		if (a.IsPublic || a.LinkSharing) && a.PublicShareID == "" {
			a.PublicShareID = s.d.IDs.NewID()
		}
		return nil
	}, nil)
}

// ShareWith gives an account of the workspace a role of its own to an Audience, admin or
// member; an empty role takes it back. Owner only.
func (s *Service) ShareWith(ctx context.Context, id, accountID string, role Role) error {
	a, err := s.mayChange(ctx, id, Owner)
	if err != nil {
		return err
	}
	if role != "" && role != Admin && role != RoleMember {
		return fault.New(fault.Validation, "role is %q; it must be admin or member.", role).With("field", "role")
	}
	if _, err := s.d.Accounts.Internal(ctx, a.Workspace, accountID); err != nil || accountID == a.Owner {
		return fault.New(fault.NotFound, "No other account of this workspace with this id.").Because(err)
	}
	_, err = s.Change(ctx, a.ID, func(a *Audience) error {
		if a.People == nil {
			a.People = map[string]Role{}
		}
		delete(a.People, accountID)
		if role == "" {
			return nil
		}
		if len(a.People) >= maxPeople {
			return fault.New(fault.Validation, "An Audience is shared directly with at most %d accounts. Share it with the team, or take one out first.", maxPeople)
		}
		a.People[accountID] = role
		return nil
	}, nil)
	return err
}

// reachRow is an Audience in a list of somebody else's.
type reachRow struct {
	listRow
	Workspace string `json:"workspace"`
	Owner     string `json:"owner"`
}

// reach are the actions by which others find an Audience, or no longer do: its rows
// in the lists of who sees it, and what its link and its public id lead to.
func reach(was, a Audience) ([]records.Action, error) {
	before, after := places(was), places(a)
	var actions []records.Action
	for _, key := range sorted(before) {
		if _, still := after[key]; !still {
			actions = append(actions, records.DeleteItem(key))
		}
	}
	for _, key := range sorted(after) {
		body, err := json.Marshal(after[key])
		if err != nil {
			return nil, err
		}
		if had, ok := before[key]; ok {
			if same, err := json.Marshal(had); err != nil || string(same) == string(body) {
				continue
			}
		}
		actions = append(actions, records.PutItem(records.Item{Key: key, Body: body}))
	}
	return actions, nil
}

// places are the rows beside the record and the owner's list. Who sees an Audience
// in more than one way has it in one list.
func places(a Audience) map[records.Key]any {
	out := map[records.Key]any{}
	if a.ID == "" {
		return out
	}
	at := place{Workspace: a.Workspace, Audience: a.ID}
	row := reachRow{listRow: a.listRow(), Workspace: a.Workspace, Owner: a.Owner}
	sk := mind.NewestFirst(a.UpdatedAt, a.ID)
	switch {
	case a.IsPublic:
		out[publicKey(a.ID)] = at
		out[records.Key{PK: publicPK, SK: sk}] = row
	case a.SharedWithTeam:
		out[records.Key{PK: teamPK(a.Workspace), SK: sk}] = row
	default:
		for who := range a.People {
			out[records.Key{PK: directPK(a.Workspace, who), SK: sk}] = row
		}
	}
	if a.PublicShareID != "" {
		out[shareKey(a.PublicShareID)] = at
	}
	return out
}

func sorted(rows map[records.Key]any) []records.Key {
	keys := make([]records.Key, 0, len(rows))
	for k := range rows {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y records.Key) int {
		if x.PK != y.PK {
			if x.PK < y.PK {
				return -1
			}
			return 1
		}
		return 0
	})
	return keys
}

// Follow saves an Audience that the caller sees in its library; twice is once.
func (s *Service) Follow(ctx context.Context, id string) error {
	a, err := s.mayChange(ctx, id, PublicViewer)
	if err != nil {
		return err
	}
	p := account.From(ctx)
	body, err := json.Marshal(place{Workspace: a.Workspace, Audience: a.ID})
	if err != nil {
		return err
	}
	_, err = s.d.Records.Put(ctx, records.Item{Key: records.Key{PK: followsPK(p.Workspace, p.Account), SK: a.ID}, Body: body})
	return err
}

// Unfollow takes an Audience out of what the caller saved, also one that is gone or
// no longer shown since. NOT_FOUND for what was not saved and cannot be seen.
func (s *Service) Unfollow(ctx context.Context, id string) error {
	id, err := lookupID(id)
	if err != nil {
		return err
	}
	p := account.From(ctx)
	key := records.Key{PK: followsPK(p.Workspace, p.Account), SK: id}
	if _, err := s.d.Records.Get(ctx, key); errors.Is(err, records.ErrNotFound) {
		_, err := s.mayChange(ctx, id, PublicViewer)
		return err
	} else if err != nil {
		return err
	}
	return s.d.Records.Delete(ctx, key)
}

// Public is an Audience as its link shows it: nothing of its owner, of its prompts,
// of where uploads are, of who else sees it (M-2).
type Public struct {
	ID        string         `json:"id"`
	Name      string         `json:"name"`
	MindCount int            `json:"mindCount"`
	Minds     []DetailMember `json:"minds"`
	Grounding *Grounding     `json:"grounding"`
	Coverage  Coverage       `json:"coverage"`
	Research  Research       `json:"research"`
	State     string         `json:"state"`
	CreatedAt string         `json:"createdAt"` // RFC 3339, UTC, milliseconds
	UpdatedAt string         `json:"updatedAt"`
}

// Shared reads an Audience by its link, without a credential. NOT_FOUND once both
// public listing and link sharing are off, whatever share id was left behind (M-4).
func (s *Service) Shared(ctx context.Context, shareID string) (Public, error) {
	none := fault.New(fault.NotFound, "Nothing is shared under this link.")
	shareID, err := lookupID(shareID)
	if err != nil {
		return Public{}, none
	}
	a, err := s.behind(ctx, shareKey(shareID), func(a Audience) bool {
		return (a.IsPublic || a.LinkSharing) && a.PublicShareID == shareID
	})
	if isGone(err) {
		return Public{}, none
	}
	if err != nil {
		return Public{}, err
	}
	a.IsPublic, a.SharedWithTeam, a.People = true, false, nil
	d, err := s.DetailOf(account.With(ctx, account.Principal{}), a) // nobody's eyes: a public viewer's
	if err != nil {
		return Public{}, err
	}
	out := Public{ID: d.ID, Name: d.Name, MindCount: d.MindCount, Minds: d.Minds, Grounding: d.Grounding, Coverage: d.Coverage,
		Research: d.Research, State: d.State, CreatedAt: clock.Stamp(a.CreatedAt), UpdatedAt: clock.Stamp(a.UpdatedAt)}
	return out, nil
}
