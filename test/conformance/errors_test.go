//go:build conformance

package conformance

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// row is one request and what must come back.
type row struct {
	what    string
	method  string // "" is POST
	path    string // "" is /mcp
	body    string
	headers []string
	status  int
	code    int    // JSON-RPC; 0: none
	id      string // JSON; "" is null
	says    string
	header  string // "Name: value" of the answer
	local   bool   // an answer that only net/http can give
}

func table() []row {
	deep := strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000)
	return []row{
		{what: "empty body", status: 400, code: -32700},
		{what: "broken JSON", body: `{"jsonrpc":"2.0","id":1,`, status: 400, code: -32700},
		{what: "text after the message", body: `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, status: 400, code: -32700},
		{what: "invalid UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xc3\"}", status: 400, code: -32700},
		{what: "10,000 levels", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + deep + `}`, status: 400, code: -32700},
		{what: "a number of 1,000 digits", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1` + strings.Repeat("0", 1000) + `}}`, status: 400, code: -32700},
		{what: "a key twice", body: `{"jsonrpc":"2.0","id":7,"method":"ping","params":{"a":1,"a":2}}`, status: 400, code: -32600, id: "7"},
		{what: "no JSON-RPC", body: `{"a":1}`, status: 400, code: -32600},
		{what: "another JSON-RPC", body: `{"jsonrpc":"1.0","id":"x","method":"ping"}`, status: 400, code: -32600, id: `"x"`},
		{what: "a text", body: `"ping"`, status: 400, code: -32600},
		{what: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, code: -32600},
		{what: "unknown method", body: `{"jsonrpc":"2.0","id":"m","method":"no/such"}`, headers: []string{"Mcp-Protocol-Version: 2025-11-25"}, status: 200, code: -32601, id: `"m"`},
		{what: "unknown method, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"no/such","params":{` + statelessMeta + `}}`, headers: modern("no/such"), status: 404, code: -32601, id: "4"},
		{what: "ping", body: `{"jsonrpc":"2.0","id":5,"method":"ping"}`, status: 200, id: "5"},
		{what: "ping, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"ping","params":{` + statelessMeta + `}}`, headers: modern("ping"), status: 404, code: -32601, id: "4"},
		{what: "params a list", body: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}`, status: 200, code: -32602, id: "5"},
		{what: "unknown tool", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such"}}`, status: 200, code: -32602, id: "6", says: "no_such"},
		{what: "unknown tool, stateless", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such",` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: no_such"), code: -32602, id: "6", status: 400},
		{what: "bad argument", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_studies","arguments":{"limit":"many"}}}`, status: 200, id: "6", says: `"isError":true`},
		{what: "several bad arguments", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"list_studies","arguments":{"limit":"many","offset":-1}}}`, status: 200, id: "6", says: `offset`},
		{what: "unknown prompt", body: `{"jsonrpc":"2.0","id":6,"method":"prompts/get","params":{"name":"no_such"}}`, status: 200, code: -32602, id: "6"},
		{what: "unknown resource", body: `{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"test://no/such"}}`, status: 200, code: -32602, id: "6"},
		{what: "unknown version", body: `{"jsonrpc":"2.0","id":8,"method":"ping"}`, headers: []string{"Mcp-Protocol-Version: 1999-01-01"}, status: 400, code: -32022, id: "8", says: "2024-11-05"},
		{what: "Mcp-Method missing", body: `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{` + statelessMeta + `}}`, headers: []string{"Mcp-Protocol-Version: 2026-07-28"}, status: 400, code: -32020, id: "9"},
		{what: "Mcp-Name of another tool", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"fixture_start","arguments":{"seconds":0},` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: list_studies"), status: 400, code: -32020, id: "9"},
		{what: "Mcp-Name in base64", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_studies","arguments":{},` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: =?base64?bGlzdF9zdHVkaWVz?="), status: 200, id: "9", says: `"complete"`},
		{what: "client capability missing", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"test_missing_capability","arguments":{},` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: test_missing_capability"), status: 400, code: -32021, id: "9"},
		{what: "batch of a later revision", body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, headers: []string{"Mcp-Protocol-Version: 2025-06-18"}, status: 400, code: -32600},
		{what: "empty batch", body: `[]`, status: 400, code: -32600},
		{what: "notification", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`, status: 202},
		{what: "answer of a client", body: `{"jsonrpc":"2.0","id":1,"result":{}}`, status: 202},
		{what: "no credential", body: `{"jsonrpc":"2.0","id":10,"method":"ping"}`, headers: []string{"Authorization:"}, status: 401, code: -32001, id: "10"},
		{what: "unknown credential", body: `{"jsonrpc":"2.0","id":10,"method":"ping"}`, headers: []string{"Authorization: Bearer minds_000000000000000000000000000000000000000000000000"}, status: 401, code: -32001, id: "10"},
		{what: "a JSON Web Token nobody signed", body: `{"jsonrpc":"2.0","id":10,"method":"ping"}`, headers: []string{"Authorization: Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJ4In0."}, status: 401, code: -32001, id: "10"},
		{what: "credential in the query", path: "/mcp?access_token=x", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 400, code: -32600},
		{what: "foreign origin", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Origin: https://evil.example"}, status: 403, code: -32003},
		{what: "another name of this machine", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Host: evil.example"}, status: 403, code: -32003, local: true},
		{what: "preflight of its own page", method: "OPTIONS", headers: []string{"Origin: " + publicURL, "Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"}, status: 204, header: "Access-Control-Allow-Origin: " + publicURL},
		{what: "GET", method: "GET", status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "DELETE", method: "DELETE", path: "/mcp/", status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "PUT", method: "PUT", body: `{}`, status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "a form", body: `a=b`, headers: []string{"Content-Type: application/x-www-form-urlencoded"}, status: 415, code: -32600},
		{what: "Accept JSON only", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Accept: application/json"}, status: 200, id: "1"},
		{what: "Accept anything", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Accept: */*"}, status: 200, id: "1"},
		{what: "a session that nobody gave", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Mcp-Session-Id: abc", "Last-Event-Id: 7"}, status: 200, id: "1"},
		{what: "slash at the end", path: "/mcp/", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 200, id: "1"},
	}
}

// Every refusal is JSON-RPC in JSON, quick, with the id where it could be read.
func TestErrorTable(t *testing.T) {
	url := served(t).URL
	for _, c := range table() {
		t.Run(c.what, func(t *testing.T) {
			began := time.Now()
			a := c.send(t, url)
			if took := time.Since(began); took > 500*time.Millisecond {
				t.Errorf("took %s", took)
			}
			c.check(t, a)
		})
	}
}

func (c row) send(t testing.TB, url string) answer {
	t.Helper()
	method, path := c.method, c.path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/mcp"
	}
	return send(t, url, method, path, strings.NewReader(c.body), c.headers...)
}

func (c row) check(t testing.TB, a answer) {
	t.Helper()
	if a.status != c.status {
		t.Fatalf("status %d, want %d: %.400s", a.status, c.status, a.body)
	}
	if name, value, ok := strings.Cut(c.header, ": "); ok && a.header.Get(name) != value {
		t.Errorf("%s is %q", name, a.header.Get(name))
	}
	if a.status == 202 || a.status == 204 {
		if a.body != "" {
			t.Errorf("body %q", a.body)
		}
		return
	}
	if ct := a.header.Get("Content-Type"); ct != "application/json" {
		t.Errorf("Content-Type %q", ct)
	}
	var m struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(a.body), &m); err != nil || m.Version != "2.0" {
		t.Fatalf("no JSON-RPC: %.400s", a.body)
	}
	id := c.id
	if id == "" {
		id = "null"
	}
	code := 0
	if m.Error != nil {
		code = m.Error.Code
	}
	if code != c.code || string(m.ID) != id {
		t.Errorf("code %d id %s, want %d %s: %.400s", code, m.ID, c.code, id, a.body)
	}
	if !strings.Contains(a.body, c.says) {
		t.Errorf("does not say %q: %.400s", c.says, a.body)
	}
	for _, inside := range []string{"goroutine", "mcp.", ".go:", "json: "} {
		if c.code != 0 && strings.Contains(a.body, inside) {
			t.Errorf("shows %q: %.400s", inside, a.body)
		}
	}
}

// The body limit is 24 MiB to the byte, with a length and without (M-13).
func TestBodyLimit(t *testing.T) {
	url := served(t).URL
	const limit = 24 << 20
	message := func(size int) io.Reader {
		head, tail := `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":"`, `"}}}`
		return io.MultiReader(strings.NewReader(head), strings.NewReader(strings.Repeat("x", size-len(head)-len(tail))), strings.NewReader(tail))
	}
	for _, c := range []struct {
		what    string
		size    int
		chunked bool
		status  int
	}{
		{"at the limit", limit, false, 200}, {"one above", limit + 1, false, 413},
		{"at the limit, chunked", limit, true, 200}, {"one above, chunked", limit + 1, true, 413},
	} {
		t.Run(c.what, func(t *testing.T) {
			body := message(c.size)
			if !c.chunked {
				raw, err := io.ReadAll(body)
				if err != nil {
					t.Fatal(err)
				}
				body = strings.NewReader(string(raw))
			}
			a := send(t, url, http.MethodPost, "/mcp", body)
			if a.status != c.status || a.header.Get("Content-Type") != "application/json" {
				t.Fatalf("%d %s %.300s", a.status, a.header.Get("Content-Type"), a.body)
			}
			if c.status == 413 && (a.at(t, "error", "code") != float64(-32600) || a.json(t)["id"] != nil || !strings.Contains(a.body, "25165824")) {
				t.Errorf("%s", a.body)
			}
		})
	}
}
