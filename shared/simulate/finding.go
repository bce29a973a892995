package simulate

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
)

// found is one sentence that answers a question.
type found struct {
	passage  Passage
	text     string
	passageN int // place among the candidates
	sentence int
	score    float64
	peak     *standing // it stands at an end of a column
}

// standing is what the figures of a table say: the row that stands at an end of a
// column.
type standing struct {
	column, row string
	up          bool
}

// citation is the sentence with where it stands.
func (f found) citation() Citation {
	return Citation{SourceID: f.passage.ID, Source: f.passage.Source, Where: f.passage.Where, URL: f.passage.URL, Quote: f.text, Origin: OriginMind}
}

// candidate is a passage that may answer, with how near its vector is.
type candidate struct {
	Passage
	cosine float64 // NaN without vectors
}

// mostRecalled is how many passages are read for one question. A word of the
// question that none of them holds stands in no passage at all, or nearly so.
const mostRecalled = 12

// candidates are the passages to read: all of the persona, and of the knowledge
// the nearest by the Mind's own index, or by a look through it where it has none.
func candidates(ctx context.Context, r Respondent, q query) ([]candidate, error) {
	var out []candidate
	rest := r.Passages
	for len(rest) > 0 && rest[0].ID == PersonaID {
		out = append(out, candidate{rest[0], math.NaN()})
		rest = rest[1:]
	}
	if q.empty() {
		return nil, nil
	}
	if r.Recall == nil {
		return append(out, q.lookThrough(rest)...), nil
	}
	hits, err := r.Recall.Recall(ctx, q.text, mostRecalled)
	if err != nil {
		return nil, err
	}
	for _, h := range hits {
		if h.ID != PersonaID {
			out = append(out, candidate{h.Passage, h.Cosine})
		}
	}
	return out, nil
}

// lookThrough reads passages whose letters hold something of the question, the
// fullest first.
func (q query) lookThrough(passages []Passage) []candidate {
	type hit struct{ at, n int }
	var hits []hit
	forms := q.forms()
	for i, p := range passages {
		low := strings.ToLower(p.Text)
		n := 0
		for _, of := range forms {
			for _, f := range of {
				if strings.Contains(low, f) {
					n++
					break
				}
			}
		}
		if n > 0 {
			hits = append(hits, hit{i, n})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.n, a.n) })
	hits = hits[:min(len(hits), 4*mostRecalled)]
	var out []candidate
	for _, h := range hits {
		out = append(out, candidate{passages[h.at], math.NaN()})
	}
	return out
}

// forms are the beginnings by which each word of the question may stand in a
// text, with those of its kin.
func (q query) forms() [][]string {
	var out [][]string
	add := func(k string, v float64) {
		if v < 1 {
			return
		}
		of := []string{cutTo(k, 5)}
		for _, w := range kinMembers[k] {
			of = append(of, cutTo(w, 5))
		}
		for _, w := range irregularForms[k] {
			of = append(of, cutTo(w, 5))
		}
		out = append(out, of)
	}
	for _, t := range q.terms {
		add(t.kin, t.weight)
	}
	for _, n := range append(append([]string(nil), q.names...), q.years...) {
		add(n, 1)
	}
	for i, h := range q.hints {
		if i < len(out) {
			out[i] = append(out[i], cutTo(h, 4))
		}
	}
	return out
}

func cutTo(s string, n int) string {
	if rs := []rune(s); len(rs) > n {
		return string(rs[:n])
	}
	return s
}

// measure is a sentence with what speaks for it.
type measure struct {
	found
	cover, cosine float64
}

// find gives the sentences that answer a question, at most most, in the order in
// which they stand; none where nothing at hand answers it.
func (o *Offline) find(ctx context.Context, r Respondent, q query, most int) ([]found, error) {
	if len(q.parts) > 0 {
		return o.findEach(ctx, r, q, most)
	}
	if q.compares != nil {
		return o.findSides(ctx, r, q)
	}
	if q.empty() || most < 1 {
		return nil, nil
	}
	cs, err := candidates(ctx, r, q)
	if err != nil || len(cs) == 0 {
		return nil, err
	}
	return o.pick(ctx, q, cs, r, most)
}

