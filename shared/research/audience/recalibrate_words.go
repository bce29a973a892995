package audience

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// known is an instruction in the words of the axes that stand: a share of "Frauen"
// or of "women" is one of an axis Geschlecht and its segment weiblich, where there
// is such a one. What no axis has stays as it was read.
func known(in brief.Instruction, c grounding.Composed) brief.Instruction {
	renamed := map[string]string{}
	figures := make([]brief.Figure, 0, len(in.Figures))
	for _, f := range in.Figures {
		axis, labels := segmentsFor(c, f)
		if axis == "" {
			figures = append(figures, f)
			continue
		}
		if _, seen := renamed[f.Axis]; !seen {
			renamed[f.Axis] = axis
		}
		f.Axis = axis
		figures = append(figures, divided(f, labels)...)
	}
	in.Figures = figures
	in.Brief.Figures = slices.Clone(figures)
	axes := make([]string, 0, len(in.Axes))
	for _, a := range in.Axes {
		if to, ok := renamed[a]; ok {
			a = to
		} else if i := standing(c, a); i >= 0 {
			a = c.Distributions[i].Name
		}
		if !slices.Contains(axes, a) {
			axes = append(axes, a)
		}
	}
	in.Axes = axes
	return in
}

// standing is the place of the axis of this name or, by another name, of its
// dimension; -1 where there is none.
func standing(c grounding.Composed, axis string) int {
	if i := slices.IndexFunc(c.Distributions, func(d grounding.Distribution) bool { return strings.EqualFold(d.Name, axis) }); i >= 0 {
		return i
	}
	key := grounding.DimensionOf(axis)
	return slices.IndexFunc(c.Distributions, func(d grounding.Distribution) bool { return keyOf(d) == key })
}

// segmentsFor is the axis that stands and its segments that a share is of. An axis
// without the segment is found too where the words name it; the label is then that
// of the words.
func segmentsFor(c grounding.Composed, f brief.Figure) (axis string, labels []grounding.Share) {
	order := make([]int, 0, len(c.Distributions)+1)
	own := standing(c, f.Axis)
	if own >= 0 {
		order = append(order, own)
	}
	for i := range c.Distributions {
		if i != own {
			order = append(order, i)
		}
	}
	for _, i := range order {
		d := c.Distributions[i]
		if found := segmentsOf(d, f.Label); len(found) > 0 {
			return d.Name, found
		}
	}
	if own < 0 {
		return "", nil
	}
	return c.Distributions[own].Name, []grounding.Share{{Label: f.Label, Pct: 1}}
}

// segmentsOf are the segments of an axis that a label means: one of the same name,
// one of the same canonical word or place, or the age bands that make up a range.
func segmentsOf(d grounding.Distribution, label string) []grounding.Share {
	for _, s := range d.Distribution {
		if strings.EqualFold(strings.TrimSpace(s.Label), strings.TrimSpace(label)) {
			return []grounding.Share{s}
		}
	}
	if low, high, ok := ageBand(label); ok && keyOf(d) == "age" {
		return bandsIn(d, low, high)
	}
	want := meaning(d.Name, label)
	if want == "" {
		return nil
	}
	for _, s := range d.Distribution {
		if meaning(d.Name, s.Label) == want {
			return []grounding.Share{s}
		}
	}
	return nil
}

// bandsIn are the bands that together are exactly a range of ages.
func bandsIn(d grounding.Distribution, low, high int) []grounding.Share {
	var out []grounding.Share
	from, to := 1000, -1
	for _, s := range d.Distribution {
		if a, b, ok := ageBand(s.Label); ok && a >= low && b <= high {
			out, from, to = append(out, s), min(from, a), max(to, b)
		}
	}
	if from != low || to != high {
		return nil
	}
	return out
}

// meaning is a label in words that are the same in all languages that are known;
// empty where there are none.
func meaning(axis, label string) string {
	key := grounding.DimensionOf(axis)
	d := grounding.Distribution{Name: axis, Distribution: []grounding.Share{{Label: label}}}
	d.Annotate()
	if c := d.Distribution[0].Canonical; c != "" && key != grounding.DimEmployment {
		return c
	} else if slices.Contains([]string{"employed", "unemployed", "inactive"}, c) {
		return c
	}
	if key == grounding.DimGender || key == grounding.DimAge {
		return ""
	}
	read := brief.Read(label)
	switch {
	case len(read.Places) == 1 && len(read.Roles)+len(read.Traits) == 0:
		return "place:" + read.Places[0].Name
	case key == grounding.DimGeography:
		return ""
	case len(read.Roles) == 1 && len(read.Traits) == 0 && read.Roles[0].Canonical != "":
		return "role:" + read.Roles[0].Canonical
	case len(read.Traits) == 1 && len(read.Roles) == 0:
		return "trait:" + read.Traits[0].Axis + ":" + read.Traits[0].Label
	}
	return ""
}

