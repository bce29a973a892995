package restapi

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
)

func TestTalkReadsTheRequest(t *testing.T) {
	var in completionRequest
	if err := json.Unmarshal([]byte(`{
		"parallel_tool_calls": false,
		"tool_choice": {"type":"function","function":{"name":"time"}},
		"tools": [{"type":"function","function":{"name":"weather","description":"d","parameters":{"type":"object"},"strict":true}},{"type":"function","function":{"name":"time"}}],
		"messages": [
			{"role":"system","content":"Be brief."},
			{"role":"user","content":[{"type":"text","text":"Rome"},{"type":"image_url","image_url":{"url":"https://a.example/x.png","detail":"low"}},{"type":"text","text":"and Bonn?"}],"metadata":{"attachedFiles":[{"path":"chat/a/b/c.txt","name":"c.txt"}]}},
			{"role":"assistant","content":"Wait.","tool_calls":[{"id":"a","type":"function","function":{"name":"weather","arguments":"{}"}},{"id":"b","type":"function","function":{"name":"time","arguments":"{}"}}]},
			{"role":"tool","tool_call_id":"b","content":"noon"},
			{"role":"tool","tool_call_id":"a","content":"sun"}]}`), &in); err != nil {
		t.Fatal(err)
	}
	if !in.brings() {
		t.Fatal("it brings tools")
	}
	got, system, err := in.talk(nil)
	if err != nil || !got.NeedsTools || !got.NeedsVision || len(system) != 1 {
		t.Fatalf("%+v %v %v", got, system, err)
	}
	turns, _, waiting, err := in.turns()
	if err != nil || len(turns) != 4 || turns[0].Text != "Rome\nand Bonn?" || len(turns[1].Calls) != 2 || turns[3].CallID != "a" || turns[2].Role != model.ToolRole {
		t.Errorf("%+v %v", turns, err)
	}
	if len(waiting) != 2 || !waiting[0].image || waiting[0].at != "messages[1].content[1].image_url" || waiting[1].ref.Path != "chat/a/b/c.txt" || waiting[1].at != "messages[1].metadata.attachedFiles[0]" {
		t.Errorf("%+v", waiting)
	}
	tools, err := in.tools()
	if err != nil || len(tools) != 2 || !tools[0].Strict || string(tools[1].Parameters) != `{"type":"object","properties":{}}` {
		t.Errorf("%+v %v", tools, err)
	}
	if c, err := in.choice(tools); err != nil || c != (model.ToolChoice{Mode: model.ChooseTool, Name: "time"}) {
		t.Errorf("%+v %v", c, err)
	}
}

// A schema of a caller's reads no file of this machine.
func TestSchemasOfCallersStandAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(file, []byte(`{"type":"object"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{"a":{"$ref":"file://%s"}}}`, file)
	var in completionRequest
	body := fmt.Sprintf(`{"tools":[{"type":"function","function":{"name":"a","parameters":%s}}],"response_format":{"type":"json_schema","json_schema":{"schema":%s}}}`, schema, schema)
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		t.Fatal(err)
	}
	if _, err := in.tools(); !fault.Is(err, fault.Validation) {
		t.Errorf("tools: %v", err)
	}
	if _, err := in.ResponseFormat.shape(); !fault.Is(err, fault.Validation) {
		t.Errorf("response_format: %v", err)
	}
	s := model.Schema{Name: "a", JSON: json.RawMessage(schema)}
	if err := s.Check(json.RawMessage(`{"a":{}}`)); err == nil {
		t.Error("a schema of a model read a file")
	}
}

// FuzzTalk holds that whatever a body says is read, or refused as the caller's.
func FuzzTalk(f *testing.F) {
	for _, seed := range []string{
		`{"messages":[{"role":"user","content":"x"}],"tools":[{"type":"function","function":{"name":"a","parameters":{"type":"object","$ref":"#"}}}],"tool_choice":"required"}`,
		`{"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:,"}}]}]}`,
		`{"messages":[{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"b","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","content":""}]}`,
		`{"messages":[{"role":"tool"}],"tool_choice":{"type":"function"}}`, `{"messages":[{"role":"user","content":null}]}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var in completionRequest
		if json.Unmarshal([]byte(body), &in) != nil || !in.brings() {
			return
		}
		got, _, err := in.talk(nil)
		var refusal *fault.Error
		switch {
		case err != nil && (!errors.As(err, &refusal) || refusal.Code != fault.Validation):
			t.Errorf("%v", err)
		case err == nil && got.Read == nil:
			t.Error("nothing to read")
		}
	})
}
