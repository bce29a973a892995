package restapi

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// completionRequest is the body of createMindCompletion. What cannot be served is
// refused by name; nothing is quietly left out.
type completionRequest struct {
	Messages        []completionMessage `json:"messages"`
	Model           string              `json:"model"`
	Provider        string              `json:"provider"`
	ModelConnection *mind.ConnectionRef `json:"modelConnection"`
	Language        string              `json:"language"`
	EndUserName     string              `json:"endUserName"`
	SourcePolicy    string              `json:"sourcePolicy"`
	CitationMarkers string              `json:"citationMarkers"`
	ResponseFormat  *responseFormat     `json:"response_format"`
	Tools           []toolOffer         `json:"tools"`
	ToolChoice      json.RawMessage     `json:"tool_choice"`
	Parallel        *bool               `json:"parallel_tool_calls"`
	Participants    []string            `json:"participants"`
}

type completionMessage struct {
	Role     string     `json:"role"`
	Content  any        `json:"content"`
	Calls    []toolCall `json:"tool_calls"`
	CallID   string     `json:"tool_call_id"`
	Metadata struct {
		Files []attachedFile `json:"attachedFiles"`
	} `json:"metadata"`
}

// responseFormat is the form of a reply: text, or a JSON schema.
type responseFormat struct {
	Type   string `json:"type"`
	Schema struct {
		Name   string          `json:"name"`
		Schema json.RawMessage `json:"schema"`
	} `json:"json_schema"`
}

// languages are those of the contract, as a model is told them.
var languages = map[string]string{
	"en": "English", "es": "Spanish", "fr": "French", "de": "German", "zh": "Chinese", "tr": "Turkish", "ar": "Arabic", "ja": "Japanese", "ko": "Korean",
}

// completionMetadata is what a completion says of its reply.
type completionMetadata struct {
	mind.ReplyMetadata
	Language *languageNote `json:"language,omitempty"`
	// These stand before those of the reply, and are null where nothing was said.
	EvidenceState    *simulate.State  `json:"evidenceState"`
	AnswerProvenance *mind.Provenance `json:"answerProvenance"`
}

func metadataOf(m mind.ReplyMetadata) completionMetadata {
	return completionMetadata{ReplyMetadata: m, EvidenceState: &m.EvidenceState, AnswerProvenance: &m.AnswerProvenance}
}

func (m *completionMetadata) silent() { m.EvidenceState, m.AnswerProvenance = nil, nil }

// languageNote says whether a reply is in the language that was asked for.
type languageNote struct {
	Requested string `json:"requested"`
	Applied   bool   `json:"applied"`
	Note      string `json:"note,omitempty"`
}

func createMindCompletion(ctx context.Context, c *call) (reply, error) {
	var in completionRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if err := in.servable(); err != nil {
		return reply{}, err
	}
	shape, err := in.ResponseFormat.shape()
	if err != nil {
		return reply{}, err
	}
	ask := mind.ChatRequest{MindID: c.id("mindId"), SourcePolicy: in.SourcePolicy, Connection: in.ModelConnection, Notes: in.notes(), Shape: shape}
	if in.brings() {
		if ask.Talk, ask.System, err = in.talk(c.Brought); err != nil {
			return reply{}, err
		}
	} else if ask.Message, ask.History, ask.System, err = turns(in.Messages); err != nil {
		return reply{}, err
	}
	answer, err := c.Minds.Chat(ctx, ask)
	if err != nil {
		return reply{}, renamed(err, "message", fmt.Sprintf("messages[%d].content", len(in.Messages)-1))
	}
	metadata := metadataOf(answer.Metadata)
	if in.Language != "" {
		metadata.Language = &languageNote{Requested: in.Language, Applied: !answer.Offline}
		if answer.Offline {
			metadata.Language.Note = "The offline engine repeats what is on record, in the language of the record, and says the rest in English."
		}
	}
	if len(answer.Calls) > 0 && answer.Content == "" { // nothing is said, so it rests on nothing
		metadata.silent()
	}
	body := map[string]any{"messageId": "msg_" + strings.ReplaceAll(answer.MessageID, "-", ""), "metadata": &metadata}
	if shape != nil && len(answer.Calls) == 0 {
		body["content"], body["parsed"] = string(answer.Parsed), answer.Parsed
	} else {
		body["content"] = marked(answer.Content, len(answer.Metadata.Citations), in.CitationMarkers)
	}
	if len(answer.Calls) > 0 {
		body["tool_calls"] = callsOut(answer.Calls)
	}
	return reply{status: http.StatusOK, body: body, header: roomHeaders(answer.Room)}, nil
}

