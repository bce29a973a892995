package brief

import "strconv"

// span is an age range in full years, both inside; 0 is open.
type span struct{ min, max int }

func (s span) label() string {
	switch {
	case s.min == 0:
		return "Under " + strconv.Itoa(s.max+1)
	case s.max == 0:
		return strconv.Itoa(s.min) + "+"
	case s.min == s.max:
		return strconv.Itoa(s.min)
	}
	return strconv.Itoa(s.min) + "-" + strconv.Itoa(s.max)
}

// ageClaim is an age that the text says, and where.
type ageClaim struct {
	span
	lo, hi int
	quote  string
}

// oldest is the most years that are an age.
const oldest = 110

// ageExpr reads an age that begins with the number at token i. loose takes a bare
// range without a word for years. The tokens lo to hi include what stands before it
// ("aged", "between", "under").
func (r *reader) ageExpr(i int, loose bool) (s span, lo, hi int, ok bool) {
	if h := r.hit(i, "decade", "d20", "d30", "d40", "d50", "d60", "d70"); h != nil {
		if s, lo, hi, ok = r.decade(i, h); ok || r.toks[i].kind != number {
			return s, lo, hi, ok
		}
	}
	v, j, isNum := r.number(i)
	if h := r.hit(j, "decade"); isNum && h != nil && h.start == j && r.toks[j].glued && r.toks[j].kind != number {
		return r.decade(i, &hit{concept: h.concept, start: i, end: h.end})
	}
	if !isNum || v != float64(int(v)) || v < 1 || v > 2030 {
		return s, 0, 0, false
	}
	if i > 0 && (r.is(i-1, "£$€¥%#") || r.glued(i, "/")) || r.at(j, "pct") > 0 || r.is(j, "£$€¥") {
		return s, 0, 0, false
	}
	if v > 1900 {
		return r.bornIn(i, int(v), j)
	}
	if v > oldest {
		return s, 0, 0, false
	}
	s.min, s.max, lo = int(v), int(v), i
	unit := r.at(j, "year")
	ranged := false
	if w, k, ok := r.rangeTo(i, j, unit); ok {
		if w > oldest {
			return s, 0, 0, false
		}
		s.max, ranged = w, true
		j = k
		unit = r.at(r.skip(j, "-"), "year")
	}
	if !ranged && unit == 0 && r.glued(j, "-") {
		unit = r.at(j+1, "year")
	}
	hi = j
	strong := false
	if unit > 0 {
		hi, strong = unit, true
		if r.at(unit, "exp") > 0 || r.at(r.skip(j, "-"), "exp") > 0 {
			return s, 0, 0, false
		}
	}
	plural := j < len(r.toks) && r.toks[j].glued && r.toks[j].norm == "s" // over 65s
	if plural {
		hi = max(hi, j+1)
	}
	if r.glued(j, "+") && r.at(j+1, "unit", "staff", "money", "exp") > 0 && r.at(j+1, "year") == 0 {
		return s, 0, 0, false
	}
	if unit == 0 && !plural && (r.at(j, "unit", "staff", "money", "exp", "times") > 0 || r.glued(j, "-") && r.at(j+1, "unit", "staff") > 0) {
		return s, 0, 0, false
	}
	// what stands around it
	compared := false
	open := func(k int) { // after
		if e := r.at(k, "older"); e > 0 {
			s.max, compared, hi = 0, true, e
		} else if r.glued(k, "+") {
			s.max, compared, hi = 0, true, k+1
			if e := r.at(hi, "year"); e > 0 {
				hi, strong = e, true
			}
		} else if e := r.at(k, "younger"); e > 0 {
			s.min, compared, hi = 0, true, e
		} else if e := r.at(k, "underpost"); e > 0 {
			s.min, s.max, compared, hi = 0, s.max-1, true, e
		}
	}
	if !ranged {
		open(hi)
		if !compared && hi != j {
			open(j)
		}
		if !compared && r.glued(j, "-") {
			open(j + 1) // 65-plussers
		}
		if e := r.at(hi, "year"); e > 0 && compared {
			hi, strong = e, true
		}
	}
	aged := r.before(lo, 1, "aged")
	if aged < 0 && r.is(lo-1, ":") {
		aged = r.before(lo-1, 1, "aged")
	}
	if !compared && !ranged {
		lo, compared = r.comparator(i, aged, &s)
	}
	if ranged {
		if p := r.before(lo, 1, "btw", "from", "in"); p >= 0 {
			lo = p
		}
	}
	if aged >= 0 {
		lo, strong = min(lo, aged), true
	}
	if p := r.before(lo, 2, "last", "for"); p >= 0 && aged < 0 && (!ranged || r.before(lo, 1, "last") >= 0) {
		return s, 0, 0, false
	}
	if !ranged && !compared {
		if aged < 0 && (unit == 0 || r.hit(r.skip(j, "-"), "yearold") == nil) || s.min < 5 {
			return s, 0, 0, false
		}
		if e := r.at(r.skip(j, "-"), "yearold"); e > 0 {
			hi = e
		}
		return s, lo, hi, true
	}
	if strong {
		if r.at(hi, "exp") > 0 {
			return s, 0, 0, false
		}
		if e := r.at(hi, "ageword"); e > 0 {
			hi = e
		}
		return s, lo, hi, true
	}
	if s.min > 0 && s.min < 12 || s.max > 99 || s.min == 0 && s.max < 13 {
		return s, lo, hi, false
	}
	if plural || loose {
		return s, lo, hi, true
	}
	if r.lang != "en" && compared && (r.toks[lo].norm == "over" || r.toks[lo].norm == "under") {
		return s, lo, hi, true // in other languages the English word is of ages
	}
	if (r.at(hi, "people", "w", "m", "company") > 0 || r.lang == "en" && r.peopleAfter(hi) > 0) && !ranged && r.before(i, 0, "over", "under", "min", "max") >= 0 {
		return s, 0, 0, false // "over 50 people" counts them
	}
	return s, lo, hi, r.besidePeople(lo, hi)
}

