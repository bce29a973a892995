package allocate

import (
	"fmt"
	"math"
)

// aim is what the joint table of two axes should look like.
type aim struct {
	i, j       int // positions, i < j
	assumption string
	want       [][]float64 // members, margins are the quotas
	hard       [][]uint8   // rank of a forbidden cell, nil when there is none
	note       string      // what raking could not reach
}

// aims gives the joint targets of all pairs of axes, those that rest on more
// than independence first.
func aims(in Input, used []*margin, rules []*rule, strategy string) []*aim {
	tables := make(map[[2]string]*Pair, len(in.Pairs))
	for x := range in.Pairs {
		p := &in.Pairs[x]
		tables[[2]string{p.A, p.B}] = p
	}
	var first, rest []*aim
	byPair := make(map[[2]int][]*rule)
	for _, r := range rules {
		if r.i >= 0 && len(r.cells) > 0 {
			k := [2]int{min(r.i, r.j), max(r.i, r.j)}
			byPair[k] = append(byPair[k], r)
		}
	}
	for i := range used {
		for j := i + 1; j < len(used); j++ {
			a := &aim{i: i, j: j, assumption: Independent}
			table, turned := tables[[2]string{used[i].Name, used[j].Name}], false
			if table == nil {
				table, turned = tables[[2]string{used[j].Name, used[i].Name}], true
			}
			a.forbid(used, byPair[[2]int{i, j}])
			switch {
			case strategy == Observed && table != nil:
				a.observed(used, table, turned)
			case strategy == Aligned && used[i].ranked != nil && used[j].ranked != nil:
				a.aligned(used)
			case a.hard != nil:
				a.fit(used, product(used[i].share, used[j].share))
			}
			if a.hard != nil || a.assumption != Independent {
				first = append(first, a)
			} else {
				rest = append(rest, a)
			}
		}
	}
	return append(first, rest...)
}

func product(a, b []float64) [][]float64 {
	out := make([][]float64, len(a))
	for i, x := range a {
		out[i] = make([]float64, len(b))
		for j, y := range b {
			out[i][j] = x * y
		}
	}
	return out
}

// at is the wanted count of a cell. Independence needs no table.
func (a *aim) at(used []*margin, s, t int) float64 {
	if a.want != nil {
		return a.want[s][t]
	}
	n := total(used[a.i].quota)
	if n == 0 {
		return 0
	}
	return float64(used[a.i].quota[s]*used[a.j].quota[t]) / float64(n)
}

func (a *aim) forbid(used []*margin, rules []*rule) {
	for _, r := range rules {
		for _, c := range r.cells {
			if a.hard == nil {
				a.hard = make([][]uint8, len(used[a.i].use))
				for s := range a.hard {
					a.hard[s] = make([]uint8, len(used[a.j].use))
				}
			}
			s, t := c[0], c[1]
			if r.i != a.i {
				s, t = t, s
			}
			a.hard[s][t] = max(a.hard[s][t], r.rank())
		}
	}
}

func (a *aim) isHard(s, t int) bool { return a.hard != nil && a.hard[s][t] > 0 }

// fit rakes a seed to the quotas of both axes, forbidden cells left at 0.
func (a *aim) fit(used []*margin, seed [][]float64) {
	rows, columns := used[a.i], used[a.j]
	for s := range seed {
		for t := range seed[s] {
			if a.isHard(s, t) {
				seed[s][t] = 0
			}
		}
	}
	r := Rake(seed, floats(rows.quota), floats(columns.quota))
	a.want = r.Table
	if r.Converged {
		return
	}
	a.note = fmt.Sprintf("%s x %s: the table's zeros were not fitted in %d rounds", rows.Name, columns.Name, r.Rounds)
	if r.StuckRow >= 0 {
		a.note = fmt.Sprintf("%s x %s: the table's zeros keep %q from its %d members", rows.Name, columns.Name, rows.label(r.StuckRow), rows.quota[r.StuckRow])
	}
	if r.StuckColumn >= 0 {
		a.note = fmt.Sprintf("%s x %s: the table's zeros keep %q from its %d members", rows.Name, columns.Name, columns.label(r.StuckColumn), columns.quota[r.StuckColumn])
	}
}

