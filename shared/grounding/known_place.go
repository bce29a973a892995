package grounding

import (
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

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
