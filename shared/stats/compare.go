package stats

import (
	"math"
	"sort"

	"gonum.org/v1/gonum/stat/distuv"
)

// tPoint is the two-sided 95% point of Student's t with df degrees of freedom.
func tPoint(df float64) float64 {
	if df < 1 {
		df = 1
	}
	if df > 1e6 {
		return Z95
	}
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}.Quantile(.975)
}

// Group is one Audience's answers to a scale question. Weights may be nil.
type Group struct {
	Name    string
	Values  []float64
	Weights []float64
	// Effective is the base that differences count on where Values and Weights are
	// sums over many answers, whose own weights are not to be seen; 0: from Weights.
	Effective float64
}

func (g Group) base() float64 {
	if g.Effective > 0 {
		return g.Effective
	}
	return effective(len(g.Values), g.Weights)
}

// spread is SD on the group's base.
func (g Group) spread() (float64, bool) {
	sd, ok := SD(g.Values, g.Weights)
	own, n := effective(len(g.Values), g.Weights), g.base()
	if !ok || n <= 1+1e-9 {
		return 0, false
	}
	if n == own {
		return sd, true
	}
	return sd * math.Sqrt((own-1)/own*n/(n-1)), true
}

// MeanDifference is the 95% interval of mean(a) - mean(b) without equal
// variances (Welch 1947, degrees of freedom by Satterthwaite). ok is false when
// a side has fewer than two answers.
func MeanDifference(a, b Group) (diff float64, ci Interval, ok bool) {
	ma, ok1 := Mean(a.Values, a.Weights)
	mb, ok2 := Mean(b.Values, b.Weights)
	if !ok1 || !ok2 {
		return 0, Interval{}, false
	}
	sa, ok1 := a.spread()
	sb, ok2 := b.spread()
	if !ok1 || !ok2 {
		return ma - mb, Interval{}, false
	}
	na, nb := a.base(), b.base()
	va, vb := sa*sa/na, sb*sb/nb
	se := math.Sqrt(va + vb)
	diff = ma - mb
	if se == 0 {
		return diff, Interval{diff, diff}, true
	}
	df := (va + vb) * (va + vb) / (va*va/(na-1) + vb*vb/(nb-1))
	h := tPoint(df) * se
	return diff, Interval{diff - h, diff + h}, true
}

// Ranked is a group's place in a ranking by mean. Groups that cannot be told
// from the first of their band share its rank.
type Ranked struct {
	Index int // into the groups given
	Rank  int // 1 is the highest mean
	Mean  float64
}

// Rank orders groups by mean, then median, then name (M-210). A group opens a
// new rank only when the interval of its difference to the first group of the
// band above excludes 0; ranks skip like places in a race (1, 1, 3). Groups
// without answers are left out; groups too small for an interval never open one.
func Rank(groups []Group) []Ranked {
	var out []Ranked
	medians := map[int]float64{}
	for i, g := range groups {
		if m, ok := Mean(g.Values, g.Weights); ok {
			out = append(out, Ranked{Index: i, Mean: m})
			medians[i], _ = Median(g.Values, g.Weights)
		}
	}
	sort.SliceStable(out, func(a, b int) bool {
		x, y := out[a], out[b]
		switch {
		case x.Mean != y.Mean:
			return x.Mean > y.Mean
		case medians[x.Index] != medians[y.Index]:
			return medians[x.Index] > medians[y.Index]
		}
		return groups[x.Index].Name < groups[y.Index].Name
	})
	lead := 0
	for i := range out {
		out[i].Rank = lead + 1
		if i == 0 {
			continue
		}
		_, ci, ok := MeanDifference(groups[out[lead].Index], groups[out[i].Index])
		if ok && !ci.Contains(0) {
			lead = i
			out[i].Rank = i + 1
		}
	}
	return out
}
