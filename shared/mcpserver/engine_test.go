package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Each revision that opens with initialize is echoed; any other asks the client
// to take the newest of them.
func TestNegotiation(t *testing.T) {
	h := fixture(t, nil)
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"2026-07-28": "2025-11-25", "1999-01-01": "2025-11-25",
	} {
		w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"`+asked+`","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
		if !strings.Contains(w.Body.String(), `"protocolVersion":"`+want+`"`) {
			t.Errorf("%s: %s", asked, w.Body)
		}
	}
	for _, revision := range revisions[1:] {
		if w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Protocol-Version: "+revision); w.Code != 200 || !strings.Contains(w.Body.String(), `"tools":[`) {
			t.Errorf("%s: %d %s", revision, w.Code, w.Body)
		}
	}
}

// The whole list of the toolset stays small, the same bytes each time, with all
// four hints and an object at the root of each schema.
func TestListIsSmallAndStable(t *testing.T) {
	h := fixture(t, func(o *Options) { o.Catalogue = catalog.Minds() })
	var first []byte
	for range 20 {
		w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if first == nil {
			first = bytes.Clone(w.Body.Bytes())
		}
		if !bytes.Equal(first, w.Body.Bytes()) {
			t.Fatal("the list changes")
		}
	}
	t.Logf("tools/list of the whole toolset: %d bytes", len(first))
	if len(first) >= 48<<10 {
		t.Errorf("tools/list has %d bytes", len(first))
	}
	var reply struct {
		Result struct {
			Tools []struct {
				Name                      string
				InputSchema, OutputSchema struct{ Type string }
				Annotations               map[string]bool
			}
		}
	}
	if err := json.Unmarshal(first, &reply); err != nil {
		t.Fatal(err)
	}
	if n := len(catalog.Minds().Listed(nil)); len(reply.Result.Tools) != n {
		t.Errorf("%d tools, want %d", len(reply.Result.Tools), n)
	}
	for _, tl := range reply.Result.Tools {
		if tl.InputSchema.Type != "object" || tl.OutputSchema.Type != "object" || len(tl.Annotations) != 4 {
			t.Errorf("%s: %+v", tl.Name, tl)
		}
	}
}

func TestInstructionsStayShort(t *testing.T) {
	for _, limit := range []int64{middleware.MaxBodyLocal, middleware.MaxBodyLambda} {
		text := instructions(catalog.Minds().WithFinder(), limit)
		t.Logf("%d characters", len(text))
		if len(text) >= 2048 {
			t.Errorf("%d characters", len(text))
		}
		if !strings.Contains(text, megabytes(limit)) {
			t.Error("the body limit is not said")
		}
	}
}

type failing struct{ err error }

func (f failing) Invoke(context.Context, tool.Envelope, func(tool.Progress)) (tool.Answer, error) {
	if f.err == nil {
		panic("secret of the inside")
	}
	return tool.Answer{}, f.err
}

// A call that does not reach its tool is -32603 without internals, with the
// request id, and the next request is fine.
func TestInvokerFails(t *testing.T) {
	for _, c := range []struct {
		err  error
		code string
		says string
	}{
		{nil, "-32603", "request-9"},
		{errors.New("secret of the inside"), "-32603", "request-9"},
		{tool.ErrUnavailable, "-32603", "Try again"},
		{tool.ErrTooLarge, "-32602", "too large"},
	} {
		h := fixture(t, func(o *Options) { o.Invoker = failing{c.err} })
		w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_minds"}}`, "X-Request-Id: request-9")
		body := w.Body.String()
		if !strings.Contains(body, c.code) || !strings.Contains(body, c.says) || strings.Contains(body, "secret") {
			t.Errorf("%v: %s", c.err, body)
		}
		if w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); w.Code != 200 {
			t.Error("the next request fails")
		}
	}
}

func TestResultTooLargeForTheGateway(t *testing.T) {
	h := fixture(t, func(o *Options) { o.MaxResult = MaxResultLambda })
	w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"big"}}}`)
	if !strings.Contains(w.Body.String(), "PAYLOAD_TOO_LARGE") || !strings.Contains(w.Body.String(), `"isError":true`) {
		t.Errorf("%.300s", w.Body)
	}
}

type bearerTransport struct{ base http.RoundTripper }

func (b bearerTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer owner")
	return b.base.RoundTrip(r)
}

// A real client connects, lists and calls, also a tool that is not listed and an
// old name.
func TestRealClient(t *testing.T) {
	srv := httptest.NewServer(fixture(t, nil))
	defer srv.Close()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: srv.URL + "/mcp", HTTPClient: &http.Client{Transport: bearerTransport{srv.Client().Transport}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 4 {
		t.Fatalf("%v %v", list, err)
	}
	for _, name := range []string{"list_minds", "list-minds", "create_panel"} {
		out, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: map[string]any{"name": "x"}})
		if err != nil {
			t.Fatal(name, err)
		}
		if (name != "create_panel") != out.IsError { // list_minds takes no name
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// Many callers at once, one server: no answer goes to another's request.
func TestConcurrentCalls(t *testing.T) {
	h := fixture(t, nil)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 25 {
				name := strings.Repeat("x", g+1) + strings.Repeat("y", i+1)
				w := post(t, h, `{"jsonrpc":"2.0","id":"`+name+`","method":"tools/call","params":{"name":"create_study","arguments":{"name":"`+name+`"}}}`)
				if body := w.Body.String(); !strings.Contains(body, `"id":"`+name+`"`) || !strings.Contains(body, `"name":"`+name+`"`) {
					t.Errorf("%s: %s", name, body)
				}
			}
		})
	}
	wg.Wait()
}

func FuzzScan(f *testing.F) {
	for _, c := range errorTable() {
		if len(c.body) < 4096 {
			f.Add([]byte(c.body))
		}
	}
	f.Add([]byte(`{"a":[1,-0.5e+3,"\u00e9\ud83d\ude00",{"b":null}],"c":true}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		first, top, elements, err := scan(body)
		if err == nil && !json.Valid(body) {
			t.Fatalf("taken, but no JSON: %q", body)
		}
		for _, at := range top {
			if !json.Valid(body[at.from:at.to]) {
				t.Fatalf("member %q of %q", body[at.from:at.to], body)
			}
		}
		for _, at := range elements {
			if !json.Valid(body[at.from:at.to]) {
				t.Fatalf("element %q of %q", body[at.from:at.to], body)
			}
		}
		if err == nil && first == '{' {
			_, _ = readMessage(body, top)
		}
	})
}

func BenchmarkCall(b *testing.B) {
	h := fixture(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		post(b, h, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_minds","arguments":{"limit":3}}}`)
	}
}

func BenchmarkList(b *testing.B) {
	h := fixture(b, func(o *Options) { o.Catalogue = catalog.Minds() })
	b.ReportAllocs()
	for b.Loop() {
		post(b, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	}
}
