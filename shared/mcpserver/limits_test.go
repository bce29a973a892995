package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

const callList = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_minds","arguments":{}}}`

// invoker is a tool's side that the test writes.
type invoker func(ctx context.Context, e tool.Envelope) (tool.Answer, error)

func (f invoker) Invoke(ctx context.Context, e tool.Envelope, _ func(tool.Progress)) (tool.Answer, error) {
	return f(ctx, e)
}

// Calls over the cap are tool errors that say what to do and that nothing was
// started; another account's are its own, and an end makes room.
func TestCallsAtOnce(t *testing.T) {
	slots := middleware.NewMemorySlots(1)
	var noted []telemetry.Call
	h := fixture(t, func(o *Options) {
		o.Slots = slots
		o.Called = func(_ context.Context, c telemetry.Call) { noted = append(noted, c) }
	})
	release, _, err := slots.Take(t.Context(), testKeys["owner"])
	if err != nil {
		t.Fatal(err)
	}
	w := post(t, h, callList)
	for _, word := range []string{`"isError":true`, `"code":"RATE_LIMITED"`, `"retryable":true`, `"limitType":"concurrentCalls"`, `"retryAfter":1`, "This one was not started", "then repeat it"} {
		if !strings.Contains(w.Body.String(), word) {
			t.Errorf("no %s in %s", word, w.Body)
		}
	}
	if w.Code != 200 || len(noted) != 1 || noted[0].Outcome != "RATE_LIMITED" || noted[0].Tool != "list_minds" || noted[0].Account != "a1" {
		t.Errorf("%d %+v", w.Code, noted)
	}
	if w := post(t, h, callList, "Authorization: Bearer reader"); strings.Contains(w.Body.String(), "isError\":true") {
		t.Error("another account shares the cap")
	}
	if w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`); w.Code != 200 {
		t.Error("a list counts as a call")
	}
	release()
	if w := post(t, h, callList); strings.Contains(w.Body.String(), "isError\":true") {
		t.Error(w.Body)
	}
}

// A call gets the budget, or what its host leaves of it; one that runs out of
// time is a tool error that says so.
func TestDeadline(t *testing.T) {
	held := clock.Hold(time.Now())
	var given time.Time
	h := fixture(t, func(o *Options) {
		o.Clock = held
		o.Invoker = invoker(func(_ context.Context, e tool.Envelope) (tool.Answer, error) {
			given = e.Deadline
			return tool.Answer{}, fmt.Errorf("%w: %w", tool.ErrUnavailable, context.DeadlineExceeded)
		})
	})
	w := post(t, h, callList)
	if !strings.Contains(w.Body.String(), `"code":"DEADLINE_EXCEEDED"`) || !strings.Contains(w.Body.String(), `"isError":true`) {
		t.Error(w.Body)
	}
	if got := given.Sub(held.Now()); got != tool.Budget || got > 25*time.Second {
		t.Errorf("the call may take %s", got)
	}
	s := &server{o: Options{Clock: held}}
	ctx, cancel := context.WithDeadline(t.Context(), held.Now().Add(5*time.Second))
	defer cancel()
	if got := s.deadline(ctx).Sub(held.Now()); got != 4*time.Second {
		t.Errorf("behind a host of 5 s the call may take %s", got)
	}
}

// The calls of a batch share one budget; those that had no turn are refused as
// not started, and what calls no tool is still answered.
func TestBatchDeadline(t *testing.T) {
	held := clock.Hold(time.Now())
	var given []time.Duration
	var noted []telemetry.Call
	h := fixture(t, func(o *Options) {
		o.Clock = held
		o.Called = func(_ context.Context, c telemetry.Call) { noted = append(noted, c) }
		inner := o.Invoker
		o.Invoker = invoker(func(ctx context.Context, e tool.Envelope) (tool.Answer, error) {
			given = append(given, e.Deadline.Sub(held.Now()))
			held.Advance(10 * time.Second)
			return inner.Invoke(ctx, e, nil)
		})
	})
	call := func(id string) string { return strings.Replace(callList, `"id":1`, `"id":`+id, 1) }
	w := post(t, h, `[`+call("1")+`,`+call("2")+`,`+call("3")+`,`+call("4")+`,{"jsonrpc":"2.0","id":5,"method":"ping"},`+call("6")+`]`)
	var answers []struct {
		ID     int
		Result struct {
			IsError           bool
			StructuredContent struct {
				Error struct {
					Code      string
					Message   string
					Retryable bool
				}
			}
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &answers); err != nil || len(answers) != 6 {
		t.Fatalf("%v: %s", err, w.Body)
	}
	for i, a := range answers {
		refused := a.ID == 4 || a.ID == 6
		e := a.Result.StructuredContent.Error
		if a.Result.IsError != refused || refused && (e.Code != "DEADLINE_EXCEEDED" || !e.Retryable || !strings.Contains(e.Message, "was not started")) {
			t.Errorf("answer %d: %+v", i, a)
		}
	}
	if len(given) != 3 || given[0] != 25*time.Second || given[1] != 15*time.Second || given[2] != 5*time.Second {
		t.Errorf("calls got %v", given)
	}
	if len(noted) != 2 || noted[0].Outcome != "DEADLINE_EXCEEDED" || noted[0].Tool != "list_minds" {
		t.Errorf("%+v", noted)
	}
	if w := post(t, h, callList); strings.Contains(w.Body.String(), "DEADLINE") {
		t.Error("a batch's deadline reaches the next request")
	}
}

func traced(t *testing.T, change func(*Options)) (func(body string, headers ...string), *tracetest.InMemoryExporter) {
	t.Helper()
	spans := tracetest.NewInMemoryExporter()
	p := sdk.NewTracerProvider(sdk.WithSyncer(spans))
	h := fixture(t, func(o *Options) {
		o.Tracer = p.Tracer("test")
		if change != nil {
			change(o)
		}
	})
	return func(body string, headers ...string) { post(t, h, body, headers...) }, spans
}

// Spans follow the conventions for MCP; the message's parent comes before the
// header's, and the tool's side goes on from the span.
func TestSpans(t *testing.T) {
	var envelope tool.Envelope
	send, spans := traced(t, func(o *Options) {
		inner := o.Invoker
		o.Invoker = invoker(func(ctx context.Context, e tool.Envelope) (tool.Answer, error) {
			envelope = e
			return inner.Invoke(ctx, e, nil)
		})
	})
	const inMessage, inHeader = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "00-11111111111111111111111111111111-2222222222222222-01"
	send(`{"jsonrpc":"2.0","id":"secret-id","method":"tools/call","params":{"name":"create_panel","arguments":{"name":"x"},"_meta":{"traceparent":"`+inMessage+`"}}}`, "Traceparent: "+inHeader, "Mcp-Protocol-Version: 2025-06-18")
	send(callList, "Traceparent: "+inHeader)
	send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ask_study","arguments":{}}}`)
	send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"made/up secret","arguments":{}}}`)
	send(`{"jsonrpc":"2.0","id":1,"method":"secret/method"}`)
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	got := spans.GetSpans()
	if len(got) != 5 {
		t.Fatalf("%d spans", len(got))
	}
	attr := func(i int, name string) string {
		for _, a := range got[i].Attributes {
			if a.Key == attribute.Key(name) {
				return a.Value.AsString()
			}
		}
		return ""
	}
	first := got[0]
	if first.Name != "tools/call create_study" || first.Parent.TraceID().String() != "0af7651916cd43dd8448eb211c80319c" || len(first.Links) != 1 ||
		attr(0, "mcp.method.name") != "tools/call" || attr(0, "gen_ai.tool.name") != "create_study" || attr(0, "gen_ai.operation.name") != "execute_tool" ||
		attr(0, "mcp.protocol.version") != "2025-06-18" || attr(0, "mindgate.outcome") != "ok" {
		t.Errorf("%+v", first)
	}
	if got[1].Parent.TraceID().String() != strings.Repeat("1", 32) || len(got[1].Links) != 0 {
		t.Errorf("%+v", got[1])
	}
	if attr(2, "error.type") != "tool_error" || attr(2, "mindgate.outcome") == "ok" {
		t.Errorf("%+v", got[2])
	}
	if got[3].Name != "tools/call" || attr(3, "rpc.response.status_code") != "-32602" {
		t.Errorf("%+v", got[3])
	}
	if got[4].Name != "_OTHER" || attr(4, "rpc.response.status_code") != "-32601" {
		t.Errorf("%+v", got[4])
	}
	raw, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(raw, []byte("secret")) {
		t.Errorf("words of a caller stand in spans: %s", raw)
	}
	if want := got[2].SpanContext.SpanID().String(); !strings.Contains(envelope.Traceparent, want) {
		t.Errorf("the tool's side gets %q, want span %s", envelope.Traceparent, want)
	}
}

// Nothing of a credential or an argument reaches the log, a span or a counter,
// whatever comes of the request.
func TestNothingLeaks(t *testing.T) {
	const canary = "canary7f3a"
	var buf bytes.Buffer
	log, err := telemetry.New(telemetry.Options{Writer: &buf, Format: telemetry.JSON, Level: slog.LevelDebug})
	if err != nil {
		t.Fatal(err)
	}
	metrics := telemetry.NewMetrics("1", time.Time{})
	_, issuer := withIssuer(t, "")
	token := issuer.Token("ec", canary, "flows:read sparks:read", nil)
	spans := tracetest.NewInMemoryExporter()
	h := fixture(t, func(o *Options) {
		o.Tracer = sdk.NewTracerProvider(sdk.WithSyncer(spans)).Tracer("test")
		o.Log = log
		o.Called = func(ctx context.Context, c telemetry.Call) { telemetry.Audit(ctx, c); metrics.Call(c) }
		o.Slots = middleware.NewMemorySlots(1)
		o.Authenticator = middleware.Credentials{Keys: keys{canary: {Account: "a1", Workspace: "w1", Plan: account.Free, Scopes: []string{"*"}}}, Log: log}
		inner := o.Invoker
		o.Invoker = invoker(func(ctx context.Context, e tool.Envelope) (tool.Answer, error) {
			if strings.Contains(string(e.Args), "fail") {
				return tool.Answer{}, fmt.Errorf("no way: %w", tool.ErrUnavailable)
			}
			return inner.Invoke(ctx, e, nil)
		})
	})
	for _, name := range []string{"create_study", "list_minds", canary, "ask_study"} {
		for _, args := range []string{`{"name":"` + canary + `"}`, `{"` + canary + `":1}`, `{"name":"panic","x":"` + canary + `"}`, `{"name":"fail ` + canary + `"}`, `"` + canary + `"`} {
			for _, bearer := range []string{canary, canary + "x", token, "eyJ" + canary + ".e30.x"} {
				post(t, h, `{"jsonrpc":"2.0","id":"`+canary+`","method":"tools/call","params":{"name":"`+name+`","arguments":`+args+`}}`, "Authorization: Bearer "+bearer, "Traceparent: "+canary)
			}
		}
	}
	post(t, h, callList, "Authorization: Bearer "+canary, "X-Mcp-Tools: "+canary)
	post(t, h, `{"jsonrpc":"2.0","id":1,"method":"`+canary+`"}`, "Authorization: Bearer "+canary)
	raw, err := json.Marshal(spans.GetSpans())
	if err != nil {
		t.Fatal(err)
	}
	if len(spans.GetSpans()) < 10 || buf.Len() == 0 || !strings.Contains(metrics.Text(), "create_study") {
		t.Fatal("nothing was looked at")
	}
	for what, text := range map[string]string{"log": buf.String(), "spans": string(raw), "metrics": metrics.Text()} {
		for line := range strings.Lines(text) {
			if strings.Contains(line, canary) || strings.Contains(line, token[:40]) {
				t.Errorf("%s: %.300s", what, line)
			}
		}
	}
}

// A handler that panics, ignores its context or breaks is refused, gives its
// slot back and leaves the next request fine, over net/http and as a function.
func TestNextRequestAfterABrokenHandler(t *testing.T) {
	broken := map[string]func(context.Context) (any, error){
		"panics":              func(context.Context) (any, error) { panic("the inside") },
		"ignores its context": func(context.Context) (any, error) { select {} },
		"obeys its context":   func(ctx context.Context) (any, error) { <-ctx.Done(); return nil, ctx.Err() },
		"fails":               func(context.Context) (any, error) { return nil, errors.New("the inside") },
		"gives no JSON":       func(context.Context) (any, error) { return math.NaN(), nil },
	}
	for what, handle := range broken {
		var next atomic.Bool // a handler that ignores its context is left behind
		registry, err := tool.NewRegistry(tool.Tool{Name: "list_minds", Invoke: func(ctx context.Context, _ json.RawMessage) (any, error) {
			if next.Load() {
				return answer, nil
			}
			return handle(ctx)
		}})
		if err != nil {
			t.Fatal(err)
		}
		d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: catalog.Minds(), Budget: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		h := fixture(t, func(o *Options) {
			o.Catalogue, o.Invoker, o.Slots = catalog.Minds().Only(registry.Names()), tool.InProcess(d), middleware.NewMemorySlots(1)
		})
		function := apigw.Handler(h, apigw.Options{})
		for where, serve := range map[string]func() string{
			"net/http": func() string { return post(t, h, callList, "X-Request-Id: request-1").Body.String() },
			"function": func() string {
				c := row{body: callList}
				raw, err := json.Marshal(eventV2(c.request(), c.body))
				if err != nil {
					t.Fatal(err)
				}
				out, err := function(t.Context(), raw)
				if err != nil {
					t.Fatal(err)
				}
				_, _, body := unpack(t, out)
				return body
			},
		} {
			next.Store(false)
			got := serve()
			late := strings.Contains(what, "context")
			if late != strings.Contains(got, `"code":"DEADLINE_EXCEEDED"`) || late == strings.Contains(got, `"code":"INTERNAL_ERROR"`) ||
				!late && !strings.Contains(got, `"requestId":"request-1"`) || strings.Contains(got, "the inside") {
				t.Errorf("%s, %s: %s", what, where, got)
			}
			next.Store(true)
			if got := serve(); !strings.Contains(got, `"totalCount":0`) {
				t.Errorf("%s, %s: the next request: %s", what, where, got)
			}
		}
	}
}
