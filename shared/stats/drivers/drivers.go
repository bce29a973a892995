// Package drivers says which scales move with an outcome: standardised
// regression, Johnson's relative weights and the Shapley decomposition of R².
// It tells association, not cause.
package drivers

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mindgate-dev/mindgate/shared/stats"
)

// MaxShapley is the most drivers whose 2^p subsets are all fitted.
const MaxShapley = 12

// Options of an analysis.
type Options struct {
	Names     []string // of the drivers, for warnings; numbers when nil
	Seed      uint64
	Resamples int // bootstrap of the weights and their ranks; none when 0
	ByShapley bool
}

// Driver is what is said about one driver. Figures are nil where a driver was
// dropped.
type Driver struct {
	Correlation    *float64
	Beta, T, VIF   *float64 // standardised coefficient, its t, variance inflation
	RelativeWeight *float64 // Johnson; shares of R²
	Shapley        *float64 // Lindeman, Merenda and Gold; nil above MaxShapley drivers
	Sign           int      // of the correlation
	Rank           *int     // by the chosen weight, 1 the strongest
	CI95           *[2]float64
	RankStability  *float64 // share of resamples that give the same rank
	Dropped        string   // why it is out: constant, or the same as another
}

// Analysis is a whole key driver analysis.
type Analysis struct {
	R2         float64
	SumCheck   float64 // sum of the chosen weights minus R², 0 but for rounding
	Drivers    []Driver
	N          int
	EffectiveN float64
	Warnings   []string
}

// Needed is the least number of complete answers for p drivers.
func Needed(p int) int { return max(30, 5*p) }

// Analyse relates the outcome y to the drivers x (x[driver][answer]), all
// complete; weights may be nil. Constant drivers, the later of two that are the
// same and combinations of earlier ones are dropped with a warning. Fewer than max(30, 5p) answers, a constant
// outcome or no driver left give stats.Insufficient.
//
// Relative weights (Johnson 2000): R = V D V', L = V sqrt(D) V', b = L^-1 r, and
// the weight of j is sum_k L_jk² b_k². Shapley (Lindeman, Merenda, Gold 1980) is
// the gain in R² averaged over all orders of entry. Both sum to R².
func Analyse(y []float64, x [][]float64, weights []float64, o Options) (Analysis, error) {
	a := Analysis{N: len(y), Drivers: make([]Driver, len(x))}
	if len(x) < 1 {
		return a, fmt.Errorf("drivers: there is no driver")
	}
	if weights != nil && len(weights) != len(y) {
		return a, fmt.Errorf("drivers: %d weights for %d answers", len(weights), len(y))
	}
	for j, c := range append([][]float64{y}, x...) {
		if len(c) != len(y) {
			return a, fmt.Errorf("drivers: driver %d has %d answers, the outcome %d", j, len(c), len(y))
		}
		for _, v := range c {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return a, fmt.Errorf("drivers: column %d holds %v; leave incomplete answers out", j, v)
			}
		}
	}
	w := weights
	if w == nil {
		w = ones(len(y))
	}
	a.EffectiveN = stats.Kish(w)
	if need := Needed(len(x)); len(y) < need {
		return a, &stats.Insufficient{Reason: fmt.Sprintf("%d answers; %d are needed for %d drivers.", len(y), need, len(x))}
	}
	name := func(j int) string {
		if j < len(o.Names) {
			return o.Names[j]
		}
		return fmt.Sprint("driver ", j+1)
	}
	cols := append([][]float64{y}, x...)
	r, constant := correlations(cols, w, nil)
	if constant[0] {
		return a, &stats.Insufficient{Reason: "All answers to the outcome are the same, so nothing can move it."}
	}
	var kept []int // columns of r
	for j := range x {
		d := &a.Drivers[j]
		if constant[j+1] {
			d.Dropped = fmt.Sprintf("All answers to %s are the same.", name(j))
		} else {
			for _, k := range kept {
				if math.Abs(r.At(k, j+1)) > 1-1e-9 {
					d.Dropped = fmt.Sprintf("%s says the same as %s (correlation %+.0f).", name(j), name(k-1), r.At(k, j+1))
					break
				}
			}
			if d.Dropped == "" && left(r, kept, j+1) < 1e-9 {
				d.Dropped = fmt.Sprintf("%s is a combination of the drivers before it.", name(j))
			}
		}
		if d.Dropped != "" {
			a.Warnings = append(a.Warnings, d.Dropped+" It was left out.")
			continue
		}
		c := r.At(0, j+1)
		d.Correlation, d.Sign = &c, sign(c)
		kept = append(kept, j+1)
	}
	if len(kept) == 0 {
		return a, &stats.Insufficient{Reason: "Every driver has the same answer from everybody."}
	}
	m := sub(r, kept)
	if !m.fit() || !a.write(m, kept, o, name) {
		return a, &stats.Insufficient{Reason: "The drivers depend on each other too much for a fit; leave some of them out."}
	}
	a.R2 = m.r2
	if o.Resamples > 0 {
		a.bootstrap(cols, w, kept, o)
	}
	return a, nil
}

