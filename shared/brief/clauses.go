package brief

import "strconv"

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
		if who && i == 0 || i == r.sents[r.of[i]].lo && seeking[r.toks[i].norm] {
			continue // "looking for early adopters": it is the client who looks
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

// households reads the size of the household that all live in: "household size 4+",
// "households of 3 or more people".
func (r *reader) households(from zone) {
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != from || r.used[i] != free {
			continue
		}
		k := r.at(i, "ax.hh", "household")
		if k == 0 {
			continue
		}
		k = r.skip(k, ":")
		for k < len(r.toks) && r.same(i, k) && (r.at(k, "of", "with", "article") == k+1 || copula[r.toks[k].norm]) {
			k++
		}
		more := false
		if e := r.at(k, "min"); e > 0 {
			k, more = e, true
		}
		v, j, ok := r.number(k)
		if !ok || !r.same(i, k) || v != float64(int(v)) || v < 1 || v > 12 || r.at(j, "pct") > 0 {
			continue
		}
		label := strconv.Itoa(int(v))
		if w, e, ok := r.rangeTo(k, j, 0); ok && w > int(v) && w < 15 {
			label, j = label+"-"+strconv.Itoa(w), e
		} else if r.is(j, "+") {
			more, j = true, j+1
		}
		if e := r.at(j, "people"); e > 0 {
			j = e
		}
		if e := r.at(j, "older"); e > 0 {
			more, j = true, e
			if e := r.at(j, "people"); e > 0 {
				j = e
			}
		}
		switch {
		case more:
			label += " or more people"
		case label == "1":
			label = "1 person"
		default:
			label += " people"
		}
		r.trait(AxisHousehold, label, Demographic, true, i, j)
		r.take(i, j, byTerm)
		i = j - 1
	}
}

var seeking = set("looking searching seeking")

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
		u = r.skip(u, "'+")
		if o := r.at(u, "older", "of"); o > 0 && r.at(u, "exp") == 0 {
			u = o // "10 years or more experience"
		}
		k = r.at(u, "exp")
		if o := r.at(u, "of"); k == 0 && o > 0 {
			k = r.at(o, "exp")
		}
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
		if _, _, ok := r.percentAt(k); ok && r.used[k] == byFigure {
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

// aloneNoun reads a noun that is by itself what people do: "commuters in Lyon". One
// that anybody is, such as "customers", says nothing.
func (r *reader) aloneNoun(i int, h *hit) {
	if h.name != "noun.use" || r.hit(i, "people") != nil || patrons[r.toks[i].norm] || !r.placeFollows(h.end) && r.used[min(h.end, len(r.used)-1)] != byAge {
		return
	}
	s := &r.sents[r.of[i]]
	if r.before(i, 3, "for", "with", "of", "topicfor", "notonly") >= 0 || r.anyHit(s.lo, i) && r.used[max(i-1, 0)] != bySize {
		return
	}
	required := r.before(i, 1, "mostly", "some") < 0
	r.trait(AxisBehaviour, capitalise(r.quote(i, h.end)), Behavioral, required, i, h.end)
	r.take(i, h.end, byClause)
}

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
		r.aloneNoun(i, h)
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
