// Package ranking reports what a sample prefers from rankings, full or of the
// top k: first choices, mean ranks, pairwise majorities, agreement and
// Plackett-Luce worth.
package ranking

import (
	"fmt"
	"math"
	"sort"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Ties says what becomes of an answer that gives two items one rank.
type Ties string

// Reject leaves the answer out and counts it; Average gives the items the mean
// of the ranks they share.
const (
	Reject  Ties = "reject"
	Average Ties = "average"
)

// Draws is the default number of bootstrap samples of members.
const Draws = 200

// Study is one ranking a member.
type Study struct {
	Items   int
	Ranks   [][]int   // by member and item: 1 is the first; 0 is not ranked, behind all that are
	Weights []float64 // nil: all equal
	Ties    Ties      // "" is Reject
	Draws   int       // bootstrap samples of members; 0: Draws
	Seed    uint64
}

// Item is what is known of one item.
type Item struct {
	FirstShare stats.Estimate // 0..1, Wilson; a shared first rank is split
	First      int            // members who rank it first, alone or shared
	MeanRank   stats.Estimate // items not ranked share the mean of the ranks left
	Borda      stats.Estimate // mean of items - rank
	Worth      stats.Estimate // Plackett-Luce, all items sum to 1; error by bootstrap of members
}

// Analysis is what a ranking study reports.
type Analysis struct {
	Items      []Item
	Pairwise   [][]float64 // [i][j]: share that prefers i to j among those who prefer one; .5 where nobody does, 0 on the diagonal
	PairBase   [][]float64 // weight of those who prefer one
	Winner     *int        // Condorcet: beats every other item in pairs
	Cycle      bool        // no winner because majorities go in a circle
	KendallW   *float64    // agreement 0..1, corrected for ties
	Friedman   *float64    // chi2 = n(items - 1)W
	DF         int
	P          *float64 // of Friedman; nil below stats.FewAnswers
	LogLik     *float64 // of the Plackett-Luce model
	Members    int
	EffectiveN float64
	Invalid    int  // answers with ties (where rejected), gaps or nothing ranked
	Partial    bool // some answers do not rank all items
	Separated  bool // some items beat all others always; worth leans on half a win and half a loss of each
	Warnings   []string
}

// answer is a valid ranking: midranks of all items, and the groups of items of
// one rank in order, without those not ranked.
type answer struct {
	ranks  []float64
	groups [][]int
	left   []int // items not ranked
	weight float64
}

// Analyse reports a study. It refuses (stats.Insufficient) one without a valid
// answer.
func Analyse(s Study) (Analysis, error) {
	if s.Items < 2 {
		return Analysis{}, fmt.Errorf("ranking: %d items; a ranking takes 2 or more", s.Items)
	}
	if s.Weights != nil && len(s.Weights) != len(s.Ranks) {
		return Analysis{}, fmt.Errorf("ranking: %d weights for %d members", len(s.Weights), len(s.Ranks))
	}
	if s.Ties != "" && s.Ties != Reject && s.Ties != Average {
		return Analysis{}, fmt.Errorf("ranking: no rule for ties %q", s.Ties)
	}
	a := Analysis{Items: make([]Item, s.Items)}
	answers, err := a.sift(s)
	if err != nil {
		return Analysis{}, err
	}
	var weights []float64
	for _, an := range answers {
		weights = append(weights, an.weight)
	}
	a.Members, a.EffectiveN = len(answers), float64(len(answers))
	if s.Weights != nil {
		a.EffectiveN = stats.Kish(weights)
	}
	a.describe(answers, weights)
	a.pairs(answers)
	a.agreement(answers)
	a.worth(s, answers)
	a.warn()
	return a, nil
}

// sift reads the answers. A ranking's numbers must be those of a race (1, 2, 3
// or, with ties averaged, 1, 1, 3 or 1, 1, 2).
func (a *Analysis) sift(s Study) ([]answer, error) {
	var out []answer
	for m, ranks := range s.Ranks {
		if len(ranks) != s.Items {
			return nil, fmt.Errorf("ranking: member %d ranks %d of %d items", m, len(ranks), s.Items)
		}
		w := 1.0
		if s.Weights != nil {
			w = s.Weights[m]
		}
		if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
			return nil, fmt.Errorf("ranking: member %d has the weight %v", m, w)
		}
		if w == 0 {
			continue
		}
		an, ok := read(ranks, s.Ties == Average)
		if !ok {
			a.Invalid++
			continue
		}
		an.weight = w
		a.Partial = a.Partial || len(an.left) > 0
		out = append(out, an)
	}
	if len(out) == 0 {
		return nil, &stats.Insufficient{Reason: "No answer is a valid ranking."}
	}
	return out, nil
}

