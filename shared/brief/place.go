package brief

import (
	"strings"
	"unicode"
)

// capitalOK reports whether a name stands as names do: with a capital letter in
// scripts that have one. Short forms such as "US" stand in capitals; countries in a
// text without any capital are taken where no other word is spelled like them.
func (r *reader) capitalOK(c *concept, i, end int) bool {
	t := &r.toks[i]
	raw := r.text[t.start:r.toks[end-1].end]
	if t.kind != word {
		return true
	}
	if r.lang == "ar" {
		return true
	}
	letters := len([]rune(strings.ReplaceAll(raw, ".", "")))
	if letters <= 3 && end == i+1 || strings.Contains(raw, ".") {
		if c.class == "demonym" || c.class == KindCountry || c.class == KindBloc || c.class == "region" {
			return strings.ToUpper(raw) == raw
		}
		return strings.ToUpper(raw) == raw && letters > 1
	}
	if c.class == "demonym" {
		return t.capital || r.lang != "en" && r.lang != "" && r.lang != "de" || r.lang == "de" && (t.capital || strings.HasPrefix(t.norm, "deutsch") || len(t.norm) > 7) || r.lang == "en" && !t.capital && plainDemonym[t.norm]
	}
	if t.capital {
		return true
	}
	if r.small && (c.class == KindCountry || c.class == "region" || c.class == "city") && len(t.norm) > 4 && !common[t.norm] && !townlike[t.norm] {
		return c.class != "city" || i > 0 && smallLead[r.toks[i-1].norm]
	}
	return c.class == KindCountry && len(t.norm) > 4 && !common[t.norm] && end-i >= 1 && !unicode.IsUpper(rune(raw[0])) && r.lang == "en"
}

var plainDemonym = set("german germans american americans spanish italian italians swedish canadian canadians mexican mexicans brazilian brazilians austrian austrians belgian norwegian indian indians dutch british japanese")

// smallLead are words before a city in a text without capital letters.
var smallLead = set("in from near aus en a de di da em w z i uit")

// common are words that a place is also spelled like.
var common = set("jersey turkey chad mali niger georgia jordan china guinea chile cuba reunion gambia guernsey malta grenada monaco panama oman martinique macau")

// townlike are cities whose names are other words too: only after "in" or "from".
var townlike = set("reading bath nice mobile split orange hull sale deal battle rugby crewe cork derry bury media como lucca bari mesa aurora independence surprise temple paradise enterprise hope lima victoria florence grace charlotte austin madison jackson lincoln douglas kent jamaica providence phoenix mission salem olympia union sunrise plantation pueblo garland irving norman pearl concord liberty norfolk essen halle horn moers hamm neu ulm celle hof mons alba massa la le palma las vegas santa brand bergen nancy tours lens dole angers sens gap aix pau troyes vienne granada leon merida lugo vila sur norte braga faro beja roma barking bend boulder rialto corona compton inglewood chester wells march rochester worth eden young chino kettering poole hereford stafford ontario orlando chandler gilbert henderson lafayette davis tyler allen bryan clifton warren dayton lowell cary macon gary flint reno troy burton parma rome athens ensenada gent brest mainz worms marl herne gera wesel viersen augusta columbia arlington richmond hamilton auburn kirkland oxford cambridge lancaster bristol")

// placeAt is the place that begins at token i. any takes names in any surroundings.
func (r *reader) placeAt(i int, any bool) *hit {
	if i < 0 || i >= len(r.place) {
		return nil
	}
	var best *hit
	for k := range r.place[i] {
		h := &r.place[i][k]
		if best == nil || h.end > best.end || h.end == best.end && rank(h) > rank(best) {
			best = h
		}
	}
	if best == nil {
		return nil
	}
	return r.choose(i, best)
}

func rank(h *hit) int {
	switch h.class {
	case KindBloc:
		return 5
	case KindCountry:
		return 4
	case "region":
		return 3
	case "city":
		return 2
	}
	return 1
}

// choose settles names that several places share: Georgia, Washington, New York.
func (r *reader) choose(i int, best *hit) *hit {
	pick := func(class, country string) *hit {
		for k := range r.place[i] {
			h := &r.place[i][k]
			if h.class == class && h.end == best.end && strings.HasPrefix(h.name, class+"\t"+country) {
				return h
			}
		}
		return nil
	}
	switch best.label {
	case "Georgia":
		if h := pick("region", "US"); h != nil && r.american() {
			return h
		}
	case "Washington DC":
		if h := pick("city", "US"); h != nil {
			return h
		}
	case "Washington":
		if h := pick("region", "US"); h != nil {
			return h
		}
	case "New York", "New York City", "Québec", "Quebec":
		if c := pick("city", ""); c != nil && !(best.end < len(r.toks) && (r.toks[best.end].norm == "state")) && !r.amongStates(i, best.end) {
			return c
		}
	case "Luxembourg", "Singapore", "Mexico":
	}
	// a land and its capital of one name: Berlin, Hamburg, Wien, Bremen
	if best.class == "region" {
		if c := pick("city", ""); c != nil && best.name != "region\tUS\tWA" {
			if best.label == c.label || strings.HasPrefix(best.name, "region\tDE") || strings.HasPrefix(best.name, "region\tES") && c.label == best.label {
				return c
			}
		}
	}
	return best
}

