package design

import (
	"fmt"
	"math/rand/v2"
)

// generator fills tasks so that levels, and pairs of levels, are shown about
// equally often over all versions and within each.
type generator struct {
	c      Conjoint
	rng    *rand.Rand
	level  [][]int // shown so far, over all versions
	within [][]int // in this version
	pair   [][][][]int
	banned map[[2]Level]bool
}

func newGenerator(c Conjoint, rng *rand.Rand) *generator {
	g := &generator{c: c, rng: rng, level: zeros(c.Levels), within: zeros(c.Levels), banned: c.banned()}
	for a, n := range c.Levels {
		g.pair = append(g.pair, make([][][]int, len(c.Levels)))
		for b := a + 1; b < len(c.Levels); b++ {
			for range n {
				g.pair[a][b] = append(g.pair[a][b], make([]int, c.Levels[b]))
			}
		}
	}
	return g
}

func (c Conjoint) banned() map[[2]Level]bool {
	m := map[[2]Level]bool{}
	for _, p := range c.Prohibited {
		m[p] = true
		m[[2]Level{p[1], p[0]}] = true
	}
	return m
}

func zeros(levels []int) [][]int {
	out := make([][]int, len(levels))
	for a, n := range levels {
		out[a] = make([]int, n)
	}
	return out
}

func (g *generator) version(tasks int) ([]Choice, error) {
	for a := range g.within {
		clear(g.within[a])
	}
	var out []Choice
	for range tasks {
		t, err := g.task()
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, nil
}

func (g *generator) task() (Choice, error) {
	for attempt := range attempts {
		t := make(Choice, 0, g.c.Alternatives)
		used := zeros(g.c.Levels)
		for try := 0; len(t) < g.c.Alternatives && try < attempts; try++ {
			product, ok := g.product(used, float64(try)/8+float64(attempt)/4)
			if !ok {
				continue
			}
			t = append(t, product)
			if !g.c.fits(t, len(t)-1, len(t)-1) {
				t = t[:len(t)-1]
				continue
			}
			for a, l := range product {
				used[a][l]++
			}
		}
		if len(t) < g.c.Alternatives {
			continue
		}
		for _, product := range t {
			g.count(product)
		}
		return t, nil
	}
	return nil, fmt.Errorf("design: no task of %d different products was found; prohibit fewer pairs of levels, or show fewer alternatives", g.c.Alternatives)
}

// product draws one alternative attribute by attribute in random order, each
// time the level that has been used least, alone and with the levels already
// chosen. Half of the time a level already in the task counts against it, so
// that some overlap is kept (balanced overlap). noise grows with the tries, so that
// a rare feasible product is found.
func (g *generator) product(used [][]int, noise float64) ([]int, bool) {
	k := len(g.c.Levels)
	out := make([]int, k)
	avoid := g.rng.IntN(2) == 0
	order := g.rng.Perm(k)
	for i, a := range order {
		best, least := -1, 0.0
		for l := range g.c.Levels[a] {
			if !g.allowed(out, order[:i], a, l) {
				continue
			}
			cost := 2*float64(g.within[a][l]+used[a][l]) + float64(g.level[a][l])
			for _, b := range order[:i] {
				cost += float64(g.met(a, l, b, out[b])) * 2 / float64(k-1)
			}
			if avoid {
				cost += 4 * float64(used[a][l])
			}
			cost += g.rng.Float64() * (.5 + noise*(1+cost))
			if best < 0 || cost < least {
				best, least = l, cost
			}
		}
		if best < 0 {
			return nil, false
		}
		out[a] = best
	}
	return out, true
}

func (g *generator) allowed(out, chosen []int, a, l int) bool {
	if len(g.banned) == 0 {
		return true
	}
	for _, b := range chosen {
		if g.banned[[2]Level{{a, l}, {b, out[b]}}] {
			return false
		}
	}
	return true
}

func (g *generator) met(a, l, b, m int) int {
	if a > b {
		a, l, b, m = b, m, a, l
	}
	return g.pair[a][b][l][m]
}

func (g *generator) count(product []int) {
	for a, l := range product {
		g.level[a][l]++
		g.within[a][l]++
		for b := a + 1; b < len(product); b++ {
			g.pair[a][b][l][product[b]]++
		}
	}
}
