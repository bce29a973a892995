package segment

import (
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// choose settles which columns shape the cohort: those that the caller names, or
// the population and segmentation variables, one of each that say the same.
func (r *review) choose(rows Rows) error {
	if len(r.o.Columns) > 0 {
		return r.named()
	}
	var all []*column
	for _, c := range r.columns {
		if (c.kind == KindPopulation || c.kind == KindSegmentation) && c.spread() >= 2 {
			all = append(all, c)
		}
	}
	single := map[string]bool{} // dimensions that a column of its own speaks of
	for _, c := range all {
		single[c.dim] = single[c.dim] || c.shape != ShapeMulti
	}
	keep := all[:0]
	var many, ticks []string
	for _, c := range all {
		switch {
		case c.shape == ShapeMulti && single[c.dim]:
			ticks = append(ticks, "“"+c.key+"”")
		case c.tail && c.tailShare() > .3:
			many = append(many, "“"+c.key+"”")
		default:
			keep = append(keep, c)
		}
	}
	if len(many) > 0 {
		r.warn("Not chosen, because most of their values have too few respondents: %s. Pass them in segmentationColumns to use them all the same.", strings.Join(many, ", "))
	}
	if len(ticks) > 0 {
		r.warn("Not chosen, because another variable speaks of the same thing: %s.", strings.Join(ticks, ", "))
	}
	drop, err := r.repeated(rows, keep)
	if err != nil {
		return err
	}
	for _, c := range keep {
		if !drop[c.index] && len(r.chosen) < maxExamined {
			r.chosen = append(r.chosen, c.index)
		}
	}
	return nil
}

// spread counts the categories that anybody has.
func (c *column) spread() int {
	if c.shape == ShapeMulti {
		return 2
	}
	return len(c.values)
}

func (c *column) tailShare() float64 {
	in := 0
	for _, v := range c.values {
		in += v.n
	}
	return 1 - c.facts.share(in)
}

// leastShare is the share of the rarest category.
func (c *column) leastShare() float64 {
	least := 1.0
	for _, v := range c.values {
		if c.bounds != nil {
			return .2
		}
		least = min(least, c.facts.share(v.n))
	}
	return least
}

// looked is how many rows tell whether two columns repeat one another.
const looked = 5000

// repeats is how often one column must follow from another to repeat it.
const repeats = .9

// repeated finds columns of one dimension of which one follows from the other,
// such as three codings of education, and keeps the one that parts people best:
// most categories among those whose every category has 2 % and that are at most
// twelve, else the fewest.
func (r *review) repeated(rows Rows, all []*column) (map[int]bool, error) {
	drop := map[int]bool{}
	type twin struct{ a, b *column }
	var twins []twin
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.dim == b.dim && a.kind == KindPopulation && b.kind == KindPopulation && a.shape != ShapeMulti && b.shape != ShapeMulti {
				twins = append(twins, twin{a, b})
			}
		}
	}
	if len(twins) == 0 || len(twins) > 500 {
		return drop, nil
	}
	if err := rows.Rewind(); err != nil {
		return nil, err
	}
	counts := make([]map[[2]int16]int, len(twins))
	for i := range counts {
		counts[i] = map[[2]int16]int{}
	}
	for n := 0; n < looked; {
		cells, err := rows.Next()
		if isEnd(err) {
			break
		}
		if err != nil {
			return nil, err
		}
		if notRow(cells) {
			continue
		}
		n++
		for i, t := range twins {
			if t.a.index >= len(cells) || t.b.index >= len(cells) {
				continue
			}
			x, y := codeOf(t.a, cells[t.a.index]), codeOf(t.b, cells[t.b.index])
			if x >= 0 && y >= 0 {
				counts[i][[2]int16{x, y}]++
			}
		}
	}
	parent := map[int]int{}
	var root func(int) int
	root = func(i int) int {
		if p, ok := parent[i]; ok && p != i {
			return root(p)
		}
		return i
	}
	for i, t := range twins {
		if follows(counts[i], 0) >= repeats || follows(counts[i], 1) >= repeats {
			if a, b := root(t.a.index), root(t.b.index); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	clusters := map[int][]*column{}
	for _, c := range all {
		clusters[root(c.index)] = append(clusters[root(c.index)], c)
	}
	var roots []int
	for k, cs := range clusters {
		if len(cs) > 1 {
			roots = append(roots, k)
		}
	}
	sort.Ints(roots)
	for _, k := range roots {
		cs := append([]*column(nil), clusters[k]...)
		sort.SliceStable(cs, func(i, j int) bool { return cs[i].better(cs[j]) })
		var names []string
		for _, c := range cs[1:] {
			drop[c.index] = true
			names = append(names, "“"+c.key+"”")
		}
		r.warn("Chosen of variables that repeat one another: “%s”; left out: %s.", cs[0].key, strings.Join(names, ", "))
	}
	return drop, nil
}

// follows is how often the one value follows from the other, guessing the most
// frequent one; 0 for columns that hardly vary together.
func follows(n map[[2]int16]int, from int) float64 {
	best, most, total := map[int16]int{}, map[int16]int{}, 0
	for k, v := range n {
		best[k[from]] = max(best[k[from]], v)
		most[k[1-from]] += v
		total += v
	}
	hit, top := 0, 0
	for _, v := range best {
		hit += v
	}
	for _, v := range most {
		top = max(top, v)
	}
	if total < 10 || len(best) < 2 || hit == top && hit < total { // no better than without the other
		return 0
	}
	return float64(hit) / float64(total)
}

func (c *column) better(o *column) bool {
	if (c.bounds == nil) != (o.bounds == nil) {
		return c.bounds == nil
	}
	good := func(c *column) bool { return len(c.values) <= 12 && !c.tail && c.leastShare() >= .02 }
	if good(c) != good(o) {
		return good(c)
	}
	if good(c) {
		return len(c.values) > len(o.values)
	}
	return len(c.values) < len(o.values)
}

// named takes the caller's keys.
func (r *review) named() error {
	byKey := map[string]*column{}
	for _, c := range r.columns {
		if f := folded(c.label); byKey[f] == nil {
			byKey[f] = c
		}
	}
	for _, c := range r.columns {
		byKey[folded(c.key)] = c
	}
	taken := map[int]bool{}
	var unknown []string
	for _, k := range r.o.Columns {
		c := byKey[folded(Clean(k))]
		if c == nil {
			unknown = append(unknown, "“"+cut(k, 80)+"”"+r.near(k))
			continue
		}
		if taken[c.index] {
			continue
		}
		taken[c.index] = true
		if c.kind == KindMetadata && c.facts.distinct >= 2 && c.facts.distinct <= 250 {
			c.kind = KindSegmentation
			c.categorize()
		}
		switch c.kind {
		case KindPopulation, KindSegmentation, KindOutcome, KindDriver:
		default:
			return fault.New(fault.Validation, "segmentationColumns: “%s” is %s and cannot shape a cohort; choose variables with a few answers each, such as those that a preview without segmentationColumns selects.", c.key, article(c.kind)).With("field", "segmentationColumns")
		}
		if c.spread() < 2 {
			return fault.New(fault.Validation, "segmentationColumns: “%s” has the same value for everybody and cannot part a cohort; leave it out.", c.key).With("field", "segmentationColumns")
		}
		if c.kind == KindOutcome || c.kind == KindDriver {
			r.warn("“%s” measures what a Study may want to find out. As it shapes the cohort, it is no longer held out, and a validation against it would only find what was put in.", c.key)
		}
		r.chosen = append(r.chosen, c.index)
	}
	if len(unknown) > 0 {
		return fault.New(fault.Validation, "segmentationColumns names columns that the sheet does not have: %s. Use the keys of a preview made without segmentationColumns.", strings.Join(unknown[:min(len(unknown), 5)], "; ")).With("field", "segmentationColumns")
	}
	sort.Ints(r.chosen)
	if len(r.chosen) > maxExamined {
		r.warn("Relations are searched among the first %d of the chosen columns.", maxExamined)
	}
	return nil
}

func article(k Kind) string {
	switch k {
	case KindIdentifier, KindOpenText:
		return "an " + string(k)
	case KindMetadata:
		return "about the survey, not about people,"
	case KindEmpty:
		return "empty"
	}
	return "a " + string(k)
}

// near names the keys that are closest to an unknown one.
func (r *review) near(k string) string {
	want := trigrams(folded(k))
	type scored struct {
		key string
		s   float64
	}
	var all []scored
	for _, c := range r.columns {
		f := folded(c.key)
		s := overlap(want, trigrams(f))
		if strings.Contains(f, folded(k)) || len(f) > 2 && strings.Contains(folded(k), f) {
			s = max(s, .6)
		}
		if s >= .3 {
			all = append(all, scored{cut(c.key, 80), s})
		}
	}
	if len(all) == 0 {
		return ""
	}
	sort.SliceStable(all, func(i, j int) bool { return all[i].s > all[j].s })
	var names []string
	for _, a := range all[:min(3, len(all))] {
		names = append(names, "“"+a.key+"”")
	}
	return " (close: " + strings.Join(names, ", ") + ")"
}

func trigrams(s string) map[string]bool {
	r := []rune("  " + s + " ")
	m := map[string]bool{}
	for i := 0; i+3 <= len(r); i++ {
		m[string(r[i:i+3])] = true
	}
	return m
}

func overlap(a, b map[string]bool) float64 {
	both := 0
	for k := range a {
		if b[k] {
			both++
		}
	}
	if len(a)+len(b) == both {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
