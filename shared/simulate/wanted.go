package simulate

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// wantsPrice are the questions that an amount of money answers, and nothing else.
var wantsPrice = expression.Of(`\b(?:what|how much) (?:do|does|did|will|would|must|should) [^?]{1,60} pay\b|\b(?:what|how much)(?: money)? (?:do|does|did|will|would|should|could|can|might)(?:n't)? [^?]{1,80}\b(?:cost|charge)\b` +
	`|\bhow (?:much|expensive|dear|cheap) (?:is|are|was|were|will) [^?]{1,80}\b(?:price|cost|fare|fee|ticket)s?\b|\bhow (?:expensive|dear|cheap)\b` +
	`|\bwhat(?:'s| is| are| was| were| will(?: be)?) (?:the |a |your |its |their )?(?:[\pL'-]+ ){0,2}(?:price|cost|fare|fee|ticket price)s?\b` +
	`|\bwas (?:kostet|kosten|kostete)\b|\bwie (?:teuer|viel kost)|\bcombien (?:coûte|vaut)|\bquel (?:est|était) le (?:prix|coût|tarif)\b|\bcuánt[oa]s? (?:cuesta|vale|costó)|\bcuál (?:es|era) el (?:precio|coste|costo)\b`)

// money is an amount of it, or that none is asked for.
var money = expression.Of(`[€$£¥₹₩₺₽]` +
	`|\b(?:eur|euros?|dollars?|usd|pounds?|gbp|pence|cents?|francs?|chf|franken|kron(?:er|or|e|a)|crowns?|nok|sek|dkk|kr|yen|yuan|rupees?|rubles?|lira|zloty|pesos?|won|dinars?|dirhams?)\b` +
	`|\b(?:free|gratis|for nothing|no charge|kostenlos|umsonst|gratuit(?:e|s|es)?|included in)\b`)

// ofWhole are questions for how many of something a whole has: what a report says
// of its own subject without naming it answers them.
var ofWhole = expression.Of(`^how many [^?]{1,60}? (?:do|does|did) (?:the|this|that|your|our) [^?]{1,60} have\b`)

// calendar are the names that a point in time has.
var calendar = wordSet(`january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday`)

// roles are words for who somebody is, besides those with the ending of a doer.
var roles = wordSet(`company companies firm firms council city town municipality municipalities county province state government ministry department agency authority
	family families household households brother brothers sister sisters father mother parent parents son sons daughter daughters wife husband couple woman women man men child children
	chief ceo head president chairman chairwoman chair boss mayor king queen prince princess judge clerk captain chef baker cook guard nurse guide pilot student students pupil pupils
	apprentice trainee adult adults staff crew team board committee association society club foundation trust cooperative union church school university bank group guild
	member members people public everybody everyone anybody nobody somebody residents tenants citizens guests locals pensioners youth men's women's neighbour neighbours neighbor neighbors volunteer volunteers grant fund taxpayers`)

// namesSomebody reports a sentence that holds who: a name, a role, or the Mind
// itself, other than those that the question itself names.
func (q query) namesSomebody(l line) bool {
	if l.own || q.lang == langDE { // in German every noun has a capital
		return true
	}
	asked := func(w word) bool {
		k := kinIn(q.lang, w)
		return q.asksFor(k) || slices.Contains(q.names, k)
	}
	for i, w := range l.words {
		switch {
		case w.number || asked(w) || calendar[w.text] || timeWords[w.text]:
		case w.proper && !w.stop:
			return true
		case roles[w.text] || len(w.text) > 4 && (agent(strings.TrimSuffix(w.text, "s")) && !doing[w.text]):
			return true
		case i == 0 && !w.stop && !broad[w.text] && len(l.words) > 1 && verbLike(l.words[1]):
			return true // "Siemens built it.": a capital says nothing there, its place does
		}
	}
	return false
}

// doing are words with the ending of a doer that nobody is.
var doing = wordSet(`after another either neither never other others over under water winter summer weather whether rather together number numbers letter letters paper papers order orders
	river harbour harbor offer offers quarter quarters corner corners center centre computer computers dinner later better larger smaller higher lower longer shorter earlier older newer
	greater fewer cheaper faster further however moreover timber rubber silver power tower towers cover covers matter matters manner shower showers error errors motor motors floor floors
	door doors color colour odor minor major indoor outdoor interior exterior prior sector sectors factor factors former latter upper inner outer super consider remember september october
	november december trailer boiler container containers cleaner washer dryer printer trimmer charger heater drier ladder hammer folder sticker counter meter meters kilometer proper
	exist consist assist persist insist resist list twist mist christian container tender butter flower flowers finger shoulder leather feather chapter danger user-friendly`)

// verbLike reports a word that may be the verb of a sentence of three words.
func verbLike(w word) bool {
	switch w.text {
	case "is", "are", "was", "were", "has", "have", "had", "will", "can", "may", "must", "would", "could", "should", "does", "did":
		return true
	}
	return !w.proper && (strings.HasSuffix(w.text, "ed") || irregular[w.text] != "")
}
