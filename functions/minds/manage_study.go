package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/invite"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageStudy reads, deletes, shares one Study by its link, or invites people to it.
var ManageStudy = tool.New("manage_study",
	func(ctx context.Context, in ManageStudyInput) (ManagedStudy, error) {
		do, ok := studyActions[in.Action]
		if !ok { // the schema knows the same ones
			return ManagedStudy{}, fault.New(fault.Validation, "action is %q, which is none of manage_study.", in.Action).With("field", "action")
		}
		out, err := do(ctx, research.From(ctx), in)
		if err != nil {
			return ManagedStudy{}, err
		}
		out.Action = in.Action
		return out, nil
	})

// ManageStudyInput is one action with the fields that it takes.
type ManageStudyInput struct {
	Action    string     `json:"action"` // get | delete | set_link_sharing | invite
	StudyID   string     `json:"studyId"`
	LinkOn    bool       `json:"isLinkSharingEnabled"` // set_link_sharing
	Emails    []string   `json:"emails"`               // invite, 1..100
	Role      study.Role `json:"role"`                 // invite: member (default) or admin
	Confirmed bool       `json:"confirmed"`            // delete: checked with the schema (M-314)
}

// ManagedStudy is what came of the action; fields of other actions are left out.
type ManagedStudy struct {
	Action         string            `json:"action"`
	Study          *ManagedStudyView `json:"study,omitempty"`
	Deleted        *bool             `json:"deleted,omitempty"`
	LinkOn         *bool             `json:"isLinkSharingEnabled,omitempty"`
	PublicShareID  *string           `json:"publicShareId,omitempty"`
	Invited        *[]string         `json:"invited,omitempty"`
	EmailFailures  *[]invite.Failure `json:"emailFailures,omitempty"`
	WorkspaceURL   string            `json:"workspaceUrl,omitempty"`
	SharedStudyURL *string           `json:"sharedStudyUrl,omitempty"`
	AlreadyMembers *[]string         `json:"alreadyMembers,omitempty"`
}

// ManagedStudyView is the Study as get shows it.
type ManagedStudyView struct {
	ID             string             `json:"id"`
	Name           string             `json:"name"`
	QuestionCount  int                `json:"questionCount"`
	MessageCount   int                `json:"messageCount"`
	Audiences      []AttachedAudience `json:"audiences"`
	LinkOn         bool               `json:"isLinkSharingEnabled"`
	WorkspaceURL   string             `json:"workspaceUrl"`
	SharedStudyURL *string            `json:"sharedStudyUrl"` // null while sharing is off (M-4)
	CreatedAt      string             `json:"createdAt"`
	UpdatedAt      string             `json:"updatedAt"`
}

type studyAction func(context.Context, *research.Research, ManageStudyInput) (ManagedStudy, error)

var studyActions = map[string]studyAction{
	"get": func(ctx context.Context, r *research.Research, in ManageStudyInput) (ManagedStudy, error) {
		s, err := r.Studies.Resolve(ctx, in.StudyID, "")
		if err != nil {
			return ManagedStudy{}, err
		}
		return ManagedStudy{Study: &ManagedStudyView{ID: s.ID, Name: s.Name, QuestionCount: s.QuestionCount, MessageCount: s.MessageCount,
			Audiences: attached(s.Audiences), LinkOn: s.IsLinkSharingEnabled, WorkspaceURL: s.WorkspaceURL, SharedStudyURL: s.SharedStudyURL,
			CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}, WorkspaceURL: s.WorkspaceURL, SharedStudyURL: s.SharedStudyURL}, nil
	},
	"delete": func(ctx context.Context, r *research.Research, in ManageStudyInput) (ManagedStudy, error) {
		return ManagedStudy{Deleted: ptr(true)}, r.Studies.Delete(ctx, in.StudyID)
	},
	"set_link_sharing": func(ctx context.Context, r *research.Research, in ManageStudyInput) (ManagedStudy, error) {
		s, err := r.Studies.ShareLink(ctx, in.StudyID, in.LinkOn)
		return ManagedStudy{LinkOn: &s.IsLinkSharingEnabled, PublicShareID: s.PublicShareID, SharedStudyURL: s.SharedStudyURL, WorkspaceURL: r.Studies.URL(in.StudyID)}, err
	},
	"invite": func(ctx context.Context, r *research.Research, in ManageStudyInput) (ManagedStudy, error) {
		out, s, err := r.Invitations.Invite(ctx, invite.Request{StudyID: in.StudyID, Emails: in.Emails, Role: in.Role})
		return ManagedStudy{Invited: &out.Invited, AlreadyMembers: &out.AlreadyMembers, EmailFailures: &out.EmailFailures, WorkspaceURL: s.WorkspaceURL}, err
	},
}
