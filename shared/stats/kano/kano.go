// Package kano sorts features by what their presence and absence does to people
// (Kano et al. 1984). Answers in, categories out.
package kano

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Answer is one of the five fixed answers, best first.
type Answer int

// The answers, in the order in which they are shown.
const (
	Like Answer = iota
	Expect
	Neutral
	LiveWith
	Dislike
)

// Category of a feature.
type Category string

// Attractive, one-dimensional, must-be, indifferent, reverse and questionable;
// Mixed is a feature whose two largest categories cannot be told apart.
const (
	A     Category = "A"
	O     Category = "O"
	M     Category = "M"
	I     Category = "I"
	R     Category = "R"
	Q     Category = "Q"
	Mixed Category = "mixed"
)

// Order of the categories: what counts for more stands first, and wins a tie
// (Berger et al. 1993).
var Order = [6]Category{M, O, A, I, R, Q}

// table is rows of the functional, columns of the dysfunctional answer.
var table = [5][5]Category{
	Like:     {Q, A, A, A, O},
	Expect:   {R, I, I, I, M},
	Neutral:  {R, I, I, I, M},
	LiveWith: {R, I, I, I, M},
	Dislike:  {R, R, R, R, Q},
}

// Classify reads the evaluation table: what someone says with the feature there
// (functional) and without it (dysfunctional).
func Classify(functional, dysfunctional Answer) (Category, error) {
	if functional < Like || functional > Dislike || dysfunctional < Like || dysfunctional > Dislike {
		return "", fmt.Errorf("kano: answers are 0 to 4, not %d and %d", functional, dysfunctional)
	}
	return table[functional][dysfunctional], nil
}

// The scores of the continuous reading (DuMouchel 1993).
var (
	functionalScore    = [5]float64{4, 2, 0, -1, -2}
	dysfunctionalScore = [5]float64{-2, -1, 0, 2, 4}
)

// Pair is one member's two answers about a feature. Set Weight 1 where weights
// are not used.
type Pair struct {
	Functional, Dysfunctional Answer
	Weight                    float64
}

// Options of an analysis.
type Options struct {
	Seed      uint64
	Resamples int // bootstrap of better and worse; none when 0
}

// Feature is what the answers say about one feature.
type Feature struct {
	Counts     map[Category]int
	Weights    map[Category]float64 // the same with weights
	Category   Category             // Mode, or Mixed when the two rules differ and the Fong test cannot decide
	Mode       Category             // the largest, ties by Order
	Close      bool                 // the Fong test cannot tell the two largest apart
	Group      Category             // max(O, A, M) when O+A+M > I+R+Q, else max(I, R, Q)
	Better     stats.Estimate       // (A + O) / (A + O + M + I), 0..1
	Worse      stats.Estimate       // -(O + M) / (A + O + M + I), -1..0
	Strength   *float64             // share of the largest minus that of the second, 0..1
	StrengthSE *float64
	Functional *float64 // mean continuous scores, -2..4
	Dysfunct   *float64
	Unclear    bool // more than a tenth of the answers are questionable
	Reversed   bool // more reverse than A + O + M: the feature is wanted absent
	N          int
	EffectiveN float64
	Warnings   []string
}

// Analyse sorts one feature. Two published rules name a category: the mode, with
// ties to what counts for more, and the largest of the side (wanted or not) that
// has more answers. Where they name different ones and the Fong test cannot tell
// the two largest apart the feature is Mixed; where they agree on a close call
// the category stands with a warning. Better and worse (Berger et al. 1993) leave Q and R
// out; their intervals are bootstrap percentiles over members. Below ten answers
// counts and shares stand without test or interval; without any the answer is
// stats.Insufficient.
func Analyse(pairs []Pair, o Options) (Feature, error) {
	f := Feature{Counts: map[Category]int{}, Weights: map[Category]float64{}, N: len(pairs)}
	for _, c := range Order {
		f.Counts[c], f.Weights[c] = 0, 0
	}
	var weights, fun, dys []float64
	of := make([]Category, len(pairs))
	for i, p := range pairs {
		c, err := Classify(p.Functional, p.Dysfunctional)
		if err != nil {
			return Feature{}, err
		}
		if p.Weight < 0 || math.IsNaN(p.Weight) || math.IsInf(p.Weight, 0) {
			return Feature{}, fmt.Errorf("kano: weight %d is %v", i, p.Weight)
		}
		of[i] = c
		f.Counts[c]++
		f.Weights[c] += p.Weight
		weights = append(weights, p.Weight)
		fun = append(fun, functionalScore[p.Functional])
		dys = append(dys, dysfunctionalScore[p.Dysfunctional])
	}
	f.EffectiveN = stats.Kish(weights)
	if f.EffectiveN == 0 {
		return f, &stats.Insufficient{Reason: "Nobody answered both questions about the feature."}
	}
	if v, ok := stats.Mean(fun, weights); ok {
		f.Functional = &v
	}
	if v, ok := stats.Mean(dys, weights); ok {
		f.Dysfunct = &v
	}
	f.categories()
	f.coefficients()
	f.warn()
	if f.N >= stats.FewAnswers && o.Resamples > 0 {
		f.bootstrap(of, weights, o)
	}
	return f, nil
}

