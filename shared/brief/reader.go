package brief

import (
	"strings"
	"unicode/utf8"
)

// zone is what a part of the text speaks of.
type zone uint8

const (
	population zone = iota
	outcome         // what the study wants to learn
	background      // the client, the product, the method: nobody is described
	excluded        // who is left out
	axesOnly
)

// sentence is a run of tokens between full stops, bullets and line ends.
type sentence struct {
	lo, hi   int // population words of it
	end      int // its last token, with what it wants to learn
	zone     zone
	question bool
	bullet   bool
	report   int8 // whether it tells of a report: 0 not asked yet, -1 no
}

// reader holds a text while it is read.
type reader struct {
	text   string
	lang   string
	year   int
	toks   []token
	hits   [][]hit // by the token at which they begin
	ends   [][]hit // by the token at which they end
	place  [][]hit
	sents  []sentence
	of     []int32 // the sentence of each token
	small  bool    // the text has no capital letter: names have none either
	unsure bool    // several languages could be that of the text
	usa    int8    // whether the text speaks of the United States: 0 not asked yet, -1 no
	used   []claim // what has spoken for each token
	out    *Brief

	lands   map[string]string // country of each place that is named
	ages    []ageClaim
	sizes   []sizeClaim
	soft    []ageClaim
	gender  []genderClaim
	barred  barring
	noShare bool           // the percentage that was read last is of no people
	from    int            // where the words begin of the figure that was read last
	words   string         // of the label that was read last
	stated  []statedFigure // the figures of out, with where they stand
}

type claim uint8

const (
	free claim = iota
	byFigure
	bySize
	byAge
	byFirm
	byPlace
	byGender
	byTerm
	byExclusion
	byClause
)

// matchedLines is how much of a text names its language.
const matchedTokens = 4000

func newReader(text string, year int) *reader {
	r := &reader{text: text, year: year, toks: tokens(text), out: &Brief{Text: text}}
	r.lang = r.language()
	r.small = text == strings.ToLower(text)
	r.out.Language = r.lang
	r.match()
	r.sentences()
	return r
}

// match finds every known form: those of the text's language, and names of things
// and people in English, which briefs of all languages mix in.
func (r *reader) match() {
	l := known()
	n := len(r.toks)
	r.hits, r.ends, r.place = make([][]hit, n+1), make([][]hit, n+1), make([][]hit, n+1)
	r.used = make([]claim, n+1)
	lang := r.lang
	if lang == "" {
		lang = "en"
	}
	own, english := l.words[lang], l.words["en"]
	peoples := []*node{l.peoples[lang]}
	if lang != "en" {
		peoples = append(peoples, l.peoples["en"])
	}
	for i := range r.toks {
		t := &r.toks[i]
		if t.kind == mark || t.kind == newline {
			switch t.norm {
			case "%":
				r.note(l.named["pct"], i, i+1)
			case "≥":
				r.note(l.named["min"], i, i+1)
			case "≤":
				r.note(l.named["max"], i, i+1)
			}
			continue
		}
		r.findIn(own, i, func(c *concept, end int) { r.note(c, i, end) })
		if lang != "en" {
			english.find(r.toks, i, func(c *concept, end int) {
				if content(c) && (end > i+1 || !lent[t.norm]) {
					r.note(c, i, end)
				}
			})
		}
		for _, p := range peoples {
			if p == nil {
				continue
			}
			p.find(r.toks, i, func(c *concept, end int) {
				if r.capitalOK(c, i, end) {
					h := hit{concept: c, start: i, end: end}
					r.place[i] = append(r.place[i], h)
				}
			})
		}
		r.findIn(l.places, i, func(c *concept, end int) {
			if r.capitalOK(c, i, end) {
				r.place[i] = append(r.place[i], hit{concept: c, start: i, end: end})
			}
		})
	}
}

// findIn looks at token i as it stands, and in Arabic also without the letters that
// are written onto a word: and, in, for, the.
func (r *reader) findIn(n *node, i int, yield func(*concept, int)) {
	if n == nil {
		return
	}
	n.find(r.toks, i, yield)
	if r.lang != "ar" || r.toks[i].kind != word {
		return
	}
	whole := r.toks[i].norm
	for _, p := range []string{"و", "ب", "ل", "ال", "وال", "بال", "لل", "من"} {
		if rest, ok := strings.CutPrefix(whole, p); ok && utf8.RuneCountInString(rest) > 2 {
			r.toks[i].norm = rest
			n.find(r.toks, i, yield)
		}
	}
	r.toks[i].norm = whole
}

func (r *reader) note(c *concept, start, end int) {
	h := hit{concept: c, start: start, end: end}
	r.hits[start] = append(r.hits[start], h)
	r.ends[end] = append(r.ends[end], h)
}

