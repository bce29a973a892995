package brief

import (
	"slices"
	"strings"
)

// barring is who of the axes that everybody has is kept out.
type barring struct {
	gender string // woman | man; "" for none, "both" where nobody is left
	quote  string
}

// exclusions finds who is left out. They are read before anything else takes their
// words, so that "not women" never becomes "women".
func (r *reader) exclusions() {
	for k := range r.sents {
		if s := &r.sents[k]; s.zone == excluded {
			r.leaveOutList(s.lo, s.end)
		}
	}
	for i := 0; i < len(r.toks); i++ {
		if r.zoneOf(i) != population || r.used[i] != free {
			continue
		}
		if end := r.nobodyOf(i); end > 0 {
			i = end - 1
			continue
		}
		if end := r.leftOutBefore(i); end > 0 {
			i = end - 1
			continue
		}
		h := r.hit(i, "excl1")
		if h == nil || r.at(i, "notonly") > h.end-1 && r.at(i, "notonly") > 0 {
			continue
		}
		if g := r.hit(i, "is", "max", "min", "under", "over", "younger", "older"); g != nil && g.end > h.end {
			continue
		}
		if end := r.leftOutAfter(i, h); end > 0 {
			r.take(i, end, byExclusion)
			i = end - 1
		}
	}
}

// leftOutAfter reads who is left out by the words h: people, ages, places, or in the
// brief's own words. It gives where they end, or 0 where nobody is.
func (r *reader) leftOutAfter(i int, h *hit) int {
	weak := weakNot[strings.ToLower(r.quote(i, h.end))]
	end := r.clauseEnd(h.end, 16)
	for k := h.end; k < end; k++ {
		if _, _, ok := r.percentAt(k); ok || r.used[k] != free {
			end = k
		}
	}
	if end <= h.end {
		return 0
	}
	if e := r.outPlaces(i, h.end, end); e > 0 {
		return e
	}
	if e := r.outAges(i, h.end, end, weak); e > 0 {
		return e
	}
	if e := r.outGender(i, h.end, end); e > 0 {
		return e
	}
	if weak {
		// "not students", "no smokers": only before a known thing
		j := r.skipArticle(h.end)
		g := r.hit(j, "is", "occ", "noun", "ind", "sen", "lang", "company")
		if g == nil { // "not leisure travellers"
			if g = r.hit(j+1, "noun"); g == nil || r.toks[j].kind != word || r.at(j, "only", "verb", "in", "with", "for") > 0 {
				if r.hit(j, "w", "m", "mother", "father", "people", "adult", "gen", "soft") == nil && !r.noSuch(i, j, end) {
					return 0
				}
				// "no women over 60": nobody of the group, whatever it is that makes it one
				r.leaveOut(i, j, end)
				return end
			}
		}
		end = g.end
	}
	return max(i+1, r.leaveOut(i, h.end, end))
}

// noOf are the words for "not any", which stand before a noun and not before a verb.
var noOf = set("no keine kein keinen aucun aucune nessun nessuna ningun ninguna nenhum nenhuma geen inga zadnych")

// noLimit are nouns that say, with "no", that nothing is asked.
var noLimit = set("quota quotas preference preferences limit limits restriction restrictions need age gender particular specific special matter idea problem requirement requirements minimum maximum upper lower one more less longer other further criteria vorgabe vorgaben einschrankung einschrankungen quoten rolle preferencia limite restriccion preference contrainte preferenza voorkeur doubt data figures answer opinion experience fixed strict hard") //nolint:misspell // words of other languages

// noSuch reports "no corporate landlords": an item of a list that leaves out people in
// words of which no rule knows any.
func (r *reader) noSuch(i, j, end int) bool {
	s := &r.sents[r.of[i]]
	if !noOf[r.toks[i].norm] || j >= end || end-j > 5 || i > s.lo && !r.is(i-1, ",;(-") {
		return false
	}
	for k := j; k < end; k++ {
		if noLimit[r.toks[k].norm] || r.at(k, "verb", "ax", "pct", "unit", "who") > 0 {
			return false
		}
	}
	return r.bare(j)
}

// those are words for anybody, which say nothing of who is left out.
var those = set("those anyone anybody people any ones everyone all diejenigen solche jene personen alle jeder ceux celles tous les quienes los las aquellos quelli quelle coloro aqueles aquelas os as degenen mensen iedereen die osob osoby tych de dem som alla")