func floats(v []int) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// unlistedFrom is how much of the whole must be missing before cells that a
// table does not list count as small rather than impossible: shares are rounded.
const unlistedFrom = 0.005

// observed makes the seed from a pair table. Listed cells have their share;
// cells that are not listed share what is missing to the whole, in proportion to
// the product of the margins, and are impossible when nothing is missing. A
// segment that the table does not know at all joins independently.
func (a *aim) observed(used []*margin, table *Pair, turned bool) {
	rows, columns := used[a.i], used[a.j]
	seed, listed := make([][]float64, len(rows.use)), make([][]bool, len(rows.use))
	for s := range seed {
		seed[s], listed[s] = make([]float64, len(columns.use)), make([]bool, len(columns.use))
	}
	whole := 0.0
	for _, c := range table.Cells {
		if c.Share > 0 && !math.IsInf(c.Share, 0) {
			whole += c.Share
		}
	}
	if whole <= 0 {
		return
	}
	unit := 1.0
	if whole > 1.5 {
		unit = 100 // percent
	}
	for _, c := range table.Cells {
		l, r := c.A, c.B
		if turned {
			l, r = r, l
		}
		s, t := rows.find(l), columns.find(r)
		if s < 0 || t < 0 {
			continue
		}
		listed[s][t] = true
		if c.Share > 0 {
			seed[s][t] += c.Share / unit
		}
	}
	independent := product(rows.share, columns.share)
	missing, open := 1-whole/unit, 0.0
	for s := range seed {
		for t := range seed[s] {
			if !listed[s][t] {
				open += independent[s][t]
			}
		}
	}
	for s := range seed {
		for t := range seed[s] {
			if !listed[s][t] && missing > unlistedFrom && open > 0 {
				seed[s][t] = independent[s][t] * (missing / open)
			}
		}
	}
	freeUnknown(seed, independent)
	a.assumption = Observed
	for s := range seed {
		for t := range seed[s] {
			if seed[s][t] > 0 {
				continue
			}
			if a.hard == nil {
				a.hard = make([][]uint8, len(seed))
				for x := range a.hard {
					a.hard[x] = make([]uint8, len(columns.use))
				}
			}
			a.hard[s][t] = max(a.hard[s][t], found)
		}
	}
	a.fit(used, seed)
}

// freeUnknown gives rows and columns without any mass that of independence.
func freeUnknown(seed, independent [][]float64) {
	for s := range seed {
		if sum(seed[s]) == 0 {
			copy(seed[s], independent[s])
		}
	}
	for t := range independent[0] {
		seen := 0.0
		for s := range seed {
			seen += seed[s][t]
		}
		for s := range seed {
			if seen == 0 {
				seed[s][t] = independent[s][t]
			}
		}
	}
}

// aligned joins two ordered axes low with low: both are laid along the same
// line of members, so the table is the one with the highest rank correlation
// that the quotas allow (the upper bound of Hoeffding and Fréchet).
func (a *aim) aligned(used []*margin) {
	rows, columns := used[a.i], used[a.j]
	a.assumption = "stated"
	a.want = make([][]float64, len(rows.use))
	for s := range a.want {
		a.want[s] = make([]float64, len(columns.use))
	}
	left := make([]int, len(columns.ranked))
	for x, t := range columns.ranked {
		left[x] = columns.quota[t]
	}
	x := 0
	for _, s := range rows.ranked {
		for need := rows.quota[s]; need > 0; {
			for left[x] == 0 {
				x++
			}
			n := min(need, left[x])
			a.want[s][columns.ranked[x]] += float64(n)
			need -= n
			left[x] -= n
		}
	}
}
