// Package inert makes a text that others wrote fit to stand in a prompt as data:
// nothing in it can end the element that it stands in, or open another.
package inert

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Line is a text on one line, so that nothing in it stands where a turn or a
// block could begin. No character is left that opens or closes a block, or looks
// as if it did: <, > and & become entities, their look-alikes too. Invisible
// characters, with which a text can say to a model what no reader sees, go.
func Line(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	space := false
	for _, r := range text {
		if unicode.IsSpace(r) || r == '\u2028' || r == '\u2029' {
			space = b.Len() > 0
			continue
		}
		if Hidden(r) {
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case opens(r):
			b.WriteString("&lt;")
		case closes(r):
			b.WriteString("&gt;")
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Lines is Line for every line of a text, which it keeps apart.
func Lines(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/16)
	for line := range strings.Lines(text) {
		b.WriteString(Line(line))
		if strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// Attribute is Line for what stands inside quotation marks.
func Attribute(text string) string {
	return quotation.Replace(Line(text))
}

// Restore turns the entities back in what a model wrote, which may have copied
// them.
func Restore(text string) string { return entities.Replace(text) }

// RestoreJSON is Restore for a JSON document: of the signs that it turns back none
// means anything in JSON, so that strings stay the strings they are.
func RestoreJSON(doc []byte) []byte { return []byte(signs.Replace(string(doc))) }

var (
	signs     = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
	quotation = strings.NewReplacer(`"`, "&quot;", "＂", "&quot;")
	entities  = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&quot;", `"`, "&amp;", "&")
)

// Compared is one character as texts are compared in which these functions may
// have changed something: the look-alikes of < and > are those, what is hidden is
// left out (false).
func Compared(r rune) (rune, bool) {
	switch {
	case Hidden(r):
		return 0, false
	case opens(r):
		return '<', true
	case closes(r):
		return '>', true
	}
	return r, true
}

func opens(r rune) bool {
	switch r {
	case '<', '＜', '﹤', '‹', '\u2329', '\u27e8', '\u3008', '❮', '❰', '˂', '≺', 'ᐸ':
		return true
	}
	return false
}

func closes(r rune) bool {
	switch r {
	case '>', '＞', '﹥', '›', '\u232a', '\u27e9', '\u3009', '❯', '❱', '˃', '≻', 'ᐳ':
		return true
	}
	return false
}

// Hidden reports a character that shows nothing: controls, joiners and marks of
// direction, tags, variation selectors beyond those of emoji, private use, and
// what is no character at all.
func Hidden(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r < ' ' || r == 0x7f
	case r == utf8.RuneError, r == '\u00ad', r == '\u034f', r == '\u180e', r == '\ufeff', r == '\u115f', r == '\u1160', r == '\u3164', r == '\uffa0':
		return true
	case r >= 0xe0000 && r <= 0xe0fff: // tags and the second set of variation selectors
		return true
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs)
}
