package grounding

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// trim writes a share without needless decimals.
func trim(p float64) string {
	n := int(p*10 + .5)
	if n%10 == 0 {
		return itoa(n / 10)
	}
	return itoa(n/10) + "." + itoa(n%10)
}

// remainder says who the rest is that the figures leave open.
func (c *composer) remainder(axis string, have []Share, rest float64, source int) ([]Share, string) {
	switch {
	case axis == AxisGender:
		for _, other := range []string{Man, Woman, NonBinary} {
			if !slices.ContainsFunc(have, func(s Share) bool { return genderOf(s.Label) == other }) {
				return []Share{{Label: other, Pct: rest, SourceIdx: source}}, "The rest, " + trim(rest) + " %, are taken as " + map[string]string{Man: "men", Woman: "women", NonBinary: "non-binary"}[other] + "."
			}
		}
	case axis == AxisAge:
		if more := c.restOfAges(have, rest); more != nil {
			return more, "The other ages share the rest by the age structure of " + c.scope.people() + " (United Nations, 2020)."
		}
	case axis == AxisGeography:
		if more := c.restOfCountries(have, rest); more != nil {
			return more, "The other countries share the rest in proportion to their people."
		}
		if len(c.scope.countries) == 1 {
			if _, country := countryCode(have[0].Label); !country {
				return []Share{{Label: "Elsewhere in " + c.scope.where(), Pct: rest, SourceIdx: source}}, "The rest live elsewhere."
			}
		}
	case axis == brief.AxisUrbanity && len(have) == 1:
		other := "Rural"
		if fold(have[0].Label) == "rural" {
			other = "Urban"
		}
		return []Share{{Label: other, Pct: rest, SourceIdx: source}}, "The rest are taken as " + strings.ToLower(other) + "."
	}
	return []Share{{Label: "Others", Pct: rest, SourceIdx: source}}, "The brief does not say who the rest are."
}

func (c *composer) restOfAges(have []Share, rest float64) []Share {
	s := c.scope
	var taken [reference.Oldest + 1]bool
	for _, x := range have {
		b, ok := parseBand(x.Label)
		if !ok {
			return nil
		}
		for age := b.from; age <= b.to; age++ {
			taken[age] = true
		}
	}
	var bands []band
	var parts []float64
	for age := s.min; age <= s.max; {
		if taken[age] {
			age++
			continue
		}
		end := age
		for end < s.max && !taken[end+1] {
			end++
		}
		for _, b := range bandsOf(age, end) {
			n := 0.0
			for a := b.from; a <= b.to; a++ {
				n += s.byAge[a][0] + s.byAge[a][1]
			}
			bands, parts = append(bands, b), append(parts, n)
		}
		age = end + 1
	}
	sum := 0.0
	for _, n := range parts {
		sum += n
	}
	if sum == 0 {
		return nil
	}
	source := c.shelf.reference(reference.PeopleSource)
	var out []Share
	for i, b := range bands {
		out = append(out, Share{Label: b.String(), Pct: parts[i] / sum * rest, SourceIdx: source})
	}
	return out
}

func (c *composer) restOfCountries(have []Share, rest float64) []Share {
	taken := map[string]bool{}
	for _, x := range have {
		if code, ok := countryCode(x.Label); ok {
			taken[code] = true
		}
	}
	open := 0.0
	var others []weighted
	for _, w := range c.scope.countries {
		if !taken[w.country.Code] {
			open += w.part
			others = append(others, w)
		}
	}
	if open == 0 || len(taken) == 0 {
		return nil
	}
	source := c.shelf.reference(reference.PeopleSource)
	var out []Share
	for _, w := range others {
		out = append(out, Share{Label: w.country.Name, Pct: w.part / open * rest, SourceIdx: source})
	}
	return out
}
