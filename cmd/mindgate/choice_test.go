package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

const testKey = "minds_000000000000000000000000000000000000000000000007"

// speak runs mindgate mcp over messages, one a line, and gives what it wrote,
// with the answers by their id.
func speak(t *testing.T, args []string, messages ...string) (answers map[string]json.RawMessage, stderr string, code int) {
	t.Helper()
	t.Setenv("MINDGATE_API_KEY", testKey)
	t.Setenv("MINDGATE_BOOTSTRAP_KEY", testKey)
	var out, text bytes.Buffer
	code = run(t.Context(), append([]string{"mcp"}, args...), streams{strings.NewReader(strings.Join(messages, "\n") + "\n"), &out, &text})
	answers = map[string]json.RawMessage{}
	lines := bufio.NewScanner(&out)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var m struct{ ID, Result, Error json.RawMessage }
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			t.Fatalf("not protocol: %s", lines.Text())
		}
		if m.Result == nil {
			m.Result = m.Error
		}
		answers[string(m.ID)] = m.Result
	}
	return answers, text.String(), code
}

func tools(t *testing.T, list json.RawMessage) string {
	t.Helper()
	var in struct{ Tools []struct{ Name string } }
	if err := json.Unmarshal(list, &in); err != nil {
		t.Fatalf("%s", list)
	}
	var out []string
	for _, tl := range in.Tools {
		out = append(out, tl.Name)
	}
	return strings.Join(out, " ")
}

const listTools = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`

// listed are the names of the tools that stand, are listed unasked and fit.
func listed(fits func(*catalog.Definition) bool) string {
	var names []string
	for _, t := range minds.Registry() {
		names = append(names, t.Name)
	}
	var out []string
	for _, d := range catalog.Minds().Only(names, catalog.ModelConnectionsTool).Listed(fits) {
		out = append(out, d.Name)
	}
	return strings.Join(out, " ")
}

// Flags choose over pipes what headers choose over HTTP.
func TestChoiceFlags(t *testing.T) {
	data := []string{"--data", t.TempDir()}
	// What is listed, by area, in the order of the contract.
	any := func(*catalog.Definition) bool { return true }
	in := func(areas ...string) func(*catalog.Definition) bool {
		return func(d *catalog.Definition) bool { return slices.Contains(areas, d.Area) }
	}
	reads := func(d *catalog.Definition) bool { return d.Annotations.ReadOnly }
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, listed(any)},
		{[]string{"--areas", "audiences"}, listed(in("audiences"))},
		{[]string{"--areas", "guided"}, listed(in("guided"))},
		{[]string{"--tools", "create_mind, list_minds"}, "list_minds create_mind"},
		{[]string{"--exclude-tools", "ask_panel,export_study,list_audiences", "--read-only"}, strings.TrimPrefix(listed(reads), "list_audiences ")},
		{[]string{"--areas", "audiences,minds", "--find-tools"}, listed(in("audiences", "minds")) + " find_tools"},
		{[]string{"--areas", "studies", "--read-only", "--underscore-names"}, "list_model_connections list_studies get_study_status"},
	} {
		answers, stderr, code := speak(t, append(c.args, data...), listTools)
		if code != 0 || stderr != "" {
			t.Fatalf("%v: exit %d, %s", c.args, code, stderr)
		}
		if got := tools(t, answers["1"]); got != c.want {
			t.Errorf("%v: %q, want %q", c.args, got, c.want)
		}
	}
	for args, says := range map[string]string{"--areas studys": "no area studys", "--tools nope": "no tool nope", "--exclude-tools x": "no tool x", "--bogus": "unknown flag"} {
		answers, stderr, code := speak(t, append(strings.Fields(args), data...), listTools)
		if code != exitUsage || len(answers) > 0 || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, says) {
			t.Errorf("%s: exit %d, %q", args, code, stderr)
		}
	}
	answers, _, _ := speak(t, append([]string{"--read-only"}, data...), `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create.mind","arguments":{"name":"Ada","mode":"manual"}}}`)
	if !strings.Contains(string(answers["2"]), "read-only") {
		t.Errorf("%s", answers["2"])
	}
}

