//go:build conformance

package conformance

import (
	"strings"
	"testing"
)

// What one tenant made, another cannot see, use or tell from what nobody made.
func TestTenancy(t *testing.T) {
	s := served(t, "MINDGATE_LOG_LEVEL=debug")
	other := newKey(t, s, "other", "--plan", "team")
	const canary = "CANARY-7f3a9c"

	mind, refused := call(t, s.URL, ownerKey, "create_mind", `{"name":"`+canary+`","mode":"manual"}`)
	if refused {
		t.Fatalf("create_mind: %v", mind)
	}
	made, _ := mind["mind"].(map[string]any)
	id, _ := made["id"].(string)
	if id == "" {
		t.Fatalf("create_mind: %v", mind)
	}
	theirs, refused := call(t, s.URL, other, "get_mind_status", `{"mindId":"`+id+`"}`)
	none, _ := call(t, s.URL, other, "get_mind_status", `{"mindId":"00000000-0000-4000-8000-000000000000"}`)
	if !refused || message(theirs) != message(none) || code(theirs) != "NOT_FOUND" {
		t.Errorf("another tenant's Mind: %v, nobody's: %v", theirs, none)
	}
	if list, _ := call(t, s.URL, other, "list_minds", `{}`); strings.Contains(text(t, list), canary) {
		t.Errorf("another tenant lists it: %v", list)
	}

	// The state that one caller carries is nothing in another's hands, nor for
	// another tool, nor changed by one character.
	ask := func(key, tool, more string) answer {
		return post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{},`+statelessMeta+more+`}}`,
			modern("tools/call", "Mcp-Name: "+tool, "Authorization: Bearer "+key)...)
	}
	const tool = "test_input_required_result_tampered_state"
	state, _ := ask(ownerKey, tool, "").at(t, "result", "requestState").(string)
	if state == "" {
		t.Fatal("no requestState")
	}
	with := func(state string) string {
		return `,"requestState":"` + state + `","inputResponses":{"confirm":{"action":"accept","content":{"ok":true}}}`
	}
	if a := ask(ownerKey, tool, with(state)); a.at(t, "result", "resultType") != "complete" {
		t.Errorf("its own state: %s", a.body)
	}
	flipped := "A" + state[1:]
	if state[0] == 'A' {
		flipped = "B" + state[1:]
	}
	for what, a := range map[string]answer{
		"another tenant's": ask(other, tool, with(state)), "another tool's": ask(ownerKey, "test_input_required_result_request_state", with(state)),
		"a changed": ask(ownerKey, tool, with(flipped)), "a longer": ask(ownerKey, tool, with(state+"A")), "half a": ask(ownerKey, tool, with(state[:len(state)/2])),
	} {
		if a.at(t, "error", "code") != float64(-32602) {
			t.Errorf("%s state is taken: %d %s", what, a.status, a.body)
		}
	}

	// A key that may only read can neither write by the tool's name, an old name,
	// nor a hidden tool, and no read-only switch lets a write pass.
	reader := newKey(t, s, "other", "--scopes", "sparks:read,flows:read")
	for _, name := range []string{"create_study", "create_panel", "create_mind"} {
		a := post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{"name":"x"}}}`, "Authorization: Bearer "+reader)
		if a.status != 403 || !strings.Contains(a.header.Get("WWW-Authenticate"), "insufficient_scope") || a.at(t, "error", "code") != float64(-32003) {
			t.Errorf("%s with a reader's key: %d %s %s", name, a.status, a.header.Get("WWW-Authenticate"), a.body)
		}
	}
	for _, name := range []string{"create_study", "create_panel", "create_mind", "fixture_begin"} {
		a := post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{"name":"x","mode":"manual","seconds":0}}}`, "X-MCP-Readonly: true")
		if a.status == 200 && a.at(t, "error") == nil && a.at(t, "result", "isError") != true {
			t.Errorf("%s with the read-only switch: %d %s", name, a.status, a.body)
		}
	}

	// Nothing of a caller stands in the log: no key, no argument.
	for _, secret := range []string{canary, ownerKey, other, reader, state} {
		if strings.Contains(s.Log(), secret) {
			t.Errorf("the log holds %.12s…", secret)
		}
	}
}

func code(structured map[string]any) any {
	e, _ := structured["error"].(map[string]any)
	return e["code"]
}

func message(structured map[string]any) any {
	e, _ := structured["error"].(map[string]any)
	return e["message"]
}
