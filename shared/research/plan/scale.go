package plan

import (
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

type scale struct {
	min, max int
	labels   map[int]string
}

// maxSpan is the widest scale of the contract, -100 to 100.
const maxSpan = 200

var (
	// "on a scale of 1 to 5", "scale from 0-10", "de 1 a 5", "sur une échelle de 1 à 10", "von 1 bis 5"
	scaleWords = expression.Of(`(?i)(?:\bscales?\s*(?:of|from|:|\()?\s*|\b(?:escala|escale)\s*(?:de|del|entre)?\s*|(?:é|e)chelle\s*(?:de|allant de)?\s*|\bskala\s*(?:von|:)?\s*|\b(?:rate|score|rating|punt[uú]a\w*|valora\w*|califica\w*|not(?:e|ez)|bewert\w+)\b[^.?!]{0,120}?\b(?:from|of|between|de|von|entre)\s+)(?:the\s+)?(-?\d{1,3})\s*(?:to|through|-|–|—|\.\.|a|al|à|bis|and|y|et|und)\s*(-?\d{1,3})\b`)
	// "(1-10)", "[0 to 10]", "1-5"
	bracketed = expression.Of(`[(\[]\s*(-?\d{1,3})\s*(?:to|-|–|—|\.\.|a|à|bis)\s*(-?\d{1,3})\b`)
	plainPair = expression.Of(`(?i)(?:^|[\s,])(\d{1,3})\s*(?:-|–|to|al?|à|bis)\s*(\d{1,3})(?:[\s,.?!:;]|$)`)
	rateCue   = expression.Of(`(?i)\b(?:rate|rating|rated|scale|score|likely|likelihood|satisf\w*|agree|recommend|points?|escala|punt[uú]a\w*|valora\w*|califica\w*|probable|not(?:e|ez)|échelle|bewert\w*|skala|wahrscheinlich|important|confident|comfortable|recomend\w*|recommand\w*|empfehl\w*|weiterempfehl\w*|zufrieden\w*)\b`)
	// "from 1 (not at all) to 5 (extremely)", "1 very difficult to 7 very easy"
	worded = expression.Of(`(?i)(?:^|[\s(\[])(-?\d{1,3})\s*[(,]?\s*([\p{L}][\p{L}' ]{2,40}?)\)?\s*,?\s+(?:to|through|and|bis|und|à|et|a|y)\s+(-?\d{1,3})\s*[(,]?\s*([\p{L}][\p{L}' ]{2,40}?)\s*(?:[)\],.?!]|$)`)
	// "(1 = strongly disagree, 5 = strongly agree)": the ends of a scale, named
	ends = expression.Of(`(?i)[(\[]\s*(-?\d{1,3})\s*(?:=|:|is\b|means\b)\s*[^,;()\[\]=]{2,60}[,;]\s*(?:and\s+)?(-?\d{1,3})\s*(?:=|:|is\b|means\b)\s*[^,;()\[\]=]{2,60}[)\]]`)
	// "1 = not at all", "10 means very likely", "where 1 is poor and 5 is excellent"
	pointText = expression.Of(`(?i)(?:^|[\s(,;])(-?\d{1,3})\s*(?:=|:|is\b|being\b|means\b|meaning\b|es\b|ist\b)\s*['"“]?`)
	ageTalk   = expression.Of(`(?i)\b(?:aged?|ages|years?|year-olds?|hours?|minutes?|days?|weeks?|months?|people|percent|employees|times)\b`)
)

// readScale finds a numeric scale. Two numbers alone are none: "18-29" is a
// scale only beside a word of rating, and not where the text speaks of ages.
func readScale(text string) (scale, bool) {
	if m := scaleWords.FindStringSubmatch(text); m != nil {
		if s, ok := newScale(text, m[1], m[2]); ok {
			return s, true
		}
	}
	if m := ends.FindStringSubmatch(text); m != nil {
		if s, ok := newScale(text, m[1], m[2]); ok && s.max-s.min >= 2 && s.min >= -10 && s.min <= 1 {
			return s, true
		}
	}
	if m := worded.FindStringSubmatch(text); m != nil && !ageTalk.MatchString(m[2]+" "+m[4]) {
		if s, ok := newScale("", m[1], m[3]); ok && s.max-s.min >= 2 && s.min <= 1 {
			a, _ := strconv.Atoi(m[1])
			b, _ := strconv.Atoi(m[3])
			s.labels = map[int]string{a: strings.TrimSpace(m[2]), b: strings.TrimSpace(m[4])}
			return s, true
		}
	}
	if !rateCue.MatchString(text) {
		return scale{}, false
	}
	if m := bracketed.FindStringSubmatch(text); m != nil {
		if s, ok := newScale(text, m[1], m[2]); ok {
			return s, true
		}
	}
	if m := plainPair.FindStringSubmatch(text); m != nil && !ageTalk.MatchString(text) {
		if s, ok := newScale(text, m[1], m[2]); ok && s.min <= 1 && s.max <= 100 {
			return s, true
		}
	}
	return scale{}, false
}

func newScale(text, a, b string) (scale, bool) {
	lo, err1 := strconv.Atoi(a)
	hi, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || lo == hi {
		return scale{}, false
	}
	if lo > hi { // "from 5 to 1" is the same scale
		lo, hi = hi, lo
	}
	if lo < -100 || hi > 100 || hi-lo > maxSpan {
		return scale{}, false
	}
	s := scale{min: lo, max: hi}
	at := pointText.FindAllStringSubmatchIndex(text, 12)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		n, err := strconv.Atoi(text[m[2]:m[3]])
		t := text[m[1]:end]
		if j := strings.IndexAny(t, ",;()\"”=?\n"); j >= 0 {
			t = t[:j]
		}
		t = strings.TrimSuffix(strings.TrimSpace(t), " and")
		t = strings.Trim(t, ".!' ")
		if err != nil || n < lo || n > hi || t == "" || len(t) > 60 {
			continue
		}
		if s.labels == nil {
			s.labels = map[int]string{}
		}
		if _, ok := s.labels[n]; !ok {
			s.labels[n] = t
		}
	}
	return s, true
}
