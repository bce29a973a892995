package bedrock

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// talk is a conversation in which tools were called and are on offer.
var talk = model.Request{
	Tools:     []model.Tool{{Name: "weather", Description: "Tells it.", Parameters: schema.JSON, Strict: true}},
	Choice:    model.ToolChoice{Mode: model.ChooseAny},
	MaxTokens: 9,
	Messages: []model.Message{
		{Role: model.User, Text: "Rome and Bonn?"},
		{Role: model.Assistant, Text: "A moment.", Calls: []model.ToolCall{{ID: "c1", Name: "weather", Arguments: `{"a":"Rome"}`}, {ID: "c2", Name: "weather", Arguments: `{"a":"Bonn"}`}}},
		{Role: model.ToolRole, CallID: "c1", Text: "Sun"},
		{Role: model.ToolRole, CallID: "c2", Text: "Rain"},
		{Role: model.User, Text: "And Oslo?"},
	},
}

func TestToolsOnTheWire(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		send(w, 200, "", `{"output":{"message":{"role":"assistant","content":[{"text":"Hm."},{"toolUse":{"toolUseId":"t1","name":"weather","input":{"a":"Oslo"}}}]}},"stopReason":"tool_use","usage":{"inputTokens":4,"outputTokens":3,"totalTokens":7}}`)
	})
	res, err := s.client().Complete(t.Context(), talk)
	if err != nil || res.Stop != model.StopTools || res.Text != "Hm." || len(res.Calls) != 1 || res.Calls[0].ID != "t1" || res.Calls[0].Name != "weather" || strings.ReplaceAll(res.Calls[0].Arguments, " ", "") != `{"a":"Oslo"}` {
		t.Errorf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"inferenceConfig":{"maxTokens":9},"messages":[{"content":[{"text":"Rome and Bonn?"}],"role":"user"},{"content":[{"text":"A moment."},{"toolUse":{"input":{"a":"Rome"},"name":"weather","toolUseId":"c1"}},{"toolUse":{"input":{"a":"Bonn"},"name":"weather","toolUseId":"c2"}}],"role":"assistant"},{"content":[{"toolResult":{"content":[{"text":"Sun"}],"toolUseId":"c1"}},{"toolResult":{"content":[{"text":"Rain"}],"toolUseId":"c2"}},{"text":"And Oslo?"}],"role":"user"}],"toolConfig":{"toolChoice":{"any":{}},"tools":[{"toolSpec":{"description":"Tells it.","inputSchema":{"json":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"}},"name":"weather","strict":true}}]}}`
	if string(got) != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	none := talk
	none.Choice.Mode = model.ChooseNone
	_, _ = s.client().Complete(t.Context(), none)
	got, _ = json.Marshal(s.bodies[1])
	if !strings.Contains(string(got), noCall) || !strings.Contains(string(got), "toolConfig") || strings.Contains(string(got), "toolChoice") {
		t.Errorf("%s", got)
	}
	none.Messages = hello
	_, _ = s.client().Complete(t.Context(), none)
	if got, _ = json.Marshal(s.bodies[2]); strings.Contains(string(got), "toolConfig") {
		t.Errorf("%s", got)
	}
}

func TestToolsStreamed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		_, _ = w.Write(frames(t,
			[2]string{"messageStart", `{"role":"assistant"}`},
			[2]string{"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"Hm."}}`},
			[2]string{"contentBlockStop", `{"contentBlockIndex":0}`},
			[2]string{"contentBlockStart", `{"contentBlockIndex":1,"start":{"toolUse":{"toolUseId":"t1","name":"weather"}}}`},
			[2]string{"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"toolUse":{"input":"{\"a\":"}}}`},
			[2]string{"contentBlockDelta", `{"contentBlockIndex":1,"delta":{"toolUse":{"input":"\"Oslo\"}"}}}`},
			[2]string{"contentBlockStop", `{"contentBlockIndex":1}`},
			[2]string{"messageStop", `{"stopReason":"tool_use"}`},
			[2]string{"metadata", `{"usage":{"inputTokens":9,"outputTokens":2,"totalTokens":11},"metrics":{"latencyMs":1}}`}))
	})
	said := ""
	res, err := s.client().Stream(t.Context(), talk, func(p string) error { said += p; return nil })
	if err != nil || res.Stop != model.StopTools || said != "Hm." || res.Text != said || !slices.Equal(res.Calls, []model.ToolCall{{ID: "t1", Name: "weather", Arguments: `{"a":"Oslo"}`}}) {
		t.Errorf("%q %+v %v", said, res, err)
	}
}
