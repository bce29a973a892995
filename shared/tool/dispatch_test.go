package tool_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

type studyInput struct {
	Name string `json:"name"`
}

type study struct {
	StudyID string `json:"studyId"`
	Name    string `json:"name"`
	Caller  string `json:"caller"`
	Service string `json:"service"`
}

type service struct{}

var createStudy = tool.New("create_study", func(ctx context.Context, in studyInput) (study, error) {
	switch in.Name {
	case "panic":
		panic("internal secret")
	case "bug":
		return study{}, errors.New("internal secret")
	case "hang":
		<-make(chan struct{}) // ignores its context
	case "slow":
		<-ctx.Done()
		return study{}, ctx.Err()
	case "refuse":
		return study{}, fault.New(fault.PlanLimit, "No more Studies.").With("limit", 3)
	case "big":
		return study{Name: strings.Repeat("x", 2000)}, nil
	case "report":
		tool.Report(ctx, tool.Progress{Done: 1, Total: 2, Message: "half"})
	}
	s, _ := ctx.Value(service{}).(string)
	return study{StudyID: "550e8400-e29b-41d4-a716-446655440000", Name: in.Name, Caller: account.From(ctx).Account, Service: s}, nil
})

var owner = account.Principal{Account: "a", Workspace: "w", Scopes: []string{"*"}}