// comparator reads what stands before a single age, "under", "no older than", also
// before the word age ("over the age of 40"). It gives the first token of both.
func (r *reader) comparator(i, aged int, s *span) (lo int, found bool) {
	ends := []int{i}
	if r.is(i-1, "-") {
		ends = append(ends, i-1) // over-50s
	}
	p := i
	for p > 0 && (r.at(p-1, "article") == p || r.at(p-1, "ageword") == p) && r.same(p-1, i) {
		p--
	}
	ends = append(ends, p)
	if aged >= 0 {
		p = aged
		for p > 0 && r.at(p-1, "article") == p && r.same(p-1, i) {
			p--
		}
		ends = append(ends, aged, p)
	}
	for _, q := range ends {
		class := ""
		lo = i
		for _, c := range []string{"under", "over", "min", "max"} { // the longest wins: "no older than"
			if b := r.before(q, 0, c); b >= 0 && (class == "" || b < lo) {
				lo, class = b, c
			}
		}
		switch class {
		case "under":
			s.min, s.max = 0, s.max-1
		case "over", "min":
			s.max = 0
		case "max":
			s.min = 0
		default:
			continue
		}
		return lo, true
	}
	return i, false
}

// rangeTo reads the other end of a range that begins with the number before j.
func (r *reader) rangeTo(i, j, unit int) (v, end int, ok bool) {
	for _, k := range []int{j, unit} {
		if k == 0 {
			continue
		}
		k = r.skip(k, "'")
		e := 0
		if r.is(k, "-") {
			e = k + 1
			if t := r.at(e, "to"); t > 0 {
				e = t
			}
		} else if t := r.at(k, "to"); t > 0 {
			e = t
		} else if t := r.at(k, "and"); t > 0 && (r.before(i, 2, "btw") >= 0) {
			e = t
		}
		if e == 0 {
			if r.lang == "ar" && r.before(i, 2, "btw") >= 0 { // و is written onto the number
				e = k
			} else {
				continue
			}
		}
		for r.at(e, "article") == e+1 {
			e++
		}
		if w, f, ok := r.number(e); ok && w == float64(int(w)) && w < 1e6 {
			return int(w), f, true
		}
	}
	return 0, 0, false
}

