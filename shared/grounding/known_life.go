package grounding

import "github.com/mindgate-dev/mindgate/shared/grounding/reference"

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
	c.schooled(&d)
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
	// The estimates count people of 15 to 24, 25 to 54, 55 to 64 and of 65 and over,
	// and say nothing of an age inside a band: past 75 and among the young of a band
	// another part works.
	if s.min >= 75 || s.max < 18 {
		c.why[DimEmployment] = "No figure was supplied, and the figures that ship count everybody of 65 and over together, and those of 15 to 24; they say nothing of " + s.people() + "."
		return
	}
	d := Distribution{Name: AxisEmployment, Category: Demographic}
	whole := labourEdge(s.min) && labourEdge(s.max+1)
	d.Status, d.Tier = c.standing(whole)
	for i, p := range percents(parts[:]) {
		d.Distribution = append(d.Distribution, Share{Label: []string{Employed, Unemployed, Inactive}[i], Pct: p, Canonical: []string{"employed", "unemployed", "inactive"}[i]})
	}
	d.Reason = "State of work by age and sex (ILO modelled estimates, 2023) of " + s.people() + "." + c.standsFor(whole)
	if !whole {
		d.Reason += " The estimates count bands of 15 to 24, 25 to 54, 55 to 64 and 65 and over; each age takes the rate of its band."
	}
	c.addKnown(d, reference.LabourSource, 2023)
}

// labourEdge tells whether a band of the labour estimates begins at an age.
func labourEdge(age int) bool {
	switch age {
	case 15, 16, 18, 25, 55, 65: // adults, as each country counts them, are most of their band
		return true
	}
	return age > reference.Oldest
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
