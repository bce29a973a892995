package brief

import "strings"

// labelled makes the figure of the words j to hi.
func (r *reader) labelled(lo, j, hi int, pct float64, of string) (Figure, int, bool) {
	for j < hi && (r.is(j, "-:,") || r.toks[j].kind == newline) {
		j++
	}
	if j >= hi {
		return Figure{}, 0, false
	}
	f := Figure{Pct: pct, Of: of}
	if e := withChildren(r, j, hi); e > 0 {
		f.Axis, f.Label, f.Quote = AxisParents, "Parents", r.quote(lo, e)
		return f, e, true
	}
	// an age, a gender, a place, a known thing: the first that stands here, unless
	// the words say what people think or are about to do
	for k := j; k < hi && r.at(j, "finding") == 0 && r.at(j+1, "finding") == 0; k++ {
		if a, s, e, ok := r.ageExpr(k, true); ok && e <= hi+1 && s >= j {
			f.Axis, f.Label = AxisAge, a.label()
			f.Quote = r.quote(lo, max(e, k+1))
			return f, max(e, k+1), true
		}
		if e := r.tenureAt(k); e > 0 {
			f.Axis, f.Label = AxisJobTenure, r.quote(j, e)
			f.Quote = r.quote(lo, e)
			return f, e, true
		}
		if h := r.hit(k, "nb"); h != nil {
			f.Axis, f.Label = AxisGender, "Non-binary"
			f.Quote = r.quote(lo, h.end)
			return f, h.end, true
		}
		if h := r.hit(k, "w", "wadj", "m", "madj"); h != nil && (k <= j+2 || r.hit(k, "w", "m") != nil) {
			f.Axis, f.Label = AxisGender, genderLabel(h.class)
			f.Quote = r.quote(lo, h.end)
			return f, h.end, true
		}
		if h := r.hit(k, "gen", "soft"); h != nil {
			f.Axis, f.Label = AxisAge, r.generation(h).label()
			f.Quote = r.quote(lo, h.end)
			return f, h.end, true
		}
		if h := r.hit(k, "is", "sen", "buy", "ind", "firm", "dep", "subj", "cond", "lang", "occ", "mother", "father"); h != nil && r.longerThanPlace(h, k) {
			f.Axis, f.Label = r.segment(h)
			f.Quote = r.quote(lo, h.end)
			r.words = r.quote(h.start, h.end)
			return f, h.end, true
		}
		if p := r.placeAt(k, true); p != nil {
			f.Axis, f.Label = AxisGeography, r.placeOf(p).Name
			f.Quote = r.quote(lo, p.end)
			return f, p.end, true
		}
	}
	e := min(hi, j+9)
	label := strings.TrimSpace(r.quote(j, e))
	if label == "" || !hasLetter(label) || r.hit(j, "people", "adult") != nil && r.hit(j, "people", "adult").end >= e {
		return Figure{}, 0, false
	}
	if r.toks[j].kind == mark || r.toks[j].kind == number {
		return Figure{}, 0, false
	}
	f.Label = label
	f.Axis = capitalise(label)
	f.Quote = r.quote(lo, e)
	return f, e, true
}

// childWords are children in "with children", by the words that lead to them.
var childWords = set("children kids kindern kinder enfants enfant hijos hijas figli filhos kinderen dziecmi barn")

// withChildren is the end of "with children" that begins at j, or 0; "with children
// under 6" is narrower and stays in its own words.
func withChildren(r *reader, j, hi int) int {
	k := r.at(j, "with")
	if k == 0 {
		k = j
	}
	if r.at(j-1, "verb", "with") != j && k == j || k >= hi || !childWords[r.toks[k].norm] || k+1 < hi {
		return 0
	}
	return k + 1
}

func (r *reader) longerThanPlace(h *hit, k int) bool {
	p := r.placeAt(k, true)
	return p == nil || h.end >= p.end
}

