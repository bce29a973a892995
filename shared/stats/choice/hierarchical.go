package choice

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/distmat"
)

// Chain is how many rounds hierarchical Bayes draws: Burn are thrown away, then
// Keep are kept, one in Thin.
type Chain struct {
	Burn, Keep, Thin int
	Seed             uint64
}

// Long is the chain that a study of its own would take; Short starts, as every
// chain here, where expectation-maximisation ended, and gives posterior means to
// about the same few percent in a fifth of the time.
func Long(seed uint64) Chain  { return Chain{Burn: 2000, Keep: 1000, Thin: 5, Seed: seed} }
func Short(seed uint64) Chain { return Chain{Burn: 500, Keep: 500, Thin: 2, Seed: seed} }

// renew is the rounds of the burn-in between proposals fitted anew.
const renew = 50

// Hierarchical draws each member's utilities from the posterior of a normal
// population (Allenby and Rossi 1999; Rossi, Allenby and McCulloch 2005,
// chapter 5): mean | members normal under a flat prior, covariance inverse
// Wishart with K+3 degrees of freedom around (K+3)·I, a member's utilities by
// random-walk Metropolis of step 2.93/sqrt(K), shaped by the member's own
// information (Roberts and Rosenthal 2001). It gives posterior means. Weights
// count in mean and covariance. It shrinks less than Individuals does, because
// the posterior of few tasks leans away from its mode.
func Hierarchical(tasks []Task, members int, fit Fit, chain Chain) Population {
	e := newEM(tasks, members, fit)
	e.climb()
	g := newGibbs(e, chain.Seed)
	rounds := chain.Burn + chain.Keep*chain.Thin
	for round := range rounds {
		if round == 0 || round < chain.Burn && round%renew == 0 {
			g.propose()
		}
		g.population()
		for _, m := range g.members {
			g.step(m)
		}
		if round >= chain.Burn && (round-chain.Burn)%chain.Thin == chain.Thin-1 {
			g.collect()
		}
	}
	by := 1 / float64(chain.Keep)
	p := Population{Mean: g.sumMean, Covariance: mat.NewSymDense(e.k, nil), B: make([][]float64, members), Rounds: rounds, Converged: true}
	scale(p.Mean, by)
	p.Covariance.ScaleSym(by, g.sumSigma)
	for _, m := range g.members {
		scale(g.sum[m], by)
		p.B[m] = g.sum[m]
	}
	return p
}

func scale(x []float64, by float64) {
	for i := range x {
		x[i] *= by
	}
}

// gibbs is the state of the chain; em holds members, mean, covariance and its inverse.
type gibbs struct {
	*em
	rng       *rand.Rand
	members   []int
	shape     [][]float64 // information of each member's tasks at the mode
	root      [][]float64 // lower root of a member's proposal covariance, row-major
	logLik    []float64
	candidate []float64
	z         []float64
	sum       [][]float64
	sumMean   []float64
	sumSigma  *mat.SymDense
}

func newGibbs(e *em, seed uint64) *gibbs {
	k := e.k
	g := &gibbs{em: e, rng: rand.New(rand.NewPCG(seed, 0x68696572)), shape: make([][]float64, len(e.of)), root: make([][]float64, len(e.of)),
		logLik: make([]float64, len(e.of)), candidate: make([]float64, k), z: make([]float64, k),
		sum: make([][]float64, len(e.of)), sumMean: make([]float64, k), sumSigma: mat.NewSymDense(k, nil)}
	for m := range e.of {
		if e.of[m] == nil {
			continue
		}
		g.members = append(g.members, m)
		g.shape[m], g.root[m], g.sum[m] = make([]float64, k*k), make([]float64, k*k), make([]float64, k)
		clear(e.gradient)
		for _, i := range e.of[m] {
			g.logLik[m] += e.buffer.add(&e.tasks[i], e.b[m], 1, e.gradient, g.shape[m])
		}
	}
	return g
}

