package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "go.opentelemetry.io/otel/sdk/trace"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// steered is a gateway with one tool whose handler the test holds, on a clock
// that the test moves.
func steered(t *testing.T, handle func(context.Context) (any, error)) (*httptest.Server, *clock.Held) {
	t.Helper()
	held := clock.Hold(time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC))
	registry, err := tool.NewRegistry(tool.Tool{Name: "list_minds", Invoke: func(ctx context.Context, _ json.RawMessage) (any, error) { return handle(ctx) }})
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Minds().Only(registry.Names())
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: c, Clock: held})
	if err != nil {
		t.Fatal(err)
	}
	h, err := New(Options{Catalogue: c, Invoker: tool.InProcess(d), Authenticator: testKeys, PublicURL: "https://gate.example", Clock: held, Stream: true})
	if err != nil {
		t.Fatal(err)
	}
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	return srv, held
}

const (
	withToken      = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_minds","arguments":{},"_meta":{"progressToken":"p-1"}}}`
	withTokenStale = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_minds","arguments":{},"_meta":{"progressToken":5,"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`
)

func send(ctx context.Context, t *testing.T, srv *httptest.Server, body string, headers ...string) *http.Response {
	t.Helper()
	resp, err := srv.Client().Do(request(ctx, t, srv, body, headers...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

func request(ctx context.Context, t *testing.T, srv *httptest.Server, body string, headers ...string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, srv.URL+"/mcp", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer owner")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	return req
}

type event struct {
	Method string `json:"method"`
	ID     any    `json:"id"`
	Params struct {
		Token    any     `json:"progressToken"`
		Progress float64 `json:"progress"`
		Total    float64 `json:"total"`
		Message  string  `json:"message"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
}

func next(t *testing.T, in *bufio.Reader) (event, bool) {
	t.Helper()
	for {
		line, err := in.ReadString('\n')
		if err == io.EOF {
			return event{}, false
		}
		if err != nil {
			t.Fatal(err)
		}
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			var e event
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				t.Fatal(err)
			}
			return e, true
		}
	}
}

var answer = map[string]any{"minds": []any{}, "totalCount": 0, "shownCount": 0, "limit": 20, "offset": 0}

// waitFor lets the clock go on once n sleep on it.
func waitFor(t *testing.T, held *clock.Held, n int) {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Second); held.Waiting() < n; {
		if time.Now().After(deadline) {
			t.Fatal("nobody waits on the clock")
		}
	}
}

// A tool that says nothing gives its first sign within a second and another each
// ten; what it reports goes up strictly, and the answer comes last.
func TestProgress(t *testing.T) {
	steps := make(chan float64)
	srv, held := steered(t, func(ctx context.Context) (any, error) {
		for done := range steps {
			tool.Report(ctx, tool.Progress{Done: done, Total: 10, Message: "at work"})
		}
		return answer, nil
	})
	got := make(chan *http.Response, 1)
	go func() { got <- send(t.Context(), t, srv, withToken) }()
	waitFor(t, held, 1)
	held.Advance(firstSign)
	resp := <-got
	if resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" || !strings.HasPrefix(resp.Header.Get("Cache-Control"), "no-store") {
		t.Errorf("%v", resp.Header)
	}
	in := bufio.NewReader(resp.Body)
	first, _ := next(t, in)
	if first.Method != "notifications/progress" || first.Params.Token != "p-1" || first.Params.Progress != 0 {
		t.Fatalf("%+v", first)
	}
	waitFor(t, held, 1)
	held.Advance(nextSign)
	sign, _ := next(t, in)
	last := sign.Params.Progress
	if last <= 0 || last >= 1 {
		t.Errorf("a sign of life moves by %v", last)
	}
	for _, done := range []float64{1, 1, 0.5, 4, 10} { // two of them do not go up
		steps <- done
	}
	close(steps)
	seen := 0
	for {
		e, ok := next(t, in)
		if !ok {
			t.Fatal("no answer")
		}
		if e.Method == "" {
			if e.ID != 7.0 || !strings.Contains(string(e.Result), `"totalCount":0`) {
				t.Errorf("%+v", e)
			}
			break
		}
		if e.Params.Progress <= last || e.Params.Total != 10 {
			t.Errorf("%v after %v", e.Params.Progress, last)
		}
		last = e.Params.Progress
		seen++
	}
	if seen != 3 {
		t.Errorf("%d steps", seen)
	}
	if _, more := next(t, in); more {
		t.Error("something after the answer")
	}
}

// What needs no stream is plain JSON, the same bytes as without a token.
func TestPlainWhereNothingIsSaid(t *testing.T) {
	srv, _ := steered(t, func(context.Context) (any, error) { return answer, nil })
	body := func(message string, headers ...string) string {
		resp := send(t.Context(), t, srv, message, headers...)
		raw, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%d %v", resp.StatusCode, resp.Header)
		}
		return string(raw)
	}
	plain := body(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_minds","arguments":{}}}`)
	for _, accept := range []string{"application/json, text/event-stream", "application/json", "*/*"} {
		if got := body(withToken, "Accept: "+accept); got != plain {
			t.Errorf("%s: %s\nwant %s", accept, got, plain)
		}
	}
	if got := body("["+withToken+"]", "Mcp-Protocol-Version: 2025-03-26"); got != "["+plain+"]" {
		t.Errorf("batch: %s", got)
	}
}