// besidePeople reports whether a bare range stands beside people: "women 25-45",
// "18-34, Spain".
func (r *reader) besidePeople(lo, hi int) bool {
	s := r.sents[r.of[lo]]
	for p := max(s.lo, lo-12); p < min(s.end, hi+5); p++ {
		if r.hit(p, "people", "adult", "w", "m", "wadj", "madj", "nb", "mw", "mother", "father", "is", "occ", "child", "noun", "sen", "cond") != nil || len(r.place[p]) > 0 {
			return true
		}
	}
	return s.hi-s.lo <= hi-lo+2 // a line of its own
}

// bornIn reads years of birth: "born 1990-2000".
func (r *reader) bornIn(i, from, j int) (s span, lo, hi int, ok bool) {
	lo = r.before(i, 2, "born")
	post := 0
	to, hi := from, j
	if w, k, ok := r.rangeTo(i, j, 0); ok {
		if w < 100 {
			w += from / 100 * 100
		}
		to, hi = w, k
	} else if w, k, ok := r.number(r.at(j, "and")); ok && w > 1900 && w < 2030 && r.at(j, "and") > 0 {
		to, hi = int(w), k
	}
	if e := r.at(hi, "bornpost"); e > 0 {
		post = e
		hi = e
	}
	if lo < 0 && post == 0 || from > r.year || to > r.year || to < from {
		return s, 0, 0, false
	}
	if lo < 0 {
		lo = i
	}
	return span{r.year - to, r.year - from}, lo, hi, true
}

// decade reads "in their 30s", "late twenties", "30代".
func (r *reader) decade(i int, h *hit) (s span, lo, hi int, ok bool) {
	var from int
	if h.class == "decade" {
		from = int(r.toks[i].value)
		if from == 0 {
			return s, 0, 0, false
		}
	} else {
		from, _ = strconv.Atoi(h.class[1:])
	}
	if from < 10 || from > 90 || from%10 != 0 {
		return s, 0, 0, false
	}
	s, lo, hi = span{from, from + 9}, i, h.end
	if p := r.before(i, 1, "over", "under"); p >= 0 && r.toks[i].kind == number {
		return span{}, 0, 0, false // "over 60s" is no decade
	}
	switch {
	case r.before(i, 1, "early") >= 0:
		s, lo = span{from, from + 3}, r.before(i, 1, "early")
	case r.before(i, 1, "mid") >= 0:
		s, lo = span{from + 4, from + 6}, r.before(i, 1, "mid")
	case r.before(i, 1, "late") >= 0:
		s, lo = span{from + 7, from + 9}, r.before(i, 1, "late")
	}
	// "their 30s and 40s"
	if k := max(r.at(hi, "and"), r.at(hi, "to"), r.at(hi, "or")); k > 0 || r.is(hi, "-") {
		if k == 0 {
			k = hi + 1
		}
		if g := r.hit(k, "decade", "d20", "d30", "d40", "d50", "d60", "d70"); g != nil {
			if t, _, e, ok := r.decade(k, g); ok {
				s.max, hi = max(s.max, t.max), e
			}
		}
	}
	return s, lo, hi, true
}

// generations by years of birth (Pew Research Center 2019; Generation Alpha follows on).
var generations = map[string]span{
	"gen.alpha": {2013, 2024}, "gen.z": {1997, 2012}, "gen.y": {1981, 1996}, "gen.x": {1965, 1980}, "gen.boomer": {1946, 1964}, "gen.silent": {1928, 1945},
}

// Words that say an age without a number, as surveys commonly cut them. A number
// beside them wins.
var softAges = map[string]span{"soft.senior": {65, 0}, "soft.teen": {13, 19}, "soft.young": {18, 29}}

func (r *reader) generation(h *hit) span {
	if s, ok := softAges[h.name]; ok {
		return s
	}
	b := generations[h.name]
	return span{r.year - b.max, r.year - b.min}
}

