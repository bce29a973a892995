package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// plain makes a text that others wrote fit to stand inside a block of data. No
// character is left that opens or closes a block, or looks as if it did: <, > and
// & become entities, their look-alikes too. Invisible characters, with which a
// text can say to a model what no reader sees, go. It is one line, so that nothing
// in it stands where a turn or a block could begin.
func plain(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
			space = b.Len() > 0
			continue
		}
		if hidden(r) {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		switch r {
		case '<', '＜', '﹤', '‹', '\u2329', '\u27e8', '\u3008', '❮', '❰', '˂', '≺', 'ᐸ':
			b.WriteString("&lt;")
		case '>', '＞', '﹥', '›', '\u232a', '\u27e9', '\u3009', '❯', '❱', '˃', '≻', 'ᐳ':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// attribute is plain inside quotation marks.
func attribute(text string) string {
	return strings.NewReplacer(`"`, "&quot;", "＂", "&quot;").Replace(plain(text))
}

// hidden reports a character that shows nothing: controls, joiners and marks of
// direction, tags, variation selectors beyond those of emoji, private use, and
// what is no character at all.
func hidden(r rune) bool {
	switch {
	case r == utf8.RuneError, r == '\u00ad', r == '\u034f', r == '\u180e', r == '\ufeff', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0':
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and the second set of variation selectors
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}

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