func dispatcher(t testing.TB, change func(*tool.DispatchOptions)) *tool.Dispatcher {
	t.Helper()
	registry, err := tool.NewRegistry(createStudy)
	if err != nil {
		t.Fatal(err)
	}
	o := tool.DispatchOptions{Registry: registry, Catalogue: catalog.Minds(), MaxResult: 1000, Budget: 200 * time.Millisecond}
	if change != nil {
		change(&o)
	}
	d, err := tool.NewDispatcher(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func call(name, args string) tool.Envelope {
	return tool.Envelope{Tool: name, Args: json.RawMessage(args), Principal: owner, RequestID: "r-1"}
}

func TestDispatchRefuses(t *testing.T) {
	reader := account.Principal{Account: "b", Workspace: "w", Scopes: []string{"flows:read"}}
	for _, c := range []struct {
		what string
		e    tool.Envelope
		code fault.Code
		says string
	}{
		{"a tool that does not exist", call("nope", `{}`), fault.NotFound, "nope"},
		{"a tool of the contract that is not built", call("list_minds", `{}`), fault.NotFound, "list_minds"},
		{"a missing scope", tool.Envelope{Tool: "create_study", Args: json.RawMessage(`{"name":"x"}`), Principal: reader}, fault.InsufficientScope, "flows:write"},
		{"bad arguments", call("create_study", `{"name":""}`), fault.Validation, "name: must not be blank"},
		{"arguments that are no JSON", call("create_study", `{`), fault.Validation, "valid JSON"},
		{"a panic", call("create_study", `{"name":"panic"}`), fault.Internal, "Something went wrong"},
		{"an unexpected error", call("create_study", `{"name":"bug"}`), fault.Internal, "Something went wrong"},
		{"a handler that ignores its context", call("create_study", `{"name":"hang"}`), fault.DeadlineExceeded, "did not end"},
		{"a handler that obeys its context", call("create_study", `{"name":"slow"}`), fault.DeadlineExceeded, "did not end"},
		{"the tool's own refusal", call("create_study", `{"name":"refuse"}`), fault.PlanLimit, "No more Studies"},
		{"a result above the ceiling", call("create_study", `{"name":"big"}`), fault.PayloadTooLarge, "at most 1000"},
	} {
		t.Run(c.what, func(t *testing.T) {
			a := dispatcher(t, nil).Dispatch(t.Context(), c.e)
			if a.Error == nil || a.Error.Code != string(c.code) || a.Error.Status != c.code.Status() {
				t.Fatalf("want %s, got %+v", c.code, a.Error)
			}
			if !strings.Contains(a.Error.Message, c.says) || strings.Contains(a.Error.Message, "secret") {
				t.Errorf("message: %s", a.Error.Message)
			}
			if c.code == fault.Internal && a.Error.Data["requestId"] != "r-1" {
				t.Errorf("no request id in %v", a.Error.Data)
			}
		})
	}
}

// The in-process host runs what a function runs: the same JSON both ways.
// A caller that leaves is no fault of the tool: the line says so at the level of
// any call, and nothing is logged as an error.
func TestCallerThatLeaves(t *testing.T) {
	for _, name := range []string{"slow", "hang"} {
		var buf bytes.Buffer
		log, err := telemetry.New(telemetry.Options{Writer: &buf, Format: telemetry.JSON})
		if err != nil {
			t.Fatal(err)
		}
		var noted []telemetry.Call
		d := dispatcher(t, func(o *tool.DispatchOptions) {
			o.Budget, o.Log = time.Minute, log
			o.Audit = func(ctx context.Context, c telemetry.Call) {
				noted = append(noted, c)
				telemetry.Audit(telemetry.WithLogger(ctx, log), c)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		d.Dispatch(ctx, call("create_study", `{"name":"`+name+`"}`))
		if len(noted) != 1 || noted[0].Outcome != tool.Cancelled {
			t.Errorf("%s: %+v", name, noted)
		}
		if text := buf.String(); strings.Contains(text, `"ERROR"`) || !strings.Contains(text, `"INFO"`) || !strings.Contains(text, `"outcome":"CANCELLED"`) {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestInProcessAndFunctionAgree(t *testing.T) {
	var lines []telemetry.Call
	d := dispatcher(t, func(o *tool.DispatchOptions) {
		o.Prepare = func(ctx context.Context) context.Context { return context.WithValue(ctx, service{}, "prepared") }
		o.Audit = func(_ context.Context, c telemetry.Call) { lines = append(lines, c) }
	})
	for _, args := range []string{`{"name":"<A & B>"}`, `{"name":"refuse"}`, `{"name":5}`} {
		e := call("create_study", args)
		here, err := tool.InProcess(d).Invoke(t.Context(), e, nil)
		if err != nil {
			t.Fatal(err)
		}
		payload, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := tool.LambdaHandler(d, "create_study")(t.Context(), payload)
		if err != nil {
			t.Fatal(err)
		}
		there, err := tool.ReadAnswer(raw)
		if err != nil {
			t.Fatal(err)
		}
		if x, y := mustJSON(t, here), mustJSON(t, there); x != y {
			t.Errorf("in process %s\nfunction   %s", x, y)
		}
	}
	here, _ := tool.InProcess(d).Invoke(t.Context(), call("create_study", `{"name":"<A & B>"}`), nil)
	if here.Text != string(here.Structured) || !strings.Contains(here.Text, `"name":"<A & B>","caller":"a","service":"prepared"`) {
		t.Errorf("answer %s / %s", here.Structured, here.Text)
	}
	if len(lines) != 7 || lines[0].Outcome != "ok" || lines[2].Outcome != "PLAN_LIMIT" || len(lines[0].ArgsSHA256) != 64 {
		t.Errorf("audit lines %+v", lines)
	}
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFunctionRunsItsOwnToolOnly(t *testing.T) {
	payload, _ := json.Marshal(call("create_study", `{"name":"x"}`))
	raw, err := tool.LambdaHandler(dispatcher(t, nil), "list_minds")(t.Context(), payload)
	if err != nil {
		t.Fatal(err)
	}
	a, err := tool.ReadAnswer(raw)
	if err != nil || a.Error == nil || a.Error.Code != "NOT_FOUND" {
		t.Fatalf("%v %+v", err, a)
	}
}

func TestProgressIsReportedInProcess(t *testing.T) {
	var got []tool.Progress
	if _, err := tool.InProcess(dispatcher(t, nil)).Invoke(t.Context(), call("create_study", `{"name":"report"}`), func(p tool.Progress) { got = append(got, p) }); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Message != "half" {
		t.Fatalf("progress %+v", got)
	}
}

func TestNoAnswerIsAnErrorOfThePort(t *testing.T) {
	for _, raw := range []string{``, `null`, `{}`, `{"structured":`} {
		if _, err := tool.ReadAnswer([]byte(raw)); !errors.Is(err, tool.ErrBroken) {
			t.Errorf("%q: %v", raw, err)
		}
	}
}

func TestRegistryRefusesWhatIsNotInTheContract(t *testing.T) {
	if _, err := tool.NewRegistry(createStudy, createStudy); err == nil {
		t.Error("a name twice")
	}
	registry, err := tool.NewRegistry(tool.New("made_up", func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: catalog.Minds()}); err == nil {
		t.Error("a tool outside the catalogue")
	}
}
