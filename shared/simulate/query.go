package simulate

import (
	"strings"
	"unicode"
)

// query is a question as passages are looked through for its answer.
type query struct {
	text  string // complete, without instructions
	asks  asking
	lang  string // "" when it is not plain
	terms []term // content, each once, in order
	names []string
	years []string
	// negated questions ask for what is not so: "Which ships were not repaired?"
	negated  bool
	rising   int  // +1 "Why did it rise?", -1 "… fall?"
	closed   bool // yes or no
	turns    bool // asks whether it rose or fell
	whole    bool // asks for a number of the whole: "How many members does the library have?"
	you      bool // asks the Mind of its own doing
	hints    []string
	words    []word
	told     *toldIn
	parts    []query         // several questions in one message
	wants    wanted          // the kind of thing that is asked for
	must     []string        // must stand in the sentence itself
	direct   func(line) bool // a sentence that says by itself how two compare
	compares *comparison     // asks how two things compare
	more     bool            // all that answers, not only what comes near the best

	attr           *attribute // the property whose value is asked for
	earlier, later bool       // asks for the one before, or after
	made, madeOf   bool       // asks for the making, or the material, of a thing
	active         bool       // asks who did something, in a language where every noun has a capital
	didSelf        bool       // asks when, where or why somebody named did something
	whichDone      bool       // asks which things somebody did something to
	whatDone       bool       // asks what somebody does, by a verb at its end
	doneBy         bool       // asks who did something
	inUnit         string     // the span that a figure is asked for
	shares         bool       // asks for a share
	eachAsked      bool       // asks for a figure of each one, or on average
	which          string     // the class of "which …"
}

// term is one word of content, by its class.
type term struct {
	kin    string
	weight float64
}

// Weights of a question's words in the look for an answer.
const (
	broadWord = .4
	rareWord  = 2 // a word that none of the passages at hand knows
)

// mostTerms bounds the work for a message that is a whole document.
const mostTerms = 64

// mostParts is how many questions of one message are looked for.
const mostParts = 3

// newQuery reads a message. Where it holds sentences that are questions, those
// are what is asked: the rest leads up to them.
func newQuery(text string) query {
	text = strings.TrimSpace(withoutInstruction(text))
	var parts []query
	all := sentences(text)
	if len(all) > 1 {
		for _, s := range all {
			if !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "？") {
				continue
			}
			if q := readQuery(s); strong(q.terms)+len(q.names) > 0 && len(parts) < mostParts {
				parts = append(parts, q)
			}
		}
	}
	switch len(parts) {
	case 0:
		return readQuery(text)
	case 1:
		return parts[0]
	}
	q := readQuery(text)
	q.parts = parts
	return q
}

// strong counts the words that stand for something in particular.
func strong(ts []term) (n int) {
	for _, t := range ts {
		if t.weight >= 1 && !broad[t.kin] {
			n++
		}
	}
	return n
}

func readQuery(text string) query { return readQueryIn(languageOf(text), text) }

func readQueryIn(lang, text string) query {
	q := query{text: text, asks: askingOf(text), lang: lang}
	low := fold(text)
	q.closed = q.asks == asksYesNo && !contains(low, "or")
	q.whole = q.asks == asksAmount && ofWhole.MatchString(low)
	q.you = youDo.MatchString(low)
	ws := words(phrased(withoutAsking(q.lang, text)))
	q.words = ws[:min(len(ws), 2*mostTerms)]
	q.wants = wantedOf(q.lang, low, q.asks, q.words)
	q.point(low)
	named := properNames(ws, q.lang)
	seen := map[string]bool{}
	verb := -1
	if q.asks == asksHow {
		verb = mainVerb(ws)
	}
	for i, w := range ws {
		if negations[w.text] || strings.HasSuffix(w.text, "n't") {
			q.negated = true
			continue
		}
		if d := trend[w.text]; d != 0 && !q.turns {
			if q.turns = q.rising == -d; q.turns { // "Did it rise or fall?"
				q.rising = 0
			} else {
				q.rising = d
			}
		}
		month := w.text == "may" && w.proper
		if !month && (stopwords[strings.TrimSuffix(w.text, "'s")] && w.text != "own" || w.stop && !w.proper && w.text != "own" || foreignStops[q.lang][w.text]) {
			continue
		}
		if q.attr != nil && q.attr.words[w.text] {
			continue // what is asked for, and need not stand in the answer
		}
		k := kinIn(q.lang, w)
		if seen[k] || len(seen) == mostTerms {
			continue
		}
		seen[k] = true
		if isYear(w.text) {
			q.years = append(q.years, w.text)
			continue
		}
		if w.number || named[i] || month || countryNames[w.text] != "" && w.text != "us" {
			q.names = append(q.names, k)
			q.hints = append(q.hints, w.text)
			continue
		}
		v := 1.0
		switch {
		case i == verb, modifiers[w.text] && i+1 < len(ws) && !ws[i+1].stop && !broad[ws[i+1].text] && !strings.HasSuffix(ws[i+1].text, "ed"):
		case broad[w.text] || broad[w.stem] || weakWords[w.stem]:
			v = broadWord
		}
		q.terms = append(q.terms, term{k, v})
		q.hints = append(q.hints, w.text)
	}
	q.told = readToldIn(q.lang, text)
	q.compares = compared(q.lang, text)
	if weightOf(q.terms) < 1 { // nothing but broad words: they are all there is
		for i := range q.terms {
			q.terms[i].weight = 1
		}
	}
	return q
}

func weightOf(ts []term) (sum float64) {
	for _, t := range ts {
		sum += t.weight
	}
	return sum
}

// empty reports a question without content.
func (q query) empty() bool { return len(q.terms) == 0 && len(q.names) == 0 && len(q.years) == 0 }

// properNames tells which words are names by their capital. Where nouns have
// one, or all words, a capital tells nothing.
func properNames(ws []word, lang string) map[int]bool {
	out := map[int]bool{}
	if lang == langDE {
		return out
	}
	content := 0
	for i, w := range ws {
		if w.stop {
			continue
		}
		content++
		if w.proper {
			out[i] = true
		}
	}
	if content > 2 && titled(ws) {
		return map[int]bool{}
	}
	return out
}

// titled reports a text in which all words have a capital, as titles have: one that
// has none shows that a capital tells a name.
func titled(ws []word) bool {
	for i, w := range ws {
		if i > 0 && !w.proper && !w.number {
			return false
		}
	}
	return true
}

// mainVerb is the word after the one that "how do you" speaks of.
func mainVerb(ws []word) int {
	for i := 0; i+1 < len(ws); i++ {
		switch ws[i].text {
		case "you", "i", "we", "they", "people", "to", "one":
			return i + 1
		}
	}
	return -1
}

func isYear(w string) bool {
	if len(w) != 4 {
		return false
	}
	for _, r := range w {
		if !unicode.IsDigit(r) || r > '9' {
			return false
		}
	}
	return strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20")
}
