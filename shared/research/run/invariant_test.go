package run_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Whatever is asked, fails or is routed: the figures of every item agree with each
// other, with its answers and with its routing (M-184, M-327).
func TestArtifactInvariants_M327(t *testing.T) {
	w := open(t, setting{minds: 9, audiences: [][]int{{0, 1, 2, 3, 4}, {4, 5, 6, 7, 8}}})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(t, "items")
		var items []run.Item
		for i := range n {
			id, text := fmt.Sprintf("q%d", i), fmt.Sprintf("Question %d?", i)
			var q run.Item
			switch rapid.IntRange(0, 3).Draw(t, "form") {
			case 0:
				q = choice(id, text, "A", "B", "C")
			case 1:
				q = several(id, text, "A", "B", "C")
			case 2:
				q = scale(id, text)
			default:
				q = words(id, text)
			}
			var sources []string
			for _, s := range items {
				if s.Response.CategoricalOptions != nil {
					sources = append(sources, s.ID)
				}
			}
			if len(sources) > 0 && rapid.Bool().Draw(t, "routed") {
				labels := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C"}), 1, 2, rapid.ID).Draw(t, "labels")
				if rapid.Bool().Draw(t, "not") {
					q = when(q, rapid.SampledFrom(sources).Draw(t, "source"), nil, labels)
				} else {
					q = when(q, rapid.SampledFrom(sources).Draw(t, "source"), labels, nil)
				}
			}
			items = append(items, q)
		}
		seed := rapid.Uint32().Draw(t, "answers")
		w.engine.answer = func(q simulate.Question, r simulate.Respondent) (simulate.Answer, error) {
			x := seed
			for _, b := range []byte(q.Text + r.ID) {
				x = x*16777619 ^ uint32(b)
			}
			x ^= x >> 13
			switch x % 7 {
			case 0:
				return simulate.Answer{}, errors.New("no")
			case 1:
				return simulate.Answer{Status: simulate.CannotAnswer, Reason: simulate.ReasonNoEvidence}, nil
			}
			if q.Type == simulate.Multiselect && x%5 == 0 {
				return picks(q), nil
			}
			return picks(q, int(x/7)%3), nil
		}
		before := w.left()
		s := w.start(w.draft(items...))
		w.work()
		r := w.get(s.RunID)
		answered := 0
		for i, a := range r.Artifacts {
			answered += a.Base.Answered
			check(t, w, items[i], a)
		}
		if p := r.Progress; len(r.Artifacts) != n || p.Settled != n || p.Total != n || p.Failed+p.Partial+p.Skipped > n {
			t.Fatalf("%+v", p)
		}
		if charged := before - w.left(); charged != int64(answered) {
			t.Fatalf("%d charged for %d answers", charged, answered)
		}
	})
}

func check(t *rapid.T, w *world, q run.Item, a run.Artifact) {
	figures := []run.Figures{{Base: a.Base, Counts: a.Counts, Percentages: a.Percentages}}
	for _, in := range a.Audiences {
		figures = append(figures, in.Figures)
	}
	for _, f := range figures {
		b := f.Base
		sum := 0
		for label, n := range f.Counts {
			if sum += n; b.Answered > 0 && math.Abs(f.Percentages[label]-100*float64(n)/float64(b.Answered)) > 1e-9 {
				t.Fatalf("%s: %v of %d is %v%%", a.ItemID, n, b.Answered, f.Percentages[label])
			}
		}
		one := q.Response.Type == "categorical" || q.Response.Type == "scale"
		if b.Participating != b.Asked+b.NotAsked || b.Asked != b.Answered+b.Failed || a.Kind != run.NotAsked && one && sum != b.Answered || (b.EffectiveN == nil) != (b.Answered == 0) {
			t.Fatalf("%s: %+v %v", a.ItemID, b, f.Counts)
		}
	}
	b := a.Base
	answers := answersOf(w.t, a)
	ok := 0
	for _, x := range answers {
		if x.Status == simulate.Answered {
			ok++
		}
	}
	if len(answers) != b.Asked || ok != b.Answered || b.Participating != len(w.minds) {
		t.Fatalf("%s: %d answers, %d good, %+v", a.ItemID, len(answers), ok, b)
	}
	want := run.Completed
	switch {
	case b.Asked == 0:
		want = run.NotAsked
	case b.Answered == 0:
		want = run.Failed
	case b.Failed > 0:
		want = run.Partial
	}
	if a.Status != want || (a.Kind == run.NotAsked) != (b.Asked == 0) || (a.Routing != nil) != (q.AskIf != nil) {
		t.Fatalf("%s: %s %s %+v %v", a.ItemID, a.Kind, a.Status, b, a.Routing)
	}
	if r := a.Routing; r != nil {
		if r.AskedCount != b.Asked || r.NotAskedCount != b.NotAsked || len(r.NotAskedMindIDs) != r.NotAskedCount || len(r.NotAskedReasons) != r.NotAskedCount {
			t.Fatalf("%s: %+v %+v", a.ItemID, r, b)
		}
		for _, x := range answers {
			if slices.Contains(r.NotAskedMindIDs, x.MindID) {
				t.Fatalf("%s: an answer of a Mind that was not asked", a.ItemID)
			}
		}
	}
	e := a.Evidence
	if e.Stated+e.Grounded+e.Related+e.Trait+e.Unsupported != b.Answered {
		t.Fatalf("%s: %+v %+v", a.ItemID, e, b)
	}
	var _ study.EvidenceSummary = e //nolint:staticcheck // the type is what is held here
}
