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
			if g == nil { // "not leisure travellers"
				if g = r.hit(j+1, "noun"); g == nil || r.toks[j].kind != word || r.at(j, "only", "verb", "in", "with", "for") > 0 {
					continue
				}
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
