package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ChatWithMind sends one message to one Mind; nothing is remembered.
var ChatWithMind = tool.New("chat_with_mind",
	func(ctx context.Context, in ChatWithMindInput) (mind.ChatReply, error) {
		return research.From(ctx).Minds.Chat(ctx, mind.ChatRequest{
			MindID: in.MindID, MindName: in.MindName, Message: in.Message,
			SourcePolicy: in.SourcePolicy, Connection: in.ModelConnection,
		})
	})

// ChatWithMindInput is one message. The Mind is named by id or by name; with
// both the id wins, and the name must fit it.
type ChatWithMindInput struct {
	MindID          string              `json:"mindId"`
	MindName        string              `json:"mindName"`
	Message         string              `json:"message"`         // 1..32,000 characters
	SourcePolicy    string              `json:"sourcePolicy"`    // auto (default) or knowledge_only
	ModelConnection *mind.ConnectionRef `json:"modelConnection"` // verified, of the caller's team, at its current revision
}
