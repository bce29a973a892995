package grounding

import (
	"maps"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding/reference"
)

// spot is a region or a town that the brief names.
type spot struct {
	label, quote string
	people       float64 // of all ages; 0 when no figure of it ships
}

// readPlaces finds the countries of the population and, inside them, the regions
// and towns. A country that is named beside its own town only says where that is.
func (s *scope) readPlaces(b brief.Brief) {
	stated := map[string]float64{} // country -> its share, by the brief
	named := map[string]bool{}     // places that the brief gives shares of
	for _, f := range b.Figures {
		if f.Axis != AxisGeography || f.Of != "" {
			continue
		}
		named[fold(f.Label)] = true
		if code, ok := countryCode(f.Label); ok {
			stated[code] += f.Pct / 100
		}
	}
	out := map[string]bool{} // countries that the brief leaves out
	for _, t := range b.Excluded {
		if code, ok := countryCode(t.Label); ok && t.Axis == AxisGeography {
			out[code] = true
		}
	}
	add := func(code string) {
		if code != "" && !out[code] && !slices.Contains(s.codes, code) {
			s.codes = append(s.codes, code)
		}
	}
	divided := map[string]bool{} // countries of which only parts are meant
	for _, p := range b.Places {
		for _, m := range p.Members {
			add(m)
		}
		add(p.Country)
		if p.Kind != brief.KindRegion && p.Kind != brief.KindCity || named[fold(p.Name)] {
			continue
		}
		divided[p.Country] = true
		if !slices.ContainsFunc(s.spots, func(x spot) bool { return fold(x.label) == fold(p.Name) }) {
			s.spots = append(s.spots, spot{label: p.Name, quote: p.Quote, people: peopleOf(p)})
		}
	}
	if len(s.spots) > 0 {
		for _, p := range b.Places {
			if p.Kind == brief.KindCountry && !divided[p.Country] && !named[fold(p.Name)] {
				s.spots = append(s.spots, spot{label: p.Name, quote: p.Quote, people: peopleOf(p)})
			}
		}
	}
	for _, code := range slices.Sorted(maps.Keys(stated)) {
		add(code)
	}
	for _, code := range s.codes {
		if c, ok := reference.Of(code); ok {
			s.countries = append(s.countries, weighted{country: c})
		}
	}
	if len(b.Places) > 0 {
		s.place = firstPlace(b.Places, s.codes)
	}
	s.weighCountries(stated)
}

// firstPlace is the place that names and addresses are taken from: the first, and
// the town or region of a country that is named before it.
func firstPlace(places []brief.Place, codes []string) Place {
	p := places[0]
	for _, x := range places[1:] {
		if p.Kind == brief.KindCountry && x.Country == p.Country && x.Kind != brief.KindCountry {
			p = x
			break
		}
	}
	out := Place{Country: p.Country, Region: p.Region, Name: p.Name, Stated: true}
	switch {
	case p.Kind == brief.KindCity:
		out.City = p.Name
	case p.Kind == brief.KindRegion && p.Region == "":
		out.Region = p.Name
	}
	if p.Country == "" && len(codes) > 0 {
		out.Country = codes[0]
	}
	return out
}

// otherNames are English names of regions that the figures name in their own language.
var otherNames = map[string]string{
	"lombardy": "lombardia", "piedmont": "piemonte", "tuscany": "toscana", "sicily": "sicilia", "sardinia": "sardegna", "apulia": "puglia",
	"castile and leon": "castilla y leon", "basque country": "pais vasco", "valencian community": "c valenciana", "balearic islands": "baleares", "canary islands": "canarias", "navarre": "navarra",
	"masovia": "mazowieckie", "mazovia": "mazowieckie", "lesser poland": "malopolskie", "greater poland": "wielkopolskie", "silesia": "slaskie", "lower silesia": "dolnoslaskie",
	"south holland": "zuid holland", "north holland": "noord holland", "north brabant": "noord brabant", "mexico city": "ciudad de mexico", "brussels capital": "brussels",
}

// peopleOf counts the people of a place by the figures that ship: a country, or a
// region of one that has figures of its regions. A town counts where it is a region
// of its own, since figures of New York State are none of the city.
func peopleOf(p brief.Place) float64 {
	c, ok := reference.Of(p.Country)
	if !ok {
		return 0
	}
	if p.Kind == brief.KindCountry {
		women, men := c.Persons(0, reference.Oldest)
		return women + men
	}
	if c.Regions == nil || p.Kind == brief.KindCity && p.Region != "" && fold(p.Region) != fold(p.Name) || p.Kind == brief.KindCity && p.Region == "" {
		return 0
	}
	name := fold(p.Name)
	if other := otherNames[name]; other != "" {
		name = other
	}
	for _, r := range c.Regions.People {
		if fold(r.Label) == name {
			return r.Count
		}
	}
	return 0
}

// knownSpots divides the population among the regions and towns that it lives in.
func (c *composer) knownSpots() {
	s := c.scope
	var labels, quotes []string
	counts, counted := make([]float64, len(s.spots)), true
	for i, x := range s.spots {
		labels, quotes = append(labels, x.label), append(quotes, x.quote)
		counts[i] = x.people
		counted = counted && x.people > 0
	}
	quote := strings.Join(quotes, ", ")
	switch {
	case len(labels) == 1:
		c.addStated(AxisGeography, labels, []float64{100}, quote, "All of them live in "+labels[0]+", as the brief says.", Geographic)
		return
	case !counted:
		c.alternatives(AxisGeography, labels, quote)
		return
	}
	d := Distribution{Name: AxisGeography, Category: Geographic, Tier: TierBroader, Status: Proxy, Reason: "Places of the brief in proportion to their people of all ages (national statistics, collected by Johns Hopkins University, 2021)."}
	for i, p := range percents(counts) {
		d.Distribution = append(d.Distribution, Share{Label: labels[i], Pct: p})
	}
	c.addKnown(d, reference.RegionsSource, 0)
}

// weighCountries gives each country its stated part, and the rest by the number
// of people of the ages meant.
func (s *scope) weighCountries(stated map[string]float64) {
	sum, people := 0.0, 0.0
	for _, code := range slices.Sorted(maps.Keys(stated)) {
		sum += stated[code] // in one order: sums of floats depend on it
	}
	if sum > 1.0001 {
		stated, sum = nil, 0
	}
	for _, w := range s.countries {
		if _, ok := stated[w.country.Code]; !ok {
			women, men := w.country.Persons(s.min, s.max)
			people += women + men
		}
	}
	for i, w := range s.countries {
		if share, ok := stated[w.country.Code]; ok {
			s.countries[i].part, s.countries[i].stated = share, true
			if people == 0 && sum > 0 {
				s.countries[i].part /= sum
			}
			continue
		}
		women, men := w.country.Persons(s.min, s.max)
		if people > 0 {
			s.countries[i].part = (women + men) / people * (1 - sum)
		}
	}
}
