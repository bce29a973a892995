package drivers

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// write puts the figures of a fit to the drivers that were kept.
func (a *Analysis) write(m *model, kept []int, o Options, name func(int) string) bool {
	rw, lmg := m.relativeWeights(), m.shapley()
	if rw == nil {
		return false
	}
	if lmg == nil && o.ByShapley {
		a.Warnings = append(a.Warnings, fmt.Sprintf("Shapley values are computed for at most %d drivers; ranks follow relative weights.", MaxShapley))
	}
	by := chosen(rw, lmg, o)
	ranks := rank(by)
	df := a.EffectiveN - float64(m.p) - 1
	sum := 0.0
	for i, j := range kept {
		d := &a.Drivers[j-1]
		d.Beta, d.VIF, d.RelativeWeight = &m.beta[i], &m.vif[i], &rw[i]
		if lmg != nil {
			d.Shapley = &lmg[i]
		}
		// Standard error of a standardised coefficient: sqrt((1 - R²) VIF / (n - p - 1)).
		if df > 0 && m.r2 < 1 {
			t := m.beta[i] / math.Sqrt((1-m.r2)*m.vif[i]/df)
			d.T = &t
		}
		d.Rank = &ranks[i]
		sum += by[i]
		if m.vif[i] > 10 {
			a.Warnings = append(a.Warnings, fmt.Sprintf("%s moves with the other drivers (VIF %.1f): read its weight, not its coefficient.", name(j-1), m.vif[i]))
		}
	}
	a.SumCheck = sum - m.r2
	return true
}

func chosen(rw, lmg []float64, o Options) []float64 {
	if o.ByShapley && lmg != nil {
		return lmg
	}
	return rw
}

// rank of weights, 1 the greatest; ties to the earlier driver.
func rank(w []float64) []int {
	at := make([]int, len(w))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int {
		switch {
		case w[a] > w[b]:
			return -1
		case w[a] < w[b]:
			return 1
		}
		return 0
	})
	out := make([]int, len(w))
	for i, j := range at {
		out[j] = i + 1
	}
	return out
}

// bootstrap gives percentile ranges of the chosen weight and how often a rank
// holds, over resampled members (Efron 1979). Resamples in which a driver does
// not move are drawn again, at most twice as often as asked for.
func (a *Analysis) bootstrap(cols [][]float64, w []float64, kept []int, o Options) {
	rng := rand.New(rand.NewPCG(o.Seed, 0xD21E))
	drawn := make([]int, len(w))
	weights := make([][]float64, len(kept))
	same := make([]int, len(kept))
	n := 0
	for try := 0; n < o.Resamples && try < 2*o.Resamples; try++ {
		for i := range drawn {
			drawn[i] = rng.IntN(len(w))
		}
		r, constant := correlations(cols, w, drawn)
		if constant[0] || slices.ContainsFunc(kept, func(j int) bool { return constant[j] }) {
			continue
		}
		m := sub(r, kept)
		rw := m.relativeWeights()
		var lmg []float64
		if o.ByShapley {
			lmg = m.shapley()
		}
		by := chosen(rw, lmg, o)
		if by == nil {
			continue
		}
		n++
		for i, place := range rank(by) {
			weights[i] = append(weights[i], by[i])
			if place == *a.Drivers[kept[i]-1].Rank {
				same[i]++
			}
		}
	}
	if n < 50 {
		a.Warnings = append(a.Warnings, "Too few resamples could be fitted for a range of the weights.")
		return
	}
	for i, j := range kept {
		lo, _ := stats.Quantile(weights[i], .025)
		hi, _ := stats.Quantile(weights[i], .975)
		stable := float64(same[i]) / float64(n)
		a.Drivers[j-1].CI95, a.Drivers[j-1].RankStability = &[2]float64{lo, hi}, &stable
	}
}
