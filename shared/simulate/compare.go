package simulate

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// comparison is a question of which of two has more of something. What answers
// it holds a figure of either, or says of both by itself how they compare.
type comparison struct {
	sides [2]side
	words *expression.Expression // the comparative, as a sentence may have it
	lang  string                 // of a question whose sides' own are not known
	reads bool                   // the sides' own questions are known (English)
}

// side is one of the two, with the question for its own figure.
type side struct {
	said string
	kin  []string
	asks string
}

// comparatives are English words for more and less of something, with the
// question for its figure: %s is the side.
var comparatives = []struct{ word, asks string }{
	{`lighter|heavier`, "How heavy is %s?"},
	{`older|younger|newer`, "How old is %s?"},
	{`cheaper|dearer|more expensive|less expensive|costlier`, "How much does %s cost?"},
	{`faster|slower|quicker`, "How fast is %s?"},
	{`longer|shorter`, "How long is %s?"},
	{`higher|lower|taller`, "How high is %s?"},
	{`louder|quieter|noisier`, "How loud is %s?"},
	{`bigger|larger|smaller|greater`, "How large is %s?"},
	{`wider|narrower|broader`, "How wide is %s?"},
}

var (
	// "Did Central or Northfield have more loans?"
	eitherHas = expression.Of(`(?i)^(?:(?:which|who|what) (?:has|had|have|got|made|sold|lent|gave)?\s*(?:more|fewer|less) ([^,:?]{2,60})[,:] (?:the )?([^,?]{1,50}?),? or (?:the )?([^,?]{1,50}?)|(?:did|does|do|has|have|had|is|are|was|were) (?:the )?([^,?]{1,50}?) or (?:the )?([^,?]{1,50}?) (?:have|has|had|get|got|make|made|sell|sold|lend|lent|record|recorded|receive|received|count|counted|report|reported)?\s*(?:more|fewer|less) ([^,?]{2,60}?))\s*\?*$`)
	// "Did members borrow more in April or in November?"
	inEither = expression.Of(`(?i)^[^?]{3,120} (more|fewer|less|\pL{2,}er)(?: [^,?]{0,40}?)? (?:in|at|on|during|by|for) (?:the )?([^,? ]{2,40}) or (?:(?:in|at|on|during|by|for) )?(?:the )?([^,?]{2,40}?)\s*\?*$`)
	// "Does Central have more loans than Northfield?"
	hasMore = expression.Of(`(?i)^(?:did|does|do|has|have|had) (?:the )?([^,?]{1,50}?) (?:have|has|had|get|got|make|made|sell|sold|lend|lent|record|recorded|receive|received|count|counted|report|reported)?\s*(?:more|fewer|less) ([^,?]{2,60}?) than (?:the |in |at )?([^,?]{1,50}?)\s*\?*$`)
	// "Is the one lighter than the other?"
	isMore = expression.Of(`(?i)^(?:is|are|was|were) (?:the )?([^,?]{1,60}?) (more expensive|less expensive|\pL+er) than (?:the )?([^,?]{1,60}?)\s*\?*$`)
	// "Which is lighter, the one or the other?"
	whichIs = expression.Of(`(?i)^(?:which|what|who)(?: (?:one|device|model|product|of them|of the two))? (?:is|was|are|were|costs?|runs?|weighs?) (more expensive|less expensive|\pL+er|more|less)(?: of the two)?[,:] (?:the )?([^,?]{1,60}?),? or (?:the )?([^,?]{1,60}?)\s*\?*$`)
	moreFR  = expression.Of(`\b(?:plus|moins) (?:de|d'|\pL+)`)
	// The same elsewhere: a word for more or less, and a word for or.
	elsewhere = map[string]*expression.Expression{
		langDE: expression.Of(`(?:^|\s)(?:mehr|weniger|größer|kleiner|höher|niedriger|teurer|billiger|schneller|langsamer|leichter|schwerer|älter|jünger|länger|kürzer)\b.*?(\pL[\pL\pN-]*)\s+oder\s+(?:der |die |das |den )?(\pL[\pL\pN-]*)|(\pL[\pL\pN-]*)\s+oder\s+(?:der |die |das |den )?(\pL[\pL\pN-]*).*\s(?:mehr|weniger|größer|kleiner|höher|niedriger|teurer|billiger|schneller|langsamer|leichter|schwerer|älter|jünger|länger|kürzer)\b`),
		langFR: expression.Of(`(?:^|\s)(?:plus|moins)\b.*?(\pL[\pL\pN-]*)\s+ou\s+(?:le |la |les |l'|à |au )?(\pL[\pL\pN-]*)|(\pL[\pL\pN-]*)\s+ou\s+(?:le |la |les |l'|à |au )?(\pL[\pL\pN-]*).*\s(?:plus|moins)\b`),
		langES: expression.Of(`(?:^|\s)(?:más|menos|mayor|menor)\s.*?(\pL[\pL\pN-]*)\s+[ou]\s+(?:el |la |los |las )?(\pL[\pL\pN-]*)|(\pL[\pL\pN-]*)\s+[ou]\s+(?:el |la |los |las )?(\pL[\pL\pN-]*).*\s(?:más|menos|mayor|menor)(?:\s|$)`),
		langTR: expression.Of(`(\pL[\pL\pN'-]*)\s+(?:mı|mi|mu|mü)?,?\s*(?:yoksa|ya da|veya)\s+(\pL[\pL\pN'-]*).*\sdaha\s|daha\s.*?(\pL[\pL\pN'-]*)\s+(?:mı|mi|mu|mü)?,?\s*(?:yoksa|ya da|veya)\s+(\pL[\pL\pN'-]*)`),
		langZH: expression.Of(`([\p{Han}\pL\pN]{1,8}?)(?:还是|或)([\p{Han}\pL\pN]{1,8}?)(?:的|有|更|哪|比).*[更多少]`),
		langJA: expression.Of(`([\p{Han}\p{Katakana}ー\pN]{1,10})と([\p{Han}\p{Katakana}ー\pN]{1,10})(?:で|と|の)?.*どちら`),
		langKO: expression.Of(`(\p{Hangul}+?)(?:와|과|이랑|랑)\s*(\p{Hangul}+?)\s*중.*(?:더|많|적)`),
		langAR: expression.Of(`(?:أكثر|أقل|أكبر|أصغر|أعلى|أرخص|أثقل|أخف).*?(\p{Arabic}+)\s+(?:أم|أو)\s+(\p{Arabic}+)|(\p{Arabic}+)\s+(?:أم|أو)\s+(\p{Arabic}+).*(?:أكثر|أقل|أكبر|أصغر|أعلى|أرخص|أثقل|أخف)`),
	}
)

