package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// CreateAudience puts existing Minds together; none are made, none are trained.
var CreateAudience = tool.New("create_audience",
	func(ctx context.Context, in CreateAudienceInput) (CreatedAudience, error) {
		audiences := research.From(ctx).Audiences
		c, err := audiences.Create(ctx, audience.CreateRequest{Name: in.Name, MindIDs: in.MindIDs})
		if err != nil {
			return CreatedAudience{}, err
		}
		row, err := audiences.Summary(ctx, c.Audience, false)
		if err != nil {
			return CreatedAudience{}, err
		}
		return CreatedAudience{
			Audience: row.Base, MindIDs: c.Audience.MemberIDs,
			WorkspaceURL: row.WorkspaceURL, SharedAudienceURL: row.SharedAudienceURL,
		}, nil
	})

// CreateAudienceInput is a new Audience; Minds named twice count once.
type CreateAudienceInput struct {
	Name    string   `json:"name"`    // 1..100 characters
	MindIDs []string `json:"mindIds"` // 1..6,000, within the plan's member cap
}

// CreatedAudience is the Audience with its members' ids in order.
type CreatedAudience struct {
	Audience          audience.Base `json:"audience"`
	MindIDs           []string      `json:"mindIds"`
	WorkspaceURL      string        `json:"workspaceUrl"`
	SharedAudienceURL *string       `json:"sharedAudienceUrl"`
}
