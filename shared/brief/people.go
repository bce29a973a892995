package brief

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
		if r.near(r.sents[r.of[i]].lo, 12, "nomatter") != nil { // "it does not matter whether they are women"
			open = true
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
	if r.barred.gender != "" {
		r.others(order)
		return
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
		// one letter says it only where a line asks for it: "Gender: f", "m, 30-40".
		// "(f)" behind a noun is how that noun is written, or a slip.
		return r.is(lo-1, ":,") && (end >= len(r.toks) || r.is(end, ",.;|\n"))
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
