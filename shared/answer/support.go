package answer

import (
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// verdict is what came of holding a sentence against what it claims to rest on.
type verdict int

const (
	held      verdict = iota
	foreign           // its figures and names stand there, its words are of another language
	loose             // too little of it stands there, or a name that does not, or the other way round
	misquotes         // words in quotation marks that stand nowhere there
	miscounts         // a figure that stands nowhere there
)

// leastHeld is the share of a sentence's words of content that must stand in at
// most two sentences of what it rests on (one more for each further source). The
// table of TestSupportIsMeasured gives it: true paraphrases begin at it, and what
// inventions borrow ends below.
const leastHeld = .6

// ground is a text as sentences are held against it.
type ground struct {
	sentences []map[string]bool // stems of each
	clauses   []clause
	words     map[string]bool // folded, and their stems
	figures   map[string]bool
	quotable  given
}

type clause struct {
	stems   map[string]bool
	negated bool
}

func groundOf(texts ...string) *ground {
	g := &ground{words: map[string]bool{}, figures: map[string]bool{}, quotable: given{texts: texts}}
	for _, t := range texts {
		for _, s := range sentencesOf(t) {
			g.sentences = append(g.sentences, stemsOf(s))
			for _, c := range clauseEnd.Split(s, -1) {
				g.clauses = append(g.clauses, clause{stemsOf(c), negation.MatchString(c)})
			}
		}
		words.Each(t, func(w []byte) {
			g.words[string(w)], g.words[words.Stem(string(w))] = true, true
		})
		for _, n := range figuresIn(t) {
			g.figures[n] = true
		}
	}
	return g
}

var (
	clauseEnd = expression.Of(`[,;:()–—]|\b(?:but|aber|mais|pero)\b`)
	negation  = expression.Of(`(?i)\b(?:not|no|never|none|nobody|nothing|neither|nor|without|cannot|nicht|kein\w*|nie|niemals|ohne|pas|jamais|aucune?|sans|nunca|sin|değil|yok)\b|n['’]t\b|[不没沒無]|ない|ません|않|없|لا |ليس|لم `)
	particle  = expression.Of(`(?i)^\s*(?:(yes|yeah|yep|indeed|certainly|of course|ja|oui|sí|si|evet)|(no|nope|nein|non|hayır))\b[\s,.!:;–—-]*`)
	asIs      = expression.Of(`^[\s]*(?:是的?|对|はい|네|예|نعم)[\s，,。.!！、]*$`)
)

// claim is what a sentence says, taken apart.
type claim struct {
	text    string
	content map[string]bool
	names   []string // folded
	opener  string   // its first word, if that may be a name
	figures []string
	about   bool // roundly: "about", "nearly"
	negated bool // what it says most of
	denies  bool // anything
}

// claimOf takes a sentence apart. A bare yes or no says what was asked.
func claimOf(sentence, asked string) claim {
	body := sentence
	denied, answers := false, false
	if m := particle.FindStringSubmatchIndex(sentence); m != nil {
		body, answers, denied = sentence[m[1]:], true, m[4] >= 0
	} else if asIs.MatchString(sentence) {
		body, answers = "", true
	}
	c := claim{text: sentence, content: stemsOf(body), figures: figuresIn(body), about: roundly.MatchString(body), denies: denied || negation.MatchString(body)}
	c.names, c.opener = namesIn(body)
	most := 0
	for _, part := range clauseEnd.Split(body, -1) {
		if n := len(stemsOf(part)); n >= most && n > 0 {
			c.negated = n == most && c.negated || negation.MatchString(part)
			most = n
		}
	}
	if answers && (len(c.content) == 0 || !denied) || len(c.content) == 0 && len(c.names)+len(c.figures) == 0 && !filler.MatchString(sentence) {
		for w := range stemsOf(asked) {
			c.content[w] = true
		}
		names, _ := namesIn(asked)
		c.names = append(c.names, names...)
		c.figures = append(c.figures, figuresIn(asked)...)
		c.negated = c.negated || denied
	}
	return c
}

// filler is what only leads over.
var filler = expression.Of(`(?i)\b(?:view|record|know|say|tell|well|thank\w*|sorry|hello|hi|welcome)\b`)

func (c claim) empty() bool { return len(c.content)+len(c.names)+len(c.figures) == 0 }

// heldBy holds a claim against what it rests on. A figure of the question may be
// repeated where a figure of the sources answers it, or to deny it.
func (c claim) heldBy(grounds []*ground, asked string, own ...string) verdict {
	if len(grounds) == 0 {
		return loose
	}
	for _, n := range c.figures {
		if !anyHolds(grounds, n, c.about) && !(contains(figuresIn(asked), n) && (c.denies || c.answersWithAnother(grounds, asked))) {
			return miscounts
		}
	}
	for _, q := range quotes.FindAllString(c.text, -1) {
		inner := strings.Trim(q, "\"“”„«»")
		if len(strings.Fields(inner)) < 3 {
			continue
		}
		found := false
		for _, g := range grounds {
			found = found || g.quotable.quotes(inner)
		}
		if !found {
			return misquotes
		}
	}
	ours := groundOf(own...)
	named := c.names
	if c.opener != "" {
		named = append([]string{c.opener}, named...)
	}
	for _, n := range named {
		ok := ours.words[n]
		for _, g := range grounds {
			ok = ok || g.words[n] || g.words[words.Stem(n)]
		}
		if !ok {
			return loose
		}
	}
	share, negated, plain := c.share(grounds)
	if share < leastHeld && c.foreign(grounds) {
		return foreign
	}
	if share < leastHeld {
		return loose
	}
	// What hangs on a true sentence must not be made up either.
	for _, part := range clauseEnd.Split(c.text, -1) {
		said := claim{content: stemsOf(part)}
		if n, _, _ := said.share(grounds); len(said.content) >= 2 && n == 0 {
			return loose
		}
	}
	if len(c.content) > 0 && (c.negated && !negated || !c.negated && !plain) {
		return loose
	}
	return held
}

func (c claim) answersWithAnother(grounds []*ground, asked string) bool {
	for _, n := range c.figures {
		if !contains(figuresIn(asked), n) && anyHolds(grounds, n, c.about) {
			return true
		}
	}
	return false
}

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}

