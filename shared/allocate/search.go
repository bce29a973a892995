package allocate

// Weights of the search, each out of the next one's reach: a stated rule, a
// found one, a changed member, a changed segment of a member; deviations below.
const (
	weightStated = int64(1) << 52
	weightFound  = int64(1) << 46
	weightMember = int64(1) << 40
	weightChange = int64(1) << 34
)

// sweeps is how often each axis is gone through; the first of them may get worse.
const (
	sweeps     = 40
	calmSweeps = 15
)

// searchBudget bounds the looks at a pair of axes that a whole search may take: a
// second or two. Up to about 25 axes of a thousand members it is never reached.
const searchBudget = 150_000_000

// effort is how many trades are proposed in one sweep of one axis: up to 16 a
// member, fewer with many axes, so that hundreds of them stay affordable.
func (c *cohort) effort() int {
	looks := 0
	for _, views := range c.views {
		looks += len(views)
	}
	each := c.n * c.proposals()
	return max(1, min(each, searchBudget/(sweeps*max(1, looks))))
}

// proposals is how many trades a member is offered for one axis.
func (c *cohort) proposals() int { return min(16, max(2, 240/max(1, len(c.used)))) }

// search lowers the total deviation by letting two members trade their segments
// of one axis: every margin stays as it is. It is threshold accepting (Dueck and
// Scheuer 1990), simulated annealing without chance in its acceptance, so whole
// numbers decide and every machine decides alike. Trades that break rules, or
// change more members under new quotas, are out of the threshold's reach.
func (c *cohort) search(d *dice) {
	if len(c.used) < 2 && c.was == nil || c.n < 2 {
		return
	}
	effort := c.effort()
	for sweep := range sweeps {
		calm := sweep - (sweeps - calmSweeps)
		threshold := int64(0)
		if calm < 0 {
			threshold = int64(-calm) * 4 * scale / int64(sweeps-calmSweeps)
		}
		moved := 0
		for x := range c.used {
			if len(c.used[x].use) < 2 {
				continue
			}
			if c.left != nil && c.left() {
				return
			}
			for range effort {
				u, v := d.below(c.n), d.below(c.n)
				if c.col[x][u] == c.col[x][v] {
					continue
				}
				if delta := c.delta(x, u, v); delta < 0 || delta <= threshold && delta != 0 {
					c.trade(x, u, v)
					moved++
				}
			}
		}
		if moved == 0 && calm >= 0 {
			return
		}
	}
}

// delta is what a trade would change in the sum of squared deviations, in units
// of 2*scale, and in what stands above it.
func (c *cohort) delta(x, u, v int) int64 {
	col := c.col[x]
	s, t := int(col[u]), int(col[v])
	sumDev, worse := int64(0), int64(0)
	for i := range c.views[x] {
		w := &c.views[x][i]
		other := c.col[w.axis]
		a, b := int(other[u]), int(other[v])
		if a == b {
			continue
		}
		ra, rb := w.base+a*w.other, w.base+b*w.other
		as, at, bs, bt := ra+s*w.self, ra+t*w.self, rb+s*w.self, rb+t*w.self
		sumDev += w.weight * int64(c.dev[at]-c.dev[as]+c.dev[bs]-c.dev[bt]+2*scale)
		if w.hard {
			worse += rankWeight[c.hard[at]] - rankWeight[c.hard[as]] + rankWeight[c.hard[bs]] - rankWeight[c.hard[bt]]
		}
	}
	if c.was != nil {
		worse += c.strays(x, u, s, t) + c.strays(x, v, t, s)
	}
	return worse + sumDev
}

var rankWeight = [3]int64{0, weightFound, weightStated}

// strays is what it costs or saves that a member goes from one segment to
// another, seen from where it stood before.
func (c *cohort) strays(x, m, from, to int) int64 {
	was := int(c.was[x][m])
	if was < 0 {
		return 0
	}
	change := int64(0)
	if from != was {
		change--
	}
	if to != was {
		change++
	}
	if change == 0 {
		return 0
	}
	cost := change * weightChange
	if before := int64(c.off[m]); (before > 0) != (before+change > 0) {
		cost += change * weightMember
	}
	return cost
}

func (c *cohort) trade(x, u, v int) {
	col := c.col[x]
	s, t := int(col[u]), int(col[v])
	for i := range c.views[x] {
		w := &c.views[x][i]
		other := c.col[w.axis]
		ra, rb := w.base+int(other[u])*w.other, w.base+int(other[v])*w.other
		c.dev[ra+s*w.self] -= scale
		c.dev[ra+t*w.self] += scale
		c.dev[rb+t*w.self] -= scale
		c.dev[rb+s*w.self] += scale
	}
	if c.was != nil {
		c.step(x, u, s, t)
		c.step(x, v, t, s)
	}
	col[u], col[v] = int16(t), int16(s)
}

func (c *cohort) step(x, m, from, to int) {
	was := int(c.was[x][m])
	if was < 0 {
		return
	}
	if from != was {
		c.off[m]--
	}
	if to != was {
		c.off[m]++
	}
}

// broken is how many members stand in forbidden cells, counted once a cell; one
// that a caller stated outweighs any number of those found in data.
func (c *cohort) broken() int {
	n := 0
	for x, a := range c.aims {
		if a.hard == nil {
			continue
		}
		columns := len(c.used[a.j].use)
		for m := range c.n {
			switch c.hard[c.base[x]+int(c.col[a.i][m])*columns+int(c.col[a.j][m])] {
			case found:
				n++
			case stated:
				n += maxMembers * maxNames
			}
		}
	}
	return n
}
