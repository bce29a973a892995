package answer

import (
	"strings"

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
