package restapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/attach"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

type attachedFile struct {
	ID   string `json:"id"`
	URL  string `json:"url"`
	Path string `json:"path"`
	Name string `json:"name"`
	Type string `json:"type"`
}

// part of a message's content: a text or an image.
type part struct {
	Text  string
	Image string // address
}

// The limits of what a conversation brings.
const (
	maxParameters    = 64 << 10  // bytes of one tool's schema
	maxAllParameters = 256 << 10 // of all
	maxDescription   = 4_000     // characters
	maxGiven         = 32_000    // characters of a message, of what a tool gave, and of the arguments of a call
	maxCalls         = 128       // of one message
	maxMessages      = 1_000
	readers          = 4 // files that are read at once
)

// brings tells whether the request has more than words.
func (in completionRequest) brings() bool {
	if len(in.Tools) > 0 || in.ToolChoice != nil && string(in.ToolChoice) != "null" {
		return true
	}
	for _, m := range in.Messages {
		if m.Role == "tool" || len(m.Calls) > 0 || len(m.Metadata.Files) > 0 {
			return true
		}
		list, _ := m.Content.([]any)
		for _, p := range list {
			if object, ok := p.(map[string]any); ok && object["type"] == "image_url" {
				return true
			}
		}
	}
	return false
}

// parts reads a message's content.
func (m completionMessage) parts(i int) ([]part, error) {
	switch content := m.Content.(type) {
	case nil:
		if len(m.Calls) > 0 {
			return nil, nil
		}
		return nil, badPrompt(fmt.Sprintf("/messages/%d/content", i), "messages[%d].content is missing; send a text, or a list of parts.", i)
	case string:
		return []part{{Text: content}}, nil
	case []any:
		out := make([]part, 0, len(content))
		for k, p := range content {
			object, _ := p.(map[string]any)
			text, isText := object["text"].(string)
			image, _ := object["image_url"].(map[string]any)
			address, isImage := image["url"].(string)
			switch {
			case object["type"] == "text" && isText:
				out = append(out, part{Text: text})
			case object["type"] == "image_url" && isImage && address != "" && m.Role == "user":
				out = append(out, part{Image: address})
			case object["type"] == "image_url" && m.Role != "user":
				return nil, badPrompt(fmt.Sprintf("/messages/%d/content/%d", i, k), "messages[%d].content[%d]: images belong to messages of the role user.", i, k)
			default:
				return nil, unsupported(fmt.Sprintf(`messages[%d].content[%d] must be {"type":"text","text":…} or {"type":"image_url","image_url":{"url":…}}; other parts are not served. Give other files to the Mind as knowledge.`, i, k))
			}
		}
		return out, nil
	}
	return nil, unsupported(fmt.Sprintf(`messages[%d].content must be a text, or a list of {"type":"text","text":…} and {"type":"image_url","image_url":{"url":…}}.`, i))
}

func badPrompt(path, format string, args ...any) error {
	return fault.New(fault.Validation, format, args...).With("path", path).With("errorType", "invalid_prompt")
}

// coming is a file of a conversation that is not read yet.
type coming struct {
	turn int
	ref  attach.Ref
	at   string // where it stands in the request
	// image tells that nothing but a picture is taken.
	image bool
}

// talk reads the request as a conversation that brings something along, and the
// instructions of the system.
func (in completionRequest) talk(files *attach.Service) (*mind.TalkRequest, []string, error) {
	t := answer.Talk{OneCall: in.Parallel != nil && !*in.Parallel}
	var err error
	if t.Tools, err = in.tools(); err != nil {
		return nil, nil, err
	}
	if t.Choice, err = in.choice(t.Tools); err != nil {
		return nil, nil, err
	}
	turns, system, waiting, err := in.turns()
	if err != nil {
		return nil, nil, err
	}
	t.Turns = turns
	request := &mind.TalkRequest{NeedsTools: len(t.Tools) > 0}
	called := map[string]bool{}
	for _, turn := range turns {
		for _, c := range turn.Calls {
			request.NeedsTools = true
			if len(in.Tools) == 0 && !called[c.Name] { // providers want to know what was called
				called[c.Name] = true
				t.Tools = append(t.Tools, model.Tool{Name: c.Name, Parameters: json.RawMessage(`{"type":"object"}`)})
				t.Choice = model.ToolChoice{Mode: model.ChooseNone}
			}
		}
	}
	for _, w := range waiting {
		request.NeedsVision = request.NeedsVision || w.image
	}
	request.Read = func(ctx context.Context) (answer.Talk, error) {
		return t, fill(ctx, files, t.Turns, waiting)
	}
	return request, system, nil
}

