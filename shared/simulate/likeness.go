package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/embed"
	"github.com/mindgate-dev/mindgate/shared/embed/hashed"
	"github.com/mindgate-dev/mindgate/shared/embed/minilm"
	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Likeness of statements to answers. Where a Mind has words of its own on a
// question but none that name an option, the options are weighed by how like
// their meaning is to those words (semantic similarity rating, Maier et al.
// 2025): p(r) is the similarity of the statement to an anchor sentence for
// option r, less the least one, normalised, averaged over sets of anchors. It
// is blended with what else is known, at most by half, and never more than the
// statement is about the question.

// likeCuts turn the cosine of a statement and a question into relevance: 0 up to
// null, which is about the 99.5th percentile of what statements have with
// questions on something else, 1 from full on. ok is false for spaces that were not measured.
func likeCuts(model string) (null, full float64, ok bool) {
	switch model {
	case hashed.Model:
		return .15, .6, true
	case minilm.Model:
		return .33, .75, true
	}
	return 0, 0, false
}

const (
	likeMost       = .5  // weight of likeness at full relevance
	likeLeast      = .05 // below this it is not worth a word
	likeEpsilon    = .01 // share of the least likely option before normalising
	mostLines      = 4   // statements that are compared
	mostStatements = 64  // statements that are looked at
)

// likeness is a distribution by the Mind's own words.
type likeness struct {
	p      []float64 // in the order of the labels; outside labels 0
	weight float64
	cite   Citation
}

// anchorSet is the embedded sentences of a question's options.
type anchorSet struct {
	once     sync.Once
	question []float32
	sets     [][][]float32 // set, option on the scale, vector
	on       []int         // which labels
	err      error
}

// like compares the Mind's own statements with the options; nil where there is
// nothing to compare, or no measured space to do it in.
func (p *prepared) like(ctx context.Context, r Respondent) (*likeness, error) {
	o := p.eng
	if o.embedder == nil || p.q.Type == Multiselect || p.search.negated || p.topic.sign < 0 {
		return nil, nil
	}
	null, full, ok := likeCuts(o.embedder.Space().Model)
	if !ok {
		return nil, nil
	}
	passages, err := p.atHand(ctx, r)
	if err != nil {
		return nil, err
	}
	said := p.ownStatements(r.Name, passages)
	if len(said) == 0 {
		return nil, nil
	}
	if err := p.embedAnchors(ctx); err != nil || len(p.likes.sets) == 0 {
		return nil, err
	}
	texts := make([]string, len(said))
	for i, s := range said {
		texts[i] = s.text
	}
	vs, err := o.vectors(ctx, texts)
	if err != nil {
		return nil, err
	}
	best, at := 0.0, -1
	for i, v := range vs {
		if rel := round((embed.Dot(p.likes.question, v)-null)/(full-null), 1e3); rel > best {
			best, at = min(rel, 1), i
		}
	}
	w := round(likeMost*best, 1e3)
	if at < 0 || w < likeLeast {
		return nil, nil
	}
	out := &likeness{p: p.likeTo(vs[at]), weight: w, cite: said[at].citation()}
	if p.contradicts(said[at].text, out.p) {
		return nil, nil
	}
	return out, nil
}

