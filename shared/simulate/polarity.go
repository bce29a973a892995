package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// poles are words whose opposite turns a question round: "banned" against
// "legal". Each line is a stem, the words for it and the words against it.
var poles = []struct{ stem, pos, neg string }{
	{"permit", "legal legalised legalized legalise legalize allowed allow permitted permit authorised authorized", "banned ban bans banning illegal prohibited prohibit forbidden forbid outlawed outlaw criminalised criminalized"},
	{"grow", "increase increased increasing expand expanding expanded raise raising more grow", "decrease decreased decreasing reduce reducing reduced cut cutting less shrink lower lowering phasing phase"},
	{"stay", "remain stay keep keeping join joining continue", "leave leaving quit exit withdraw withdrawing abandon stop stopping abolish repeal"},
	{"trust", "trust", "distrust mistrust"},
	{"like", "like love", "dislike hate"},
	{"good", "good benefit beneficial helps help", "bad harm harmful hurts hurt"},
	{"safe", "safe", "unsafe dangerous"},
	{"fair", "fair", "unfair"},
	{"satisf", "satisfied", "dissatisfied unsatisfied"},
}

var poleIndex = func() map[string]signedHit {
	m := map[string]signedHit{}
	for _, p := range poles {
		for _, w := range strings.Fields(p.pos) {
			m[w] = signedHit{p.stem, 1}
		}
		for _, w := range strings.Fields(p.neg) {
			m[w] = signedHit{p.stem, -1}
		}
	}
	return m
}()

var negations = wordSet("not no never without neither nor cannot nobody nothing against")

// leading is a contracted negation that opens a question.
var leading = expression.Of(`(?:^|[.,;:!?]\s*|\bso\s+)(?:don't|doesn't|didn't|isn't|aren't|wasn't|weren't|haven't|hasn't|wouldn't|won't|can't|couldn't|shouldn't)( (?:you|they|we|he|she|it|there|people|your|the)\b)`)

// polarity is +1 or -1: the product of a text's negations and turning words.
// What stands in pairs ("agree or disagree", "too much or too little", "or not")
// turns nothing: such words are the answers, not the question.
//
// "Don't you smoke?" asks what "Do you smoke?" asks and expects a yes: people
// answer the act and not the negation. "Do you not smoke?" and "Do you never
// smoke?" do turn it.
func polarity(text string) int {
	t := contractions.Replace(leading.ReplaceAllString(fold(text), "$1 "))
	for _, pair := range []string{"or not", "agree or disagree", "approve or disapprove", "favor or oppose", "favour or oppose", "support or oppose",
		"if at all", "if any", "more or less", "easy or difficult", "likely or unlikely", "important or unimportant", "should or should not",
		"increase or decrease", "better or worse", "good or bad", "like or dislike", "too much or too little", "safe or unsafe", "fair or unfair", "satisfied or dissatisfied", "no more than", "not only"} {
		t = strings.ReplaceAll(t, pair, " ")
	}
	sign := 1
	seen := map[string]bool{}
	for _, w := range words(t) {
		if negations[w.text] {
			sign = -sign
			continue
		}
		if h, ok := poleIndex[w.text]; ok && h.sign < 0 && !seen[w.text] {
			seen[w.text] = true
			sign = -sign
		}
	}
	return sign
}