// findEach answers several questions in one message, each by itself.
func (o *Offline) findEach(ctx context.Context, r Respondent, q query, most int) ([]found, error) {
	var out []found
	for n, part := range q.parts {
		part.more = q.more
		hits, err := o.find(ctx, r, part, max(1, most/len(q.parts)))
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			if !slices.ContainsFunc(out, func(x found) bool { return x.text == h.text }) {
				h.passageN += n << 20 // each question's passages are numbered by themselves
				out = append(out, h)
			}
		}
	}
	return out, nil
}

// pick reads candidates and gives the best sentences that answer.
func (o *Offline) pick(ctx context.Context, q query, cs []candidate, r Respondent, most int) ([]found, error) {
	pages := make([]*page, len(cs))
	known := map[string]bool{}
	for i, c := range cs {
		pages[i] = readPage(q.lang, c, r.Name)
		for k := range pages[i].has {
			known[k] = true
		}
	}
	opened(pages)
	cutOff(pages, r.Passages)
	cut := o.cuts()
	all := q.measures(pages, known, min(cut.words, cut.half))
	if err := o.embedLines(ctx, q, pages, all); err != nil {
		return nil, err
	}
	var ok []measure
	for _, m := range all {
		if cut.pass(m) && (!q.wants.figure() || m.cover >= cut.words) { // a near vector is no date and no figure
			l := pages[m.passageN].lines[m.sentence]
			if m.cover < cut.words && q.swerves(pages[m.passageN], m.sentence, known) {
				continue
			}
			m.score = round(m.cover+float64(cut.share*max(0, nan0(m.cosine)))+float64(wordingShare*q.wording(l))+float64(namedShare*q.naming(l)), 1e6)
			ok = append(ok, m)
		}
	}
	slices.SortStableFunc(ok, func(a, b measure) int { return cmp.Compare(b.score, a.score) })
	return q.choose(ok, pages, most), nil
}

// How much the mere wording, and the names that stand in the sentence itself,
// count beside the words of content when sentences that answer are ranked.
const (
	wordingShare = .1
	namedShare   = .3
)

func nan0(x float64) float64 {
	if math.IsNaN(x) {
		return 0
	}
	return x
}

func round(x, to float64) float64 { return math.Round(x*to) / to }

// measures are the sentences that can answer by what they are, each with its
// cover, which is at least least.
func (q query) measures(pages []*page, known map[string]bool, least float64) []measure {
	var all []measure
	weights := q.weights(known)
	for n, p := range pages {
		for i, l := range p.lines {
			if l.heads {
				continue
			}
			m := measure{found: found{passage: p.Passage, text: l.text, passageN: n, sentence: i}, cover: round(q.cover(p, i, weights), 1e4), cosine: math.NaN()}
			if q.told != nil && q.told.hears(l.text) != 0 {
				m.cover = 1
			}
			if l.row != nil {
				m.cover = 1 // all of it, or none
			}
			if m.cover >= least && q.fits(p, i, l) {
				all = append(all, m)
			}
		}
	}
	return all
}

// keepBeside is how near a further sentence must come to the best.
const keepBeside = .75

