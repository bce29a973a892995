package simulate

import (
	"math"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// population is what can be read from a source's words on whom it asked.
// Zero values restrict nothing.
type population struct {
	country string // ISO code
	age     span
	hasAge  bool
	sex     string // f | m
}

var (
	ageRange = expression.Of(`\b(\d{1,2})\s*(?:-|to|–)\s*(\d{2,3})\b`)
	ageFrom  = expression.Of(`\b(\d{2})\s*\+|\b(?:aged?|ages)\s+(\d{2})\s*(?:and|or)\s+(?:over|older|above|up|more)|\b(?:over|above|aged over)\s+(\d{2})\b|\b(\d{2})\s+(?:and|or)\s+(?:over|older|above|up)`)
)

// readPopulation reads "US adults 18+", "Chilean adults 18-70", "US adult men 18+".
func readPopulation(text string) population {
	var p population
	t := fold(text)
	p.country = countryIn(text)
	if m := ageRange.FindStringSubmatch(t); m != nil {
		lo, _ := parseSpan(m[1])
		hi, _ := parseSpan(m[2])
		if lo.lo < hi.lo && hi.lo <= 120 {
			p.age, p.hasAge = span{lo.lo, hi.lo}, true
		}
	}
	if !p.hasAge {
		if m := ageFrom.FindStringSubmatch(t); m != nil {
			for _, g := range m[1:] {
				if g != "" {
					lo, _ := parseSpan(g)
					p.age, p.hasAge = span{lo.lo, math.Inf(1)}, true
				}
			}
		} else if contains(t, "adults") || contains(t, "adult") || contains(t, "registered voters") {
			p.age, p.hasAge = span{18, math.Inf(1)}, true
		}
	}
	women := contains(t, "women") || contains(t, "females") || contains(t, "female")
	men := contains(t, "men") || contains(t, "males") || contains(t, "male")
	switch {
	case women && !men:
		p.sex = "f"
	case men && !women:
		p.sex = "m"
	}
	return p
}

// misfit says in words why a Mind is outside the population, or "". What the
// profile does not say is no reason: it is taken to fit.
func (p population) misfit(m reading) string {
	if p.country != "" && m.country != "" && m.country != p.country {
		why := "the source asked people in another country (" + p.country + ", not " + m.country
		if m.readFrom != "" {
			why += "; country read from " + m.readFrom
		}
		return why + ")"
	}
	if p.hasAge && m.hasAge && overlap(m.age, p.age, openAge) < .5 {
		return "the source asked another age group"
	}
	if p.sex != "" && m.gender != "" && m.gender != p.sex {
		if p.sex == "m" {
			return "the source asked men only"
		}
		return "the source asked women only"
	}
	return ""
}

// unknownPopulation warns of a Mind that may be of the source's country or not.
const unknownPopulation = "whether this Mind is of that population is not known"

// doubt is the warning of an answer that fits the population as far as is
// known, or "".
func (p population) doubt(m reading) string {
	if p.country != "" && m.country == "" {
		return unknownPopulation
	}
	return ""
}

// reading is what population and trait rules need of a profile, read once an
// answer.
type reading struct {
	age     span
	hasAge  bool
	gender  string
	country string

	readFrom string // the field that the country was read from, where it names none as such
}

func (p Profile) read() reading {
	var r reading
	for _, v := range p.values(dimAge) {
		if r.age, r.hasAge = parseAge(v); r.hasAge {
			break
		}
	}
	for _, v := range p.values(dimGender) {
		var ok bool
		if r.gender, ok = parseGender(v); ok {
			break
		}
	}
	for _, k := range []string{"country", "country of residence", "nationality", "residence", "lives in", "location", "region", "state", "city", "geography"} {
		v, ok := p.Get(k)
		if !ok {
			continue
		}
		// A two-letter code is only a country under such a key.
		if len(v) == 2 && strings.ToUpper(v) == v {
			r.country = v
			if c, ok := countryNames[strings.ToLower(v)]; ok {
				r.country = c
			}
		} else {
			r.country = countryIn(v)
		}
		if k == "country" || k == "country of residence" { // it wins, even over what is better known
			return r
		}
		if r.country != "" {
			r.readFrom = strings.ToUpper(k[:1]) + k[1:] + ": " + v
			return r
		}
	}
	return r
}
