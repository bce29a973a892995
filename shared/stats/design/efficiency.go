package design

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// coder lays out effects-coded columns as the estimation does: the last level is
// minus the sum of the others, a linear attribute runs from -1 to 1, and a none
// option has a constant of its own in the last column and zeros elsewhere.
type coder struct {
	c     Conjoint
	first []int
	width []int
	value [][][]float64 // attribute, level → its columns
	k     int
}

func (c Conjoint) coder() coder {
	d := coder{c: c}
	for a, n := range c.Levels {
		d.first = append(d.first, d.k)
		rows := make([][]float64, n)
		width := n - 1
		if c.Linear != nil && c.Linear[a] != nil {
			width = 1
			low, high := math.Inf(1), math.Inf(-1)
			for _, v := range c.Linear[a] {
				low, high = math.Min(low, v), math.Max(high, v)
			}
			for l := range rows {
				rows[l] = []float64{(c.Linear[a][l] - (low+high)/2) / ((high - low) / 2)}
			}
		} else {
			for l := range rows {
				rows[l] = make([]float64, width)
				for i := range width {
					switch l {
					case i:
						rows[l][i] = 1
					case n - 1:
						rows[l][i] = -1
					}
				}
			}
		}
		d.value = append(d.value, rows)
		d.width = append(d.width, width)
		d.k += width
	}
	if c.None {
		d.k++
	}
	return d
}

// rows is how many alternatives a task of n products compares.
func (d coder) rows(n int) int {
	if d.c.None {
		return n + 1
	}
	return n
}

func (d coder) row(product []int, out []float64) {
	clear(out)
	for a, l := range product {
		copy(out[d.first[a]:], d.value[a][l])
	}
}

// centred is the coded alternative j minus the mean of its task.
func (d coder) centred(task Choice, j int, out []float64) {
	n := float64(d.rows(len(task)))
	clear(out)
	for i, product := range task {
		share := -1 / n
		if i == j {
			share++
		}
		for a, l := range product {
			for w, v := range d.value[a][l] {
				out[d.first[a]+w] += share * v
			}
		}
	}
	if d.c.None {
		out[d.k-1] = -1 / n
	}
}

func (d coder) difference(a, from, to int, out []float64) {
	clear(out)
	for w := range d.width[a] {
		out[d.first[a]+w] = d.value[a][to][w] - d.value[a][from][w]
	}
}

// quadratic is v'Mv for a v that is zero outside attribute a.
func (d coder) quadratic(a int, v, m []float64) float64 {
	s := 0.0
	for i := d.first[a]; i < d.first[a]+d.width[a]; i++ {
		for j := d.first[a]; j < d.first[a]+d.width[a]; j++ {
			s += v[i] * v[j] * m[i*d.k+j]
		}
	}
	return s
}

// information sums X'(diag(P) - PP')X over all tasks with utilities of zero.
func (c Conjoint) information(d coder, versions [][]Choice) *mat.SymDense {
	sum := mat.NewSymDense(d.k, nil)
	row, mean := make([]float64, d.k), make([]float64, d.k)
	v := mat.NewVecDense(d.k, row)
	for _, version := range versions {
		for _, task := range version {
			n := float64(d.rows(len(task)))
			clear(mean)
			for _, product := range task {
				d.row(product, row)
				sum.SymRankOne(sum, 1/n, v)
				for i, x := range row {
					mean[i] += x / n
				}
			}
			if c.None {
				sum.SetSym(d.k-1, d.k-1, sum.At(d.k-1, d.k-1)+1/n)
				mean[d.k-1] = 1 / n
			}
			sum.SymRankOne(sum, -1, mat.NewVecDense(d.k, mean))
		}
	}
	return sum
}

// Measure counts what a design shows and computes its efficiency.
func (c Conjoint) Measure(versions [][]Choice) ConjointReport {
	code := c.coder()
	r := ConjointReport{LevelCounts: zeros(c.Levels), Parameters: code.k}
	for a := range c.Levels {
		for b := a + 1; b < len(c.Levels); b++ {
			p := PairCount{A: a, B: b}
			for range c.Levels[a] {
				p.Counts = append(p.Counts, make([]int, c.Levels[b]))
			}
			r.PairCounts = append(r.PairCounts, p)
		}
	}
	tasks, repeats := 0, 0
	for _, version := range versions {
		for _, task := range version {
			tasks++
			if c.someDominated(task) {
				r.Dominated++
			}
			used := zeros(c.Levels)
			for _, product := range task {
				for a, l := range product {
					r.LevelCounts[a][l]++
					if used[a][l]++; used[a][l] > 1 {
						repeats++
					}
				}
				for i := range r.PairCounts {
					p := &r.PairCounts[i]
					p.Counts[product[p.A]][product[p.B]]++
				}
			}
		}
	}
	if tasks == 0 {
		return r
	}
	r.Overlap = float64(repeats) / float64(tasks*c.Alternatives*len(c.Levels))
	var chol mat.Cholesky
	r.DError = math.Inf(1)
	if chol.Factorize(c.information(code, versions)) && chol.Cond() < 1e12 {
		log := chol.LogDet()
		r.DError = math.Exp(-log / float64(code.k))
		r.Efficiency = math.Exp((log - c.bound(code, tasks)) / float64(code.k))
	}
	return r
}

// bound is the largest log det I that any design of as many tasks could have:
// columns of different attributes uncorrelated (Fischer's inequality), each
// attribute's information spread evenly over its contrasts, its levels as
// little repeated within a task as their number allows, utilities balanced
// (Street and Burgess 2007). With trace s of one task's dummy-coded information,
// an attribute of L levels gives L (s/(L-1))^(L-1), since effects coding Z has
// det ZZ' = L.
func (c Conjoint) bound(d coder, tasks int) float64 {
	j, n := float64(c.Alternatives), float64(d.rows(c.Alternatives))
	sum := 0.0
	for a, levels := range c.Levels {
		if d.width[a] == 1 && c.Linear != nil && c.Linear[a] != nil {
			high := math.Ceil(j / 2) // half at each end
			rest := (2*high - j) / n
			s := j/n - rest*rest
			sum += math.Log(float64(tasks) * s)
			continue
		}
		l := float64(levels)
		squares := 0.0
		for i := range levels { // as even as whole numbers are
			share := c.Alternatives / levels
			if i < c.Alternatives%levels {
				share++
			}
			squares += float64(share * share)
		}
		s := j/n*(1-1/l) - (squares-j*j/l)/(n*n)
		sum += math.Log(l) + (l-1)*math.Log(float64(tasks)*s/(l-1))
	}
	if c.None {
		sum += math.Log(float64(tasks) * (1 - 1/n) / n)
	}
	return sum
}
