package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// CreateStudy makes a Study with existing Audiences, new ones, or both. Only the
// same arguments within 15 minutes give the earlier Study back.
var CreateStudy = tool.New("create_study",
	func(ctx context.Context, in CreateStudyInput) (CreateStudyResult, error) {
		made, err := research.From(ctx).Studies.Create(ctx, study.CreateRequest{
			Name: in.Name, AudienceIDs: in.AudienceIDs, AudienceNew: in.AudienceConfigs, LinkSharing: in.IsLinkSharingEnabled})
		if err != nil {
			return CreateStudyResult{}, err
		}
		s := made.Study
		return CreateStudyResult{StudyID: s.ID, Name: s.Name, Replayed: made.Replayed, Audiences: attached(s.Audiences),
			IsLinkSharingEnabled: s.IsLinkSharingEnabled, PublicShareID: s.PublicShareID,
			WorkspaceURL: s.WorkspaceURL, SharedStudyURL: s.SharedStudyURL}, nil
	})

// CreateStudyInput is checked by the contract's schema before it arrives.
type CreateStudyInput struct {
	Name                 string                 `json:"name"`
	AudienceConfigs      []study.InlineAudience `json:"audienceConfigs"`
	AudienceIDs          []string               `json:"audienceIds"`
	IsLinkSharingEnabled bool                   `json:"isLinkSharingEnabled"`
}

// CreateStudyResult names the Study and what is attached to it.
type CreateStudyResult struct {
	StudyID              string             `json:"studyId"`
	Name                 string             `json:"name"`
	Replayed             bool               `json:"replayed"`
	Audiences            []AttachedAudience `json:"audiences"`
	IsLinkSharingEnabled bool               `json:"isLinkSharingEnabled"`
	PublicShareID        *string            `json:"publicShareId"`
	WorkspaceURL         string             `json:"workspaceUrl"`
	SharedStudyURL       *string            `json:"sharedStudyUrl"`
}

// AttachedAudience is an Audience of a Study, without its members.
type AttachedAudience struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MindCount int    `json:"mindCount"`
}

func attached(refs []study.AudienceRef) []AttachedAudience {
	out := make([]AttachedAudience, len(refs))
	for i, a := range refs {
		out[i] = AttachedAudience{ID: a.ID, Name: a.Name, MindCount: a.MindCount}
	}
	return out
}
