package local

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// However many jobs one workspace has queued, the first of another is the next
// to begin.
func TestWorkspacesShareThePlaces(t *testing.T) {
	var mu sync.Mutex
	var began []string
	step := make(chan struct{})
	r := newRig(t, map[string]string{"m": machineOf(taskState("A", "T", `"{% $states.input %}"`, payloadOut+`,"End":true`))},
		workflow.Tasks{"T": func(ctx context.Context, p json.RawMessage) (json.RawMessage, error) {
			var in struct{ Workspace string }
			_ = json.Unmarshal(p, &in)
			mu.Lock()
			began = append(began, in.Workspace)
			mu.Unlock()
			select {
			case <-step:
			case <-ctx.Done():
			}
			return p, nil
		}}, func(o *Options) { o.MaxActive = 4 })
	count := func() int {
		mu.Lock()
		defer mu.Unlock()
		return len(began)
	}
	for i := range 300 { // half of them before the engine runs, as after a restart
		if i == 150 {
			r.run()
		}
		r.start("m", fmt.Sprint("a", i), `{"workspace":"A"}`)
	}
	eventually(t, "all places to be held", func() bool { return count() == 4 })
	r.start("m", "b", `{"workspace":"B"}`)
	r.start("m", "c", `{"workspace":"C"}`)
	for range 2 {
		step <- struct{}{}
	}
	eventually(t, "two more to begin", func() bool { return count() == 6 })
	mu.Lock()
	next := began[4] + began[5]
	mu.Unlock()
	if next != "BC" && next != "CB" {
		t.Errorf("behind 300 jobs of A, %q began", next)
	}
	close(step)
	r.wait("m", "b")
	r.wait("m", "c")
}

// One workspace alone leaves places for another.
func TestOneWorkspaceNeverHoldsEveryPlace(t *testing.T) {
	var g gauge
	release := make(chan struct{})
	r := newRig(t, map[string]string{"m": machineOf(taskState("A", "G", `"{% $states.input %}"`, payloadOut+`,"End":true`))},
		workflow.Tasks{"G": g.task(release)}, func(o *Options) { o.MaxActive = 16 })
	r.run()
	for i := range 40 {
		r.start("m", fmt.Sprint("a", i), `{"workspace":"A"}`)
	}
	eventually(t, "A to hold its share", func() bool { return g.now.Load() == 14 })
	r.start("m", "b", `{"workspace":"B"}`)
	eventually(t, "B to begin at once", func() bool { return g.now.Load() == 15 })
	close(release)
	for i := range 40 {
		r.wait("m", fmt.Sprint("a", i))
	}
	if g.most.Load() > 15 {
		t.Errorf("%d worked at once", g.most.Load())
	}
}

// Waiting for a place is no part of a state's time.
func TestWaitingForAPlaceIsNoTimeOut(t *testing.T) {
	held := clock.Hold(start)
	release := make(chan struct{})
	var g gauge
	hold := g.task(release)
	r := newRig(t, map[string]string{
		"long":  machineOf(`"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${Hold}","Payload":"{% $states.input %}"},` + payloadOut + `,"TimeoutSeconds":9999,"End":true}`),
		"short": machineOf(`"A":{"Type":"Task","Resource":"arn:aws:states:::lambda:invoke","Arguments":{"FunctionName":"${Echo}","Payload":"{% $states.input %}"},` + payloadOut + `,"TimeoutSeconds":10,"End":true}`),
	}, workflow.Tasks{"Hold": hold, "Echo": echo}, func(o *Options) { o.MaxActive, o.Clock = 1, held })
	r.run()
	r.start("long", "x", `{"n":1}`)
	eventually(t, "the only place to be held", func() bool { return g.now.Load() == 1 })
	r.start("short", "y", `{"n":1}`)
	held.Advance(time.Hour)
	close(release)
	if x := r.wait("short", "y"); x.Status != workflow.Succeeded {
		t.Errorf("%s %s", x.Status, x.Error)
	}
}

// Whatever is asked for and given up: never more than max work, no lane holds
// more than its share, what holds nothing and wants nothing is forgotten, and
// nobody waits while there is a place for it.
func TestSlotsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSlots(rapid.IntRange(1, 20).Draw(t, "max"))
		var working []*execution
		ended := map[*execution]chan struct{}{}
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			if len(working) > 0 && rapid.Bool().Draw(t, "end") {
				x := working[0]
				working = working[1:]
				close(ended[x])
			} else {
				x := &execution{work: work{label: rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "label")}}
				end := make(chan struct{})
				ended[x] = end
				working = append(working, x)
				s.run(x, func() { <-end })
			}
			s.mu.Lock()
			active, waiting := 0, 0
			for _, l := range s.lanes {
				active += l.active
				waiting += len(l.queue)
				if l.active > s.share() {
					t.Errorf("%s holds %d of %d", l.label, l.active, s.max)
				}
				if len(l.queue) > 0 && s.active < s.max && l.active < s.share() {
					t.Errorf("%s waits beside a free place", l.label)
				}
				if l.active == 0 && len(l.queue) == 0 {
					t.Errorf("%s is remembered for nothing", l.label)
				}
			}
			if active != s.active || active > s.max || waiting > len(ended) {
				t.Errorf("%d active in lanes, %d counted, of %d", active, s.active, s.max)
			}
			s.mu.Unlock()
		}
		for _, x := range working {
			close(ended[x])
		}
		s.wg.Wait()
		s.mu.Lock()
		defer s.mu.Unlock()
		if len(s.lanes) != 0 || s.active != 0 || len(s.ready) != 0 {
			t.Errorf("%d lanes, %d active in the end", len(s.lanes), s.active)
		}
	})
}