// content reports concepts that a foreign text may name in English: people and
// things, not grammar.
func content(c *concept) bool {
	switch c.class {
	case "is", "occ", "ind", "sen", "dep", "firm", "subj", "gen", "buy", "cond", "people", "w", "m", "mw", "hout", "hback", "hpop", "hexcl", "lang":
		return true
	}
	return false
}

// lent are English forms that are other words elsewhere.
var lent = set("men man single black white senior junior green labour f m ms manager media software retail gay school minds adult base age gender size person persons population public n guests visitors locals others box target sample role roles segment criteria persona budget product who timing deliverables client contact cities city metropolitan urban independent hybrid bank energy transport medical stem registered trans asian minder director director-level directors director executives copd dates graduates general logistics veteran vets retired seniors pc conservatives republican divorced rural master bachelor")

// set is the words of a list.
func set(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// at is the end of the longest hit of a class that begins at token i, or 0.
func (r *reader) at(i int, classes ...string) int {
	if h := r.hit(i, classes...); h != nil {
		return h.end
	}
	return 0
}

func (r *reader) hit(i int, classes ...string) *hit {
	if i < 0 || i >= len(r.hits) {
		return nil
	}
	var best *hit
	for k := range r.hits[i] {
		h := &r.hits[i][k]
		for _, c := range classes {
			if h.class == c || h.name == c {
				if best == nil || h.end > best.end {
					best = h
				}
			}
		}
	}
	return best
}

// before is the start of a hit of a class that ends at token i or up to gap tokens
// earlier in the same sentence; -1 for none.
func (r *reader) before(i, gap int, classes ...string) int {
	for p := i; p >= 0 && p >= i-gap && (p == i || r.same(p, i)); p-- {
		best := -1
		for k := range r.ends[p] {
			h := &r.ends[p][k]
			for _, c := range classes {
				if (h.class == c || h.name == c) && (best < 0 || h.start < best) {
					best = h.start
				}
			}
		}
		if best >= 0 {
			return best
		}
	}
	return -1
}

// near finds a hit of a class that begins at token i or up to gap tokens later in
// the same sentence.
func (r *reader) near(i, gap int, classes ...string) *hit {
	for p := i; p < len(r.toks) && p <= i+gap && r.same(p, i); p++ {
		if h := r.hit(p, classes...); h != nil {
			return h
		}
	}
	return nil
}

// same reports whether two tokens stand in one sentence.
func (r *reader) same(a, b int) bool {
	return a >= 0 && b >= 0 && a < len(r.of) && b < len(r.of) && r.of[a] == r.of[b]
}

func (r *reader) is(i int, forms string) bool {
	return i >= 0 && i < len(r.toks) && (r.toks[i].kind == mark || r.toks[i].kind == newline) && strings.Contains(forms, r.toks[i].norm)
}

// skip passes over one of the marks.
func (r *reader) skip(i int, forms string) int {
	if r.is(i, forms) {
		return i + 1
	}
	return i
}

// quote is the text of tokens lo to hi as it was written.
func (r *reader) quote(lo, hi int) string {
	lo, hi = max(lo, 0), min(hi, len(r.toks))
	for lo < hi && r.toks[lo].kind == newline {
		lo++
	}
	for hi > lo && (r.toks[hi-1].kind == newline || r.is(hi-1, ",;:")) {
		hi--
	}
	if lo >= hi {
		return ""
	}
	return r.text[r.toks[lo].start:r.toks[hi-1].end]
}

// take marks tokens as spoken for.
func (r *reader) take(lo, hi int, by claim) {
	for i := max(lo, 0); i < hi && i < len(r.used); i++ {
		if r.used[i] == free || by != byClause {
			r.used[i] = by
		}
	}
}

// taken reports whether one of the tokens is spoken for by what the rule names.
func (r *reader) taken(lo, hi int, by ...claim) bool {
	for i := max(lo, 0); i < hi && i < len(r.used); i++ {
		for _, b := range by {
			if r.used[i] == b {
				return true
			}
		}
	}
	return false
}

func (r *reader) zoneOf(i int) zone {
	if i < 0 || i >= len(r.of) {
		return background
	}
	s := &r.sents[r.of[i]]
	if s.zone == population && (i < s.lo || i >= s.hi) {
		return outcome
	}
	return s.zone
}

// clauseEnd is where the clause that begins at i ends: at a comma or another mark,
// or after limit tokens.
func (r *reader) clauseEnd(i, limit int) int {
	j := i
	for ; j < len(r.toks) && j < i+limit && r.same(i, j); j++ {
		t := &r.toks[j]
		if t.kind == newline || t.kind == mark && strings.Contains(",;.:()!?*|", t.norm) {
			break
		}
		if t.kind == mark && t.norm == "-" && !t.glued {
			break
		}
	}
	return j
}
