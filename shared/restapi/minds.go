package restapi

import (
	"context"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// searchWindow is how many of the newest Minds a search looks at (M-310).
const searchWindow = 1000

func listMinds(ctx context.Context, c *call) (reply, error) {
	limit, offset := c.number("limit"), c.number("offset")
	if words := strings.ToLower(strings.TrimSpace(c.text("search"))); words != "" {
		return searchMinds(ctx, c, words, limit, offset)
	}
	rows, total, err := c.Minds.List(ctx, limit, offset)
	if err != nil {
		return reply{}, err
	}
	return paged(rows, page{Total: total, Limit: limit, Offset: offset})
}

// searchMinds keeps the Minds whose name or description holds the words.
func searchMinds(ctx context.Context, c *call, words string, limit, offset int) (reply, error) {
	const step = 100
	found := []mind.Summary{}
	for at := 0; at < searchWindow; at += step {
		rows, total, err := c.Minds.List(ctx, step, at)
		if err != nil {
			return reply{}, err
		}
		for _, m := range rows {
			if strings.Contains(strings.ToLower(m.Name), words) || strings.Contains(strings.ToLower(m.Description), words) {
				found = append(found, m)
			}
		}
		if at+step >= total || len(rows) == 0 {
			break
		}
	}
	from := min(offset, len(found))
	rows := found[from:min(from+limit, len(found))]
	return paged(rows, page{Total: len(found), Limit: limit, Offset: offset})
}

// mindRequest is the body of createMind. A locale is accepted and changes
// nothing: prompts are written in English.
type mindRequest struct {
	Name            string   `json:"name"`
	Discipline      string   `json:"discipline"`
	Description     string   `json:"description"`
	Mode            string   `json:"mode"`
	Type            string   `json:"type"`
	Keywords        []string `json:"keywords"`
	PersonaContext  string   `json:"personaContext"`
	ContextLink     string   `json:"contextLink"`
	Link            string   `json:"link"`
	Tags            []string `json:"tags"`
	ProfileImageURL string   `json:"profileImageUrl"`
	WebSearch       *bool    `json:"includeWebSearch"`
	IsRealPerson    bool     `json:"isRealPerson"`
	SourcePolicy    string   `json:"sourcePolicy"`
	LinkSharing     bool     `json:"isLinkSharingEnabled"`
	GenerateImage   *bool    `json:"generateImage"`
	Key             string   `json:"idempotencyKey"`
}

func createMind(ctx context.Context, c *call) (reply, error) {
	var in mindRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if in.Link != "" {
		if in.ContextLink != "" && in.ContextLink != in.Link {
			return reply{}, fault.New(fault.Validation, "link and contextLink name different addresses; send contextLink alone.").With("path", "/link")
		}
		in.ContextLink = in.Link
	}
	if k := c.sent("Idempotency-Key"); k != "" {
		in.Key = k // the header wins over the body
	}
	made, err := c.Minds.Create(ctx, mind.CreateRequest{
		Name: in.Name, Mode: in.Mode, Type: in.Type, Discipline: in.Discipline, Keywords: in.Keywords,
		PersonaContext: in.PersonaContext, ContextLink: in.ContextLink, Description: in.Description,
		IncludeWebSearch: in.WebSearch, Key: in.Key, SourcePolicy: in.SourcePolicy,
		Tags: in.Tags, ProfileImageURL: in.ProfileImageURL,
		IsRealPerson: in.IsRealPerson, LinkSharing: in.LinkSharing, GenerateImage: in.GenerateImage,
	})
	if err != nil {
		return reply{}, err
	}
	return created(made.Replayed, map[string]any{
		"data": c.Minds.Summary(made.Mind), "training": c.Minds.TrainingOf(made.Mind), "idempotencyKey": made.Key,
	})
}

func getMind(ctx context.Context, c *call) (reply, error) {
	m, err := c.Minds.Get(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(c.Minds.Detail(m)))
}

func getMindTrainingStatus(ctx context.Context, c *call) (reply, error) {
	m, err := c.Minds.Get(ctx, c.id("mindId"))
	if err != nil {
		return reply{}, err
	}
	return ok(c.Minds.TrainingOf(m))
}

func regenerateMindPrompt(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Override string `json:"personaContextOverride"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	p, err := c.Minds.RegeneratePrompt(ctx, c.id("mindId"), in.Override)
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"success": true, "data": p})
}

// completionRequest is the part of createMindCompletion's body that can be
// served without a model connection; the rest is refused by name.
type completionRequest struct {
	Messages        []completionMessage `json:"messages"`
	ResponseMode    string              `json:"responseMode"`
	Model           string              `json:"model"`
	Provider        string              `json:"provider"`
	ModelConnection *mind.ConnectionRef `json:"modelConnection"`
	SourcePolicy    string              `json:"sourcePolicy"`
	ResponseFormat  map[string]any      `json:"response_format"`
	Tools           []any               `json:"tools"`
	ToolChoice      any                 `json:"tool_choice"`
}

type completionMessage struct {
	Role     string `json:"role"`
	Content  any    `json:"content"`
	Metadata struct {
		Files []any `json:"attachedFiles"`
	} `json:"metadata"`
}

func createMindCompletion(ctx context.Context, c *call) (reply, error) {
	var in completionRequest
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	if err := in.servable(); err != nil {
		return reply{}, err
	}
	message, history, err := turns(in.Messages)
	if err != nil {
		return reply{}, err
	}
	policy := in.SourcePolicy
	if policy == "request_only" {
		return reply{}, unsupported("sourcePolicy request_only needs a model connection; use auto or knowledge_only.")
	}
	answer, err := c.Minds.Chat(ctx, mind.ChatRequest{
		MindID: c.id("mindId"), Message: message, SourcePolicy: policy, History: history, Connection: in.ModelConnection,
	})
	if err != nil {
		return reply{}, err
	}
	return ok(map[string]any{"messageId": "msg_" + strings.ReplaceAll(answer.MessageID, "-", ""), "content": answer.Content, "metadata": answer.Metadata})
}

func (in completionRequest) servable() error {
	switch {
	case in.Model != "" || in.Provider != "":
		return fault.New(fault.Validation, "No model is connected; leave model and provider out, and the offline respondent answers.").With("errorType", "model_not_found")
	case in.ResponseMode == "stream":
		return unsupported("responseMode stream is not served; send sync.")
	case len(in.Tools) > 0 || in.ToolChoice != nil || len(in.ResponseFormat) > 0:
		return unsupported("tools, tool_choice and response_format need a model connection; leave them out.")
	case len(in.Messages) == 0:
		return fault.New(fault.Validation, `messages must have at least one entry, for example [{"role":"user","content":"What do you drink in the morning?"}].`).
			With("path", "/messages").With("errorType", "invalid_prompt")
	}
	return nil
}

func unsupported(text string) error {
	return fault.New(fault.Validation, "%s", text).With("errorType", "unsupported_model_capability")
}

// turns splits the caller's history into what was said before and the message
// to answer, which is the last one and the user's.
func turns(messages []completionMessage) (string, []simulate.Earlier, error) {
	var history []simulate.Earlier
	last := len(messages) - 1
	for i, m := range messages {
		text, err := m.text(i)
		if err != nil {
			return "", nil, err
		}
		switch m.Role {
		case "user":
			if i == last {
				return text, history, nil
			}
			history = append(history, simulate.Earlier{Question: text})
		case "assistant":
			if n := len(history); n > 0 && history[n-1].Text == "" {
				history[n-1].Text = text
			} else {
				history = append(history, simulate.Earlier{Text: text})
			}
		default:
			return "", nil, unsupported("messages with the role " + m.Role + " need a model connection; send user and assistant messages.")
		}
	}
	return "", nil, fault.New(fault.Validation, "The last of messages must have the role user; it is the one that is answered.").
		With("path", "/messages").With("errorType", "invalid_prompt")
}

// text reads a message's content: a text, or a list of text parts.
func (m completionMessage) text(i int) (string, error) {
	bad := func() error {
		return fault.New(fault.Validation, `messages[%d].content must be a text, or a list of {"type":"text","text":…}; images and files need a model connection.`, i).
			With("errorType", "unsupported_model_capability")
	}
	if len(m.Metadata.Files) > 0 {
		return "", bad()
	}
	switch content := m.Content.(type) {
	case string:
		return content, nil
	case []any:
		var parts []string
		for _, p := range content {
			part, _ := p.(map[string]any)
			text, ok := part["text"].(string)
			if part["type"] != "text" || !ok {
				return "", bad()
			}
			parts = append(parts, text)
		}
		return strings.Join(parts, "\n"), nil
	}
	return "", bad()
}
