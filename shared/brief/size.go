package brief

import (
	"strconv"
	"strings"
)

// mostPeople is the largest number that is read as a size.
const mostPeople = 1e6

// companies finds sizes and revenues of companies, before any other number is read.
func (r *reader) companies() {
	for i := 0; i < len(r.toks); i++ {
		z := r.zoneOf(i)
		if z != population || r.used[i] != free {
			continue
		}
		v, j, ok := r.number(i)
		if !ok || v < 1 {
			continue
		}
		if r.money(i, v, j) {
			continue
		}
		if v != float64(int(v)) || i > 0 && r.is(i-1, "£$€¥") {
			continue
		}
		lo, hi := i, j
		label := strconv.Itoa(int(v)) + "+"
		single := false
		if w, k, ok := r.rangeTo(i, j, 0); ok && float64(w) >= v {
			label, hi = strconv.Itoa(int(v))+"-"+strconv.Itoa(w), k
			if p := r.before(i, 1, "btw", "from"); p >= 0 {
				lo = p
			}
		} else if r.is(j, "+") {
			hi = j + 1
		} else if p := r.before(i, 0, "under"); p >= 0 {
			label, lo = "Under "+strconv.Itoa(int(v)), p
		} else if p := r.before(i, 0, "max"); p >= 0 {
			label, lo = "Up to "+strconv.Itoa(int(v)), p
		} else if p := r.before(i, 0, "over", "min"); p >= 0 {
			lo = p
		} else if e := r.at(j, "older"); e > 0 {
			hi = e
		} else {
			label, single = strconv.Itoa(int(v)), true
		}
		k := r.skip(hi, "-")
		e := r.at(k, "staff")
		if e == 0 {
			continue
		}
		if o := r.at(e, "older"); o > 0 && single {
			label, single, e = strconv.Itoa(int(v))+"+", false, o
		}
		// companies are spoken of close by
		inside := r.before(lo, 9, "company", "ind", "firm") >= 0 || r.near(e, 4, "company") != nil && !r.markBetween(e, r.near(e, 4, "company").start)
		if single {
			inside = r.before(lo, 2, "company") >= 0 || r.is(hi, "-") || r.before(lo, 0, "with") >= 0 && r.before(lo, 5, "company", "ind", "firm") >= 0 || r.at(e, "company") > 0
		}
		if !inside && !single && (r.is(lo-1, "(") || r.toks[i].value >= 200 && strings.Contains(label, "-")) {
			inside = true
		}
		if !inside {
			continue
		}
		q := r.quote(lo, e)
		r.firm().Sizes = append(r.firm().Sizes, Term{Label: label, Canonical: "company-size-" + slug(label), Axis: AxisCompanySize, Quote: q})
		r.take(lo, e, byFirm)
		i = e - 1
	}
}

func (r *reader) firm() *Firm {
	if r.out.Firm == nil {
		r.out.Firm = &Firm{}
	}
	return r.out.Firm
}

// money reads an amount: the revenue of companies, or people's income.
func (r *reader) money(i int, v float64, j int) bool {
	cur := i > 0 && r.is(i-1, "£$€¥") || r.is(j, "£$€¥") || r.at(j, "money") > 0 && r.at(j, "staff") == 0
	if !cur {
		return false
	}
	lo, hi := i, j
	if i > 0 && r.is(i-1, "£$€¥") {
		lo--
	}
	tail := func() {
		for n := 0; n < 3; n++ {
			if e := r.at(hi, "money"); e > 0 {
				hi = e
			} else if r.is(hi, "£$€¥+") && (hi+1 >= len(r.toks) || r.toks[hi+1].kind != number) {
				hi++
			}
		}
	}
	tail()
	k := hi
	if r.is(k, "-") {
		k++
	} else if e := max(r.at(k, "to"), r.at(k, "and")); e > 0 {
		k = e
	}
	if k > hi {
		if r.is(k, "£$€¥") {
			k++
		}
		if _, e, ok := r.number(k); ok {
			hi = e
			tail()
		}
	}
	if p := r.before(lo, 1, "under", "over", "min", "max", "btw", "from"); p >= 0 {
		lo = p
	}
	q := r.quote(lo, hi)
	r.take(lo, hi, byFirm)
	switch {
	case r.before(lo, 5, "revenue") >= 0 || r.near(hi, 4, "revenue") != nil:
		r.firm().Revenue = append(r.firm().Revenue, Term{Label: q, Canonical: "revenue-" + slug(q), Axis: AxisRevenue, Quote: q})
	case r.before(lo, 6, "ax.income", "earn") >= 0 || r.near(hi, 5, "ax.income", "earn", "or") != nil && r.near(hi, 5, "ax.income", "earn") != nil:
		if p := r.before(lo, 6, "ax.income", "earn"); p >= 0 {
			lo = p
		} else {
			hi = r.near(hi, 5, "ax.income", "earn").end
		}
		if e := r.at(hi, "older", "younger"); e > 0 {
			hi = e
		}
		r.take(lo, hi, byFirm)
		r.trait(AxisIncome, q, Demographic, true, lo, hi)
	}
	return true
}

