package design

import (
	"gonum.org/v1/gonum/mat"
)

// passes bounds the rounds of coordinate exchange; it mostly settles in five.
const passes = 12

// exchange improves a design by coordinate exchange (Meyer and Nachtsheim 1995,
// for choices Huber and Zwerina 1996): it goes through every level of every
// alternative and takes the replacement that raises det I most, as long as the
// task stays free of prohibited, equal and dominated products. A change of one
// level is of rank two, so a candidate costs only quadratic forms.
func (c Conjoint) exchange(versions [][]Choice) {
	code := c.coder()
	banned := c.banned()
	k := code.k
	for range passes {
		info := c.information(code, versions)
		inverse := mat.NewSymDense(k, nil)
		for ridge := 1e-9; ; ridge *= 100 { // a start may leave something unidentified
			var chol mat.Cholesky
			if chol.Factorize(info) && chol.InverseTo(inverse) == nil {
				break
			}
			for i := range k {
				info.SetSym(i, i, info.At(i, i)+ridge)
			}
		}
		x := &exchanger{c: c, code: code, banned: banned, m: flatten(inverse), k: k,
			delta: make([]float64, k), y: make([]float64, k), my: make([]float64, k), md: make([]float64, k)}
		improved := false
		for _, version := range versions {
			for _, task := range version {
				for j := range task {
					for a := range c.Levels {
						improved = x.improve(task, j, a) || improved
					}
				}
			}
		}
		if !improved {
			return
		}
	}
}

func flatten(s *mat.SymDense) []float64 {
	k := s.SymmetricDim()
	out := make([]float64, k*k)
	for i := range k {
		for j := range k {
			out[i*k+j] = s.At(i, j)
		}
	}
	return out
}

type exchanger struct {
	c                Conjoint
	code             coder
	banned           map[[2]Level]bool
	m                []float64 // inverse of the information
	k                int
	delta, y, my, md []float64
}

// improve replaces the level of attribute a in alternative j, if one is better.
// With n rows in the task and x̄ their mean, changing row x by δ changes the
// task's information by (δy' + yδ' + (1-1/n)δδ')/n, y = x - x̄.
func (x *exchanger) improve(task Choice, j, a int) bool {
	n := float64(x.code.rows(len(task)))
	old := task[j][a]
	x.code.centred(task, j, x.y)
	x.times(x.y, x.my)
	yy := dot(x.y, x.my)
	best, most := old, 1+1e-7
	for l := range x.c.Levels[a] {
		if l == old || !x.possible(task, j, a, l) {
			continue
		}
		x.code.difference(a, old, l, x.delta)
		dd := x.code.quadratic(a, x.delta, x.m)
		dy := dot(x.delta, x.my)
		if r := ratio(dd, dy, yy, n); r > most {
			best, most = l, r
		}
	}
	if best == old {
		return false
	}
	x.code.difference(a, old, best, x.delta)
	x.times(x.delta, x.md)
	x.update(dot(x.delta, x.md), dot(x.delta, x.my), yy, n)
	task[j][a] = best
	return true
}

// ratio is det(I + UCU')/det(I) with U = [δ y] and C = [[1-1/n, 1], [1, 0]]/n.
func ratio(dd, dy, yy, n float64) float64 {
	p := 1 - 1/n
	return (1+(p*dd+dy)/n)*(1+dy/n) - (p*dy+yy)/n*(dd/n)
}

// update moves the inverse along by Woodbury's identity.
func (x *exchanger) update(dd, dy, yy, n float64) {
	p := 1 - 1/n
	// S = (C⁻¹ + U'MU)⁻¹ with C⁻¹ = n[[0, 1], [1, -p]].
	s00, s01, s11 := dd, n+dy, yy-n*p
	det := s00*s11 - s01*s01
	a, b, d := s11/det, -s01/det, s00/det
	for i := range x.k {
		for j := range x.k {
			x.m[i*x.k+j] -= a*x.md[i]*x.md[j] + b*(x.md[i]*x.my[j]+x.my[i]*x.md[j]) + d*x.my[i]*x.my[j]
		}
	}
}

func (x *exchanger) times(v, out []float64) {
	for i := range out {
		out[i] = dot(x.m[i*x.k:i*x.k+x.k], v)
	}
}

func (x *exchanger) possible(task Choice, j, a, l int) bool {
	for b, m := range task[j] {
		if b != a && len(x.banned) > 0 && x.banned[[2]Level{{a, l}, {b, m}}] {
			return false
		}
	}
	old := task[j][a]
	task[j][a] = l
	ok := x.c.fits(task, j, len(task))
	task[j][a] = old
	return ok
}

func dot(a, b []float64) float64 {
	s := 0.0
	for i, v := range a {
		s += v * b[i]
	}
	return s
}
