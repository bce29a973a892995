package chat

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/answer"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Offer is what comes along with a message to one Mind: tools that its reply may
// call, and the form that the reply is to have. Nothing is run here: the caller runs
// what is called and says in the next message what it gave.
type Offer struct {
	Tools  []model.Tool     `json:"tools,omitempty"` // at most 128
	Choice model.ToolChoice `json:"choice,omitzero"`
	Shape  *Shape           `json:"shape,omitempty"`
}

// Shape is a JSON schema that a reply is to fit.
type Shape struct {
	Name string          `json:"name"`
	JSON json.RawMessage `json:"json"`
}

// empty reports an offer of nothing.
func (o *Offer) empty() bool { return o == nil || len(o.Tools) == 0 && o.Shape == nil }

// word is the offer as the digest of a message has it.
func (o *Offer) word() string {
	if o.empty() {
		return ""
	}
	raw, _ := json.Marshal(o) // plain data always encodes
	return "\n" + string(raw)
}

// takes refuses an offer that nobody here can take, before anything is written
// down or charged. VALIDATION says why, with errorType as completions have it.
func (s *Service) takes(ctx context.Context, row chatRow, minds []mind.Mind, o *Offer) error {
	switch {
	case o.empty():
		return nil
	case row.Type != OneMind:
		return invalid("tools", "tools and response_format go with a chat with one Mind: the reply of several has no place for calls. Leave them out, or make a chat with one of the Minds.")
	}
	by, err := s.d.Answerers.For(ctx, nil)
	if err != nil {
		return err
	}
	if len(o.Tools) > 0 {
		if talker, ok := by.(mind.Talker); !ok || !talker.Can().Tools {
			return lacking("tools and tool_choice need a model that calls tools", "tools")
		}
		for _, m := range minds {
			if m.SourcePolicy == mind.PolicyKnowledgeOnly {
				return fault.New(fault.Validation, "This Mind answers from its knowledge alone (knowledge_only): leave tools out.").
					With("field", "tools").With("errorType", "invalid_prompt")
			}
		}
	}
	if _, ok := by.(mind.Modelled); o.Shape != nil && !ok {
		return lacking("response_format needs a model", "response_format")
	}
	return nil
}

func lacking(what, field string) error {
	return fault.New(fault.Validation, "%s, and the model that answers chats here is none, if there is one. Leave it out, or use the completion operation with a modelConnection that can.", what).
		With("field", field).With("errorType", "unsupported_model_capability")
}

// respond has one Mind reply to a message, with what came along with it.
func (s *Service) respond(ctx context.Context, by simulate.Respondents, me simulate.Respondent, m messageRow, p simulate.Policy) (answer.Said, json.RawMessage, error) {
	o := m.Offer
	if o.empty() {
		reply, err := by.Reply(ctx, me, m.Text, p)
		return answer.Said{Reply: reply}, nil, err
	}
	var said answer.Said
	var err error
	if talker, ok := by.(mind.Talker); len(o.Tools) > 0 {
		if !ok || !talker.Can().Tools { // it could when the message was taken
			return said, nil, lacking("tools and tool_choice need a model that calls tools", "tools")
		}
		talk := answer.Talk{Turns: turnsOf(p.History, m.Text), Tools: o.Tools, Choice: o.Choice}
		p.History = nil // Talk reads it off the turns
		said, err = talker.Talk(ctx, me, talk, p)
	} else {
		said.Reply, err = by.Reply(ctx, me, m.Text, p)
	}
	if err != nil || o.Shape == nil || len(said.Calls) > 0 { // what waits for a tool has no form yet
		return said, nil, err
	}
	modelled, ok := by.(mind.Modelled)
	if !ok {
		return said, nil, lacking("response_format needs a model", "response_format")
	}
	parsed, err := modelled.Shape(ctx, said.Text, &model.Schema{Name: o.Shape.Name, JSON: o.Shape.JSON})
	return said, parsed, err
}

// turnsOf are a Mind's earlier turns and the message that it replies to.
func turnsOf(history []simulate.Earlier, message string) []answer.Turn {
	var out []answer.Turn
	for _, e := range history {
		if strings.TrimSpace(e.Text) == "" {
			continue
		}
		out = append(out, answer.Turn{Role: model.User, Text: e.Question}, answer.Turn{Role: model.Assistant, Text: e.Text})
	}
	return append(out, answer.Turn{Role: model.User, Text: message})
}

// inWords is a reply as later turns remember it: what it said, and what it called.
func (m messageRow) inWords() string {
	parts := make([]string, 0, 1+len(m.Calls))
	if m.Text != "" {
		parts = append(parts, m.Text)
	}
	for _, c := range m.Calls {
		parts = append(parts, "(called "+c.Name+" with "+clip(c.Arguments, others)+")")
	}
	return strings.Join(parts, "\n")
}
