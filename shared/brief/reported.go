package brief

import "slices"

// reported reports whether the sentence of token i tells of a report, of the past or
// of a wider population: its figures are no quotas.
func (r *reader) reported(i int) bool {
	s := &r.sents[r.of[i]]
	if s.report == 0 {
		s.report = -1
		if r.reports(s) {
			s.report = 1
		}
	}
	return s.report > 0
}

func (r *reader) reports(s *sentence) bool {
	for k := s.lo; k < s.hi; k++ {
		if r.at(k, "quotaword") > 0 {
			return false
		}
	}
	for k := s.lo; k < s.hi; k++ {
		if r.at(k, "report") > 0 {
			return true
		}
	}
	// "In 2019, …"
	if k := r.at(s.lo, "in"); k > 0 && k < s.hi && r.toks[k].kind == number {
		v := r.toks[k].value
		return v == float64(int(v)) && v > 1900 && int(v) <= r.year && (k+1 >= s.hi || r.is(k+1, ",") || r.toks[k+1].kind != mark)
	}
	return false
}

// setReportsAside takes sentences that only report something out of the description of
// who is meant, where another sentence describes them.
func (r *reader) setReportsAside() {
	first := -1
	for k := range r.sents {
		s := &r.sents[k]
		if s.zone != population || s.lo >= s.hi {
			continue
		}
		if s.report > 0 && first >= 0 || r.aboutUs(k) {
			s.zone = background
		}
		if first < 0 {
			first = k
		}
	}
}

// ours begin sentences about the client, sells are what clients do.
var (
	ours  = set("our my we unser unsere wir notre nous nuestra nuestro nosotros nostra nostro noi nossa nosso nos onze ons wij nasza nasz var vart vi")
	sells = set("sell sells make makes offer offers produce produces build builds manufacture manufactures develop develops launch launched launches launching verkauft verkaufen bietet bieten produziert produzieren vend vendons propose fabrique fabriquons vende vendemos ofrece ofrecemos fabrica fabricamos vendiamo offre produce produciamo vendemos oferece produz verkoopt verkopen maakt sprzedaje sprzedajemy saljer tillverkar")
)

// aboutUs reports a sentence about who asks: "our startup sells vegan protein bars".
func (r *reader) aboutUs(k int) bool {
	s := &r.sents[k]
	if len(r.sents) < 2 || !ours[r.toks[s.lo].norm] {
		return false
	}
	for i := s.lo + 1; i < min(s.hi, s.lo+6); i++ {
		if sells[r.toks[i].norm] {
			return true
		}
	}
	return false
}

// ofNation reports a share of a whole nation: "45 % of Americans own a dog" says
// nothing of who is meant, unlike "45 % Americans".
func (r *reader) ofNation(end int) bool {
	k := r.at(end, "of")
	if k == 0 && r.before(end, 0, "of") == end-1 {
		k = end // "half of Spaniards"
	}
	if k == 0 {
		return false
	}
	for r.at(k, "article") == k+1 {
		k++
	}
	p := r.placeAt(k, true)
	if p == nil {
		return r.inNation(k)
	}
	if n := r.at(p.end, "people", "adult"); n > 0 && n < len(r.toks) { // "of UK adults", "of German adults"
		return r.toks[n].kind == word && r.at(n, "in", "from", "and", "or", "aged") == 0
	}
	if p.class == "demonym" && peopleNoun(r, p) {
		return r.at(p.end, "verb", "own", "att") > 0 || p.end < len(r.toks) && r.toks[p.end].kind == word && r.at(p.end, "in", "from", "and", "or") == 0
	}
	return false
}

// inNation reports what a sentence says of everybody in a place that it begins with:
// "In Germany 21 % of people smoke".
func (r *reader) inNation(k int) bool {
	n := r.at(k, "people", "adult")
	if n == 0 || n >= len(r.toks) || r.toks[n].kind != word || r.at(n, "in", "from", "and", "or", "aged", "who", "with") > 0 || r.of[n] != r.of[k] {
		return false
	}
	lo := r.sents[r.of[k]].lo
	after := r.at(lo, "in")
	return after > 0 && r.placeAt(after, true) != nil && len(r.sents) > 1
}

// grew are what figures do that are no shares of anybody.
var grew = set("grew grown rose risen increased climbed jumped surged fell fallen dropped declined decreased shrank gained lost wuchs wuchsen gewachsen stieg stiegen gestiegen sank sanken gesunken fiel fielen gefallen augmente progresse bondi recule baisse chute crecio crecieron aumento aumentaron subio subieron cayo cayeron bajo bajaron cresciuto cresciuta aumentato aumentata calato calata cresceu aumentou subiu caiu gestegen gegroeid gedaald wzrosla wzroslo spadla spadlo okade minskade steg sjonk")

// trend reports a figure that something grew or fell by: "sales grew 30 % among
// women".
func (r *reader) trend(i, end int) bool {
	if end < len(r.toks) && r.of[end] == r.of[i] && grew[r.toks[end].norm] { // "um 30 % gestiegen"
		return true
	}
	for k := i - 1; k >= max(i-3, r.sents[r.of[i]].lo); k-- {
		if r.toks[k].kind != word {
			return false
		}
		if grew[r.toks[k].norm] {
			return true
		}
	}
	return false
}

// finding reports figures that state what a study finds out: intentions,
// satisfaction, opinions (M-53).
func (r *reader) finding(f Figure, lo, hi int) bool {
	if f.Axis != capitalise(f.Label) && f.Axis != AxisAttitude {
		return false
	}
	for k := lo; k < min(hi, lo+9); k++ {
		if r.at(k, "finding") > 0 {
			return true
		}
	}
	return false
}

// found notes a figure as one of the study's outcomes.
func (r *reader) found(f Figure) {
	if len(r.out.Outcomes) < 40 && !slices.ContainsFunc(r.out.Outcomes, func(o Term) bool { return o.Quote == f.Quote }) {
		r.out.Outcomes = append(r.out.Outcomes, Term{Label: capitalise(cut(f.Label, 200)), Canonical: slug(cut(f.Label, 80)), Axis: f.Axis, Quote: f.Quote})
	}
}
