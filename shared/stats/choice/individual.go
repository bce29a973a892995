package choice

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Population is a normal distribution of utilities over members, and each
// member's most likely utilities under it.
type Population struct {
	Mean       []float64
	Covariance *mat.SymDense
	B          [][]float64 // by member; nil for one without tasks
	Rounds     int
	Converged  bool
}

const (
	emRounds    = 45
	emTolerance = 2e-3 // of a standard deviation
	mapSteps    = 12
)

// Individuals estimates each member's utilities by empirical Bayes: members are
// drawn from a normal distribution, whose mean and covariance come from
// expectation-maximisation (Dempster, Laird and Rubin 1977) with the posterior
// of a member taken as normal around its mode (Laplace). The covariance leans on
// an inverse Wishart prior of K+3 degrees of freedom around the unit matrix, as
// in hierarchical Bayes (Rossi, Allenby and McCulloch 2005), so that few members
// can carry it. Members without tasks get nil. It draws nothing: equal tasks
// give equal utilities.
//
// Plain rounds would take the longer the more members there are; every third is
// therefore an extrapolation of the two before (SQUAREM, Varadhan and Roland 2008).
func Individuals(tasks []Task, members int, fit Fit) Population {
	e := newEM(tasks, members, fit)
	rounds, converged := e.climb()
	return Population{B: e.b, Mean: e.mean, Covariance: e.sigma, Rounds: rounds, Converged: converged}
}

// climb runs the rounds and leaves members at their modes under the last population.
func (e *em) climb() (rounds int, converged bool) {
	round := func() []float64 {
		rounds++
		e.expect()
		converged = e.maximise() < emTolerance
		return e.state()
	}
	for before := e.state(); rounds < emRounds && !converged; {
		first := round()
		if converged {
			break
		}
		second := round()
		if converged {
			break
		}
		e.leap(before, first, second)
		before = round()
	}
	e.expect()
	return rounds, converged
}

// state is the mean and the covariance in one row.
func (e *em) state() []float64 {
	out := append([]float64(nil), e.mean...)
	for i := range e.k {
		for j := i; j < e.k; j++ {
			out = append(out, e.sigma.At(i, j))
		}
	}
	return out
}

// leap sets the state to the extrapolation of three, unless its covariance is none.
func (e *em) leap(zero, one, two []float64) {
	var rr, vv float64
	for i := range zero {
		r := one[i] - zero[i]
		v := two[i] - one[i] - r
		rr, vv = rr+r*r, vv+v*v
	}
	if vv == 0 {
		return
	}
	step := math.Sqrt(rr / vv)
	if step <= 1 {
		return // no faster than the rounds themselves
	}
	next := make([]float64, len(zero))
	for i := range zero {
		r := one[i] - zero[i]
		next[i] = zero[i] + 2*step*r + step*step*(two[i]-one[i]-r)
	}
	sigma := mat.NewSymDense(e.k, nil)
	at := e.k
	for i := range e.k {
		for j := i; j < e.k; j++ {
			sigma.SetSym(i, j, next[at])
			at++
		}
	}
	if !e.chol.Factorize(sigma) || e.chol.Cond() > 1e8 {
		return
	}
	copy(e.mean, next[:e.k])
	e.sigma.CopySym(sigma)
}

// em is the state and working memory of the rounds.
type em struct {
	k        int
	tasks    []Task
	of       [][]int // tasks by member
	weights  []float64
	total    float64
	b        [][]float64
	mean     []float64
	sigma    *mat.SymDense
	prior    *mat.SymDense // inverse of sigma
	spread   *mat.SymDense // weighted sum of the members' posterior covariances
	buffer   *buffer
	chol     mat.Cholesky
	info     *mat.SymDense
	post     *mat.SymDense
	gradient []float64
	flat     []float64
	step     *mat.VecDense
	next     []float64
}

func newEM(tasks []Task, members int, fit Fit) *em {
	k := len(fit.B)
	e := &em{k: k, tasks: tasks, of: make([][]int, members), weights: make([]float64, members), b: make([][]float64, members),
		mean: append([]float64(nil), fit.B...), sigma: mat.NewSymDense(k, nil), prior: mat.NewSymDense(k, nil), spread: mat.NewSymDense(k, nil),
		buffer: newBuffer(tasks, k), info: mat.NewSymDense(k, nil), post: mat.NewSymDense(k, nil),
		gradient: make([]float64, k), flat: make([]float64, k*k), step: mat.NewVecDense(k, nil), next: make([]float64, k)}
	count := 0
	for i, t := range tasks {
		if e.of[t.Member] == nil {
			count++
			e.b[t.Member] = append([]float64(nil), fit.B...)
			e.weights[t.Member] = t.weight()
			e.total += t.weight()
		}
		e.of[t.Member] = append(e.of[t.Member], i)
	}
	for m := range e.weights { // to a mean of 1, so that the prior weighs the same
		e.weights[m] *= float64(count) / e.total
	}
	e.total = float64(count)
	for i := range k {
		e.sigma.SetSym(i, i, 1)
	}
	return e
}

