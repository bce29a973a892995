package stats

import "math"

// Shares turns counts (or summed weights) into shares; nil when they sum to 0.
func Shares(counts []float64) []float64 {
	sum := 0.0
	for _, c := range counts {
		sum += c
	}
	if sum <= 0 {
		return nil
	}
	out := make([]float64, len(counts))
	for i, c := range counts {
		out[i] = c / sum
	}
	return out
}

// Dominant is the index of the single largest count; ok is false on ties and
// without answers.
func Dominant(counts []float64) (at int, ok bool) {
	best := 0.0
	for i, c := range counts {
		switch {
		case c > best:
			best, at, ok = c, i, true
		case c == best && c > 0:
			ok = false
		}
	}
	return at, ok
}

// Entropy is Shannon's entropy over its greatest value, log K of all options
// asked: 0 when all answer alike, 1 when evenly spread.
func Entropy(counts []float64) (float64, bool) {
	p := Shares(counts)
	if len(p) < 2 {
		return 0, false
	}
	h := 0.0
	for _, v := range p {
		if v > 0 {
			h -= v * math.Log(v)
		}
	}
	return math.Min(1, math.Max(0, h/math.Log(float64(len(p))))), true
}

// TotalVariation is half the sum of absolute differences of two distributions
// over the same options, 0..1.
func TotalVariation(p, q []float64) float64 {
	d := 0.0
	for i := range p {
		d += math.Abs(p[i] - q[i])
	}
	return d / 2
}

// Score is 100 (1 - total variation): 100 exactly when all shares agree.
func Score(p, q []float64) float64 { return 100 * (1 - TotalVariation(p, q)) }

// ScoreMultiselect is 100 times the mean of 1 - |p-q| over options, each of
// which is a share of all who were asked.
func ScoreMultiselect(p, q []float64) float64 {
	if len(p) == 0 {
		return 0
	}
	d := 0.0
	for i := range p {
		d += math.Abs(p[i] - q[i])
	}
	return 100 * (1 - d/float64(len(p)))
}