// findAges collects ages: those of the population, those of their children.
func (r *reader) findAges(from zone) {
	for i := 0; i < len(r.toks) && len(r.ages) < most && len(r.soft) < most; i++ {
		if r.zoneOf(i) != from || r.used[i] == byFigure || r.used[i] == bySize || r.used[i] == byFirm || r.used[i] == byExclusion {
			continue
		}
		if h := r.hit(i, "gen", "soft"); h != nil && h.class == "soft" {
			if r.before(i, 4, "childlink") >= 0 && r.before(i, 6, "is.parent", "mother", "father") >= 0 {
				continue
			}
			r.soft = append(r.soft, ageClaim{r.generation(h), i, h.end, r.quote(i, h.end)})
			continue
		} else if h != nil {
			r.ages = append(r.ages, ageClaim{r.generation(h), i, h.end, r.quote(i, h.end)})
			r.take(i, h.end, byAge)
			i = h.end - 1
			continue
		}
		s, lo, hi, ok := r.ageExpr(i, false)
		if !ok || r.taken(lo, hi, byFigure, byFirm, bySize) {
			continue
		}
		if c := r.before(lo, 2, "child"); c >= 0 && r.childOf(c) || r.near(hi, 1, "child") != nil && r.childOf(lo) {
			r.take(lo, hi, byTerm) // of the children
			i = hi - 1
			continue
		}
		if s.max > 0 && s.max < 10 {
			continue
		}
		r.ages = append(r.ages, ageClaim{s, lo, hi, r.quote(lo, hi)})
		r.take(lo, hi, byAge)
		i = hi - 1
	}
}

// childOf reports whether the children at token c are those of the population.
func (r *reader) childOf(c int) bool {
	return r.before(c, 3, "childlink", "is.parent", "mother", "father") >= 0
}

// settleAge makes one range of what was found, and says what speaks against what.
func (r *reader) settleAge() {
	if len(r.ages) == 0 {
		if len(r.soft) > 0 {
			a := r.soft[0]
			r.out.Age = &AgeRange{a.min, a.max, a.quote}
			return
		}
		for i := range r.toks {
			if h := r.hit(i, "adult"); h != nil && r.zoneOf(i) == population && r.used[i] != byFigure && r.used[i] != byExclusion && r.hit(i, "soft") == nil {
				r.out.Age = &AgeRange{18, 0, r.quote(i, h.end)}
				return
			}
		}
		return
	}
	first := r.ages[0]
	all := first.span
	quotes := first.quote
	bands, numbers := 1, false
	for _, a := range r.ages {
		if a.max > 0 && a.min > a.max {
			r.problem("The age range “"+a.quote+"” begins above its end: say the younger age first.", a.quote)
		}
	}
	for _, a := range r.ages[1:] {
		switch {
		case a.span == all:
		case r.same(first.lo, a.lo) && r.listed(first.hi, a.lo): // 18-24, 25-34 and 35-44
			all.min = min(all.min, a.min)
			if all.max > 0 {
				all.max = max(all.max, a.max)
			}
			if a.max == 0 {
				all.max = 0
			}
			bands++
			quotes = r.quote(r.ages[0].lo, a.hi)
			first = a
			if r.toks[a.lo].kind != word {
				numbers = true
			}
		case within(a.span, all):
			all, quotes = a.span, a.quote
		case within(all, a.span):
		case a.max > 0 && a.max < all.min || all.max > 0 && all.max < a.min:
			r.problem("“"+quotes+"” and “"+a.quote+"” exclude each other: nobody is of both ages. Keep one range, or ask for two groups.", quotes, a.quote)
		default:
			if a.min > all.min {
				all.min = a.min
			}
			if a.max > 0 && (all.max == 0 || a.max < all.max) {
				all.max = a.max
			}
		}
	}
	if all.max > 0 && all.min > all.max {
		all.min, all.max = all.max, all.min
	}
	if all.max >= oldest-1 {
		all.max = 0
	}
	r.out.Age = &AgeRange{all.min, all.max, quotes}
	if bands > 1 && numbers {
		r.axis(AxisAge, "Age", "age", quotes)
	}
}

// listed reports whether only marks and "and" stand between two tokens.
func (r *reader) listed(a, b int) bool {
	if b-a > 4 {
		return false
	}
	for i := a; i < b; i++ {
		if !r.is(i, ",/&+|") && r.at(i, "and", "or", "article") == 0 {
			return false
		}
	}
	return true
}

func within(in, out span) bool {
	return in.min >= out.min && (out.max == 0 || in.max > 0 && in.max <= out.max)
}
