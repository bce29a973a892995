package chat

import (
	"encoding/json"
	"time"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// chatRow is the stored form of a chat. It does not grow with its messages: they
// are rows of their own.
type chatRow struct {
	ID          string        `json:"id"`
	Owner       string        `json:"owner"`
	Workspace   string        `json:"workspace"`
	Name        string        `json:"name"`
	Description string        `json:"description,omitempty"`
	Type        string        `json:"type"`
	Minds       []Member      `json:"minds,omitempty"` // in the order given
	Audiences   []AudienceRef `json:"audiences,omitempty"`
	Thread      *thread       `json:"thread,omitempty"`

	Asked int `json:"asked"` // user messages that were answered or are being answered
	Next  int `json:"next"`  // place of the next message row
	// Window is where the turns of the last messages begin that are kept word for
	// word, oldest first; what stands before the first of them is in Summary.
	Window  []int          `json:"window,omitempty"`
	Summary summary        `json:"summary,omitzero"`
	Spoken  map[string]int `json:"spoken,omitempty"` // turns of each Mind, with several
	Pending *pending       `json:"pending,omitempty"`

	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`

	version int64 // of the stored record
}

// thread says which answer of which Study a chat goes on from.
type thread struct {
	StudyID   string `json:"studyId"`
	MessageID string `json:"messageId"`
	MindID    string `json:"mindId"`
}

// pending is a message that is not answered yet. Its responses are reserved. It
// is answered by whoever holds its lease, once.
type pending struct {
	MessageID   string    `json:"messageId"`
	Place       int       `json:"place"`
	Digest      string    `json:"digest"`          // of the text, to know it again
	Minds       []string  `json:"minds,omitempty"` // who speaks, in speaking order; empty for Audiences
	Reserved    int64     `json:"reserved"`
	ReservedAt  time.Time `json:"reservedAt"`
	EndUserName string    `json:"endUserName,omitempty"`
}

// The kinds of messages.
const (
	roleUser      = "user"
	roleSystem    = "system"
	roleAssistant = "assistant"
)

// messageRow is one stored message.
type messageRow struct {
	ID   string    `json:"id"`
	Role string    `json:"role"`
	Text string    `json:"text"`
	At   time.Time `json:"at"`
	// Of a message that waits for its reply: what came along with it.
	Offer *Offer `json:"offer,omitempty"`
	// Of a Mind's reply.
	Calls    []model.ToolCall    `json:"calls,omitempty"`
	Parsed   json.RawMessage     `json:"parsed,omitempty"`
	Mind     *Speaker            `json:"mind,omitempty"`
	Metadata *mind.ReplyMetadata `json:"metadata,omitempty"`
	// Of a reply of Audiences: what each Mind answered, []mindAnswer in the blob.
	Answers *blobs.Ref `json:"answers,omitempty"`

	place int
}

func (r chatRow) item() records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: chatKey(r.Workspace, r.ID), Body: body}
}

// put writes the chat if it stands as it was read.
func (r chatRow) put() records.Action { return records.PutItem(r.item(), records.VersionIs(r.version)) }

func decode(it records.Item) (chatRow, error) {
	var r chatRow
	err := json.Unmarshal(it.Body, &r)
	r.version = it.Version
	return r, err
}

func (m messageRow) item(ws, chat string) records.Item {
	body, _ := json.Marshal(m)
	return records.Item{Key: messageKey(ws, chat, m.place), Body: body}
}

func (r chatRow) view(resumed bool) Chat {
	c := Chat{ID: r.ID, Name: r.Name, Type: r.Type, Minds: r.Minds, Audiences: r.Audiences, Resumed: resumed, CreatedAt: clock.Stamp(r.CreatedAt)}
	if r.Description != "" {
		c.Description = &r.Description
	}
	return c
}
