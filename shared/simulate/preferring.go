package simulate

import "github.com/mindgate-dev/mindgate/shared/expression"

// Words of a question that asks what somebody prefers, takes or values, and of one
// that asks for the contrary. A question on what is merely known or talked about is
// neither.
var (
	preferring = expression.Of(`\b(?:lik(?:e|es|ed)|prefer\w*|favou?rites?|enjoy\w*|lov(?:e|es|ed)|best|rather|choos\w+|chose\w*|pick\w*|want\w*|buy\w*|bought|purchas\w*|us(?:e|es|ed|ing)|interest\w*|appeal\w*|important|matters?|drinks?|eats?` +
		`|bevorzug\w*|am liebsten|lieblings\w*|mag(?:st)?|moegen|mögen|kauf\w*|waehl\w*|wähl\w*|wichtig\w*|nutz\w*` +
		`|prefer\w*|préfér\w*|prefier\w*|favorit\w*|gust\w*|aim\w+|achet\w*|choisi\w*|compr\w*|elig\w*|import(?:e|a)nte?s?|scegli\w*|piac\w*)\b`)
	shunning = expression.Of(`\b(?:least|worst|dislik\w*|hat(?:e|es|ed)|avoid\w*|never|not|less|reject\w*|unimportant|would(?:n't| not)|don't|stopp?\w*` +
		`|am wenigsten|ungern|nicht|vermeid\w*|unwichtig\w*|moins|jamais|déteste\w*|évite\w*|menos|nunca|odi\w*|evita\w*|meno|mai)\b`)
)

// sameThings reports evidence that asked in other words which of the very same things
// people prefer: the items of a battery, or the levels of an attribute, are named by
// nothing else. What it says is then known of them, from another question. Labels that
// go with any question, and those in an order, are no such sign.
func (p *prepared) sameThings(c *compiled) bool {
	return p.things && !c.ordered && !generic(c.labels) && p.topic.sign > 0 && c.topic.sign > 0 && c.topic.subject == p.topic.subject &&
		preferring.MatchString(c.topic.folded) && !shunning.MatchString(c.topic.folded)
}
