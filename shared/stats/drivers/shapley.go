package drivers

import (
	"math"
	"math/bits"
)

// shapley averages each driver's gain in R² over all orders of entry, from the
// R² of every subset: the weight of a subset of size s is s! (p - s - 1)! / p!.
func (m *model) shapley() []float64 {
	if m.p > MaxShapley {
		return nil
	}
	r2 := m.subsets()
	share := make([]float64, m.p) // weight by size of the subset entered into
	for s := range share {
		share[s] = 1 / (float64(m.p) * binomial(m.p-1, s))
	}
	out := make([]float64, m.p)
	for set, before := range r2 {
		w := share[min(bits.OnesCount(uint(set)), m.p-1)]
		for j := range out {
			if set>>j&1 == 0 {
				out[j] += w * (r2[set|1<<j] - before)
			}
		}
	}
	return out
}

func binomial(n, k int) float64 {
	c := 1.0
	for i := 1; i <= k; i++ {
		c = c * float64(n-k+i) / float64(i)
	}
	return math.Round(c)
}

// subsets is the R² of each subset of drivers. Subsets are walked depth first,
// one row of the Cholesky factor a step: adding driver j to a subset costs one
// forward substitution, and z = L^-1 r gives R² = |z|².
func (m *model) subsets() []float64 {
	r2 := make([]float64, 1<<m.p)
	l := make([][]float64, m.p)
	for i := range l {
		l[i] = make([]float64, m.p)
	}
	r := make([][]float64, m.p)
	for j := range r {
		r[j] = make([]float64, m.p)
		for k := range r[j] {
			r[j][k] = m.r.At(j, k)
		}
	}
	z := make([]float64, m.p)
	in := make([]int, 0, m.p)
	var walk func(set, from int)
	walk = func(set, from int) {
		for j := from; j < m.p; j++ {
			n := len(in)
			row := l[n]
			left, zj, rj := 1.0, m.y[j], r[j]
			for i, k := range in {
				v, li := rj[k], l[i]
				for e, x := range row[:i] {
					v -= x * li[e]
				}
				row[i] = v / li[i]
				left -= row[i] * row[i]
				zj -= row[i] * z[i]
			}
			next := set | 1<<j
			r2[next] = r2[set]
			if left < 1e-12 { // says nothing beyond the subset
				row[n], z[n] = 1e-6, 0
			} else {
				row[n] = math.Sqrt(left)
				z[n] = zj / row[n]
				r2[next] += z[n] * z[n]
			}
			in = append(in, j)
			walk(next, j+1)
			in = in[:n]
		}
	}
	walk(0, 0)
	return r2
}
