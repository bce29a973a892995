package local

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// rig is an engine under test on a file of its own.
type rig struct {
	t      testing.TB
	opt    Options
	e      *Engine
	cancel context.CancelFunc
	ran    chan error
}

func newRig(t testing.TB, machines map[string]string, tasks workflow.Tasks, change func(*Options)) *rig {
	t.Helper()
	opt := Options{Path: filepath.Join(t.TempDir(), "workflow.db"), Machines: map[string][]byte{}, Tasks: tasks, Logger: slog.New(slog.NewTextHandler(testWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))}
	for name, body := range machines {
		opt.Machines[name] = []byte(body)
	}
	if change != nil {
		change(&opt)
	}
	r := &rig{t: t, opt: opt}
	r.open()
	t.Cleanup(r.close)
	return r
}

type testWriter struct{ t testing.TB }

func (w testWriter) Write(p []byte) (int, error) {
	w.t.Helper()
	w.t.Log(string(p))
	return len(p), nil
}

func (r *rig) open() {
	r.t.Helper()
	e, err := Open(context.Background(), r.opt)
	if err != nil {
		r.t.Fatal(err)
	}
	r.e = e
}

func (r *rig) run() {
	ctx, cancel := context.WithCancel(context.Background())
	r.cancel, r.ran = cancel, make(chan error, 1)
	e, ran := r.e, r.ran
	go func() { ran <- e.Run(ctx) }()
}

func (r *rig) close() {
	if r.e == nil {
		return
	}
	if r.cancel != nil {
		r.cancel()
		if err := <-r.ran; err != nil {
			r.t.Errorf("run: %v", err)
		}
		r.cancel = nil
	}
	r.e.Close()
	r.e = nil
}

func (r *rig) start(machine, name, input string) {
	r.t.Helper()
	if err := r.e.Start(context.Background(), machine, name, json.RawMessage(input)); err != nil {
		r.t.Fatal(err)
	}
}

// wait returns the execution once it has ended.
func (r *rig) wait(machine, name string) workflow.Execution {
	r.t.Helper()
	var x workflow.Execution
	eventually(r.t, "execution "+name+" to end", func() bool {
		var err error
		if x, err = r.e.Describe(context.Background(), machine, name); err != nil {
			r.t.Fatal(err)
		}
		return x.Status != workflow.Running
	})
	return x
}

// eventually polls cond; what it waits for happens on other goroutines.
func eventually(t testing.TB, what string, cond func() bool) {
	t.Helper()
	deadline := time.After(20 * time.Second)
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !cond() {
		select {
		case <-deadline:
			t.Fatalf("waited in vain for %s", what)
		case <-tick.C:
		}
	}
}

func sameJSON(t testing.TB, got json.RawMessage, want string) bool {
	t.Helper()
	var a, b any
	if len(got) > 0 {
		if err := json.Unmarshal(got, &a); err != nil {
			t.Fatalf("%s: %v", got, err)
		}
	}
	if err := json.Unmarshal([]byte(want), &b); err != nil {
		t.Fatalf("%s: %v", want, err)
	}
	return reflect.DeepEqual(a, b)
}

// echo gives its payload back.
func echo(_ context.Context, p json.RawMessage) (json.RawMessage, error) { return p, nil }

// counted wraps a task and counts its calls.
func counted(n *atomic.Int64, t workflow.Task) workflow.Task {
	return func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
		n.Add(1)
		return t(ctx, p)
	}
}

const threeTasks = `{"QueryLanguage":"JSONata","StartAt":"A","States":{
 "A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${Echo}","Payload":{"n":"{% $states.input.n + 1 %}"}},"TimeoutSeconds":60,"Output":"{% $states.result.Payload %}","Next":"B"},
 "B":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${Echo}","Payload":{"n":"{% $states.input.n + 1 %}"}},"TimeoutSeconds":60,"Output":"{% $states.result.Payload %}","Next":"C"},
 "C":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${Echo}","Payload":{"n":"{% $states.input.n + 1 %}"}},"TimeoutSeconds":60,"Output":"{% $states.result.Payload %}","End":true}}}`

