// Package choice estimates what people want from what they choose: the
// multinomial logit of whole samples, the utilities of each member, and what a
// conjoint study reports of them.
package choice

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/newton"
)

// Task is one choice. X has a row an alternative (a none option is a row too)
// and a column a parameter; rows may be shared between tasks. Columns should
// have a scale of about 1 (see newton.Far).
type Task struct {
	Member int // 0..members-1: whose choice it is
	X      [][]float64
	Chosen int     // row of X
	Weight float64 // of the member; 0 counts as 1
}

func (t Task) weight() float64 {
	if t.Weight == 0 {
		return 1
	}
	return t.Weight
}

// Fit is a multinomial logit model (McFadden 1974): P(j) = exp(x_j b)/sum exp(x_l b).
type Fit struct {
	B          []float64
	Model      *mat.SymDense // covariance by the model: the inverse of the information
	Robust     *mat.SymDense // by member: H⁻¹ (sum s_i s_i') H⁻¹, since a member's tasks hang together
	LogLik     float64
	LogLik0    float64 // all alternatives alike
	Tasks      int
	Members    int
	EffectiveN float64
	Separated  bool // no finite maximum: a ridge of newton.Ridge holds B, and no interval means anything
	Rounds     int
}

// Rho2 is McFadden's 1 - LL/LL0; ok is false when LL0 is 0.
func (f Fit) Rho2() (float64, bool) {
	if f.LogLik0 == 0 {
		return 0, false
	}
	return 1 - f.LogLik/f.LogLik0, true
}

// ModelSE and RobustSE are the standard errors of B.
func (f Fit) ModelSE() []float64  { return roots(f.Model) }
func (f Fit) RobustSE() []float64 { return roots(f.Robust) }

func roots(s *mat.SymDense) []float64 {
	out := make([]float64, s.SymmetricDim())
	for i := range out {
		out[i] = math.Sqrt(math.Max(0, s.At(i, i)))
	}
	return out
}

// MNL fits the model by Newton's method. It refuses (stats.Insufficient) fewer
// tasks than parameters/(alternatives-1), the least that could identify it.
func MNL(tasks []Task) (Fit, error) {
	k, err := check(tasks)
	if err != nil {
		return Fit{}, err
	}
	free := 0
	for _, t := range tasks {
		free += len(t.X) - 1
	}
	if free < k {
		return Fit{}, &stats.Insufficient{Reason: fmt.Sprintf(
			"%d choices with %d comparisons cannot carry %d parameters; ask more members or tasks.", len(tasks), free, k)}
	}
	buffer := newBuffer(tasks, k)
	r := newton.Maximise(k, nil, func(b, gradient, information []float64) float64 {
		sum := 0.0
		for i := range tasks {
			sum += buffer.add(&tasks[i], b, tasks[i].weight(), gradient, information)
		}
		return sum
	})
	f := Fit{B: r.B, LogLik: r.Value, Model: r.Inverse, Separated: r.Ridged, Rounds: r.Rounds, Tasks: len(tasks)}
	seen := map[int]bool{}
	var weights []float64
	for _, t := range tasks {
		f.LogLik0 -= t.weight() * math.Log(float64(len(t.X)))
		if !seen[t.Member] {
			seen[t.Member] = true
			weights = append(weights, t.weight())
		}
	}
	f.Members, f.EffectiveN = len(weights), stats.Kish(weights)
	f.Robust = sandwich(tasks, r.B, r.Inverse, buffer)
	return f, nil
}

func check(tasks []Task) (parameters int, err error) {
	if len(tasks) == 0 {
		return 0, &stats.Insufficient{Reason: "No task was answered."}
	}
	if len(tasks[0].X) == 0 {
		return 0, fmt.Errorf("choice: task 0 has no alternatives")
	}
	k := len(tasks[0].X[0])
	for i, t := range tasks {
		if len(t.X) < 2 || t.Chosen < 0 || t.Chosen >= len(t.X) {
			return 0, fmt.Errorf("choice: task %d chose %d of %d alternatives", i, t.Chosen, len(t.X))
		}
		if t.Member < 0 || t.Weight < 0 || math.IsNaN(t.Weight) || math.IsInf(t.Weight, 0) {
			return 0, fmt.Errorf("choice: task %d has member %d and weight %v", i, t.Member, t.Weight)
		}
		for _, row := range t.X {
			if len(row) != k {
				return 0, fmt.Errorf("choice: task %d has rows of %d and %d columns", i, k, len(row))
			}
		}
	}
	return k, nil
}

// buffer is the working memory of one pass over tasks.
type buffer struct{ p, mean []float64 }

func newBuffer(tasks []Task, k int) *buffer {
	most := 0
	for _, t := range tasks {
		most = max(most, len(t.X))
	}
	return &buffer{make([]float64, most), make([]float64, k)}
}

// add returns w times the log probability of the choice and, unless gradient is
// nil, adds w(x_chosen - x̄) to it and w(sum p x x' - x̄ x̄') to the upper triangle
// of information, if that is not nil.
func (u *buffer) add(t *Task, b []float64, w float64, gradient, information []float64) float64 {
	p := u.p[:len(t.X)]
	most := math.Inf(-1)
	for j, row := range t.X {
		p[j] = dot(row, b)
		most = math.Max(most, p[j])
	}
	sum := 0.0
	for j := range p {
		p[j] -= most
		sum += math.Exp(p[j])
	}
	ll := w * (p[t.Chosen] - math.Log(sum))
	if gradient == nil {
		return ll
	}
	k := len(b)
	clear(u.mean)
	for j, row := range t.X {
		p[j] = math.Exp(p[j]) / sum
		for c, v := range row {
			u.mean[c] += p[j] * v
		}
	}
	for c, v := range t.X[t.Chosen] {
		gradient[c] += w * (v - u.mean[c])
	}
	if information == nil {
		return ll
	}
	for j, row := range t.X {
		for c, v := range row {
			if v == 0 {
				continue
			}
			s := w * p[j] * v
			line := information[c*k : c*k+k]
			for d := c; d < k; d++ {
				line[d] += s * row[d]
			}
		}
	}
	for c, v := range u.mean {
		s := w * v
		line := information[c*k : c*k+k]
		for d := c; d < k; d++ {
			line[d] -= s * u.mean[d]
		}
	}
	return ll
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

// sandwich is the covariance that lets a member's tasks hang together in any
// way (Huber 1967, Liang and Zeger 1986), without a small-sample factor.
func sandwich(tasks []Task, b []float64, inverse *mat.SymDense, u *buffer) *mat.SymDense {
	k := len(b)
	scores := map[int][]float64{}
	var order []int
	for i := range tasks {
		s := scores[tasks[i].Member]
		if s == nil {
			s = make([]float64, k)
			scores[tasks[i].Member] = s
			order = append(order, tasks[i].Member)
		}
		u.add(&tasks[i], b, tasks[i].weight(), s, nil)
	}
	meat := mat.NewSymDense(k, nil)
	for _, m := range order {
		meat.SymRankOne(meat, 1, mat.NewVecDense(k, scores[m]))
	}
	return Sandwich(inverse, meat)
}

// Sandwich is bread · meat · bread.
func Sandwich(bread, meat *mat.SymDense) *mat.SymDense {
	k := bread.SymmetricDim()
	var left, all mat.Dense
	left.Mul(bread, meat)
	all.Mul(&left, bread)
	out := mat.NewSymDense(k, nil)
	for i := range k {
		for j := i; j < k; j++ {
			out.SetSym(i, j, (all.At(i, j)+all.At(j, i))/2)
		}
	}
	return out
}