// divided is a share of several segments, each in its proportion.
func divided(f brief.Figure, over []grounding.Share) []brief.Figure {
	whole := 0.0
	for _, s := range over {
		whole += s.Pct
	}
	out := make([]brief.Figure, len(over))
	for i, s := range over {
		out[i] = f
		out[i].Label = s.Label
		if whole > 0 {
			out[i].Pct = f.Pct * s.Pct / whole
		} else {
			out[i].Pct = f.Pct / float64(len(over))
		}
	}
	return out
}

// restated are the words for a population after a change: places, ages, genders
// and shares that gave way stand there no longer.
func restated(population string, was, now brief.Brief) string {
	out := population
	for i, old := range was.Places {
		if slices.ContainsFunc(now.Places, func(p brief.Place) bool { return p.Name == old.Name }) {
			continue
		}
		to := ""
		if i < len(now.Places) {
			to = now.Places[i].Name
		}
		out = instead(out, []string{old.Name, old.Quote}, to)
	}
	if was.Age != nil && (now.Age == nil || *now.Age != *was.Age) {
		to := ""
		if now.Age != nil {
			to = now.Age.Quote
		}
		out = instead(out, []string{was.Age.Quote}, to)
	}
	for i, old := range was.GenderQuotes {
		if i < len(was.Genders) && slices.Contains(now.Genders, was.Genders[i]) {
			continue
		}
		to := "people"
		if len(now.GenderQuotes) > i {
			to = now.GenderQuotes[i]
		}
		out = instead(out, []string{old}, to)
	}
	for _, f := range was.Figures {
		if slices.Contains(now.Figures, f) {
			continue
		}
		to := ""
		for _, g := range now.Figures {
			if g.Axis == f.Axis && strings.EqualFold(g.Label, f.Label) {
				to = g.Quote
			}
		}
		out = instead(out, []string{f.Quote}, to)
	}
	// A place that the words before did not have is said behind them.
	for _, p := range now.Places {
		if !slices.ContainsFunc(was.Places, func(o brief.Place) bool { return o.Name == p.Name }) && out != "" && !strings.Contains(out, p.Name) {
			out += " in " + p.Name
		}
	}
	return tidy(out)
}

// instead puts other words in place of the first of some that stands in a text.
func instead(text string, old []string, to string) string {
	for _, o := range old {
		if o == "" {
			continue
		}
		if at := strings.Index(text, o); at >= 0 {
			return text[:at] + to + text[at+len(o):]
		}
	}
	return text
}

// tidy takes out what a word that is gone leaves behind it.
func tidy(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, gap := range []string{" ,", ",,", ", ,", "( )", "()"} {
		text = strings.ReplaceAll(text, gap, map[string]string{" ,": ",", ",,": ",", ", ,": ",", "( )": "", "()": ""}[gap])
	}
	text = strings.TrimSpace(strings.Trim(strings.TrimSpace(text), ",;"))
	for _, dangling := range []string{" in", " from", " of", " and", " aged", " with", " aus", " und"} {
		text = strings.TrimSuffix(text, dangling)
	}
	return text
}

// everybody are words that speak of all members; what is said of them is a trait,
// also when no rule knows it.
var everybody = []string{"they", "all", "everyone", "everybody", "each", "sie", "alle", "jeder", "ils", "elles", "tous", "toutes", "todos", "todas", "ellos", "ellas", "tutti", "tutte", "loro", "zij", "iedereen", "wszyscy", "oni"}

// idle tells whether an instruction would change nothing: it is taken for a trait,
// and says none.
func idle(in brief.Instruction, text string) bool {
	if in.Reach != brief.ReachTrait || len(in.Brief.Traits)+len(in.Brief.Roles)+len(in.Brief.Excluded) > 0 {
		return false
	}
	words := strings.Fields(strings.ToLower(text))
	return len(words) < 3 || !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(everybody, strings.Trim(w, ".,;:!")) })
}

// both tells whether an instruction sets a share of those who are there before it
// adds people.
func both(in brief.Instruction, text string) bool {
	if in.Reach != brief.ReachAdditive || in.Add < 1 || len(in.Figures) == 0 {
		return false
	}
	share := strings.Index(text, in.Figures[0].Quote)
	rest := text
	if share >= 0 {
		rest = text[share+len(in.Figures[0].Quote):]
	}
	return share >= 0 && strings.Contains(rest, strconv.Itoa(in.Add)) && !strings.Contains(text[:share], strconv.Itoa(in.Add))
}

// addsNobody tells whether an instruction names nought as the number to add.
func addsNobody(in brief.Instruction) bool {
	return in.Brief.Size != nil && in.Brief.Size.N == 0 || strings.ContainsAny(in.Brief.Text, "0") || slices.ContainsFunc(strings.Fields(strings.ToLower(in.Brief.Text)), func(w string) bool {
		return slices.Contains([]string{"zero", "no", "null", "zéro", "cero", "nessuno", "none"}, w)
	})
}
