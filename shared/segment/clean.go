package segment

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	htmlTag    = regexp.MustCompile(`(?i)</?(?:br|p|div|span|b|i|u|em|strong|font|li|ul|ol|a|sup|sub|h[1-6]|img|table|tr|td)(?:\s[^<>]*)?/?>`)
	lostQuote  = regexp.MustCompile(`(\pL)\?(s|t|re|ve|ll|d|m)\b`)
	strayBytes = regexp.MustCompile(`([?!.:)])[^\x00-\x7F\s]{1,3}$`)
)

// Clean gives a label or an answer as its author meant it: markup and entities
// out, control and replacement characters out, an apostrophe that a conversion
// turned into a question mark put back, doubled spaces joined.
func Clean(s string) string {
	if plain(s) {
		return s
	}
	if strings.Contains(s, "<") {
		s = htmlTag.ReplaceAllString(s, " ")
	}
	if strings.Contains(s, "&") {
		s = html.UnescapeString(s)
	}
	if strings.Contains(s, "?") {
		s = lostQuote.ReplaceAllString(s, "$1'$2")
	}
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case unicode.IsSpace(r):
			space = true
			continue
		case r == utf8.RuneError, unicode.IsControl(r), r >= 0x200b && r <= 0x200f, r == 0xfeff, r == 0xad:
			continue
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	return strayBytes.ReplaceAllString(b.String(), "$1")
}

// plain reports text that Clean would not change: the common case, at no cost.
func plain(s string) bool {
	prev := byte(' ')
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < ' ' || c > '~' || c == '<' || c == '&' || c == '?' && i+1 < len(s) || c == ' ' && prev == ' ' {
			return false
		}
		prev = c
	}
	return prev != ' ' || s == ""
}

// folded is the form in which labels are compared: lower case, apostrophes
// alike, runs of space joined.
func folded(s string) string {
	s = strings.ToLower(strings.TrimSpace(s))
	if strings.ContainsRune(s, '’') {
		s = strings.ReplaceAll(s, "’", "'")
	}
	if strings.Contains(s, "  ") {
		s = strings.Join(strings.Fields(s), " ")
	}
	return s
}

// cut shortens to at most n characters, at a word where one ends near.
func cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	r := []rune(s)[:n-1]
	if at := strings.LastIndexByte(string(r), ' '); at > len(string(r))*2/3 {
		return strings.TrimRight(string(r)[:at], " ,;:-") + "…"
	}
	return string(r) + "…"
}

// tokens splits a name into lower-case words: "hhIncome_3" gives hh income.
func tokens(s string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = cur[:0]
		}
	}
	prevLower := false
	for _, r := range s {
		if !unicode.IsLetter(r) && r != '\'' {
			flush()
			prevLower = false
			continue
		}
		if unicode.IsUpper(r) && prevLower {
			flush()
		}
		prevLower = unicode.IsLower(r)
		cur = append(cur, r)
	}
	flush()
	return out
}

func wordCount(s string) int { return len(strings.Fields(s)) }
