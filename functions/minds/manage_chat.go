package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageChat keeps a lasting conversation with one Mind, several Minds or
// Audiences.
var ManageChat = tool.New("manage_chat",
	func(ctx context.Context, in ManageChatInput) (ManagedChat, error) {
		chats := research.From(ctx).Chats
		out := ManagedChat{Action: in.Action}
		switch in.Action {
		case "create":
			c, err := chats.Create(ctx, chat.CreateRequest{
				MindID: in.MindID, MindIDs: in.MindIDs, AudienceIDs: in.AudienceIDs,
				Name: in.Name, Description: in.Description, ResponseThread: in.ResponseThread.ref(),
			})
			if err != nil {
				return ManagedChat{}, err
			}
			out.Chat = &c
		case "send_message":
			sent, err := chats.Send(ctx, chat.SendRequest{ChatID: in.ChatID, Message: in.Message, Role: in.Role})
			if err != nil {
				return ManagedChat{}, err
			}
			out.MessageID, out.Content, out.Metadata, out.Messages, out.OutputData, out.Role =
				sent.MessageID, sent.Content, sent.Metadata, sent.Messages, sent.OutputData, sent.Role
		case "delete":
			if err := chats.Delete(ctx, in.ChatID); err != nil {
				return ManagedChat{}, err
			}
			out.Deleted = ptr(true)
		default: // the schema knows the same ones
			return ManagedChat{}, fault.New(fault.Validation, "action is %q, which is none of manage_chat.", in.Action).With("field", "action")
		}
		return out, nil
	})

// ManageChatInput is one action with the fields that it takes.
type ManageChatInput struct {
	Action string `json:"action"`

	// create: exactly one of the three.
	MindID         string          `json:"mindId"`
	MindIDs        []string        `json:"mindIds"`     // 1..50
	AudienceIDs    []string        `json:"audienceIds"` // 1..50
	Name           string          `json:"name"`        // at most 200 characters
	Description    string          `json:"description"` // at most 2,000 characters
	ResponseThread *ResponseThread `json:"responseThread"`

	// send_message, delete
	ChatID    string `json:"chatId"`
	Message   string `json:"message"` // 1..32,000 characters
	Role      string `json:"role"`    // user (default) gets a reply, system stores a note
	Confirmed bool   `json:"confirmed"`
}

// ResponseThread names the Study answer that a chat goes on from.
type ResponseThread struct {
	StudyID   string `json:"studyId"`
	MessageID string `json:"messageId"`
}

func (t *ResponseThread) ref() *chat.ThreadRef {
	if t == nil {
		return nil
	}
	return &chat.ThreadRef{StudyID: t.StudyID, MessageID: t.MessageID}
}

// ManagedChat is what came of the action; fields of other actions are left out.
type ManagedChat struct {
	Action     string              `json:"action"`
	Chat       *chat.Chat          `json:"chat,omitempty"`
	MessageID  string              `json:"messageId,omitempty"`
	Content    string              `json:"content,omitempty"`  // one Mind's reply
	Metadata   *mind.ReplyMetadata `json:"metadata,omitempty"` // what that reply rests on
	Messages   []chat.Spoken       `json:"messages,omitempty"` // several Minds', in speaking order
	OutputData *study.OutputData   `json:"outputData,omitempty"`
	Role       string              `json:"role,omitempty"` // system for a stored note
	Deleted    *bool               `json:"deleted,omitempty"`
	ChatURL    string              `json:"chatUrl,omitempty"` // no page shows a chat, so there is none
}
