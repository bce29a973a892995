package maxdiff

import (
	"encoding/binary"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"github.com/mindgate-dev/mindgate/shared/stats/choice"
	"github.com/mindgate-dev/mindgate/shared/stats/newton"
)

// model is the log-likelihood of the sets. A set touches only the few items it
// shows, and equal answers to equal sets are one answer with their weights added,
// so a pass costs what the design has of different answers, times size².
type model struct {
	kind    Model
	items   int
	sets    []Set     // all answers
	kinds   []Set     // the different ones
	of      []int     // kind of each answer
	weights []float64 // by kind
	members int
	e       []float64 // exp(u) by item
	score   []float64 // of a set by place
	hess    []float64
	p       []float64
	mean    []float64
}

func newModel(s Study, sets []Set) *model {
	most := 0
	m := &model{kind: s.Model, items: s.Items, sets: sets, of: make([]int, len(sets)), members: s.Members, e: make([]float64, s.Items)}
	known := map[string]int{}
	var key []byte
	for i, set := range sets {
		most = max(most, len(set.Items))
		items := slices.Sorted(slices.Values(set.Items))
		key = key[:0]
		for _, it := range append(items, set.Best, set.Worst) {
			key = binary.AppendUvarint(key, uint64(it))
		}
		at, ok := known[string(key)]
		if !ok {
			at = len(m.kinds)
			known[string(key)] = at
			m.kinds = append(m.kinds, Set{Items: items, Best: set.Best, Worst: set.Worst})
		}
		m.of[i] = at
	}
	m.weights = make([]float64, len(m.kinds))
	m.score, m.mean = make([]float64, most), make([]float64, most)
	m.hess, m.p = make([]float64, most*most), make([]float64, most*most)
	return m
}

// weigh sets the weights; times, if given, is how often each member was drawn.
func (m *model) weigh(weights []float64, times []int) {
	clear(m.weights)
	for i, set := range m.sets {
		w := weight(weights, set.Member)
		if times != nil {
			w *= float64(times[set.Member])
		}
		m.weights[m.of[i]] += w
	}
}

func (m *model) fit(start []float64) newton.Result {
	return newton.Maximise(m.items-1, start, m.objective)
}

func (m *model) objective(b, gradient, information []float64) float64 {
	sum := 0.0
	k := len(b)
	m.prepare(b)
	for i, set := range m.kinds {
		w := m.weights[i]
		if w == 0 {
			continue
		}
		n := len(set.Items)
		sum += w * m.set(set, gradient != nil)
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

// prepare sets exp(u). Utilities stay below 4 newton.Far, so neither it nor its
// inverse overflows.
func (m *model) prepare(b []float64) {
	for i, u := range b {
		m.e[i] = math.Exp(u)
	}
	m.e[len(b)] = 1 // the last item
}

// set gives the log probability of one answer and, with derive, leaves its
// gradient and information by place in score and hess.
func (m *model) set(s Set, derive bool) float64 {
	if derive {
		clear(m.score)
		clear(m.hess)
	}
	var p float64
	if m.kind == Paired {
		p = m.paired(s, derive)
	} else {
		p = m.pick(s, 1, s.Best, -1, derive) * m.pick(s, -1, s.Worst, s.Best, derive)
	}
	return math.Log(p)
}

// pick is a logit over the items shown but the one left out, with utilities
// times sign.
func (m *model) pick(s Set, sign float64, chosen, out int, derive bool) float64 {
	n := len(s.Items)
	sum, taken := 0.0, 0.0
	for x, it := range s.Items {
		m.p[x] = 0
		if it == out {
			continue
		}
		m.p[x] = m.e[it]
		if sign < 0 {
			m.p[x] = 1 / m.e[it]
		}
		sum += m.p[x]
		if it == chosen {
			taken = m.p[x]
		}
	}
	if !derive {
		return taken / sum
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
	return taken / sum
}

func (m *model) paired(s Set, derive bool) float64 {
	n := len(s.Items)
	sum := 0.0
	for x, i := range s.Items {
		for y, j := range s.Items {
			m.p[x*n+y] = 0
			if x != y {
				m.p[x*n+y] = m.e[i] / m.e[j]
				sum += m.p[x*n+y]
			}
		}
	}
	taken := m.e[s.Best] / m.e[s.Worst] / sum
	if !derive {
		return taken
	}
	// The chosen pair adds 1 to its best and -1 to its worst; the mean of that
	// vector over pairs is score's other side, its covariance the information.
	clear(m.mean)
	for x := range n {
		for y := range n {
			p := m.p[x*n+y] / sum
			m.mean[x] += p
			m.mean[y] -= p
			m.hess[x*n+x] += p
			m.hess[y*n+y] += p
			m.hess[x*n+y] -= p
			m.hess[y*n+x] -= p
		}
	}
	for x, i := range s.Items {
		m.score[x] -= m.mean[x]
		switch i {
		case s.Best:
			m.score[x]++
		case s.Worst:
			m.score[x]--
		}
		for y := range n {
			m.hess[x*n+y] -= m.mean[x] * m.mean[y]
		}
	}
	return taken
}

// robust is the covariance that lets a member's sets hang together in any way
// (Huber 1967, Liang and Zeger 1986).
func (m *model) robust(b []float64, inverse *mat.SymDense, weights []float64) *mat.SymDense {
	k := len(b)
	m.prepare(b)
	of := make([][]float64, m.members)
	for i, set := range m.sets {
		if of[set.Member] == nil {
			of[set.Member] = make([]float64, k)
		}
		kind := m.kinds[m.of[i]]
		m.set(kind, true)
		for x, it := range kind.Items {
			if it < k {
				of[set.Member][it] += weight(weights, set.Member) * m.score[x]
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
