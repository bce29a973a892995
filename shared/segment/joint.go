package segment

import (
	"fmt"
	"math"
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// examine settles which columns are searched for relations: the chosen ones, then
// the other structural ones.
func (t *tally) examine() {
	r := t.r
	in := map[int]bool{}
	for _, i := range r.chosen {
		if len(t.examined) < maxExamined {
			t.examined = append(t.examined, i)
		}
		in[i] = true
	}
	for i, c := range r.columns {
		if (c.kind == KindPopulation || c.kind == KindSegmentation) && !in[i] && len(t.examined) < maxExamined && c.spread() >= 2 {
			t.examined = append(t.examined, i)
		}
	}
	for x, a := range t.examined {
		for _, b := range t.examined[x+1:] {
			wide := len(r.columns[b].values) + 1
			size := (len(r.columns[a].values) + 1) * wide
			t.pairs = append(t.pairs, pair{a: a, b: b, width: wide, n: make([]int32, size), w: make([]float64, size)})
		}
	}
}

func (t *tally) joint(w float64) {
	for i := range t.pairs {
		p := &t.pairs[i]
		a, b := t.codes[p.a], t.codes[p.b]
		if a == codeMissing || b == codeMissing {
			continue
		}
		if a < 0 {
			a = int16(len(p.n)/p.width) - 1
		}
		if b < 0 {
			b = int16(p.width) - 1
		}
		at := int(a)*p.width + int(b)
		p.n[at]++
		p.w[at] += w
	}
	if len(t.r.chosen) == 0 {
		return
	}
	t.key = t.key[:0]
	for _, i := range t.r.chosen {
		if t.codes[i] < 0 {
			return // not whole: no profile
		}
		t.key = append(t.key, byte(t.codes[i]))
	}
	p := t.profiles[string(t.key)]
	if p == nil {
		if len(t.profiles) >= maxTracked {
			t.overflow = true
			return
		}
		p = &profile{}
		t.profiles[string(t.key)] = p
	}
	p.n++
	p.w += w
}

// cramersV is the bias-corrected V (Bergsma 2013) of a table of counts without
// the slots of other answers.
func (p *pair) cramersV() (v float64, total int) {
	rows, cols := len(p.n)/p.width-1, p.width-1
	rs, cs := make([]float64, rows), make([]float64, cols)
	n := 0.0
	for i := range rows {
		for j := range cols {
			x := float64(p.n[i*p.width+j])
			rs[i] += x
			cs[j] += x
			n += x
		}
	}
	if n < 20 {
		return 0, int(n)
	}
	r, c := 0.0, 0.0
	for _, x := range rs {
		if x > 0 {
			r++
		}
	}
	for _, x := range cs {
		if x > 0 {
			c++
		}
	}
	if r < 2 || c < 2 {
		return 0, int(n)
	}
	chi := 0.0
	for i := range rows {
		for j := range cols {
			if e := rs[i] * cs[j] / n; e > 0 {
				d := float64(p.n[i*p.width+j]) - e
				chi += d * d / e
			}
		}
	}
	phi := math.Max(0, chi/n-(r-1)*(c-1)/(n-1))
	rt, ct := r-(r-1)*(r-1)/(n-1), c-(c-1)*(c-1)/(n-1)
	if d := math.Min(rt, ct) - 1; d > 0 {
		v = math.Min(1, math.Sqrt(phi/d))
	}
	return v, int(n)
}

// dependency tells whether a fixes b: each value of a goes with one value of b,
// without exception, and a has at least two values of five respondents that lead
// to different values.
func (p *pair) dependency(flip bool) []hit {
	rows, cols := len(p.n)/p.width, p.width
	at := func(i, j int) int32 { return p.n[i*p.width+j] }
	if flip {
		rows, cols = cols, rows
		at = func(i, j int) int32 { return p.n[j*p.width+i] }
	}
	var out []hit
	targets := map[int]bool{}
	for i := range rows {
		to, n := -1, int32(0)
		for j := range cols {
			if at(i, j) == 0 {
				continue
			}
			if to >= 0 {
				return nil
			}
			to, n = j, at(i, j)
		}
		if to < 0 {
			continue
		}
		if i == rows-1 || to == cols-1 { // other answers are many values in one slot
			return nil
		}
		targets[to] = true
		if n >= minCell {
			out = append(out, hit{i, to, int(n)})
		}
	}
	if len(out) < 2 || len(targets) < 2 {
		return nil
	}
	return out
}

// hit is from, to and respondents, by index.
type hit [3]int

// What a search for relations gives and carries.
const (
	minV          = .1
	maxTableCells = 4000
	maxMappings   = 2000
)

// relations fills in the pair tables of the chosen columns and the dependencies
// among all examined ones.
func (t *tally) relations(pv *Preview, axis map[int]string, slot func(col, code int) int) {
	r := t.r
	chosen := map[int]bool{}
	for _, i := range r.chosen {
		chosen[i] = true
	}
	available := 0
	for i, c := range r.columns {
		if chosen[i] || (c.kind == KindPopulation || c.kind == KindSegmentation) && c.spread() >= 2 {
			available++
		}
	}
	d := &Discovery{Method: "every pair of the examined variables, all completed respondents; a dependency holds without exception", VariablesExamined: len(t.examined), VariablesAvailable: available,
		MaxVariables: maxExamined, PairsExamined: len(t.pairs), MinCellRespondents: minCell, MinCramersV: minV, Exhaustive: len(t.examined) == available, PairTables: []PairTable{}}
	pv.DependencyDiscovery = d
	pv.FunctionalDependencies = []Dependency{}
	type found struct {
		table PairTable
		pair  grounding.Pair
	}
	var tables []found
	related, mappings := 0, 0
	for i := range t.pairs {
		p := &t.pairs[i]
		a, b := r.columns[p.a], r.columns[p.b]
		for _, flip := range []bool{false, true} {
			from, to := a, b
			if flip {
				from, to = b, a
			}
			if from.shape == ShapeMulti && from.group == to.group {
				continue
			}
			maps := p.dependency(flip)
			if maps == nil || mappings+len(maps) > maxMappings {
				continue
			}
			mappings += len(maps)
			dep := Dependency{From: from.key, To: to.key, Values: map[string]string{}}
			for _, m := range maps {
				dep.Values[from.values[m[0]].label] = to.values[m[1]].label
				dep.RespondentCount += m[2]
			}
			pv.FunctionalDependencies = append(pv.FunctionalDependencies, dep)
		}
		if !chosen[p.a] || !chosen[p.b] {
			continue
		}
		v, n := p.cramersV()
		if n < 20 {
			continue
		}
		if v >= minV {
			related++
		}
		f := found{table: PairTable{A: a.key, B: b.key, CramersV: round(v, 4), Cells: [][3]float64{}}, pair: grounding.Pair{A: axis[p.a], B: axis[p.b]}}
		total := 0.0
		for x := range a.values {
			for y := range b.values {
				total += p.w[x*p.width+y]
			}
		}
		for x := range a.values {
			for y := range b.values {
				at := x*p.width + y
				if p.n[at] < minCell || total <= 0 {
					continue
				}
				share := p.w[at] / total
				f.table.Cells = append(f.table.Cells, [3]float64{float64(slot(p.a, x)), float64(slot(p.b, y)), round(100*share, 6)})
				f.pair.Cells = append(f.pair.Cells, grounding.PairCell{ASegment: a.values[x].label, BSegment: b.values[y].label, Share: share})
			}
		}
		if len(f.table.Cells) > 0 {
			tables = append(tables, f)
		}
	}
	sort.SliceStable(tables, func(i, j int) bool { return tables[i].table.CramersV > tables[j].table.CramersV })
	cells := 0
	for _, f := range tables {
		pv.Pairs = append(pv.Pairs, f.pair)
		if cells+len(f.table.Cells) > maxTableCells {
			d.PairTablesTruncated = true
			continue
		}
		cells += len(f.table.Cells)
		d.PairTables = append(d.PairTables, f.table)
	}
	deps := len(pv.FunctionalDependencies)
	pv.RelationshipCount, pv.DependencyCount = &related, &deps
	if !d.Exhaustive {
		r.warn("Relations were searched among %d of %d variables.", d.VariablesExamined, d.VariablesAvailable)
	}
	t.combinations(pv)
}

// combinations lists the joint profiles of five and more respondents.
func (t *tally) combinations(pv *Preview) {
	r := t.r
	pv.Combinations = []Combination{}
	if len(r.chosen) == 0 {
		return
	}
	keys := make([]string, 0, len(t.profiles))
	rare, rareN := 0, 0
	for k, p := range t.profiles {
		if p.n >= minCell {
			keys = append(keys, k)
		} else {
			rare++
			rareN += p.n
		}
	}
	sort.Slice(keys, func(i, j int) bool {
		if a, b := t.profiles[keys[i]].n, t.profiles[keys[j]].n; a != b {
			return a > b
		}
		return keys[i] < keys[j]
	})
	for n, k := range keys[:min(len(keys), maxProfiles)] {
		p := t.profiles[k]
		var parts []string
		for x, i := range r.chosen {
			parts = append(parts, cut(r.columns[i].key, 40)+"="+cut(r.columns[i].values[k[x]].label, 60))
		}
		id := strings.Join(parts, " | ")
		if short := cut(id, 300); short != id {
			id = fmt.Sprintf("%s #%d", short, n+1)
		}
		pv.Combinations = append(pv.Combinations, Combination{ID: id, RespondentCount: p.n, SharePct: pct(p.w, t.sumW)})
	}
	if rare > 0 {
		r.warn("%s of fewer than %d respondents (%d respondents in all) are not listed, so that nobody can be known by a profile.", plural(rare, "joint profile"), minCell, rareN)
	}
	if len(keys) > maxProfiles || t.overflow {
		r.warn("Only %d joint profiles are listed.", min(len(keys), maxProfiles))
	}
}

func plural(n int, what string) string {
	if n == 1 {
		return fmt.Sprintf("%d %s", n, what)
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func round(v float64, digits int) float64 {
	p := math.Pow(10, float64(digits))
	return math.Round(v*p) / p
}

func pct(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return round(100*part/whole, 4)
}
