package brief

import "unicode"

// letters that one of the languages has and its neighbours lack.
var tellers = map[rune]string{'ß': "de", 'ñ': "es", '¿': "es", 'ğ': "tr", 'ş': "tr", 'ı': "tr", 'œ': "fr", 'ç': "", 'ã': "pt", 'õ': "pt", 'å': "sv", 'ą': "pl", 'ę': "pl", 'ł': "pl", 'ż': "pl", 'ś': "pl", 'ć': "pl", 'ź': "pl", 'ń': "pl"}

// language is that of the text, "" where it is not plain. A brief is often one line
// of names and figures, on which counts of letter groups guess; the words of the
// lexicons tell more.
func (r *reader) language() string {
	toks := r.toks[:min(len(r.toks), matchedTokens)]
	var kana, han, hangul, arabic, latin int
	marks := map[string]int{}
	for i := range toks {
		for _, c := range r.text[toks[i].start:toks[i].end] {
			switch {
			case c < 0x80:
				if unicode.IsLetter(c) {
					latin++
				}
			case unicode.In(c, unicode.Hiragana, unicode.Katakana):
				kana++
			case unicode.Is(unicode.Han, c):
				han++
			case unicode.Is(unicode.Hangul, c):
				hangul++
			case unicode.Is(unicode.Arabic, c):
				arabic++
			case unicode.Is(unicode.Latin, c):
				latin++
				if l := tellers[unicode.ToLower(c)]; l != "" {
					marks[l] += 2
				}
			}
		}
	}
	switch wide := 3 * (kana + han + hangul); {
	case arabic > latin && arabic > wide:
		return "ar"
	case wide > latin && hangul > han+kana:
		return "ko"
	case wide > latin && kana > 0:
		return "ja"
	case wide > latin && han > 0:
		return "zh"
	case latin == 0:
		return ""
	}
	l := known()
	best, top, second := "", 0, 0
	for _, lang := range languages {
		root := l.words[lang]
		score := marks[lang]
		for i := range toks {
			if toks[i].kind != word {
				continue
			}
			fn, other := 0, 0
			(&node{next: root.next, stems: root.stems}).find(toks, i, func(c *concept, _ int) {
				if c.class == "fn" {
					fn = 2
				} else {
					other = 1
				}
			})
			if p := l.peoples[lang]; p != nil && other == 0 {
				p.find(toks, i, func(*concept, int) { other = 1 })
			}
			if _, ok := numeral(lang, toks[i].norm); ok {
				other = 1
			}
			score += max(fn, other)
		}
		if score > top {
			best, top, second = lang, score, top
		} else if score > second {
			second = score
		}
	}
	if top == 0 {
		return ""
	}
	if top == second && top < 2 {
		return ""
	}
	r.unsure = top == second
	return best
}
