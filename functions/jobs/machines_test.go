package jobs_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/local"
	"github.com/mindgate-dev/mindgate/statemachines"
)

// script says, by task, which error each call ends with; beyond, the task gives
// its output.
type script struct {
	errors  map[string][]string
	outputs map[string]string
	mu      sync.Mutex
	calls   []string // task and payload, in order
}

func (s *script) tasks(names ...string) workflow.Tasks {
	all := workflow.Tasks{}
	for _, name := range names {
		all[name] = func(_ context.Context, payload json.RawMessage) (json.RawMessage, error) {
			s.mu.Lock()
			defer s.mu.Unlock()
			s.calls = append(s.calls, name+" "+string(payload))
			if left := s.errors[name]; len(left) > 0 {
				s.errors[name] = left[1:]
				if left[0] != "" {
					return nil, workflow.Errorf(left[0], "as the test says")
				}
			}
			return json.RawMessage(s.outputs[name]), nil
		}
	}
	return all
}

// play runs one execution of a machine to its end; the clock moves whenever the
// machine waits.
func play(t *testing.T, machine string, s *script, names ...string) workflow.Execution {
	t.Helper()
	machines, err := statemachines.All()
	if err != nil {
		t.Fatal(err)
	}
	held := clock.Hold(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC))
	engine, err := local.Open(t.Context(), local.Options{Path: filepath.Join(t.TempDir(), "jobs.db"),
		Machines: map[string][]byte{machine: machines[machine]}, Tasks: s.tasks(names...), Clock: held})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() { _ = engine.Run(ctx) })
	t.Cleanup(func() { stop(); running.Wait(); _ = engine.Close() })
	if err := engine.Start(t.Context(), machine, "job-1", json.RawMessage(`{"job":"job-1","workspace":"w","account":"a","study":"s","question":"q"}`)); err != nil {
		t.Fatal(err)
	}
	for range 5000 {
		x, err := engine.Describe(t.Context(), machine, "job-1")
		if err != nil {
			t.Fatal(err)
		}
		if x.Status != workflow.Running {
			return x
		}
		held.Advance(200 * time.Millisecond)
		_ = clock.System{}.Sleep(t.Context(), time.Millisecond)
	}
	t.Fatal("the execution does not end")
	return workflow.Execution{}
}

// The question machine: chunks in any number, transient errors tried again,
// every other failure settled by QuestionFail with its name, and nothing pays a
// transition a Mind.
func TestQuestionMachine(t *testing.T) {
	const input = `{"job":"job-1","workspace":"w","account":"a","study":"s","question":"q"}`
	names := []string{"QuestionPrepare", "QuestionAnswer", "QuestionSettle", "QuestionFail"}
	for name, c := range map[string]struct {
		chunks string
		errors map[string][]string
		want   map[string]int
		failed string // error name that QuestionFail is told
		output string
	}{
		"three chunks":         {"[0,1,2]", nil, map[string]int{"QuestionPrepare": 1, "QuestionAnswer": 3, "QuestionSettle": 1}, "", "completed"},
		"one chunk":            {"[0]", nil, map[string]int{"QuestionPrepare": 1, "QuestionAnswer": 1, "QuestionSettle": 1}, "", "completed"},
		"settled before":       {"[]", nil, map[string]int{"QuestionPrepare": 1, "QuestionSettle": 1}, "", "completed"},
		"transient":            {"[0,1]", map[string][]string{"QuestionPrepare": {"Transient"}, "QuestionAnswer": {"Transient", "Transient", "Transient"}, "QuestionSettle": {"Transient"}}, map[string]int{"QuestionPrepare": 2, "QuestionAnswer": 5, "QuestionSettle": 2}, "", "completed"},
		"transient for ever":   {"[0]", map[string][]string{"QuestionAnswer": slices.Repeat([]string{"Transient"}, 20)}, map[string]int{"QuestionPrepare": 1, "QuestionAnswer": 6, "QuestionFail": 1}, "Transient", "partial"},
		"prepare gives up":     {"[0]", map[string][]string{"QuestionPrepare": {"Corrupt"}}, map[string]int{"QuestionPrepare": 1, "QuestionFail": 1}, "Corrupt", "partial"},
		"another engine":       {"[0]", map[string][]string{"QuestionAnswer": {"EngineChanged"}}, map[string]int{"QuestionPrepare": 1, "QuestionAnswer": 1, "QuestionFail": 1}, "EngineChanged", "partial"},
		"settle gives up":      {"[0]", map[string][]string{"QuestionSettle": {"Internal"}}, map[string]int{"QuestionPrepare": 1, "QuestionAnswer": 1, "QuestionSettle": 1, "QuestionFail": 1}, "Internal", "partial"},
		"fail has to be tried": {"[0]", map[string][]string{"QuestionPrepare": {"Internal"}, "QuestionFail": {"Internal", "Transient"}}, map[string]int{"QuestionPrepare": 1, "QuestionFail": 3}, "Internal", "partial"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: c.errors, outputs: map[string]string{
				"QuestionPrepare": `{"chunks":` + c.chunks + `}`, "QuestionAnswer": `{"answered":50}`,
				"QuestionSettle": `{"status":"completed"}`, "QuestionFail": `{"status":"partial"}`}}
			if s.errors == nil {
				s.errors = map[string][]string{}
			}
			x := play(t, "question", s, names...)
			if x.Status != workflow.Succeeded || string(x.Output) != fmt.Sprintf(`{"status":%q}`, c.output) {
				t.Errorf("%s %s %s", x.Status, x.Output, x.Error)
			}
			got := map[string]int{}
			for _, call := range s.calls {
				var task, payload string
				if _, err := fmt.Sscanf(call, "%s %s", &task, &payload); err != nil {
					t.Fatal(err)
				}
				got[task]++
				checkPayload(t, task, payload, input, c.failed)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("calls %v, want %v", got, c.want)
			}
		})
	}
}