// share gives how much of the claim's content the fullest few sentences hold, and
// whether the clauses that hold most of it are negated, or plain, or both.
func (c claim) share(grounds []*ground) (share float64, negated, plain bool) {
	if len(c.content) == 0 {
		return 1, true, true
	}
	left := map[string]bool{}
	for w := range c.content {
		left[w] = true
	}
	for range 1 + len(grounds) {
		var best []string
		for _, g := range grounds {
			for _, s := range g.sentences {
				var hit []string
				for w := range left {
					if near(w, s) {
						hit = append(hit, w)
					}
				}
				if len(hit) > len(best) {
					best = hit
				}
			}
		}
		for _, w := range best {
			delete(left, w)
		}
	}
	most := 0
	for _, g := range grounds {
		for _, cl := range g.clauses {
			n := 0
			for w := range c.content {
				if near(w, cl.stems) {
					n++
				}
			}
			if n > most {
				most, negated, plain = n, false, false
			}
			if n == most && n > 0 {
				negated, plain = negated || cl.negated, plain || !cl.negated
			}
		}
	}
	return 1 - float64(len(left))/float64(len(c.content)), negated, plain
}

// contributes tells whether a ground holds anything of a claim.
func (c claim) contributes(g *ground) bool {
	for w := range c.content {
		for _, s := range g.sentences {
			if near(w, s) {
				return true
			}
		}
	}
	for _, n := range c.figures {
		if g.figures[n] {
			return true
		}
	}
	return len(c.content)+len(c.figures) == 0
}

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

var (
	everyday = expression.Of(`(?:ing|ly|ed|s|er|est|ion|ment|ity)$`)
)

// figuresIn are the figures of a text, those in words too: "two million" is
// 2000000, "83.412" also 83412.
func figuresIn(text string) []string {
	var out []string
	for _, n := range numbers(spelt(text)) {
		if grouped.MatchString(n) {
			n = strings.ReplaceAll(n, ".", "")
		}
		out = append(out, n)
	}
	return out
}

