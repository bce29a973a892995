package tooltest_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/tool"
	"github.com/mindgate-dev/mindgate/shared/tool/tooltest"
)

type createStudyInput struct {
	Name            string   `json:"name"`
	AudienceIDs     []string `json:"audienceIds"`
	AudienceConfigs []struct {
		Name    string   `json:"name"`
		MindIDs []string `json:"mindIds"`
	} `json:"audienceConfigs"`
	IsLinkSharingEnabled bool `json:"isLinkSharingEnabled"`
}

func result(name string) map[string]any {
	return map[string]any{
		"studyId": "550e8400-e29b-41d4-a716-446655440000", "name": name, "replayed": false, "audiences": []any{},
		"isLinkSharingEnabled": false, "workspaceUrl": "https://gate.example/api/v1/studies",
	}
}

func setup(t *testing.T) (*tool.Registry, tooltest.Caller) {
	t.Helper()
	study := tool.New("create_study", func(_ context.Context, in createStudyInput) (map[string]any, error) {
		return result(in.Name), nil
	})
	registry, err := tool.NewRegistry(study)
	if err != nil {
		t.Fatal(err)
	}
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: catalog.Minds()})
	if err != nil {
		t.Fatal(err)
	}
	all := account.Principal{Account: "a", Workspace: "w", Scopes: []string{"*"}}
	return registry, tooltest.Dispatched(t, d, catalog.Minds(), map[string]account.Principal{"": all, "other": all})
}

func TestHarness(t *testing.T) {
	registry, call := setup(t)
	tooltest.Examples(t, registry, call)
	tooltest.Structs(t, registry, catalog.Minds())
	tooltest.Transcripts(t, "testdata/*.txtar", tooltest.Conversation{Call: call, Vars: map[string]any{"seeded": "known before"}})
	tooltest.Result(t, catalog.Minds(), "create_study", result("x"))
}

func TestMatch(t *testing.T) {
	got := `{"a":1,"b":"text","c":[1,2,3],"d":{"e":null},"id":"x"}`
	for _, c := range []struct{ want, diff string }{
		{`{"a":1.0,"b":"text","c":[1,2,3],"d":{"e":null},"id":"x"}`, ""},
		{`{"a":"*","…":"*"}`, ""},
		{`{"b":"te…","…":"*"}`, ""},
		{`{"c":[1,"…"],"…":"*"}`, ""},
		{`{"id":"$v","b":"*","…":"*"}`, ""},
		{`{"a":1}`, "is not expected"},
		{`{"a":2,"…":"*"}`, ".a: want 2, got 1"},
		{`{"z":"*","…":"*"}`, "z is missing"},
		{`{"c":[1,2],"…":"*"}`, "want 2 entries, got 3"},
		{`{"d":{},"…":"*"}`, "e is not expected"},
		{`{"b":"$v","id":"$v","…":"*"}`, "want $v"},
		{`{"d":[],"…":"*"}`, "want a list"},
	} {
		var want, value any
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(got), &value); err != nil {
			t.Fatal(err)
		}
		diff := tooltest.Match(want, value, tooltest.Vars{})
		if (c.diff == "") != (diff == "") || !strings.Contains(diff, c.diff) {
			t.Errorf("%s: %q", c.want, diff)
		}
	}
}

func TestDifferences(t *testing.T) {
	schema := []byte(`{"type":"object","properties":{"a":{"type":"string"},"n":{"type":["integer","null"]},"l":{"type":"array","items":{"type":"object","properties":{"x":{"type":"boolean"}}}},"free":{"type":"object"}},"additionalProperties":false}`)
	type good struct {
		A string `json:"a"`
		N *int64 `json:"n"`
		L []struct {
			X bool `json:"x"`
		} `json:"l"`
		Free map[string]any `json:"free"`
	}
	if lines := tooltest.Differences(good{}, schema); len(lines) != 0 {
		t.Error(lines)
	}
	type bad struct {
		A int `json:"a"`
		L []struct {
			Y bool `json:"y"`
		} `json:"l"`
		Extra string `json:"extra"`
		Free  any    `json:"free"`
	}
	lines := strings.Join(tooltest.Differences(bad{}, schema), "\n")
	for _, s := range []string{".a: is string", "property n has no field", "property x has no field", "field y", "field extra"} {
		if !strings.Contains(lines, s) {
			t.Errorf("want %q in\n%s", s, lines)
		}
	}
}
