package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Weights of what a sentence holds of a question.
const (
	labelCredit   = .7  // the sentence is a label with its value, of what its passage is on
	akinCredit    = .8  // the word is one with the same beginning
	tailCredit    = .5  // the word is the tail of a compound: "dough" of "sourdough"
	contextCredit = .4  // the word stands in the sentence beside it
	titleCredit   = .25 // the word stands in the title of the whole source
	akinLength    = 6
)

// weights are those of the question's words beside what the candidates know:
// what none of them holds weighs double.
func (q query) weights(known map[string]bool) []float64 {
	out := make([]float64, len(q.terms))
	for i, t := range q.terms {
		out[i] = t.weight
		if t.weight >= 1 && !known[t.kin] && !akin(t.kin, known) && !tails(t.kin, known) {
			out[i] = rareWord
		}
	}
	return out
}

// cover is the share of the question's words, by their weights, that a sentence
// holds. One that opens with "they" speaks of what stood before it.
func (q query) cover(p *page, at int, weights []float64) float64 {
	hit, total := 0.0, 0.0
	l := p.lines[at]
	before := p.before(at)
	for i, t := range q.terms {
		w := weights[i]
		total += w
		switch {
		case l.has[t.kin], before[t.kin]:
			hit += w
		case t.kin == "cost" && q.wants.price && doneFor.MatchString(fold(l.text)):
			hit += w
		case akin(t.kin, l.has):
			hit += float64(akinCredit * w)
		case q.wants.who && doer(t.kin, l.has):
			hit += float64(akinCredit * w)
		case tails(t.kin, l.has):
			hit += float64(tailCredit * w)
		case labelled(l) && (p.has[t.kin] || p.around[t.kin]):
			hit += float64(labelCredit * w)
		case q.bareOn(p, at, l, t.kin):
			hit += w
		case p.has[t.kin] || p.around[t.kin]:
			hit += float64(contextCredit * w)
		case p.opens[t.kin] && q.whole:
			hit += float64(titleCredit * w)
		}
	}
	if total == 0 { // names alone: they must stand in the sentence itself
		for _, n := range q.names {
			if !l.has[n] && !(q.attr != nil && (before[n] || p.around[n])) {
				return 0
			}
		}
		return 1
	}
	return hit / total
}

// doneFor tells what was paid by what was got for it: "renewed for 52,000 pounds".
var doneFor = expression.Of(`ed for (?:about |around |nearly |over |almost |only )?[£$€]? ?\d`)

// akin finds a word with the same beginning. Who does a thing is not the thing:
// "pensioner" is no "pension".
func akin(k string, has map[string]bool) bool {
	if len(k) < akinLength {
		return false
	}
	for h := range has {
		if len(h) >= akinLength && h[:akinLength] == k[:akinLength] && agent(h) == agent(k) {
			return true
		}
	}
	return false
}

// doer finds a word for who does what a verb says: "Leiterin" of "leitet".
func doer(k string, has map[string]bool) bool {
	if len(k) < 4 {
		return false
	}
	for h := range has {
		if rest, ok := strings.CutPrefix(h, k); ok && doers[rest] {
			return true
		}
	}
	return false
}

var doers = wordSet("er eri or ers ors erin erinnen ern eur euse eurs rice teur trice dor dora dores or ora ent ant in")

const (
	tailLength = 5
	headLength = 3
)

// tails finds a compound that ends in the word. A prefix is no head of one:
// "count" is not in "discount".
func tails(k string, has map[string]bool) bool {
	if len(k) < tailLength || strings.HasSuffix(k, "ation") {
		return false
	}
	for h := range has {
		if head, ok := strings.CutSuffix(h, k); ok && len(head) >= headLength && !prefixes[head] {
			return true
		}
		if rest, ok := strings.CutPrefix(k, h); ok && len(h) >= headLength && len(rest) >= akinLength-2 && (has[rest] || has[stem(rest)]) {
			return true // "carsharing" of "car sharing"
		}
	}
	return false
}

var prefixes = wordSet("dis trans under inter over mis com con des rein pro pre sub non out anti auto bio counter fore hyper mega micro mini mono multi post semi super tele ultra vege desti")

func agent(w string) bool {
	return strings.HasSuffix(w, "er") || strings.HasSuffix(w, "or") || strings.HasSuffix(w, "ist") || strings.HasSuffix(w, "ian")
}

// wording is the share of the question's words, small ones and all, that stand
// in a sentence as they are. It tells apart what is else equal.
func (q query) wording(l line) float64 {
	hit := 0
	for _, w := range q.words {
		if l.any(func(x word) bool { return x.text == w.text }) {
			hit++
		}
	}
	return float64(hit) / float64(max(1, len(q.words)))
}

// naming is the share of the question's names that stand in a sentence itself.
func (q query) naming(l line) float64 {
	hit := 0
	for _, n := range q.names {
		if l.has[n] {
			hit++
		}
	}
	return float64(hit) / float64(max(1, len(q.names)))
}
