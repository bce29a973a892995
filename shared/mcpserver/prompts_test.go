package mcpserver

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// spoken asks for the instructions and the names of the prompts.
func spoken(t *testing.T, h http.Handler, address string, headers ...string) (instructions, names string) {
	t.Helper()
	var got struct {
		Result struct {
			Instructions string
			Prompts      []struct{ Name string }
		}
	}
	w := at(t, h, address, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, headers...)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	instructions = got.Result.Instructions
	w = at(t, h, address, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`, headers...)
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s", err, w.Body)
	}
	var out []string
	for _, p := range got.Result.Prompts {
		out = append(out, p.Name)
	}
	return instructions, strings.Join(out, " ")
}

// What a connection chose away, and what its scopes do not cover, is in neither
// its instructions nor its prompts.
func TestPromptsFollowTheView(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Catalogue = catalog.Minds() })
	writing := []string{"create_mind", "create_study", "ask_study", "create_audience", "run_study_questions"}
	for _, c := range []struct {
		address, prompts string
		headers, without []string
	}{
		{"/mcp", "compare_audiences ground_mind plan_study read_results", nil, nil},
		{"/mcp/readonly", "read_results", nil, writing},
		{"/mcp", "read_results", []string{"X-MCP-Readonly: true"}, writing},
		{"/mcp", "read_results", []string{"Authorization: Bearer reader"}, writing},
		{"/mcp", "ground_mind plan_study read_results", []string{"X-MCP-Exclude-Tools: ask_study"}, []string{"ask_study"}},
		{"/mcp", "read_results", []string{"X-MCP-Tools: get_study_status"}, append([]string{"list_audiences", "export_study"}, writing...)},
		{"/mcp", "", []string{"X-MCP-Tools: list_audiences"}, append([]string{"get_study_status"}, writing...)},
	} {
		t.Run(c.address+fmt.Sprint(c.headers), func(t *testing.T) {
			said, names := spoken(t, h, c.address, c.headers...)
			if names != c.prompts {
				t.Errorf("prompts %q, want %q", names, c.prompts)
			}
			for _, name := range c.without {
				if regexp.MustCompile(`\b` + name + `\b`).MatchString(said) {
					t.Errorf("the instructions name %s: %s", name, said)
				}
			}
			if c.without == nil && !strings.Contains(said, "create_mind") || said == "" || len(said) >= 2048 {
				t.Errorf("%d: %s", len(said), said)
			}
			// The scopes of the reader cover exports, which make a file.
			if only := slices.Contains(c.without, "create_study") && !strings.Contains(said, "export_study"); only != strings.Contains(said, "only reads") {
				t.Errorf("reading alone: %s", said)
			}
		})
	}
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"plan_study","arguments":{"objective":"x"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"plan_study"},"argument":{"name":"audience","value":""}}}`,
	} {
		if w := at(t, h, "/mcp/readonly", body); !strings.Contains(w.Body.String(), "-32602") {
			t.Errorf("%s", w.Body)
		}
	}
	w := at(t, h, "/mcp/readonly", `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+statelessMeta+`}}`, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover")
	if !strings.Contains(w.Body.String(), "only reads") || strings.Contains(w.Body.String(), "create_study") {
		t.Errorf("%s", w.Body)
	}
}

// Whatever a connection has, a prompt that is there names no tool that is not,
// and no prompt that is not.
func TestPromptsNameNothingMissing(t *testing.T) {
	all := catalog.Minds().All()
	word := regexp.MustCompile(`[a-z]+(?:_[a-z]+)+`)
	rapid.Check(t, func(r *rapid.T) {
		have := map[string]bool{}
		for _, d := range all {
			have[d.Name] = rapid.Bool().Draw(r, d.Name)
		}
		has := func(name string) bool { return have[name] }
		mind := rapid.SampledFrom([]string{"", brandID}).Draw(r, "mind")
		for _, p := range prompts {
			if !p.can(has) {
				continue
			}
			text := p.write(has, map[string]string{"objective": "O", "topic": "T", "study": "S", "question": "Q", "audience": "A", "mind": mind})
			for _, name := range word.FindAllString(text, -1) {
				_, tool := catalog.Minds().Lookup(name)
				other, prompt := promptOf(name)
				if tool && !has(name) || prompt && !other.can(has) {
					r.Fatalf("%s names %s: %s", p.name, name, text)
				}
			}
		}
	})
}
