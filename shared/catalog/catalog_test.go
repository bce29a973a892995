package catalog

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func definition(t testing.TB, name string) *Definition {
	t.Helper()
	d, ok := Minds().Lookup(name)
	if !ok {
		t.Fatalf("no tool %s", name)
	}
	return d
}

func TestNames(t *testing.T) {
	for called, want := range map[string]string{
		"ask_study": "ask_study", "ask.study": "ask_study", "ask-study": "ask_study", "ask_panel": "ask_study", "ask.panel": "ask_study",
		"list_groups": "list_audiences", "nope": "", "": "", strings.Repeat("a", 1000): "", "Ask_Study": "",
	} {
		d, ok := Minds().Lookup(called)
		if ok != (want != "") || ok && d.Name != want {
			t.Errorf("%q: %v %v", called, d, ok)
		}
	}
	if _, err := New("x", &Definition{Name: "a.b"}, &Definition{Name: "c", LegacyNames: []string{"a_b"}}); err == nil {
		t.Error("two tools share a folded name")
	}
}

// Listed is what the contract advertises and this deployment has; explicit tools
// stay callable.
func TestOnly(t *testing.T) {
	c := Minds().Only([]string{"list_minds", "ask_study", "list_model_connections", "create_study"})
	names := func(c *Catalogue) string {
		var out []string
		for _, d := range c.Listed(nil) {
			out = append(out, d.Name)
		}
		return strings.Join(out, " ")
	}
	if got := names(c); got != "create_study ask_study" {
		t.Error(got)
	}
	if _, ok := c.Lookup("list_minds"); !ok {
		t.Error("an explicit tool is not callable")
	}
	if _, ok := c.Lookup("export_panel"); ok {
		t.Error("an old name of a tool that does not exist here")
	}
	on := Minds().Only([]string{"list_model_connections", "create_study"}, "list_model_connections")
	if got := names(on); got != "list_model_connections create_study" {
		t.Error(got)
	}
}

