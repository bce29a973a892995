package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListAudiences pages through the caller's Audiences, most recently updated
// first, or gives the one closest name.
var ListAudiences = tool.New("list_audiences",
	func(ctx context.Context, in ListAudiencesInput) (AudienceList, error) {
		audiences := research.From(ctx).Audiences
		if in.SearchQuery != "" {
			return closestAudience(ctx, audiences, in)
		}
		rows, total, err := audiences.List(ctx, in.Limit, in.Offset, in.IncludeMinds)
		if err != nil {
			return AudienceList{}, err
		}
		return AudienceList{Audiences: rows, Page: pageOf(len(rows), total, in.Limit, in.Offset), WorkspaceURL: audiences.ListURL()}, nil
	})

// ListAudiencesInput is a page, or a name to look up.
type ListAudiencesInput struct {
	SearchQuery  string `json:"searchQuery"` // with it, limit and offset are ignored
	Limit        int    `json:"limit"`       // 1..100, default 20
	Offset       int    `json:"offset"`
	IncludeMinds bool   `json:"includeMinds"`
}

// AudienceList is one page of Audiences.
type AudienceList struct {
	Audiences []audience.Summary `json:"audiences"`
	Page
	WorkspaceURL string `json:"workspaceUrl"`
}

// closestAudience gives the best match alone; nothing alike is an empty list.
func closestAudience(ctx context.Context, audiences *audience.Service, in ListAudiencesInput) (AudienceList, error) {
	rows := []audience.Summary{}
	a, err := audiences.Find(ctx, in.SearchQuery)
	switch {
	case fault.Is(err, fault.NotFound):
	case err != nil:
		return AudienceList{}, err
	default:
		row, err := audiences.Summary(ctx, a, in.IncludeMinds)
		if err != nil {
			return AudienceList{}, err
		}
		rows = append(rows, row)
	}
	_, total, err := audiences.List(ctx, 1, 0, false)
	if err != nil {
		return AudienceList{}, err
	}
	return AudienceList{Audiences: rows, Page: single(len(rows), total), WorkspaceURL: audiences.ListURL()}, nil
}
