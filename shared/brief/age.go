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
	barred bool // it is what is left when others are kept out: no band of a list
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
