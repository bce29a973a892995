//go:build conformance

package conformance

import (
	"slices"
	"strings"
	"testing"
)

var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// Every revision is negotiated, and what nobody knows is answered with the
// newest that opens with initialize.
func TestNegotiation(t *testing.T) {
	url := served(t).URL
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		a := post(t, url, `{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"`+asked+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
		if got := a.at(t, "result", "protocolVersion"); a.status != 200 || got != want {
			t.Errorf("initialize with %s: %d %v, want %s", asked, a.status, got, want)
		}
		if a.header.Get("Mcp-Session-Id") != "" {
			t.Errorf("initialize with %s makes a session", asked)
		}
	}
	a := post(t, url, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+statelessMeta+`}}`, modern("server/discover")...)
	var supported []string
	list, _ := a.at(t, "result", "supportedVersions").([]any)
	for _, v := range list {
		supported = append(supported, v.(string))
	}
	slices.Sort(supported)
	want := slices.Clone(revisions)
	slices.Sort(want)
	if !slices.Equal(supported, want) {
		t.Errorf("server/discover: %v", supported)
	}
	for _, header := range []string{"1999-01-01", "2099-01-01"} {
		a := post(t, url, `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, "Mcp-Protocol-Version: "+header)
		if a.status != 400 || a.at(t, "error", "code") != float64(-32022) || !strings.Contains(a.body, "2024-11-05") || a.at(t, "id") != float64(8) {
			t.Errorf("header %s: %d %s", header, a.status, a.body)
		}
	}
	// A stateless request of a revision that does not exist.
	future := strings.ReplaceAll(statelessMeta, "2026-07-28", "2099-01-01")
	a = post(t, url, `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{`+future+`}}`, "Mcp-Protocol-Version: 2099-01-01", "Mcp-Method: tools/list")
	if a.status != 400 || a.at(t, "error", "code") != float64(-32022) {
		t.Errorf("version of the future: %d %s", a.status, a.body)
	}
	// Each revision answers a call.
	for _, v := range revisions[1:] {
		if out, refused := call(t, url, ownerKey, "list_studies", `{}`, "Mcp-Protocol-Version: "+v); refused || out["studies"] == nil {
			t.Errorf("%s: %v", v, out)
		}
	}
	a = post(t, url, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_studies","arguments":{},`+statelessMeta+`}}`, modern("tools/call", "Mcp-Name: list_studies")...)
	if a.at(t, "result", "resultType") != "complete" {
		t.Errorf("stateless call: %d %s", a.status, a.body)
	}
	// Batches live in 2025-03-26 alone.
	a = post(t, url, `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"nope"}]`)
	if a.status != 200 || !strings.HasPrefix(a.body, "[") || strings.Count(a.body, `"jsonrpc"`) != 2 {
		t.Errorf("batch: %d %s", a.status, a.body)
	}
}
