package allocate

import (
	"math"
	"sort"
)

// scale is how finely deviations are counted: whole numbers, so that no machine
// decides differently.
const scale = 256

// cellBudget bounds the joint cells that are watched at once (16 MB). Pairs
// beyond it keep their margins, and the audit counts them.
const cellBudget = 4_000_000

// cohort is an allocation in the making: a column of segments for each axis and
// the deviation of every joint cell from its aim.
type cohort struct {
	left  func() bool // the caller is gone; nil: stays
	n     int
	used  []*margin
	aims  []*aim    // the watched ones
	base  []int     // per aim, where its cells begin
	col   [][]int16 // per axis, per member
	dev   []int32   // (count - want) * scale
	hard  []uint8
	views [][]view // per axis, the pairs it is in

	untracked int

	// Under new quotas: the segment each member had, -1 for none, and on how many
	// axes it differs now.
	was [][]int16
	off []int16
}

// view is a pair seen from one of its axes: cell = base + other*a + self*s.
type view struct {
	axis        int // the other one
	base        int
	other, self int
	weight      int64
	hard        bool
}

// knownWeight is how much more a joint figure that somebody observed or stated
// counts than one that follows from assuming independence.
const knownWeight = 4

func newCohort(n int, used []*margin, all []*aim) *cohort {
	c := &cohort{n: n, used: used, views: make([][]view, len(used)), col: make([][]int16, len(used))}
	size := 0
	for _, a := range all {
		rows, columns := len(used[a.i].use), len(used[a.j].use)
		if size+rows*columns > cellBudget {
			c.untracked++
			continue
		}
		w := int64(1)
		if a.assumption != Independent {
			w = knownWeight
		}
		c.views[a.i] = append(c.views[a.i], view{a.j, size, 1, columns, w, a.hard != nil})
		c.views[a.j] = append(c.views[a.j], view{a.i, size, columns, 1, w, a.hard != nil})
		c.aims, c.base = append(c.aims, a), append(c.base, size)
		size += rows * columns
	}
	c.dev, c.hard = make([]int32, size), make([]uint8, size)
	for x, a := range c.aims {
		columns := len(used[a.j].use)
		for s := range used[a.i].use {
			for t := range used[a.j].use {
				at := c.base[x] + s*columns + t
				c.dev[at] = -int32(math.Round(a.at(used, s, t) * scale))
				if a.hard != nil {
					c.hard[at] = a.hard[s][t]
				}
			}
		}
	}
	return c
}

// count enters the columns into the deviations; once, when all stand.
func (c *cohort) count() {
	for x, a := range c.aims {
		columns := len(c.used[a.j].use)
		for m := range c.n {
			c.dev[c.base[x]+int(c.col[a.i][m])*columns+int(c.col[a.j][m])] += scale
		}
	}
}

// start gives every member a segment of every axis: exact margins, the largest
// pair of axes by controlled rounding, the others slice by slice.
func (c *cohort) start(d *dice, strategy string) {
	placed := make([]int, 0, len(c.used))
	if strategy == Aligned {
		placed = c.alignedStart()
	}
	switch {
	case len(placed) > 1:
	case len(c.used) == 0:
		return
	case len(c.used) == 1:
		c.run(0, nil)
		return
	default:
		placed = c.pairStart(d)
	}
	for _, x := range c.order(placed) {
		c.slice(d, x, c.slicers(x, placed))
		placed = append(placed, x)
	}
}

// manyAxes is from where on axes without rules are seated by the dice.
const manyAxes = 30

// ruled tells whether a rule binds an axis to another.
func (c *cohort) ruled(x int) bool {
	for _, a := range c.aims {
		if a.hard != nil && (a.i == x || a.j == x) {
			return true
		}
	}
	return false
}

// run lays the seats of an axis along the members in order.
func (c *cohort) run(x int, order []int) {
	c.col[x] = make([]int16, 0, c.n)
	for s := range c.used[x].use {
		if order != nil {
			s = order[s]
		}
		for range c.used[x].quota[s] {
			c.col[x] = append(c.col[x], int16(s))
		}
	}
}

// alignedStart lays all ordered axes along one line of members.
func (c *cohort) alignedStart() []int {
	var placed []int
	for x, m := range c.used {
		if m.ranked != nil {
			placed = append(placed, x)
		}
	}
	if len(placed) < 2 {
		return nil
	}
	for _, x := range placed {
		c.run(x, c.used[x].ranked)
	}
	return placed
}

// pairStart rounds the largest pair: one whose joint figures are known or bound
// by rules before one of independent axes.
func (c *cohort) pairStart(d *dice) []int {
	best, most := -1, -1
	for x, a := range c.aims {
		cells := len(c.used[a.i].use) * len(c.used[a.j].use)
		if a.want != nil {
			cells += cellBudget
		}
		if cells > most && cells <= cellBudget+flowBudget {
			best, most = x, cells
		}
	}
	if best < 0 {
		c.run(0, nil)
		return []int{0}
	}
	a := c.aims[best]
	rows, columns := c.used[a.i], c.used[a.j]
	want := make([][]float64, len(rows.use))
	for s := range want {
		want[s] = make([]float64, len(columns.use))
		for t := range want[s] {
			want[s][t] = a.at(c.used, s, t)
		}
	}
	table := round(want, rows.quota, columns.quota, a.isHard, d.jitter(best))
	for s := range table {
		for t, n := range table[s] {
			for range n {
				c.col[a.i] = append(c.col[a.i], int16(s))
				c.col[a.j] = append(c.col[a.j], int16(t))
			}
		}
	}
	return []int{a.i, a.j}
}

