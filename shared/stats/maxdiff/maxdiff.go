// Package maxdiff scores items from best-worst answers (Louviere, Flynn and
// Marley 2015, object case): counts, logit utilities and a 0-100 scale.
package maxdiff

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/mat"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Set is one answer: the items shown, counted from 0, and the items named best
// and worst.
type Set struct {
	Member      int // 0..members-1
	Items       []int
	Best, Worst int
}

// Model is how a pair of best and worst is explained.
type Model string

// Sequential takes the best from all and then the worst from the rest (rank
// logit): P = exp(u_i)/sum exp(u) · exp(-u_j)/sum over the rest of exp(-u).
// Paired takes the pair of largest difference (max-diff logit):
// P = exp(u_i - u_j)/sum over ordered pairs of exp(u_a - u_b).
const (
	Sequential Model = "sequential"
	Paired     Model = "paired"
)

// Draws is the default number of bootstrap samples of members.
const Draws = 500

// Study is the answers of a best-worst study.
type Study struct {
	Items   int
	Model   Model
	Members int
	Weights []float64 // by member; nil: all equal
	Sets    []Set
	Draws   int // bootstrap samples of members; 0: Draws
	Seed    uint64
}

// Item is what is known of one item. Best, Worst and Shown are counts of
// answers; the figures after them are weighted.
type Item struct {
	Best, Worst, Shown int
	BW                 int
	Standardised       float64        // (B - W) / shown, -1..1
	Ratio              float64        // sqrt(B/W), with .5 added to both where W is 0
	Utility            stats.Estimate // logit, the last item 0; error by member
	ModelSE            *float64       // of Utility, were all answers independent
	Score              stats.Estimate // 0..100, all items sum to 100; error by bootstrap of members
	Rank               *int           // by utility, 1 the best; nil when all are alike
}

// Difference of two items' scores over bootstrap samples; bars that overlap do
// not decide whether items differ, this does.
type Difference struct {
	A, B     int // A < B
	Estimate float64
	CI95     [2]float64
}

// Analysis is what a best-worst study reports.
type Analysis struct {
	Items       []Item
	Differences []Difference // none below stats.FewAnswers members
	LogLik      float64
	LogLik0     float64 // all items alike
	Members     int
	EffectiveN  float64
	Valid       int // sets
	Invalid     int // sets whose best is the worst, or not among the items shown
	Separated   bool
	Flat        bool // the answers prefer nothing
	Warnings    []string

	utilities []float64
}

// Analyse scores a study. It refuses (stats.Insufficient) a study without valid
// sets, one with an item that was never shown, and one whose items fall into
// groups that were never shown together.
func Analyse(s Study) (Analysis, error) {
	if s.Items < 3 {
		return Analysis{}, fmt.Errorf("maxdiff: %d items; best and worst take 3 or more", s.Items)
	}
	if s.Model != Sequential && s.Model != Paired {
		return Analysis{}, fmt.Errorf("maxdiff: no model %q", s.Model)
	}
	if s.Weights != nil && len(s.Weights) != s.Members {
		return Analysis{}, fmt.Errorf("maxdiff: %d weights for %d members", len(s.Weights), s.Members)
	}
	a := Analysis{Items: make([]Item, s.Items)}
	sets, err := a.sift(s)
	if err != nil {
		return Analysis{}, err
	}
	if err := a.comparable(s, sets); err != nil {
		return Analysis{}, err
	}
	a.counts(s, sets)
	m := newModel(s, sets)
	m.weigh(s.Weights, nil)
	r := m.fit(nil)
	a.utilities = append(append([]float64(nil), r.B...), 0)
	a.LogLik, a.Separated = r.Value, r.Ridged
	for _, set := range sets {
		n := float64(len(set.Items))
		a.LogLik0 -= weight(s.Weights, set.Member) * math.Log(n*(n-1))
	}
	a.utility(r.Inverse, m.robust(r.B, r.Inverse, s.Weights))
	a.score(m, r.B, s)
	a.rank()
	a.warn(s)
	return a, nil
}

func weight(weights []float64, m int) float64 {
	if weights == nil {
		return 1
	}
	return weights[m]
}

// sift keeps the valid sets of members with weight.
func (a *Analysis) sift(s Study) ([]Set, error) {
	var kept []Set
	for i, set := range s.Sets {
		if set.Member < 0 || set.Member >= s.Members {
			return nil, fmt.Errorf("maxdiff: set %d is of member %d of %d", i, set.Member, s.Members)
		}
		if w := weight(s.Weights, set.Member); w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("maxdiff: member %d has the weight %v", set.Member, w)
		} else if w == 0 {
			continue
		}
		best, worst := false, false
		seen := make(map[int]bool, len(set.Items))
		for _, it := range set.Items {
			if it < 0 || it >= s.Items || seen[it] {
				return nil, fmt.Errorf("maxdiff: set %d shows item %d of %d, or shows it twice", i, it, s.Items)
			}
			seen[it] = true
			best = best || it == set.Best
			worst = worst || it == set.Worst
		}
		if set.Best == set.Worst || !best || !worst || len(set.Items) < 2 {
			a.Invalid++
			continue
		}
		kept = append(kept, set)
	}
	a.Valid = len(kept)
	if len(kept) == 0 {
		return nil, &stats.Insufficient{Reason: "No set has a best and a worst item."}
	}
	return kept, nil
}

