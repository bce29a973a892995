package stats

import (
	"math"
	"math/rand/v2"
)

// JensenShannon is the Jensen-Shannon divergence of two distributions with
// logarithms to base 2 (Lin 1991): 0 for equal, 1 for disjoint ones.
func JensenShannon(p, q []float64) float64 {
	d := 0.0
	for i := range p {
		m := (p[i] + q[i]) / 2
		if p[i] > 0 {
			d += p[i] / 2 * math.Log2(p[i]/m)
		}
		if q[i] > 0 {
			d += q[i] / 2 * math.Log2(q[i]/m)
		}
	}
	return math.Min(1, math.Max(0, d))
}

// Divergence says how far Audiences differ on one question.
type Divergence struct {
	Mean       float64     // mean over pairs, 0..1
	Pairwise   [][]float64 // symmetric, zero on the diagonal; rows of Audiences without answers are NaN-free zeros
	ToPooled   []float64   // each Audience to the mix of all
	NoiseFloor float64     // what Mean would be if Audience made no difference (permutation)
	Pairs      int         // pairs of Audiences that both have answers
}

// Permutations of the noise floor, and the answers above which a sample stands
// for all, so that the work stays bounded.
const (
	permutations  = 200
	permuteAtMost = 20_000
)

// Diverge computes the divergence between groups of counts over the same
// options. The noise floor is the mean of seed-drawn permutations of answers
// over groups, so equal input gives an equal floor. ok is false when fewer than
// two groups have answers.
func Diverge(groups [][]int, seed uint64) (Divergence, bool) {
	sums := make([][]float64, len(groups))
	for i, g := range groups {
		sums[i] = floats(g)
	}
	return diverge(sums, groups, seed)
}

// DivergeWeighted is Diverge for sums of weights, each group with its effective
// base (Kish): shares are those of the sums, and what chance would do is drawn for
// bases of that size.
func DivergeWeighted(sums [][]float64, bases []float64, seed uint64) (Divergence, bool) {
	counts := make([][]int, len(sums))
	for i, g := range sums {
		counts[i] = make([]int, len(g))
		for j, share := range Shares(g) {
			counts[i][j] = int(math.Round(share * bases[i]))
		}
		for j, v := range g { // a group with answers keeps one, however small its base
			if v > 0 && !someAnswer(counts[i]) {
				counts[i][j] = 1
			}
		}
	}
	return diverge(sums, counts, seed)
}

func someAnswer(counts []int) bool {
	for _, c := range counts {
		if c > 0 {
			return true
		}
	}
	return false
}

// diverge takes what the shares are of, and the counts that chance deals anew.
func diverge(sums [][]float64, groups [][]int, seed uint64) (Divergence, bool) {
	var with []int
	for i, g := range groups {
		if someAnswer(g) {
			with = append(with, i)
		}
	}
	if len(with) < 2 {
		return Divergence{}, false
	}
	d := Divergence{Pairwise: make([][]float64, len(groups)), ToPooled: make([]float64, len(groups))}
	for i := range d.Pairwise {
		d.Pairwise[i] = make([]float64, len(groups))
	}
	k := len(groups[with[0]])
	shares := make([][]float64, len(groups))
	pooled := make([]float64, k)
	for _, i := range with {
		shares[i] = Shares(sums[i])
		for j, v := range sums[i] {
			pooled[j] += v
		}
	}
	pooled = Shares(pooled)
	for a, i := range with {
		d.ToPooled[i] = JensenShannon(shares[i], pooled)
		for _, j := range with[a+1:] {
			v := JensenShannon(shares[i], shares[j])
			d.Pairwise[i][j], d.Pairwise[j][i] = v, v
			d.Mean += v
			d.Pairs++
		}
	}
	d.Mean /= float64(d.Pairs)
	d.NoiseFloor = noiseFloor(groups, with, k, seed)
	return d, true
}

func noiseFloor(groups [][]int, with []int, k int, seed uint64) float64 {
	total := 0
	for _, i := range with {
		for _, c := range groups[i] {
			total += c
		}
	}
	// Very large bases: the floor falls as 1/n, so it is computed on a smaller
	// base of the same proportions and scaled.
	shrink := 1.0
	if total > permuteAtMost {
		shrink = float64(total) / permuteAtMost
	}
	var answers []int
	sizes := make([]int, len(with))
	for a, i := range with {
		for opt, c := range groups[i] {
			n := int(math.Round(float64(c) / shrink))
			sizes[a] += n
			for range n {
				answers = append(answers, opt)
			}
		}
		if sizes[a] == 0 { // a tiny group beside a huge one
			sizes[a] = 1
			answers = append(answers, argmax(groups[i]))
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x6e6f697365))
	rounds := permutations
	sum := 0.0
	counts := make([][]float64, len(with))
	for r := 0; r < rounds; r++ {
		rng.Shuffle(len(answers), func(i, j int) { answers[i], answers[j] = answers[j], answers[i] })
		at := 0
		for a := range with {
			counts[a] = make([]float64, k)
			for range sizes[a] {
				counts[a][answers[at]]++
				at++
			}
			counts[a] = Shares(counts[a])
		}
		pairs, mean := 0, 0.0
		for a := range with {
			for b := a + 1; b < len(with); b++ {
				mean += JensenShannon(counts[a], counts[b])
				pairs++
			}
		}
		sum += mean / float64(pairs)
	}
	return sum / float64(rounds) / shrink
}

func argmax(x []int) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}

func floats(x []int) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}
