package markdown

import (
	"strings"
	"unicode"
)

// marks are the characters that mean something anywhere in a line.
const marks = "\\`*_[]<>|~&$#!{}"

// Inline escapes text for one line: line breaks become spaces.
func Inline(s string) string { return escape(oneLine(s)) }

// Cell escapes text for a table cell.
func Cell(s string) string { return Inline(s) }

// Text escapes text of several lines; single line breaks stay as hard breaks,
// blank lines part paragraphs.
func Text(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n\n").Replace(s)
	var paras []string
	var lines []string
	flush := func() {
		if len(lines) > 0 {
			paras = append(paras, strings.Join(lines, "\\\n"))
			lines = nil
		}
	}
	for _, l := range strings.Split(s, "\n") {
		l = escape(oneLine(l))
		if l == "" {
			flush()
			continue
		}
		lines = append(lines, l)
	}
	flush()
	return strings.Join(paras, "\n\n")
}

// oneLine drops control characters and folds runs of white space, so that no
// text can open a block, an indented code block or a hard break.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' }), " ")
}

func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < unicode.MaxASCII && strings.ContainsRune(marks, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	s = b.String()
	// What means something only at the start of a line.
	switch {
	case strings.HasPrefix(s, "-"), strings.HasPrefix(s, "+"), strings.HasPrefix(s, "="):
		return "\\" + s
	}
	if n := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); n > 0 && n < 10 && (s[n] == '.' || s[n] == ')') {
		return s[:n] + "\\" + s[n:]
	}
	return s
}
