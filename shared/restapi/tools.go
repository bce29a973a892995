package restapi

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// toolOffer is one of tools: a function that the caller may be asked to run.
type toolOffer struct {
	Type     string `json:"type"`
	Function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	} `json:"function"`
}

// toolCall is a call of one, in a reply and in the messages after it.
type toolCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// tools checks what is on offer.
func (in completionRequest) tools() ([]model.Tool, error) {
	var out []model.Tool
	have, all := map[string]bool{}, 0
	for i, o := range in.Tools {
		bad := func(field, format string, args ...any) error {
			return badPrompt(fmt.Sprintf("/tools/%d%s", i, field), "tools[%d]%s %s", i, strings.ReplaceAll(field, "/", "."), fmt.Sprintf(format, args...))
		}
		f := o.Function
		switch {
		case o.Type != "function":
			return nil, bad("/type", `must be "function", as in {"type":"function","function":{"name":"weather","parameters":{"type":"object","properties":{}}}}.`)
		case !model.IsToolName(f.Name):
			return nil, bad("/function/name", "must have 1 to %d letters, digits, underscores or dashes, for example get_weather.", model.MaxToolName)
		case have[f.Name]:
			return nil, bad("/function/name", "is the name of an earlier tool; give each its own.")
		case utf8.RuneCountInString(f.Description) > maxDescription:
			return nil, bad("/function/description", "has more than %d characters; shorten it.", maxDescription)
		case len(f.Parameters) > maxParameters:
			return nil, bad("/function/parameters", "has %d bytes; at most %d are taken.", len(f.Parameters), maxParameters)
		}
		have[f.Name] = true
		if len(f.Parameters) == 0 {
			f.Parameters = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		if all += len(f.Parameters); all > maxAllParameters {
			return nil, bad("/function/parameters", "and those before it have more than %d bytes together; offer fewer tools.", maxAllParameters)
		}
		var schema map[string]any
		if err := json.Unmarshal(f.Parameters, &schema); err != nil || schema["type"] != "object" {
			return nil, bad("/function/parameters", `must be a JSON schema of type object, for example {"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}.`)
		}
		if _, err := compile("tools", schema); err != nil {
			return nil, bad("/function/parameters", "is no valid JSON schema.")
		}
		out = append(out, model.Tool{Name: f.Name, Description: f.Description, Parameters: f.Parameters, Strict: f.Strict})
	}
	return out, nil
}

// choice reads tool_choice.
func (in completionRequest) choice(tools []model.Tool) (model.ToolChoice, error) {
	if in.ToolChoice == nil || string(in.ToolChoice) == "null" {
		return model.ToolChoice{}, nil
	}
	bad := func(what string) error {
		return badPrompt("/tool_choice", `tool_choice %s; it must be "auto", "none", "required" or {"type":"function","function":{"name":"one of tools"}}.`, what)
	}
	if len(tools) == 0 {
		return model.ToolChoice{}, badPrompt("/tool_choice", "tool_choice goes with tools; send tools too, or leave it out.")
	}
	var mode string
	if json.Unmarshal(in.ToolChoice, &mode) == nil {
		switch mode {
		case model.ChooseAuto, model.ChooseNone, model.ChooseAny:
			return model.ToolChoice{Mode: mode}, nil
		}
		return model.ToolChoice{}, bad("is none of its words")
	}
	var one toolOffer
	if err := json.Unmarshal(in.ToolChoice, &one); err != nil || one.Type != "function" {
		return model.ToolChoice{}, bad("has another form")
	}
	for _, t := range tools {
		if t.Name == one.Function.Name {
			return model.ToolChoice{Mode: model.ChooseTool, Name: t.Name}, nil
		}
	}
	return model.ToolChoice{}, bad("names a tool that is not among tools")
}

// callsIn checks the calls of a message, and opens them.
func callsIn(calls []toolCall, open map[string]bool, bad func(field, format string, args ...any) error) ([]model.ToolCall, error) {
	if len(calls) > maxCalls {
		return nil, bad("/tool_calls", "has %d entries; at most %d are taken.", len(calls), maxCalls)
	}
	var out []model.ToolCall
	for k, c := range calls {
		at := fmt.Sprintf("/tool_calls/%d", k)
		var object map[string]json.RawMessage
		switch {
		case c.Type != "" && c.Type != "function":
			return nil, bad(at+"/type", `must be "function".`)
		case !model.IsToolName(c.ID) || open[c.ID]:
			return nil, bad(at+"/id", "must be the id of the call as the reply gave it, 1 to %d letters, digits, underscores or dashes, each once.", model.MaxToolName)
		case !model.IsToolName(c.Function.Name):
			return nil, bad(at+"/function/name", "must be the name of a tool.")
		case len(c.Function.Arguments) > maxGiven:
			return nil, bad(at+"/function/arguments", "has more than %d bytes.", maxGiven)
		case json.Unmarshal([]byte(c.Function.Arguments), &object) != nil || object == nil:
			return nil, bad(at+"/function/arguments", `must be a JSON object in a string, for example "{\"city\":\"Rome\"}".`)
		}
		open[c.ID] = true
		out = append(out, model.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	}
	return out, nil
}

// callsOut are calls as a reply gives them.
func callsOut(calls []model.ToolCall) []toolCall {
	out := make([]toolCall, len(calls))
	for i, c := range calls {
		out[i] = toolCall{ID: c.ID, Type: "function"}
		out[i].Function.Name, out[i].Function.Arguments = c.Name, c.Arguments
	}
	return out
}