// passOver skips articles and words for anybody, and with them the verbs and the
// words that lead to a place or an age: "except those who live in".
func (r *reader) passOver(j, hi int) int {
	for j < hi {
		k := max(r.at(j, "article"), r.at(j, "who"), r.at(j, "people"), r.at(j, "in"), r.at(j, "from"), r.at(j, "living"), r.at(j, "of"))
		if those[r.toks[j].norm] || copula[r.toks[j].norm] {
			k = max(k, j+1)
		}
		if k == 0 || k > hi || r.placeAt(j, true) != nil {
			break
		}
		j = k
	}
	return j
}

// outPlaces reads places that are left out: "except those from Madrid or Seville".
func (r *reader) outPlaces(lo, j, hi int) int {
	j = r.passOver(j, hi)
	end := 0
	for j < hi {
		p := r.placeAt(j, true)
		if p == nil || p.end > hi && end > 0 {
			break
		}
		if e := r.hit(p.end, "people", "is", "occ", "w", "m", "noun"); e != nil && p.class == "demonym" && end == 0 {
			return 0 // "no German nurses" are nurses
		}
		place := r.placeOf(p)
		if len(r.out.Excluded) < most {
			r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisGeography, Label: place.Name, Category: Geographic, Quote: r.quote(lo, p.end)})
		}
		end, j = p.end, p.end
		for j < len(r.toks) && r.same(lo, j) && (r.is(j, ",/&") || r.at(j, "and", "or", "in", "from", "article") == j+1) && r.placeAt(j, true) == nil {
			j++
		}
		hi = max(hi, min(r.clauseEnd(j, 4), len(r.toks)))
	}
	if end > 0 {
		r.take(lo, end, byExclusion)
	}
	return end
}

// outAges reads ages that are left out: "not under 40", "except 30 to 40 year olds".
func (r *reader) outAges(lo, j, hi int, weak bool) int {
	for k := j; k < min(hi, j+6); k++ {
		if r.is(k, ",;:(") {
			return 0
		}
		a, alo, ahi, ok := r.ageExpr(k, !weak)
		if !ok || alo < j {
			continue
		}
		for q := j; q < alo; q++ { // "no smokers over 60" leaves out smokers
			if r.hit(q, "is", "occ", "noun", "cond", "w", "m", "company", "child") != nil {
				return 0
			}
		}
		r.keepOut(a, lo, ahi)
		return ahi
	}
	return 0
}

// keepOut takes the ages s out of those that may take part.
func (r *reader) keepOut(s span, lo, hi int) {
	left := span{}
	switch {
	case s.min > 0 && s.max == 0:
		left.max = s.min - 1
		for k := lo; k < hi; k++ {
			if r.at(k, "over") > 0 && r.at(k, "older", "min") == 0 {
				left.max = s.min // "over 65": those of 65 are none
			}
		}
	case s.min == 0 && s.max > 0:
		left.min = s.max + 1
	default:
		if len(r.out.Excluded) < most {
			r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisAge, Label: s.label(), Category: Demographic, Quote: r.quote(lo, hi)})
		}
		r.take(lo, hi, byExclusion)
		return
	}
	r.ages = append(r.ages, ageClaim{span: left, lo: lo, hi: hi, quote: r.quote(lo, hi), barred: true})
	r.take(lo, hi, byExclusion)
}

// outGender reads "not women", "except men": who may take part is of another gender.
func (r *reader) outGender(lo, j, hi int) int {
	for j < hi && (r.at(j, "article") == j+1 || those[r.toks[j].norm] && r.hit(j, "w", "m") == nil) {
		j++
	}
	h := r.hit(j, "w", "m", "wadj", "madj")
	if h == nil || r.hit(j, "mw") != nil && r.hit(j, "mw").end > h.end {
		return 0
	}
	end := h.end
	if e := r.at(end, "people"); e > 0 {
		end = e
	}
	if end-j == 1 && len(r.toks[j].norm) == 1 {
		return 0
	}
	// "no women's magazines", "not men who smoke": more than a gender is meant
	if end < hi && !(r.is(end, ",.;/)(") || r.at(end, "and", "or", "in", "from") > 0 || r.placeAt(end, true) != nil) {
		return 0
	}
	label := genderLabel(h.class)
	q := r.quote(lo, end)
	if !slices.ContainsFunc(r.out.Excluded, func(t Trait) bool { return t.Axis == AxisGender && t.Label == label }) {
		r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisGender, Label: label, Category: Demographic, Quote: q})
	}
	g := strings.ToLower(label)
	if r.barred.gender != "" && r.barred.gender != g {
		g = "both"
	}
	r.barred = barring{g, q}
	r.take(lo, end, byExclusion)
	return end
}

