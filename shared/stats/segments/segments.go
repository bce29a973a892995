// Package segments compares how groups of members answer: tests of independence
// for choices, of means and ranks for scales, effect sizes and corrections for
// many tests. Groups must not share members.
package segments

import (
	"errors"
	"fmt"
	"math"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Kind names a test; the names are those of the contract.
type Kind string

// The tests. Descriptive means that none was run.
const (
	Chi2          Kind = "chi2"
	Permutation   Kind = "fisher_permutation"
	WelchT        Kind = "welch_t"
	WelchANOVA    Kind = "welch_anova"
	MannWhitney   Kind = "mann_whitney"
	KruskalWallis Kind = "kruskal_wallis"
	Descriptive   Kind = "descriptive"
)

// Permutations of a test whose table is too thin for chi².
const Permutations = 10_000

// Segment is one group's answers: option numbers of a choice, or numbers of a
// scale. Weights may be nil.
type Segment struct {
	Name    string
	Options []int
	Values  []float64
	Weights []float64
}

func (s Segment) n() int { return max(len(s.Options), len(s.Values)) }

func (s Segment) base() float64 {
	if s.Weights == nil {
		return float64(s.n())
	}
	return stats.Kish(s.Weights)
}

func (s Segment) weight(i int) float64 {
	if s.Weights == nil {
		return 1
	}
	return s.Weights[i]
}

// Effect is the size of a difference.
type Effect struct {
	Name  string // cramers_v or hedges_g
	Value float64
}

// Pair is a difference between two segments: on one option of a choice, or of
// the means of a scale (Option -1).
type Pair struct {
	A, B       int
	Option     int
	Difference float64 // A minus B: of shares 0..1, or of means
	Statistic  float64 // z or t
	P          float64
	PAdjusted  float64 // by Holm over the pairs of the question
}

// Test is the comparison of one question. Pointers are nil where there is no
// figure.
type Test struct {
	Kind      Kind
	Statistic *float64
	DF, DF2   *float64 // DF2 only with Welch's analysis of variance
	P         *float64
	Effect    *Effect
	Residuals [][]float64 // standardised, segments x options; only of the chi² table
	Pairs     []Pair
	Tested    []bool // segments in the test; others have fewer than ten answers
	Warnings  []string
}

var errNoSegments = errors.New("segments: at least two segments are compared")

// start says which segments are large enough to be tested.
func start(s []Segment) (t Test, tested []int, err error) {
	if len(s) < 2 {
		return t, nil, errNoSegments
	}
	t.Kind, t.Tested = Descriptive, make([]bool, len(s))
	for i, g := range s {
		if g.Weights != nil && len(g.Weights) != g.n() {
			return t, nil, fmt.Errorf("segments: %d weights for %d answers of segment %d", len(g.Weights), g.n(), i)
		}
		for _, w := range g.Weights {
			if w < 0 || math.IsNaN(w) || math.IsInf(w, 0) {
				return t, nil, fmt.Errorf("segments: a weight of segment %d is %v", i, w)
			}
		}
		if g.n() >= stats.FewAnswers && g.base() > 0 {
			t.Tested[i] = true
			tested = append(tested, i)
		} else {
			t.Warnings = append(t.Warnings, fmt.Sprintf("%s has %d answers: its figures are described, not tested (%d are needed).", label(g, i), g.n(), stats.FewAnswers))
		}
	}
	return t, tested, nil
}

func label(s Segment, i int) string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprint("Segment ", i+1)
}

func ptr(v float64) *float64 { return &v }

// Overlap is a member that stands in two of the groups; ok is false when there
// is none. Tests of groups that share members would count them as independent.
func Overlap(groups [][]string) (member string, a, b int, ok bool) {
	in := map[string]int{}
	for g, members := range groups {
		for _, m := range members {
			if before, seen := in[m]; seen && before != g {
				return m, before, g, true
			}
			in[m] = g
		}
	}
	return "", 0, 0, false
}
