// Package chat keeps conversations: with one Mind, with several Minds that take
// turns, or with Audiences whose Minds all answer. The server keeps the history:
// the last turns word for word, older ones as a summary (M-280).
package chat

import (
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// The kinds of chats.
const (
	OneMind      = "mind"
	SeveralMinds = "multi_mind"
	OfAudiences  = "study"
)

// Roles of a message.
const (
	User   = "user"
	System = "system" // a note: stored, not answered, not charged
)

// Chat is one chat as tools and REST show it.
type Chat struct {
	ID          string        `json:"id"`
	Name        string        `json:"name"`
	Description *string       `json:"description"`
	Type        string        `json:"type"`
	Minds       []Member      `json:"minds,omitempty"`
	Audiences   []AudienceRef `json:"audiences,omitempty"`
	Resumed     bool          `json:"resumed"` // an existing response thread
	CreatedAt   string        `json:"createdAt"`
}

// Member is one Mind of a chat.
type Member struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Discipline *string `json:"discipline"`
}

// AudienceRef is one Audience of a chat.
type AudienceRef struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	MindCount int    `json:"mindCount"`
}

// CreateRequest asks for a chat with exactly one of MindID, MindIDs and
// AudienceIDs.
type CreateRequest struct {
	MindID         string
	MindIDs        []string // 1..50
	AudienceIDs    []string // 1..50
	Name           string   // at most 200 characters; empty: from whom it is with
	Description    string   // at most 2,000 characters
	ResponseThread *ThreadRef
}

// ThreadRef names a Study answer to go on from; only with MindID.
type ThreadRef struct {
	StudyID   string
	MessageID string
}

// SendRequest is one message to a chat.
type SendRequest struct {
	ChatID      string
	Message     string // 1..32,000 characters
	Role        string // user (default) | system
	EndUserName string // how the person is called, at most 120 characters
	Offer       *Offer // what a reply of one Mind may call, and the form it is to have
}

// Sent is what came of a message: by the kind of the chat Content, Messages or
// OutputData; none of them with Role system.
type Sent struct {
	MessageID  string // of the reply; of the message itself with several Minds and for a note
	Content    string
	Metadata   *mind.ReplyMetadata // with Content
	Calls      []model.ToolCall    // of the caller's tools, which the caller runs; Content may be empty then
	Parsed     json.RawMessage     // the reply in the form that was asked for
	Messages   []Spoken            // in speaking order
	OutputData *study.OutputData
	Role       string // system for a stored note
}

// Spoken is one Mind's turn in a chat with several.
type Spoken struct {
	Content   string             `json:"content"`
	MessageID string             `json:"messageId"`
	Mind      Speaker            `json:"mind"`
	Metadata  mind.ReplyMetadata `json:"metadata"`
}

// Speaker is who spoke.
type Speaker struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}
