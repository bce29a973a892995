package segment

import (
	"sort"
	"strings"
)

// Form programs write all ticked options of a question into one cell: "Car, Bike"
// or "Car;Bike;". listed takes such a column apart: it is one when a fifth of the
// answers hold several options, when there are few options, and when nearly all of
// them also stand in other company, which parts of a sentence do not.
func (c *column) listed() bool {
	f := &c.facts
	if !f.exact || f.distinct < 3 || f.share(f.num) > .2 || f.share(f.dates.n) > .2 {
		return false
	}
	for _, sep := range []string{";", "|", ", "} {
		if c.partedBy(sep) {
			return true
		}
	}
	return false
}

// partedBy tries one separator.
func (c *column) partedBy(sep string) bool {
	several, all := 0, 0
	type option struct {
		label        string
		n, companies int
	}
	byFold := map[string]*option{}
	var order []string
	for i := range c.kept {
		k := &c.kept[i]
		if k.missing != "" {
			continue
		}
		all += k.n
		parts := optionsOf(k.clean, sep)
		if len(parts) > 1 {
			several += k.n
		}
		for _, p := range parts {
			o := byFold[folded(p)]
			if o == nil {
				if len(byFold) > 200 {
					return false
				}
				o = &option{label: p}
				byFold[folded(p)] = o
				order = append(order, folded(p))
			}
			o.n += k.n
			o.companies++
		}
	}
	if several*5 < all || len(byFold) < 3 {
		return false
	}
	met, common := 0, 0
	for _, o := range byFold {
		if o.n*200 >= all || o.n >= minCell {
			common++
			if o.companies > 1 {
				met++
			}
		}
	}
	if common < 3 || common > maxValues || met*10 < common*9 || c.facts.distinct*4 < common*3 {
		return false
	}
	sort.SliceStable(order, func(a, b int) bool { return byFold[order[a]].n > byFold[order[b]].n })
	at := map[string]int16{}
	for _, f := range order[:min(len(order), maxValues)] {
		if o := byFold[f]; o.n*200 >= all || o.n >= minCell { // the rest are texts beside "Other"
			at[f] = int16(len(c.options))
			c.options = append(c.options, o.label)
		}
	}
	c.chosen = make([][]int16, len(c.kept))
	for i := range c.kept {
		if k := &c.kept[i]; k.missing == "" {
			for _, p := range optionsOf(k.clean, sep) {
				if x, ok := at[folded(p)]; ok {
					c.chosen[i] = append(c.chosen[i], x)
				}
			}
		}
	}
	return true
}

// optionsOf are the options of a cell, each once.
func optionsOf(s, sep string) []string {
	var out []string
	for _, p := range strings.Split(s, sep) {
		if p = strings.TrimSpace(p); p != "" {
			out = append(out, p)
		}
	}
	return out
}