// findSizes collects numbers of people.
func (r *reader) findSizes() {
	for i := 0; i < len(r.toks) && len(r.sizes) < most; i++ {
		z := r.zoneOf(i)
		if z == background && r.before(i, 2, "sizemark") < 0 || r.used[i] != free {
			continue
		}
		v, j, ok := r.number(i)
		if !ok || v < 0 || v > mostPeople || v != float64(int(v)) || r.before(i, 0, "stage") >= 0 || r.inside(i) {
			continue
		}
		if i > 0 && r.is(i-1, "£$€¥#%") || r.is(j, "£$€¥%+") && !r.isSize(i) || r.at(j, "pct") > 0 {
			continue
		}
		lo, hi := i, j
		marked := r.before(i, 0, "sizemark")
		if marked < 0 && i > 0 && r.is(i-1, ":=") {
			marked = r.before(i-1, 1, "sizemark", "people")
			if r.toks[i].kind == word && marked < 0 {
				marked = -1
			}
		}
		if marked >= 0 && r.at(j, "year") == 0 && r.at(r.skip(j, "-"), "unit") == 0 {
			e := r.peopleAfter(j)
			if e > 0 {
				hi = e
			}
			r.size(int(v), marked, hi, true)
			i = hi - 1
			continue
		}
		if z != population && z != excluded || z == excluded {
			// "ask 40 nurses whether" stands before what is wanted; numbers after it are its own
			continue
		}
		if _, k, ok := r.rangeTo(i, j, 0); ok && r.peopleAfter(k) == 0 {
			i = k - 1
			continue
		}
		if r.at(j, "year", "money", "times") > 0 || r.at(j, "unit") > 0 && r.at(j, "people") == 0 || r.glued(j, "-") && r.toks[min(j+1, len(r.toks)-1)].glued && r.at(j+1, "people") == 0 {
			continue
		}
		if r.before(i, 2, "last", "aged") >= 0 || r.before(i, 3, "with", "childlink") >= 0 && r.near(j, 1, "child") != nil {
			continue
		}
		if r.before(i, 6, "who") >= 0 && r.lang == "en" && r.before(i, 2, "need") < 0 {
			continue // whom doctors treat, not who is asked
		}
		if e := r.peopleAfter(j); e > 0 && r.before(i, 2, "childlink") < 0 || e > 0 && r.lang != "en" && r.near(j, 1, "child") == nil {
			if v >= 1900 && v < 2040 && r.toks[i].end-r.toks[i].start == 4 && r.before(i, 2, "in", "last") >= 0 {
				continue
			}
			r.size(int(v), lo, e, r.before(lo, 2, "need") >= 0)
			continue
		}
		// "we need 150": a number that closes a clause behind a verb of asking
		if r.before(i, 2, "need") >= 0 && (r.clauseEnd(j, 1) == j || j >= len(r.toks)) {
			r.size(int(v), lo, j, true)
		}
	}
	r.settleSize()
}

