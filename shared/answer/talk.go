package answer

import (
	"context"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Talk is a conversation to which its caller brings tools, pictures or texts.
type Talk struct {
	Turns   []Turn // oldest first; the last is of the user or of a tool
	Tools   []model.Tool
	Choice  model.ToolChoice
	OneCall bool // at most one call in a reply
}

// Turn is one message. Of the assistant it holds what it said and called, of a tool
// what it gave.
type Turn struct {
	Role     model.Role
	Text     string
	Pictures []simulate.Picture // of the user
	Texts    []Text             // of the user
	Calls    []model.ToolCall   // of the assistant
	CallID   string             // of a tool
}

// Text is what stood in a file that came with a message.
type Text struct{ Name, Text string }

// Pictures counts those of all turns.
func (t Talk) Pictures() (n int) {
	for _, turn := range t.Turns {
		n += len(turn.Pictures)
	}
	return n
}

// Said is a reply to a Talk: words, calls of the caller's tools, or both.
type Said struct {
	simulate.Reply
	Calls []model.ToolCall
}

// Talk answers the last turn as the Mind r. Nothing that the model calls is run
// here: the caller runs it, and comes again with what it gave. Everything that the
// caller brought is a source like any other: data, and citable.
func (e *Engine) Talk(ctx context.Context, r simulate.Respondent, t Talk, p simulate.Policy) (Said, error) {
	t.Turns = newest(t.Turns)
	said, at := asks(t.Turns)
	due := t.Choice.Mode == model.ChooseAny || t.Choice.Mode == model.ChooseTool
	if last := len(t.Turns) - 1; at == last && !due && len(t.Turns[last].Pictures)+len(t.Turns[last].Texts) == 0 {
		honest, err := offline.Reply(ctx, simulate.Respondent{ID: r.ID}, said, simulate.Policy{KnowledgeOnly: true, Language: p.Language})
		plain := honest.State == simulate.Unsupported && !honest.Fallback
		if err != nil || plain && (len(t.Tools) == 0 || honest.Text == honestIn(ctx, p.Language)) { // "Go on" may be said to a tool
			return Said{Reply: honest}, err
		}
	}
	p.History = before(t.Turns, at)
	known, err := gather(ctx, r, topicOf(said, p.History), p)
	if err != nil {
		return Said{}, err
	}
	form := formOf(p)
	req := model.Request{
		CacheSystem: true, MaxTokens: formTokens[form] + callTokens*min(len(t.Tools), 1),
		Messages: t.messages(known, at), Tools: t.Tools, Choice: t.Choice, OneCall: t.OneCall,
	}
	task := chatTask + formRules[form]
	if t.Pictures() > 0 {
		task += "\n" + pictureTask
	}
	if len(t.Tools) > 0 {
		task += "\n" + toolTask
	}
	req.System = system(r, p, task)
	var out Said
	for range callTries {
		var res model.Response
		if out.Reply, res, _, err = e.speak(ctx, r, known, said, p, req, nil); err != nil {
			return Said{}, err
		}
		out.Calls, err = model.CheckCalls(req, res.Calls, r.ID+"\x00"+strconv.Itoa(len(t.Turns))+"\x00"+said)
		if err == nil {
			return out, nil
		}
	}
	return Said{}, err
}

const (
	callTokens = 2_000 // more room for an answer with calls
	callTries  = 2     // a call that nobody could run is asked for once more
)

// asks is the user's message that a reply is due to, and its place.
func asks(turns []Turn) (string, int) {
	for i := len(turns) - 1; i >= 0; i-- {
		if turns[i].Role == model.User {
			return turns[i].Text, i
		}
	}
	return "", -1
}

// newest leaves out the oldest rounds, each a message of the user with all that
// came of it, of which there is no room: a call is never parted from what it gave.
func newest(turns []Turn) []Turn {
	from, room := len(turns), maxHistory
	for i := len(turns) - 1; i >= 0; i-- {
		room -= size(turns[i])
		if turns[i].Role != model.User {
			continue
		}
		if room < 0 && from < len(turns) {
			break
		}
		from = i
	}
	if from == len(turns) {
		return turns
	}
	if lead := turns[:from]; room >= 0 && len(lead) > 0 && lead[0].Role == model.Assistant {
		return turns // it began with a word of the Mind
	}
	return turns[from:]
}

func size(t Turn) int {
	n := min(utf8.RuneCountInString(t.Text), maxTurn)
	for _, f := range t.Texts {
		n += utf8.RuneCountInString(f.Text)
	}
	for _, c := range t.Calls {
		n += len(c.Arguments)
	}
	return n
}

// before is the conversation before a turn as pairs, to find the topic and to know
// what was said.
func before(turns []Turn, at int) (out []simulate.Earlier) {
	for i, t := range turns {
		switch {
		case i >= at:
			return out
		case t.Role == model.User:
			out = append(out, simulate.Earlier{Question: t.Text})
		case t.Role == model.Assistant && t.Text != "" && len(out) > 0:
			out[len(out)-1].Text = strings.TrimSpace(out[len(out)-1].Text + "\n" + t.Text)
		case t.Role == model.Assistant && t.Text != "":
			out = append(out, simulate.Earlier{Text: t.Text})
		}
	}
	return out
}

// messages writes the turns; what the Mind knows stands with the message at the
// place at.
func (t Talk) messages(known *sources, at int) []model.Message {
	var out []model.Message
	names := map[string]string{} // of the tool of a call
	role := func() model.Role {
		if len(out) == 0 {
			return ""
		}
		return out[len(out)-1].Role
	}
	for i, turn := range t.Turns {
		switch turn.Role {
		case model.User:
			if role() == model.User {
				out = append(out, model.Message{Role: model.Assistant, Text: silent})
			}
			m := model.Message{Role: model.User}
			var marks []string
			for _, p := range turn.Pictures {
				m.Images = append(m.Images, model.Image{MediaType: p.MediaType, Data: p.Data})
				marks = append(marks, known.bring("I", brought{name: p.Name, picture: true}))
			}
			for _, f := range turn.Texts {
				marks = append(marks, known.bring("A", brought{name: f.Name, text: f.Text}))
			}
			text := turn.Text
			if i == at {
				m.Text, text = known.block(), clip(text, maxMessage)
			} else {
				text = clip(text, maxTurn)
			}
			m.Text += known.shown(marks) + message(text)
			out = append(out, m)
		case model.Assistant:
			if role() != model.User && role() != model.ToolRole {
				out = append(out, model.Message{Role: model.User, Text: message("")})
			}
			m := model.Message{Role: model.Assistant, Text: inert.Line(clip(turn.Text, maxTurn)), Calls: turn.Calls}
			if m.Text == "" && len(m.Calls) == 0 {
				m.Text = silent
			}
			for _, c := range turn.Calls {
				names[c.ID] = c.Name
			}
			out = append(out, m)
		default:
			mark := known.bring("T", brought{name: "tool " + names[turn.CallID], text: turn.Text, tool: true})
			out = append(out, model.Message{Role: model.ToolRole, CallID: turn.CallID, Text: known.shown([]string{mark})})
		}
	}
	return out
}

const silent = "…" // providers refuse an empty turn
