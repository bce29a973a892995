package anthropic

import (
	"encoding/base64"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// turns writes the messages. What several tools gave goes into one turn of the
// user, together with what the user says right after it.
func turns(messages []model.Message) []sdk.MessageParam {
	var out []sdk.MessageParam
	results := false // the last turn holds what tools gave
	for _, m := range messages {
		blocks := blocksOf(m)
		switch {
		case m.Role == model.Assistant:
			out, results = append(out, sdk.NewAssistantMessage(blocks...)), false
		case results:
			last := out[len(out)-1].OfUser
			last.Content = append(last.Content, blocks...)
			results = m.Role == model.ToolRole
		default:
			out, results = append(out, sdk.NewUserMessage(blocks...)), m.Role == model.ToolRole
		}
	}
	return out
}

func blocksOf(m model.Message) []sdk.ContentBlockParamUnion {
	if m.Role == model.ToolRole {
		return []sdk.ContentBlockParamUnion{sdk.NewToolResultBlock(m.CallID, m.Text, false)}
	}
	var blocks []sdk.ContentBlockParamUnion
	for _, i := range m.Images {
		blocks = append(blocks, sdk.NewImageBlockBase64(i.MediaType, base64.StdEncoding.EncodeToString(i.Data)))
	}
	if m.Text != "" {
		blocks = append(blocks, sdk.NewTextBlock(m.Text))
	}
	for _, c := range m.Calls {
		blocks = append(blocks, sdk.NewToolUseBlock(c.ID, json.RawMessage(c.Arguments), c.Name))
	}
	return blocks
}

// offer adds the tools of a request.
func offer(p *sdk.MessageNewParams, r model.Request) {
	if len(r.Tools) == 0 {
		return
	}
	for _, t := range r.Tools {
		tool := sdk.ToolParam{Name: t.Name, InputSchema: inputOf(t)}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		if t.Strict {
			tool.Strict = sdk.Bool(true)
		}
		p.Tools = append(p.Tools, sdk.ToolUnionParam{OfTool: &tool})
	}
	one := func() (o sdk.ToolChoiceAutoParam) {
		if r.OneCall {
			o.DisableParallelToolUse = sdk.Bool(true)
		}
		return o
	}()
	switch r.Choice.Mode {
	case model.ChooseNone:
		p.ToolChoice = sdk.ToolChoiceUnionParam{OfNone: &sdk.ToolChoiceNoneParam{}}
	case model.ChooseAny:
		p.ToolChoice = sdk.ToolChoiceUnionParam{OfAny: &sdk.ToolChoiceAnyParam{DisableParallelToolUse: one.DisableParallelToolUse}}
	case model.ChooseTool:
		p.ToolChoice = sdk.ToolChoiceUnionParam{OfTool: &sdk.ToolChoiceToolParam{Name: r.Choice.Name, DisableParallelToolUse: one.DisableParallelToolUse}}
	default:
		if r.OneCall {
			p.ToolChoice = sdk.ToolChoiceUnionParam{OfAuto: &one}
		}
	}
}

// inputOf is the schema of a tool; what the library has no field for goes along as
// it is.
func inputOf(t model.Tool) sdk.ToolInputSchemaParam {
	var schema map[string]any
	_ = json.Unmarshal(t.Parameters, &schema)                                         // an object, as who offers a tool has seen to
	out := sdk.ToolInputSchemaParam{Type: "object", Properties: schema["properties"]} // left out, the whole of it would be
	if names, ok := schema["required"].([]any); ok {
		for _, n := range names {
			if name, ok := n.(string); ok {
				out.Required = append(out.Required, name)
			}
		}
	}
	for k, v := range schema {
		if k == "type" || k == "properties" || k == "required" {
			continue
		}
		if out.ExtraFields == nil {
			out.ExtraFields = map[string]any{}
		}
		out.ExtraFields[k] = v
	}
	return out
}

// gathered puts the calls of a stream together.
type gathered struct {
	calls []model.ToolCall
	at    map[int64]int // index of a block to its call
}

func (g *gathered) start(e sdk.MessageStreamEventUnion) {
	if e.ContentBlock.Type != "tool_use" {
		return
	}
	if g.at == nil {
		g.at = map[int64]int{}
	}
	g.at[e.Index] = len(g.calls)
	g.calls = append(g.calls, model.ToolCall{ID: e.ContentBlock.ID, Name: e.ContentBlock.Name})
}

func (g *gathered) add(e sdk.MessageStreamEventUnion) {
	if at, ok := g.at[e.Index]; ok && e.Delta.Type == "input_json_delta" {
		g.calls[at].Arguments += e.Delta.PartialJSON
	}
}
