package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clip keeps the first n characters, at a word's end where there is one near.
func clip(text string, n int) string {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text
	}
	i := 0
	for at := range text {
		if i == n {
			text = text[:at]
			break
		}
		i++
	}
	if at := strings.LastIndexFunc(text, unicode.IsSpace); at > len(text)-len(text)/5 {
		text = text[:at]
	}
	return strings.TrimRightFunc(text, unicode.IsSpace) + " …"
}
