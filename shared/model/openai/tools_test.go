package openai

import (
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// talk is a conversation in which tools were called and are on offer.
var talk = model.Request{
	Tools:   []model.Tool{{Name: "weather", Description: "Tells it.", Parameters: schema.JSON, Strict: true}, {Name: "time", Parameters: json.RawMessage(`{"type":"object"}`)}},
	Choice:  model.ToolChoice{Mode: model.ChooseAny},
	OneCall: true, MaxTokens: 9,
	Messages: []model.Message{
		{Role: model.User, Text: "Rome?"},
		{Role: model.Assistant, Calls: []model.ToolCall{{ID: "call_1", Name: "weather", Arguments: `{"a":"Rome"}`}}},
		{Role: model.ToolRole, CallID: "call_1", Text: "Sun"},
		{Role: model.User, Text: "And Oslo?"},
	},
}

func TestToolsOnTheWire(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, n int) {
		switch n {
		case 0:
			reply200(w, `{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"a\":\"Oslo\"}"}},{"id":"c2","type":"function","function":{"name":"time","arguments":{"zone":"CET"}}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`)
		default:
			refuse(w, 400, `{"error":{"message":"Unsupported parameter: 'parallel_tool_calls'","code":"unsupported_parameter","param":"parallel_tool_calls"}}`)
		}
	})
	res, err := s.client(model.OpenAI).Complete(t.Context(), talk)
	want := []model.ToolCall{{ID: "c1", Name: "weather", Arguments: `{"a":"Oslo"}`}, {ID: "c2", Name: "time", Arguments: `{"zone":"CET"}`}}
	if err != nil || res.Stop != model.StopTools || res.Text != "" || !slices.Equal(res.Calls, want) {
		t.Errorf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	body := `{"max_completion_tokens":9,"messages":[{"content":"Rome?","role":"user"},{"content":null,"role":"assistant","tool_calls":[{"function":{"arguments":"{\"a\":\"Rome\"}","name":"weather"},"id":"call_1","type":"function"}]},{"content":"Sun","role":"tool","tool_call_id":"call_1"},{"content":"And Oslo?","role":"user"}],"model":"m","parallel_tool_calls":false,"tool_choice":"required","tools":[{"function":{"description":"Tells it.","name":"weather","parameters":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"strict":true},"type":"function"},{"function":{"name":"time","parameters":{"type":"object"}},"type":"function"}]}`
	if string(got) != body {
		t.Errorf("\n%s, want\n%s", got, body)
	}
	if _, err := s.client(model.OpenAI).Complete(t.Context(), talk); !model.IsKind(err, model.KindInvalid) {
		t.Error(err)
	}
	if _, again := s.bodies[len(s.bodies)-1]["parallel_tool_calls"]; again || len(s.bodies) != 3 {
		t.Errorf("what the server does not take is asked again: %v", s.bodies[len(s.bodies)-1])
	}
}

func TestToolsStreamed(t *testing.T) {
	for name, events := range map[string]string{
		"pieces": `data: {"choices":[{"delta":{"content":"One moment."}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"weather","arguments":""}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]}}]}

data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"Oslo\"}"}},{"index":1,"id":"c2","function":{"name":"time","arguments":"{}"}}]}}]}

data: {"choices":[{"delta":{},"finish_reason":"tool_calls"}]}

data: [DONE]

`,
		"whole, without an index": `data: {"choices":[{"delta":{"content":"One moment.","tool_calls":[{"id":"c1","function":{"name":"weather","arguments":"{\"a\":\"Oslo\"}"}},{"id":"c2","function":{"name":"time","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}

data: [DONE]

`} {
		s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, events)
		})
		said := ""
		res, err := s.client(model.OpenAI).Stream(t.Context(), talk, func(p string) error { said += p; return nil })
		want := []model.ToolCall{{ID: "c1", Name: "weather", Arguments: `{"a":"Oslo"}`}, {ID: "c2", Name: "time", Arguments: `{}`}}
		if err != nil || res.Stop != model.StopTools || said != "One moment." || res.Text != said || !slices.Equal(res.Calls, want) {
			t.Errorf("%s: %q %+v %v", name, said, res, err)
		}
	}
}
