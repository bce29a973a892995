package grounding

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// AxisScreening holds what the brief asks nobody to be where no axis tells those
// people apart: every member carries it, so that it is never forgotten.
const AxisScreening = "Screening"

// notOf are the words for who is left when a known kind of people is left out.
var notOf = map[string]string{
	"smokers": "Non-smokers", "parents": "No children", "no children": "Parents", "homeowners": "Not homeowners", "renters": "Not renters",
	"dog owners": "No dog", "cat owners": "No cat", "pet owners": "No pets", "car owners": "No car",
}

// leaveOut takes out of a distribution whom the brief leaves out, and notes for
// which of its words there was a segment.
func (c *composer) leaveOut(d *Distribution) {
	for i, t := range c.in.Brief.Excluded {
		if t.Axis != d.Name && DimensionOf(t.Axis) != d.Dimension {
			continue
		}
		names := []string{fold(t.Label), fold(labelOn(d.Name, t.Label))}
		if d.Dimension == DimGeography {
			if other := otherNames[names[0]]; other != "" {
				names = append(names, other)
			}
		}
		keep := func(x Share) bool { return !contains(names, fold(x.Label)) }
		if !slices.ContainsFunc(d.Distribution, func(x Share) bool { return !keep(x) }) {
			continue
		}
		c.gone[i] = true
		keepShares(d, keep)
	}
}

// screen settles the exclusions that matched no segment: what is left out is then
// asked of every member in words, and a finding says so.
func (c *composer) screen() {
	var labels, quotes []string
	for i, t := range c.in.Brief.Excluded {
		switch {
		case c.gone[i], t.Label == "", t.Axis == AxisGender, t.Axis == AxisAge:
			continue // matched, or a limit of the scope itself
		}
		if code, ok := countryCode(t.Label); ok && t.Axis == AxisGeography && !contains(c.scope.codes, code) {
			continue // not among the countries any more
		}
		label := "Not " + lowerFirst(t.Label)
		if t.Axis == AxisGeography {
			label = "Not from " + t.Label
		}
		if known := notOf[fold(t.Label)]; known != "" && !c.hasAxis(t.Axis) {
			c.addStated(t.Axis, []string{known}, []float64{100}, t.Quote, "The brief leaves out “"+cut(t.Quote, 80)+"”.", t.Category)
			continue
		}
		if contains(labels, label) {
			continue
		}
		labels, quotes = append(labels, label), append(quotes, t.Quote)
		where := "No axis tells these people apart"
		if t.Axis == AxisGeography && c.has(DimGeography) {
			where = "No segment of " + AxisGeography + " is " + t.Label + " alone"
		} else if c.hasAxis(t.Axis) {
			where = "No segment of " + t.Axis + " tells these people apart"
		}
		c.note(AxisScreening, c.shelf.brief(c.in.Brief.Text), Sourced, "The brief leaves out “"+cut(t.Quote, 120)+"”. "+where+", so that it is asked of every member in words and no share changes.", t.Quote)
	}
	if len(labels) > 0 {
		c.addStated(AxisScreening, []string{cut(strings.Join(labels, "; "), 200)}, []float64{100}, strings.Join(quotes, "; "), "Asked of every member: the brief leaves out “"+cut(strings.Join(quotes, "”, “"), 160)+"”.", Demographic)
	}
}

// readGaps notes ages inside the range that the brief leaves out.
func (s *scope) readGaps(b brief.Brief) {
	for _, t := range b.Excluded {
		if in, ok := parseBand(t.Label); ok && t.Axis == AxisAge {
			for age := in.from; age <= min(in.to, reference.Oldest); age++ {
				s.gap[age] = true
			}
		}
	}
}

// bands divides the ages meant as bandsOf does, around the gaps.
func (s *scope) bands() []band {
	var out []band
	for age := s.min; age <= s.max; {
		if s.gap[age] {
			age++
			continue
		}
		end := age
		for end < s.max && !s.gap[end+1] {
			end++
		}
		out = append(out, bandsOf(age, end)...)
		age = end + 1
	}
	return out
}

func lowerFirst(s string) string {
	if len(s) > 1 && strings.ToUpper(s[1:2]) == s[1:2] && s[1] >= 'A' {
		return s // an abbreviation
	}
	return strings.ToLower(s[:min(1, len(s))]) + s[min(1, len(s)):]
}