// labelBefore reads the words before a share.
func (r *reader) labelBefore(lo, end int, pct float64) (Figure, int, bool) {
	p := lo
	for p > 0 && (r.is(p-1, ":(=-") || r.at(p-1, "verb") == p || r.at(p-1, "min") == p || r.at(p-1, "share") == p || r.at(p-1, "of") == p) && r.same(p-1, lo) {
		p--
	}
	for q := p; q >= 0 && q >= p-2 && r.same(q, lo); q-- {
		for k := range r.ends[q] {
			h := &r.ends[q][k]
			f := Figure{Pct: pct}
			switch h.class {
			case "w", "wadj", "m", "madj", "nb":
				f.Axis, f.Label = AxisGender, genderLabel(h.class)
			case "is", "sen", "ind", "buy", "dep", "firm", "cond":
				if q != p {
					continue
				}
				f.Axis, f.Label = r.segment(h)
			default:
				continue
			}
			if r.taken(h.start, h.end, byFigure) {
				continue
			}
			f.Quote = r.quote(h.start, end)
			r.words, r.from = r.quote(h.start, h.end), h.start
			r.take(h.start, end, byFigure)
			return f, end, true
		}
		if q != p {
			continue
		}
		for s := max(0, q-4); s < q; s++ {
			if h := r.placeAt(s, true); h != nil && h.end == q && !r.taken(s, q, byFigure) {
				f := Figure{Pct: pct, Axis: AxisGeography, Label: r.placeOf(h).Name, Quote: r.quote(s, end)}
				r.from = s
				r.take(s, end, byFigure)
				return f, end, true
			}
			if a, as, ae, ok := r.ageExpr(s, true); ok && ae == q && !r.taken(as, q, byFigure) {
				f := Figure{Pct: pct, Axis: AxisAge, Label: a.label(), Quote: r.quote(as, end)}
				r.from = as
				r.take(as, end, byFigure)
				return f, end, true
			}
		}
	}
	return r.wordsBefore(p, lo, end, pct)
}

// wordsBefore reads words that no rule knows and that stand before their share as in a
// list: "services 35 %, manufacturing 25 %".
func (r *reader) wordsBefore(p, lo, end int, pct float64) (Figure, int, bool) {
	if end < len(r.toks) && r.same(lo, end) && !r.is(end, ",;.)|/&") && r.toks[end].kind != newline && r.at(end, "and", "or") == 0 {
		return Figure{}, 0, false
	}
	s := p
	for s > 0 && s > p-5 && r.same(s-1, lo) && (r.toks[s-1].kind == word && r.used[s-1] == free && r.at(s-1, "and", "or", "in", "from", "with", "who", "verb", "need", "people", "adult", "ax", "sizemark", "split", "share", "min", "max", "over", "under", "by", "mostly", "some", "equal", "outcome") == 0 || r.is(s-1, "-") && r.toks[s-1].glued) {
		s--
	}
	for s < p && r.at(s, "article") == s+1 {
		s++
	}
	bounded := s == 0 || !r.same(s-1, lo) || r.is(s-1, ",;:(|/&*") || r.toks[s-1].kind == newline || r.at(s-1, "and", "or") > 0 || r.at(s-1, "article") == s || s == r.sents[r.of[lo]].lo
	label := r.quote(s, p)
	if s >= p || !bounded || !hasLetter(label) || len(label) < 3 || r.placeAt(s, true) != nil {
		return Figure{}, 0, false
	}
	r.from = s
	return Figure{Pct: pct, Axis: capitalise(label), Label: label, Quote: r.quote(s, end)}, end, true
}

func genderLabel(class string) string {
	switch class {
	case "w", "wadj", "mother":
		return "Woman"
	case "m", "madj", "father":
		return "Man"
	}
	return "Non-binary"
}

// segment is the axis and the label of a known thing.
func (r *reader) segment(h *hit) (axis, label string) {
	switch h.class {
	case "w", "wadj", "m", "madj", "nb":
		return AxisGender, genderLabel(h.class)
	case "mother", "father":
		return AxisParents, "Parents"
	case "cond":
		return AxisCondition, capitalise(r.quote(h.start, h.end))
	}
	if h.label == "" && h.axis != "" { // a trade of many: its own word is its name
		return h.axis, capitalise(r.quote(h.start, h.end))
	}
	return h.axis, h.label
}
