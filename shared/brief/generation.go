package brief

import "strconv"

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
		g := r.hit(k, "decade", "d20", "d30", "d40", "d50", "d60", "d70")
		if g == nil { // 30代から40代
			if _, j, ok := r.number(k); ok && r.hit(j, "decade") != nil && r.toks[j].glued {
				g = &hit{concept: r.hit(j, "decade").concept, start: k, end: r.hit(j, "decade").end}
			}
		}
		if g != nil {
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
