package plan

import (
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	numbering = expression.Of(`(?i)^\s*(?:[-*•]|q(?:uestion)?\s*\d+\s*[.:)]?|\(?\d+[.)]|[a-z][.)])\s*`)
	preamble  = expression.Of(`(?i)^(?:(?:so|and|now|next|finally|first|in general|generally|overall|today|these days|currently|thinking (?:about|of) [^,]{1,80}|when [^,]{1,80}|if [^,]{1,80}|in your (?:view|opinion)|based on [^,]{1,80}|regardless of [^,]{1,80}|on average),\s*)+`)

	auxiliary = expression.Of(`(?i)^(?:(?:do|does|did|is|are|were|have|has|had|would|will|can|could|should|may|might|don't|doesn't|isn't|aren't|haven't|wouldn't)\s+\S|was\s+(?:it|this|that|the|there|your|he|she|they|any|a|an|our|my|his|her|their)\s)`) // "Was gefällt Ihnen?" is German
	spanish   = expression.Of(`(?i)^¿?\s*(?:ha|han|has|tiene|tienes|es|son|está|están|usa|usas|compra|compras|cree|crees|piensa|le gusta|te gusta|recomendaría|podría|suele|sueles|bebe|bebes|fuma|fumas|come|comes|conoce|conoces|vive|vives|prefiere|\p{L}+rías?|\p{L}+rían)\s+\S`)
	french    = expression.Of(`(?i)^(?:est-ce que|avez-vous|as-tu|êtes-vous|es-tu|aimez-vous|pensez-vous|utilisez-vous|achetez-vous|buvez-vous|fumez-vous|faut-il|voulez-vous|pouvez-vous|connaissez-vous|seriez-vous|travaillez-vous|mangez-vous|possédez-vous|habitez-vous|trouvez-vous|feriez-vous|faites-vous|allez-vous|croyez-vous|regardez-vous)(?:\s|$)`)
	german    = expression.Of(`(?i)^(?:haben|hast|hat|wird|werden|wurde|wurden|gibt|sollte|sollten|soll|sind|bist|ist|nutzen|kaufen|kaufst|trinken|trinkst|rauchen|rauchst|essen|mögen|magst|würden|würdest|können|kennen|kennst|glauben|denken|besitzen|fahren|leben)\s+(?:sie|du|ihr|ihre|ihnen|man|es|das|die|der|ein|eine|unser|unsere|dieses|diese|dieser)\b`)

	// "Do you support or oppose …" and "Do you prefer tea or coffee?" ask for one
	// of two, not for yes or no.
	sides = expression.Of(`(?i)\b(support or oppose|favou?r or oppose|agree or disagree|approve or disapprove|for or against|satisfied or dissatisfied|like or dislike|easy or difficult|likely or unlikely|male or female|men or women|rent or own|own or rent|full[- ]time or part[- ]time|part[- ]time or full[- ]time|right or (?:the )?wrong|(?:the )?right direction or (?:in )?(?:the )?wrong direction|better or worse|de acuerdo o en desacuerdo|a favor o en contra|d'accord ou pas d'accord|pour ou contre|dafür oder dagegen)\b`)

	// The same in other languages: "Préférez-vous le thé ou le café ?"
	other = expression.Of(`(?i)^¿?\s*(?:préférez-vous|préfères-tu|bevorzugen sie|bevorzugst du|mögen sie lieber|trinken sie lieber|prefiere(?:s)?(?: usted)?)\s+([^,?]{1,40}?)\s+(?:ou|oder|o)\s+([^,?]{1,40}?)\s*\?$`)

	joint   = expression.Of(`(?i)\s+(?:or|o|ou|oder)\s+(?:in\s+)?(?:the\s+)?`)
	either  = expression.Of(`(?i)\b(?:prefer|rather (?:have|buy|use|eat|drink|watch|live in|work)|choose between)\s+([^,?]{1,40}?)\s+or\s+([^,?]{1,40}?)\s*\?$`)
	openAsk = expression.Of(`(?i)^(?:can|could|would|will) you (?:please\s+)?(?:describe|tell|explain|share|walk|talk|elaborate|give|list|name)\b`)

	aim      = expression.Of(`(?i)^(?:(?:we|i|our team|the team|my team)\s+(?:want|need|would like|'d like|are trying|aim|plan|hope|wish)\s+(?:to\s+)?|(?:the\s+)?(?:goal|objective|aim|purpose)s?\s*(?::|\s(?:is|are|of)\b)|(?:to\s+)?(?:understand|explore|find out|learn|discover|investigate|assess|evaluate|identify|determine|measure|examine|validate|uncover|study|research|analyse|analyze|gauge)\b|help (?:us|me)\s+(?:to\s+)?(?:understand|find|learn|decide)|queremos\s|necesitamos\s|entender\s|nous voulons\s|comprendre\s|wir (?:wollen|möchten)\s|verstehen\s)`)
	wordAsk  = expression.Of(`(?i)^(?:what|why|how|which|who|whom|whose|when|where|tell|describe|explain|share|list|name|give|please|rate|rank|choose|select|pick|imagine|think|walk|qué|por qué|cómo|cuál|quién|pourquoi|comment|quel|quelle|was|warum|wie|welche)\b`)
	ranking  = expression.Of(`(?i)^(?:please\s+)?(?:rank|order|ordne|classe|ordene)\b`)
	askInAim = expression.Of(`(?i)\b(?:ask|question)\s*:`)
)

