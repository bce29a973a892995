package maxdiff

import (
	"math"
	"math/rand/v2"
	"sort"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Scores puts utilities on a scale of 0 to 100 that sums to 100: the chance of
// an item to be taken as best from a set of size items of which the others are
// average, e^u/(e^u + size - 1) with utilities centred at zero, in proportion.
// size may be a mean.
func Scores(utilities []float64, size float64) []float64 {
	mean := 0.0
	for _, u := range utilities {
		mean += u / float64(len(utilities))
	}
	out := make([]float64, len(utilities))
	sum := 0.0
	for i, u := range utilities {
		out[i] = 1 / (1 + (size-1)*math.Exp(mean-u))
		sum += out[i]
	}
	for i := range out {
		out[i] *= 100 / sum
	}
	return out
}

// score adds the 0-100 scale with its bootstrap: members are drawn with
// replacement, weights come along, the model is fitted again.
func (a *Analysis) score(m *model, b []float64, s Study) {
	size := 0.0
	for _, set := range m.sets {
		size += float64(len(set.Items)) / float64(len(m.sets))
	}
	scores := Scores(a.utilities, size)
	for i := range a.Items {
		v, n := scores[i], a.EffectiveN
		a.Items[i].Score = stats.Estimate{Estimate: &v, N: a.Members, EffectiveN: &n}
	}
	if a.Members < stats.FewAnswers {
		return
	}
	draws := a.draw(m, b, s, size)
	line := make([]float64, len(draws))
	column := func(value func(scores []float64) float64) []float64 {
		for d, one := range draws {
			line[d] = value(one)
		}
		sort.Float64s(line)
		return line
	}
	for i := range a.Items {
		c := column(func(x []float64) float64 { return x[i] })
		if sd, ok := stats.SD(c, nil); ok {
			a.Items[i].Score.SE = &sd
			a.Items[i].Score.CI95 = &[2]float64{percentile(c, .025), percentile(c, .975)}
		}
		for j := i + 1; j < len(a.Items); j++ {
			c := column(func(x []float64) float64 { return x[i] - x[j] })
			a.Differences = append(a.Differences, Difference{A: i, B: j, Estimate: scores[i] - scores[j],
				CI95: [2]float64{percentile(c, .025), percentile(c, .975)}})
		}
	}
}

// percentile is the type 7 quantile of sorted values.
func percentile(sorted []float64, p float64) float64 {
	h := float64(len(sorted)-1) * p
	lo := int(h)
	if lo == len(sorted)-1 {
		return sorted[lo]
	}
	return sorted[lo] + (h-float64(lo))*(sorted[lo+1]-sorted[lo])
}

// draw gives the scores of each bootstrap sample.
func (a *Analysis) draw(m *model, b []float64, s Study, size float64) [][]float64 {
	n := s.Draws
	if n <= 0 {
		n = Draws
	}
	var members []int
	seen := make([]bool, s.Members)
	for _, set := range m.sets {
		if !seen[set.Member] {
			seen[set.Member] = true
			members = append(members, set.Member)
		}
	}
	sort.Ints(members)
	rng := rand.New(rand.NewPCG(s.Seed, 0x6d61786469666662))
	times := make([]int, s.Members)
	out := make([][]float64, 0, n)
	for range n {
		clear(times)
		for range members {
			times[members[rng.IntN(len(members))]]++
		}
		m.weigh(s.Weights, times)
		r := m.fit(b)
		out = append(out, Scores(append(append([]float64(nil), r.B...), 0), size))
	}
	m.weigh(s.Weights, nil)
	return out
}

// Shares are the preference shares of utilities, e^u over the sum of e^u: how
// often each item would be taken as best from all of them.
func Shares(utilities []float64) []float64 {
	most := math.Inf(-1)
	for _, u := range utilities {
		most = math.Max(most, u)
	}
	out := make([]float64, len(utilities))
	sum := 0.0
	for i, u := range utilities {
		out[i] = math.Exp(u - most)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}
