package segment

import (
	"sort"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// categorize lists the answers of a column: the most frequent 30, or five bands
// of a number with more than 30 values.
func (c *column) categorize() {
	switch c.kind {
	case KindPopulation, KindSegmentation, KindOutcome, KindDriver:
	default:
		return
	}
	if c.shape == ShapeMulti {
		c.values = []category{{label: c.item, fold: folded(c.item)}, {label: unselected, fold: folded(unselected)}}
		for i := range c.kept {
			k := &c.kept[i]
			switch {
			case notTicked[k.fold]:
				k.value = 1
				k.missing = ""
			case k.missing != "":
				k.value = codeMissing
			default:
				k.value = 0
			}
		}
		return
	}
	if c.wide() {
		c.band()
		return
	}
	byFold := map[string]int{}
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" {
			continue
		}
		at, ok := byFold[k.fold]
		if !ok {
			at = len(c.values)
			byFold[k.fold] = at
			c.values = append(c.values, category{label: k.clean, fold: k.fold})
		}
		c.values[at].n += k.n
	}
	best := make([]int, len(c.values))
	for i := range c.kept { // the spelling that most people have
		if k := &c.kept[i]; k.missing == "" {
			if at := byFold[k.fold]; k.n > best[at] {
				best[at], c.values[at].label = k.n, k.clean
			}
		}
	}
	sort.SliceStable(c.values, func(a, b int) bool {
		if c.values[a].n != c.values[b].n {
			return c.values[a].n > c.values[b].n
		}
		return c.values[a].label < c.values[b].label
	})
	if c.tail = len(c.values) > maxValues || c.over.n > 0; len(c.values) > maxValues {
		c.values = c.values[:maxValues]
	}
	c.order()
	byFold = map[string]int{}
	for i, v := range c.values {
		byFold[v.fold] = i
	}
	for i := range c.kept {
		k := &c.kept[i]
		switch at, ok := byFold[k.fold]; {
		case k.missing != "":
			k.value = codeMissing
		case ok:
			k.value = int16(at)
		default:
			k.value = codeOther
		}
	}
}

// wide tells whether a column is a number with more values than a variable has
// categories; of ages in years fewer are enough, for nobody stands for one year.
func (c *column) wide() bool {
	f := &c.facts
	most := maxValues
	if c.dim == grounding.AxisAge {
		most = maxAges
	}
	return f.share(f.num) >= .95 && f.distinct > most
}

// order puts bands and scales in their order.
func (c *column) order() {
	folds := make([]string, len(c.values))
	for i, v := range c.values {
		folds[i] = v.fold
	}
	at, ok := ordered(folds)
	if !ok {
		return
	}
	c.ranked = true
	out := make([]category, len(at))
	for i, j := range at {
		out[i] = c.values[j]
	}
	c.values = out
}

func (c *column) band() {
	var nums []counted
	for i := range c.kept {
		if k := &c.kept[i]; k.missing == "" && k.isNum {
			nums = append(nums, counted{k.num, k.n})
		}
	}
	nums = append(nums, c.over.numbers.counted()...)
	c.bounds = quintiles(nums)
	c.low, c.high = c.facts.min, c.facts.max
	whole := c.facts.whole == c.facts.num
	for _, l := range bandLabels(c.bounds, c.low, c.high, whole) {
		c.values = append(c.values, category{label: l, fold: folded(l)})
	}
	c.ranked = true
	for i := range c.kept {
		k := &c.kept[i]
		switch {
		case k.missing != "":
			k.value = codeMissing
		case k.isNum:
			k.value = int16(bandOf(c.bounds, k.num))
		default:
			k.value = codeOther
			c.tail = true
		}
	}
}

// code of a cell in the second pass.
func (c *column) code(s string) int16 {
	if at, ok := c.cells[s]; ok {
		return c.kept[at].value
	}
	if c.shape == ShapeMulti {
		return 0 // a text beside an option
	}
	if c.bounds != nil || c.values != nil && c.wide() {
		if v, ok := parseNumber(s); ok {
			return int16(bandOf(c.bounds, v))
		}
	}
	return codeOther
}
