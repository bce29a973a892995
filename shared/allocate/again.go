package allocate

import (
	"slices"
	"sort"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Again fits a standing cohort to new quotas with the fewest changed members
// (M-144): members leave segments that have become too full for those that want
// people, those first who stand in several of them; then trades look for the
// same margins with still fewer changed members, then fewer changed segments,
// then better joint figures.
//
// now has one row a standing member and one column an axis of in.Axes: the label
// it stands for, empty when it stands for none. Rows beyond now are new members.
// Nobody changes place, so slots stay.
func Again(in Input, now [][]string) (Result, []Move, error) {
	if len(now) > in.Members {
		return Result{}, nil, fault.New(fault.Validation, "A cohort of %d cannot be fitted to %d members: nobody is taken away.", len(now), in.Members)
	}
	p, err := prepare(in, now)
	if err != nil || p.skip != "" {
		return p.skipped(), nil, err
	}
	before := p.standing(now)
	var best *cohort
	for attempt := range attempts {
		d := newDice(in.Config.Seed, uint64(attempt))
		c := newCohort(p.n, p.used, p.aims)
		c.was = before
		c.refit(d)
		c.count()
		c.search(d)
		if best == nil || c.broken() < best.broken() {
			best = c
		}
		if best.broken() == 0 {
			break
		}
	}
	r, err := p.result(best)
	if err != nil {
		return Result{}, nil, err
	}
	return r, p.moves(best, now), nil
}

// keep makes what stands the quotas of the axes named in Keep, when every member
// has a segment of it and nobody is new: rounding anew, or somebody who was
// deleted meanwhile, is no reason to change the others.
func (p *plan) keep(now [][]string) {
	if len(now) < p.in.Members {
		return
	}
	was := p.standing(now)
	for x, m := range p.used {
		if !slices.Contains(p.in.Keep, m.Name) {
			continue
		}
		count := make([]int, len(m.use))
		known := 0
		for _, s := range was[x] {
			if s >= 0 {
				count[s]++
				known++
			}
		}
		if known == p.n {
			m.quota, m.even = count, proportional(count, m.share, p.n)
		}
	}
}

// standing maps the labels of now to segments, axis by axis; -1 is none.
func (p *plan) standing(now [][]string) [][]int16 {
	column := make(map[string]int, len(p.in.Axes))
	for i, a := range p.in.Axes {
		column[a.Name] = i
	}
	was := make([][]int16, len(p.used))
	for x, m := range p.used {
		was[x] = make([]int16, p.n)
		byLabel := make(map[string]int16, len(m.use))
		for s := range m.use {
			byLabel[m.label(s)] = int16(s)
		}
		at := column[m.Name]
		for k, place := range p.places {
			was[x][k] = -1
			if place < len(now) && at < len(now[place]) {
				if s, ok := byLabel[now[place][at]]; ok {
					was[x][k] = s
				}
			}
		}
	}
	return was
}

// refit moves members from segments with too many to segments with too few.
func (c *cohort) refit(d *dice) {
	over := make([][]int, len(c.used)) // per axis and segment, members too many
	surplus := make([]int, len(c.used))
	for x, m := range c.used {
		over[x] = make([]int, len(m.use))
		for s, q := range m.quota {
			over[x][s] = -q
		}
		for _, s := range c.was[x] {
			if s >= 0 {
				over[x][s]++
			}
		}
		for _, o := range over[x] {
			surplus[x] += max(0, o)
		}
	}
	// How many crowded segments a member stands in: one who leaves several at
	// once saves others from changing.
	crowded := make([]int, c.n)
	touched := make([]bool, c.n)
	for x := range c.used {
		for m, s := range c.was[x] {
			if s >= 0 && over[x][s] > 0 {
				crowded[m]++
			}
			touched[m] = touched[m] || s < 0
		}
	}
	axes := make([]int, len(c.used))
	for x := range axes {
		axes[x] = x
	}
	sort.SliceStable(axes, func(a, b int) bool { return surplus[axes[a]] > surplus[axes[b]] })
	c.off = make([]int16, c.n)
	for _, x := range axes {
		c.refitAxis(d, x, over[x], crowded, touched)
	}
	for x := range c.used {
		for m, s := range c.was[x] {
			if s >= 0 && c.col[x][m] != s {
				c.off[m]++
			}
		}
	}
}

func (c *cohort) refitAxis(d *dice, x int, over, crowded []int, touched []bool) {
	col := append([]int16(nil), c.was[x]...)
	order := make([]int, c.n)
	for m := range order {
		order[m] = m
	}
	d.shuffle(c.n, func(i, j int) { order[i], order[j] = order[j], order[i] })
	sort.SliceStable(order, func(a, b int) bool {
		p, q := order[a], order[b]
		if touched[p] != touched[q] {
			return touched[p]
		}
		return crowded[p] > crowded[q]
	})
	free := make([]int, 0, c.n)
	for _, m := range order {
		s := col[m]
		switch {
		case s < 0:
			free = append(free, m)
		case over[s] > 0:
			over[s]--
			touched[m] = true
			free = append(free, m)
		}
	}
	wanting := 0
	for _, m := range free {
		for over[wanting] >= 0 {
			wanting++
		}
		over[wanting]++
		col[m] = int16(wanting)
	}
	c.col[x] = col
}

// moves lists the members whose cell differs: other segments on the axes of the
// new allocation, or segments of axes that are new to them.
func (p *plan) moves(c *cohort, now [][]string) []Move {
	column := make(map[string]int, len(p.in.Axes))
	for i, a := range p.in.Axes {
		column[a.Name] = i
	}
	var out []Move
	for k, place := range p.places {
		m := Move{Member: place, New: place >= len(now)}
		for x, u := range p.used {
			from, to := "", u.label(int(c.col[x][k]))
			if at := column[u.Name]; !m.New && at < len(now[place]) {
				from = now[place][at]
			}
			if from != to {
				m.Changes = append(m.Changes, Change{Axis: u.Name, Dimension: u.Dimension, From: from, To: to})
			}
		}
		if len(m.Changes) > 0 {
			out = append(out, m)
		}
	}
	return out
}
