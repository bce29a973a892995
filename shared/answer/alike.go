package answer

import (
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// stemsOf are the words of content of a text in the form in which they are
// compared. Figures are compared by themselves.
func stemsOf(text string) map[string]bool {
	out := map[string]bool{}
	words.Each(spelt(text), func(w []byte) {
		s := string(w)
		if len(s) < 2 || words.Stop(s) || frame[s] || strings.IndexFunc(s, unicode.IsDigit) == 0 {
			return
		}
		s = words.Stem(s)
		if frame[s] {
			return
		}
		if k, ok := alike[s]; ok {
			s = k
		}
		out[s] = true
	})
	return out
}

// near tells whether a word stands in a set, also in another form that shares most
// of it: "verspätet" and "Verspätung".
func near(w string, set map[string]bool) bool {
	if set[w] {
		return true
	}
	if len(w) < 6 {
		return false
	}
	for s := range set {
		n := 0
		for n < len(w) && n < len(s) && w[n] == s[n] {
			n++
		}
		if n >= 5 && 3*n >= 2*max(len(w), len(s)) {
			return true
		}
	}
	return false
}

// everyday are endings of words that are no names.
var everyday = expression.Of(`(?:ing|ly|ed|s|er|est|ion|ment|ity)$`)

// namesIn are the words that are written as names. The first word of a sentence is
// taken for one where it has no ending of an everyday word; German writes every
// noun so, and gives none.
func namesIn(text string) (names []string, opener string) {
	if german(text) {
		return nil, ""
	}
	first := true
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/–—-", r) }) {
		opens := first
		first = strings.HasSuffix(w, ":") || strings.ContainsAny(w[len(w)-1:], ".!?") && len(w) > 2
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if w == "" || !unicode.IsUpper([]rune(w)[0]) {
			continue
		}
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		words.Each(w, func(f []byte) {
			n := string(f)
			_, known := alike[words.Stem(n)]
			switch {
			case len(n) < 2, words.Stop(n), frame[n], frame[words.Stem(n)], numberWord[n] > 0:
			case !opens:
				names = append(names, n)
			case !known && len(stemsOf(n)) > 0 && !everyday.MatchString(n):
				opener = n
			}
		})
	}
	return names, opener
}

// frame holds words that a speaker puts around what is said: they claim nothing.
// Folded, or stems.
var frame = listed(`
i im ive yes no well so think know say says said tell told really actually honestly quite pretty bit sure course far according accordingly
record records source sources document documents note notes mention mentions mentioned state states stated report reports reported
read see seen view opinion often always usually sometimes ever still already even though although however yet perhaps maybe probably
like get got make made thing things way let look one ones lot lots much many various certain basically simply personally
new people percent percentage prozent respondents answer answers answered ask asked there year years time also that this today now including include includes
denke weiß sage sagt wirklich eigentlich laut quelle oft immer manchmal vielleicht jahr jahre
pense sais dit vraiment selon source souvent toujours parfois
creo dice realmente segun fuente siempre
`)

// alike are words of one meaning in everyday paraphrase, irregular forms first.
var alike = func() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(`
run ran runs running operate
go goes went gone travel
take took taken takes
cost price fare charge
carry transport convey ferried
passenger traveller traveler rider
begin began begun start
buy bought purchase
build built construct
leave left depart departure
come came arrive arrival
sleep slept sleeping asleep
late delayed delay
big large
small little
close shut
reopen open
ferry boat ship vessel
repair fix
wait waited queue
euro euros eur
employ staff crew worker
hate dislike
walk foot
bad poor
increase rise rose risen grow grew grown
decrease fall fell fallen drop decline
sell sold
pay paid
child children kid kids
last lasts
since
`) {
		f := strings.Fields(line)
		for _, w := range f {
			out[words.Stem(w)] = words.Stem(f[0])
		}
	}
	return out
}()

func listed(s string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		out[w] = true
	}
	return out
}
