package brief

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
		if r.before(i, 2, "notonly") >= 0 {
			continue // "not only parents" are anybody
		}
		if n := r.negation(i); n >= 0 {
			axis, label := r.segment(h)
			if len(r.out.Excluded) < most {
				r.out.Excluded = append(r.out.Excluded, Trait{Axis: axis, Label: label, Category: category(h.concept), Quote: r.quote(n, h.end)})
			}
			r.take(n, h.end, byExclusion)
			i = h.end - 1
			continue
		}
		if h.class == "ind" && r.ofCustomers(h) {
			continue // who goes to a bank works anywhere
		}
		if h.class == "cond" {
			r.stages(h)
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

// patrons are people that a business serves.
var patrons = set("customers customer clients client users user shoppers visitors guests patients passengers buyers account kunden kundinnen clientes clienti cliente klanten klienci klientow kunder account-holders travellers travelers") //nolint:misspell // words of other languages

// ofCustomers reports an industry that the people meant are served by, not working
// in: "bank customers", "Kunden einer Bank".
func (r *reader) ofCustomers(h *hit) bool {
	if h.end < len(r.toks) && r.same(h.start, h.end) && patrons[r.toks[h.end].norm] {
		return true
	}
	k := h.start
	for k > 0 && r.same(k-1, h.start) && (r.at(k-1, "of", "in", "article", "from") == k) {
		k--
	}
	if k == h.start || k == 0 || !patrons[r.toks[k-1].norm] {
		return false
	}
	r.trait(AxisBehaviour, r.quote(k-1, h.end), Behavioral, true, k-1, h.end)
	r.take(k, h.end, byClause)
	return true
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

// stages reads how far a condition has gone: "severe asthma", "breast cancer stage II
// or III".
func (r *reader) stages(h *hit) {
	if p := r.before(h.start, 0, "severity"); p >= 0 {
		r.trait(AxisStage, capitalise(r.quote(p, h.start)), Demographic, true, p, h.start)
	}
	for _, at := range []int{h.end, r.before(h.start, 3, "stage")} {
		k := r.at(at, "stage")
		if at < 0 || k == 0 || !r.same(at, h.start) {
			continue
		}
		end := k
		for end < k+4 && end < len(r.toks) && (r.toks[end].kind == number || romans[r.toks[end].norm] || end > k && (r.at(end, "or", "and", "to") > 0 || r.is(end, "-/"))) {
			end++
		}
		for end > k && r.at(end-1, "or", "and", "to") == end {
			end--
		}
		if end > k {
			r.trait(AxisStage, capitalise(r.quote(at, end)), Demographic, true, at, end)
			r.take(at, end, byTerm)
		}
	}
}

var romans = set("i ii iii iv iiia iiib")
