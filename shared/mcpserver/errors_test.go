package mcpserver

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

const statelessMeta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// row is one way to send something wrong.
type row struct {
	what    string
	method  string // "" is POST
	path    string // "" is /mcp
	body    string
	headers []string // "Name: value", "Name: " removes, "Name: +value" adds
	status  int
	code    int    // JSON-RPC; 0 is no error
	id      string // JSON; "" is null
	says    string
	header  string // "Name: value" of the answer
}

// Every refusal is JSON-RPC in JSON, with the id where it could be read (M-13
// for 413). The rows are shared with the event adapter's test of equal answers.
func errorTable() []row {
	modern := func(method string, more ...string) []string {
		return append([]string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, more...)
	}
	deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
	return []row{
		{what: "empty body", body: ``, status: 400, code: -32700},
		{what: "broken JSON", body: `{"jsonrpc":"2.0","id":1,`, status: 400, code: -32700},
		{what: "text after the message", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}x`, status: 400, code: -32700},
		{what: "invalid UTF-8", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", status: 400, code: -32700, says: "UTF-8"},
		{what: "depth 10,000", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + deep + `}}`, status: 400, code: -32700, says: "nested"},
		{what: "huge exponent", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":1e999999999}}`, status: 400, code: -32700, says: "out of range"},
		{what: "depth 10,000 of objects", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat(`{"a":`, 10_000) + `1` + strings.Repeat(`}`, 10_000) + `}`, status: 400, code: -32700, says: "nested"},
		{what: "only depth", body: deep, status: 400, code: -32700, says: "nested"},
		{what: "a number of many digits", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("9", 50_000) + `}}`, status: 400, code: -32700, says: "digits"},
		{what: "a huge id", body: `{"jsonrpc":"2.0","id":` + strings.Repeat("9", 400) + `,"method":"ping"}`, status: 400, code: -32600},
		{what: "half a surrogate pair as id", body: `{"jsonrpc":"2.0","id":"a\ud800","method":"ping"}`, status: 400, code: -32600, says: "whole characters"},
		{what: "a surrogate pair the wrong way round as id", body: `{"jsonrpc":"2.0","id":"\udc00\ud800","method":"tools/list"}`, status: 400, code: -32600},
		{what: "invalid UTF-8 in arguments", body: "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"list_minds\",\"arguments\":{\"a\":\"\xc3\x28\"}}}", status: 400, code: -32700, says: "UTF-8"},
		{what: "byte order mark", body: "\ufeff{}", status: 400, code: -32700},
		{what: "two version headers", body: `{"jsonrpc":"2.0","id":8,"method":"ping"}`, headers: []string{"Mcp-Protocol-Version: 2025-06-18,2025-11-25"}, status: 400, code: -32022, id: "8"},
		{what: "duplicate key", body: `{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/list"}`, status: 400, code: -32600, id: "7", says: `"method" occurs twice`},
		{what: "duplicate key in arguments", body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_minds","arguments":{"limit":1,"lim\u0069t":2}}}`, status: 400, code: -32600, id: "7"},
		{what: "no JSON-RPC", body: `{"hello":1}`, status: 400, code: -32600, says: "jsonrpc"},
		{what: "JSON-RPC 1.0", body: `{"jsonrpc":"1.0","id":"x","method":"ping"}`, status: 400, code: -32600, id: `"x"`},
		{what: "a scalar", body: `"ping"`, status: 400, code: -32600},
		{what: "id null", body: `{"jsonrpc":"2.0","id":null,"method":"ping"}`, status: 400, code: -32600},
		{what: "id object", body: `{"jsonrpc":"2.0","id":{},"method":"ping"}`, status: 400, code: -32600},
		{what: "method a number", body: `{"jsonrpc":"2.0","id":3,"method":5}`, status: 400, code: -32600, id: "3"},
		{what: "neither method nor result", body: `{"jsonrpc":"2.0","id":3}`, status: 400, code: -32600, id: "3"},
		{what: "unknown method, older revision", body: `{"jsonrpc":"2.0","id":"m","method":"foo/bar"}`, headers: []string{"Mcp-Protocol-Version: 2025-06-18"}, status: 200, code: -32601, id: `"m"`},
		{what: "unknown method, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"foo/bar","params":{` + statelessMeta + `}}`, headers: modern("foo/bar"), status: 404, code: -32601, id: "4", says: "Method not found: foo/bar"},
		{what: "ping, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"ping","params":{` + statelessMeta + `}}`, headers: modern("ping"), status: 404, code: -32601, id: "4", says: "Method not found: ping"},
		{what: "params a list", body: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":[]}`, status: 200, code: -32602, id: "5"},
		{what: "params of a wrong type", body: `{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":5}}`, status: 200, code: -32602, id: "5", says: "another type"},
		{what: "params missing", body: `{"jsonrpc":"2.0","id":5,"method":"tools/call"}`, status: 200, code: -32602, id: "5"},
		{what: "unknown tool", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such"}}`, status: 200, code: -32602, id: "6", says: "Unknown tool"},
		{what: "unknown tool, stateless", body: `{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"no_such",` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: no_such"), status: 400, code: -32602, id: "6"},
		{what: "unknown resource", body: `{"jsonrpc":"2.0","id":6,"method":"resources/read","params":{"uri":"x://y"}}`, status: 200, code: -32602, id: "6"},
		{what: "cursor of no list", body: `{"jsonrpc":"2.0","id":6,"method":"tools/list","params":{"cursor":"x"}}`, status: 200, code: -32602, id: "6"},
		{what: "unknown version header", body: `{"jsonrpc":"2.0","id":8,"method":"ping"}`, headers: []string{"Mcp-Protocol-Version: 1999-01-01"}, status: 400, code: -32022, id: "8", says: "2024-11-05"},
		{what: "version of the future", body: `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`, headers: []string{"Mcp-Protocol-Version: 2099-01-01"}, status: 400, code: -32022, id: "8", says: "2026-07-28"},
		{what: "Mcp-Method missing", body: `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{` + statelessMeta + `}}`, headers: []string{"Mcp-Protocol-Version: 2026-07-28"}, status: 400, code: -32020, id: "9"},
		{what: "Mcp-Name of another tool", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_minds",` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: create_study"), status: 400, code: -32020, id: "9"},
		{what: "two of Mcp-Name", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_minds",` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Name: list_minds", "Mcp-Name: +create_study"), status: 400, code: -32020, id: "9"},
		{what: "two of Mcp-Method", body: `{"jsonrpc":"2.0","id":9,"method":"tools/list","params":{` + statelessMeta + `}}`, headers: modern("tools/list", "Mcp-Method: +tools/call"), status: 400, code: -32020, id: "9"},
		{what: "two of Mcp-Method, a call", body: `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_minds",` + statelessMeta + `}}`, headers: modern("tools/call", "Mcp-Method: +ping", "Mcp-Name: list_minds"), status: 400, code: -32020, id: "9"},
		{what: "initialize, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"initialize","params":{` + statelessMeta + `}}`, headers: modern("initialize"), status: 404, code: -32601, id: "4", says: "Method not found: initialize"},
		{what: "a notification's method with an id, stateless", body: `{"jsonrpc":"2.0","id":4,"method":"notifications/initialized","params":{` + statelessMeta + `}}`, headers: modern("notifications/initialized"), status: 404, code: -32601, id: "4", says: "Method not found"},
		{what: "meta without version", body: `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`, headers: modern("tools/list"), status: 400, code: -32602, id: "9"},
		{what: "batch at 2025-06-18", body: `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, headers: []string{"Mcp-Protocol-Version: 2025-06-18"}, status: 400, code: -32600, says: "batch"},
		{what: "empty batch", body: `[]`, status: 400, code: -32600},
		{what: "no credential", body: `{"jsonrpc":"2.0","id":10,"method":"ping"}`, headers: []string{"Authorization: "}, status: 401, code: -32001, id: "10", header: `WWW-Authenticate: Bearer realm="mindgate"`},
		{what: "unknown credential", body: `{"jsonrpc":"2.0","id":"t","method":"ping"}`, headers: []string{"Authorization: Bearer nobody"}, status: 401, code: -32001, id: `"t"`, says: "Unauthorized", header: `WWW-Authenticate: Bearer realm="mindgate", error="invalid_token"`},
		{what: "credential in the query", path: "/mcp?access_token=owner", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, status: 400, code: -32600, says: "Authorization header", header: `WWW-Authenticate: Bearer realm="mindgate", error="invalid_request"`},
		{what: "accounts down", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Authorization: Bearer down"}, status: 503, code: -32603, id: "1"},
		{what: "scope missing", body: `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"create_panel","arguments":{"name":"x"}}}`, headers: []string{"Authorization: Bearer reader"}, status: 403, code: -32003, id: "11", says: "flows:write", header: `WWW-Authenticate: Bearer realm="mindgate", error="insufficient_scope", scope="flows:write"`},
		{what: "foreign origin", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Origin: https://evil.example"}, status: 403, code: -32003, says: "origin"},
		{what: "opaque origin", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Origin: null"}, status: 403, code: -32003},
		{what: "GET", method: "GET", status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "DELETE", method: "DELETE", path: "/mcp/", status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "PUT", method: "PUT", body: `{}`, status: 405, code: -32600, header: "Allow: POST, OPTIONS"},
		{what: "form body", body: `a=b`, headers: []string{"Content-Type: application/x-www-form-urlencoded"}, status: 415, code: -32600},
		{what: "no content type", body: `{}`, headers: []string{"Content-Type: "}, status: 415, code: -32600},
		{what: "compressed body", body: `{}`, headers: []string{"Content-Encoding: gzip"}, status: 415, code: -32600},
		{what: "another path", path: "/mcp/other", body: `{}`, status: 404, code: -32600},
		{what: "body above the limit", body: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"` + strings.Repeat("x", 70_000) + `"}}`, status: 413, code: -32600, says: `"data":{"code":"PAYLOAD_TOO_LARGE","limitBytes":65536}`},
	}
}

func (c row) request() *http.Request {
	method, path := c.method, c.path
	if method == "" {
		method = http.MethodPost
	}
	if path == "" {
		path = "/mcp"
	}
	r := httptest.NewRequest(method, path, strings.NewReader(c.body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer owner")
	r.Header.Set("X-Request-Id", "request-1")
	for _, line := range c.headers {
		name, value, _ := strings.Cut(line, ": ")
		if value == "" {
			r.Header.Del(name)
			continue
		}
		if strings.HasPrefix(value, "+") { // one more of the same name
			r.Header.Add(name, value[1:])
			continue
		}
		r.Header.Set(name, value)
	}
	return r
}

func TestErrorTable(t *testing.T) {
	h := fixture(t, func(o *Options) { o.MaxBody = 64 << 10 })
	for _, c := range errorTable() {
		t.Run(c.what, func(t *testing.T) {
			w := httptest.NewRecorder()
			started := time.Now()
			h.ServeHTTP(w, c.request())
			if d := time.Since(started); d > 50*time.Millisecond && !underRace {
				t.Errorf("took %s", d)
			}
			checkRow(t, c, w.Code, w.Header(), w.Body.String())
		})
	}
}

// A message without an id is a notification, whatever its method: it is taken
// and has no answer, in both eras.
func TestNotificationsHaveNoAnswer(t *testing.T) {
	h := fixture(t, nil)
	for _, revision := range revisions {
		for _, method := range []string{"notifications/initialized", "notifications/cancelled", "notifications/made_up", "foo/bar", "ping", "tools/list", "tools/call", "initialize", "subscriptions/listen"} {
			for _, params := range []string{``, `,"params":{}`, `,"params":{` + statelessMeta + `}`, `,"params":{"name":"list_minds"}`, `,"params":[]`} {
				body := `{"jsonrpc":"2.0","method":"` + method + `"` + params + `}`
				w := post(t, h, body, "Mcp-Protocol-Version: "+revision)
				if w.Code != http.StatusAccepted || w.Body.Len() != 0 {
					t.Errorf("%s %s: %d %s", revision, body, w.Code, w.Body)
				}
			}
		}
	}
}

func checkRow(t *testing.T, c row, status int, header http.Header, body string) {
	t.Helper()
	if status != c.status {
		t.Errorf("status %d, want %d: %s", status, c.status, body)
	}
	if got := header.Get("Content-Type"); got != "application/json" {
		t.Errorf("Content-Type %q", got)
	}
	var reply struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   struct {
			Code    int    `json:"code"`
			Message string `json:"message"`
		} `json:"error"`
	}
	if err := json.Unmarshal([]byte(body), &reply); err != nil {
		t.Fatalf("no JSON: %v: %s", err, body)
	}
	id := c.id
	if id == "" {
		id = "null"
	}
	if reply.Version != "2.0" || string(reply.ID) != id || reply.Error.Code != c.code || reply.Error.Message == "" {
		t.Errorf("want id %s and code %d, got %s", id, c.code, body)
	}
	if !strings.Contains(body, c.says) && !strings.Contains(reply.Error.Message, c.says) {
		t.Errorf("want %q in %s", c.says, body)
	}
	if c.header != "" {
		name, value, _ := strings.Cut(c.header, ": ")
		if header.Get(name) != value {
			t.Errorf("%s: %q, want %q", name, header.Get(name), value)
		}
	}
}

// M-13: exactly the ceiling is taken, one byte more is not, with a declared
// length and without one.
func TestBodyCeiling(t *testing.T) {
	if underRace {
		t.Skip("checked without the race detector")
	}
	h := fixture(t, nil)
	server := httptest.NewServer(h)
	defer server.Close()
	body := func(size int) string {
		const open, shut = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"`, `"}}`
		return open + strings.Repeat("x", size-len(open)-len(shut)) + shut
	}
	for _, c := range []struct {
		size    int
		chunked bool
		status  int
	}{{middleware.MaxBodyLocal, false, 200}, {middleware.MaxBodyLocal, true, 200}, {middleware.MaxBodyLocal + 1, false, 413}, {middleware.MaxBodyLocal + 1, true, 413}} {
		t.Run(strconv.Itoa(c.size)+"/chunked="+strconv.FormatBool(c.chunked), func(t *testing.T) {
			var r io.Reader = strings.NewReader(body(c.size))
			if c.chunked {
				r = io.MultiReader(r) // hides the length
			}
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", r)
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer owner")
			resp, err := server.Client().Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			raw, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Fatal(err)
			}
			if resp.StatusCode != c.status {
				t.Fatalf("status %d: %.200s", resp.StatusCode, raw)
			}
			if want := `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Request body too large","data":{"code":"PAYLOAD_TOO_LARGE","limitBytes":25165824}}}`; c.status == 413 && string(raw) != want {
				t.Errorf("body %s", raw)
			}
		})
	}
}

