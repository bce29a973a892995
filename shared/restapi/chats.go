package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/chat"
)

func createChat(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Name           string          `json:"name"`
		Description    string          `json:"description"`
		MindID         string          `json:"mindId"`
		MindIDs        []string        `json:"mindIds"`
		AudienceIDs    []string        `json:"audienceIds"`
		ResponseThread *chat.ThreadRef `json:"responseThread"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.ResponseThread == nil { // of several the first counts: audienceIds, mindIds, mindId
		switch {
		case in.AudienceIDs != nil:
			in.MindIDs, in.MindID = nil, ""
		case in.MindIDs != nil:
			in.MindID = ""
		}
	}
	made, err := c.Chats.Create(ctx, chat.CreateRequest{
		Name: in.Name, Description: in.Description, MindID: in.MindID, MindIDs: in.MindIDs, AudienceIDs: in.AudienceIDs, ResponseThread: in.ResponseThread,
	})
	if err != nil {
		return reply{}, err
	}
	return created(made.Resumed, data(made))
}

// chatMessage is the body of sendChatMessage. Chats answer through the model of
// the installation or the offline engine; what would need a connection is refused
// by name.
type chatMessage struct {
	Content        string         `json:"content"`
	Message        string         `json:"message"`
	Role           string         `json:"role"`
	Model          string         `json:"model"`
	Provider       string         `json:"provider"`
	EndUserName    string         `json:"endUserName"`
	ResponseFormat map[string]any `json:"response_format"`
	Tools          []any          `json:"tools"`
	ToolChoice     any            `json:"tool_choice"`
}

func sendChatMessage(ctx context.Context, c *call) (reply, error) {
	var in chatMessage
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	switch {
	case in.Model != "" || in.Provider != "":
		return reply{}, noModel()
	case len(in.Tools) > 0 || in.ToolChoice != nil || len(in.ResponseFormat) > 0:
		return reply{}, unsupported("tools, tool_choice and response_format are not served in chats; leave them out, or use the completion operation with a modelConnection.")
	}
	text, field := in.Content, "content"
	if in.Message != "" {
		if text != "" {
			return reply{}, fault.New(fault.Validation, "content and message are two names of one field; send content alone.").With("field", "message").With("in", "body").With("path", "/message")
		}
		text, field = in.Message, "message"
	}
	sent, err := c.Chats.Send(ctx, chat.SendRequest{ChatID: c.id("chatId"), Message: text, Role: in.Role, EndUserName: in.EndUserName})
	if fault.Is(err, fault.Forbidden) { // another member's chat does not exist here
		return reply{}, fault.New(fault.NotFound, "No chat with this id.")
	}
	if err != nil {
		return reply{}, renamed(err, "message", field)
	}
	switch {
	case sent.Role != "":
		return ok(map[string]any{"messageId": sent.MessageID, "role": sent.Role})
	case sent.Messages != nil:
		return ok(map[string]any{"messages": sent.Messages})
	case sent.OutputData != nil:
		return ok(map[string]any{"outputData": sent.OutputData})
	}
	return ok(map[string]any{"content": sent.Content, "messageId": sent.MessageID, "metadata": sent.Metadata})
}

func deleteChat(ctx context.Context, c *call) (reply, error) {
	if err := c.Chats.Delete(ctx, c.id("chatId")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}