// A bridge sends the choice on, ends on one that the gateway refuses, and tells
// what the gateway leaves out.
func TestChoiceOverABridge(t *testing.T) {
	var seen http.Header
	gateway := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Clone()
		w.Header().Set("Content-Type", "application/json")
		switch r.Header.Get("X-Mcp-Toolsets") {
		case "refused":
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"There is no\narea refused."}}`)
			return
		case "ignored":
			w.Header().Set("X-Mcp-Ignored", "areas=ignored")
		}
		_, _ = io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	}))
	defer gateway.Close()
	url := []string{"--url", gateway.URL + "/mcp"}
	_, stderr, code := speak(t, append([]string{"--areas", "ignored", "--tools", "a, b", "--exclude-tools", "c", "--read-only", "--find-tools", "--underscore-names"}, url...), listTools)
	if code != 0 || stderr != "mindgate: the gateway has nothing by these names and leaves them out: areas=ignored\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
	for name, want := range map[string]string{"X-Mcp-Toolsets": "ignored", "X-Mcp-Tools": "a,b", "X-Mcp-Exclude-Tools": "c", "X-Mcp-Readonly": "true", "X-Mcp-Find-Tools": "true", "X-Mcp-Names": "underscore", "Authorization": "Bearer " + testKey} {
		if got := seen.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	answers, stderr, code := speak(t, append([]string{"--areas", "refused"}, url...), listTools)
	if code != exitUsage || len(answers) > 0 || stderr != "mindgate: the gateway does not take the choice of tools: There is no area refused.\n" {
		t.Errorf("exit %d, %q", code, stderr)
	}
}

// Records of the caller can be read as resources and completed, by id and name.
func TestResourcesOfRecords(t *testing.T) {
	dir := []string{"--data", t.TempDir()}
	call := func(id, name, args string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + name + `","arguments":` + args + `}}`
	}
	made, stderr, _ := speak(t, dir, `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		call("1", "create_mind", `{"name":"Ada","mode":"clone","personaContext":"Age: 40"}`), call("2", "create_study", `{"name":"Brand & Price"}`))
	var study struct {
		StructuredContent struct{ StudyID string }
		Content           []struct{ Type, URI string }
	}
	if err := json.Unmarshal(made["2"], &study); err != nil || study.StructuredContent.StudyID == "" || stderr != "" {
		t.Fatalf("%s %s", made["2"], stderr)
	}
	if n := len(study.Content); n != 2 || study.Content[1].Type != "resource_link" || study.Content[1].URI != "mindgate://studies/"+study.StructuredContent.StudyID {
		t.Errorf("%+v", study.Content)
	}
	read := func(id, uri string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"resources/read","params":{"uri":"` + uri + `"}}`
	}
	complete := func(id, uri, name, typed string) string {
		return `{"jsonrpc":"2.0","id":` + id + `,"method":"completion/complete","params":{"ref":{"type":"ref/resource","uri":"` + uri + `"},"argument":{"name":"` + name + `","value":"` + typed + `"}}}`
	}
	got, _, _ := speak(t, dir, read("1", study.Content[1].URI), read("2", "mindgate://studies/Brand%20%26%20Price"), read("3", study.Content[1].URI+"/analytics"),
		read("4", "mindgate://audiences/Nobody"), complete("5", "mindgate://studies/{study}", "study", "brand"), complete("6", "mindgate://minds/{mind}", "mind", "ada"),
		complete("7", "mindgate://audiences/{audience}", "audience", ""))
	for id, says := range map[string]string{
		"1": study.StructuredContent.StudyID, "2": study.StructuredContent.StudyID, "3": `questionCount`, "4": "Resource not found",
		"5": `"values":["Brand & Price"]`, "6": `"total":1`, "7": `"values":[]`,
	} {
		if !strings.Contains(string(got[id]), says) {
			t.Errorf("%s: %s", id, got[id])
		}
	}
}