func read(ranks []int, ties bool) (answer, bool) {
	an := answer{ranks: make([]float64, len(ranks))}
	order := make([]int, 0, len(ranks))
	for i, r := range ranks {
		switch {
		case r < 0:
			return answer{}, false
		case r == 0:
			an.left = append(an.left, i)
		default:
			order = append(order, i)
		}
	}
	if len(order) == 0 {
		return answer{}, false
	}
	sort.SliceStable(order, func(x, y int) bool { return ranks[order[x]] < ranks[order[y]] })
	for at := 0; at < len(order); {
		end := at + 1
		for end < len(order) && ranks[order[end]] == ranks[order[at]] {
			end++
		}
		// Place at+1 in a race, or the next number after the group before.
		if r := ranks[order[at]]; r != at+1 && r != len(an.groups)+1 || end-at > 1 && !ties {
			return answer{}, false
		}
		for _, i := range order[at:end] {
			an.ranks[i] = float64(at+1+end) / 2
		}
		an.groups = append(an.groups, order[at:end])
		at = end
	}
	for _, i := range an.left {
		an.ranks[i] = float64(len(order)+1+len(ranks)) / 2
	}
	return an, true
}

func (a *Analysis) describe(answers []answer, weights []float64) {
	total := 0.0
	first := make([]float64, len(a.Items))
	for _, an := range answers {
		total += an.weight
		for _, i := range an.groups[0] {
			first[i] += an.weight / float64(len(an.groups[0]))
			a.Items[i].First++
		}
	}
	line := make([]float64, len(answers))
	for i := range a.Items {
		for m, an := range answers {
			line[m] = an.ranks[i]
		}
		it := &a.Items[i]
		it.FirstShare = share(first[i]/total, a.Members, a.EffectiveN)
		it.MeanRank = mean(line, weights, a.EffectiveN, 1, float64(len(a.Items)))
		for m := range line {
			line[m] = float64(len(a.Items)) - line[m]
		}
		it.Borda = mean(line, weights, a.EffectiveN, 0, float64(len(a.Items)-1))
	}
}

func share(p float64, n int, effective float64) stats.Estimate {
	p = math.Min(1, p)
	e := stats.Estimate{Estimate: &p, N: n, EffectiveN: &effective}
	if n < stats.FewAnswers {
		return e
	}
	se := math.Sqrt(p * (1 - p) / effective)
	e.SE = &se
	if ci, ok := stats.Wilson(p*effective, effective); ok {
		e.CI95 = &[2]float64{ci.Low, ci.High}
	}
	return e
}

func mean(x, weights []float64, effective, low, high float64) stats.Estimate {
	e := stats.Estimate{N: len(x), EffectiveN: &effective}
	v, ok := stats.Mean(x, weights)
	if !ok {
		return e
	}
	e.Estimate = &v
	if sd, ok := stats.SD(x, weights); ok && len(x) >= stats.FewAnswers {
		se := sd / math.Sqrt(effective)
		e.SE = &se
		e.CI95 = &[2]float64{math.Max(low, v-stats.Z95*se), math.Min(high, v+stats.Z95*se)}
	}
	return e
}

func (a *Analysis) warn() {
	add := func(format string, args ...any) { a.Warnings = append(a.Warnings, fmt.Sprintf(format, args...)) }
	switch n := a.Members; {
	case n < stats.FewAnswers:
		add("Only %d members answered; there is no inference below %d.", n, stats.FewAnswers)
	case n < stats.ManyAnswers:
		add("Only %d members answered; figures move a lot below %d.", n, stats.ManyAnswers)
	}
	if a.Invalid > 0 {
		add("%d answers are no valid ranking and are left out.", a.Invalid)
	}
	if a.Partial {
		add("Some answers rank only the first items; the others share the mean of the ranks left.")
	}
	if a.Cycle {
		add("Majorities go in a circle, so no item beats all others.")
	}
	if a.Separated {
		add("Some items are always ahead of others: worth leans on half a win and half a loss of each item and has no interval.")
	}
}
