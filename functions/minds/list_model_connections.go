package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/connection"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListModelConnections lists the active model connections of the caller's team.
// Listed is not verified. It is advertised only while the feature is on (M-302).
var ListModelConnections = tool.New("list_model_connections",
	func(ctx context.Context, in ListModelConnectionsInput) (ListedModelConnections, error) {
		page, err := research.From(ctx).Connections.List(ctx, in.Cursor)
		return ListedModelConnections{Connections: page.Connections, Pagination: CursorPage{NextCursor: page.NextCursor}}, err
	})

// ListModelConnectionsInput asks for one page.
type ListModelConnectionsInput struct {
	Cursor string `json:"cursor"` // pagination.nextCursor of the page before
}

// ListedModelConnections is one page.
type ListedModelConnections struct {
	Connections []connection.Connection `json:"connections"`
	Pagination  CursorPage              `json:"pagination"`
}

// CursorPage says where to go on; null at the end.
type CursorPage struct {
	NextCursor *string `json:"nextCursor"`
}