// mode is the largest of some categories, ties to the one that comes first, and
// the largest of the rest.
func (f *Feature) mode(among ...Category) (first, second Category) {
	for _, c := range among {
		switch {
		case first == "" || f.more(c, first):
			first, second = c, first
		case second == "" || f.more(c, second):
			second = c
		}
	}
	return first, second
}

// more compares weights with room for their last bits.
func (f *Feature) more(a, b Category) bool {
	return f.Weights[a] > f.Weights[b]+1e-9*math.Max(f.Weights[a], f.Weights[b])
}

func (f *Feature) categories() {
	first, second := f.mode(Order[:]...)
	f.Mode, f.Category = first, first
	want := f.Weights[O] + f.Weights[A] + f.Weights[M]
	rest := f.Weights[I] + f.Weights[R] + f.Weights[Q]
	if want > rest+1e-9*want {
		f.Group, _ = f.mode(M, O, A)
	} else {
		f.Group, _ = f.mode(I, R, Q)
	}
	total := want + rest
	a, b := f.Weights[first]/total, f.Weights[second]/total
	gap := a - b
	f.Strength = &gap
	if f.N < stats.FewAnswers {
		return
	}
	// Variance of a difference of multinomial shares.
	se := math.Sqrt(math.Max(0, a+b-gap*gap) / f.EffectiveN)
	f.StrengthSE = &se
	f.Close = Close(a*f.EffectiveN, b*f.EffectiveN, f.EffectiveN)
	if !f.Close {
		return
	}
	if f.Group != f.Mode {
		f.Category = Mixed
	}
	f.Warnings = append(f.Warnings, fmt.Sprintf("%s (%.0f%%) and %s (%.0f%%) cannot be told apart with this base.", first, 100*a, second, 100*b))
}

// Close is the test of Fong (1996): two counts a and b of n answers cannot be
// told apart at 10% when |a - b| < 1.65 sqrt((a + b)(2n - a - b) / 2n).
func Close(a, b, n float64) bool {
	return math.Abs(a-b) < 1.65*math.Sqrt((a+b)*(2*n-a-b)/(2*n))
}

func (f *Feature) coefficients() {
	f.Better = stats.Estimate{N: f.N, EffectiveN: &f.EffectiveN}
	f.Worse = f.Better
	better, worse, ok := coefficients(f.Weights)
	if ok {
		f.Better.Estimate, f.Worse.Estimate = &better, &worse
	}
}

func coefficients(w map[Category]float64) (better, worse float64, ok bool) {
	base := w[A] + w[O] + w[M] + w[I]
	if base <= 0 {
		return 0, 0, false
	}
	return (w[A] + w[O]) / base, -(w[O] + w[M]) / base, true
}

func (f *Feature) warn() {
	total := 0.0
	for _, c := range Order {
		total += f.Weights[c]
	}
	if f.Weights[Q] > .1*total {
		f.Unclear = true
		f.Warnings = append(f.Warnings, fmt.Sprintf("%.0f%% of the answers contradict themselves: the question is unclear.", 100*f.Weights[Q]/total))
	}
	if f.Weights[R] > f.Weights[A]+f.Weights[O]+f.Weights[M] {
		f.Reversed = true
		f.Warnings = append(f.Warnings, "More members want the feature absent than present: ask it the other way round.")
	}
}

func (f *Feature) bootstrap(of []Category, weights []float64, o Options) {
	rng := rand.New(rand.NewPCG(o.Seed, 0x4B61))
	var better, worse []float64
	for range o.Resamples {
		w := map[Category]float64{}
		for range of {
			i := rng.IntN(len(of))
			w[of[i]] += weights[i]
		}
		if b, v, ok := coefficients(w); ok {
			better, worse = append(better, b), append(worse, v)
		}
	}
	spread(&f.Better, better)
	spread(&f.Worse, worse)
}

func spread(e *stats.Estimate, drawn []float64) {
	se, ok := stats.SD(drawn, nil)
	lo, ok1 := stats.Quantile(drawn, .025)
	hi, ok2 := stats.Quantile(drawn, .975)
	if ok && ok1 && ok2 {
		e.SE, e.CI95 = &se, &[2]float64{lo, hi}
	}
}
