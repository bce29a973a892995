package brief

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// outcomes collects what the study wants to learn.
func (r *reader) outcomes() {
	for k := range r.sents {
		s := &r.sents[k]
		switch {
		case s.zone == outcome:
			r.aim(r.afterMarker(s.lo, s.end), s.end)
		case s.zone == population && s.question && s.hi == s.lo:
			if s.end-s.lo >= 4 {
				r.aim(r.afterMarker(s.lo, s.end), s.end)
			}
		case s.zone == population && s.hi < s.end:
			r.aim(r.afterMarker(s.hi, s.end), s.end)
		}
	}
}

// afterMarker is where the words begin that say what is wanted, behind "we want to
// know".
func (r *reader) afterMarker(lo, hi int) int {
	for i := lo; i < hi && i < lo+8; i++ {
		if e := r.at(i, "outcome"); e > 0 && e < hi && (i == lo || !r.markBetween(lo, i)) {
			for {
				n := r.at(e, "outcome")
				if n == 0 || n >= hi {
					break
				}
				e = n
			}
			return e
		}
	}
	return lo
}

func (r *reader) aim(lo, hi int) {
	for lo < hi && (r.toks[lo].kind == newline || r.toks[lo].kind == mark || r.toks[lo].kind == number && r.is(lo+1, ".)")) {
		lo++
	}
	for hi > lo && (r.toks[hi-1].kind == newline || r.is(hi-1, ".!?;:")) {
		hi--
	}
	if r.lang == "ja" || r.lang == "ko" || r.lang == "tr" {
		for i := lo; i < hi; i++ {
			if r.at(i, "outpost") > 0 {
				hi = i
				break
			}
		}
	}
	q := r.quote(lo, hi)
	if !hasLetter(q) || hi-lo < 2 {
		return
	}
	for _, o := range r.out.Outcomes {
		if o.Quote == q {
			return
		}
	}
	if len(r.out.Outcomes) < 40 {
		r.out.Outcomes = append(r.out.Outcomes, Term{Label: capitalise(cut(q, 200)), Canonical: slug(cut(q, 80)), Quote: q})
	}
}

// axesAsked collects dimensions that the brief names: "by income and education", "a
// mix of ages".
func (r *reader) axesAsked() {
	for i := 0; i < len(r.toks); i++ {
		h := r.hit(i, "ax")
		if h == nil || r.zoneOf(i) == background || r.zoneOf(i) == outcome {
			continue
		}
		if r.asked(i) {
			r.axisOf(h)
			continue
		}
	}
}

// asked reports whether a dimension at i is asked for: after "by", "mix of", in a
// list with one that is.
func (r *reader) asked(i int) bool {
	if p := r.before(i, 2, "by", "mix"); p >= 0 && (!r.markBetween(p, i) || r.is(i-1, ":")) {
		return true
	}
	for p := i; p > 0 && p > i-4 && r.same(p-1, i); p-- { // a list
		if !(r.is(p-1, ",&/+") || r.at(p-1, "and", "or") == p || r.at(p-1, "article") == p) {
			for k := range r.ends[p] {
				h := &r.ends[p][k]
				if h.class == "ax" && p < i {
					for _, a := range r.out.Axes {
						if a.Axis == h.axis {
							return true
						}
					}
				}
			}
			return false
		}
	}
	return false
}

func (r *reader) axisOf(h *hit) { r.axis(h.axis, h.label, slug(h.label), r.quote(h.start, h.end)) }

func (r *reader) axis(axis, label, canon, quote string) {
	for _, a := range r.out.Axes {
		if a.Axis == axis {
			return
		}
	}
	r.out.Axes = append(r.out.Axes, Term{Label: label, Canonical: canon, Axis: axis, Quote: quote})
}

// most topics that are worth a search.
const mostTopics = 12

// topics collects subject matter: the words of aims and habits that are no grammar.
func (r *reader) topics() {
	seen := map[string]bool{}
	add := func(lo, hi int) {
		q := r.quote(lo, hi)
		key := strings.ToLower(q)
		if seen[key] || len(r.out.Topics) >= mostTopics {
			return
		}
		seen[key] = true
		r.out.Topics = append(r.out.Topics, Term{Label: q, Canonical: slug(q), Quote: q})
	}
	for pass := range 2 {
		for i := 0; i < len(r.toks); {
			in := r.zoneOf(i) == outcome
			if pass == 1 {
				in = r.used[i] == byClause
			}
			if !in || !r.topical(i) {
				i++
				continue
			}
			j := i + 1
			for j < len(r.toks) && j < i+3 && r.topical(j) && r.same(i, j) && r.zoneOf(j) == r.zoneOf(i) {
				j++
			}
			if r.toks[i].kind == dense {
				for j < len(r.toks) && j < i+8 && r.topical(j) {
					j++
				}
			}
			if j-i > 1 || r.toks[i].end-r.toks[i].start > 4 {
				add(i, j)
			}
			i = j
		}
	}
}

func (r *reader) topical(i int) bool {
	t := &r.toks[i]
	if t.kind == dense {
		return len(r.hits[i]) == 0 && !unicode.Is(unicode.Hiragana, []rune(t.norm)[0])
	}
	if t.kind != word || t.end-t.start < 4 {
		return false
	}
	for k := range r.hits[i] {
		switch r.hits[i][k].class {
		case "fn", "verb", "outcome", "article", "in", "of", "who", "att", "freq", "and", "or", "own", "people", "some", "with", "from", "last", "for", "unit", "max", "min", "under", "over", "share", "mostly", "only", "need", "open":
			return false
		}
	}
	return !stop[t.norm]
}

var stop = set("what when where which would could should does this that they them their there these those have been will with from about into than then more most less such also whether while because least once twice times mindestens moins menos minstens mindst very much many some other like want know learn understand find over under between after before during your ours being were make made take taken feel feels think thinks enough today current currently really client study")

func hasLetter(s string) bool {
	for _, c := range s {
		if unicode.IsLetter(c) {
			return true
		}
	}
	return false
}

func capitalise(s string) string {
	c, n := utf8.DecodeRuneInString(s)
	if c == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(c)) + s[n:]
}

// slug is letters and digits of any script in lower case, parted by hyphens.
func slug(s string) string {
	var b strings.Builder
	gap := false
	for _, c := range fold(s) {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(c)
		} else {
			gap = true
		}
	}
	return b.String()
}

// cut ends a text at a word, within n bytes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	at := 0
	for i := range s {
		if i > n {
			break
		}
		at = i
	}
	s = s[:at]
	if sp := strings.LastIndexByte(s, ' '); sp > n/2 {
		s = s[:sp]
	}
	return strings.TrimRight(s, " ,;:.-–")
}
