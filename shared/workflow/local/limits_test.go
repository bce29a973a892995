package local

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// gauge is a task that tells how many of it run at once.
type gauge struct{ now, most, calls atomic.Int64 }

func (g *gauge) task(release <-chan struct{}) workflow.Task {
	return func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
		g.calls.Add(1)
		n := g.now.Add(1)
		defer g.now.Add(-1)
		for m := g.most.Load(); n > m && !g.most.CompareAndSwap(m, n); m = g.most.Load() {
		}
		select {
		case <-release:
			return p, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func mapOf(concurrency int, task string) string {
	return machineOf(fmt.Sprintf(`"A":{"Type":"Map","Items":"{%% [1..$states.input.n] %%}","MaxConcurrency":%d,"ItemProcessor":{"StartAt":"I","States":{%s}},"End":true}`,
		concurrency, taskState("I", task, `"{% $states.input %}"`, payloadOut+`,"End":true`)))
}

func TestMapKeepsItsConcurrency(t *testing.T) {
	var g gauge
	release := make(chan struct{})
	r := newRig(t, map[string]string{"m": mapOf(3, "G")}, workflow.Tasks{"G": g.task(release)}, nil)
	r.run()
	r.start("m", "x", `{"n":20}`)
	eventually(t, "three items to work", func() bool { return g.now.Load() == 3 })
	close(release)
	x := r.wait("m", "x")
	if g.most.Load() != 3 || g.calls.Load() != 20 || !strings.HasPrefix(string(x.Output), "[1,2,3,4,") {
		t.Errorf("at most %d at once, %d calls, %s", g.most.Load(), g.calls.Load(), x.Output)
	}
}

// MaxActive bounds who works; one that waits for a time or a token holds none.
func TestMaxActive(t *testing.T) {
	var g gauge
	release := make(chan struct{})
	ask, tokens := asker()
	r := newRig(t, map[string]string{"m": mapOf(1, "G"), "ask": tokenMachine}, workflow.Tasks{"G": g.task(release), "Ask": ask},
		func(o *Options) { o.MaxActive = 2 })
	r.run()
	for i := range 5 {
		r.start("ask", fmt.Sprint("t", i), `{}`)
	}
	for range 5 {
		<-tokens
	}
	for i := range 6 {
		r.start("m", fmt.Sprint("x", i), `{"n":2}`)
	}
	eventually(t, "two to work", func() bool { return g.now.Load() == 2 })
	close(release)
	for i := range 6 {
		r.wait("m", fmt.Sprint("x", i))
	}
	if g.most.Load() != 2 {
		t.Errorf("%d worked at once", g.most.Load())
	}
}

// A task knows when its time ends, so that it can hand over before: a little
// after its state's, as behind Lambda.
func TestATaskKnowsItsDeadline(t *testing.T) {
	left := make(chan time.Duration, 1)
	r := newRig(t, map[string]string{"m": machineOf(`"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${T}","Payload":{}},` + payloadOut + `,"TimeoutSeconds":300,"End":true}`)},
		workflow.Tasks{"T": func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
			end, _ := ctx.Deadline()
			left <- time.Until(end)
			return p, nil
		}}, nil)
	r.run()
	r.start("m", "x", `{}`)
	r.wait("m", "x")
	if d := <-left; d <= 300*time.Second-10*time.Second || d > 305*time.Second {
		t.Errorf("%s are left of 300 s", d)
	}
}

// Stop cancels the items that work, and nothing more begins.
func TestStopDuringMap(t *testing.T) {
	var g gauge
	r := newRig(t, map[string]string{"m": mapOf(2, "G")}, workflow.Tasks{"G": g.task(nil)}, nil)
	r.run()
	r.start("m", "x", `{"n":10}`)
	eventually(t, "two items to work", func() bool { return g.now.Load() == 2 })
	if err := r.e.Stop(context.Background(), "m", "x", "enough"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the items to be cancelled", func() bool { return g.now.Load() == 0 })
	x := r.wait("m", "x")
	if x.Status != workflow.Aborted || x.Cause != "enough" || g.calls.Load() != 2 {
		t.Errorf("%+v after %d calls", x, g.calls.Load())
	}
	if err := r.e.Stop(context.Background(), "m", "x", "again"); err != nil {
		t.Errorf("stop of an ended one: %v", err)
	}
	if x := r.wait("m", "x"); x.Cause != "enough" {
		t.Errorf("an ended execution changed: %+v", x)
	}
}

// A stop written by another process reaches the work as well.
func TestStopElsewhere(t *testing.T) {
	var g gauge
	r := newRig(t, map[string]string{"m": mapOf(2, "G")}, workflow.Tasks{"G": g.task(nil)}, nil)
	r.run()
	r.start("m", "x", `{"n":10}`)
	eventually(t, "two items to work", func() bool { return g.now.Load() == 2 })
	other, err := Open(context.Background(), Options{Path: r.opt.Path})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := other.Stop(context.Background(), "m", "x", "elsewhere"); err != nil {
		t.Fatal(err)
	}
	eventually(t, "the items to be cancelled", func() bool { return g.now.Load() == 0 })
}

// The first failure cancels the siblings, and theirs is not the error.
func TestFailedItemCancelsItsSiblings(t *testing.T) {
	var g gauge
	waits := g.task(nil)
	r := newRig(t, map[string]string{"m": mapOf(4, "T")}, workflow.Tasks{"T": func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
		if string(p) == "4" {
			for g.now.Load() < 3 && ctx.Err() == nil {
				select {
				case <-ctx.Done():
				case <-time.After(time.Millisecond):
				}
			}
			return nil, workflow.Errorf("Fourth", "failed")
		}
		return waits(ctx, p)
	}}, nil)
	r.run()
	r.start("m", "x", `{"n":8}`)
	if x := r.wait("m", "x"); x.Error != "Fourth" {
		t.Errorf("%+v", x)
	}
	eventually(t, "the siblings to be cancelled", func() bool { return g.now.Load() == 0 })
}

// A Map that is tried again starts new children; a token that an item of the
// failed attempt handed out is closed.
func TestRetriedMapClosesItsTokens(t *testing.T) {
	ask, tokens := asker()
	m := machineOf(`"A":{"Type":"Map","Items":["ask","fail"],"MaxConcurrency":2,"ItemProcessor":{"StartAt":"Which","States":{
		"Which":{"Type":"Choice","Choices":[{"Condition":"{% $states.input = 'ask' %}","Next":"Ask"}],"Default":"Fail"},
		"Ask":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke.waitForTaskToken","Arguments":{"FunctionName":"${Ask}","Payload":{"token":"{% $states.context.Task.Token %}"}},"TimeoutSeconds":60,"End":true},
		` + taskState("Fail", "Once", `"{% $states.input %}"`, payloadOut+`,"End":true`) + `}},
		"Retry":[{"ErrorEquals":["First"],"IntervalSeconds":1}],"End":true}`)
	release := make(chan struct{})
	var calls atomic.Int64
	r := newRig(t, map[string]string{"m": m}, workflow.Tasks{"Ask": ask, "Once": func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
		if calls.Add(1) == 1 {
			<-release
			return nil, workflow.Errorf("First", "once")
		}
		return p, nil
	}}, nil)
	r.run()
	r.start("m", "x", `{}`)
	first := <-tokens
	close(release)
	second := <-tokens
	if err := r.e.Succeed(context.Background(), first, json.RawMessage(`1`)); !errors.Is(err, workflow.ErrTokenClosed) {
		t.Errorf("the first attempt's token: %v", err)
	}
	if err := r.e.Succeed(context.Background(), second, json.RawMessage(`2`)); err != nil {
		t.Error(err)
	}
	if x := r.wait("m", "x"); string(x.Output) != `[2,"fail"]` {
		t.Errorf("%s %s %s", x.Status, x.Error, x.Output)
	}
}

