package stats

import "math"

// Share is the fraction part/total, 0..1, with its Wilson interval on the
// effective base; below ten answers there is no interval. Proportion is the same
// in percent.
func Share(part, total float64, n int, effectiveN float64) Estimate {
	e := Estimate{N: n, EffectiveN: &effectiveN}
	if total <= 0 {
		return e
	}
	p := math.Min(1, math.Max(0, part/total))
	e.Estimate = &p
	if n < FewAnswers || effectiveN <= 0 {
		return e
	}
	se := math.Sqrt(p * (1 - p) / effectiveN)
	e.SE = &se
	if ci, ok := Wilson(p*effectiveN, effectiveN); ok {
		e.CI95 = &[2]float64{ci.Low, ci.High}
	}
	return e
}