// order is the axes still to place: those with most forbidden cells first, then
// those with most segments.
func (c *cohort) order(placed []int) []int {
	in := make(map[int]bool, len(placed))
	for _, x := range placed {
		in[x] = true
	}
	bound := make([]int, len(c.used))
	for _, a := range c.aims {
		if a.want != nil {
			bound[a.i]++
			bound[a.j]++
		}
	}
	var out []int
	for x := range c.used {
		if !in[x] {
			out = append(out, x)
		}
	}
	sort.SliceStable(out, func(p, q int) bool {
		if bound[out[p]] != bound[out[q]] {
			return bound[out[p]] > bound[out[q]]
		}
		return len(c.used[out[p]].use) > len(c.used[out[q]].use)
	})
	return out
}

// flowBudget bounds the arcs of one flow; more would cost seconds.
const flowBudget = 20_000

// slicers are the placed axes whose cells cut the members into slices for axis
// x: those that have rules or figures with it first, then the first placed, as
// long as the flow stays small.
func (c *cohort) slicers(x int, placed []int) []int {
	rank := make(map[int]int, len(placed))
	for _, v := range c.views[x] {
		switch {
		case v.hard:
			rank[v.axis] = 2
		case v.weight > 1:
			rank[v.axis] = 1
		}
	}
	by := append([]int(nil), placed...)
	sort.SliceStable(by, func(p, q int) bool { return rank[by[p]] > rank[by[q]] })
	cells := len(c.used[x].use)
	out := make([]int, 0, len(by))
	for _, a := range by {
		if len(out) >= 2 && rank[a] == 0 {
			break
		}
		cells *= len(c.used[a].use)
		if min(cells, c.n*len(c.used[x].use)) > flowBudget && len(out) > 0 {
			break
		}
		out = append(out, a)
	}
	return out
}

// slice places axis x: members who share their segments of the slicing axes are
// one row, the segments of x the columns; the seed joins what is known of each
// pair as if the slicing axes said independent things about x, is raked, and
// rounded under control. Inside a slice chance decides.
func (c *cohort) slice(d *dice, x int, by []int) {
	self := c.used[x]
	if len(c.used) > manyAxes && !c.ruled(x) {
		// With so many axes no cell of two can be aimed at one by one: seats as the
		// dice fall, exact in the margin, are as near as rounding each pair would be.
		c.run(x, nil)
		col := c.col[x]
		d.shuffle(len(col), func(i, j int) { col[i], col[j] = col[j], col[i] })
		return
	}
	type group struct {
		key     []int16
		members []int
	}
	at := make(map[string]int)
	var groups []*group
	key := make([]int16, len(by))
	for m := range c.n {
		name := make([]byte, 0, 2*len(by))
		for k, a := range by {
			key[k] = c.col[a][m]
			name = append(name, byte(key[k]>>8), byte(key[k]))
		}
		g, ok := at[string(name)]
		if !ok {
			g = len(groups)
			at[string(name)] = g
			groups = append(groups, &group{key: append([]int16(nil), key...)})
		}
		groups[g].members = append(groups[g].members, m)
	}
	between := make([]*aim, len(by)) // nil: not watched, hence independent
	for _, a := range c.aims {
		for k, b := range by {
			if a.i == min(b, x) && a.j == max(b, x) {
				between[k] = a
			}
		}
	}
	hard := make([][]bool, len(groups))
	seed, rows := make([][]float64, len(groups)), make([]int, len(groups))
	for g, gr := range groups {
		rows[g] = len(gr.members)
		seed[g], hard[g] = make([]float64, len(self.use)), make([]bool, len(self.use))
		for t := range self.use {
			p := float64(self.quota[t])
			for k, b := range by {
				a := between[k]
				if a == nil || a.want == nil || p == 0 {
					continue
				}
				r, s := int(gr.key[k]), t
				if a.i == x {
					r, s = t, int(gr.key[k])
				}
				p *= a.want[r][s] / (float64(c.used[b].quota[gr.key[k]]) * float64(self.quota[t]) / float64(c.n))
				hard[g][t] = hard[g][t] || a.isHard(r, s)
			}
			if !hard[g][t] {
				seed[g][t] = p
			}
		}
	}
	fit := Rake(seed, floats(rows), floats(self.quota))
	table := round(fit.Table, rows, self.quota, func(g, t int) bool { return hard[g][t] }, d.jitter(len(c.aims)+x))
	c.col[x] = make([]int16, c.n)
	for g, gr := range groups {
		members := gr.members
		d.shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
		k := 0
		for t, n := range table[g] {
			for range n {
				c.col[x][members[k]] = int16(t)
				k++
			}
		}
	}
}