// american reports whether the text speaks of the United States.
func (r *reader) american() bool {
	if r.usa == 0 {
		r.usa = -1
		if r.speaksOfUS() {
			r.usa = 1
		}
	}
	return r.usa > 0
}

func (r *reader) speaksOfUS() bool {
	for i := range r.place {
		for k := range r.place[i] {
			n := r.place[i][k].name
			if strings.HasPrefix(n, "region\tUS") && r.place[i][k].label != "Georgia" || n == "country\tUS\t" || n == "demonym" && r.place[i][k].label == "US" || strings.HasPrefix(n, "city\tUS") && r.placeBefore(i) {
				return true
			}
			if r.place[i][k].label == "Armenia" || r.place[i][k].label == "Azerbaijan" || r.place[i][k].label == "Tbilisi" {
				return false
			}
		}
	}
	for i := range r.hits {
		for k := range r.hits[i] {
			switch r.hits[i][k].name {
			case "is.dem", "is.rep", "is.indep", "is.registered", "is.black":
				return true
			}
		}
	}
	return false
}

// amongStates reports whether states of the US stand beside a name in a list.
func (r *reader) amongStates(lo, hi int) bool {
	for p := max(0, lo-3); p < hi+4 && p < len(r.place); p++ {
		if p >= lo && p < hi {
			continue
		}
		for k := range r.place[p] {
			if h := &r.place[p][k]; strings.HasPrefix(h.name, "region\tUS") && h.label != "New York" && h.label != "Washington" {
				return true
			}
		}
	}
	return false
}

// placeBefore reports whether a word that leads to a place stands before token i.
func (r *reader) placeBefore(i int) bool {
	return r.before(i, 2, "in", "from") >= 0 || r.is(i-1, ",(:/*|")
}

// placeOf describes a place that was found.
func (r *reader) placeOf(h *hit) Place {
	p := Place{Kind: h.class, Name: h.label, Quote: r.quote(h.start, h.end)}
	f := strings.Split(h.name, "\t")
	switch h.class {
	case "demonym":
		p.Kind, p.Country = KindCountry, h.label
		p.Name = countryName(h.label)
	case KindBloc:
		if f[2] != "" {
			p.Members = strings.Split(f[2], ",")
		}
	case KindCountry:
		p.Country = f[1]
	case "region":
		p.Kind, p.Country, p.Region = KindRegion, f[1], h.label
	case "city":
		p.Kind, p.Country, p.Region = KindCity, f[1], f[2]
	}
	return p
}

// countryName is the English name of a code.
func countryName(code string) string {
	for _, n := range known().countries[code] {
		return n
	}
	return code
}

// findPlaces collects where people live.
func (r *reader) findPlaces(from zone) {
	lastEnd := -10
	for i := 0; i < len(r.toks); i++ {
		h := r.placeAt(i, false)
		if h == nil {
			continue
		}
		if r.zoneOf(i) != from || r.taken(i, h.end, byFigure, byExclusion, byPlace) {
			i = h.end - 1
			continue
		}
		listed := r.listed(lastEnd, i) || lastEnd == i
		if !listed && !r.livesAt(h) {
			i = h.end - 1
			continue
		}
		if e := r.hit(i, "lang", "is", "cond", "noun"); e != nil && e.end > h.end { // Swiss French-speaking, Italian food lovers
			i = h.end - 1
			continue
		}
		p := r.placeOf(h)
		lo, hi := i, h.end
		if x := r.before(i, 1, "place.outside"); x >= 0 && r.before(i, 0, "in", "from") != x || x >= 0 && r.outsideWord(x) {
			if r.outsideWord(x) && len(r.out.Excluded) < most {
				r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisGeography, Label: p.Name, Category: Geographic, Quote: r.quote(x, hi)})
				r.take(x, hi, byExclusion)
				lastEnd = hi
				i = hi - 1
				continue
			}
		}
		// "Berlin, Germany", "Austin, TX": the country is said with the city
		for _, u := range []string{"is.urban", "is.rural", "is.suburban"} {
			if s := r.before(i, 2, u); s >= 0 && !r.markBetween(s, i) {
				p.Urban = u[len("is."):]
			}
		}
		r.addPlace(p)
		r.take(lo, hi, byPlace)
		lastEnd = hi
		i = hi - 1
	}
	r.mergePlaces()
}

func (r *reader) outsideWord(x int) bool {
	return r.hit(x, "place.outside") != nil && r.hit(x, "in") == nil || r.hit(x, "excl1") != nil || r.hit(x, "exclude") != nil || outsides[r.toks[x].norm]
}

