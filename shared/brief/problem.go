package brief

import (
	"fmt"
	"slices"
	"strings"
)

// most is how many of a kind are kept: a text that says more is no brief, and lists
// without an end would be compared with each other.
const most = 200

func (r *reader) problem(message string, quotes ...string) {
	if len(r.out.Contradictions) >= 20 {
		return
	}
	for _, p := range r.out.Contradictions {
		if p.Message == message {
			return
		}
	}
	r.out.Contradictions = append(r.out.Contradictions, Problem{Message: message, Quotes: quotes})
}

// problems compares what was read with itself.
func (r *reader) problems() {
	b := r.out
	r.sharesAbove()
	r.bearers()
	r.tooYoung()
	for _, f := range b.Figures {
		if f.Axis == AxisGender && f.Of == "" && f.Pct > 0 && len(b.Genders) > 0 && !slices.Contains(b.Genders, strings.ToLower(f.Label)) {
			r.problem(fmt.Sprintf("“%s” lets only one gender take part, but “%s” asks for another. Drop the restriction, or the share.", b.GenderQuotes[0], f.Quote), b.GenderQuotes[0], f.Quote)
		}
		if f.Axis == AxisGender && f.Of == "" && f.Pct < 100 && len(b.Genders) == 1 && strings.EqualFold(b.Genders[0], f.Label) {
			r.problem(fmt.Sprintf("“%s” lets only one gender take part, but “%s” leaves %g %% to others. Drop the restriction, or the share.", b.GenderQuotes[0], f.Quote, 100-f.Pct), b.GenderQuotes[0], f.Quote)
		}
		if f.Axis == AxisAge && b.Age != nil {
			s, ok := parseSpan(f.Label)
			if ok && (s.max > 0 && s.max < b.Age.Min || b.Age.Max > 0 && s.min > b.Age.Max) {
				r.problem(fmt.Sprintf("“%s” is outside the ages “%s”. Widen the range, or drop the share.", f.Quote, b.Age.Quote), f.Quote, b.Age.Quote)
			}
		}
		if f.Axis == AxisGeography && len(b.Places) > 0 && f.Pct > 0 {
			if c := r.countryOf(f.Label); c != "" && !r.reaches(c) {
				r.problem(fmt.Sprintf("“%s” is outside “%s”. Add the place, or drop the share.", f.Quote, b.Places[0].Quote), f.Quote, b.Places[0].Quote)
			}
		}
	}
	for _, x := range b.Excluded {
		for _, f := range b.Figures {
			if f.Axis == x.Axis && f.Label == x.Label && f.Pct > 0 {
				r.problem(fmt.Sprintf("“%s” asks for people whom “%s” leaves out. Keep one of the two.", f.Quote, x.Quote), f.Quote, x.Quote)
			}
		}
		for _, t := range b.Roles {
			if t.Axis == x.Axis && t.Label == x.Label {
				r.problem(fmt.Sprintf("“%s” are both asked for and left out (“%s”). Keep one of the two.", t.Quote, x.Quote), t.Quote, x.Quote)
			}
		}
		for _, t := range b.Traits {
			if t.Axis == x.Axis && t.Label == x.Label && t.Required {
				r.problem(fmt.Sprintf("“%s” is both asked for and left out (“%s”). Keep one of the two.", t.Quote, x.Quote), t.Quote, x.Quote)
			}
		}
	}
	r.exclusive()
	if b.Age != nil && b.Age.Max > 0 && b.Age.Max < 18 {
		for i := range r.toks {
			if h := r.hit(i, "adult"); h != nil && r.zoneOf(i) == population && r.hit(i, "soft") == nil {
				r.problem(fmt.Sprintf("“%s” are 18 and older, but “%s” ends below. Say which is meant.", r.quote(i, h.end), b.Age.Quote), r.quote(i, h.end), b.Age.Quote)
				break
			}
		}
	}
}

// sharesAbove finds axes whose shares come to more than 100 %, and segments with two
// shares.
func (r *reader) sharesAbove() {
	type part struct {
		sum    float64
		quotes []string
		shares map[string]Figure
	}
	parts, order := map[string]*part{}, []string{}
	for _, f := range r.out.Figures {
		key := f.Axis + "\x00" + f.Of
		p := parts[key]
		if p == nil {
			p = &part{shares: map[string]Figure{}}
			parts[key], order = p, append(order, key)
		}
		if g, ok := p.shares[f.Label]; ok {
			if g.Pct != f.Pct {
				r.problem(fmt.Sprintf("%s has two shares, “%s” and “%s”. Keep the one that is meant.", f.Label, g.Quote, f.Quote), g.Quote, f.Quote)
			}
			continue
		}
		p.shares[f.Label] = f
		p.sum += f.Pct
		p.quotes = append(p.quotes, f.Quote)
	}
	for _, key := range order {
		p := parts[key]
		axis, _, _ := strings.Cut(key, "\x00")
		if p.sum > 100.5 && len(p.shares) > 1 && exclusiveAxis(axis) {
			r.problem(fmt.Sprintf("The shares of %s come to %g %%: %s. Lower one of them, so that they come to 100 or less.", axis, round2(p.sum), strings.Join(quoted(p.quotes), ", ")), p.quotes...)
		}
	}
}

