package stats

import (
	"fmt"
	"math"
)

// NPS is the Net Promoter Score in points, -100..100 (Reichheld 2003), of
// answers on 0-10: promoters 9-10, detractors 0-6. The variance is that of a
// difference of multinomial shares, (P + D - (P-D)²)/n. It refuses other scales.
func NPS(answers, weights []float64) (Estimate, error) {
	e := Estimate{N: len(answers)}
	var p, d, w float64
	for i, a := range answers {
		if a < 0 || a > 10 || a != math.Trunc(a) {
			return Estimate{}, fmt.Errorf("stats: NPS takes whole answers from 0 to 10, not %v", a)
		}
		switch {
		case a >= 9:
			p += weight(weights, i)
		case a <= 6:
			d += weight(weights, i)
		}
		w += weight(weights, i)
	}
	fill(&e, p, d, w, effective(len(answers), weights))
	return e, nil
}

// fill writes a difference of shares in points with its standard error.
func fill(e *Estimate, pos, neg, total, n float64) {
	e.EffectiveN = &n
	if total <= 0 {
		return
	}
	p, d := pos/total, neg/total
	v := 100 * (p - d)
	e.Estimate = &v
	if e.N < FewAnswers {
		return
	}
	se := 100 * math.Sqrt(math.Max(0, p+d-(p-d)*(p-d))/n)
	e.SE = &se
	e.CI95 = &[2]float64{math.Max(-100, v-Z95*se), math.Min(100, v+Z95*se)}
}

// Boxes are top and bottom box figures of an ordinal scale.
type Boxes struct {
	K                     int // points in a box
	Top, Bottom           Estimate
	Net                   Estimate // top minus bottom, in points
	N                     int
	EffectiveN            float64
	TopCount, BottomCount int
}

// TopBox counts the k points at each end of lo..hi. topLow says that the low
// end is the top. k must be at most half of the points. Shares are percent with
// Wilson intervals; the net has Var = (T + B - (T-B)²)/n.
func TopBox(answers, weights []float64, lo, hi, k int, topLow bool) (Boxes, error) {
	if hi <= lo || k < 1 || k > (hi-lo+1)/2 {
		return Boxes{}, fmt.Errorf("stats: a box must hold 1 to %d of the points %d to %d", max(1, (hi-lo+1)/2), lo, hi)
	}
	b := Boxes{K: k, N: len(answers), EffectiveN: effective(len(answers), weights)}
	var up, down, w float64
	for i, a := range answers {
		if a < float64(lo) || a > float64(hi) {
			return Boxes{}, fmt.Errorf("stats: the answer %v is outside %d to %d", a, lo, hi)
		}
		high, low := a > float64(hi-k), a < float64(lo+k)
		if topLow {
			high, low = low, high
		}
		if high {
			up += weight(weights, i)
			b.TopCount++
		}
		if low {
			down += weight(weights, i)
			b.BottomCount++
		}
		w += weight(weights, i)
	}
	b.Top = Proportion(up, w, b.N, b.EffectiveN)
	b.Bottom = Proportion(down, w, b.N, b.EffectiveN)
	b.Net = Estimate{N: b.N}
	fill(&b.Net, up, down, w, b.EffectiveN)
	return b, nil
}

// Proportion is the share part/total in percent with its Wilson interval on the
// effective base; below ten answers there is no interval.
func Proportion(part, total float64, n int, effectiveN float64) Estimate {
	e := Estimate{N: n, EffectiveN: &effectiveN}
	if total <= 0 {
		return e
	}
	v := 100 * part / total
	e.Estimate = &v
	if n < FewAnswers {
		return e
	}
	p := part / total
	se := 100 * math.Sqrt(p*(1-p)/effectiveN)
	e.SE = &se
	if ci, ok := Wilson(p*effectiveN, effectiveN); ok {
		e.CI95 = &[2]float64{100 * ci.Low, 100 * ci.High}
	}
	return e
}
