package study

import (
	"context"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Sharing is how a Study can be read by whoever has its link.
type Sharing struct {
	IsLinkSharingEnabled bool    `json:"isLinkSharingEnabled"`
	PublicShareID        *string `json:"publicShareId"`  // null while sharing is off
	SharedStudyURL       *string `json:"sharedStudyUrl"` // null while sharing is off (M-4)
}

// ShareLink turns the link of a Study on or off. On, whoever has it reads the Study
// with its Audiences and Minds, those that were attached before included (M-5). The
// same state again changes nothing. Owner only; NOT_FOUND for everybody else.
func (s *Service) ShareLink(ctx context.Context, id string, on bool) (Sharing, error) {
	if _, err := s.owned(ctx, id); err != nil {
		return Sharing{}, err
	}
	p := account.From(ctx)
	r, err := s.alter(ctx, id, func(r *studyRow) error {
		if r.LinkSharing == on {
			return errUnchanged
		}
		if r.LinkSharing = on; on && r.ShareID == "" {
			r.ShareID = s.d.IDs.NewID()
		}
		return nil
	}, func(was, now studyRow) []records.Action {
		if was.ShareID == now.ShareID {
			return nil
		}
		return []records.Action{records.PutItem(records.Item{Key: shareKey(now.ShareID),
			Fields: map[string]string{fieldSpace: p.Workspace, fieldOwner: now.Owner, fieldStudy: now.ID}}, records.NotExists())}
	})
	if err != nil {
		return Sharing{}, err
	}
	v := s.view(r, 0, r.CreatedAt)
	return Sharing{IsLinkSharingEnabled: v.IsLinkSharingEnabled, PublicShareID: v.PublicShareID, SharedStudyURL: v.SharedStudyURL}, nil
}

// Bounds of attaching.
const (
	maxAttach   = 50 // Audiences of one call
	maxAttached = maxListed + maxInline
)

// Attached says which of the Audiences are new to a Study.
type Attached struct {
	Attached        []string `json:"attached"`
	AlreadyAttached []string `json:"alreadyAttached"`
}

// Attach adds existing Audiences to those that a Study asks; questions that were
// asked already stay as they are. Each counts once. It needs the role admin, and the
// caller must see every Audience; all or nothing. VALIDATION, FORBIDDEN, NOT_FOUND.
func (s *Service) Attach(ctx context.Context, id string, audienceIDs []string) (Attached, error) {
	row, err := s.load(ctx, id)
	if err != nil {
		return Attached{}, err
	}
	role, err := s.roleOf(ctx, row)
	if err != nil {
		return Attached{}, err
	}
	if !role.Reaches(Admin) {
		return Attached{}, forbidden(Admin)
	}
	for i, a := range audienceIDs {
		if !isUUID(canonical(a)) {
			return Attached{}, fault.New(fault.Validation, "audienceIds[%d] is not a UUID; take the ids from list_audiences.", i).With("path", fmt.Sprintf("/audienceIds/%d", i))
		}
	}
	ids := unique(audienceIDs)
	if len(ids) == 0 || len(audienceIDs) > maxAttach {
		return Attached{}, fault.New(fault.Validation, "audienceIds holds %d ids; 1 to %d are attached at once.", len(audienceIDs), maxAttach).With("path", "/audienceIds")
	}
	found, err := s.d.Audiences.GetMany(ctx, ids)
	if err != nil {
		return Attached{}, err
	}
	if len(found) != len(ids) {
		return Attached{}, fault.New(fault.NotFound, "No Audience with the id %s. Nothing was attached; take the ids from list_audiences.", missing(ids, found))
	}
	out := Attached{}
	_, err = s.alter(ctx, row.ID, func(r *studyRow) error {
		out = Attached{Attached: []string{}, AlreadyAttached: []string{}}
		have := make(map[string]bool, len(r.Audiences))
		for _, a := range r.Audiences {
			have[a.ID] = true
		}
		for _, a := range found {
			if have[a.ID] {
				out.AlreadyAttached = append(out.AlreadyAttached, a.ID)
				continue
			}
			out.Attached = append(out.Attached, a.ID)
			r.Audiences = append(r.Audiences, AudienceRef{ID: a.ID, Name: a.Name, MindCount: len(a.MemberIDs)})
		}
		if len(out.Attached) == 0 {
			return errUnchanged
		}
		if n := len(r.Audiences); n > maxAttached {
			return fault.New(fault.Validation, "The Study would ask %d Audiences; at most %d can be attached. Make another Study for the rest.", n, maxAttached).With("path", "/audienceIds")
		}
		return nil
	}, nil)
	return out, err
}
