package answer

import (
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// tongues are small words by which a language is known, where it is plainly one.
var tongues = []struct {
	name  string
	words *expression.Expression
}{
	{"en", expression.Of(`(?i)\b(?:the|is|are|of|and|to|it|they|was|were|i'm|my|that|this|for|on|with|at|by|have|has|you)\b`)},
	{"de", expression.Of(`(?i)\b(?:der|die|das|und|ist|ein|eine|einen|nicht|ich|sie|den|dem|mit|auf|von|zu|im|sind|habe|haben|wird|wurde|es)\b`)},
	{"fr", expression.Of(`(?i)\b(?:le|la|les|et|est|un|une|des|du|dans|pour|je|il|elle|sont|pas|ne|que|qui|avec|sur|au)\b`)},
	{"es", expression.Of(`(?i)\b(?:el|los|las|y|es|una|del|en|para|por|yo|con|que|son|está|su|al)\b`)},
	{"tr", expression.Of(`(?i)\b(?:ve|bir|bu|için|ile|çok|değil|ben|da|de|olarak|var|yok)\b`)},
}

// tongue is the language of a text, "" where it is not plainly one.
func tongue(text string) string {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			return "ja"
		case unicode.Is(unicode.Hangul, r):
			return "ko"
		case unicode.Is(unicode.Arabic, r):
			return "ar"
		case unicode.Is(unicode.Cyrillic, r):
			return "cyrillic"
		}
	}
	best, most, tie := "", 0, false
	for _, t := range tongues {
		switch n := len(t.words.FindAllString(text, -1)); {
		case n > most:
			best, most, tie = t.name, n, false
		case n == most && n > 0:
			tie = true
		}
	}
	if tie {
		return ""
	}
	if best == "" {
		for _, r := range text {
			if unicode.Is(unicode.Han, r) {
				return "zh"
			}
		}
	}
	return best
}

func german(text string) bool { return tongue(text) == "de" }

// leastTold is from how many bytes on a source's language is told.
const leastTold = 30

// foreign tells of a claim that it is plainly in another language than all that it
// is held against, so that words cannot be compared.
func (c claim) foreign(grounds []*ground) bool {
	own := tongue(c.text)
	if own == "" {
		return false
	}
	for _, t := range tongues { // one small word may be of any
		if t.name == own && len(t.words.FindAllString(c.text, 2)) < 2 {
			return false
		}
	}
	compared := false
	for _, g := range grounds {
		for _, t := range g.quotable.texts {
			if len(t) < leastTold {
				continue
			}
			if of := tongue(t); of == "" || of == own {
				return false
			}
			compared = true
		}
	}
	return compared
}