// left is the part of a driver's variance that the kept ones do not explain.
func left(r *mat.SymDense, kept []int, j int) float64 {
	if len(kept) == 0 {
		return 1
	}
	m := model{p: len(kept), r: sub(r, kept).r, y: make([]float64, len(kept))}
	for a, k := range kept {
		m.y[a] = r.At(k, j)
	}
	if !m.fit() {
		return 0
	}
	return 1 - m.r2
}

func sign(c float64) int {
	switch {
	case c > 1e-12:
		return 1
	case c < -1e-12:
		return -1
	}
	return 0
}

func ones(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// correlations of columns under weights, over all rows or over drawn ones, and
// which columns never move. Constant columns correlate 0 with others.
func correlations(cols [][]float64, w []float64, drawn []int) (*mat.SymDense, []bool) {
	p := len(cols)
	rows := drawn
	if rows == nil {
		rows = make([]int, len(w))
		for i := range rows {
			rows[i] = i
		}
	}
	total := 0.0
	mean := make([]float64, p)
	for _, i := range rows {
		total += w[i]
		for j, c := range cols {
			mean[j] += w[i] * c[i]
		}
	}
	constant := make([]bool, p)
	r := mat.NewSymDense(p, nil)
	if total <= 0 {
		for j := range constant {
			constant[j] = true
		}
		return r, constant
	}
	for j := range mean {
		mean[j] /= total
	}
	cross := make([]float64, p*p)
	dev := make([]float64, p)
	for _, i := range rows {
		for j, c := range cols {
			dev[j] = c[i] - mean[j]
		}
		for j := range p {
			v := w[i] * dev[j]
			for k := j; k < p; k++ {
				cross[j*p+k] += v * dev[k]
			}
		}
	}
	for j := range p {
		constant[j] = cross[j*p+j] <= 1e-18*total*math.Max(1, mean[j]*mean[j])
	}
	for j := range p {
		r.SetSym(j, j, 1)
		for k := j + 1; k < p; k++ {
			if !constant[j] && !constant[k] {
				v := cross[j*p+k] / math.Sqrt(cross[j*p+j]*cross[k*p+k])
				r.SetSym(j, k, math.Max(-1, math.Min(1, v)))
			}
		}
	}
	return r, constant
}

// model is the correlation of kept drivers and their fit.
type model struct {
	p    int
	r    *mat.SymDense // of the drivers
	y    []float64     // of each driver with the outcome
	beta []float64
	vif  []float64
	r2   float64
}

func sub(r *mat.SymDense, kept []int) *model {
	m := &model{p: len(kept), r: mat.NewSymDense(len(kept), nil), y: make([]float64, len(kept))}
	for a, j := range kept {
		m.y[a] = r.At(0, j)
		for b, k := range kept {
			if b >= a {
				m.r.SetSym(a, b, r.At(j, k))
			}
		}
	}
	return m
}

// fit solves R beta = r. ok is false when the drivers depend on each other.
func (m *model) fit() bool {
	var chol mat.Cholesky
	if !chol.Factorize(m.r) || chol.Cond() > 1e10 {
		return false
	}
	var beta mat.VecDense
	if chol.SolveVecTo(&beta, mat.NewVecDense(m.p, m.y)) != nil {
		return false
	}
	var inverse mat.SymDense
	if chol.InverseTo(&inverse) != nil {
		return false
	}
	m.beta, m.vif = make([]float64, m.p), make([]float64, m.p)
	m.r2 = 0
	for j := range m.p {
		m.beta[j], m.vif[j] = beta.AtVec(j), inverse.At(j, j)
		m.r2 += m.beta[j] * m.y[j]
	}
	m.r2 = math.Min(1, math.Max(0, m.r2))
	return true
}

// relativeWeights is nil when the eigenvalues do not converge.
func (m *model) relativeWeights() []float64 {
	var eig mat.EigenSym
	if !eig.Factorize(m.r, true) {
		return nil
	}
	var v mat.Dense
	eig.VectorsTo(&v)
	root := eig.Values(nil)
	for i, d := range root {
		root[i] = math.Sqrt(math.Max(d, 0))
	}
	// L = V sqrt(D) V' is symmetric; b = L^-1 r = V D^-1/2 V' r.
	p := m.p
	b := make([]float64, p)
	for k := range p {
		if root[k] == 0 {
			continue
		}
		dot := 0.0
		for j := range p {
			dot += v.At(j, k) * m.y[j]
		}
		for j := range p {
			b[j] += v.At(j, k) * dot / root[k]
		}
	}
	out := make([]float64, p)
	for j := range p {
		for k := range p {
			l := 0.0
			for e := range p {
				l += v.At(j, e) * root[e] * v.At(k, e)
			}
			out[j] += l * l * b[k] * b[k]
		}
	}
	return out
}