func TestRunsATaskChain(t *testing.T) {
	r := newRig(t, map[string]string{"chain": threeTasks}, workflow.Tasks{"Echo": echo}, nil)
	r.run()
	r.start("chain", "one", `{"n":1}`)
	x := r.wait("chain", "one")
	if x.Status != workflow.Succeeded || !sameJSON(t, x.Output, `{"n":4}`) {
		t.Fatalf("%+v %s", x, x.Output)
	}
}

// The job's id is the name: the same name again starts nothing, in any process
// that has the file open, and what another process starts is picked up.
func TestStartIsIdempotentAcrossEngines(t *testing.T) {
	var calls atomic.Int64
	r := newRig(t, map[string]string{"chain": threeTasks}, workflow.Tasks{"Echo": counted(&calls, echo)}, nil)
	r.run()
	other, err := Open(context.Background(), Options{Path: r.opt.Path, Machines: r.opt.Machines})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			e := r.e
			if i%2 == 0 {
				e = other
			}
			if err := e.Start(context.Background(), "chain", "same", json.RawMessage(`{"n":1}`)); err != nil {
				t.Error(err)
			}
		}()
	}
	wg.Wait()
	if x := r.wait("chain", "same"); !sameJSON(t, x.Output, `{"n":4}`) {
		t.Fatalf("%+v", x)
	}
	if calls.Load() != 3 {
		t.Errorf("%d task calls, want 3", calls.Load())
	}
	began := time.Now()
	if err := other.Start(context.Background(), "chain", "foreign", json.RawMessage(`{"n":5}`)); err != nil {
		t.Fatal(err)
	}
	r.wait("chain", "foreign")
	if d := time.Since(began); d > 2*time.Second {
		t.Errorf("picked up after %s", d)
	}
}

func TestRefusals(t *testing.T) {
	r := newRig(t, map[string]string{"chain": threeTasks}, workflow.Tasks{"Echo": echo}, nil)
	ctx := context.Background()
	for _, c := range []struct {
		name string
		err  error
		want error
	}{
		{"unknown machine", r.e.Start(ctx, "nope", "a", nil), workflow.ErrUnknownMachine},
		{"null", r.e.Start(ctx, "chain", "a", json.RawMessage(`{"a":[null]}`)), workflow.ErrNull},
		{"257 KiB", r.e.Start(ctx, "chain", "a", big(257<<10)), workflow.ErrTooLarge},
		{"unknown token", r.e.Succeed(ctx, "nope", json.RawMessage(`1`)), workflow.ErrTokenClosed},
		{"large answer", r.e.Succeed(ctx, "nope", big(257<<10)), workflow.ErrTooLarge},
		{"unknown stop", r.e.Stop(ctx, "chain", "nope", ""), workflow.ErrNotFound},
	} {
		if !errors.Is(c.err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, c.err, c.want)
		}
	}
	if _, err := r.e.Describe(ctx, "chain", "nope"); !errors.Is(err, workflow.ErrNotFound) {
		t.Errorf("describe: %v", err)
	}
	for _, name := range []string{"", "a b", "ä", string(big(81))} {
		if err := r.e.Start(ctx, "chain", name, nil); err == nil {
			t.Errorf("name %q was accepted", name)
		}
	}
	if _, err := Open(ctx, Options{Path: filepath.Join(t.TempDir(), "w.db"), Machines: map[string][]byte{"bad": []byte(`{}`)}}); err == nil {
		t.Error("a machine outside the subset was accepted")
	}
}

func big(n int) json.RawMessage {
	b := make([]byte, n)
	for i := range b {
		b[i] = 'x'
	}
	b[0], b[n-1] = '"', '"'
	return b
}

func heldRig(t *testing.T, machine string, tasks workflow.Tasks) (*rig, *clock.Held) {
	h := clock.Hold(start)
	return newRig(t, map[string]string{"m": machine}, tasks, func(o *Options) { o.Clock = h }), h
}
