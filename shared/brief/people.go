package brief

import "strings"

type genderClaim struct {
	gender string
	quote  string
	lo     int
}

// genders finds who may take part: "women who", "German mothers", "men only". A
// share, "mostly men", "not just women" and "for women" restrict nobody.
func (r *reader) genders(from zone) {
	open := false
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != from || r.used[i] == byFigure || r.used[i] == byExclusion {
			continue
		}
		if h := r.hit(i, "mw"); h != nil {
			if end := h.end; end > i+1 || r.at(i, "w", "m") == 0 {
				open = true
				i = end - 1
				continue
			}
		}
		h := r.hit(i, "w", "m", "nb", "wadj", "madj", "mother", "father")
		if h == nil || r.taken(i, h.end, byFigure) {
			continue
		}
		end := h.end
		g := map[string]string{"Woman": "woman", "Man": "man", "Non-binary": "non-binary"}[genderLabel(h.class)]
		if h.class == "mother" || h.class == "father" {
			r.term("is.parent", "Parents", AxisParents, h.start, h.end)
		}
		if r.lang != "tr" && (h.class == "wadj" || h.class == "madj") && !r.describesPeople(i, end) {
			continue
		}
		if r.glued(end, "'") && end+1 < len(r.toks) && r.toks[end+1].glued && r.hit(end+2, "people", "occ", "noun") == nil {
			continue // women's magazines
		}
		if p := r.before(i, 2, "notonly"); p >= 0 {
			open = true
			continue
		}
		if p := r.led(i, "mostly"); p >= 0 {
			r.trait(AxisGender, genderLabel(h.class), Demographic, false, p, end)
			r.take(p, end, byGender)
			continue
		}
		if p := r.before(i, 2, "some"); p >= 0 && !r.markBetween(p, i) && r.before(i, 2, "only") < 0 {
			r.trait(AxisGender, genderLabel(h.class), Demographic, false, p, end)
			continue
		}
		if r.before(i, 1, "topicfor") >= 0 {
			continue
		}
		lo, hi := i, end
		if p := r.before(i, 1, "only"); p >= 0 {
			lo = p
		}
		if e := r.at(end, "only"); e > 0 {
			hi = e
		}
		r.gender = append(r.gender, genderClaim{g, r.quote(lo, hi), lo})
		r.take(lo, hi, byGender)
		i = end - 1
	}
	seen := map[string]string{}
	var order []string
	for _, g := range r.gender {
		if seen[g.gender] == "" {
			seen[g.gender] = g.quote
			order = append(order, g.gender)
		}
	}
	if open || seen["woman"] != "" && seen["man"] != "" {
		return
	}
	for _, g := range order {
		r.out.Genders = append(r.out.Genders, g)
		r.out.GenderQuotes = append(r.out.GenderQuotes, seen[g])
	}
}

// describesPeople reports whether "female" says something of people: it stands
// before them, or ends its clause.
func (r *reader) describesPeople(lo, end int) bool {
	if end-lo == 1 && len(r.toks[lo].norm) == 1 {
		return r.is(lo-1, ":,/(") && (end >= len(r.toks) || r.is(end, ",./);|\n"))
	}
	if end >= len(r.toks) || !r.same(lo, end) || r.toks[end].kind == newline || r.is(end, ",.;:)(|/") || r.at(end, "only", "and", "or") > 0 {
		return true
	}
	for k := end; k < len(r.toks) && k <= end+3 && r.same(lo, k); k++ {
		if r.hit(k, "people", "adult", "is", "occ", "noun", "sen", "buy", "child", "gen", "soft", "cond") != nil || r.placeAt(k, true) != nil {
			return true
		}
		if r.toks[k].kind == mark && !r.is(k, "-") {
			break
		}
	}
	for k := lo - 1; k >= 0 && k >= lo-2 && r.same(lo, k); k-- {
		if r.hit(k, "people", "adult", "is", "occ", "noun", "sen") != nil {
			return true
		}
	}
	return false
}

// led is the start of a word such as "mostly" that leads token i, also over a verb
// ("most of them should be men"); -1 for none.
func (r *reader) led(i int, class string) int {
	p := i
	for p > 0 && p > i-4 && copula[r.toks[p-1].norm] {
		p--
	}
	q := r.before(p, 2, class)
	if q >= 0 && r.markBetween(q, i) {
		return -1
	}
	return q
}

