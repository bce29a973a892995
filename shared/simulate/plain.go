package simulate

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	lineMark  = expression.Of(`^\s*(?:(?:>|[-*+•]|\d{1,3}[.)]|\[[ xX]\])\s+)+`)
	headMark  = expression.Of(`^\s*#{1,6}\s+`)
	rule      = expression.Of(`^[\s|:=_*-]+$`)
	image     = expression.Of(`!\[[^\]]*\]\([^)]*\)`)
	link      = expression.Of(`\[([^\]]+)\]\([^)\s]+(?:\s+"[^"]*")?\)`)
	emphasis  = expression.Of(`(\*\*\*|\*\*|__|~~|\*)([^*_~\s](?:[^*~]*?[^*~\s])?)(\*\*\*|\*\*|__|~~|\*)`)
	codeSpan  = expression.Of("`+([^`]+)`+")
	fence     = expression.Of("^\\s*(?:```|~~~)")
	titleLike = expression.Of(`[.!?:。！？…]\s*$`)
)

// statements are the sentences of a passage without Markdown structure: what is
// quoted of a Mind is what it says, not how a document was laid out. A heading
// on a line of its own says nothing and is left out, as is what tells the reader
// what to say.
func statements(text string) []string {
	return slices.DeleteFunc(written(text), tellsReader)
}

// written is statements with everything that stands there.
func written(text string) []string {
	text = unwrapped(text)
	if !strings.ContainsAny(text, "#*_`>[|~-+•") && !strings.ContainsAny(text, "0123456789") {
		return sentences(text)
	}
	var out []string
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for _, line := range lines {
		switch {
		case fence.MatchString(line), rule.MatchString(line):
			continue
		case headMark.MatchString(line):
			line = headMark.ReplaceAllString(line, "")
			if len(lines) > 1 && !titleLike.MatchString(line) {
				continue
			}
		}
		out = append(out, sentences(plain(line))...)
	}
	return out
}

// wrapped is the least length in characters of a line that was broken for its
// length and not because a sentence ended.
const wrapped = 40

// unwrapped joins lines that were broken inside a sentence: a long line without
// an end, and a next one that goes on in small letters.
func unwrapped(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var b strings.Builder
	b.Grow(len(text))
	for i, line := range lines {
		b.WriteString(line)
		if i+1 == len(lines) {
			break
		}
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(line, " \t"))
		next, _ := utf8.DecodeRuneInString(strings.TrimLeft(lines[i+1], " \t"))
		if utf8.RuneCountInString(line) >= wrapped && (unicode.IsLetter(last) || unicode.IsDigit(last) || last == ',') && unicode.IsLower(next) {
			b.WriteByte(' ')
			continue
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// plain takes the marks of Markdown off one line.
func plain(line string) string {
	// Each expression runs where its marks are, which is seldom.
	if t := strings.TrimLeft(line, " \t"); t != "" && (strings.ContainsAny(t[:1], ">-*+[0123456789") || strings.HasPrefix(t, "•")) {
		line = lineMark.ReplaceAllString(line, "")
	}
	if strings.Contains(line, "](") {
		line = image.ReplaceAllString(line, "")
		line = link.ReplaceAllString(line, "$1")
	}
	if strings.Contains(line, "`") {
		line = codeSpan.ReplaceAllString(line, "$1")
	}
	if strings.ContainsAny(line, "*_~") {
		line = emphasis.ReplaceAllString(line, "$2")
	}
	if strings.HasPrefix(strings.TrimSpace(line), "|") {
		line = strings.Join(strings.Fields(strings.ReplaceAll(line, "|", " ")), " ")
	}
	return strings.TrimSpace(line)
}