var (
	grouped   = expression.Of(`^\d{1,3}(?:\.\d{3})+$`)
	roundly   = expression.Of(`(?i)\b(?:about|around|roughly|nearly|almost|over|more than|some|approximately|just under|close to|rund|etwa|fast|knapp|über|environ|presque|casi|unos|yaklaşık)\b|~`)
	inHundred = expression.Of(`(?i)\b(?:in|out of|of) (?:a|one|every|each) (?:hundred|100)\b`)
	ofScale   = expression.Of(`(?i)(\d+(?:[.,]\d+)?)[\s-]*(thousand|million|billion|tausend|millionen|milliarden|millions?|milliards?|millones|milyon)\b`)
)

// anyHolds tells whether a figure stands in one of the grounds; one that is given
// roundly may differ by a twentieth from what stands there.
func anyHolds(grounds []*ground, n string, about bool) bool {
	for _, g := range grounds {
		if g.figures[n] {
			return true
		}
		if !about {
			continue
		}
		v, err := strconv.ParseFloat(n, 64)
		if err != nil || !strings.HasSuffix(n, "0") {
			continue
		}
		for f := range g.figures {
			if x, err := strconv.ParseFloat(f, 64); err == nil && math.Abs(x-v) <= v/20 {
				return true
			}
		}
	}
	return false
}

var numberWord = map[string]float64{
	"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13,
	"fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9,
	"hundreds": 100, "thousands": 1e3, "millions": 1e6, "billions": 1e9,
	"zwei": 2, "drei": 3, "vier": 4, "fünf": 5, "sechs": 6, "sieben": 7, "acht": 8, "neun": 9, "zehn": 10, "zwölf": 12, "zwanzig": 20, "dreißig": 30, "hundert": 100, "tausend": 1e3,
	"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "sept": 7, "huit": 8, "neuf": 9, "dix": 10, "vingt": 20, "trente": 30, "mille": 1e3,
	"dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6, "siete": 7, "ocho": 8, "nueve": 9, "diez": 10, "veinte": 20, "treinta": 30, "cien": 100, "mil": 1e3,
}

var numberRun = expression.Of(`(?i)[\p{L}]+(?:(?:[ -]|\s+and\s+)[\p{L}]+)*`)

// spelt writes figures in words as figures.
func spelt(text string) string {
	text = inHundred.ReplaceAllString(text, "percent")
	text = ofScale.ReplaceAllStringFunc(text, func(m string) string {
		p := ofScale.FindStringSubmatch(m)
		v, err := strconv.ParseFloat(strings.Replace(p[1], ",", ".", 1), 64)
		if err != nil {
			return m
		}
		scale := 1e6
		switch l := strings.ToLower(p[2]); {
		case strings.HasPrefix(l, "t"):
			scale = 1e3
		case strings.HasPrefix(l, "b"), strings.HasPrefix(l, "millia"):
			scale = 1e9
		}
		return strconv.FormatFloat(v*scale, 'f', -1, 64)
	})
	return numberRun.ReplaceAllStringFunc(text, speltRun)
}

func speltRun(run string) string {
	var out []string
	sum, part, in, and := 0.0, 0.0, false, false
	flush := func() {
		if in {
			out = append(out, strconv.FormatFloat(sum+part, 'f', -1, 64))
		}
		if and {
			out = append(out, "and")
		}
		sum, part, in, and = 0, 0, false, false
	}
	tokens := strings.FieldsFunc(run, func(r rune) bool { return r == '-' || unicode.IsSpace(r) })
	changed := false
	for _, w := range tokens {
		low := strings.ToLower(w)
		v := numberWord[low]
		if low == "one" && in && part >= 20 && math.Mod(part, 10) == 0 {
			v = 1 // alone it is no figure
		}
		switch {
		case v >= 1e3:
			sum, part = sum+max(part, 1)*v, 0
		case v == 100 || v == 12 && low == "dozen":
			part = max(part, 1) * v
		case v > 0:
			if in && !(v < 10 && math.Mod(part, 100) >= 20 && math.Mod(part, 10) == 0) && part != 0 && math.Mod(part, 100) != 0 {
				flush() // "two three" are two figures
			}
			part += v
		case low == "and" && in && !and:
			and = true
			continue
		default:
			flush()
			out = append(out, w)
			continue
		}
		in, and, changed = true, false, true
	}
	flush()
	if !changed {
		return run
	}
	return strings.Join(out, " ")
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
