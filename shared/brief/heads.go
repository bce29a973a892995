package brief

import "strings"

// AxisGroup is the axis of who all are where no rule knows the words: "Beekeepers",
// "Left-handed". The words are kept as they stand, so that nobody is taken for
// everybody.
const AxisGroup = "Group"

// plainWords tell of anybody, and make nobody special.
var plainWords = set("fall case circumstances account new ordinary typical average general regular normal everyday random representative national nationally real actual current potential target targeted main key local other different diverse additional more simulated synthetic virtual fictional online real-life like-minded same total core primary secondary broad wide full whole good great suitable relevant specific interested mixed census-representative demographically gen pop genpop feedback research survey panel study product test tests testing concept sample us our fresh simulierte synthetische virtuelle reprasentative reprasentativ neue normale durchschnittliche typische representatifs representatives virtuels synthetiques nouveaux representativos virtuales sinteticos nuevos representativi virtuali sintetici nuovi nieuwe representatieve nowi nowych reprezentatywnych nya representativa please hello hi need we i want looking ich wir nous je yo noi io eu bitte hallo create build make give find get recruit survey interview minds personas respondents who they those these some many few several both all any every each following population audience potentially roughly around about approximately circa mostly mainly equally evenly etwa rund ungefahr environ alrededor approx exactly only just also plus including especially particularly currently recently") //nolint:misspell // words of other languages

// heads finds words that make the population narrower and that no rule has taken:
// unknown nouns at the head of it ("beekeepers in Slovenia"), and words beside a
// known one ("left-handed adults").
func (r *reader) heads() {
	if r.lang == "zh" || r.lang == "ja" || r.lang == "ko" || r.lang == "ar" {
		return // no spaces, or endings that tell no noun
	}
	seen := 0
	for k := range r.sents {
		s := &r.sents[k]
		if s.zone != population || s.hi <= s.lo || s.question {
			continue
		}
		if seen++; seen > 12 || len(r.out.Traits) >= most {
			return
		}
		head := -1
		for i := s.lo; i < s.hi; i++ {
			if h := r.headAt(i); h != nil {
				if head < 0 {
					head = i
				}
				r.beside(s, i, h)
				i = h.end - 1
			} else if head >= 0 {
				r.having(s, i)
			}
		}
		r.unknownHead(s, head)
	}
}

// headAt is a known noun of people that the population is described by.
func (r *reader) headAt(i int) *hit {
	if r.used[i] == byFigure || r.used[i] == byExclusion {
		return nil
	}
	h := r.hit(i, "people", "adult", "w", "m", "nb", "mw", "mother", "father", "is", "occ", "sen", "buy", "gen", "soft", "noun")
	if h == nil || h.class == "is" && !nounLike(h) {
		return nil
	}
	return h
}

// bare reports a word that no rule knows and that says something of people.
func (r *reader) bare(i int) bool {
	t := &r.toks[i]
	if t.kind != word || r.used[i] != free || len(r.hits[i]) > 0 || len(r.place[i]) > 0 || t.end-t.start < 3 || plainWords[t.norm] {
		return false
	}
	if _, ok := numeral(r.lang, t.norm); ok {
		return false
	}
	return !stop[t.norm]
}

// beside takes the unknown words that stand directly before a noun of people, or
// behind it where the language puts them there.
func (r *reader) beside(s *sentence, i int, h *hit) {
	lo := i
	for lo > s.lo && lo > i-5 {
		switch {
		case r.bare(lo-1) && r.toks[lo-1].kind == word:
			lo--
			continue
		case r.is(lo-1, "-") && r.toks[lo-1].glued && lo-2 >= s.lo && r.toks[lo-2].kind == word && r.used[lo-2] == free && len(r.place[lo-2]) == 0 && r.at(lo-2, "under", "over", "min", "max") == 0:
			lo -= 2 // "left-handed", though "left" alone is another word
			continue
		}
		break
	}
	if lo < i && (h.class != "noun" || r.used[i] == free) {
		if r.lang != "en" || !verbLike(r.toks[lo].norm) {
			end := i
			if h.class == "occ" || h.class == "is" { // "dairy farmers" are one thing
				end = h.end
			}
			r.trait(AxisGroup, capitalise(r.quote(lo, end)), Demographic, true, lo, end)
			r.take(lo, i, byClause)
		}
		return
	}
	switch r.lang {
	case "fr", "es", "it", "pt", "pl":
	default:
		return
	}
	hi := h.end
	for hi < s.hi && hi < h.end+3 && (r.bare(hi) || r.is(hi, "-") && r.toks[hi].glued && hi+1 < s.hi && r.bare(hi+1)) {
		hi++
	}
	if hi > h.end && (hi >= s.hi || r.is(hi, ",.;(:") || r.toks[hi].kind == newline || r.at(hi, "in", "from", "who", "with", "aged", "and") > 0 || r.used[hi] == byPlace || r.used[hi] == byAge) {
		r.trait(AxisGroup, capitalise(r.quote(h.end, hi)), Demographic, true, h.end, hi)
		r.take(h.end, hi, byClause)
	}
}

