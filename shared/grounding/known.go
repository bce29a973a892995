package grounding

import (
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

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
	bands := bandsOf(s.min, s.max)
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

// mostRegions is how many regions a chart and a quota can hold apart.
const mostRegions = 16

func (c *composer) knownPlace() {
	s := c.scope
	switch {
	case len(s.spots) > 0:
		c.knownSpots()
		return
	case s.worldwide && s.place.Stated:
		c.addStated(AxisGeography, []string{s.place.Name}, []float64{100}, s.place.Name, "All of them live in "+s.place.Name+", as the brief says.", Geographic)
		return
	case s.worldwide:
		return
	case len(s.countries) > 1:
		c.knownCountries()
		return
	}
	country := s.countries[0].country
	if country.Regions == nil {
		c.addStated(AxisGeography, []string{country.Name}, []float64{100}, s.place.Name, "All of them live in "+s.where()+", as the brief says; no figures of its regions ship with the program.", Geographic)
		return
	}
	d := Distribution{Name: AxisGeography, Category: Geographic, Tier: TierGeneral, Status: Proxy}
	if s.general() && s.ageQuote == "" && len(s.genders) != 1 {
		d.Status, d.Tier = Sourced, TierTarget
	}
	labels, counts := largest(country.Regions.People, "Elsewhere in "+s.where())
	for i, p := range percents(counts) {
		d.Distribution = append(d.Distribution, Share{Label: labels[i], Pct: p})
	}
	d.Reason = "People of all ages by region of " + s.where() + " (national statistics, collected by Johns Hopkins University, 2021)."
	if d.Status == Proxy {
		d.Reason += " They stand in for the population of the brief."
	}
	c.addKnown(d, reference.RegionsSource, country.Regions.Year)
}

// largest keeps the most populous labels and puts the others into one.
func largest(people []reference.Count, rest string) (labels []string, counts []float64) {
	for i, p := range people {
		if len(people) > mostRegions && i >= mostRegions-1 {
			if i == mostRegions-1 {
				labels, counts = append(labels, rest), append(counts, 0)
			}
			counts[len(counts)-1] += p.Count
			continue
		}
		labels, counts = append(labels, p.Label), append(counts, p.Count)
	}
	return labels, counts
}

func (c *composer) knownCountries() {
	s := c.scope
	d := Distribution{Name: AxisGeography, Category: Geographic}
	d.Status, d.Tier = c.standing(true)
	parts := make([]float64, len(s.countries))
	stated := 0
	for i, w := range s.countries {
		parts[i] = w.part
		if w.stated {
			stated++
		}
	}
	source, year, _ := c.peopleSource()
	for i, p := range percents(parts) {
		d.Distribution = append(d.Distribution, Share{Label: s.countries[i].country.Name, Canonical: s.countries[i].country.Code, Pct: p})
	}
	if stated == len(parts) {
		return // every share is the brief's own: stated() has them
	}
	d.Reason = "Countries in proportion to their people of " + s.ages() + " (United Nations, " + itoa(year) + ")." + c.standsFor(true)
	if stated > 0 {
		d.Reason = "Stated shares of the brief; the other countries in proportion to their people of " + s.ages() + " (United Nations, " + itoa(year) + ")."
	}
	c.addKnown(d, source, year)
}

// mix averages a figure over the countries that have it; covered is their part.
func (c *composer) mix(width int, of func(*reference.Country) []float64) (parts []float64, covered float64) {
	parts = make([]float64, width)
	for _, w := range c.scope.countries {
		v := of(w.country)
		if v == nil {
			continue
		}
		covered += w.part
		for i := range parts {
			parts[i] += w.part * v[i]
		}
	}
	return parts, covered
}

// few says that a figure covers too little of the population to stand for it.
const few = .6

func (c *composer) knownEducation() {
	year := 0
	parts, covered := c.mix(3, func(k *reference.Country) []float64 {
		e := k.Education
		if e == nil {
			return nil
		}
		if year == 0 || e.Year < year {
			year = e.Year
		}
		return []float64{100 - e.UpperSecondaryOrMore, e.UpperSecondaryOrMore - e.BachelorOrMore, e.BachelorOrMore}
	})
	if covered >= few && c.scope.max < 25 {
		c.why[DimEducation] = "No figure was supplied, and the figures that ship count people of 25 and over, of whom none is meant."
	}
	if covered < few || c.scope.max < 25 {
		return
	}
	exact := c.scope.min == 25 && c.scope.max >= reference.Oldest && len(c.scope.genders) != 1 && c.scope.shares == nil && c.scope.employed == ""
	d := Distribution{Name: AxisEducation, Category: Demographic, Ordered: true}
	d.Status, d.Tier = c.standing(exact)
	for i, p := range percents(parts) {
		d.Distribution = append(d.Distribution, Share{Label: []string{EducationLow, EducationMiddle, EducationHigh}[i], Pct: p})
	}
	d.Reason = "Highest schooling of everybody of 25 and over in " + c.scope.where() + " (World Bank from UNESCO, " + itoa(year) + ")."
	if !exact {
		d.Reason += c.standsFor(false)
	}
	c.addKnown(d, reference.EducationSource, year)
}

func (c *composer) knownEmployment() {
	s := c.scope
	if s.employed != "" || s.status != "" || s.max < 15 {
		return
	}
	var parts [3]float64
	covered, all := 0.0, 0.0
	for _, w := range s.countries {
		l := w.country.Labour
		all += w.part
		if l == nil {
			continue
		}
		covered += w.part
		for age := max(s.min, 15); age <= s.max; age++ {
			band := reference.LabourBand(age)
			for sex, rates := range [2][][2]float64{l.Women, l.Men} {
				n := s.byAge[age][sex] * w.part
				parts[0] += n * rates[band][0]
				parts[1] += n * rates[band][1]
				parts[2] += n * (100 - rates[band][0] - rates[band][1])
			}
		}
	}
	if all == 0 || covered < few || parts[0]+parts[1]+parts[2] == 0 {
		return
	}
	d := Distribution{Name: AxisEmployment, Category: Demographic}
	d.Status, d.Tier = c.standing(true)
	for i, p := range percents(parts[:]) {
		d.Distribution = append(d.Distribution, Share{Label: []string{Employed, Unemployed, Inactive}[i], Pct: p, Canonical: []string{"employed", "unemployed", "inactive"}[i]})
	}
	d.Reason = "State of work by age and sex (ILO modelled estimates, 2023) of " + s.people() + "." + c.standsFor(true)
	c.addKnown(d, reference.LabourSource, 2023)
}

// knownHousehold turns shares of households into shares of the people that live in
// them: a household of three holds three people. Six and more count as six.
func (c *composer) knownHousehold() {
	year, source := 0, ""
	parts, covered := c.mix(5, func(k *reference.Country) []float64 {
		h := k.Households
		if h == nil {
			return nil
		}
		if year == 0 || h.Year < year {
			year, source = h.Year, h.Source
		}
		people, sum := make([]float64, 5), 0.0
		for i, pct := range h.Percent {
			people[min(i, 4)] += pct * float64(i+1)
			sum += pct * float64(i+1)
		}
		for i := range people {
			people[i] /= sum
		}
		return people
	})
	if covered < few {
		return
	}
	labels := []string{"1 person", "2 people", "3 people", "4 people", "5 or more people"}
	d := Distribution{Name: AxisHousehold, Category: Demographic, Ordered: true}
	d.Status, d.Tier = c.standing(false)
	src, _ := reference.SourceOf(source)
	d.Reason = "People by the size of the household that they live in, worked out from households by size in " + c.scope.where() + " (" + src.Publisher + ", " + itoa(year) + "; six and more counted as six)."
	if c.scope.parents != "" {
		parts, labels = parts[2:], labels[2:]
		d.Reason += " Parents with children at home live with at least one other person; households of two are left out, since the source cannot tell one parent with one child from a couple."
	}
	d.Reason += c.standsFor(false)
	for i, p := range percents(parts) {
		d.Distribution = append(d.Distribution, Share{Label: labels[i], Pct: p})
	}
	c.addKnown(d, source, year)
}

func (c *composer) knownRepresentation() {
	if len(c.scope.countries) != 1 || c.scope.countries[0].country.Representation == nil {
		return
	}
	r := c.scope.countries[0].country.Representation
	d := Distribution{Name: AxisRepresentation, Category: Demographic, Status: Proxy, Tier: TierGeneral}
	var counts []float64
	n := 0.0
	for _, p := range r.People {
		counts = append(counts, p.Count)
		n += p.Count
	}
	for i, p := range percents(counts) {
		d.Distribution = append(d.Distribution, Share{Label: r.People[i].Label, Pct: p})
	}
	d.Reason = "Race of " + itoa(int(n)) + " grown people in a random sample of the American Community Survey of " + itoa(r.Year) + ", not weighted: an old and small stand-in."
	c.addKnown(d, r.Source, r.Year)
}

// knownUrbanity answers only where the brief asks for town and country.
func (c *composer) knownUrbanity() {
	if !c.asks(brief.AxisUrbanity) || len(c.scope.spots) > 0 {
		return
	}
	year := 0
	parts, covered := c.mix(2, func(k *reference.Country) []float64 {
		if k.Urban == nil {
			return nil
		}
		year = k.Urban.Year
		return []float64{k.Urban.Percent, 100 - k.Urban.Percent}
	})
	if covered < few {
		return
	}
	d := Distribution{Name: brief.AxisUrbanity, Category: Geographic, Tier: TierGeneral, Status: Proxy}
	if c.scope.general() && c.scope.ageQuote == "" {
		d.Status, d.Tier = Sourced, TierTarget
	}
	for i, p := range percents(parts) {
		d.Distribution = append(d.Distribution, Share{Label: []string{"Urban", "Rural"}[i], Pct: p})
	}
	d.Reason = "People of all ages in town and country as " + c.scope.where() + " defines them (World Bank, " + itoa(year) + ")."
	c.addKnown(d, reference.UrbanSource, year)
}
