package restapi

import (
	"context"
	"encoding/json"
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
// by name. Tools and a form are those of completions.
type chatMessage struct {
	Content        string          `json:"content"`
	Message        string          `json:"message"`
	Role           string          `json:"role"`
	Model          string          `json:"model"`
	Provider       string          `json:"provider"`
	EndUserName    string          `json:"endUserName"`
	ResponseFormat *responseFormat `json:"response_format"`
	Tools          []toolOffer     `json:"tools"`
	ToolChoice     json.RawMessage `json:"tool_choice"`
}

func sendChatMessage(ctx context.Context, c *call) (reply, error) {
	var in chatMessage
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.Model != "" || in.Provider != "" {
		return reply{}, noModel()
	}
	offer, err := in.offer()
	if err != nil {
		return reply{}, err
	}
	text, field := in.Content, "content"
	if in.Message != "" {
		if text != "" {
			return reply{}, fault.New(fault.Validation, "content and message are two names of one field; send content alone.").With("field", "message").With("in", "body").With("path", "/message")
		}
		text, field = in.Message, "message"
	}
	sent, err := c.Chats.Send(ctx, chat.SendRequest{ChatID: c.id("chatId"), Message: text, Role: in.Role, EndUserName: in.EndUserName, Offer: offer})
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
	body := map[string]any{"content": sent.Content, "messageId": sent.MessageID, "metadata": sent.Metadata}
	if sent.Parsed != nil {
		body["parsed"] = sent.Parsed
	}
	if len(sent.Calls) > 0 {
		body["tool_calls"] = callsOut(sent.Calls)
	}
	return ok(body)
}

// offer reads what comes along with a message; nil for nothing.
func (in chatMessage) offer() (*chat.Offer, error) {
	as := completionRequest{Tools: in.Tools, ToolChoice: in.ToolChoice, ResponseFormat: in.ResponseFormat}
	shape, err := as.ResponseFormat.shape()
	if err != nil {
		return nil, err
	}
	tools, err := as.tools()
	if err != nil {
		return nil, err
	}
	choice, err := as.choice(tools)
	if err != nil || len(tools) == 0 && shape == nil {
		return nil, err
	}
	offer := &chat.Offer{Tools: tools, Choice: choice}
	if shape != nil {
		offer.Shape = &chat.Shape{Name: shape.Name, JSON: shape.JSON}
	}
	return offer, nil
}

func deleteChat(ctx context.Context, c *call) (reply, error) {
	if err := c.Chats.Delete(ctx, c.id("chatId")); err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusNoContent}, nil
}
