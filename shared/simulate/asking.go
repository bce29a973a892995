package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// asking is the kind of a question: what it wants to know of its topic. "Why do
// you smoke?" and "Do you smoke?" share every word of content and no answer.
type asking string

const (
	asksAny     asking = "" // no interrogative: a statement, an instruction, a topic
	asksYesNo   asking = "yes or no"
	asksWhy     asking = "why"
	asksWhen    asking = "when"
	asksWhere   asking = "where"
	asksWhoever asking = "who"
	asksAmount  asking = "how much"
	asksOften   asking = "how often"
	asksHow     asking = "how"
	asksWhat    asking = "what"
)

// inWords are the kinds that no share of another question answers, and that
// borrow no options.
func (a asking) inWords() bool {
	return a == asksWhy || a == asksWhen || a == asksWhere || a == asksWhoever
}

// sameAsking reports kinds that may ask the same. A text without an
// interrogative may ask what any question with a choice of answers does.
func sameAsking(a, b asking) bool {
	if a == asksAny || b == asksAny {
		return !a.inWords() && !b.inWords()
	}
	return a == b
}

const auxiliaries = `do|does|did|is|are|were|was|am|have|has|had|will|would|can|could|shall|should|may|might|must`

var (
	clauseEnd  = expression.Of(`[.?!:;,\n¿¡()\[\]]+|\s-\s`)
	filler     = expression.Of(`^(?:(?:\d+|q\d+|and|so|but|now|well|then|ok|okay|also|hi|hello|hey|just|please|today|currently)\s+)+`)
	request    = expression.Of(`^(?:(?:can|could|would|will) you (?:please )?)?(?:tell|explain|describe|say|share|rate|indicate)\b`)
	anyAsking  = expression.Of(`\b(?:why|how|what|which|who|whom|when|where)\b.*`)
	howOften   = expression.Of(`\bdescribes? (how (?:often|frequently|much|many))\b`)
	openTopic  = expression.Of(`^(?:what (?:do|did) you (?:think|feel|say)|what (?:is|are|'s) your (?:views?|thoughts?|opinions?|take)|how do you feel about|what about|how about)\b`)
	whyPhrase  = expression.Of(`^(?:why|how come|(?:for )?what (?:is |are |was |were )?(?:the |your )?(?:main |biggest |most important )?reasons?\b|what(?:'s| is) your reason|what (?:makes|made) you|what (?:is|was) it that makes|for which reasons?|por qué|pourquoi|warum|wieso|weshalb)(?:\s|$)`)
	whenPhrase = expression.Of(`^(?:(?:since )?when|(?:at |on )?(?:what|which) (?:time|day|date|year|month)|cuándo|quand|wann)(?:\s|$)`)
	amount     = expression.Of(`^(?:how (?:much|many)|to (?:what|which) (?:extent|degree)|cuánt[oa]s?|combien|wie ?viele?)(?:\s|$)`)
	often      = expression.Of(`^(?:how (?:often|frequently)|con qué frecuencia|à quelle fréquence|wie oft)(?:\s|$)`)
	what       = expression.Of(`^(?:(?:in|on|at|for|from|of|with|to|by) )?(?:what|which)(?:'s)?(?:\s|$)`)
	told       = expression.Of(`^(?:in|on|at|for|from|of|with|to|by) what (?:you|i|we|people|they)\b`)
	yesNoHead  = expression.Of(`^(?:` + auxiliaries + `)(?:n't)?\s`)
	german     = expression.Of(`^was\s+(?:[^a-z]|(?:ist|sind|war|halten|denken|gefällt|kaufen|trinken|essen|machen|mögen)\b)`)
	timeClause = expression.Of(`^(?:when|where|wherever|whenever)\s+(?:(?:'s)|` + auxiliaries + `|else|in|on|exactly|or)\b`)
)

// askingOf reads the kind off the first clause that opens as a question.
func askingOf(text string) asking {
	for _, c := range clauseEnd.Split(fold(text), -1) {
		c = filler.ReplaceAllString(strings.TrimSpace(c), "")
		if request.MatchString(c) {
			c = anyAsking.FindString(c)
			if strings.HasPrefix(c, "when") || strings.HasPrefix(c, "where") {
				c = strings.Replace(c, " ", " do ", 1) // told as a clause: "when you shop"
			}
		}
		if k := opensWith(c); k != asksAny || openTopic.MatchString(c) {
			return k
		}
	}
	return asksAny
}

