package brief

import "slices"

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
			r.soft = append(r.soft, ageClaim{span: r.generation(h), lo: i, hi: h.end, quote: r.quote(i, h.end)})
			continue
		} else if h != nil {
			r.ages = append(r.ages, ageClaim{span: r.generation(h), lo: i, hi: h.end, quote: r.quote(i, h.end)})
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
		r.ages = append(r.ages, ageClaim{span: s, lo: lo, hi: hi, quote: r.quote(lo, hi)})
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
		if q := r.adultWord(); q != "" {
			r.out.Age = &AgeRange{18, 0, q}
		}
		return
	}
	if lo := r.adultWord(); lo != "" && !slices.ContainsFunc(r.ages, func(a ageClaim) bool { return !a.barred }) {
		r.ages = append(r.ages, ageClaim{span: span{18, 0}, quote: lo, barred: true})
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
		case !first.barred && !a.barred && r.same(first.lo, a.lo) && first.hi < a.lo && r.listed(first.hi, a.lo): // 18-24, 25-34 and 35-44
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
			r.problem("“"+quotes+"” and “"+a.quote+"” exclude each other: nobody is of both ages. Keep one range, or ask for two groups with a share of each, such as 50/50.", quotes, a.quote)
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

// adultWord is the word that says that all are grown up, "" for none.
func (r *reader) adultWord() string {
	for i := range r.toks {
		if h := r.hit(i, "adult"); h != nil && r.zoneOf(i) == population && r.used[i] != byFigure && r.used[i] != byExclusion && r.hit(i, "soft") == nil {
			return r.quote(i, h.end)
		}
	}
	return ""
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