// others settles who may take part where a gender is kept out; asked are the genders
// that the text asks for.
func (r *reader) others(asked []string) {
	switch r.barred.gender {
	case "both":
		r.problem("“"+r.barred.quote+"” leaves neither women nor men. Say who may take part.", r.barred.quote)
	case "woman":
		r.out.Genders, r.out.GenderQuotes = []string{"man"}, []string{r.barred.quote}
	default:
		r.out.Genders, r.out.GenderQuotes = []string{"woman"}, []string{r.barred.quote}
	}
	for _, g := range asked {
		if g != r.barred.gender {
			continue
		}
		for _, c := range r.gender {
			if c.gender == g {
				r.problem("“"+c.quote+"” are both asked for and left out (“"+r.barred.quote+"”). Keep one of the two.", c.quote, r.barred.quote)
				return
			}
		}
	}
}

// nobodyOf reads "nobody under 40", "niemand über 65": the end of it, or 0.
func (r *reader) nobodyOf(i int) int {
	k := r.at(i, "nobody")
	if k == 0 || i > 0 && (r.at(i-1, "article", "a") == i || r.toks[i-1].kind == number) && r.same(i-1, i) {
		return 0 // "une personne de …" is somebody
	}
	hi := r.clauseEnd(k, 8)
	j := k
	for j < hi && (r.at(j, "who") == j+1 || copula[r.toks[j].norm] || r.at(j, "article") == j+1) {
		j++
	}
	if e := r.outPlaces(i, j, hi); e > 0 && (r.at(j, "in", "from", "living") > 0 || r.placeAt(j, true) != nil) {
		return e
	}
	for q := j; q < min(hi, j+4); q++ {
		if a, lo, end, ok := r.ageExpr(q, true); ok && lo > i {
			r.keepOut(a, i, end)
			return end
		}
	}
	if h := r.hit(i, "excl1"); h != nil {
		return 0 // "nobody who smokes": read below
	}
	if hi > k && r.at(j, "with") > 0 || r.hit(j, "is", "occ") != nil {
		return r.leaveOut(i, j, hi)
	}
	return 0
}

// leftOutBefore reads languages that say it behind: "学生を除く", "öğrenciler hariç".
func (r *reader) leftOutBefore(i int) int {
	if r.lang != "ja" && r.lang != "ko" && r.lang != "tr" {
		return 0
	}
	h := r.hit(i, "is", "occ", "w", "m")
	p := r.placeAt(i, true)
	end := 0
	switch {
	case h != nil:
		end = h.end
	case p != nil:
		end = p.end
	default:
		return 0
	}
	k := end
	for k < len(r.toks) && k < end+3 && r.same(i, k) && r.hit(k, "excl1") == nil {
		if r.toks[k].kind == mark {
			return 0
		}
		k++
	}
	x := r.hit(k, "excl1")
	if x == nil || !r.same(i, k) || len(r.out.Excluded) >= most {
		return 0
	}
	t := Trait{Quote: r.quote(i, x.end)}
	if h != nil {
		t.Axis, t.Label = r.segment(h)
		t.Category = category(h.concept)
	} else {
		t.Axis, t.Label, t.Category = AxisGeography, r.placeOf(p).Name, Geographic
	}
	r.out.Excluded = append(r.out.Excluded, t)
	if t.Axis == AxisGender {
		r.barred = barring{strings.ToLower(t.Label), t.Quote}
	}
	r.take(i, x.end, byExclusion)
	return x.end
}

// noVerb are words that turn a verb into its opposite, in front of it.
var noVerb = set("not never don doesn didn isn aren cannot nicht kein keine keinen nie niemals ne n jamais no nunca non mai nao niet geen nooit inte ej aldrig")

// negation is the word before token i that turns what begins there into its opposite:
// "who don't own a car", "qui ne fument pas"; -1 for none.
func (r *reader) negation(i int) int {
	for k := i - 1; k >= 0 && k >= i-5 && r.same(k, i); k-- {
		t := &r.toks[k]
		if t.kind == mark && t.norm != "'" || t.kind == newline || r.used[k] != free {
			return -1
		}
		if noVerb[t.norm] {
			if r.at(k, "notonly") > 0 || r.at(k, "min", "max", "under", "over") > k+1 {
				return -1
			}
			return k
		}
		// nothing but a verb, an article and what is left of "don't" may stand between
		if len(r.hits[k]) > 0 && r.at(k, "verb", "article", "own", "att", "with", "in") != k+1 && t.end-t.start > 1 {
			return -1
		}
		if len(r.hits[k]) == 0 && t.end-t.start > 1 && i-k > 2 {
			return -1
		}
	}
	return -1
}

func (r *reader) skipArticle(i int) int {
	for r.at(i, "article") == i+1 {
		i++
	}
	return i
}