func opensWith(c string) asking {
	switch {
	case c == "", openTopic.MatchString(c), told.MatchString(c):
		return asksAny
	case whyPhrase.MatchString(c):
		return asksWhy
	case c == "when" || c == "where" || (strings.HasPrefix(c, "when") || strings.HasPrefix(c, "where")) && timeClause.MatchString(c):
		if strings.HasPrefix(c, "where") {
			return asksWhere
		}
		return asksWhen
	case strings.HasPrefix(c, "when "), strings.HasPrefix(c, "where "), strings.HasPrefix(c, "wherever "), strings.HasPrefix(c, "whenever "):
		return asksAny // "When you shop, do you …": the question follows
	case whenPhrase.MatchString(c):
		return asksWhen
	case amount.MatchString(c):
		return asksAmount
	case often.MatchString(c):
		return asksOften
	}
	if what.MatchString(c) {
		if m := howOften.FindStringSubmatch(c); m != nil { // "Which best describes how often you …"
			return opensWith(m[1])
		}
		return asksWhat
	}
	first, _, _ := strings.Cut(c, " ")
	switch strings.TrimSuffix(first, "'s") {
	case "how", "cómo", "wie":
		return asksHow
	case "who", "whom", "whose", "quién", "quiénes", "qui", "wer", "wen", "wem":
		return asksWhoever
	case "dónde", "où", "wo", "wohin", "woher":
		return asksWhere
	case "qué", "cuál", "cuáles", "quel", "quelle", "quels", "quelles", "welche", "welcher", "welches", "welchen":
		return asksWhat
	}
	if yesNoHead.MatchString(c+" ") && !german.MatchString(c) {
		return asksYesNo
	}
	return asksAny
}

var (
	relative = expression.Of(`\b(?:your|his|her|their|my)\s+(mother|mom|mum|father|dad|parents?|brothers?|sisters?|siblings?|wife|husband|spouse|partner|sons?|daughters?|child|children|kids?|grandmother|grandfather|grandparents?|friends?|colleagues?|coworkers?|neighbou?rs?|boss|dog|cat|pet|employer|doctor)\b`)
	somebody = expression.Of(`^(?:` + auxiliaries + `)(?:n't)?\s+(he|she|they|we|i|people|most people|anyone|everyone|other people)\b`)
)

// subjectOf names whom a question is about, when it is not the one asked.
func subjectOf(text string) string {
	low := fold(text)
	if m := relative.FindStringSubmatch(low); m != nil {
		return stem(m[1])
	}
	if m := somebody.FindStringSubmatch(low); m != nil {
		return m[1]
	}
	return ""
}

// frameWords say how an answer is to be given, or little at all: one of them
// more makes no other question.
var frameWords = wordSet("select apply choose pick tick mark answer option scale score point mean extrem complet total really actual normal most honest typical general regard consider kind type sort")

// adds reports a word of content that the asked question has and the published
// one has not: "Do you ever smoke fish?" is not "Do you ever smoke?".
func adds(asked, published bag) bool {
	for _, s := range asked.stems {
		if asked.weight[s] < weightWord || frameWords[s] || s[0] >= '0' && s[0] <= '9' || dense([]rune(s)[0]) {
			continue
		}
		if _, ok := published.weight[s]; ok {
			continue
		}
		akin := false
		for _, t := range published.stems { // "satisfaction", "satisfying"
			akin = akin || len(s) >= 5 && len(t) >= 5 && s[:5] == t[:5]
		}
		if !akin {
			return true
		}
	}
	return false
}

// mayAsk reports whether two questions can be one: of one kind, about one
// person, and with nothing added.
func mayAsk(asked, published bag) bool {
	return sameAsking(asked.asks, published.asks) && asked.subject == published.subject && !adds(asked, published)
}

// closed reports a question that yes or no answers: it names no sides.
func (b bag) closed() bool { return b.asks == asksYesNo && !contains(b.folded, "or") }
