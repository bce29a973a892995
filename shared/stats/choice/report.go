package choice

import (
	"fmt"
	"math"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// estimate is a linear combination of coefficients with its error by member.
func (a *Analysis) estimate(contrast []float64, infer bool) stats.Estimate {
	v, n := dot(contrast, a.Fit.B), a.Fit.EffectiveN
	e := stats.Estimate{Estimate: &v, N: a.Fit.Members, EffectiveN: &n}
	if !infer {
		return e
	}
	se := math.Sqrt(math.Max(0, a.covariance(contrast, contrast)))
	e.SE = &se
	e.CI95 = &[2]float64{v - stats.Z95*se, v + stats.Z95*se}
	return e
}

func (a *Analysis) covariance(x, y []float64) float64 {
	s := 0.0
	for i, v := range x {
		if v == 0 {
			continue
		}
		for j, w := range y {
			if w != 0 {
				s += v * w * a.Fit.Robust.At(i, j)
			}
		}
	}
	return s
}

func (a *Analysis) partWorths(infer bool) {
	for at, attribute := range a.study.Attributes {
		var row []stats.Estimate
		for l := range attribute.Levels {
			row = append(row, a.estimate(a.Coding.Contrast(at, l), infer))
		}
		a.PartWorths = append(a.PartWorths, row)
	}
	if a.study.None {
		e := a.estimate(a.Coding.NoneRow(), infer)
		a.None = &e
	}
}

func (a *Analysis) weight(m int) float64 {
	if a.study.Weights == nil {
		return 1
	}
	return a.study.Weights[m]
}

// importance is each member's share of ranges, averaged over members who chose
// a product at least once.
func (a *Analysis) importance() {
	silent := map[int]bool{}
	for _, m := range a.NoneOnly {
		silent[m] = true
	}
	k := len(a.study.Attributes)
	shares := make([][]float64, k)
	var weights []float64
	for m, b := range a.Population.B {
		if b == nil || silent[m] {
			continue
		}
		one := Ranges(a.Coding.PartWorths(b))
		for at, v := range one {
			shares[at] = append(shares[at], v)
		}
		weights = append(weights, a.weight(m))
	}
	n := float64(len(weights))
	if a.study.Weights != nil {
		n = stats.Kish(weights)
	}
	for at := range k {
		e := stats.Estimate{N: len(weights), EffectiveN: &n}
		if v, ok := stats.Mean(shares[at], weights); ok {
			e.Estimate = &v
			if sd, ok := stats.SD(shares[at], weights); ok && len(weights) >= stats.FewAnswers {
				se := sd / math.Sqrt(n)
				e.SE = &se
				e.CI95 = &[2]float64{math.Max(0, v-stats.Z95*se), math.Min(1, v+stats.Z95*se)}
			}
		}
		a.Importance = append(a.Importance, e)
	}
}

// Ranges are the shares of the ranges of part-worths by attribute; equal shares
// when no attribute has any.
func Ranges(partWorths [][]float64) []float64 {
	out := make([]float64, len(partWorths))
	sum := 0.0
	for a, row := range partWorths {
		low, high := math.Inf(1), math.Inf(-1)
		for _, v := range row {
			low, high = math.Min(low, v), math.Max(high, v)
		}
		out[a] = high - low
		sum += out[a]
	}
	for a := range out {
		if sum > 0 {
			out[a] /= sum
		} else {
			out[a] = 1 / float64(len(out))
		}
	}
	return out
}

// willingness to pay needs a linear price that certainly repels.
func (a *Analysis) willingness(infer bool) {
	price := a.study.Price
	reason := ""
	var slope, z float64
	var unit []float64 // contrast of one unit of price
	switch {
	case price < 0 || price >= len(a.study.Attributes):
		reason = "no attribute is the price"
	case !a.study.Attributes[price].Linear:
		reason = "price is not linear"
	case a.Fit.Separated:
		reason = "answers separate the alternatives completely, so price has no finite slope"
	case !infer:
		reason = fmt.Sprintf("fewer than %d members answered", stats.FewAnswers)
	default:
		unit = make([]float64, len(a.Fit.B))
		unit[a.Coding.first[price]] = 1 / a.Coding.half[price]
		slope = dot(unit, a.Fit.B)
		z = slope / math.Sqrt(a.covariance(unit, unit))
		if !(z < -stats.Z95) {
			reason = "the slope of price is not significantly negative"
		}
	}
	for at, attribute := range a.study.Attributes {
		if at == price {
			a.WTP = append(a.WTP, nil)
			continue
		}
		row := make([]WTP, attribute.Levels)
		for l := range row {
			if reason != "" {
				row[l].Reason = reason
				continue
			}
			c := a.Coding.Contrast(at, l)
			u := dot(c, a.Fit.B)
			amount := -u / slope
			// gradient of -u/s: (-1/s, u/s²)
			v := a.covariance(c, c)/(slope*slope) + u*u/(slope*slope*slope*slope)*a.covariance(unit, unit) -
				2*u/(slope*slope*slope)*a.covariance(c, unit)
			se := math.Sqrt(math.Max(0, v))
			row[l] = WTP{Amount: &amount, SE: &se}
		}
		a.WTP = append(a.WTP, row)
	}
}

// hits counts holdout choices that the member's own utilities name; a tie of n
// alternatives counts 1/n.
func (a *Analysis) hits(holdouts []Task) {
	hit, total := 0.0, 0.0
	for _, t := range holdouts {
		b := a.Population.B[t.Member]
		if b == nil {
			continue
		}
		a.Holdouts++
		total += t.weight()
		if best := firsts(t.X, b); best[t.Chosen] > 0 {
			hit += t.weight() * best[t.Chosen]
		}
	}
	if total > 0 {
		rate := hit / total
		a.HitRate = &rate
	}
}