// comparable refuses items without a scale in common.
func (a *Analysis) comparable(s Study, sets []Set) error {
	root := make([]int, s.Items)
	for i := range root {
		root[i] = i
	}
	find := func(i int) int {
		for root[i] != i {
			root[i] = root[root[i]]
			i = root[i]
		}
		return i
	}
	for _, set := range sets {
		for _, i := range set.Items {
			a.Items[i].Shown++
			root[find(i)] = find(set.Items[0])
		}
	}
	for i, it := range a.Items {
		if it.Shown == 0 {
			return &stats.Insufficient{Reason: fmt.Sprintf("Item %d was in no valid set, so nothing is known of it.", i+1)}
		}
	}
	for i := range root {
		if find(i) != find(0) {
			return &stats.Insufficient{Reason: fmt.Sprintf("Item %d was never compared with item 1, not even over others, so they have no scale in common.", i+1)}
		}
	}
	return nil
}

func (a *Analysis) counts(s Study, sets []Set) {
	type sums struct{ best, worst, shown float64 }
	w := make([]sums, s.Items)
	members := map[int]bool{}
	var weights []float64
	for _, set := range sets {
		by := weight(s.Weights, set.Member)
		if !members[set.Member] {
			members[set.Member] = true
			weights = append(weights, by)
		}
		a.Items[set.Best].Best++
		a.Items[set.Worst].Worst++
		w[set.Best].best += by
		w[set.Worst].worst += by
		for _, i := range set.Items {
			w[i].shown += by
		}
	}
	a.Members, a.EffectiveN = len(weights), stats.Kish(weights)
	if s.Weights == nil {
		a.EffectiveN = float64(a.Members)
	}
	a.Flat = true
	for i := range a.Items {
		it := &a.Items[i]
		it.BW = it.Best - it.Worst
		a.Flat = a.Flat && it.BW == 0
		it.Standardised = (w[i].best - w[i].worst) / w[i].shown
		b, worst := w[i].best, w[i].worst
		if worst == 0 {
			b, worst = b+.5, worst+.5
		}
		it.Ratio = math.Sqrt(b / worst)
	}
}

func (a *Analysis) utility(model, robust *mat.SymDense) {
	infer := a.Members >= stats.FewAnswers && !a.Separated
	for i := range a.Items {
		it := &a.Items[i]
		v, n := a.utilities[i], a.EffectiveN
		it.Utility = stats.Estimate{Estimate: &v, N: a.Members, EffectiveN: &n}
		if !infer || i == len(a.Items)-1 {
			continue // the last item is 0 by definition, not by estimate
		}
		se, by := math.Sqrt(math.Max(0, robust.At(i, i))), math.Sqrt(model.At(i, i))
		it.Utility.SE, it.ModelSE = &se, &by
		it.Utility.CI95 = &[2]float64{v - stats.Z95*se, v + stats.Z95*se}
	}
}

func (a *Analysis) rank() {
	if a.Flat {
		return
	}
	order := make([]int, len(a.Items))
	for i := range order {
		order[i] = i
	}
	const same = 1e-9
	sort.SliceStable(order, func(x, y int) bool { return a.utilities[order[x]] > a.utilities[order[y]]+same })
	for place, i := range order {
		r := place + 1
		if place > 0 && math.Abs(a.utilities[order[place-1]]-a.utilities[i]) <= same {
			r = *a.Items[order[place-1]].Rank
		}
		a.Items[i].Rank = &r
	}
}

func (a *Analysis) warn(s Study) {
	add := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	switch n := a.Members; {
	case n < stats.FewAnswers:
		add("Only %d members answered; there is no inference below %d.", n, stats.FewAnswers)
	case n < stats.ManyAnswers:
		add("Only %d members answered; figures move a lot below %d.", n, stats.ManyAnswers)
	}
	if a.Invalid > 0 {
		add("%d sets name the same item best and worst, or one that was not shown; they are left out.", a.Invalid)
	}
	if a.Flat {
		add("Every item is named best as often as worst: the answers prefer nothing, and there is no ranking.")
	}
	if a.Separated {
		add("Some items win or lose against all others in every answer: utilities are held by a ridge of .01 and have no interval.")
	}
	if s.Items > 30 {
		add("%d items are many for one study; above 30 members tire and each item is seen seldom.", s.Items)
	}
}
