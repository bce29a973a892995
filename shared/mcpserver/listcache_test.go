package mcpserver

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
)

// counting is an extension without tools that counts how often the engine makes
// a list.
type counting struct{ made *int }

func (counting) Configure(*mcp.ServerOptions) {}
func (counting) Install(*mcp.Server)          {}
func (counting) Serves(string) bool           { return false }
func (c counting) Tools() []*mcp.Tool         { *c.made++; return nil }

// What a client says of itself, its token, its trace and the id of its request
// change nothing about the list: the engine makes it once a revision.
func TestListKeyIsNormal(t *testing.T) {
	made := 0
	h := rich(t, func(o *Options) { o.Extension = counting{&made} })
	modern := []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}
	meta := func(i int) string {
		return fmt.Sprintf(`"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c%d","version":"1"},`+
			`"io.modelcontextprotocol/clientCapabilities":{"experimental":{"x%d":{}}},"traceparent":"%d","progressToken":%d`, i, i, i, i)
	}
	for i := range 50 {
		for _, w := range []string{
			listed1(t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":{"_meta":{%s}}}`, i, meta(i)), modern...),
			listed1(t, h, fmt.Sprintf(`{"jsonrpc":"2.0","id":"%d","method":"tools/list","params":{"cursor":"","_meta":{"progressToken":"%d","x":%d}}}`, i, i, i), "Mcp-Protocol-Version: 2025-11-25"),
			listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", fmt.Sprintf("Mcp-Name: n%d", i), fmt.Sprintf("Mcp-Method: m%d", i)),
			listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", fmt.Sprintf("X-Mcp-Exclude-Tools: nope%d", i), "X-Mcp-Toolsets: all"),
		} {
			if !strings.Contains(w, `"create_study"`) {
				t.Fatalf("%.300s", w)
			}
		}
	}
	if made > 2 {
		t.Errorf("the engine made %d lists, want one a revision", made)
	}
}

func listed1(t *testing.T, h http.Handler, body string, headers ...string) string {
	t.Helper()
	return at(t, h, "/mcp", body, headers...).Body.String()
}

// What the engine refuses or reads otherwise does not come from the cache, also
// when the list is already there.
func TestListsAreJudged(t *testing.T) {
	h := rich(t, nil)
	const version, capabilities = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/clientCapabilities":{}`
	at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{`+version+`,`+capabilities+`}}}`, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list")
	at(t, h, "/mcp", listTools, "Mcp-Protocol-Version: 2025-11-25")
	for what, c := range map[string]struct {
		params  string
		headers []string
		code    string
	}{
		"no meta":                    {`{}`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, "-32602"},
		"no capabilities":            {`{"_meta":{` + version + `}}`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, "-32602"},
		"capabilities of no form":    {`{"_meta":{` + version + `,"io.modelcontextprotocol/clientCapabilities":{"elicitation":5}}}`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, "-32602"},
		"info of no form":            {`{"_meta":{` + version + `,` + capabilities + `,"io.modelcontextprotocol/clientInfo":5}}`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, "-32602"},
		"another revision":           {`{"_meta":{"io.modelcontextprotocol/protocolVersion":"2025-11-25",` + capabilities + `}}`, []string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/list"}, "-32020"},
		"no method header":           {`{"_meta":{` + version + `,` + capabilities + `}}`, []string{"Mcp-Protocol-Version: 2026-07-28"}, "-32020"},
		"a stateless request, older": {`{"_meta":{` + version + `,` + capabilities + `}}`, []string{"Mcp-Protocol-Version: 2025-11-25"}, "-32020"},
		"a cursor":                   {`{"cursor":"x"}`, []string{"Mcp-Protocol-Version: 2025-11-25"}, "-32602"},
	} {
		w := at(t, h, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":`+c.params+`}`, c.headers...)
		if !strings.Contains(w.Body.String(), `"code":`+c.code) {
			t.Errorf("%s: %d %.300s", what, w.Code, w.Body)
		}
	}
}

// Keeping lists takes bounded memory, and what is asked for again and again stays
// while a client asks in ever new ways.
func TestKeptListsAreBounded(t *testing.T) {
	var l lists
	body := func(n int) []byte { return []byte(`{"result":{"n":"` + strings.Repeat("x", n) + `"}}`) }
	l.keep("usual", body(40_000))
	for i := range 4 * maxLists {
		l.keep(fmt.Sprint(i), body(10_000*(1+i%9)))
		if len(l.by) > maxLists || l.size > maxListBytes || l.used.Len() != len(l.by) {
			t.Fatal(len(l.by), l.size, l.used.Len())
		}
		if _, ok := l.get("usual"); !ok {
			t.Fatal("the usual list was pushed out")
		}
	}
	for e := l.used.Front(); e != nil; e = e.Next() {
		l.size -= len(e.Value.(*keptList).result)
	}
	if l.size != 0 {
		t.Errorf("the count of bytes is off by %d", l.size)
	}
	l = lists{}
	l.keep("error", []byte(`{"error":{}}`))
	l.keep("large", body(maxListBytes))
	if len(l.by) != 0 {
		t.Errorf("kept %v", l.by)
	}
}

// Another caller's scopes, the writing of names, the revision and a bound view
// are other lists.
func TestListKeys(t *testing.T) {
	h := rich(t, func(o *Options) {
		o.Authenticator = keys{"owner": testKeys["owner"], "minds": {Account: "a", Workspace: "w", Scopes: []string{"sparks:read"}, Method: "api_key", Plan: account.Team}}
	})
	seen := map[string]string{}
	for what, w := range map[string]string{
		"all":       listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25"),
		"explicit":  listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", "X-Mcp-Explicit: true"),
		"search":    listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", "X-Mcp-Find-Tools: true"),
		"read-only": listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", "X-Mcp-Readonly: true"),
		"scopes":    listed1(t, h, listTools, "Mcp-Protocol-Version: 2025-11-25", "Authorization: Bearer minds"),
	} {
		if other, ok := seen[w]; ok {
			t.Errorf("%s has the list of %s", what, other)
		}
		seen[w] = what
	}
}
