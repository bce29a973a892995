// Package difftest runs each state machine on the embedded interpreter and, with
// the build tag aws, on Step Functions' double, with the same tasks, and
// compares status, output and the error's name.
//
// testdata/cases.json is the register: who adds a machine under statemachines/
// adds its inputs there, at least one each named good, empty, one and failing.
// The tasks are stand-ins by name; package scripted says what the input's
// script may tell them.
package difftest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
	"github.com/mindgate-dev/mindgate/shared/workflow/difftest/scripted"
	"github.com/mindgate-dev/mindgate/shared/workflow/local"
)

// testCase is one input of one machine.
type testCase struct {
	Machine string         `json:"-"`
	Name    string         `json:"name"`
	Input   map[string]any `json:"input"`
	// Stays says that the machine never gives up here: it is stopped after a while,
	// and has to be running until then.
	Stays bool `json:"stays"`
}

// execution is the name of the case's execution, also the script's run.
func (c testCase) execution() string { return c.Machine + "-" + c.Name }

func (c testCase) body(t *testing.T) json.RawMessage {
	in := map[string]any{"run": c.execution()}
	for k, v := range c.Input {
		in[k] = v
	}
	raw, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// suite reads the machines, the tasks that they call and the cases.
func suite(t *testing.T) (machines map[string][]byte, tasks map[string]bool, cases []testCase) {
	t.Helper()
	machines, tasks = map[string][]byte{}, map[string]bool{}
	for _, pattern := range []string{"../../../statemachines/*.asl.json", "testdata/machines/*.asl.json"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := strings.TrimSuffix(filepath.Base(file), ".asl.json")
			def, err := asl.Parse(raw)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			machines[name] = raw
			for _, task := range def.Tasks() {
				tasks[task] = true
			}
		}
	}
	raw, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var register map[string][]testCase
	if err := json.Unmarshal(raw, &register); err != nil {
		t.Fatal(err)
	}
	for machine, list := range register {
		for _, c := range list {
			c.Machine = machine
			cases = append(cases, c)
		}
	}
	return machines, tasks, cases
}

// answers is the engine, known only after its tasks.
type answers struct{ workflow.Engine }

// onInterpreter runs all cases on the embedded interpreter.
func onInterpreter(t *testing.T) map[string]workflow.Execution {
	t.Helper()
	machines, names, cases := suite(t)
	tasks, late, dir := workflow.Tasks{}, &answers{}, t.TempDir()
	for name := range names {
		tasks[name] = scripted.Task(name, dir, late)
	}
	ctx, cancel := context.WithCancel(context.Background())
	e, err := local.Open(ctx, local.Options{Path: filepath.Join(t.TempDir(), "workflow.db"), Machines: machines, Tasks: tasks})
	if err != nil {
		t.Fatal(err)
	}
	late.Engine = e
	ran := make(chan error, 1)
	go func() { ran <- e.Run(ctx) }()
	out := runAll(t, e, cases)
	cancel()
	if err := <-ran; err != nil {
		t.Error(err)
	}
	e.Close()
	return out
}

// runAll starts every case and waits for the end of all.
func runAll(t *testing.T, e workflow.Engine, cases []testCase) map[string]workflow.Execution {
	t.Helper()
	ctx := context.Background()
	out := map[string]workflow.Execution{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, c := range cases {
		wg.Go(func() {
			x, err := runOne(ctx, e, c, c.body(t))
			if err != nil {
				t.Errorf("%s: %v", c.execution(), err)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			out[c.execution()] = x
		})
	}
	wg.Wait()
	return out
}

func runOne(ctx context.Context, e workflow.Engine, c testCase, input json.RawMessage) (workflow.Execution, error) {
	if err := e.Start(ctx, c.Machine, c.execution(), input); err != nil {
		return workflow.Execution{}, err
	}
	deadline := time.After(2 * time.Minute)
	var enough <-chan time.Time
	if c.Stays {
		enough = time.After(3 * time.Second)
	}
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		x, err := e.Describe(ctx, c.Machine, c.execution())
		if err != nil || x.Status != workflow.Running {
			return x, err
		}
		select {
		case <-deadline:
			return x, fmt.Errorf("still %s", x.Status)
		case <-enough:
			if err := e.Stop(ctx, c.Machine, c.execution(), "seen enough"); err != nil {
				return x, err
			}
		case <-tick.C:
		}
	}
}

// Every machine has its four kinds of input, and each of them ends as its name
// says: a good one does not fail.
func TestEveryMachineHasItsCases(t *testing.T) {
	machines, _, cases := suite(t)
	have := map[string]bool{}
	for _, c := range cases {
		have[c.execution()] = true
		if machines[c.Machine] == nil {
			t.Errorf("cases.json knows a machine %s that is not there", c.Machine)
		}
	}
	for name := range machines {
		for _, kind := range []string{"good", "empty", "one", "failing"} {
			if !have[name+"-"+kind] {
				t.Errorf("machine %s has no case %q in testdata/cases.json", name, kind)
			}
		}
	}
	ended := onInterpreter(t)
	for _, c := range cases {
		if x := ended[c.execution()]; c.Stays != (x.Status == workflow.Aborted) {
			t.Errorf("%s: %s, stays %v", c.execution(), x.Status, c.Stays)
		}
	}
	for name, x := range ended {
		if strings.HasSuffix(name, "-good") && x.Status != workflow.Succeeded {
			t.Errorf("%s: %s %s %s", name, x.Status, x.Error, x.Cause)
		}
	}
}
