package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageAudience reads, follows, renames, shares or deletes one Audience, changes its
// members and has their portraits drawn. What it queues goes on in the background.
var ManageAudience = tool.New("manage_audience",
	func(ctx context.Context, in ManageAudienceInput) (ManagedAudience, error) {
		do, ok := audienceActions[in.Action]
		if !ok { // the schema knows the same ones
			return ManagedAudience{}, fault.New(fault.Validation, "action is %q, which is none of manage_audience.", in.Action).With("field", "action")
		}
		out, err := do(ctx, research.From(ctx).Audiences, in)
		if err != nil {
			return ManagedAudience{}, err
		}
		out.Action = in.Action
		if in.Action != "delete" {
			out.WorkspaceURL = research.From(ctx).Audiences.URL(in.AudienceID)
		}
		if out.Audience != nil {
			out.WorkspaceURL, out.SharedAudienceURL = out.Audience.WorkspaceURL, out.Audience.SharedAudienceURL
		}
		return out, nil
	})

// ManageAudienceInput is one action with the fields that it takes.
type ManageAudienceInput struct {
	Action     string `json:"action"`
	AudienceID string `json:"audienceId"`

	// update: what is left out stays; link sharing is not changed here.
	Name           *string `json:"name"` // 1..100 characters after trimming
	IsPublic       *bool   `json:"isPublic"`
	SharedWithTeam *bool   `json:"isSharedWithTeam"`

	MindID string `json:"mindId"` // add_member, remove_member

	// regenerate_images
	Force bool `json:"force"`
	Limit int  `json:"limit"` // 1..6,000; left out: all
	Dry   bool `json:"dry"`

	Confirmed bool `json:"confirmed"` // delete: checked with the schema (M-314)
}

// ManagedAudience is what came of the action; fields of other actions are left out.
type ManagedAudience struct {
	Action            string            `json:"action"`
	Audience          *audience.Detail  `json:"audience,omitempty"`
	Progress          *AudienceProgress `json:"progress,omitempty"`
	Following         *bool             `json:"following,omitempty"`
	Deleted           *bool             `json:"deleted,omitempty"`
	Added             *int              `json:"added,omitempty"`
	Removed           *bool             `json:"removed,omitempty"`
	Images            *AudienceImages   `json:"images,omitempty"`
	WorkspaceURL      string            `json:"workspaceUrl,omitempty"`
	SharedAudienceURL *string           `json:"sharedAudienceUrl,omitempty"`
}

// AudienceProgress is how far an Audience is built, in counts of members.
type AudienceProgress struct {
	State string `json:"state"`
	audience.Readied
	Settled  bool              `json:"settled"`
	Research audience.Research `json:"research"`
}

// AudienceImages is what came of regenerate_images.
type AudienceImages struct {
	TotalMembers int  `json:"totalMembers"`
	Candidates   int  `json:"candidates"`
	Enqueued     int  `json:"enqueued"` // 0 on a dry run
	Skipped      int  `json:"skipped"`
	Errors       int  `json:"errors"`
	Dry          bool `json:"dry"`
}

type audienceAction func(context.Context, *audience.Service, ManageAudienceInput) (ManagedAudience, error)

var audienceActions = map[string]audienceAction{
	"get": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		d, err := s.Detail(ctx, in.AudienceID)
		return ManagedAudience{Audience: &d}, err
	},
	"get_progress": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		p, err := s.Progress(ctx, in.AudienceID)
		return ManagedAudience{Progress: &AudienceProgress{p.State, p.Readied, p.Settled, p.Research}}, err
	},
	"follow": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		return ManagedAudience{Following: ptr(true)}, s.Follow(ctx, in.AudienceID)
	},
	"unfollow": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		return ManagedAudience{Following: ptr(false)}, s.Unfollow(ctx, in.AudienceID)
	},
	"update": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		a, err := s.Update(ctx, in.AudienceID, audience.Patch{Name: in.Name, IsPublic: in.IsPublic, SharedWithTeam: in.SharedWithTeam})
		if err != nil {
			return ManagedAudience{}, err
		}
		d, err := s.DetailOf(ctx, a)
		return ManagedAudience{Audience: &d}, err
	},
	"delete": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		return ManagedAudience{Deleted: ptr(true)}, s.Delete(ctx, in.AudienceID)
	},
	"add_member": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		n, err := s.AddMembers(ctx, in.AudienceID, []string{in.MindID})
		return ManagedAudience{Added: &n}, err
	},
	"remove_member": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		return ManagedAudience{Removed: ptr(true)}, s.RemoveMember(ctx, in.AudienceID, in.MindID)
	},
	"regenerate_images": func(ctx context.Context, s *audience.Service, in ManageAudienceInput) (ManagedAudience, error) {
		out, err := s.RegenerateImages(ctx, in.AudienceID, audience.ImagesRequest{Force: in.Force, Limit: in.Limit, Dry: in.Dry})
		return ManagedAudience{Images: &AudienceImages{out.TotalMembers, out.Candidates, out.Enqueued, out.Skipped, out.Errors, out.Dry}}, err
	},
}