func TestPrepare(t *testing.T) {
	for _, c := range []struct{ what, tool, in, want string }{
		{"defaults", "list_minds", `{}`, `{"limit":20,"offset":0}`},
		{"no arguments", "list_minds", ``, `{"limit":20,"offset":0}`},
		{"null", "list_minds", `null`, `{"limit":20,"offset":0}`},
		{"a whole number written as a float", "list_minds", `{"limit":5.0,"offset":1e2}`, `{"limit":5,"offset":100}`},
		{"a UUID in capitals", "get_mind_status", `{"mindId":"7B2C1E34-5A6D-4F80-9B1C-2D3E4F506172"}`, `{"mindId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}`},
		{"UUIDs in a list", "create_study", `{"name":"A","audienceIds":["7B2C1E34-5A6D-4F80-9B1C-2D3E4F506172"]}`, `{"audienceIds":["7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"],"isLinkSharingEnabled":false,"name":"A"}`},
		{"text that only looks like a UUID", "create_study", `{"name":"7B2C1E34-5A6D-4F80-9B1C-2D3E4F506172"}`, `{"isLinkSharingEnabled":false,"name":"7B2C1E34-5A6D-4F80-9B1C-2D3E4F506172"}`},
		{"an alias", "create_study", `{"name":"A","groupIds":["7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"]}`, `{"audienceIds":["7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"],"isLinkSharingEnabled":false,"name":"A"}`},
		{"an alias beside the same value", "get_audience", `{"groupId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172","audienceId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}`, ``},
		{"a default of another action", "manage_study", `{"action":"get","studyId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}`, `{"action":"get","studyId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}`},
		{"a default that does not go with the format", "export_study", `{"studyId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172","format":"sav"}`, `{"force":false,"format":"sav","length":"standard","studyId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"}`},
		{"an object as an alias", "plan_study_questions", `{"studyId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172","draftPlanId":"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172","revision":1,"draft":{"edits":{"objective":"O"}}}`, ``},
		{"not escaped", "create_study", `{"name":"<A & B>"}`, `{"isLinkSharingEnabled":false,"name":"<A & B>"}`},
	} {
		t.Run(c.what, func(t *testing.T) {
			got, err := definition(t, c.tool).Prepare(json.RawMessage(c.in))
			if err != nil {
				t.Fatal(err)
			}
			if c.want != "" && string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	const id = `"7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172"`
	for _, c := range []struct {
		what, tool, in string
		code           fault.Code
		says           []string
	}{
		{"several at once", "create_study", `{"name":" ","audienceIds":["x"],"nam":1}`, fault.Validation, []string{"3 problems", "name: must not be blank", "audienceIds[0]: must be a UUID", "did you mean name?"}},
		{"blank and short", "create_study", `{"name":""}`, fault.Validation, []string{"name: must not be blank (for example"}},
		{"an alias beside another value", "get_audience", `{"groupId":` + id + `,"audienceId":"550e8400-e29b-41d4-a716-446655440000"}`, fault.Validation, []string{"groupId: is an old name of audienceId"}},
		{"no selector", "ask_study", `{"question":"Why?"}`, fault.Validation, []string{"give one of studyId, studyName"}},
		{"two that exclude each other", "ask_study", `{"studyId":` + id + `,"question":"Why?","model":"m","provider":"openai","modelConnection":{"id":` + id + `,"revision":1}}`, fault.Validation, []string{"cannot be given together with modelConnection"}},
		{"no confirmation", "manage_study", `{"action":"delete","studyId":` + id + `}`, fault.ConfirmationRequired, []string{"confirmed: must be true", "ask the person first", "send the same call again with confirmed:true"}},
		{"confirmed false", "manage_study", `{"action":"delete","studyId":` + id + `,"confirmed":false}`, fault.ConfirmationRequired, []string{"confirmed: must be true"}},
		{"no confirmation and another fault", "manage_study", `{"action":"delete"}`, fault.Validation, []string{"studyId: is required"}},
		{"an unknown action", "manage_study", `{"action":"burn","studyId":` + id + `}`, fault.Validation, []string{"action: must be one of get, delete"}},
		{"an unknown action of many forms", "manage_mind", `{"action":"zz"}`, fault.Validation, []string{"action: must be one of get, update, delete, delete_many, retrain"}},
		{"a list", "list_minds", `[]`, fault.Validation, []string{"must be a JSON object"}},
		{"no JSON", "list_minds", `{`, fault.Validation, []string{"valid JSON"}},
		{"two values", "list_minds", `{} {}`, fault.Validation, []string{"one JSON object"}},
		{"a huge exponent", "list_minds", `{"limit":1e999999999}`, fault.Validation, []string{"out of range"}},
		{"too deep", "list_minds", `{"limit":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`, fault.Validation, []string{"nested"}},
	} {
		t.Run(c.what, func(t *testing.T) {
			started := time.Now()
			_, err := definition(t, c.tool).Prepare(json.RawMessage(c.in))
			var f *fault.Error
			if !errors.As(err, &f) || f.Code != c.code {
				t.Fatalf("%v", err)
			}
			for _, s := range c.says {
				if !strings.Contains(f.Message, s) {
					t.Errorf("want %q in %q", s, f.Message)
				}
			}
			if strings.Count(f.Message, "action: ") > 1 || strings.Contains(f.Message, "must be get") || strings.Contains(f.Message, "mindId: is required") {
				t.Errorf("an action that there is not asks for nothing else: %q", f.Message)
			}
			if d := time.Since(started); d > 50*time.Millisecond {
				t.Errorf("took %s", d)
			}
		})
	}
}

// Under get_panel_study panelId is the Study and studyId the run.
func TestRename(t *testing.T) {
	if got := string(Rename("get_panel_study", json.RawMessage(`{"panelId":"p","studyId":"s"}`))); got != `{"runId":"s","studyId":"p"}` {
		t.Error(got)
	}
	for _, same := range []string{`{"studyId":"s"}`, `[]`, `{`} {
		if got := string(Rename("get_panel_study", json.RawMessage(same))); got != same {
			t.Error(got)
		}
	}
	if got := string(Rename("get_study_run", json.RawMessage(`{"panelId":"p"}`))); got != `{"panelId":"p"}` {
		t.Error(got)
	}
}

// The list has neither combinators at the top, nor patterns, nor objects below
// the second level, and each output declares error.
func TestListingForm(t *testing.T) {
	for _, d := range Minds().All() {
		var in, out map[string]any
		if err := json.Unmarshal(d.ListedInput, &in); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(d.ListedOutput, &out); err != nil {
			t.Fatal(err)
		}
		for _, k := range []string{"oneOf", "anyOf", "allOf", "not", "if", "$schema", "dependentRequired"} {
			if in[k] != nil {
				t.Errorf("%s lists %s", d.Name, k)
			}
		}
		if strings.Contains(string(d.ListedInput), `"pattern"`) {
			t.Errorf("%s lists a pattern", d.Name)
		}
		if objects(in) > 2 {
			t.Errorf("%s lists objects %d deep", d.Name, objects(in))
		}
		props, _ := out["properties"].(map[string]any)
		if props["error"] == nil || out["required"] != nil {
			t.Errorf("%s: output %s", d.Name, d.ListedOutput)
		}
	}
}

// objects counts how deep objects with fields stand in one another.
func objects(v any) int {
	s, ok := v.(map[string]any)
	if !ok {
		return 0
	}
	deepest := objects(s["items"])
	props, _ := s["properties"].(map[string]any)
	for _, p := range props {
		deepest = max(deepest, objects(p))
	}
	if len(props) > 0 {
		deepest++
	}
	return deepest
}

func FuzzPrepare(f *testing.F) {
	f.Add("ask_study", `{"studyId":"550e8400-e29b-41d4-a716-446655440000","question":"Why?"}`)
	f.Add("manage_mind", `{"action":"list","mindId":null,"limit":1e2}`)
	f.Add("plan_study_questions", `{"draft":{"edits":1},"questions":[{"askIf":{}}]}`)
	f.Fuzz(func(t *testing.T, name, args string) {
		d, ok := Minds().Lookup(name)
		if !ok {
			return
		}
		out, err := d.Prepare(json.RawMessage(args))
		if err != nil {
			var f *fault.Error
			if !errors.As(err, &f) {
				t.Fatal(err)
			}
			return
		}
		if again, err := d.Prepare(out); err != nil || string(again) != string(out) {
			t.Fatalf("not stable: %v\n%s\n%s", err, out, again)
		}
	})
}

func BenchmarkPrepare(b *testing.B) {
	d := definition(b, "ask_study")
	args := json.RawMessage(`{"studyId":"550e8400-e29b-41d4-a716-446655440000","question":"Why?"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := d.Prepare(args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := load("minds", mindsFile); err != nil {
			b.Fatal(err)
		}
	}
}