// yesNo reports a question that one of two words answers: yes or no in the
// question's language, or the two sides that it names.
func yesNo(text string) ([]string, bool) {
	t := stem(text)
	if i := strings.LastIndexAny(t, ".!:"); i >= 0 && i+1 < len(t) && strings.HasSuffix(t, "?") {
		if tail := strings.TrimSpace(t[i+1:]); len(strings.Fields(tail)) >= 3 {
			t = stem(tail) // "We launched a bar. Would you buy it?"
		}
	}
	t = strings.TrimSpace(t)
	if !strings.HasSuffix(t, "?") || openAsk.MatchString(t) {
		return nil, false
	}
	if m := sides.FindStringSubmatch(t); m != nil {
		if p := joint.Split(strings.TrimPrefix(strings.ToLower(m[1]), "the "), 2); len(p) == 2 {
			return []string{capital(p[0]), capital(p[1])}, true
		}
	}
	if m := other.FindStringSubmatch(t); m != nil {
		if o := clean(m[1:]); len(o) == 2 {
			return []string{capital(o[0]), capital(o[1])}, true
		}
	}
	if m := either.FindStringSubmatch(t); m != nil && auxiliary.MatchString(t) {
		if o := clean(m[1:]); len(o) == 2 && len(strings.Fields(m[1])) <= 4 && len(strings.Fields(m[2])) <= 4 {
			return []string{capital(o[0]), capital(o[1])}, true
		}
	}
	switch {
	case auxiliary.MatchString(t) && !strings.HasPrefix(strings.TrimSpace(text), "¿"):
		return []string{"Yes", "No"}, true
	case strings.HasPrefix(strings.TrimSpace(text), "¿") && spanish.MatchString(t), spanish.MatchString(t) && strings.ContainsAny(t, "áéíóúñ¿"):
		return []string{"Sí", "No"}, true
	case french.MatchString(t):
		return []string{"Oui", "Non"}, true
	case german.MatchString(t):
		return []string{"Ja", "Nein"}, true
	}
	return nil, false
}

func capital(s string) string {
	r := []rune(strings.TrimSpace(s))
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

// stem drops numbering and a preamble that says when or of what.
func stem(text string) string {
	t := numbering.ReplaceAllString(strings.TrimSpace(text), "")
	return strings.TrimSpace(preamble.ReplaceAllString(t, ""))
}

// isObjective reports a text that states an aim and asks nothing. It says no
// where in doubt: a question taken for an aim would not be asked at all.
func isObjective(text string) bool {
	if strings.ContainsAny(text, "?？؟") || askInAim.MatchString(text) {
		return false
	}
	t := stem(text)
	if wordAsk.MatchString(t) {
		return false
	}
	return aim.MatchString(t)
}
