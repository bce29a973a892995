// Package newton maximises concave log-likelihoods, the engine below the logit
// models of choices and of best-worst answers.
package newton

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Ridge is the penalty with which a separated model is fitted again, and Far the
// size of a coefficient from which on it counts as separated: on the logit scale
// a coefficient of 10 says odds of 22,000 to 1, which no survey can show. Columns
// are expected to have a scale of about 1.
const (
	Ridge = .01
	Far   = 10
)

const (
	rounds    = 60
	tolerance = 1e-16 // of the Newton decrement, relative to 1 + |value|
)

// Objective gives the value at b. With gradient not nil it also adds the
// gradient and the upper triangle of the information (the negative Hessian,
// row-major, len(b)²) to the two slices, which come zeroed.
type Objective func(b, gradient, information []float64) float64

// Result is a maximum. Value is without the penalty; Inverse is the inverse of
// the information at B (with the penalty where Ridged).
type Result struct {
	B       []float64
	Value   float64
	Inverse *mat.SymDense
	Ridged  bool // the model was separated or not identified; B is penalised
	Rounds  int
}

// Maximise climbs from start (nil: zero) by Newton's method with step halving.
// Where the maximum lies at infinity (complete or quasi-complete separation) or
// the information is singular, it fits again with a ridge penalty and says so.
func Maximise(k int, start []float64, f Objective) Result {
	if start == nil {
		start = make([]float64, k)
	}
	r, ok := climb(start, f, 0)
	if ok {
		for _, v := range r.B {
			if math.Abs(v) > Far {
				ok = false
			}
		}
	}
	if !ok {
		r, _ = climb(make([]float64, k), f, Ridge)
		r.Ridged = true
	}
	return r
}

// climb reports false when the information became singular, a coefficient ran
// away or the rounds ended before the maximum.
func climb(start []float64, f Objective, ridge float64) (Result, bool) {
	k := len(start)
	penalty := func(b []float64) (p float64) {
		for _, v := range b {
			p += v * v
		}
		return ridge / 2 * p
	}
	b := append([]float64(nil), start...)
	gradient, information := make([]float64, k), make([]float64, k*k)
	next := make([]float64, k)
	step := mat.NewVecDense(k, nil)
	sym := mat.NewSymDense(k, nil)
	var chol mat.Cholesky
	r := Result{B: b}
	if k == 0 {
		r.Value, r.Inverse = f(b, nil, nil), &mat.SymDense{}
		return r, true
	}
	for r.Rounds = 1; r.Rounds <= rounds; r.Rounds++ {
		clear(gradient)
		clear(information)
		r.Value = f(b, gradient, information)
		for i := range k {
			gradient[i] -= ridge * b[i]
			for j := i; j < k; j++ {
				v := information[i*k+j]
				if i == j {
					v += ridge
				}
				sym.SetSym(i, j, v)
			}
		}
		if !chol.Factorize(sym) || chol.Cond() > 1e12 {
			return r, false
		}
		g := mat.NewVecDense(k, gradient)
		if chol.SolveVecTo(step, g) != nil {
			return r, false
		}
		decrement := mat.Dot(step, g)
		here := r.Value - penalty(b)
		if decrement <= tolerance*(1+math.Abs(here)) {
			inverse := mat.NewSymDense(k, nil)
			r.Inverse = inverse
			return r, chol.InverseTo(inverse) == nil
		}
		moved := false
		for t := 1.0; t > 1e-8; t /= 2 {
			far := 0.0
			for i := range next {
				next[i] = b[i] + t*step.AtVec(i)
				far = math.Max(far, math.Abs(next[i]))
			}
			if ridge == 0 && far > 4*Far {
				return r, false
			}
			if v := f(next, nil, nil) - penalty(next); v >= here-1e-12*(1+math.Abs(here)) {
				copy(b, next)
				moved = true
				break
			}
		}
		if !moved {
			return r, false
		}
	}
	return r, false
}