// choose takes the best sentences, with the one beside them that they lean on.
func (q query) choose(ok []measure, pages []*page, most int) []found {
	var out []found
	seen := map[string]bool{}
	put := func(n, i int, score float64) {
		t := pages[n].lines[i].text
		if k := fold(t); !seen[k] {
			seen[k] = true
			out = append(out, found{passage: pages[n].Passage, text: t, passageN: n, sentence: i, score: score})
		}
	}
	add := func(n, i int, score float64) {
		r := pages[n].lines[i].row
		if r == nil {
			put(n, i, score)
			return
		}
		put(n, r.head, score)
		put(n, i, score)
		if q.wants.end == nil {
			return
		}
		for _, of := range r.of.rows { // which of them it is, all of them show
			put(n, of, score)
		}
		for at := range out {
			if out[at].passageN == n && out[at].sentence == i {
				out[at].peak = &standing{r.of.titles[q.columnAtEnd(r.of)], r.said, q.wants.end.up}
			}
		}
	}
	for _, m := range ok {
		if len(out) > 0 && (len(out) >= most || !q.more && !q.beside(ok[0], m, pages)) {
			break
		}
		lines := pages[m.passageN].lines
		if len(out) > 0 && !q.more && (q.naming(lines[m.sentence]) < q.naming(pages[ok[0].passageN].lines[ok[0].sentence]) || !q.holdsAll(ok[0], m, pages)) {
			continue // of another one than the best: what is asked for is named there
		}
		add(m.passageN, m.sentence, m.score)
		if i := q.missing(pages[m.passageN], m.sentence); i >= 0 && len(out) < most {
			add(m.passageN, i, m.score)
		}
		switch {
		case q.asks == asksWhy && !because(lines[m.sentence]) && m.sentence+1 < len(lines) && because(lines[m.sentence+1]):
			add(m.passageN, m.sentence+1, m.score)
		default:
			for _, i := range q.leansOn(pages[m.passageN], m.sentence) {
				add(m.passageN, i, m.score)
			}
		}
	}
	slices.SortStableFunc(out, func(a, b found) int {
		if c := cmp.Compare(a.passageN, b.passageN); c != 0 {
			return c
		}
		return cmp.Compare(a.sentence, b.sentence)
	})
	return out
}

// asMuch is how near a further sentence must come to the best where one thing is
// asked for.
const asMuch = .95

// beside reports a sentence that is near enough to the best to stand beside it.
func (q query) beside(best, m measure, pages []*page) bool {
	if q.wants.single() {
		return m.score >= asMuch*best.score && pages[best.passageN].lines[best.sentence].row == nil
	}
	return m.score >= keepBeside*best.score
}

// single reports a question that one date, place, person, number or price
// answers.
func (w wanted) single() bool {
	return w.when || w.where || w.who || w.count || w.price || w.end != nil
}

// figure reports a question for a date, a price or a number of what cannot be
// told from the sentence: a sentence that is near answers it by its words alone.
func (w wanted) figure() bool {
	return w.when || w.price || w.count && w.many && (len(w.counted) == 0 || w.foreign)
}

// holdsAll reports a sentence that holds all words of the question which the
// best one holds: what holds less is on something else.
func (q query) holdsAll(best, m measure, pages []*page) bool {
	b, l := pages[best.passageN].lines[best.sentence], pages[m.passageN].lines[m.sentence]
	for _, t := range q.terms {
		if t.weight >= 1 && b.does(t.kin) && !l.does(t.kin) && !tails(t.kin, l.has) {
			return false
		}
	}
	return true
}

// missing finds the sentence of a passage that says what the chosen one leaves
// out of the question, and is on it beside that word; -1 where there is none.
func (q query) missing(p *page, chosen int) int {
	if p.lines[chosen].row != nil || q.wants.single() {
		return -1
	}
	for _, t := range q.terms {
		if t.weight < 1 || p.lines[chosen].has[t.kin] || akin(t.kin, p.lines[chosen].has) {
			continue
		}
		for i, l := range p.lines {
			if i != chosen && !l.heads && l.row == nil && l.has[t.kin] && (q.holding(l) > 1 || i == chosen+1 || i+1 == chosen) && q.fits(p, i, l) {
				return i
			}
		}
	}
	return -1
}

// holding is how many words of content and names of the question a sentence
// holds.
func (q query) holding(l line) (n int) {
	for _, t := range q.terms {
		if t.weight >= 1 && l.does(t.kin) {
			n++
		}
	}
	for _, k := range q.names {
		if l.has[k] {
			n++
		}
	}
	return n
}
