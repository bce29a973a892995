package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListMinds pages through the caller's Minds, newest first, or gives the one
// closest name.
var ListMinds = tool.New("list_minds",
	func(ctx context.Context, in ListMindsInput) (MindList, error) {
		minds := research.From(ctx).Minds
		if in.SearchQuery != "" {
			return closestMind(ctx, minds, in.SearchQuery)
		}
		rows, total, err := minds.List(ctx, in.Limit, in.Offset)
		if err != nil {
			return MindList{}, err
		}
		return MindList{Minds: rows, Page: pageOf(len(rows), total, in.Limit, in.Offset), WorkspaceURL: minds.ListURL()}, nil
	})

// ListMindsInput is a page, or a name to look up.
type ListMindsInput struct {
	SearchQuery string `json:"searchQuery"` // with it, limit and offset are ignored
	Limit       int    `json:"limit"`       // 1..100, default 20
	Offset      int    `json:"offset"`
}

// MindList is one page of Minds.
type MindList struct {
	Minds []mind.Summary `json:"minds"`
	Page
	WorkspaceURL string `json:"workspaceUrl"`
}

// closestMind gives the best match alone; nothing alike is an empty list.
func closestMind(ctx context.Context, minds *mind.Service, name string) (MindList, error) {
	rows := []mind.Summary{}
	m, err := minds.Find(ctx, name)
	switch {
	case fault.Is(err, fault.NotFound):
	case err != nil:
		return MindList{}, err
	default:
		rows = append(rows, minds.Summary(m))
	}
	_, total, err := minds.List(ctx, 1, 0)
	if err != nil {
		return MindList{}, err
	}
	return MindList{Minds: rows, Page: single(len(rows), total), WorkspaceURL: minds.ListURL()}, nil
}
