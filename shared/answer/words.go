package answer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// tokens are the words of a text that carry content, for telling which sentence of
// a passage a reply rests on: folded, cut to their first six letters, without
// short ones. Scripts without spaces give pairs of characters.
func tokens(text string) map[string]bool {
	out := map[string]bool{}
	var word []rune
	flush := func() {
		if len(word) > 3 || len(word) > 0 && unicode.IsDigit(word[0]) {
			out[string(word[:min(len(word), 6)])] = true
		}
		word = word[:0]
	}
	var last rune
	for _, r := range norm.NFKC.String(strings.ToLower(text)) {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
			flush()
			if last != 0 {
				out[string([]rune{last, r})] = true
			}
			last = r
			continue
		}
		last = 0
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			word = append(word, r)
			continue
		}
		flush()
	}
	flush()
	return out
}

// sentencesOf cuts a text at the ends of sentences and lines. Joined, they are the
// text but for the white space around each.
func sentencesOf(text string) []string {
	var out []string
	from := 0
	add := func(to int) {
		if s := strings.TrimSpace(text[from:to]); s != "" {
			out = append(out, s)
		}
		from = to
	}
	ended := false
	for i, r := range text {
		switch {
		case r == '\n':
			add(i)
			ended = false
		case strings.ContainsRune("。！？", r):
			add(i + len(string(r)))
		case ended && unicode.IsSpace(r):
			add(i)
			ended = false
		case strings.ContainsRune(".!?", r):
			ended = true
		case !strings.ContainsRune(`"'”’)]`, r):
			ended = false
		}
	}
	add(len(text))
	return out
}

// maxQuote bounds the words of a source that one citation gives, in characters.
const maxQuote = 400

// nearest gives the sentence of a passage that says most of what was said,
// verbatim; empty when they share no word.
func nearest(passage, said string) string {
	want := tokens(said)
	best, most := "", 0.0
	for _, s := range sentencesOf(passage) {
		have := tokens(s)
		shared := 0
		for t := range have {
			if want[t] {
				shared++
			}
		}
		if shared == 0 {
			continue
		}
		// Of two sentences with the same words the shorter says it more plainly.
		if score := float64(shared) - float64(len(have))/1000; score > most {
			best, most = s, score
		}
	}
	if len([]rune(best)) > maxQuote {
		return string([]rune(best)[:maxQuote]) // still verbatim
	}
	return best
}

// numbers are the figures of a text, as written but for separators: "1,200" and
// "1 200" are 1200.
func numbers(text string) []string {
	var out []string
	var n []rune
	rs := []rune(norm.NFKC.String(text))
	for i := 0; i <= len(rs); i++ {
		if i < len(rs) && unicode.IsDigit(rs[i]) {
			n = append(n, rs[i])
			continue
		}
		if len(n) == 0 {
			continue
		}
		if i+1 < len(rs) && unicode.IsDigit(rs[i+1]) {
			switch rs[i] {
			case '.', ':':
				n = append(n, '.')
				continue
			case ',', ' ', '’', '\'':
				if thousands(rs[i+1:]) {
					continue
				}
				if rs[i] == ',' {
					n = append(n, '.')
					continue
				}
			}
		}
		out = append(out, string(n))
		n = n[:0]
	}
	return out
}

// thousands reports exactly three digits at the beginning.
func thousands(rs []rune) bool {
	for i := range 3 {
		if i >= len(rs) || !unicode.IsDigit(rs[i]) {
			return false
		}
	}
	return len(rs) == 3 || !unicode.IsDigit(rs[3])
}
