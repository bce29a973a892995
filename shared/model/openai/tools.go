package openai

import (
	"cmp"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// call is a call of a tool, whole or, in a stream, a piece of one.
type call struct {
	Index    int      `json:"index,omitempty"`
	ID       string   `json:"id,omitempty"`
	Type     string   `json:"type,omitempty"`
	Function function `json:"function"`
}

type function struct {
	Name      string    `json:"name,omitempty"`
	Arguments arguments `json:"arguments"`
}

// arguments are a JSON object in a string; some servers give the object itself.
type arguments string

func (a *arguments) UnmarshalJSON(raw []byte) error {
	var text string
	if err := json.Unmarshal(raw, &text); err == nil {
		*a = arguments(text)
		return nil
	}
	*a = arguments(raw)
	return nil
}

// callsOf are the calls of an earlier turn.
func callsOf(calls []model.ToolCall) []call {
	var out []call
	for _, c := range calls {
		out = append(out, call{ID: c.ID, Type: "function", Function: function{c.Name, arguments(c.Arguments)}})
	}
	return out
}

// offer adds the tools of a request to its body.
func (c *Client) offer(body map[string]any, r model.Request) {
	if len(r.Tools) == 0 {
		return
	}
	tools := make([]any, len(r.Tools))
	for i, t := range r.Tools {
		f := map[string]any{"name": t.Name, "parameters": t.Parameters}
		if t.Description != "" {
			f["description"] = t.Description
		}
		if t.Strict {
			f["strict"] = true
		}
		tools[i] = map[string]any{"type": "function", "function": f}
	}
	body["tools"] = tools
	switch r.Choice.Mode {
	case model.ChooseNone, model.ChooseAny:
		body["tool_choice"] = r.Choice.Mode
	case model.ChooseTool:
		body["tool_choice"] = map[string]any{"type": "function", "function": map[string]any{"name": r.Choice.Name}}
	}
	if r.OneCall && !c.noOneCall.Load() {
		body["parallel_tool_calls"] = false
	}
}

// calls of an answer.
func (s said) toolCalls() []model.ToolCall {
	var out []model.ToolCall
	for _, c := range s.Calls {
		out = append(out, model.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	return out
}

// gathered puts the calls of a stream together, which come in pieces by index.
// Servers that give whole calls often leave the index out: a further id at the
// same place is a further call.
type gathered struct {
	calls []model.ToolCall
	at    map[int]int // an index to the newest call there
}

func (g *gathered) add(pieces []call) {
	for _, p := range pieces {
		at, ok := g.at[p.Index]
		if !ok || p.ID != "" && g.calls[at].ID != "" && p.ID != g.calls[at].ID {
			if g.at == nil {
				g.at = map[int]int{}
			}
			at = len(g.calls)
			g.calls, g.at[p.Index] = append(g.calls, model.ToolCall{}), at
		}
		c := &g.calls[at]
		c.ID, c.Name = cmp.Or(c.ID, p.ID), cmp.Or(c.Name, p.Function.Name)
		c.Arguments += string(p.Function.Arguments)
	}
}