var outsides = set("outside ausserhalb hors fuera fuori fora buiten poza utanfor excluding except ohne sauf excepto salvo tranne exceto behalve uitgezonderd oprocz utom")

func (r *reader) addPlace(p Place) {
	if len(r.out.Places) >= most {
		return
	}
	for _, q := range r.out.Places {
		if q.Name == p.Name && q.Country == p.Country && q.Kind == p.Kind {
			return
		}
	}
	r.out.Places = append(r.out.Places, p)
}

// mergePlaces leaves out countries and states that only say where a named city or
// region lies.
func (r *reader) mergePlaces() {
	ps := r.out.Places
	var out []Place
	for i, p := range ps {
		drop := false
		for j, q := range ps {
			if i == j || p.Country == "" || q.Country != p.Country {
				continue
			}
			// the wider place right behind or before the narrower one
			if p.Kind == KindCountry && (q.Kind == KindCity || q.Kind == KindRegion) {
				drop = true
			}
			if p.Kind == KindRegion && q.Kind == KindCity && q.Region != "" && q.Region == p.Name {
				drop = true
			}
		}
		if !drop {
			out = append(out, p)
		}
	}
	r.out.Places = out
}

// livesAt reports whether a place is where people of the population live: not what
// they travel to, buy from or speak.
func (r *reader) livesAt(h *hit) bool {
	i := h.start
	if h.class == "city" && r.taken(i, h.end, byTerm) {
		return false
	}
	if r.before(i, 2, "travel", "born.in") >= 0 {
		return false
	}
	if h.end < len(r.toks) && r.toks[h.end].norm == "'" && r.glued(h.end, "'") && r.hit(h.end+2, "people", "w", "m", "is", "occ", "noun", "mother", "father", "sen") == nil {
		return false // London's museums
	}
	switch h.class {
	case "demonym":
		// before people, or people themselves
		for k := h.end; k < len(r.toks) && k <= h.end+3 && r.same(i, k); k++ {
			if r.hit(k, "people", "w", "m", "nb", "mother", "father", "mw", "is", "occ", "adult", "noun", "wadj", "madj", "child", "sen", "gen", "soft", "buy", "cond", "company", "lang", "firm", "ind", "dep", "subj") != nil {
				return k == h.end || r.hit(k, "ind", "cond", "dep") == nil
			}
			if r.toks[k].kind == mark && !r.is(k, "-/'") || r.toks[k].kind == newline {
				break
			}
		}
		for k := i - 1; r.lang != "en" && k >= 0 && k >= i-3 && r.same(k, i); k-- { // étudiants français
			if r.at(k, "of", "in", "from", "for") == k+1 {
				break
			}
			if r.hit(k, "people", "w", "m", "mother", "father", "is", "occ", "adult", "noun", "sen", "soft", "gen") != nil {
				return true
			}
		}
		return peopleNoun(r, h)
	case "city":
		if townlike[r.toks[i].norm] && h.end == i+1 {
			return r.before(i, 0, "in", "from") >= 0 && r.toks[i].capital
		}
		if r.toks[i].kind == dense {
			return true
		}
		if r.placeBefore(i) || r.before(i, 3, "in", "from") >= 0 || r.is(h.end, "-") && r.toks[min(h.end+1, len(r.toks)-1)].norm == "based" {
			return true
		}
		return r.listedPlace(h.end) || r.hit(h.end, "people", "is", "occ", "w", "m", "noun", "mother", "father") != nil
	}
	return true
}

// listedPlace reports whether another place follows after a comma.
func (r *reader) listedPlace(i int) bool {
	k := r.skip(i, ",")
	if e := r.at(k, "and", "or"); e > 0 {
		k = e
	}
	return k > i && k < len(r.place) && len(r.place[k]) > 0
}

// peopleNoun reports demonyms that are people by themselves: "Germans", "60 Polen".
func peopleNoun(r *reader, h *hit) bool {
	t := &r.toks[h.start]
	if !t.capital {
		return false
	}
	switch r.lang {
	case "en", "":
		return strings.HasSuffix(t.norm, "s") && t.norm != "us" && t.norm != "swiss" && h.end == h.start+1 || plural[t.norm] || h.start > 0 && (t.norm == "us" || t.norm == "uk") && r.before(h.start, 1, "in", "from") >= 0 || t.norm == "us" || t.norm == "uk"
	case "de":
		return strings.HasSuffix(t.norm, "er") || strings.HasSuffix(t.norm, "en") || strings.HasSuffix(t.norm, "e") && t.capital
	}
	return strings.HasSuffix(t.norm, "s") || strings.HasSuffix(t.norm, "i") || strings.HasSuffix(t.norm, "ers") || strings.HasSuffix(t.norm, "ow") || strings.HasSuffix(t.norm, "ar") || strings.HasSuffix(t.norm, "y") || strings.HasSuffix(t.norm, "en")
}

var plural = set("poles brits danes finns swedes turks")