// compared reads a question that compares two things; nil when it is none.
func compared(lang, text string) *comparison {
	t := strings.TrimSpace(text)
	t = strings.NewReplacer("–", "-", "’", "'").Replace(t)
	of := func(a, b, asks string) *comparison {
		c := &comparison{reads: true}
		for i, s := range []string{a, b} {
			s = strings.TrimSpace(s)
			c.sides[i] = side{said: s, kin: contentOf(lang, s), asks: strings.Replace(asks, "%s", s, 1)}
			if len(c.sides[i].kin) == 0 || pronouns[strings.ToLower(s)] || strings.EqualFold(s, "you") {
				return nil
			}
		}
		return c
	}
	if lang == "" || lang == langEN {
		if m := eitherHas.FindStringSubmatch(t); m != nil {
			if m[1] != "" {
				return of(m[2], m[3], "How many "+m[1]+" did %s have?").by("more", "fewer", "less")
			}
			return of(m[4], m[5], "How many "+m[6]+" did %s have?").by("more", "fewer", "less")
		}
		if m := hasMore.FindStringSubmatch(t); m != nil {
			return of(m[1], m[3], "How many "+m[2]+" did %s have?").by("more", "fewer", "less")
		}
		if m := inEither.FindStringSubmatch(t); m != nil {
			c := of(m[2], m[3], "%s").by(strings.ToLower(m[1]))
			if c != nil {
				c.reads = false
			}
			return c
		}
		a, b, word := "", "", ""
		if m := isMore.FindStringSubmatch(t); m != nil {
			a, word, b = m[1], m[2], m[3]
		} else if m := whichIs.FindStringSubmatch(t); m != nil {
			word, a, b = m[1], m[2], m[3]
		}
		for _, c := range comparatives {
			if word != "" && expression.Of(`^(?:`+c.word+`)$`).MatchString(strings.ToLower(word)) {
				return of(a, b, c.asks).by(strings.Split(c.word, "|")...)
			}
		}
	}
	if lang == "" { // too short to show
		switch {
		case strings.Contains(t, " oder "):
			lang = langDE
		case strings.Contains(t, " ou ") && moreFR.MatchString(t):
			lang = langFR
		}
	}
	re := elsewhere[lang]
	if re == nil {
		return nil
	}
	m := re.FindStringSubmatch(fold(t))
	if m == nil {
		return nil
	}
	if m[1] == "" && len(m) > 4 {
		m = append(m[:1:1], m[3], m[4])
	}
	c := &comparison{lang: lang}
	c.sides[0].said, c.sides[1].said = m[1], m[2]
	return c
}

