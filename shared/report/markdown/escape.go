package markdown

import (
	"strings"
	"unicode"
)

// marks are the characters that mean something anywhere in a line.
const marks = "\\`*_[]<|~$"

// Inline escapes text for one line: line breaks become spaces. It is safe at the
// start of a line too.
func Inline(s string) string { return escapeStart(escapeMarks(oneLine(s))) }

// Cell escapes text that stands inside a line, such as a table cell.
func Cell(s string) string { return escapeMarks(oneLine(s)) }

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
		l = Inline(l)
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

func escapeMarks(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r < unicode.MaxASCII && strings.ContainsRune(marks, r):
			b.WriteByte('\\')
		case r == '&' && i+1 < len(s) && (s[i+1] == '#' || s[i+1]|0x20 >= 'a' && s[i+1]|0x20 <= 'z'): // may be an entity
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// escapeStart escapes what means something only at the start of a line:
// headings, quotes, list marks, rules.
func escapeStart(s string) string {
	if s != "" && strings.IndexByte("#>-+=", s[0]) >= 0 {
		return "\\" + s
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n < len(s) && (s[n] == '.' || s[n] == ')') && (n+1 == len(s) || s[n+1] == ' ') {
		return s[:n] + "\\" + s[n:]
	}
	return s
}