// Closing the stream stops the work of the stateless era.
func TestClosingStops(t *testing.T) {
	stopped := make(chan error, 1)
	begun := make(chan struct{})
	srv, _ := steered(t, func(ctx context.Context) (any, error) {
		tool.Report(ctx, tool.Progress{Done: 1})
		close(begun)
		<-ctx.Done()
		stopped <- context.Cause(ctx)
		return nil, ctx.Err()
	})
	ctx, cancel := context.WithCancel(t.Context())
	resp := send(ctx, t, srv, withTokenStale, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: tools/call", "Mcp-Name: list_minds")
	if e, _ := next(t, bufio.NewReader(resp.Body)); e.Params.Progress != 1 || e.Params.Token != 5.0 {
		t.Fatalf("%+v", e)
	}
	<-begun
	cancel()
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
		t.Fatal("the work goes on")
	}
}

// A host that cannot stream answers whole.
func TestNoStreamNoEvents(t *testing.T) {
	h := fixture(t, nil)
	w := post(t, h, withToken, "Accept: application/json, text/event-stream")
	if w.Code != 200 || w.Header().Get("Content-Type") != "application/json" {
		t.Errorf("%d %v", w.Code, w.Header())
	}
}

// Events come in any pieces.
func TestRelayInPieces(t *testing.T) {
	const stream = "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\nevent: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	for size := 1; size <= len(stream); size++ {
		w := httptest.NewRecorder()
		r := &relay{out: w}
		r.Header().Set("Content-Type", "text/event-stream")
		for at := 0; at < len(stream); at += size {
			if _, err := r.Write([]byte(stream[at:min(at+size, len(stream))])); err != nil {
				t.Fatal(err)
			}
		}
		if w.Body.String() != stream || !w.Flushed {
			t.Fatalf("pieces of %d: %q", size, w.Body)
		}
	}
}

// Whatever stands in the headers that are read, there is an answer in JSON or a
// stream, and the process lives.
func FuzzHeaders(f *testing.F) {
	h := fixture(f, func(o *Options) {
		o.Stream = true
		o.Tracer = sdk.NewTracerProvider().Tracer("test")
	})
	f.Add("list_minds", "2026-07-28", "tools/call", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "a=b", "text/event-stream")
	f.Add("=?base64?bGlzdF9taW5kcw==?=", "2025-06-18", "", "", "", "*/*")
	f.Add("=?base64?/?=", "1999", "x", "00-0-0-0", "=", "")
	f.Fuzz(func(t *testing.T, name, revision, method, parent, state, accept string) {
		r := row{body: withTokenStale}.request()
		for header, value := range map[string]string{"Mcp-Name": name, "Mcp-Protocol-Version": revision, "Mcp-Method": method, "Traceparent": parent, "Tracestate": state, "Accept": accept} {
			r.Header.Set(header, value)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Header().Get("Content-Type") != "text/event-stream" && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%d %q", w.Code, w.Body)
		}
	})
}

// Three calls at once, each with its own stream: events of one never come on
// another, and each ends with the answer to its own request, in every revision.
func TestStreamsSideBySide(t *testing.T) {
	for _, revision := range revisions {
		t.Run(revision, func(t *testing.T) {
			var all sync.WaitGroup
			all.Add(3)
			srv, _ := steered(t, func(ctx context.Context) (any, error) {
				tool.Report(ctx, tool.Progress{Done: 1})
				all.Done()
				all.Wait() // none ends before all have begun
				tool.Report(ctx, tool.Progress{Done: 2})
				return answer, nil
			})
			var clients sync.WaitGroup
			for i := range 3 {
				id := fmt.Sprint(1000 + i)
				body, headers := withToken, []string{"Mcp-Protocol-Version: " + revision}
				if modern(revision) {
					body, headers = withTokenStale, append(headers, "Mcp-Method: tools/call", "Mcp-Name: list_minds")
					body = strings.Replace(body, `"progressToken":5`, `"progressToken":"p-1"`, 1)
				}
				body = strings.Replace(strings.Replace(body, `"id":7`, `"id":`+id, 1), `"p-1"`, `"p-`+id+`"`, 1)
				req := request(t.Context(), t, srv, body, headers...)
				clients.Go(func() {
					resp, err := srv.Client().Do(req)
					if err != nil {
						t.Error(err)
						return
					}
					defer resp.Body.Close()
					raw, err := io.ReadAll(resp.Body)
					got := string(raw)
					if err != nil || resp.Header.Get("Content-Type") != eventStream || strings.Count(got, `"progressToken":"p-`+id+`"`) != 2 ||
						strings.Count(got, "data: ") != 3 || strings.Count(got, `"id":`+id) != 1 || !strings.Contains(got, `"totalCount":0`) {
						t.Errorf("%v %v %s", err, resp.Header, got)
					}
				})
			}
			clients.Wait()
		})
	}
}
