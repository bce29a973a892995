package segments

import (
	"fmt"
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Scale compares segments on numbers. Segments of fewer than ten answers are left
// to description.
//
// Means: Welch's t for two segments (1947), his analysis of variance for more
// (1951). Ordinal scales: Mann and Whitney's U (1947) with the normal
// approximation, correction for ties and for continuity, or Kruskal and Wallis's
// H (1952) corrected for ties. Ranks know no weights, so weighted answers are
// compared by means, and segments without any spread by ranks. The effect of two
// segments is Hedges's g (1981) with the exact correction; of more there is none.
// Pairs are Welch's t of all two segments, corrected by Holm.
func Scale(s []Segment, ordinal bool) (Test, error) {
	t, tested, err := start(s)
	if err != nil {
		return t, err
	}
	weighted, flat := false, false
	var groups []moments
	for i, g := range s {
		for _, v := range g.Values {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return t, fmt.Errorf("segments: segment %d holds %v", i, v)
			}
		}
		weighted = weighted || unequal(g.Weights)
	}
	if len(tested) < 2 {
		return t, nil
	}
	for _, i := range tested {
		m := momentsOf(s[i])
		groups = append(groups, m)
		flat = flat || m.variance == 0
	}
	if allSame(s, tested) {
		t.Warnings = append(t.Warnings, "All answers are the same; there is nothing to test.")
		return t, nil
	}
	switch {
	case flat && weighted:
		t.Warnings = append(t.Warnings, "A segment answers without any spread, so ranks are compared, and ranks know no weights.")
	case ordinal && weighted:
		t.Warnings = append(t.Warnings, "Ranks know no weights; the weighted means are compared instead.")
	}
	switch byRank := ordinal && !weighted || flat; {
	case byRank && len(tested) == 2:
		t.mannWhitney(s[tested[0]].Values, s[tested[1]].Values)
	case byRank:
		t.kruskalWallis(s, tested)
	case len(tested) == 2:
		stat, df, p := welch(groups[0], groups[1])
		t.Kind, t.Statistic, t.DF, t.P = WelchT, ptr(stat), ptr(df), ptr(p)
	default:
		t.welchANOVA(groups)
	}
	if len(tested) == 2 {
		if g, ok := hedges(groups[0], groups[1]); ok {
			t.Effect = &Effect{"hedges_g", g}
		}
	}
	for a := range tested {
		for b := a + 1; b < len(tested); b++ {
			pair := Pair{A: tested[a], B: tested[b], Option: -1, Difference: groups[a].mean - groups[b].mean, P: 1}
			if groups[a].variance+groups[b].variance > 0 {
				pair.Statistic, _, pair.P = welch(groups[a], groups[b])
			}
			t.Pairs = append(t.Pairs, pair)
		}
	}
	adjustPairs(t.Pairs)
	return t, nil
}

type moments struct{ mean, variance, n float64 }

func momentsOf(s Segment) moments {
	m, _ := stats.Mean(s.Values, s.Weights)
	sd, _ := stats.SD(s.Values, s.Weights)
	return moments{m, sd * sd, s.base()}
}

func unequal(w []float64) bool {
	for _, v := range w {
		if v != w[0] {
			return true
		}
	}
	return false
}

func allSame(s []Segment, tested []int) bool {
	first := s[tested[0]].Values[0]
	for _, i := range tested {
		for _, v := range s[i].Values {
			if v != first {
				return false
			}
		}
	}
	return true
}

// welch is t, the degrees of freedom by Satterthwaite, and the two-sided p.
func welch(a, b moments) (t, df, p float64) {
	va, vb := a.variance/a.n, b.variance/b.n
	t = (a.mean - b.mean) / math.Sqrt(va+vb)
	df = (va + vb) * (va + vb) / (va*va/(a.n-1) + vb*vb/(b.n-1))
	return t, df, math.Min(1, 2*distuv.StudentsT{Sigma: 1, Nu: df}.Survival(math.Abs(t)))
}

func (t *Test) welchANOVA(g []moments) {
	k := float64(len(g))
	var sum, mean float64
	for _, m := range g {
		sum += m.n / m.variance
		mean += m.n / m.variance * m.mean
	}
	mean /= sum
	var between, lambda float64
	for _, m := range g {
		w := m.n / m.variance
		between += w * (m.mean - mean) * (m.mean - mean)
		lambda += (1 - w/sum) * (1 - w/sum) / (m.n - 1)
	}
	f := between / (k - 1) / (1 + 2*(k-2)/(k*k-1)*lambda)
	df2 := (k*k - 1) / (3 * lambda)
	t.Kind, t.Statistic, t.DF, t.DF2 = WelchANOVA, ptr(f), ptr(k-1), ptr(df2)
	t.P = ptr(1 - distuv.F{D1: k - 1, D2: df2}.CDF(f))
}

// hedges is the difference of means over the pooled standard deviation, times
// the correction gamma(m/2)/(sqrt(m/2) gamma((m-1)/2)), m = n1 + n2 - 2.
func hedges(a, b moments) (float64, bool) {
	df := a.n + b.n - 2
	pooled := ((a.n-1)*a.variance + (b.n-1)*b.variance) / df
	if df <= 1 || pooled <= 0 {
		return 0, false
	}
	x, _ := math.Lgamma(df / 2)
	y, _ := math.Lgamma((df - 1) / 2)
	return (a.mean - b.mean) / math.Sqrt(pooled) * math.Exp(x-y) / math.Sqrt(df/2), true
}

// ranks of all values together, ties averaged, and the sum of t³ - t over ties.
func ranks(groups ...[]float64) (sums []float64, n, ties float64) {
	type value struct {
		v float64
		g int
	}
	var all []value
	for g, vs := range groups {
		for _, v := range vs {
			all = append(all, value{v, g})
		}
	}
	sort.Slice(all, func(a, b int) bool { return all[a].v < all[b].v })
	sums = make([]float64, len(groups))
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		r, c := float64(i+j+1)/2, float64(j-i)
		ties += c*c*c - c
		for ; i < j; i++ {
			sums[all[i].g] += r
		}
	}
	return sums, float64(len(all)), ties
}

func (t *Test) mannWhitney(a, b []float64) {
	sums, n, ties := ranks(a, b)
	n1, n2 := float64(len(a)), float64(len(b))
	u := sums[0] - n1*(n1+1)/2
	sd := math.Sqrt(n1 * n2 / 12 * (n + 1 - ties/(n*(n-1))))
	z := math.Max(0, math.Abs(u-n1*n2/2)-.5) / sd
	t.Kind, t.Statistic, t.P = MannWhitney, ptr(u), ptr(math.Min(1, 2*distuv.UnitNormal.Survival(z)))
}

func (t *Test) kruskalWallis(s []Segment, tested []int) {
	var groups [][]float64
	for _, i := range tested {
		groups = append(groups, s[i].Values)
	}
	sums, n, ties := ranks(groups...)
	h := 0.0
	for g, r := range sums {
		h += r * r / float64(len(groups[g]))
	}
	h = (12/(n*(n+1))*h - 3*(n+1)) / (1 - ties/(n*n*n-n))
	df := float64(len(groups) - 1)
	t.Kind, t.Statistic, t.DF, t.P = KruskalWallis, ptr(h), ptr(df), ptr(distuv.ChiSquared{K: df}.Survival(h))
}
