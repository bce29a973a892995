package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// followed is a message read with what was said before it.
type followed struct {
	text string
	asks asking
	more bool // asks for more of the same
}

var (
	alsoAbout = expression.Of(`(?i)^\s*(?:(?:and|but|so|ok(?:ay)?|then|und|et|y)[\s,]+)?(?:what about|how about|what if it is|was ist mit|wie (?:ist|war) (?:es|das) (?:mit|in)|qué hay de|qué tal|et pour|qu'en est-il de)\s+(.+?)[\s?.!]*$`)
	andThen   = expression.Of(`(?i)^\s*(?:and|und|et|y)[\s,]+((?:in|for|on|at|with|during|im|für|en|pour|para|dans|the|den|der|die|les|la|el)?\s*[^?.!]{1,60}?)[\s?.!]*$`)
	moreOf    = expression.Of(`(?i)^\s*(?:(?:and|but|ok(?:ay)?|please)[\s,]+)*(?:(?:can|could) you )?(?:tell me more|say more|more(?: please)?|go on|continue|(?:any|some)thing else|what else|else|more details?|elaborate|mehr|erzähl(?:en sie)? mehr|sonst noch (?:etwas|was)|y qué más|algo más|dis-m'en plus|autre chose)(?: about (?:it|that|this))?\s*[?.!]*\s*$`)
	leading1  = expression.Of(`(?i)^\s*(?:and|but|so|then|ok(?:ay)?|well|und|aber|et|mais|y|pero)[\s,]+`)
	pronouns  = wordSet("it its they them their theirs he she him his her hers es sie ihn ihm ihnen dessen deren dazu davon il elle ils elles cela ça lo ella ellos ellas eso")
	pointing  = wordSet("this that these those")
)

// longestFollowUp is how many bytes a message may have that leans on another.
const longestFollowUp = 400

// mostBack bounds how far a chain of follow-ups is read back.
const mostBack = 6

// follow completes a message by the turns before it: "and why?", "what about
// 2024?", "how much does it cost?". What stands by itself is left as it is.
func follow(message string, history []Earlier) followed {
	alone := followed{text: message, asks: askingOf(message)}
	if len(history) == 0 || len(message) > longestFollowUp {
		return alone
	}
	if len(history) > mostBack {
		history = history[len(history)-mostBack:]
	}
	n := len(history) - 1
	for n > 0 && noQuestion(history[n]) {
		n--
	}
	if noQuestion(history[n]) {
		return alone
	}
	before := follow(history[n].Question, history[:n])
	if moreOf.MatchString(message) {
		return followed{before.text, before.asks, true}
	}
	for _, re := range []*expression.Expression{alsoAbout, andThen} {
		if m := re.FindStringSubmatch(message); m != nil && askingOf(m[1]) == asksAny {
			if t, ok := exchanged(before.text, m[1]); ok {
				return followed{t, before.asks, false}
			}
			if re == alsoAbout {
				return followed{m[1], asksAny, false}
			}
		}
	}
	own := newQuery(leading1.ReplaceAllString(message, ""))
	asks := askingOf(leading1.ReplaceAllString(message, ""))
	content := strong(own.terms)
	bare := own.empty() || content == 0 && len(own.names) == 0 && asks != asksAny && len(words(message)) <= 4
	if !bare && (content+len(own.names) > 1 || !refers(message)) {
		return alone
	}
	if asks == asksAny && own.empty() {
		asks = before.asks
	}
	return followed{strings.TrimRight(before.text, " ?.!") + ": " + strings.TrimSpace(message), asks, false}
}

// noQuestion reports what stands in a history and asks nothing of any topic.
func noQuestion(e Earlier) bool {
	mine, yours, _ := ofConversation(e.Question)
	return mine+yours != "" || asksNothing(e.Question) || e.Question == SummaryQuestion || e.Question == OthersQuestion || strings.TrimSpace(e.Question) == ""
}

// refers reports a message that speaks of something by a pronoun.
func refers(message string) bool {
	ws := words(message)
	for i, w := range ws {
		if pronouns[w.text] {
			return true
		}
		if pointing[w.text] && (i+1 == len(ws) || ws[i+1].stop) {
			return true
		}
	}
	return false
}

var yearIn = expression.Of(`\b(?:19|20)\d\d\b`)

// exchanged puts a year, a place or a name into a question in place of the one
// that it holds; a place that has none to replace is added.
func exchanged(question, with string) (string, bool) {
	with = strings.TrimSpace(with)
	if y := yearIn.FindString(with); y != "" {
		if yearIn.MatchString(question) {
			return yearIn.ReplaceAllString(question, y), true
		}
		return strings.TrimRight(question, " ?.!") + " in " + y + "?", true
	}
	ws := words(with)
	var last word
	content := 0
	for _, w := range ws {
		if !w.stop {
			last, content = w, content+1
		}
	}
	if content != 1 {
		return "", false
	}
	land := countryNames[last.text] != ""
	named := land || strings.Contains(with, strings.ToUpper(last.text[:1])+last.text[1:])
	if !named {
		return "", false
	}
	for _, w := range words(question) {
		if w.proper && !w.stop && (countryNames[w.text] != "") == land {
			at := indexPhrase(strings.ToLower(question), w.text)
			if at >= 0 && len(strings.ToLower(question)) == len(question) {
				return question[:at] + strings.ToUpper(last.text[:1]) + last.text[1:] + question[at+len(w.text):], true
			}
		}
	}
	return strings.TrimRight(question, " ?.!") + " in " + strings.ToUpper(last.text[:1]) + last.text[1:] + "?", true
}
