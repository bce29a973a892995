// Package stats holds the statistics of a study as pure functions: numbers in,
// numbers out, no store and no model. Every exported function names the source
// of its formula and says when there is no figure; nothing is ever filled in.
//
// Members of an Audience are simulated. An interval here says how much a figure
// would move with other members of the same kind, not how near it is to real
// people; reports repeat that sentence.
package stats

import (
	"math"
	"sort"
)

// Z95 is the two-sided 95% point of the normal distribution.
const Z95 = 1.959964

// FewAnswers is the base below which no inference is drawn, and ManyAnswers the
// one from which no warning is needed.
const (
	FewAnswers  = 10
	ManyAnswers = 30
)

// Interval is a closed 95% range.
type Interval struct{ Low, High float64 }

// Contains reports whether v lies in the interval.
func (i Interval) Contains(v float64) bool { return i.Low <= v && v <= i.High }

// Estimate is one figure with its member-sampling uncertainty; its JSON is
// Estimate of the contract. Pointers are nil where there is no figure.
type Estimate struct {
	Estimate   *float64    `json:"estimate"`
	SE         *float64    `json:"se"`
	CI95       *[2]float64 `json:"ci95"`
	N          int         `json:"n"`
	EffectiveN *float64    `json:"effectiveN"`
}

// Kish is the effective base of weights, (sum w)² / sum w² (Kish 1965); 0 for none.
func Kish(weights []float64) float64 {
	var s, q float64
	for _, w := range weights {
		s += w
		q += w * w
	}
	if q == 0 {
		return 0
	}
	return s * s / q
}

// effective is the base of n answers under weights (nil: all equal).
func effective(n int, weights []float64) float64 {
	if weights == nil {
		return float64(n)
	}
	return Kish(weights)
}

func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Mean is the (weighted) mean; ok is false without answers. Weights may be nil.
func Mean(x, weights []float64) (mean float64, ok bool) {
	var s, w float64
	for i, v := range x {
		s += weight(weights, i) * v
		w += weight(weights, i)
	}
	if w <= 0 {
		return 0, false
	}
	return s / w, true
}

// Quantile is the sample quantile of type 7 (Hyndman and Fan 1996), R's default.
func Quantile(x []float64, p float64) (float64, bool) {
	if len(x) == 0 || p < 0 || p > 1 {
		return 0, false
	}
	s := append([]float64(nil), x...)
	sort.Float64s(s)
	h := float64(len(s)-1) * p
	lo := int(math.Floor(h))
	if lo == len(s)-1 {
		return s[lo], true
	}
	return s[lo] + (h-float64(lo))*(s[lo+1]-s[lo]), true
}

// Median is the type 7 median, or with weights the value at which half of the
// weight is reached (the mean of two values when it is reached between them).
func Median(x, weights []float64) (float64, bool) {
	if weights == nil {
		return Quantile(x, .5)
	}
	at := make([]int, 0, len(x))
	total := 0.0
	for i := range x {
		if weights[i] > 0 {
			at = append(at, i)
			total += weights[i]
		}
	}
	if total <= 0 {
		return 0, false
	}
	sort.SliceStable(at, func(a, b int) bool { return x[at[a]] < x[at[b]] })
	sum := 0.0
	for j, i := range at {
		sum += weights[i]
		switch {
		case math.Abs(sum-total/2) < 1e-12*total && j+1 < len(at):
			return (x[i] + x[at[j+1]]) / 2, true
		case sum > total/2:
			return x[i], true
		}
	}
	return x[at[len(at)-1]], true
}

// SD is the standard deviation with denominator n-1; ok is false for fewer than
// two answers. Weighted, n is the Kish base: sum w(x-m)²/sum w · n/(n-1).
func SD(x, weights []float64) (float64, bool) {
	m, ok := Mean(x, weights)
	n := effective(len(x), weights)
	if !ok || n <= 1+1e-9 {
		return 0, false
	}
	var s, w float64
	for i, v := range x {
		s += weight(weights, i) * (v - m) * (v - m)
		w += weight(weights, i)
	}
	return math.Sqrt(s / w * n / (n - 1)), true
}

// Consensus is the Tastle-Wierman consensus of ordinal answers on lo..hi
// (Tastle and Wierman 2007): 1 + sum p_i log2(1 - |x_i - mean| / (hi - lo));
// 1 when all agree, 0 when they split evenly between the ends.
func Consensus(x, weights []float64, lo, hi float64) (float64, bool) {
	m, ok := Mean(x, weights)
	if !ok || hi <= lo {
		return 0, false
	}
	var c, w float64
	for i, v := range x {
		if weight(weights, i) == 0 {
			continue
		}
		c += weight(weights, i) * math.Log2(1-math.Abs(v-m)/(hi-lo))
		w += weight(weights, i)
	}
	return math.Min(1, math.Max(0, 1+c/w)), true
}

// Scale describes the answers of a scale question (M-210).
type Scale struct {
	N                           int
	EffectiveN                  float64
	Mean, Median, SD, Consensus *float64 // nil where there is no figure
	MeanCI95                    *Interval
}

// Describe computes everything about scale answers on lo..hi at once.
func Describe(x, weights []float64, lo, hi float64) Scale {
	return DescribeGroup(Group{Values: x, Weights: weights}, lo, hi)
}

// DescribeGroup is Describe on the base of a group.
func DescribeGroup(g Group, lo, hi float64) Scale {
	x, weights := g.Values, g.Weights
	s := Scale{N: len(x), EffectiveN: g.base()}
	ptr := func(v float64, ok bool) *float64 {
		if !ok {
			return nil
		}
		return &v
	}
	s.Mean = ptr(Mean(x, weights))
	s.Median = ptr(Median(x, weights))
	s.SD = ptr(g.spread())
	s.Consensus = ptr(Consensus(x, weights, lo, hi))
	if s.SD != nil && s.N >= FewAnswers {
		h := tPoint(s.EffectiveN-1) * *s.SD / math.Sqrt(s.EffectiveN)
		s.MeanCI95 = &Interval{*s.Mean - h, *s.Mean + h}
	}
	return s
}

// Wilson is the 95% score interval of a proportion k/n (Wilson 1927): centre
// (p + z²/2n)/(1+z²/n), half-width z sqrt(p(1-p)/n + z²/4n²)/(1+z²/n). n may be
// an effective base. ok is false for n <= 0.
func Wilson(k, n float64) (Interval, bool) {
	if n <= 0 || k < 0 || k > n {
		return Interval{}, false
	}
	p := k / n
	d := 1 + Z95*Z95/n
	c := (p + Z95*Z95/(2*n)) / d
	h := Z95 * math.Sqrt(p*(1-p)/n+Z95*Z95/(4*n*n)) / d
	return Interval{math.Max(0, c-h), math.Min(1, c+h)}, true
}