// inside reports whether the number at token i is part of a name: type 2 diabetes.
func (r *reader) inside(i int) bool {
	for p := max(0, i-2); p < i; p++ {
		if h := r.hit(p, "cond"); h != nil && h.end > i {
			return true
		}
	}
	return false
}

func (r *reader) isSize(i int) bool { return r.before(i, 2, "sizemark") >= 0 }

// sizeClaim is a number of people; marked is one that a word for the sample leads.
type sizeClaim struct {
	Stated
	marked bool
}

func (r *reader) size(n, lo, hi int, marked bool) {
	r.sizes = append(r.sizes, sizeClaim{Stated{n, r.quote(lo, hi)}, marked})
	for k := lo; k < hi; k++ {
		if r.toks[k].kind == number || r.used[k] == free && r.hit(k, "w", "m", "mother", "father", "is", "occ", "demonym") == nil && len(r.place[k]) == 0 {
			if _, _, ok := r.number(k); ok {
				r.used[k] = bySize
			}
		}
	}
}

// peopleAfter is the end of the people noun that a number at j-1 counts, with up to
// three words between ("60 busy working parents").
func (r *reader) peopleAfter(j int) int {
	if r.is(j, "(") {
		return 0
	}
	if e := r.at(j, "counter"); e > 0 { // 50人, 60명
		return e
	}
	if e := r.at(j, "over", "under"); e > 0 { // 30 over 65s
		if _, k, ok := r.number(e); ok && k < len(r.toks) && r.toks[k].norm == "s" {
			return k + 1
		}
	}
	for k := j; k < len(r.toks) && k <= j+4 && r.same(j, k); k++ {
		if e := r.at(k, "people", "w", "m", "nb", "mother", "father", "mw", "adult", "noun", "gen", "soft", "child"); e > 0 {
			return e
		}
		if h := r.hit(k, "is", "occ", "sen", "buy"); h != nil && h.name != "is.urban" && (nounLike(h) || k == j && h.class == "occ") {
			return h.end
		}
		if h := r.placeAt(k, false); h != nil && h.class == "demonym" && (h.end >= len(r.toks) || r.hit(h.end, "people") == nil) && peoplePlural(r.toks[k].norm) {
			return h.end
		}
		if h := r.hit(k, "cond"); h != nil { // 40 type 2 diabetes patients
			k = h.end - 1
			continue
		}
		t := &r.toks[k]
		if t.kind == number || t.kind == newline || t.kind == mark && !strings.Contains("-'/&", t.norm) {
			return 0
		}
		if r.at(k, "in", "from", "who", "with", "verb", "of", "and", "per") > 0 && r.at(k, "is", "wadj", "madj") == 0 && k > j && r.lang == "en" {
			return 0
		}
	}
	return 0
}

func peoplePlural(w string) bool {
	return strings.HasSuffix(w, "ans") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "ers") || strings.HasSuffix(w, "s") || strings.HasSuffix(w, "en")
}

// nounLike reports things that are people by themselves: parents, students; not
// working, urban.
func nounLike(h *hit) bool {
	switch h.class {
	case "occ":
		return true
	case "is":
		return strings.HasSuffix(h.label, "s") && h.axis != AxisIncome || h.axis == AxisParty
	case "sen", "buy":
		return strings.HasSuffix(h.label, "s")
	}
	return false
}

func (r *reader) settleSize() {
	if len(r.sizes) == 0 {
		return
	}
	// the first that is said to be the sample, else the first
	first := r.sizes[0]
	for _, s := range r.sizes {
		if s.marked {
			first = s
			break
		}
	}
	r.out.Size = &Stated{first.N, first.Quote}
	for _, s := range r.sizes {
		// a smaller number beside the whole is a part of it
		if s.marked && first.marked && s.N > first.N {
			r.problem("Two sizes are stated, “"+first.Quote+"” and “"+s.Quote+"”. Keep the one that is meant.", first.Quote, s.Quote)
			break
		}
	}
	if first.N == 0 {
		r.problem("“"+first.Quote+"” asks for nobody: say how many people are wanted.", first.Quote)
	}
}