// M-106: the window is reported, and used up it is 429 with the wait in header,
// data and words.
func TestRateWindow(t *testing.T) {
	held := clock.Hold(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC))
	h := fixture(t, func(o *Options) { o.Limiter, o.Clock = middleware.NewMemory(2, held), held })
	ping := `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	if w := post(t, h, ping); w.Code != 200 || w.Header().Get("RateLimit-Limit") != "2" || w.Header().Get("RateLimit-Remaining") != "1" || w.Header().Get("RateLimit-Reset") != "60" {
		t.Fatalf("%d %v", w.Code, w.Header())
	}
	held.Advance(20 * time.Second)
	post(t, h, ping)
	w := post(t, h, ping)
	checkRow(t, row{status: 429, code: -32005, id: "1", says: "Wait 40 seconds", header: "Retry-After: 40"}, w.Code, w.Header(), w.Body.String())
	if !strings.Contains(w.Body.String(), `"retryAfter":40`) {
		t.Error(w.Body)
	}
	if w := post(t, h, ping, "Authorization: Bearer reader"); w.Code != 200 {
		t.Error("another account shares the window")
	}
	held.Advance(40 * time.Second)
	if w := post(t, h, ping); w.Code != 200 {
		t.Error("the window did not end")
	}
	if w := post(t, h, `[`+ping+`,`+ping+`]`); w.Code != 429 {
		t.Error("a batch of two is two requests")
	}
}

func TestBrowsers(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Origins = []string{"https://app.example", "http://localhost:*"} })
	for _, origin := range []string{"https://app.example", "http://localhost:5173", "https://gate.example"} {
		r := httptest.NewRequest(http.MethodOptions, "/mcp", nil)
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "content-type, mcp-param-region, x-evil")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		allowed := w.Header().Get("Access-Control-Allow-Headers")
		if w.Code != 204 || w.Header().Get("Access-Control-Allow-Origin") != origin || !strings.Contains(allowed, "mcp-param-region") || strings.Contains(allowed, "x-evil") {
			t.Errorf("preflight of %s: %d %v", origin, w.Code, w.Header())
		}
		if w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "Origin: "+origin); w.Code != 200 || w.Header().Get("Access-Control-Allow-Origin") != origin {
			t.Errorf("call from %s: %d", origin, w.Code)
		}
	}
	r := httptest.NewRequest(http.MethodOptions, "/mcp", nil)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 204 || w.Header().Get("Allow") != "POST, OPTIONS" {
		t.Errorf("OPTIONS: %d %v", w.Code, w.Header())
	}
}

// A page of this machine may call a server of this machine, a foreign page may not.
func TestLocalPages(t *testing.T) {
	h := fixture(t, nil)
	for origin, status := range map[string]int{"http://localhost:6274": 200, "http://127.0.0.1": 200, "https://evil.example": 403, "http://localhost.evil.example": 403} {
		r := row{body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`, headers: []string{"Origin: " + origin}}.request()
		r.Host = "127.0.0.1:8080"
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != status {
			t.Errorf("%s: %d", origin, w.Code)
		}
	}
}

// A page that makes a browser resolve its own name to this machine is refused.
func TestRebinding(t *testing.T) {
	server := httptest.NewServer(fixture(t, nil))
	defer server.Close()
	for host, status := range map[string]int{"evil.example": 403, "localhost": 200, "gate.example": 200, "": 200} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+"/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"ping"}`))
		if err != nil {
			t.Fatal(err)
		}
		req.Host = host
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer owner")
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != status {
			t.Errorf("Host %q: %d", host, resp.StatusCode)
		}
	}
}