// roomHeaders say what the window of completions still takes (M-106).
func roomHeaders(r account.Room) http.Header {
	h := http.Header{}
	h.Set("X-RateLimit-Limit", strconv.Itoa(r.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(r.Remaining))
	h.Set("X-RateLimit-Reset", strconv.Itoa(r.Reset))
	return h
}

func (in completionRequest) servable() error {
	switch {
	case in.ModelConnection != nil && (in.Model != "" || in.Provider != ""):
		return fault.New(fault.Validation, "modelConnection goes without model and provider; leave those out.").With("errorType", "model_not_found")
	case in.Model != "" || in.Provider != "":
		return noModel()
	case len(in.Messages) == 0:
		return fault.New(fault.Validation, `messages must have at least one entry, for example [{"role":"user","content":"What do you drink in the morning?"}].`).
			With("path", "/messages").With("errorType", "invalid_prompt")
	case len(in.Participants) > maxParticipants:
		return fault.New(fault.Validation, "participants has %d names; at most %d are taken.", len(in.Participants), maxParticipants).
			With("path", "/participants").With("errorType", "invalid_prompt")
	}
	return nil
}

const (
	maxParticipants = 50
	maxSchema       = 64 << 10 // bytes of a JSON schema
)

// notes are what a model is told of the conversation.
func (in completionRequest) notes() []string {
	var out []string
	if in.Language != "" {
		out = append(out, "Answer in "+languages[in.Language]+".")
	}
	out = append(out, mind.Called(in.EndUserName)...)
	var others []string
	for _, p := range in.Participants {
		if name := strings.Join(strings.Fields(p), " "); name != "" {
			others = append(others, strconv.Quote(name))
		}
	}
	if len(others) > 0 {
		out = append(out, "Also in this conversation: "+strings.Join(others, ", ")+".")
	}
	return out
}

// shape is the form that a reply is to have; nil for plain text.
func (f *responseFormat) shape() (*model.Schema, error) {
	switch {
	case f == nil || f.Type == "" || f.Type == "text":
		return nil, nil
	case f.Type != "json_schema":
		return nil, unsupported("response_format.type must be text or json_schema, with json_schema.schema.")
	case len(f.Schema.Schema) > maxSchema:
		return nil, badSchema("it has %d bytes; at most %d are taken", len(f.Schema.Schema), maxSchema)
	}
	var schema map[string]any
	if err := json.Unmarshal(f.Schema.Schema, &schema); err != nil || schema["type"] != "object" {
		return nil, badSchema(`it must be a JSON schema of type object, for example {"type":"object","properties":{"mood":{"type":"string"}},"required":["mood"],"additionalProperties":false}`)
	}
	if _, err := compile("response_format", schema); err != nil {
		return nil, badSchema("it is no valid JSON schema")
	}
	name := notWord.ReplaceAllString(f.Schema.Name, "_")
	if name == "" {
		name = "reply"
	}
	return &model.Schema{Name: name[:min(len(name), 64)], JSON: f.Schema.Schema}, nil
}

var notWord = regexp.MustCompile(`[^A-Za-z0-9_]`)

func badSchema(format string, args ...any) error {
	return fault.New(fault.Validation, "response_format.json_schema.schema: %s.", fmt.Sprintf(format, args...)).
		With("path", "/response_format/json_schema/schema").With("errorType", "invalid_prompt")
}

func noModel() error {
	return fault.New(fault.Validation, "Models are not chosen by model and provider here; leave both out, or name a verified modelConnection in the completion operation.").With("errorType", "model_not_found")
}

func unsupported(text string) error {
	return fault.New(fault.Validation, "%s", text).With("errorType", "unsupported_model_capability")
}

var marker = regexp.MustCompile(`\s*\[\d{1,3}\]`)

// marked sets the markers of a reply's sources, [1] being the first of
// metadata.citations, at its end where it has none of its own, or takes them out.
func marked(content string, citations int, how string) string {
	if how == "none" {
		return marker.ReplaceAllString(content, "")
	}
	if citations == 0 || marker.MatchString(content) {
		return content
	}
	var b strings.Builder
	b.WriteString(content + " ")
	for i := range citations {
		fmt.Fprintf(&b, "[%d]", i+1)
	}
	return b.String()
}

// turns splits the caller's messages into what was said before, the message to
// answer, which is the last one and the user's, and notes of the system.
func turns(messages []completionMessage) (message string, history []simulate.Earlier, system []string, err error) {
	last := len(messages) - 1
	for i, m := range messages {
		text, err := m.text(i)
		if err != nil {
			return "", nil, nil, err
		}
		switch m.Role {
		case "user":
			if i == last {
				return text, history, system, nil
			}
			history = append(history, simulate.Earlier{Question: text})
		case "assistant":
			if n := len(history); n > 0 && history[n-1].Text == "" {
				history[n-1].Text = text
			} else {
				history = append(history, simulate.Earlier{Text: text})
			}
		case "system":
			system = append(system, text)
		}
	}
	return "", nil, nil, fault.New(fault.Validation, "The last of messages must have the role user; it is the one that is answered.").
		With("path", "/messages").With("errorType", "invalid_prompt")
}

// text reads the words of a message's content, images left out.
func (m completionMessage) text(i int) (string, error) {
	parts, err := m.parts(i)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, p := range parts {
		if p.Image == "" {
			texts = append(texts, p.Text)
		}
	}
	return strings.Join(texts, "\n"), nil
}