// exclusions finds who is left out.
func (r *reader) exclusions() {
	for k := range r.sents {
		s := &r.sents[k]
		if s.zone != excluded {
			continue
		}
		r.leaveOut(s.lo, s.lo, s.end)
	}
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != population || r.used[i] != free {
			continue
		}
		h := r.hit(i, "excl1")
		if h == nil || r.at(i, "notonly") > h.end-1 && r.at(i, "notonly") > 0 {
			continue
		}
		if g := r.hit(i, "is", "max", "min", "under", "over", "younger", "older"); g != nil && g.end > h.end {
			continue
		}
		weak := weakNot[strings.ToLower(r.quote(i, h.end))]
		end := r.clauseEnd(h.end, 16)
		if weak {
			// "not students", "no smokers": only before a known thing
			j := h.end
			for r.at(j, "article") == j+1 {
				j++
			}
			g := r.hit(j, "is", "occ", "noun", "ind", "sen", "lang", "company")
			if g == nil {
				continue
			}
			end = g.end
		}
		if p := r.placeAt(r.skipArticle(h.end), true); p != nil && !weak {
			continue // an excluded place
		}
		r.leaveOut(i, h.end, end)
		r.take(i, end, byExclusion)
		i = max(i, end-1)
	}
}

func (r *reader) skipArticle(i int) int {
	for r.at(i, "article") == i+1 {
		i++
	}
	return i
}

var weakNot = set("not no non nicht keine kein pas non no nao niet geen nie bez inte inga ej ikke")

// leaveOut notes the people of tokens j to hi as excluded.
func (r *reader) leaveOut(lo, j, hi int) {
	if len(r.out.Excluded) >= most {
		return
	}
	n := 0
	j = r.skipArticle(j)
	for k := j; k < hi; k++ {
		h := r.hit(k, "is", "occ", "sen", "soft", "w", "m", "mother", "father")
		if h == nil || h.end > hi || (h.class != "is" && h.class != "occ" && h.class != "sen" && h.class != "soft") && (k > j || h.end < hi) {
			continue
		}
		if !nounLike(h) && h.class == "is" && h.end < hi && !r.is(h.end, ",/") && r.at(h.end, "and", "or", "people") == 0 {
			break // "anyone working in advertising" is more than who works
		}
		if k > j+3 && n == 0 {
			break
		}
		if r.at(h.end, "of", "in", "from") > 0 && n == 0 {
			break // "employees of the food industry" are not all employees
		}
		axis, label := r.segment(h)
		if h.class == "soft" {
			axis, label = AxisAge, r.generation(h).label()
		}
		r.out.Excluded = append(r.out.Excluded, Trait{Axis: axis, Label: label, Category: category(h.concept), Quote: r.quote(k, h.end)})
		n++
		k = h.end - 1
	}
	if n == 0 {
		q := r.quote(j, min(hi, j+24))
		if hasLetter(q) {
			r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisBehaviour, Label: q, Category: Behavioral, Quote: q})
		}
	}
	r.take(lo, hi, byExclusion)
}

func category(c *concept) string {
	if c.category != "" {
		return c.category
	}
	switch c.class {
	case "cond", "is", "subj", "lang", "w", "m", "gen", "soft":
		return Demographic
	}
	return Behavioral
}

// terms collects what people are: occupations, statuses, firms, conditions.
func (r *reader) terms(from zone) {
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != from || r.used[i] == byFigure || r.used[i] == byExclusion || r.used[i] == byPlace || r.used[i] == byFirm {
			continue
		}
		h := r.hit(i, "is", "occ", "sen", "buy", "ind", "firm", "dep", "subj", "cond", "lang")
		if h == nil {
			continue
		}
		if n := r.hit(i, "ax"); n != nil && n.end > h.end || r.hit(i, "child") != nil {
			continue
		}
		if r.taken(i, h.end, byFigure, byExclusion) {
			continue
		}
		if h.name == "is.patient" && r.before(i, 10, "who") >= 0 || h.name == "ind.edu" && r.before(i, 5, "is.student") >= 0 {
			continue // of doctors; of students
		}
		axis, label := r.segment(h)
		lo, hi := i, h.end
		required := true
		if p := r.led(i, "mostly"); p >= 0 {
			lo, required = p, false
		} else if p := r.before(i, 2, "some", "mix"); p >= 0 && !r.markBetween(p, i) {
			required = false
			lo = p
		}
		switch h.class {
		case "ind":
			r.firm().Industries = appendTerm(r.firm().Industries, Term{label, slug(label), axis, r.quote(lo, hi)})
		case "sen":
			r.firm().Seniority = appendTerm(r.firm().Seniority, Term{label, slug(label), axis, r.quote(lo, hi)})
		case "firm":
			r.firm().Sizes = appendTerm(r.firm().Sizes, Term{label, slug(label), axis, r.quote(lo, hi)})
		case "occ":
			if required {
				r.term(h.name, label, axis, lo, hi)
			} else {
				r.trait(axis, label, category(h.concept), false, lo, hi)
			}
		default:
			switch {
			case required && nounLike(h) && (axis == AxisEmployment || axis == AxisParents || axis == AxisCareRole || axis == AxisVoter || axis == AxisStudyLevel || axis == AxisParty || axis == AxisTenure):
				r.term(h.name, label, axis, lo, hi)
			default:
				r.trait(axis, label, category(h.concept), required, lo, hi)
			}
		}
		r.take(lo, hi, byTerm)
		i = hi - 1
	}
}