func checkPayload(t *testing.T, task, payload, input, failed string) {
	t.Helper()
	var whole any
	_ = json.Unmarshal([]byte(input), &whole)
	var p map[string]any
	if err := json.Unmarshal([]byte(payload), &p); err != nil {
		t.Fatal(err)
	}
	switch task {
	case "QuestionAnswer":
		if _, ok := p["chunk"].(float64); !ok || fmt.Sprint(p["job"]) != fmt.Sprint(whole) {
			t.Errorf("%s got %s", task, payload)
		}
	case "QuestionFail", "ExportFail":
		if p["error"] != failed || fmt.Sprint(p["job"]) != fmt.Sprint(whole) {
			t.Errorf("%s got %s", task, payload)
		}
	default:
		if fmt.Sprint(p) != fmt.Sprint(whole) {
			t.Errorf("%s got %s", task, payload)
		}
	}
}

// The export machine: rendered, tried again, or settled as failed.
func TestExportMachine(t *testing.T) {
	const input = `{"job":"job-1","workspace":"w","account":"a","study":"s","question":"q"}`
	for name, c := range map[string]struct {
		errors []string
		want   map[string]int
		failed string
		output string
	}{
		"rendered":  {nil, map[string]int{"ExportRender": 1}, "", "completed"},
		"transient": {[]string{"Transient", "Transient"}, map[string]int{"ExportRender": 3}, "", "completed"},
		"gives up":  {[]string{"Internal"}, map[string]int{"ExportRender": 1, "ExportFail": 1}, "Internal", "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: map[string][]string{"ExportRender": c.errors},
				outputs: map[string]string{"ExportRender": `{"status":"completed"}`, "ExportFail": `{"status":"failed"}`}}
			x := play(t, "export", s, "ExportRender", "ExportFail")
			if x.Status != workflow.Succeeded || string(x.Output) != fmt.Sprintf(`{"status":%q}`, c.output) {
				t.Errorf("%s %s %s", x.Status, x.Output, x.Error)
			}
			got := map[string]int{}
			for _, call := range s.calls {
				var task, payload string
				if _, err := fmt.Sscanf(call, "%s %s", &task, &payload); err != nil {
					t.Fatal(err)
				}
				got[task]++
				checkPayload(t, task, payload, input, c.failed)
			}
			if fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("calls %v, want %v", got, c.want)
			}
		})
	}
}

// A clean-up that fails for a reason that no retrier knows is tried again soon,
// and until it is done: nothing else comes before the job's deadline.
func TestDeleteMachineTriesAgain(t *testing.T) {
	s := &script{errors: map[string][]string{"MindDelete": {"Internal", "Sandbox.Timedout", "Internal"}},
		outputs: map[string]string{"MindDelete": `{"done":true}`}}
	x := play(t, "mind-delete", s, "MindDelete")
	if x.Status != workflow.Succeeded || len(s.calls) != 4 {
		t.Errorf("%s %s after %d calls", x.Status, x.Error, len(s.calls))
	}
	if took := x.StoppedAt.Sub(x.StartedAt); took > 15*time.Minute {
		t.Errorf("it took %s", took)
	}
}

// Every retrier that is for passing trouble knows all of its names, those that
// the invocation itself gives among them.
func TestRetriersKnowTheTroublesOfInvocations(t *testing.T) {
	machines, err := statemachines.All()
	if err != nil {
		t.Fatal(err)
	}
	for name, source := range machines {
		for _, retrier := range strings.Split(string(source), "\"Retry\"")[1:] {
			list, _, _ := strings.Cut(retrier, "]")
			if strings.Contains(list, "States.ALL") {
				continue
			}
			for _, want := range []string{"Transient", "States.Timeout", "Lambda.ServiceException", "Lambda.AWSLambdaException",
				"Lambda.SdkClientException", "Lambda.TooManyRequestsException", "Lambda.ClientExecutionTimeoutException", "Lambda.Unknown",
				"Sandbox.Timedout", "Runtime.ExitError", "Runtime.OutOfMemory"} {
				if !strings.Contains(list, "\""+want+"\"") {
					t.Errorf("%s: a retrier does not know %s", name, want)
				}
			}
		}
	}
}