// OneOf reports axes of which a person has one segment: two that a brief names are a
// choice, and not both true of everybody.
func OneOf(axis string) bool {
	return exclusiveAxis(axis) && axis != AxisGroup && axis != AxisFrequency && axis != AxisTreatment && axis != AxisStage && axis != AxisBuyingRole && axis != AxisJobTenure && axis != "Disability" && axis != "Gaming"
}

// exclusiveAxis reports axes of which a person has one segment.
func exclusiveAxis(axis string) bool {
	switch axis {
	case AxisBehaviour, AxisAttitude, AxisOwnership, AxisDevice, AxisCondition, "Pet ownership", "Car ownership", AxisRepresentation, AxisLanguage:
		return false
	}
	return true
}

func quoted(qs []string) []string {
	out := make([]string, len(qs))
	for i, q := range qs {
		out[i] = "“" + q + "”"
	}
	return out
}

// exclusive finds statuses that nobody has both of.
func (r *reader) exclusive() {
	pairs := [][2]string{{"Retired", "Students"}, {"Retired", "Full-time"}, {"Unemployed", "Full-time"}, {"Unemployed", "Self-employed"}, {"Parents", "No children"}, {"Homeowners", "Renters"}, {"Vegan", "Vegetarian"}, {"Smokers", "Non-smokers"}, {"University degree", "No university degree"}, {"Married", "Single"}, {"Low income", "High income"}, {"Unemployed", "Employees"}, {"Full-time", "Part-time"}}
	quote := map[string]string{}
	where := map[string]int{}
	note := func(label, q string) {
		if quote[label] == "" {
			quote[label], where[label] = q, strings.Index(r.text, q)
		}
	}
	for _, t := range r.out.Roles {
		note(t.Label, t.Quote)
	}
	for _, t := range r.out.Traits {
		if t.Required {
			note(t.Label, t.Quote)
		}
	}
	for _, p := range pairs {
		a, b := quote[p[0]], quote[p[1]]
		if a == "" || b == "" {
			continue
		}
		lo, hi := min(where[p[0]], where[p[1]]), max(where[p[0]], where[p[1]])
		if r.alternatives(lo, hi) {
			continue
		}
		r.problem(fmt.Sprintf("“%s” and “%s” exclude each other: nobody is both. Keep one, or ask for shares of each.", a, b), a, b)
	}
}

// alternatives reports whether two things are joined as a choice or a list: "full
// or part time", "parents and non-parents".
func (r *reader) alternatives(lo, hi int) bool {
	if hi-lo > 60 {
		return false
	}
	for i := range r.toks {
		if r.toks[i].start < lo {
			continue
		}
		if r.toks[i].start >= hi {
			break
		}
		if r.at(i, "or", "and") > 0 || r.is(i, ",/&") {
			return true
		}
	}
	return false
}

// countryOf is the country of a place that the text names.
func (r *reader) countryOf(label string) string {
	if r.lands == nil {
		r.lands = map[string]string{}
		for i := range r.toks {
			if h := r.placeAt(i, true); h != nil {
				if p := r.placeOf(h); p.Country != "" {
					r.lands[p.Name] = p.Country
				}
			}
		}
	}
	return r.lands[label]
}

func (r *reader) reaches(country string) bool {
	for _, p := range r.out.Places {
		if p.Country == country || slices.Contains(p.Members, country) || p.Kind == KindBloc && len(p.Members) == 0 {
			return true
		}
	}
	return false
}

// parseSpan reads a label that span wrote.
func parseSpan(label string) (span, bool) {
	var s span
	if n, _ := fmt.Sscanf(label, "%d-%d", &s.min, &s.max); n == 2 {
		return s, true
	}
	if n, _ := fmt.Sscanf(label, "Under %d", &s.max); n == 1 {
		s.max--
		return s, true
	}
	if n, _ := fmt.Sscanf(label, "%d+", &s.min); n == 1 {
		return s, true
	}
	return s, false
}