func (c *comparison) by(words ...string) *comparison {
	if c != nil {
		c.words = expression.Of(`\b(?:` + strings.Join(words, "|") + `)\b`)
	}
	return c
}

func contentOf(lang, s string) (out []string) {
	for _, w := range words(phrased(s)) {
		if !w.stop {
			out = append(out, kinIn(lang, w))
		}
	}
	return out
}

// says reports a sentence that speaks of both sides: by a comparative, or with a
// figure for either.
func (c *comparison) says(l line) bool {
	low := fold(l.text)
	for _, s := range c.sides {
		if s.kin == nil && !strings.Contains(low, s.said) {
			return false
		}
		for _, k := range s.kin {
			if !l.has[k] {
				return false
			}
		}
	}
	return c.words != nil && c.words.MatchString(low) || len(digits.FindAllString(spelled.ReplaceAllString(low, "#1"), -1)) > 1
}

// compareFrame are the words of comparing questions in the other languages.
var compareFrame = cue(`mehr|weniger|oder|hatte|hat|gab es|est-ce que|plus|moins|ou|a|eu|más|menos|o|u|tuvo|tiene|daha|çok|az|fazla|mı|mi|mu|mü|yoksa|ya da|veya|hangisi|hangisinin|var`, `还是|或者?|哪个|更多?|更少|的|有|どちら|の|が|は|で|と|より|多い|少ない|ですか|중|더|많은|많습니까|적은|أكثر|أقل|أم|أو|هل|من`)

// spelled is one figure, whatever it is written with.
var spelled = expression.Of(`\pN[\pN.,]*`)

// findSides answers a comparison by a sentence that makes it, or by one for the
// figure of each side; half of it is no answer.
func (o *Offline) findSides(ctx context.Context, r Respondent, q query) ([]found, error) {
	direct := q
	if q.compares.lang != "" { // what compares stands in no sentence that has the figures
		direct = readQueryIn(q.compares.lang, compareFrame.ReplaceAllString(compareFrame.ReplaceAllString(fold(q.text), "  "), "  "))
		direct.asks, direct.closed, direct.wants = asksAny, false, wanted{}
	}
	direct.compares, direct.direct = nil, q.compares.says
	out, err := o.find(ctx, r, direct, 1)
	if err != nil || len(out) > 0 || !q.compares.reads {
		return out, err
	}
	numbers := map[Passage]int{} // of one place, both sides are quoted as one
	for _, s := range q.compares.sides {
		part := readQuery(s.asks)
		part.compares, part.must = nil, s.kin
		hits, err := o.find(ctx, r, part, 1)
		if err != nil || len(hits) == 0 {
			return nil, err
		}
		for _, h := range hits {
			if _, known := numbers[h.passage]; !known {
				numbers[h.passage] = len(numbers)
			}
			h.passageN = numbers[h.passage]
			out = append(out, h)
		}
	}
	out = onceEach(out)
	slices.SortStableFunc(out, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.passageN, b.passageN), cmp.Compare(a.sentence, b.sentence))
	})
	return out, nil
}

// onceEach leaves out what was found for both sides, as a sentence on both is.
func onceEach(all []found) []found {
	seen := map[string]bool{}
	out := all[:0]
	for _, h := range all {
		if !seen[h.text] {
			seen[h.text] = true
			out = append(out, h)
		}
	}
	return out
}
