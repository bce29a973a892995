package anthropic

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
	Choice:  model.ToolChoice{Mode: model.ChooseTool, Name: "weather"},
	OneCall: true, MaxTokens: 9,
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
		send(w, 200, `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":"Hm."},{"type":"tool_use","id":"toolu_1","name":"weather","input":{"a":"Oslo"}}],"stop_reason":"tool_use","usage":{"input_tokens":4,"output_tokens":3}}`)
	})
	res, err := s.client().Complete(t.Context(), talk)
	if err != nil || res.Stop != model.StopTools || res.Text != "Hm." || !slices.Equal(res.Calls, []model.ToolCall{{ID: "toolu_1", Name: "weather", Arguments: `{"a":"Oslo"}`}}) {
		t.Errorf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_tokens":9,"messages":[{"content":[{"text":"Rome and Bonn?","type":"text"}],"role":"user"},{"content":[{"text":"A moment.","type":"text"},{"id":"c1","input":{"a":"Rome"},"name":"weather","type":"tool_use"},{"id":"c2","input":{"a":"Bonn"},"name":"weather","type":"tool_use"}],"role":"assistant"},{"content":[{"content":[{"text":"Sun","type":"text"}],"is_error":false,"tool_use_id":"c1","type":"tool_result"},{"content":[{"text":"Rain","type":"text"}],"is_error":false,"tool_use_id":"c2","type":"tool_result"},{"text":"And Oslo?","type":"text"}],"role":"user"}],"model":"claude-x","tool_choice":{"disable_parallel_tool_use":true,"name":"weather","type":"tool"},"tools":[{"description":"Tells it.","input_schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"name":"weather","strict":true},{"input_schema":{"type":"object"},"name":"time"}]}`
	if string(got) != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	for mode, choice := range map[string]string{model.ChooseNone: `{"type":"none"}`, model.ChooseAny: `{"disable_parallel_tool_use":true,"type":"any"}`, "": `{"disable_parallel_tool_use":true,"type":"auto"}`} {
		r := talk
		r.Choice = model.ToolChoice{Mode: mode}
		if _, err := s.client().Complete(t.Context(), r); err != nil {
			t.Fatal(err)
		}
		if got, _ := json.Marshal(s.bodies[len(s.bodies)-1]["tool_choice"]); string(got) != choice {
			t.Errorf("%s: %s", mode, got)
		}
	}
}

func TestToolsStreamed(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		for _, e := range [][2]string{
			{"message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`},
			{"content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`},
			{"content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hm."}}`},
			{"content_block_stop", `{"type":"content_block_stop","index":0}`},
			{"content_block_start", `{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t1","name":"weather","input":{}}}`},
			{"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}`},
			{"content_block_delta", `{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"\"Oslo\"}"}}`},
			{"content_block_stop", `{"type":"content_block_stop","index":1}`},
			{"content_block_start", `{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t2","name":"time","input":{}}}`},
			{"content_block_stop", `{"type":"content_block_stop","index":2}`},
			{"message_delta", `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":7}}`},
			{"message_stop", `{"type":"message_stop"}`},
		} {
			_, _ = io.WriteString(w, "event: "+e[0]+"\ndata: "+e[1]+"\n\n")
		}
	})
	said := ""
	res, err := s.client().Stream(t.Context(), talk, func(p string) error { said += p; return nil })
	want := []model.ToolCall{{ID: "t1", Name: "weather", Arguments: `{"a":"Oslo"}`}, {ID: "t2", Name: "time"}}
	if err != nil || res.Stop != model.StopTools || said != "Hm." || !slices.Equal(res.Calls, want) || res.Usage.Output != 7 {
		t.Errorf("%q %+v %v", said, res, err)
	}
}
