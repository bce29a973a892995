package brief

// weakNot are words that leave out only what a rule knows: "not students".
var weakNot = set("not no non nicht keine kein keinen keiner pas non no nao niet geen nie bez inte inga ej ikke never aucun aucune nessun nessuna ningun ninguna nenhum nenhuma zadnych ohne zonder utan")

// leaveOutList notes what stands under a heading of exclusions. Places, ages, genders
// and known people are one each; words that no rule knows stay together.
func (r *reader) leaveOutList(lo, hi int) {
	from := -1
	flush := func(to int) {
		if from >= 0 {
			r.leaveOut(from, from, to)
		}
		from = -1
	}
	for i := lo; i < hi; {
		end := i
		for end < hi && !r.is(end, ",;") && r.toks[end].kind != newline {
			end++
		}
		if from < 0 && end > i && (r.outPlaces(i, i, end) > 0 || r.outAges(i, i, end, false) > 0 || r.outGender(i, i, end) > 0) {
			i = end + 1
			continue
		}
		if h := r.hit(r.passOver(i, end), "is", "occ", "sen", "soft"); h != nil && (h.class != "is" || nounLike(h)) {
			flush(i)
			r.leaveOut(i, i, end)
		} else if from < 0 {
			from = i
		}
		if i = end + 1; end >= hi || r.toks[end].kind == newline {
			flush(end)
		}
	}
	flush(hi)
}

// leaveOut notes the people of tokens j to hi as excluded, and gives where they end.
func (r *reader) leaveOut(lo, j, hi int) int {
	if len(r.out.Excluded) >= most {
		return hi
	}
	n := 0
	j = r.skipArticle(j)
	for k := j; k < hi; k++ {
		h := r.hit(k, "is", "occ", "sen", "soft", "w", "m", "mother", "father")
		if h == nil || h.end > hi || (h.class != "is" && h.class != "occ" && h.class != "sen" && h.class != "soft") && (k > j || h.end < hi) {
			continue
		}
		if !nounLike(h) && h.class == "is" && h.end < hi && !r.is(h.end, ",/") && r.at(h.end, "and", "or", "people") == 0 && r.placeAt(h.end, true) == nil && r.at(h.end, "in", "from") == 0 {
			break // "anyone working in advertising" is more than who works
		}
		if k > j+3 && n == 0 {
			break
		}
		if r.at(h.end, "of", "in", "from") > 0 && n == 0 && !r.placeFollows(h.end) {
			break // "employees of the food industry" are not all employees
		}
		axis, label := r.segment(h)
		switch h.class {
		case "soft":
			axis, label = AxisAge, r.generation(h).label()
		case "mother", "father":
			label = capitalise(r.quote(h.start, h.end)) // fathers may still take part
		}
		r.out.Excluded = append(r.out.Excluded, Trait{Axis: axis, Label: label, Category: category(h.concept), Quote: r.quote(k, h.end)})
		n++
		k = h.end - 1
		if r.placeFollows(h.end) { // "anyone but students in Poland": the place is everybody's
			hi = h.end
		}
	}
	if n == 0 {
		q := r.quote(j, min(hi, j+24))
		if hasLetter(q) {
			r.out.Excluded = append(r.out.Excluded, Trait{Axis: AxisBehaviour, Label: q, Category: Behavioral, Quote: q})
		}
	}
	r.take(lo, hi, byExclusion)
	return hi
}

// placeFollows reports whether words that lead to a place, and the place, follow.
func (r *reader) placeFollows(i int) bool {
	if r.at(i, "in", "from") == 0 {
		return false
	}
	k := i
	for k < len(r.toks) && k < i+3 && r.same(i, k) && r.placeAt(k, true) == nil && r.at(k, "in", "from", "article") == k+1 {
		k++
	}
	return r.same(i, k) && r.placeAt(k, true) != nil
}
