package maxdiff

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/mindgate-dev/mindgate/shared/stats/choice"
	"github.com/mindgate-dev/mindgate/shared/stats/newton"
)

// model is the log-likelihood of the sets. Equal answers of a member's weight
// are many, but a set touches only the few items it shows, so each pass costs
// sets × size², whatever the number of items.
type model struct {
	kind    Model
	items   int
	sets    []Set
	weights []float64 // by set
	members int
	score   []float64 // of a set by place
	hess    []float64
	p       []float64
}

func newModel(s Study, sets []Set) *model {
	most := 0
	for _, set := range sets {
		most = max(most, len(set.Items))
	}
	return &model{kind: s.Model, items: s.Items, sets: sets, weights: make([]float64, len(sets)), members: s.Members,
		score: make([]float64, most), hess: make([]float64, most*most), p: make([]float64, most*most)}
}

// weigh sets the weights; times, if given, is how often each member was drawn.
func (m *model) weigh(weights []float64, times []int) {
	for i, set := range m.sets {
		m.weights[i] = weight(weights, set.Member)
		if times != nil {
			m.weights[i] *= float64(times[set.Member])
		}
	}
}

func (m *model) fit(start []float64) newton.Result {
	return newton.Maximise(m.items-1, start, m.objective)
}

func (m *model) objective(b, gradient, information []float64) float64 {
	sum := 0.0
	k := len(b)
	for i, set := range m.sets {
		w := m.weights[i]
		if w == 0 {
			continue
		}
		n := len(set.Items)
		sum += w * m.set(set, b, gradient != nil)
		if gradient == nil {
			continue
		}
		for x, ix := range set.Items {
			if ix >= k {
				continue
			}
			gradient[ix] += w * m.score[x]
			if information == nil {
				continue
			}
			for y, iy := range set.Items {
				if iy < k && iy >= ix {
					information[ix*k+iy] += w * m.hess[x*n+y]
				}
			}
		}
	}
	return sum
}

func utility(b []float64, item int) float64 {
	if item < len(b) {
		return b[item]
	}
	return 0 // the last item
}

// set gives the log probability of one answer and, with derive, leaves its
// gradient and information by place in score and hess.
func (m *model) set(s Set, b []float64, derive bool) float64 {
	if derive {
		clear(m.score)
		clear(m.hess)
	}
	if m.kind == Paired {
		return m.paired(s, b, derive)
	}
	best := m.pick(s, b, 1, s.Best, -1, derive)
	return best + m.pick(s, b, -1, s.Worst, s.Best, derive)
}

// pick is a logit over the items shown but the one left out, with utilities
// times sign.
func (m *model) pick(s Set, b []float64, sign float64, chosen, out int, derive bool) float64 {
	n := len(s.Items)
	most := math.Inf(-1)
	for _, it := range s.Items {
		if it != out {
			most = math.Max(most, sign*utility(b, it))
		}
	}
	sum := 0.0
	for x, it := range s.Items {
		m.p[x] = 0
		if it != out {
			m.p[x] = math.Exp(sign*utility(b, it) - most)
			sum += m.p[x]
		}
	}
	value := sign*utility(b, chosen) - most - math.Log(sum)
	if !derive {
		return value
	}
	for x := range s.Items {
		m.p[x] /= sum
	}
	for x, it := range s.Items {
		m.score[x] -= sign * m.p[x]
		if it == chosen {
			m.score[x] += sign
		}
		m.hess[x*n+x] += m.p[x]
		for y := range s.Items {
			m.hess[x*n+y] -= m.p[x] * m.p[y]
		}
	}
	return value
}

func (m *model) paired(s Set, b []float64, derive bool) float64 {
	n := len(s.Items)
	low, high := math.Inf(1), math.Inf(-1)
	for _, it := range s.Items {
		u := utility(b, it)
		low, high = math.Min(low, u), math.Max(high, u)
	}
	most := high - low
	sum := 0.0
	for x, i := range s.Items {
		for y, j := range s.Items {
			m.p[x*n+y] = 0
			if x != y {
				m.p[x*n+y] = math.Exp(utility(b, i) - utility(b, j) - most)
				sum += m.p[x*n+y]
			}
		}
	}
	value := utility(b, s.Best) - utility(b, s.Worst) - most - math.Log(sum)
	if !derive {
		return value
	}
	// The chosen pair adds 1 to its best and -1 to its worst; the mean of that
	// vector over pairs is score's other side, its covariance the information.
	mean := make([]float64, n)
	for x := range n {
		for y := range n {
			p := m.p[x*n+y] / sum
			mean[x] += p
			mean[y] -= p
			m.hess[x*n+x] += p
			m.hess[y*n+y] += p
			m.hess[x*n+y] -= p
			m.hess[y*n+x] -= p
		}
	}
	for x, i := range s.Items {
		m.score[x] -= mean[x]
		switch i {
		case s.Best:
			m.score[x]++
		case s.Worst:
			m.score[x]--
		}
		for y := range n {
			m.hess[x*n+y] -= mean[x] * mean[y]
		}
	}
	return value
}

// robust is the covariance that lets a member's sets hang together in any way
// (Huber 1967, Liang and Zeger 1986).
func (m *model) robust(b []float64, inverse *mat.SymDense) *mat.SymDense {
	k := len(b)
	of := make([][]float64, m.members)
	for i, set := range m.sets {
		if of[set.Member] == nil {
			of[set.Member] = make([]float64, k)
		}
		m.set(set, b, true)
		for x, it := range set.Items {
			if it < k {
				of[set.Member][it] += m.weights[i] * m.score[x]
			}
		}
	}
	meat := mat.NewSymDense(k, nil)
	for _, s := range of {
		if s != nil {
			meat.SymRankOne(meat, 1, mat.NewVecDense(k, s))
		}
	}
	return choice.Sandwich(inverse, meat)
}