// expect moves every member to its mode under the population.
func (e *em) expect() {
	e.chol.Factorize(e.sigma)
	_ = e.chol.InverseTo(e.prior)
	e.spread.Zero()
	for m := range e.of {
		if e.of[m] == nil {
			continue
		}
		e.mode(m)
		for i := range e.k {
			for j := i; j < e.k; j++ {
				e.spread.SetSym(i, j, e.spread.At(i, j)+e.weights[m]*e.post.At(i, j))
			}
		}
	}
}

// mode climbs to the mode of one member and leaves its posterior covariance in post.
func (e *em) mode(m int) {
	b := e.b[m]
	for range mapSteps {
		value := e.derive(m, b)
		grad := mat.NewVecDense(e.k, e.gradient)
		e.chol.Factorize(e.info)
		_ = e.chol.SolveVecTo(e.step, grad)
		decrement := mat.Dot(e.step, grad)
		if decrement < 1e-6 {
			break
		}
		for t := 1.0; t > 1e-4; t /= 2 {
			for i := range e.next {
				e.next[i] = b[i] + t*e.step.AtVec(i)
			}
			if e.value(m, e.next) >= value {
				copy(b, e.next)
				break
			}
		}
	}
	_ = e.chol.InverseTo(e.post)
}

// derive gives the log posterior, its gradient and its information at b.
func (e *em) derive(m int, b []float64) float64 {
	clear(e.gradient)
	clear(e.flat)
	sum := 0.0
	for _, i := range e.of[m] {
		sum += e.buffer.add(&e.tasks[i], b, 1, e.gradient, e.flat)
	}
	raw := e.prior.RawSymmetric()
	for i := range e.k {
		pull := 0.0
		for j := range e.k {
			pull += e.at(raw.Data, raw.Stride, i, j) * (b[j] - e.mean[j])
		}
		e.gradient[i] -= pull
		sum -= (b[i] - e.mean[i]) * pull / 2
		for j := i; j < e.k; j++ {
			e.info.SetSym(i, j, e.flat[i*e.k+j]+raw.Data[i*raw.Stride+j])
		}
	}
	return sum
}

func (e *em) value(m int, b []float64) float64 {
	sum := 0.0
	for _, i := range e.of[m] {
		sum += e.buffer.add(&e.tasks[i], b, 1, nil, nil)
	}
	raw := e.prior.RawSymmetric()
	for i := range e.k {
		pull := 0.0
		for j := range e.k {
			pull += e.at(raw.Data, raw.Stride, i, j) * (b[j] - e.mean[j])
		}
		sum -= (b[i] - e.mean[i]) * pull / 2
	}
	return sum
}

// at reads a symmetric matrix of which only the upper triangle is stored.
func (e *em) at(data []float64, stride, i, j int) float64 {
	if j < i {
		i, j = j, i
	}
	return data[i*stride+j]
}

// maximise sets the population to the members and returns the largest move of
// its mean and standard deviations, in standard deviations.
func (e *em) maximise() float64 {
	moved := 0.0
	before := make([]float64, e.k)
	for i := range before {
		before[i] = math.Sqrt(e.sigma.At(i, i))
	}
	mean := make([]float64, e.k)
	for m, b := range e.b {
		for i, v := range b {
			mean[i] += e.weights[m] * v / e.total
		}
	}
	for i, v := range mean {
		moved = math.Max(moved, math.Abs(v-e.mean[i])/before[i])
		e.mean[i] = v
	}
	df := float64(e.k + 3)
	e.sigma.CopySym(e.spread)
	d := mat.NewVecDense(e.k, nil)
	for m, b := range e.b {
		if b == nil {
			continue
		}
		for i, v := range b {
			d.SetVec(i, v-mean[i])
		}
		e.sigma.SymRankOne(e.sigma, e.weights[m], d)
	}
	for i := range e.k {
		e.sigma.SetSym(i, i, e.sigma.At(i, i)+df)
	}
	e.sigma.ScaleSym(1/(e.total+df), e.sigma)
	for i := range before {
		moved = math.Max(moved, math.Abs(math.Sqrt(e.sigma.At(i, i))-before[i])/before[i])
	}
	return moved
}
