package mcpserver

import (
	"context"
	"encoding/json"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/stdio"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// A client that closes its request ends the work of its call, in every
// revision, with and without a stream; the line of the call says that it left,
// and the next request is answered.
func TestLeavingStops(t *testing.T) {
	type message struct {
		body    string
		headers []string
	}
	for _, revision := range revisions {
		plain := message{callList, []string{"Mcp-Protocol-Version: " + revision}}
		streamed := message{withToken, []string{"Mcp-Protocol-Version: " + revision}}
		if modern(revision) {
			headers := []string{"Mcp-Protocol-Version: " + revision, "Mcp-Method: tools/call", "Mcp-Name: list_minds"}
			plain = message{`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"list_minds","arguments":{},` + statelessMeta + `}}`, headers}
			streamed = message{withTokenStale, headers}
		}
		for how, m := range map[string]message{"plain": plain, "streamed": streamed} {
			t.Run(revision+"/"+how, func(t *testing.T) {
				begun, stopped := make(chan struct{}, 1), make(chan error, 1)
				var again atomic.Bool
				srv, _ := steered(t, func(ctx context.Context) (any, error) {
					if again.Swap(true) {
						return answer, nil
					}
					if how == "streamed" {
						tool.Report(ctx, tool.Progress{Done: 1})
					}
					begun <- struct{}{}
					<-ctx.Done()
					stopped <- ctx.Err()
					return nil, ctx.Err()
				})
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				go func() {
					<-begun
					cancel()
				}()
				if resp, err := srv.Client().Do(request(ctx, t, srv, m.body, m.headers...)); err == nil {
					_, _ = io.Copy(io.Discard, resp.Body)
					_ = resp.Body.Close()
				}
				select {
				case err := <-stopped:
					if err == nil {
						t.Error("no reason")
					}
				case <-time.After(5 * time.Second):
					t.Fatal("the work goes on")
				}
				if resp := send(t.Context(), t, srv, m.body, m.headers...); resp.StatusCode != 200 {
					t.Errorf("the next request: %d", resp.StatusCode)
				}
			})
		}
	}
}

// Over stdio a client leaves by notifications/cancelled, or by the end of the
// input.
func TestCancellingOverStdioStops(t *testing.T) {
	begun, stopped := make(chan struct{}), make(chan struct{})
	h := fixture(t, func(o *Options) {
		o.Invoker = invoker(func(ctx context.Context, _ tool.Envelope) (tool.Answer, error) {
			close(begun)
			<-ctx.Done()
			close(stopped)
			return tool.Answer{}, ctx.Err()
		})
	})
	in, feed := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- stdio.Serve(t.Context(), in, io.Discard, stdio.Local(h, "owner")) }()
	_, _ = io.WriteString(feed, callList+"\n")
	<-begun
	_, _ = io.WriteString(feed, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
	select {
	case <-stopped:
	case <-time.After(5 * time.Second):
		t.Error("the work goes on")
	}
	_ = feed.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A caller that left is told apart from a call that ran out of its time.
func TestLeavingIsNoted(t *testing.T) {
	noted := make(chan telemetry.Call, 1)
	begun := make(chan struct{})
	h := fixture(t, func(o *Options) {
		o.Called = func(_ context.Context, c telemetry.Call) { noted <- c }
		o.Invoker = invoker(func(ctx context.Context, _ tool.Envelope) (tool.Answer, error) {
			close(begun)
			<-ctx.Done()
			return tool.Answer{}, ctx.Err()
		})
	})
	srv := httptest.NewServer(h)
	defer srv.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-begun; cancel() }()
	if resp, err := srv.Client().Do(request(ctx, t, srv, callList, "Mcp-Protocol-Version: 2025-06-18")); err == nil {
		_ = resp.Body.Close()
	}
	if c := <-noted; c.Outcome != tool.Cancelled || c.Tool != "list_minds" {
		t.Errorf("%+v", c)
	}
}

// A request whose headers say another thing than its message is refused before
// any tool runs, with one line, over net/http and as a function.
func TestMismatchIsNoted(t *testing.T) {
	modern := func(method string, more ...string) []string {
		return append([]string{"Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: " + method}, more...)
	}
	call := func(name string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + name + `","arguments":{"name":"canary"},` + statelessMeta + `}}`
	}
	rows := []struct {
		row
		want string
	}{
		{row{what: "another tool", body: call("create_study"), headers: modern("tools/call", "Mcp-Name: list_minds")}, "create_study HEADER_MISMATCH a1"},
		{row{what: "an old name", body: call("create_panel"), headers: modern("tools/call", "Mcp-Name: list_minds")}, "create_study HEADER_MISMATCH a1"},
		{row{what: "another method", body: call("create_study"), headers: modern("tools/list")}, "create_study HEADER_MISMATCH a1"},
		{row{what: "no name", body: call("create_study"), headers: modern("tools/call")}, "create_study HEADER_MISMATCH a1"},
		{row{what: "no tool", body: call("canary"), headers: modern("tools/call", "Mcp-Name: list_minds")}, "unknown HEADER_MISMATCH a1"},
		{row{what: "a list", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{` + statelessMeta + `}}`, headers: modern("tools/call")}, "none HEADER_MISMATCH a1"},
		{row{what: "a resource", body: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://studies/canary",` + statelessMeta + `}}`, headers: modern("resources/read", "Mcp-Name: mindgate://tools")}, "get_study_status HEADER_MISMATCH a1"},
		{row{what: "no version", body: call("create_study"), headers: []string{"Mcp-Method: tools/call", "Mcp-Name: create_study"}}, "create_study HEADER_MISMATCH a1"},
		{row{what: "in order", body: call("create_study"), headers: modern("tools/call", "Mcp-Name: create_study")}, ""},
	}
	for _, stream := range []bool{false, true} {
		var lines []string
		reached := false
		h := rich(t, func(o *Options) {
			o.Stream = stream
			o.Called = func(_ context.Context, c telemetry.Call) { lines = append(lines, c.Tool+" "+c.Outcome+" "+c.Account) }
			o.Invoker = invoker(func(context.Context, tool.Envelope) (tool.Answer, error) {
				reached = true
				return tool.Answer{Structured: json.RawMessage(`{}`), Text: `{}`}, nil
			})
		})
		function := apigw.Handler(h, apigw.Options{})
		for _, c := range rows {
			for where, serve := range map[string]func() (int, string){
				"net/http": func() (int, string) {
					w := httptest.NewRecorder()
					h.ServeHTTP(w, c.request())
					return w.Code, w.Body.String()
				},
				"function": func() (int, string) {
					raw, err := json.Marshal(eventV2(c.request(), c.body))
					if err != nil {
						t.Fatal(err)
					}
					out, err := function(t.Context(), raw)
					if err != nil {
						t.Fatal(err)
					}
					status, _, body := unpack(t, out)
					return status, body
				},
			} {
				lines, reached = nil, false
				status, body := serve()
				if got := strings.Join(lines, "; "); got != c.want || reached != (c.want == "") {
					t.Errorf("%s, %s: %q, reached %v", c.what, where, got, reached)
				}
				if c.want != "" && (status != 400 || !strings.Contains(body, `"code":-32020`)) {
					t.Errorf("%s, %s: %d %s", c.what, where, status, body)
				}
			}
		}
		if slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "canary") }) {
			t.Error(lines)
		}
	}
}