// turns reads the messages. Each call is answered by one message of the role tool
// before anything else is said.
func (in completionRequest) turns() (turns []answer.Turn, system []string, waiting []coming, err error) {
	if len(in.Messages) > maxMessages {
		return nil, nil, nil, badPrompt("/messages", "messages has %d entries; at most %d are taken.", len(in.Messages), maxMessages)
	}
	open := map[string]bool{} // calls without a result
	for i, m := range in.Messages {
		bad := func(field, format string, args ...any) error {
			return badPrompt(fmt.Sprintf("/messages/%d%s", i, field), "messages[%d]%s %s", i, strings.ReplaceAll(field, "/", "."), fmt.Sprintf(format, args...))
		}
		text, err := m.text(i)
		switch {
		case err != nil:
			return nil, nil, nil, err
		case m.Role == "system":
			system = append(system, text)
			continue
		case len(open) > 0 && m.Role != "tool":
			return nil, nil, nil, bad("", "comes before the results of all tool_calls above it; send a message of the role tool with its tool_call_id for each of them first.")
		case m.Role != "assistant" && len(m.Calls) > 0:
			return nil, nil, nil, bad("/tool_calls", "belongs to messages of the role assistant.")
		case m.Role != "user" && len(m.Metadata.Files) > 0:
			return nil, nil, nil, bad("/metadata/attachedFiles", "belongs to messages of the role user.")
		case m.Role != "tool" && m.CallID != "":
			return nil, nil, nil, bad("/tool_call_id", "belongs to messages of the role tool.")
		case utf8.RuneCountInString(text) > maxGiven:
			return nil, nil, nil, bad("/content", "has %d characters; at most %d are taken.", utf8.RuneCountInString(text), maxGiven)
		}
		turn := answer.Turn{Role: model.Role(m.Role), Text: text, CallID: m.CallID}
		switch m.Role {
		case "tool":
			if !open[m.CallID] {
				return nil, nil, nil, bad("/tool_call_id", "answers no call of the assistant's message before it; take the id from its tool_calls, each once.")
			}
			delete(open, m.CallID)
		case "assistant":
			if turn.Calls, err = callsIn(m.Calls, open, bad); err != nil {
				return nil, nil, nil, err
			}
		default:
			waiting = append(waiting, m.files(i, len(turns))...)
		}
		turns = append(turns, turn)
	}
	switch last := len(turns) - 1; {
	case len(waiting) > attach.MaxFiles:
		return nil, nil, nil, badPrompt("/messages", "messages bring %d images and files; at most %d are taken.", len(waiting), attach.MaxFiles)
	case last < 0 || turns[last].Role == model.Assistant || len(open) > 0:
		return nil, nil, nil, badPrompt("/messages", "The last of messages must have the role user, or be the result of the last of all tool_calls; it is the one that is answered.")
	case turns[last].Role == model.User && strings.TrimSpace(turns[last].Text) == "" && (len(waiting) == 0 || waiting[len(waiting)-1].turn != last):
		return nil, nil, nil, badPrompt("/messages", "The last of messages is blank. Send the text that the Mind should answer.")
	}
	return turns, system, waiting, nil
}

// files are what a message brings, in its order: images first.
func (m completionMessage) files(i, turn int) (out []coming) {
	parts, _ := m.parts(i) // they were read before
	for k, p := range parts {
		if p.Image != "" {
			out = append(out, coming{turn: turn, ref: attach.Ref{URL: p.Image}, at: fmt.Sprintf("messages[%d].content[%d].image_url", i, k), image: true})
		}
	}
	for k, f := range m.Metadata.Files {
		out = append(out, coming{turn: turn, ref: attach.Ref{URL: f.URL, Path: f.Path, Name: f.Name, Type: f.Type}, at: fmt.Sprintf("messages[%d].metadata.attachedFiles[%d]", i, k)})
	}
	return out
}

// fill reads the files of a conversation, some at once, and puts them into its turns.
func fill(ctx context.Context, files *attach.Service, turns []answer.Turn, waiting []coming) error {
	got := make([]attach.File, len(waiting))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, w := range waiting {
		g.Go(func() (err error) {
			got[i], err = files.Read(ctx, w.ref)
			if err == nil && w.image && got[i].Picture == nil {
				err = &attach.Unreadable{Why: "is no picture (PNG, JPEG, GIF, WebP); send other files as attachedFiles"}
			}
			return unread(w.at, err)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	bytes, characters := 0, 0
	for i, w := range waiting {
		turn := &turns[w.turn]
		if p := got[i].Picture; p != nil {
			turn.Pictures = append(turn.Pictures, simulate.Picture{Name: p.Name, MediaType: p.MediaType, Data: p.Data})
			bytes += len(p.Data)
		} else {
			turn.Texts = append(turn.Texts, answer.Text{Name: got[i].Name, Text: got[i].Text})
			characters += utf8.RuneCountInString(got[i].Text)
		}
	}
	switch {
	case bytes > attach.MaxPictures:
		return badPrompt("/messages", "The images of messages have %d bytes together; at most %d are taken.", bytes, attach.MaxPictures)
	case characters > attach.MaxTexts:
		return badPrompt("/messages", "The files of messages have %d characters together; at most %d are taken. Give them to the Mind as knowledge.", characters, attach.MaxTexts)
	}
	return nil
}

// unread says where a file stands that is not taken.
func unread(at string, err error) error {
	var u *attach.Unreadable
	var f *fault.Error
	switch {
	case errors.As(err, &u):
		return fault.New(fault.Validation, "%s %s.", at, u.Why).With("field", at).With("errorType", "invalid_prompt").Because(err)
	case errors.As(err, &f) && f.Code == fault.UnsafeURL:
		return fault.New(fault.UnsafeURL, "%s: %s", at, f.Message).With("field", at).Because(err)
	}
	return err
}
