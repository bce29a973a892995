package segment

import "strings"

// group is a question over several columns.
type group struct {
	question string
	shape    Shape
	columns  []int
	anyBase  bool // asked are those who ticked something, as nothing else is written
}

// findGroups settles the shape of columns that share a question.
func (r *review) findGroups() {
	for _, c := range r.columns {
		c.group = -1
	}
	for i := 0; i < len(r.columns); {
		j := i + 1
		if s := r.columns[i].stem; s >= 0 {
			for j < len(r.columns) && r.columns[j].stem == s {
				j++
			}
			r.shapeOf(i, j)
		}
		i = j
	}
}

func (r *review) shapeOf(from, to int) {
	g := group{question: r.columns[from].question}
	var live []*column
	for i := from; i < to; i++ {
		g.columns = append(g.columns, i)
		if r.columns[i].facts.valid+r.columns[i].facts.explicitUnselected > 0 {
			live = append(live, r.columns[i])
		}
	}
	switch {
	case len(live) == 0:
		return
	case isMulti(live):
		g.shape = ShapeMulti
		explicit := 0
		for _, c := range live {
			if c.explicit() {
				explicit++
			}
		}
		g.anyBase = explicit*2 < len(live)
	case isRanking(live):
		g.shape = ShapeRanking
	case isGrid(live):
		g.shape = ShapeGrid
	default:
		return
	}
	for _, i := range g.columns {
		c := r.columns[i]
		c.group, c.shape = len(r.groups), g.shape
		if g.shape == ShapeMulti {
			c.item = c.tickLabel()
			if c.name != "" && c.label == c.name && c.item != c.label {
				c.label += ": " + c.item
			}
		} else if c.item == "" {
			c.item = c.label
		}
	}
	r.groups = append(r.groups, g)
}

// marks counts the different answers that stand for a ticked option; openEnd is
// true for a text field among the options.
func (c *column) marks() (labels int, ticks bool) {
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" || notTicked[k.fold] {
			continue
		}
		labels++
		ticks = ticks || ticked[k.fold]
	}
	if c.over.n > 0 {
		labels += 100
	}
	return labels, ticks
}

func (c *column) explicit() bool {
	for i := range c.kept {
		if notTicked[c.kept[i].fold] {
			return true
		}
	}
	return false
}

// isMulti: every column holds one answer or none, which names the option or is a
// tick. Columns whose one answer is the same word ("Yes") are no options.
func isMulti(cols []*column) bool {
	if len(cols) < 2 {
		return false
	}
	names := map[string]bool{}
	texts, ticks := 0, 0
	for _, c := range cols {
		labels, tick := c.marks()
		if labels > 1 {
			if openName.MatchString(c.key) || openName.MatchString(c.item) || strings.HasPrefix(folded(c.item), "other") {
				texts++
				continue
			}
			return false
		}
		if tick {
			ticks++
		}
		for i := range c.kept {
			if k := &c.kept[i]; k.missing == "" && !notTicked[k.fold] {
				names[k.fold] = true
			}
		}
	}
	if texts > 1 && texts*3 > len(cols) {
		return false
	}
	plain := len(cols) - texts
	if plain < 2 {
		return false
	}
	if len(names) == 1 {
		for f := range names {
			return ticked[f] || saysYes[f]
		}
	}
	return ticks >= plain-1 || len(names) >= plain-1 && len(names) >= 2
}

var saysYes = map[string]bool{"yes": true, "y": true, "ja": true, "oui": true, "sí": true, "si": true}

// tickLabel is the option a column of a multi-select stands for.
func (c *column) tickLabel() string {
	for i := range c.kept {
		if k := &c.kept[i]; k.missing == "" && !notTicked[k.fold] && !ticked[k.fold] && !saysYes[k.fold] {
			if c.item == "" || folded(c.item) == k.fold {
				return k.clean
			}
		}
	}
	if c.item != "" {
		return c.item
	}
	return c.label
}

// isRanking: whole numbers from 1 to at most the number of columns, and each
// place given about equally often, as in permutations.
func isRanking(cols []*column) bool {
	n := len(cols)
	if n < 3 {
		return false
	}
	total := make([]int, n+1)
	for _, c := range cols {
		if !c.facts.exact || c.facts.num != c.facts.valid || c.facts.whole != c.facts.valid || c.facts.valid == 0 || c.facts.min < 1 || int(c.facts.max) > n {
			return false
		}
		for i := range c.kept {
			if k := &c.kept[i]; k.missing == "" && k.isNum {
				total[int(k.num)] += k.n
			}
		}
	}
	for p := 2; p <= n; p++ { // partial rankings thin out, they never thicken
		if total[p] == 0 && p > 3 {
			continue
		}
		if float64(total[p]) > 1.1*float64(total[p-1]) || total[p] == 0 {
			return false
		}
	}
	return float64(total[1]) <= 1.1*float64(maxOf(cols)) || total[1] > 0 && float64(total[2]) >= .5*float64(total[1])
}

func maxOf(cols []*column) int {
	m := 0
	for _, c := range cols {
		m = max(m, c.facts.valid)
	}
	return m
}

// isGrid: the columns share most of one list of answers.
func isGrid(cols []*column) bool {
	if len(cols) < 2 {
		return false
	}
	seen := map[string]int{}
	for _, c := range cols {
		if !c.facts.exact || c.facts.distinct > 101 || c.facts.distinct < 1 {
			return false
		}
		for i := range c.kept {
			if c.kept[i].missing == "" {
				seen[c.kept[i].fold]++
			}
		}
	}
	if len(seen) > 120 {
		return false
	}
	most := 0
	for _, n := range seen {
		most += n
	}
	return float64(most) >= .6*float64(len(seen)*len(cols)) && len(seen) >= 2
}

// groupKinds gives the columns of a question one role.
func (r *review) groupKinds() {
	for gi := range r.groups {
		g := &r.groups[gi]
		kind, dim := KindOutcome, ""
		agree, important := 0, 0
		for _, i := range g.columns {
			c := r.columns[i]
			if c.driverScale() {
				agree++
			}
		}
		if n := nameDim(g.question); g.shape == ShapeMulti && n.dim != "" && n.sure && n.dim != dimDevice {
			kind, dim = KindPopulation, n.dim
			if n.dim == dimSegment {
				kind = KindSegmentation
			}
		} else if g.shape == ShapeMulti && r.groupSpeaksOf(g, dimChildren) {
			kind, dim = KindPopulation, dimChildren
		} else if driverName.MatchString(g.question) || agree*2 > len(g.columns) || important > 0 {
			kind = KindDriver
		}
		for _, i := range g.columns {
			if c := r.columns[i]; c.kind == KindOutcome {
				c.kind, c.dim = kind, dim
			}
		}
	}
}

// groupSpeaksOf reports a question whose options speak of a dimension.
func (r *review) groupSpeaksOf(g *group, dim string) bool {
	for _, v := range valueForms {
		if v.dim != dim {
			continue
		}
		in := 0
		for _, i := range g.columns {
			if v.at.MatchString(folded(r.columns[i].item)) {
				in++
			}
		}
		return in*3 >= len(g.columns)*2
	}
	return false
}