func (r *reader) term(name, label, axis string, lo, hi int) {
	r.out.Roles = appendTerm(r.out.Roles, Term{Label: label, Canonical: canonical(name, label), Axis: axis, Quote: r.quote(lo, hi)})
}

func canonical(name, label string) string {
	if label != "" {
		return slug(label)
	}
	return slug(name)
}

func appendTerm(ts []Term, t Term) []Term {
	if len(ts) >= most {
		return ts
	}
	for _, o := range ts {
		if o.Canonical == t.Canonical && o.Axis == t.Axis {
			return ts
		}
	}
	return append(ts, t)
}

func (r *reader) trait(axis, label, cat string, required bool, lo, hi int) {
	q := r.quote(lo, hi)
	if q == "" || len(r.out.Traits) >= most {
		return
	}
	for _, t := range r.out.Traits {
		if t.Axis == axis && t.Label == label {
			return
		}
	}
	r.out.Traits = append(r.out.Traits, Trait{Axis: axis, Label: label, Category: cat, Required: required, Quote: q})
}

// clauses collects what people do, have and think in the brief's own words: "who
// buy groceries online at least monthly", "interested in solar panels".
func (r *reader) clauses(from zone) {
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != from || r.used[i] == byFigure || r.used[i] == byExclusion {
			continue
		}
		if h := r.hit(i, "noun"); h != nil && r.used[i] == free {
			r.nounClause(i, h)
			continue
		}
		k, who := r.at(i, "who"), true
		if k == 0 {
			k, who = r.at(i, "open"), false
			if h := r.hit(i, "open"); h != nil && h.name == "open.who" {
				who = true
			}
		}
		if k == 0 { // "with more than 200 cows"
			if w := r.at(i, "with"); w > 0 && r.used[i] == free {
				c := r.at(w, "under", "over", "min", "max", "btw")
				if c == 0 && r.is(w+1, "+") {
					c = w
				}
				if c > 0 {
					if _, n, ok := r.number(c); ok && r.at(r.skip(n, "+"), "staff", "year", "people", "child", "pct", "exp") == 0 && r.used[c] == free {
						if hi := r.sentenceClause(n); hi > n {
							r.behaviour(w, w, hi)
							i = hi - 1
						}
					}
				}
			}
			continue
		}
		if who && i == 0 {
			continue
		}
		lo := i
		if who {
			lo = k
		}
		hi := r.sentenceClause(k)
		if hi-k < 1 {
			continue
		}
		r.behaviour(lo, k, hi)
		i = hi - 1
	}
}

// tenures reads years in a job: "at least two years of tenure".
func (r *reader) tenures(from zone) {
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != from || r.used[i] != free {
			continue
		}
		k := r.tenureAt(i)
		if k == 0 {
			continue
		}
		lo := i
		if p := r.before(lo, 1, "under", "over", "min", "max", "btw"); p >= 0 {
			lo = p
		}
		r.trait(AxisJobTenure, r.quote(lo, k), Firmographic, true, lo, k)
		r.take(lo, k, byTerm)
		i = k - 1
	}
}

// tenureAt is the end of years in a job whose number begins at token i, or 0.
func (r *reader) tenureAt(i int) int {
	_, j, ok := r.number(i)
	if !ok {
		return 0
	}
	if _, k, ok := r.rangeTo(i, j, 0); ok {
		j = k
	} else {
		j = r.skip(j, "+")
	}
	k := r.at(j, "exp")
	if u := r.at(j, "year"); k == 0 && u > 0 {
		k = r.at(r.skip(u, "'"), "exp")
	}
	if k == 0 || ago[r.toks[k-1].norm] {
		return 0
	}
	return k
}

var ago = set("ago earlier hace ha")

// lines reads what a bullet says that begins with a verb: "Buy capsules twice a month".
func (r *reader) lines() {
	for k := range r.sents {
		s := &r.sents[k]
		if s.zone != population || !s.bullet || s.hi-s.lo < 3 || s.hi < s.end {
			continue
		}
		end := r.sentenceClause(s.lo)
		if end-s.lo < 3 || r.toks[s.lo].kind != word {
			continue
		}
		spoken := false
		for i := s.lo; i < end; i++ {
			if r.used[i] != free && (r.used[i] != byTerm || i == s.lo) {
				spoken = true
			}
			if h := r.hit(i, "people", "adult", "w", "m", "mw", "ax", "sizemark", "by"); h != nil {
				spoken = true
			}
		}
		if !spoken {
			r.behaviour(s.lo, s.lo, end)
		}
	}
}

