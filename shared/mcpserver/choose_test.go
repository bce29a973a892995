package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

const (
	brandID  = "550e8400-e29b-41d4-a716-446655440000"
	hiddenID = "0f8fad5b-d9cb-469f-a165-70867728950e"
	// hiddenName reads as "Prices" and holds more: a right-to-left override, a
	// zero-width space, and words in the block of tags.
	hiddenName = "Pri\u202ec\u200bes\U000e0049\U000e0067\U000e006e"
)

// richTools are the fixture's tools with records to read, and two that write
// without being listed.
func richTools() []tool.Tool {
	study := func(id, name string) map[string]any {
		return map[string]any{"studyId": id, "name": name, "recentResults": []any{map[string]any{"question": "Why " + name + "?", "answeredCount": 3}},
			"activeQuestions": []any{}, "failedQuestions": []any{},
			"exportStatus": map[string]any{"status": "completed", "downloadUrl": "https://gate.example/api/v1/studies/" + id + "/exports/1/file", "filename": "Brand.md", "mimeType": "text/markdown"}}
	}
	replaced := []tool.Tool{
		{Name: "list_studies", Invoke: func(_ context.Context, args json.RawMessage) (any, error) {
			var in struct{ SearchQuery string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			if in.SearchQuery != "" {
				return map[string]any{"studies": []any{map[string]any{"id": brandID, "name": "Brand"}}, "totalCount": 300}, nil
			}
			return map[string]any{"studies": []any{map[string]any{"id": hiddenID, "name": hiddenName}, map[string]any{"id": brandID, "name": "Brand Perception"}},
				"totalCount": 300, "nextOffset": 100}, nil
		}},
		{Name: "get_study_status", Invoke: func(_ context.Context, args json.RawMessage) (any, error) {
			var in struct{ StudyID, StudyName string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			switch {
			case in.StudyID == brandID || in.StudyName == "Brand Perception":
				return study(brandID, "Brand Perception"), nil
			case in.StudyID == hiddenID:
				return study(hiddenID, hiddenName), nil
			case in.StudyName == "Ambiguous":
				return nil, fault.New(fault.Validation, "Two Studies are called %s.", hiddenName)
			}
			return nil, fault.New(fault.NotFound, "No Study with this id.")
		}},
		{Name: "create_mind", Invoke: func(context.Context, json.RawMessage) (any, error) {
			return map[string]any{"mind": map[string]any{"id": brandID, "name": "Ada"}}, nil
		}},
		{Name: "create_audience", Invoke: func(context.Context, json.RawMessage) (any, error) {
			return nil, fault.New(fault.Internal, "never reached")
		}},
	}
	out := fixtureTools()
	for _, r := range replaced {
		out = slices.DeleteFunc(out, func(t tool.Tool) bool { return t.Name == r.Name })
	}
	return append(out, replaced...)
}

func rich(t testing.TB, change func(*Options)) http.Handler {
	t.Helper()
	registry, err := tool.NewRegistry(richTools()...)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Minds().Only(registry.Names())
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: c})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Catalogue: c, Invoker: tool.InProcess(d), Authenticator: testKeys, PublicURL: "https://gate.example", Version: "1.2.3"}
	if change != nil {
		change(&o)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// The transcripts of choosing tools, resources, prompts and foreign text.
func TestChoosingWire(t *testing.T) {
	wire(t, "testdata/choosing/*.txtar", func(t *testing.T) http.Handler {
		return rich(t, func(o *Options) { o.Strict = true })
	})
}

// at posts one message to an address; headers are "Name: value".
func at(t testing.TB, h http.Handler, address, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Add(name, value)
	}
	if r.Header.Get("Authorization") == "" {
		r.Header.Set("Authorization", "Bearer owner")
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func listedNames(t testing.TB, w *httptest.ResponseRecorder) string {
	t.Helper()
	var reply struct {
		Result struct{ Tools []struct{ Name string } }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &reply); err != nil || w.Code != 200 {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	var out []string
	for _, tl := range reply.Result.Tools {
		out = append(out, tl.Name)
	}
	return strings.Join(out, " ")
}

// A result that speaks of the engine's types is a result.
func TestResultsAreLeftAlone(t *testing.T) {
	h := rich(t, nil)
	w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"About *mcp.Server"}}}`)
	if !strings.Contains(w.Body.String(), `"name":"About *mcp.Server"`) {
		t.Errorf("%s", w.Body)
	}
	if w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a\u202e\u200bb"}}`); !strings.Contains(w.Body.String(), "Unknown tool: ab") {
		t.Errorf("%s", w.Body)
	}
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// The same choice by address, by header and by both lists the same.
func TestChoices(t *testing.T) {
	const studies = "create_study ask_study list_studies get_study_status"
	h := rich(t, nil)
	for _, c := range []struct {
		address string
		headers []string
		want    string
	}{
		{"/mcp", nil, "list_audiences " + studies},
		{"/mcp/", nil, "list_audiences " + studies},
		{"/mcp/x/studies", nil, studies},
		{"/mcp/x/studies/", nil, studies},
		{"/mcp/x/studies,audiences", nil, "list_audiences " + studies},
		{"/mcp/x/audiences%2Cstudies", nil, "list_audiences " + studies},
		{"/mcp/x/all", nil, "list_audiences " + studies},
		{"/mcp/x/lifecycle", nil, ""},
		{"/mcp/readonly", nil, "list_audiences list_studies get_study_status"},
		{"/mcp/readonly/", nil, "list_audiences list_studies get_study_status"},
		{"/mcp/x/studies/readonly", nil, "list_studies get_study_status"},
		{"/mcp/x/studies/readonly/", []string{"X-MCP-Readonly: false"}, "list_studies get_study_status"},
		{"/mcp", []string{"X-MCP-Readonly: true"}, "list_audiences list_studies get_study_status"},
		{"/mcp", []string{"X-MCP-Readonly: on"}, "list_audiences list_studies get_study_status"},
		{"/mcp", []string{"X-MCP-Readonly: false", "X-MCP-Readonly: 1"}, "list_audiences list_studies get_study_status"},
		{"/mcp", []string{"X-MCP-Toolsets: studies"}, studies},
		{"/mcp", []string{"X-MCP-Toolsets: studies", "X-MCP-Toolsets: audiences"}, "list_audiences " + studies},
		{"/mcp", []string{"X-MCP-Tools: create_mind"}, "create_mind"},
		{"/mcp", []string{"X-MCP-Toolsets: audiences", "X-MCP-Tools: create_mind"}, "create_mind list_audiences"},
		{"/mcp", []string{"X-MCP-Exclude-Tools: ask_panel,create_study"}, "list_audiences list_studies get_study_status"},
		{"/mcp/x/audiences", []string{"X-MCP-Tools: create_mind,create_group"}, "create_audience"},
		{"/mcp", []string{"X-MCP-Find-Tools: true"}, "list_audiences " + studies + " find_tools"},
		{"/mcp/x/minds?explicit=true", nil, "list_minds create_mind"},
		{"/mcp/x/minds", []string{"X-MCP-Explicit: true", "X-MCP-Readonly: 1"}, "list_minds"},
		{"/mcp?find_tools=true", nil, "list_audiences " + studies + " find_tools"},
		{"/mcp?names=underscore", nil, "list_audiences " + studies},
		{"/mcp/readonly", []string{"Authorization: Bearer reader", "X-MCP-Tools: create_study,list_minds"}, "list_minds"},
	} {
		if got := listedNames(t, at(t, h, c.address, listTools, c.headers...)); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.address, c.headers, got, c.want)
		}
	}
}

