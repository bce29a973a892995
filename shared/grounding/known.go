package grounding

import "github.com/mindgate-dev/mindgate/shared/grounding/reference"

// known composes what the shipped figures say of the population. What they count
// is everybody of an age, a sex and a place; for a narrower population they are a
// proxy, and the reason says so.
func (c *composer) known() {
	c.knownAge()
	c.knownGender()
	c.knownPlace()
	c.knownEducation()
	c.knownEmployment()
	c.knownHousehold()
	c.knownRepresentation()
	c.knownUrbanity()
}

// standing grades a figure that counts everybody of the scope.
func (c *composer) standing(exact bool) (status, tier string) {
	switch {
	case c.scope.worldwide:
		return Proxy, TierGlobal
	case exact && c.scope.general():
		return Sourced, TierTarget
	case exact:
		return Proxy, TierBroader
	}
	return Proxy, TierGeneral
}

// standsFor ends a reason where the figure counts more than the population.
func (c *composer) standsFor(exact bool) string {
	if c.scope.worldwide && c.scope.place.Stated {
		return " No figures ship for " + c.scope.place.Name + ", so these stand in for it."
	}
	if c.scope.worldwide {
		return " The brief names no country, so these stand in for the population meant."
	}
	if c.scope.general() && exact {
		return ""
	}
	if len(c.scope.narrow) == 0 && len(c.scope.spots) > 0 {
		return " The whole country stands in for the part of it that the brief means."
	}
	if len(c.scope.narrow) > 0 {
		return " They stand in for the narrower population of the brief (" + inWords(quoted(c.scope.narrow, 3)) + "), for which no figure was supplied."
	}
	return " They stand in for the population of the brief."
}

func quoted(list []string, most int) []string {
	var out []string
	for _, s := range list {
		if q := "“" + cut(s, 60) + "”"; s != "" && !contains(out, q) && len(out) < most {
			out = append(out, q)
		}
	}
	return out
}

func (c *composer) addKnown(d Distribution, source string, year int) {
	i := -1
	if d.Status != Assumed {
		i = c.shelf.reference(source)
	}
	for k := range d.Distribution {
		d.Distribution[k].SourceIdx = i
	}
	src, _ := reference.SourceOf(source)
	published := src.Published
	if year > 0 {
		published = itoa(year)
	}
	confidence := trustReference
	switch d.Status {
	case Proxy:
		confidence = .7
	case Assumed:
		confidence = trustAssumed + .1
	}
	if source == "openintro-acs12" {
		confidence = .5 // an unweighted sample of 1,561 people
	}
	c.add(candidate{dist: d, confidence: confidence, published: published, origin: fromReference})
}

func (c *composer) peopleSource() (source string, year int, counted string) {
	people := reference.World().People
	if len(c.scope.countries) > 0 {
		people = c.scope.countries[0].country.People
	}
	counted = c.scope.people()
	if c.scope.employed != "" && c.hasLabour() {
		counted = "people in work, " + c.scope.ages() + ", in " + c.scope.where()
	}
	return reference.PeopleSource, people.Year, counted
}

func (c *composer) hasLabour() bool {
	for _, w := range c.scope.countries {
		if w.country.Labour != nil {
			return true
		}
	}
	return false
}

// knownAge cuts the age structure to the ages meant and groups it into bands.
func (c *composer) knownAge() {
	s := c.scope
	bands := s.bands()
	parts := make([]float64, len(bands))
	sum := 0.0
	for i, b := range bands {
		for age := b.from; age <= b.to; age++ {
			parts[i] += s.byAge[age][0] + s.byAge[age][1]
		}
		sum += parts[i]
	}
	if sum == 0 {
		return
	}
	source, year, counted := c.peopleSource()
	status, tier := c.standing(s.employed == "" || c.hasLabour())
	d := Distribution{Name: AxisAge, Status: status, Tier: tier, Category: Demographic, Ordered: true}
	for i, p := range percents(parts) {
		d.Distribution = append(d.Distribution, Share{Label: bands[i].String(), Pct: p})
	}
	d.Reason = "Single years of age of " + counted + " (United Nations, " + itoa(year) + ")."
	if s.employed != "" && c.hasLabour() {
		d.Reason = "Single years of age (United Nations, " + itoa(year) + ") times the part in work at that age and sex (ILO, 2023): " + counted + "."
	}
	switch {
	case s.guess != "":
		d.Reason += " The brief names no age: " + s.guess + ", which is an assumption."
		d.Status, d.Tier = Assumed, TierBroader
	case s.ageQuote == "" && s.employed != "":
		d.Reason += " The brief names no age: grown people are taken, and those in work past 65 are put at 65 to 74."
	case s.ageQuote == "":
		d.Reason += " The brief names no age: grown people are taken."
	}
	d.Reason += c.standsFor(s.employed == "")
	c.addKnown(d, source, year)
	if s.employed != "" && c.hasLabour() && d.Status != Assumed {
		c.shelf.reference(reference.LabourSource) // the ages rest on it as well, so it is cited
	}
}

// bandsOf divides ages as survey tables do, cut to the range. An edge of fewer
// than three years joins its neighbour; narrow ranges take bands of five years.
func bandsOf(from, to int) []band {
	edges := []int{0, 13, 18, 25, 35, 45, 55, 65, 75}
	if to-from < 15 {
		edges = nil
		for a := 0; a <= reference.Oldest; a += 5 {
			edges = append(edges, a)
		}
	}
	var out []band
	for i, start := range edges {
		end := reference.Oldest
		if i+1 < len(edges) {
			end = edges[i+1] - 1
		}
		if b := (band{max(start, from), min(end, to)}); b.from <= b.to {
			out = append(out, b)
		}
	}
	narrow := func(b band) bool { return b.to-b.from+1 < 3 }
	if n := len(out); n > 1 && narrow(out[n-1]) {
		out[n-2].to = out[n-1].to
		out = out[:n-1]
	}
	if len(out) > 1 && narrow(out[0]) {
		out[1].from = out[0].from
		out = out[1:]
	}
	return out
}

func (c *composer) knownGender() {
	s := c.scope
	if len(s.genders) == 1 {
		return // eligibility: the brief says it
	}
	var parts [2]float64
	for _, n := range s.byAge {
		parts[0] += n[0]
		parts[1] += n[1]
	}
	if s.shares != nil || parts[0]+parts[1] == 0 {
		// The counts were already put into the stated shares: they say nothing new.
		return
	}
	source, year, counted := c.peopleSource()
	status, tier := c.standing(s.employed == "" || c.hasLabour())
	d := Distribution{Name: AxisGender, Status: status, Tier: tier, Category: Demographic}
	for i, p := range percents(parts[:]) {
		d.Distribution = append(d.Distribution, Share{Label: []string{Woman, Man}[i], Pct: p})
	}
	d.Reason = "Women and men among " + counted + " (United Nations, " + itoa(year) + "). The source counts no other genders." + c.standsFor(s.employed == "")
	c.addKnown(d, source, year)
}
