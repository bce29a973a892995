package run_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// together stands in for a model that answers nobody before fifty wait for it.
type together struct {
	mu          sync.Mutex
	waits, most int
	goes        chan struct{}
}

func (m *together) answer(q simulate.Question, _ simulate.Respondent) (simulate.Answer, error) {
	m.mu.Lock()
	m.waits++
	m.most = max(m.most, m.waits)
	if m.goes == nil {
		m.goes = make(chan struct{})
	}
	due := m.goes
	if m.waits == 50 {
		m.waits, m.goes = 0, nil
		close(due)
	}
	m.mu.Unlock()
	select {
	case <-due:
		return picks(q, 0), nil
	case <-time.After(20 * time.Second):
		return simulate.Answer{}, errors.New("fifty were not asked at once")
	}
}

// TestModelsAreAskedFiftyAtOnce holds that one connection answers fifty Minds at once
// and never more, over the runs of a process that go at the same time.
func TestModelsAreAskedFiftyAtOnce(t *testing.T) {
	w := open(t, setting{minds: 100})
	w.engine.name = "model"
	var m together
	w.engine.answer = m.answer
	started := []run.Started{w.start(w.draft(choice("a", "Which?", "One", "Two"), choice("b", "And?", "One", "Two"))), w.start(w.draft(choice("c", "Which one?", "One", "Two")))}
	var g errgroup.Group
	for _, at := range w.Engine.Take() {
		g.Go(func() error { return w.carry(at) })
	}
	w.must(g.Wait())
	for _, at := range started {
		if r := w.get(at.RunID); r.Status != run.Completed || r.Progress.Failed != 0 {
			t.Errorf("%s %+v", r.Status, r.Progress)
		}
	}
	if m.most != 50 {
		t.Errorf("%d at once", m.most)
	}
}

// TestSpeedWithModel measures a run of a model that takes 200 ms: it adds less than
// 5 % to what 50 calls at once take.
func TestSpeedWithModel(t *testing.T) {
	if !*load {
		t.Skip("only with -load")
	}
	const minds, count = 400, 3
	w := open(t, setting{minds: minds, plan: account.Enterprise})
	w.engine.name = "model"
	w.engine.answer = func(q simulate.Question, _ simulate.Respondent) (simulate.Answer, error) {
		<-time.After(200 * time.Millisecond)
		return picks(q, 0), nil
	}
	var items []run.Item
	for i := range count {
		items = append(items, choice(fmt.Sprintf("q%d", i+1), fmt.Sprintf("Which, %d?", i), "One", "Two"))
	}
	w.start(w.draft(items...))
	var in run.JobInput
	w.must(json.Unmarshal(w.Engine.Take()[0].Input, &in))
	_, err := w.runs.Prepare(w.ctx, in)
	w.must(err)
	begun := time.Now()
	for after := 0; ; {
		step, err := w.runs.Next(w.ctx, in, after)
		w.must(err)
		if after = step.Position; step.Done {
			break
		}
		var g errgroup.Group // the spans go at once, as in the machine
		for _, span := range step.Spans {
			g.Go(func() error { return w.runs.AnswerSpan(w.ctx, in, span) })
		}
		w.must(g.Wait())
	}
	took, ideal := time.Since(begun), count*minds/50*200*time.Millisecond
	t.Logf("%v, ideal %v: %+.1f %%", took, ideal, 100*float64(took-ideal)/float64(ideal))
	if took > ideal*105/100 {
		t.Errorf("%v for %v", took, ideal)
	}
}
