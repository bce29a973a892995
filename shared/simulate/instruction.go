package simulate

import (
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Instructions tell how to answer and say nothing of what is asked: "(select all
// that apply)", "on a scale of 1 to 5". A question is compared without them.
var (
	instructHead = `(^|[.?!:;,(\[]\s*|\s[-–—]\s*)`
	selectAll    = expression.Of(`(?i)` + instructHead + `(?:please\s+|bitte\s+)?(?:` +
		`(?:(?:select|choose|check|tick|mark|pick)\s+)?(?:all|any|as many)\s+(?:(?:of\s+)?(?:the\s+|these\s+)?(?:options|answers|items|ones|following|boxes)\s+)?(?:that|which|as)\s+(?:apply|applies|you (?:like|want|wish)|fit)(?:\s+to\s+you)?` +
		`|multiple (?:answers|choices|selections|options)(?:\s+(?:are\s+)?(?:possible|allowed|permitted))?` +
		`|more than one answer(?:\s+is)?(?:\s+(?:possible|allowed|permitted))` +
		`|you (?:may|can) (?:select|choose|pick|give) (?:more than one|several|multiple)(?:\s+(?:answers?|options?))?` +
		`|(?:marque|seleccione) todas las que (?:correspondan|apliquen)` +
		`|plusieurs réponses possibles|cochez toutes les (?:cases|réponses) qui s'appliquent` +
		`|mehrfachnennung(?:en)? möglich|mehrere antworten möglich|alle zutreffenden (?:auswählen|ankreuzen)` +
		`)\s*(?:[)\].;!]+|$|:|\s)`)

	pairOf     = `-?\d{1,3}\s*(?:to|through|-|–|—|\.\.|and|a|à|bis|y|et|und)\s*-?\d{1,3}`
	anchors    = `(?:,?\s*(?:where|with)\s+-?\d{1,3}\s*(?:is|means|being|meaning|=)\s+[^,.?!;]{1,60}?(?:\s*,)?\s*(?:and|,)\s*-?\d{1,3}\s*(?:is|means|being|meaning|=)\s+[^,.?!;)]{1,60})?`
	scalePair  = expression.Of(`(?i)[(\[]\s*(?:please\s+)?(?:rate\s+)?(?:on\s+)?(?:an?\s+)?(?:scale\s*(?:of|from|:)?\s*)?(?:from\s+)?(` + pairOf + `)(?:\s*-?\s*(?:points?|scale|rating))*` + anchors + `\s*[)\]]`)
	scaleEnds  = expression.Of(`(?i)[(\[]\s*-?\d{1,3}\s*(?:=|:|is\b|means\b)[^()\[\]]{2,60}[,;][^()\[\]]{2,160}[)\]]`)
	scaleWords = expression.Of(`(?i),?\s*(?:\b(?:please\s+)?(?:rate|answer|score|respond)(?:\s+(?:it|this|that|them|your answer))?\s+)?(?:\b(?:using|on|with|in|en|sur|auf|over)\s+)?\b(?:(?:an?|the|this|una|une|einer)\s+)?(?:(?:scale|escala|échelle|skala)\s*(?:of|from|:|de|del|von)?\s*(?:from\s+)?(?:` + pairOf + `)|(?:` + pairOf + `)(?:\s*-?\s*points?)?\s+(?:rating\s+)?scale)\b(?:\s*\([^()]*\d\s*=[^()]*\))?` + anchors)
	scaleFrom  = expression.Of(`(?i),?\s*\b(?:please\s+)?(?:rate|score)(?:\s+(?:it|this|that|them))?\s+(?:from|between)\s+(?:` + pairOf + `)\b` + anchors)

	// "How satisfied are you, from 1 to 5?", "… bank? 1-5": at the end, beside a word of rating
	scaleTail = expression.Of(`(?i),?\s+(?:from\s+)?` + pairOf + `\s*[?.]?\s*$`)
	ratingCue = expression.Of(`(?i)\b(?:satisf|likely|rate\b|agree|recommend|importan|confiden|comfortabl)`)

	gapBefore = expression.Of(`\s+([?.!,;:)])`)
	doubled   = expression.Of(`([?!.:;,])[.,;:]+`)
)

// withoutInstruction leaves the instructions out of a question; a text that holds
// nothing else is given back as it is.
func withoutInstruction(text string) string {
	if !strings.ContainsAny(text, "0123456789") && !mayInstruct(text) {
		return text
	}
	t := selectAll.ReplaceAllStringFunc(text, func(s string) string {
		keep := ""
		if i := strings.IndexAny(s, ".?!:"); i == 0 {
			keep = s[:1]
		}
		if strings.HasSuffix(strings.TrimSpace(s), ":") && keep == "" {
			keep = ":"
		}
		return keep + " "
	})
	for _, re := range []*expression.Expression{scalePair, scaleEnds, scaleWords, scaleFrom} {
		t = re.ReplaceAllStringFunc(t, func(s string) string {
			if re == scalePair && !fromOne(s) {
				return s // "(18-24)" is a group of people
			}
			return " "
		})
	}
	if at := scaleTail.FindStringIndex(t); at != nil && ratingCue.MatchString(t) && fromOne(t[at[0]:]) {
		t = t[:at[0]]
	}
	if t == text {
		return text
	}
	t = gapBefore.ReplaceAllString(strings.Join(strings.Fields(t), " "), "$1")
	t = doubled.ReplaceAllString(t, "$1")
	t = strings.TrimSpace(strings.TrimRight(strings.TrimLeft(t, " .,:;-–—)"), " ,:;-–—("))
	if len(words(t)) == 0 {
		return text
	}
	return t
}

var instructCue = expression.Of(`(?i)appl|multiple|more than one|several|todas las|réponses|mehr|zutreffend|as many`)

func mayInstruct(text string) bool { return instructCue.MatchString(text) }

var firstNumber = expression.Of(`-?\d{1,3}`)

// fromOne reports a pair of numbers that starts as scales do, at 1 or below, or
// runs down to it.
func fromOne(s string) bool {
	nums := firstNumber.FindAllString(s, 2)
	if len(nums) < 2 {
		return false
	}
	a, _ := strconv.Atoi(nums[0])
	b, _ := strconv.Atoi(strings.TrimPrefix(nums[1], "-")) // "1-5" is no minus
	return min(a, b) <= 1
}

var pointForm = expression.Of(`^\s*(-?\d{1,3})\s*(?:[-–—=:.)(]+\s*(\D.*?)\)?)?\s*$`)

// pointsOf reads labels as the points of a scale: whole numbers in a row, three
// at least, each with or without a text ("1 - Very dissatisfied"). Answers
// outside the scale may stand beside them.
func pointsOf(labels []string) (lo, hi int, texts map[int]string, ok bool) {
	seen := map[int]bool{}
	for i, l := range readLabels(labels) {
		if l.outside {
			continue
		}
		m := pointForm.FindStringSubmatch(labels[i])
		if m == nil {
			return 0, 0, nil, false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil || seen[n] {
			return 0, 0, nil, false
		}
		if len(seen) == 0 {
			lo, hi = n, n
		}
		lo, hi, seen[n] = min(lo, n), max(hi, n), true
		if m[2] != "" {
			if texts == nil {
				texts = map[int]string{}
			}
			texts[n] = strings.TrimSpace(m[2])
		}
	}
	return lo, hi, texts, len(seen) >= 3 && hi-lo+1 == len(seen) && lo >= -100 && hi <= 100
}

// endsRun is +1 when the named ends of a scale run from low to high, -1 when they
// run down ("1 = very satisfied"), 0 when that cannot be told.
func endsRun(texts map[int]string, lo, hi int) int {
	a, b := texts[lo], texts[hi]
	if a == "" || b == "" {
		return 0
	}
	return direction(readLabels([]string{a, b}))
}

// opposed reports an asked scale whose numbers run against the published ones. A
// source that names no ends is taken to run upwards, as nearly all do.
func (p *prepared) opposed(c *compiled) bool {
	if p.q.Type != Scale {
		return false
	}
	texts := make([]string, len(c.Options))
	for i, o := range c.Options {
		texts[i] = o.Label
	}
	lo, hi, named, ok := pointsOf(texts)
	if !ok { // words: the ends that are named must run as the numbers do
		run := endsRun(p.q.ScaleLabels, p.q.Min, p.q.Max)
		return run != 0 && (run < 0) != p.q.TopLow
	}
	asked, published := endsRun(p.q.ScaleLabels, p.q.Min, p.q.Max), endsRun(named, lo, hi)
	if asked == 0 {
		return false
	}
	if published == 0 {
		published = 1
	}
	return asked != published
}