// A filter of reads also blocks writes that are called by a hidden name, an old
// one, or one with other separators; no such call reaches a tool.
func TestReadOnlyBlocksCalls(t *testing.T) {
	reached := ""
	h := rich(t, func(o *Options) { o.Invoker = spying{o.Invoker, &reached} })
	for _, where := range [][]string{{"/mcp/readonly"}, {"/mcp/x/all/readonly"}, {"/mcp", "X-MCP-Readonly: true"}, {"/mcp", "X-MCP-Readonly: 1", "X-MCP-Tools: create_mind,create_study"}} {
		for _, name := range []string{"create_study", "create_panel", "create.study", "create-panel", "create_mind", "create.mind", "create_group", "ask_panel"} {
			w := at(t, h, where[0], `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{"name":"A"}}}`, where[1:]...)
			if body := w.Body.String(); w.Code != 200 || !strings.Contains(body, `"isError":true`) || !strings.Contains(body, "read-only") || reached != "" {
				t.Errorf("%v %s: %d %s (reached %q)", where, name, w.Code, body, reached)
			}
		}
		at(t, h, where[0], `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_panels"}}`, where[1:]...)
		if where[0] != "/mcp" && reached != "list_studies" {
			t.Errorf("%v: a read is blocked", where)
		}
		reached = ""
	}
	batch := at(t, h, "/mcp/readonly", `[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_panel","arguments":{"name":"A"}}}]`)
	if !strings.Contains(batch.Body.String(), "read-only") || reached != "" {
		t.Errorf("in a batch: %s", batch.Body)
	}
	// Scopes that would not help are not asked for.
	if w := at(t, h, "/mcp/readonly", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"A"}}}`, "Authorization: Bearer reader"); w.Header().Get("WWW-Authenticate") != "" {
		t.Error(w.Header())
	}
}

// A call that is answered here has its one audit line too, without content.
func TestAuditOfWhatNoToolAnswers(t *testing.T) {
	var lines []string
	h := rich(t, func(o *Options) {
		o.Called = func(_ context.Context, c telemetry.Call) { lines = append(lines, c.Tool+" "+c.Outcome+" "+c.Account) }
	})
	at(t, h, "/mcp/readonly", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_panel","arguments":{"name":"canary"}}}`)
	at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{"query":"canary"}}}`)
	at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tools","arguments":{}}}`)
	at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"canary","arguments":{}}}`)
	if got := strings.Join(lines, "; "); got != "create_study FORBIDDEN a1; find_tools ok a1; find_tools VALIDATION a1; unknown NOT_FOUND a1" {
		t.Error(got)
	}
}

type spying struct {
	tool.Invoker
	reached *string
}

func (s spying) Invoke(ctx context.Context, e tool.Envelope, p func(tool.Progress)) (tool.Answer, error) {
	*s.reached = e.Tool
	return s.Invoker.Invoke(ctx, e, p)
}

// A hosted gateway leaves out what it does not know and says so; a local one
// refuses.
func TestUnknownNames(t *testing.T) {
	hosted, strict := rich(t, nil), rich(t, func(o *Options) { o.Strict = true })
	for _, c := range []struct {
		address, header, ignored, says, lists string
	}{
		{"/mcp", "X-MCP-Toolsets: studys,audiences", "areas=studys", "There is no area studys; the areas are minds, audiences, studies, guided, lifecycle.", "list_audiences"},
		{"/mcp/x/studys", "X-MCP-Names: underscore", "areas=studys", "There is no area studys", ""},
		{"/mcp/x/,", "X-MCP-Names: underscore", "areas=?", "There is no area ,", ""},
		{"/mcp", "X-MCP-Tools: nope,list_minds", "tools=nope", "There is no tool nope here.", "list_minds"},
		{"/mcp/x/audiences", "X-MCP-Exclude-Tools: n\u00f6pe", "exclude-tools=n?pe", "There is no tool", "list_audiences"},
	} {
		w := at(t, hosted, c.address, listTools, c.header)
		if got := w.Header().Get("X-Mcp-Ignored"); got != c.ignored {
			t.Errorf("%s %s: ignored %q", c.address, c.header, got)
		}
		if got := listedNames(t, w); got != c.lists {
			t.Errorf("%s %s: lists %q", c.address, c.header, got)
		}
		if w := at(t, strict, c.address, listTools, c.header); w.Code != 400 || !strings.Contains(w.Body.String(), c.says) || !strings.Contains(w.Body.String(), `"id":1`) {
			t.Errorf("%s %s: %d %s", c.address, c.header, w.Code, w.Body)
		}
	}
	if w := at(t, hosted, "/mcp", listTools, "X-MCP-Tools: "+strings.Repeat("a", maxChoiceHeader+1)); w.Code != 400 {
		t.Errorf("%d", w.Code)
	}
}

// The bytes of a list are kept, and another caller's scopes, another choice or
// another revision never gets them.
func TestListsAreKept(t *testing.T) {
	h := rich(t, nil)
	modern := `{"jsonrpc":"2.0","id":7,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"x","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
	asks := []func() *httptest.ResponseRecorder{
		func() *httptest.ResponseRecorder { return at(t, h, "/mcp", listTools) },
		func() *httptest.ResponseRecorder {
			return at(t, h, "/mcp", listTools, "Mcp-Protocol-Version: 2025-11-25")
		},
		func() *httptest.ResponseRecorder { return at(t, h, "/mcp/readonly", listTools) },
		func() *httptest.ResponseRecorder { return at(t, h, "/mcp", listTools, "Authorization: Bearer reader") },
		func() *httptest.ResponseRecorder {
			return at(t, h, "/mcp", modern, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
		},
		func() *httptest.ResponseRecorder {
			return at(t, h, "/mcp", modern, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call")
		},
		func() *httptest.ResponseRecorder {
			return at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"x"}}`)
		},
	}
	var first []string
	for round := range 3 {
		for i, ask := range asks {
			w := ask()
			got := w.Result().Status + w.Body.String()
			if round == 0 {
				first = append(first, got)
			} else if got != first[i] {
				t.Errorf("ask %d, round %d:\n%s\n%s", i, round, first[i], got)
			}
		}
	}
	if !strings.HasPrefix(first[5], "400") || !strings.Contains(first[6], "-32602") || first[0] == first[2] || first[0] == first[3] {
		t.Errorf("%.300s", first)
	}
	if w := at(t, h, "/mcp", strings.Replace(listTools, `"id":1`, `"id":"a\"b"`, 1)); !strings.Contains(w.Body.String(), `"id":"a\"b"`) {
		t.Errorf("%.200s", w.Body)
	}
}

// Whatever headers say, a request is answered in JSON, and a bound view never
// lists a write.
func FuzzChoice(f *testing.F) {
	f.Add("studies", "create_mind", "ask_panel", "true")
	f.Add("a,,b\x00", "\u202e", strings.Repeat("x,", 300), "maybe")
	h := rich(f, nil)
	owner := testKeys["owner"]
	f.Fuzz(func(t *testing.T, areas, tools, exclude, readonly string) {
		r := httptest.NewRequest(http.MethodPost, "/mcp/readonly", strings.NewReader(listTools))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer owner"},
			headerAreas: {areas}, headerTools: {tools}, headerExclude: {exclude}, headerReadOnly: {readonly}}
		r = r.WithContext(account.With(r.Context(), owner))
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if !json.Valid(w.Body.Bytes()) || w.Code != 200 && w.Code != 400 {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
		if w.Code == 200 {
			for _, write := range []string{"create_", "ask_"} {
				if strings.Contains(listedNames(t, w), write) {
					t.Fatal(listedNames(t, w))
				}
			}
		}
		for _, v := range w.Header().Values(headerIgnored) {
			if strings.ContainsFunc(v, func(r rune) bool { return r < 0x20 || r > 0x7e }) {
				t.Fatalf("%q", v)
			}
		}
	})
}