// propose fits the members' proposals to the covariance of now.
func (g *gibbs) propose() {
	_ = g.chol.Factorize(g.sigma)
	_ = g.chol.InverseTo(g.prior)
	lower := mat.NewTriDense(g.k, mat.Lower, nil)
	for _, m := range g.members {
		for i := range g.k {
			for j := i; j < g.k; j++ {
				g.info.SetSym(i, j, g.shape[m][i*g.k+j]+g.prior.At(i, j))
			}
		}
		if !g.chol.Factorize(g.info) || g.chol.InverseTo(g.post) != nil || !g.chol.Factorize(g.post) {
			continue
		}
		g.chol.LTo(lower)
		for i := range g.k {
			for j := range i + 1 {
				g.root[m][i*g.k+j] = lower.At(i, j) * 2.93 / math.Sqrt(float64(g.k))
			}
		}
	}
}

// population draws mean and covariance given the members.
func (g *gibbs) population() {
	df := float64(g.k + 3)
	center := make([]float64, g.k)
	for _, m := range g.members {
		for i, v := range g.b[m] {
			center[i] += g.weights[m] * v / g.total
		}
	}
	_ = g.chol.Factorize(g.sigma)
	g.normal(center, 1/math.Sqrt(g.total))
	scatter := g.spread
	scatter.Zero()
	d := mat.NewVecDense(g.k, nil)
	for _, m := range g.members {
		for i, v := range g.b[m] {
			d.SetVec(i, v-g.mean[i])
		}
		scatter.SymRankOne(scatter, g.weights[m], d)
	}
	for i := range g.k {
		scatter.SetSym(i, i, scatter.At(i, i)+df)
	}
	if !g.chol.Factorize(scatter) || g.chol.InverseTo(g.post) != nil {
		return
	}
	w, ok := distmat.NewWishart(g.post, df+g.total, g.rng)
	if !ok {
		return
	}
	w.RandSymTo(g.prior)
	if g.chol.Factorize(g.prior) {
		_ = g.chol.InverseTo(g.sigma)
	}
}

// normal sets the mean to a draw around center with the covariance in chol.
func (g *gibbs) normal(center []float64, by float64) {
	var lower mat.TriDense
	g.chol.LTo(&lower)
	for i := range g.z {
		g.z[i] = g.rng.NormFloat64()
	}
	for i := range g.mean {
		s := 0.0
		for j := range i + 1 {
			s += lower.At(i, j) * g.z[j]
		}
		g.mean[i] = center[i] + by*s
	}
}

// step moves one member, or leaves it.
func (g *gibbs) step(m int) {
	for i := range g.z {
		g.z[i] = g.rng.NormFloat64()
	}
	b, root := g.b[m], g.root[m]
	for i := range g.candidate {
		g.candidate[i] = b[i] + dot(root[i*g.k:i*g.k+i+1], g.z)
	}
	logLik := 0.0
	for _, i := range g.of[m] {
		logLik += g.buffer.add(&g.tasks[i], g.candidate, 1, nil, nil)
	}
	ratio := logLik - g.logLik[m] + (g.distance(b)-g.distance(g.candidate))/2
	if math.Log(g.rng.Float64()) < ratio {
		copy(b, g.candidate)
		g.logLik[m] = logLik
	}
}

// distance is (b - mean)' prior (b - mean).
func (g *gibbs) distance(b []float64) float64 {
	raw := g.prior.RawSymmetric()
	s := 0.0
	for i := range g.k {
		d := b[i] - g.mean[i]
		row := raw.Data[i*raw.Stride : i*raw.Stride+g.k]
		t := row[i] * d
		for j := i + 1; j < g.k; j++ {
			t += 2 * row[j] * (b[j] - g.mean[j])
		}
		s += d * t
	}
	return s
}

func (g *gibbs) collect() {
	for _, m := range g.members {
		for i, v := range g.b[m] {
			g.sum[m][i] += v
		}
	}
	for i, v := range g.mean {
		g.sumMean[i] += v
	}
	g.sumSigma.AddSym(g.sumSigma, g.sigma)
}