// sentenceClause ends at a full stop or at a comma; a list goes on.
func (r *reader) sentenceClause(i int) int {
	j := r.clauseEnd(i, 24)
	// "buy, cook or order": a short piece after a comma that leads to "or"
	if r.is(j, ",") && j-i < 14 {
		k := r.clauseEnd(j+1, 4)
		if k < len(r.toks) && k-j <= 4 && r.at(j+1, "who", "and", "open", "verb") == 0 && !r.anyHit(j+1, k) {
			for q := j + 1; q < k; q++ {
				if r.at(q, "or") > 0 {
					j = k
					break
				}
			}
		}
	}
	for k := i; k < j; k++ {
		if r.zoneOf(k) != r.zoneOf(i) {
			return k
		}
		if _, _, ok := r.percentAt(k); ok && k > i && r.used[k] == byFigure {
			return k
		}
		if k > i+1 && (r.at(k, "who") > 0 && r.at(k-1, "and") == k) {
			return k - 1
		}
	}
	return j
}

func (r *reader) anyHit(lo, hi int) bool {
	for k := lo; k < hi; k++ {
		if r.hit(k, "is", "occ", "w", "m") != nil || r.used[k] != free {
			return true
		}
	}
	return false
}

// behaviour notes the clause of tokens lo to hi, unless other rules have read all of
// it.
func (r *reader) behaviour(lo, k, hi int) {
	// what was read as age, place, size, figure leaves the clause
	spoken, words := 0, 0
	for q := k; q < hi; q++ {
		t := &r.toks[q]
		if t.kind == mark || t.kind == newline {
			continue
		}
		words++
		if r.used[q] != free && r.used[q] != byClause || r.at(q, "in", "from", "article", "and", "with", "of", "living", "or", "who") == q+1 || copula[t.norm] || r.at(q, "living") > 0 {
			spoken++
		}
	}
	if words == 0 || spoken == words {
		return
	}
	if words == 1 && !r.dense(k) && len(r.quote(k, hi)) < 5 {
		return
	}
	// trim a place or an age that ends it
	for hi > k+1 && (r.used[hi-1] == byPlace || r.used[hi-1] == byAge) {
		hi--
		for hi > k+1 && r.at(hi-1, "in", "from", "article", "and") == hi {
			hi--
		}
	}
	for lo < hi && lo < k && r.at(lo, "article") == lo+1 {
		lo++
	}
	q := r.quote(lo, hi)
	if !hasLetter(q) {
		return
	}
	axis, cat := AxisBehaviour, Behavioral
	for p := lo; p < hi && p < lo+5; p++ {
		if r.at(p, "att") > 0 {
			axis, cat = AxisAttitude, Psychographic
			break
		}
		if r.at(p, "own") > 0 && p <= lo+1 {
			axis = AxisOwnership
		}
		if r.at(p, "cond") > 0 {
			axis, cat = AxisCondition, Demographic
			break
		}
		if r.at(p, "exp") > 0 {
			axis, cat = AxisJobTenure, Firmographic
		}
	}
	r.trait(axis, q, cat, r.led(lo, "mostly") < 0, lo, hi)
	r.take(lo, hi, byClause)
}

func (r *reader) dense(i int) bool { return i < len(r.toks) && r.toks[i].kind == dense }

// nounClause reads "oat milk drinkers", "owners of electric bikes".
func (r *reader) nounClause(i int, h *hit) {
	lo := i
	for lo > 0 && lo > i-3 && r.same(lo-1, i) && r.used[lo-1] == free {
		t := &r.toks[lo-1]
		if t.kind != word && !r.is(lo-1, "-") || r.at(lo-1, "in", "from", "of", "and", "or", "with", "who", "article", "verb", "for", "need", "only", "mostly", "people", "adult") == lo || r.at(lo-1, "w", "m", "wadj", "madj", "fn") == lo || r.at(lo-1, "some", "mix", "noun") == lo {
			break
		}
		lo--
	}
	hi := h.end
	if r.lang != "en" || r.at(h.end, "of") > 0 && lo == i {
		if k := r.at(h.end, "of"); k > 0 {
			hi = r.clauseEnd(k, 5)
			for q := k + 1; q < hi; q++ {
				if r.used[q] != free || r.at(q, "in", "who", "and", "with", "from") > 0 {
					hi = q
					break
				}
			}
		}
	}
	if lo == i && hi == h.end {
		return
	}
	for lo < i && r.is(lo, "-") {
		lo++
	}
	axis := AxisBehaviour
	if h.name == "noun.own" {
		axis = AxisOwnership
	}
	required := true
	if p := r.before(lo, 1, "mostly", "some"); p >= 0 {
		required = false
	}
	r.trait(axis, r.quote(lo, hi), Behavioral, required, lo, hi)
	r.take(lo, hi, byClause)
}