// ownStatements are the sentences in the Mind's own voice that share a word of
// content with the question, the fullest first.
func (p *prepared) ownStatements(name string, passages []Passage) []found {
	var out []found
	seen := 0
	for n, ps := range passages {
		by := voice{name, ps.ID == PersonaID}
		for i, s := range statements(ps.Text) {
			if seen == mostStatements {
				break
			}
			low := contractions.Replace(fold(s))
			if strings.HasSuffix(low, "?") || slices.ContainsFunc(notFact, func(c string) bool { return contains(low, c) }) {
				continue
			}
			l := readLine(p.search.lang, s, by)
			if !l.own {
				continue
			}
			seen++
			shared := 0.0
			for _, t := range p.search.terms {
				if t.weight >= 1 && (l.has[t.kin] || akin(t.kin, l.has)) {
					shared += t.weight
				}
			}
			if shared > 0 {
				out = append(out, found{passage: ps, text: s, passageN: n, sentence: i, score: shared})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b found) int { return int(b.score) - int(a.score) })
	return out[:min(len(out), mostLines)]
}

func (p *prepared) embedAnchors(ctx context.Context) error {
	a := &p.likes
	a.once.Do(func() {
		sets, on := p.anchorTexts()
		if len(on) < 2 {
			return
		}
		// What is made here serves all who ask: it does not end with one of them.
		ctx := context.WithoutCancel(ctx)
		q, err := embed.Query(ctx, p.eng.embedder, p.search.text)
		if err != nil {
			a.err = err
			return
		}
		var vectors [][][]float32
		for _, set := range sets {
			vs, err := p.eng.embedder.Embed(ctx, set)
			if err == nil {
				err = embed.Check(p.eng.embedder.Space(), len(set), vs)
			}
			if err != nil {
				a.err = err
				return
			}
			vectors = append(vectors, vs)
		}
		a.question, a.on, a.sets = q.Values, on, vectors
	})
	return a.err
}

var doYou = expression.Of(`(?i)^(?:do|would|will|can) you (.+?)[\s?.!]*$`)

// anchorTexts are the options put into sentences, three ways.
func (p *prepared) anchorTexts() (sets [][]string, on []int) {
	words := p.optionWords()
	if words == nil {
		return nil, nil
	}
	stem := strings.TrimRight(p.search.text, " ?.!")
	sets = make([][]string, 3)
	for i, w := range words {
		if w == "" {
			continue
		}
		on = append(on, i)
		full := stem + ": " + w + "."
		if m := doYou.FindStringSubmatch(p.search.text); m != nil && p.labels[i].family == "yesno" {
			full = "No, I do not " + m[1] + "."
			if p.labels[i].rank > 0 {
				full = "Yes, I " + m[1] + "."
			}
		}
		sets[0] = append(sets[0], w)
		sets[1] = append(sets[1], fmt.Sprintf(p.anchorFrame(), w))
		sets[2] = append(sets[2], full)
	}
	return sets, on
}

// constructs are what a scale of numbers may measure, by the question's words.
var constructs = []struct{ cue, adjective string }{
	{"satisf", "satisfied"}, {"likely", "likely"}, {"likel", "likely"}, {"importan", "important"}, {"agree", "in agreement"}, {"interest", "interested"},
	{"worr", "worried"}, {"concern", "concerned"}, {"trust", "trusting"}, {"happy", "happy"}, {"confiden", "confident"}, {"comfortab", "comfortable"},
}

var grades = []string{"not at all ", "slightly ", "somewhat ", "very ", "extremely "}

// optionWords say each option; "" for those outside the scale, nil where they
// cannot be said, as on a scale of numbers that names nothing.
func (p *prepared) optionWords() []string {
	out := make([]string, len(p.labels))
	if p.q.Type != Scale {
		for i, l := range p.labels {
			if !l.outside {
				out[i] = strings.ToLower(l.text)
			}
		}
		return out
	}
	if p.named != nil {
		for i, l := range p.named {
			out[i] = strings.ToLower(l.text)
		}
		return out
	}
	low := fold(p.search.text)
	for _, c := range constructs {
		if !strings.Contains(low, c.cue) {
			continue
		}
		for i := range out {
			at := float64(i) / float64(len(out)-1)
			if p.q.TopLow {
				at = 1 - at
			}
			out[i] = grades[int(math.Round(at*float64(len(grades)-1)))] + c.adjective
		}
		return out
	}
	return nil
}

// likeTo is the distribution over the labels for one statement.
func (p *prepared) likeTo(statement []float32) []float64 {
	out := make([]float64, len(p.labels))
	for _, set := range p.likes.sets {
		g := make([]float64, len(set))
		least := math.Inf(1)
		for j, v := range set {
			g[j] = round((1+embed.Dot(statement, v))/2, 1e5)
			least = min(least, g[j])
		}
		sum := 0.0
		for j := range g {
			g[j] += likeEpsilon - least
			sum += g[j]
		}
		for j := range g {
			out[p.likes.on[j]] += g[j] / sum / float64(len(p.likes.sets))
		}
	}
	return out
}

// contradicts is the check of polarity: vectors hardly know a "not". A negated
// statement may not lean to the upper end, nor an affirmed one to no; and where
// options have no ends, a negated one says nothing.
func (p *prepared) contradicts(statement string, d []float64) bool {
	negated := polarity(statement) < 0
	low, high, n := 0.0, 0.0, 0
	var on []int
	for _, i := range p.order {
		if p.scale[i] {
			on = append(on, i)
		}
	}
	if !p.ordered {
		return negated
	}
	for j, i := range on {
		n++
		switch {
		case 2*j < len(on)-1:
			low += d[i]
		case 2*j > len(on)-1:
			high += d[i]
		}
	}
	if negated {
		return high > low
	}
	return isYesNo(p.labels) && low > high
}

// blend moves a distribution by the Mind's own words; what lies outside the
// scale keeps its share.
func (l *likeness) blend(b *basis, scale []bool) {
	on := 0.0
	for i, v := range b.p {
		if scale[i] {
			on += v
		}
	}
	for i := range b.p {
		if scale[i] {
			b.p[i] = float64((1-l.weight)*b.p[i]) + float64(l.weight*on*l.p[i])
		}
	}
	settle(b.p)
	b.like = l
	switch b.state {
	case Unsupported:
		b.state = Trait
	case Related:
		b.warnings = unique(append(b.warnings, "moved by the Mind's own words"))
	}
}