// A machine that loops by mistake ends at the event limit, and cannot catch it.
func TestLoopMeetsTheEventLimit(t *testing.T) {
	loop := machineOf(`"A":{"Type":"Choice","Choices":[{"Condition":"{% $states.input.stop = true %}","Next":"Z"}],"Default":"B"},"B":{"Type":"Pass","Next":"A"},"Z":{"Type":"Succeed"}`)
	r := newRig(t, map[string]string{"m": loop}, nil, nil)
	r.run()
	r.start("m", "x", `{}`)
	x := r.wait("m", "x")
	if x.Error != "States.Runtime" || !strings.Contains(x.Cause, "25000") {
		t.Errorf("%+v", x)
	}
	var rows int
	if err := r.e.journal.db.QueryRow(`SELECT count(*) FROM steps`).Scan(&rows); err != nil || rows > 13_000 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

// The limit counts over a restart and over the items of a Map.
func TestEventLimitCountsItems(t *testing.T) {
	r := newRig(t, map[string]string{"m": mapOf(5, "Echo")}, workflow.Tasks{"Echo": echo}, func(o *Options) { o.maxEvents = 100 })
	r.run()
	r.start("m", "few", `{"n":10}`)
	r.start("m", "many", `{"n":60}`)
	if x := r.wait("m", "few"); x.Status != workflow.Succeeded {
		t.Errorf("%+v", x)
	}
	if x := r.wait("m", "many"); x.Error != "States.Runtime" {
		t.Errorf("%+v", x)
	}
}

// Two hundred at once, bounded; each gets its own output.
func TestTwoHundredAtOnce(t *testing.T) {
	r := newRig(t, map[string]string{"chain": threeTasks}, workflow.Tasks{"Echo": echo}, nil)
	r.run()
	began := time.Now()
	done := make(chan struct{})
	for i := range 200 {
		go func() {
			r.start("chain", fmt.Sprint("c", i), fmt.Sprintf(`{"n":%d}`, i))
			done <- struct{}{}
		}()
	}
	for range 200 {
		<-done
	}
	for i := range 200 {
		if x := r.wait("chain", fmt.Sprint("c", i)); !sameJSON(t, x.Output, fmt.Sprintf(`{"n":%d}`, i+3)) {
			t.Errorf("%d: %s", i, x.Output)
		}
	}
	d := time.Since(began)
	t.Logf("800 transitions in %s: %.0f/s", d, 800/d.Seconds())
}

func BenchmarkThreeTasks(b *testing.B) {
	r := newRig(b, map[string]string{"chain": threeTasks}, workflow.Tasks{"Echo": echo}, nil)
	r.run()
	b.ResetTimer()
	for i := range b.N {
		name := fmt.Sprint("c", i)
		r.start("chain", name, `{"n":1}`)
		for {
			if x, err := r.e.Describe(context.Background(), "chain", name); err != nil || x.Status != workflow.Running {
				break
			}
			_ = clock.System{}.Sleep(context.Background(), 200*time.Microsecond)
		}
	}
}