// having takes what people have or lack where no rule knows it: "with tattoos",
// "without broadband".
func (r *reader) having(s *sentence, i int) {
	k := max(r.at(i, "with"), r.at(i, "without"))
	if k == 0 || r.used[i] != free || k >= s.hi || !r.bare(r.skipArticle(k)) {
		return
	}
	hi := k
	for hi < s.hi && hi < k+6 && (r.bare(hi) || r.used[hi] == free && r.at(hi, "of", "article") == hi+1 || r.is(hi, "-") && r.toks[hi].glued) {
		hi++
	}
	for hi > k && !r.bare(hi-1) {
		hi--
	}
	if hi > k {
		r.trait(AxisBehaviour, r.quote(i, hi), Behavioral, true, i, hi)
		r.take(i, hi, byClause)
	}
}

// verbLike reports English words that begin a clause rather than name people.
func verbLike(w string) bool {
	return strings.HasSuffix(w, "ing") && len(w) > 5 && w != "boarding" || strings.HasSuffix(w, "ly")
}

// unknownHead takes the noun phrase at the head of a sentence where nothing in it is
// known: "florists in Denmark", "Imker aus Kärnten".
func (r *reader) unknownHead(s *sentence, head int) {
	j := s.lo
	for j < s.hi && (r.used[j] == bySize || r.toks[j].kind == number || r.at(j, "article", "need", "ask", "some", "mix", "of", "all", "makeverb") == j+1 || r.toks[j].kind == word && plainWords[r.toks[j].norm]) {
		j++
	}
	k, unknown, last := j, false, -1
	for k < s.hi && k < j+7 {
		t := &r.toks[k]
		if t.kind == mark && (t.norm == "-" && t.glued || t.norm == "'") {
			k++
			continue
		}
		if t.kind != word || r.at(k, "in", "from", "who", "with", "aged", "verb", "living", "and", "or", "open") > 0 || len(r.place[k]) > 0 && r.used[k] == byPlace && k > j {
			break
		}
		if r.used[k] != free && r.used[k] != byPlace || k == head {
			break
		}
		if r.bare(k) {
			unknown, last = true, k
		} else if r.at(k, "of") == 0 {
			last = -1
		}
		k++
	}
	if !unknown || last != k-1 || k == head || k <= j || head >= 0 && head < k+1 {
		return
	}
	for j < k && !r.bare(j) {
		j++ // "Danish florists": the place is said already
	}
	if r.lang == "en" && !r.unsure && !pluralNoun(r.toks[k-1].norm) {
		return
	}
	if verbLike(r.toks[j].norm) && k-j == 1 {
		return
	}
	if !r.closes(s, k) {
		return
	}
	if r.out.Size == nil && j > s.lo && r.toks[j-1].kind == number && r.used[j-1] == free {
		if v := r.toks[j-1].value; v == float64(int(v)) && v >= 1 && v < mostPeople { // "50 jugglers"
			r.out.Size = &Stated{int(v), r.quote(j-1, k)}
			r.take(j-1, j, bySize)
		}
	}
	r.trait(AxisGroup, capitalise(r.quote(j, k)), Demographic, true, j, k)
	r.take(j, k, byClause)
}

// closes reports whether what follows token k belongs to a description of people: a
// place, an age, a share, a clause, or the end of a short text.
func (r *reader) closes(s *sentence, k int) bool {
	if k >= s.hi || r.toks[k].kind == newline || r.is(k, ".") {
		return s.hi-s.lo <= 6 && len(r.sents) <= 2
	}
	if r.is(k, ",:(") {
		k++
	}
	for q := k; q < min(s.hi, k+4); q++ {
		if r.used[q] == byPlace || r.used[q] == byAge || r.used[q] == byFigure || r.used[q] == byGender || r.used[q] == byTerm || r.used[q] == byExclusion {
			return true
		}
	}
	return k < s.hi && (r.at(k, "who", "aged", "living") > 0 || r.at(k, "with") > 0)
}

// pluralNoun reports English words that may name several people.
func pluralNoun(w string) bool {
	if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "ics") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") {
		return false
	}
	return strings.HasSuffix(w, "s") && len(w) > 3 || strings.HasSuffix(w, "men") || strings.HasSuffix(w, "folk") || strings.HasSuffix(w, "people") || strings.HasSuffix(w, "kin")
}
