package allocate

import "math"

// weightCap is where weights are trimmed, in times their mean (the default of
// R's anesrake).
const weightCap = 5.0

// weigh rakes member weights so that the weighted share of every segment is its
// target share: with one axis that is target share over achieved share (M-127),
// with several the ratios are fitted in turn until all hold within 1e-9. The mean
// weight is 1. achieved has one column an axis, share the targets.
func weigh(n int, achieved [][]int16, share [][]float64) (w []float64, trim *WeightTrim) {
	w = make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	if n == 0 {
		return w, nil
	}
	targets := reachable(achieved, share)
	rakeWeights(w, achieved, targets)
	trimmed := 0
	for i := range w {
		if w[i] > weightCap {
			w[i] = weightCap
			trimmed++
		}
	}
	if trimmed == 0 {
		return w, nil
	}
	f := float64(n) / sum(w)
	for i := range w {
		w[i] *= f
	}
	shift := 0.0
	for x, col := range achieved {
		for s, got := range weightedShares(w, col, len(targets[x])) {
			shift = math.Max(shift, 100*math.Abs(got-targets[x][s]))
		}
	}
	return w, &WeightTrim{Cap: weightCap, Trimmed: trimmed, MaxMarginShift: shift}
}

// reachable is the target shares over the segments that somebody stands in.
func reachable(achieved [][]int16, share [][]float64) [][]float64 {
	out := make([][]float64, len(share))
	for x, col := range achieved {
		seen := make([]bool, len(share[x]))
		for _, s := range col {
			seen[s] = true
		}
		out[x] = make([]float64, len(share[x]))
		whole := 0.0
		for s, p := range share[x] {
			if seen[s] {
				out[x][s] = p
				whole += p
			}
		}
		for s := range out[x] {
			if whole > 0 {
				out[x][s] /= whole
			}
		}
	}
	return out
}

func rakeWeights(w []float64, achieved [][]int16, targets [][]float64) {
	n := float64(len(w))
	for range rakeRounds {
		worst := 0.0
		for x, col := range achieved {
			got := weightedShares(w, col, len(targets[x]))
			f := make([]float64, len(got))
			for s := range got {
				f[s] = 1
				if got[s] > 0 {
					f[s] = targets[x][s] / got[s]
					worst = math.Max(worst, math.Abs(targets[x][s]-got[s]))
				}
			}
			for i, s := range col {
				w[i] *= f[s]
			}
		}
		if worst < rakeTolerance/n {
			return
		}
	}
}

func weightedShares(w []float64, col []int16, segments int) []float64 {
	got := make([]float64, segments)
	whole := 0.0
	for i, s := range col {
		got[s] += w[i]
		whole += w[i]
	}
	for s := range got {
		if whole > 0 {
			got[s] /= whole
		}
	}
	return got
}

// effective is Kish's effective sample size (1965): (sum w)^2 / sum w^2.
func effective(w []float64) float64 {
	s, squares := 0.0, 0.0
	for _, x := range w {
		s += x
		squares += float64(x * x)
	}
	if squares == 0 {
		return 0
	}
	return float64(s*s) / squares
}
