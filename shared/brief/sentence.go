package brief

// sentences parts the text and says what each part speaks of: headings name it for
// all that stands under them, and words such as "we want to know" begin what the
// study is after.
func (r *reader) sentences() {
	n := len(r.toks)
	r.of = make([]int32, n)
	now := population
	for lo := 0; lo < n; {
		hi, question := r.sentenceEnd(lo)
		for i := lo; i < hi; i++ {
			r.of[i] = int32(len(r.sents))
		}
		s := sentence{lo: lo, hi: hi, end: hi, zone: now, question: question}
		for s.lo < s.hi && (r.toks[s.lo].kind == newline || r.toks[s.lo].kind == mark && !r.is(s.lo, "%≥≤")) {
			s.bullet = s.bullet || r.is(s.lo, "*-")
			s.lo++
		}
		r.sents = append(r.sents, s)
		k := len(r.sents) - 1
		if z, body, ok := r.heading(k); ok {
			now = z
			r.sents[k].zone, r.sents[k].lo = z, body
		}
		r.outcomeIn(k)
		lo = hi
	}
}

func (r *reader) sentenceEnd(lo int) (hi int, question bool) {
	for i := lo; i < len(r.toks); i++ {
		t := &r.toks[i]
		switch {
		case t.kind == newline:
			return i + 1, false
		case t.kind != mark:
		case t.norm == "." && r.stops(i), t.norm == "!", t.norm == ";":
			return i + 1, false
		case t.norm == "?":
			return i + 1, true
		case t.norm == "*" && i > lo:
			return i, false
		}
	}
	return len(r.toks), false
}

// stops tells a full stop from the point of an abbreviation ("z.B.", "U.S.", "approx. 5").
func (r *reader) stops(i int) bool {
	if i+1 >= len(r.toks) || r.toks[i+1].kind == newline {
		return true
	}
	before, after := &r.toks[max(i-1, 0)], &r.toks[i+1]
	if before.kind == dense {
		return true
	}
	if after.glued && after.kind != dense { // a number or an abbreviation goes on
		return false
	}
	if before.kind == word && before.end-before.start <= 2 && before.glued {
		return false
	}
	if before.kind == word && shortened[before.norm] {
		return false
	}
	return true
}

var shortened = set("approx ca z b bzw vs inkl incl e g i no nr st dr mr mrs bijv ok np min max etc p ex ej circa aprox mind usw")

// heading reports a line that says what stands under it, and where the words after
// its colon begin.
func (r *reader) heading(k int) (z zone, body int, ok bool) {
	s := r.sents[k]
	if s.lo >= s.hi {
		return 0, 0, false
	}
	inline := false
	if k > 0 { // a heading begins a line, or has a colon
		prev := r.sents[k-1]
		if t := r.toks[prev.end-1]; t.kind != newline && !s.bullet {
			inline = true
		}
	}
	h := r.hit(s.lo, "hout", "hback", "hpop", "hexcl")
	if h == nil {
		// "The objective", "Our target group"
		if r.at(s.lo, "article") == s.lo+1 {
			h = r.hit(s.lo+1, "hout", "hback", "hpop", "hexcl")
		}
		if h == nil {
			return 0, 0, false
		}
	}
	j := h.end
	for j < s.hi && j < h.end+5 && !r.is(j, ":") && r.toks[j].kind != newline && (r.toks[j].kind == word || r.is(j, "-&'()/")) {
		j++
	}
	switch {
	case r.is(j, ":"):
		j++
	case !inline && j >= s.hi-1 && (j >= len(r.toks) || r.toks[j].kind == newline) && !s.bullet:
		// a line of its own, without a full stop
		if j-s.lo > 6 {
			return 0, 0, false
		}
		j = s.hi
	default:
		return 0, 0, false
	}
	switch h.class {
	case "hout":
		z = outcome
	case "hback":
		z = background
	case "hexcl":
		z = excluded
	}
	return z, j, true
}

// outcomeIn finds where a sentence begins to say what the study wants to learn.
func (r *reader) outcomeIn(k int) {
	s := &r.sents[k]
	if s.zone != population {
		return
	}
	if s.question && r.near(s.lo, 4, "ask") == nil { // "can you make me 50 …?" asks for people
		s.hi = s.lo
		return
	}
	if e := r.at(s.lo, "outverb"); e > 0 && e < s.hi {
		s.hi = s.lo
		return
	}
	for i := s.lo; i < s.hi; i++ {
		if r.at(i, "outcome") > 0 {
			s.hi = i
			return
		}
		if r.at(i, "outpost") > 0 { // the verb stands last: the clause before it is meant
			j := i
			for j > s.lo && !r.is(j-1, ",.;") {
				j--
			}
			s.hi = j
			return
		}
	}
}
