package brief

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

type tokenKind uint8

const (
	word    tokenKind = iota
	number            // digits with their separators
	dense             // one character of a script without spaces
	mark              // any other character
	newline           // one or more line ends
)

// token is a piece of the text as it stands there, with the form that is compared.
type token struct {
	norm       string // NFKC, lower case, no accents on Latin letters
	start, end int    // bytes of the text
	value      float64
	kind       tokenKind
	glued      bool // nothing stands between it and the token before
	capital    bool // it begins with a capital letter
}

// maxWord is the most bytes of a word that are compared: longer runs are encoded
// data, not words.
const maxWord = 64

// tokens splits a text of any language. The tokens keep their place in the text, so
// that what is read can be quoted as it was written.
func tokens(text string) []token {
	out := make([]token, 0, len(text)/5+4)
	last := 0 // end of the token before
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		start := i
		t := token{start: start, glued: len(out) > 0 && last == start}
		switch {
		case r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			for i < len(text) && strings.IndexByte(" \t\r\n\v\f", text[i]) >= 0 {
				i++
			}
			if i == start {
				i += n
			}
			t.kind, t.norm = newline, "\n"
		case unicode.IsSpace(r) || r == '\u200b' || r == '\u00ad' || r == '\ufeff' || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Cc, r):
			i += n
			continue
		case unicode.IsDigit(r):
			i = digits(text, i)
			t.kind = number
			t.norm = plain(text[start:i])
			t.value = value(t.norm)
		case isDense(r):
			i += n
			t.kind, t.norm = dense, norm.NFKC.String(text[start:i])
		case unicode.IsLetter(r):
			i += n
			for i < len(text) {
				r, n := utf8.DecodeRuneInString(text[i:])
				if !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) && r != '\u00ad' && r != '\u200c' || isDense(r) {
					break
				}
				i += n
			}
			t.kind, t.capital = word, unicode.IsUpper(r)
			t.norm = fold(text[start:min(i, start+maxWord)])
		default:
			i += n
			t.kind, t.norm = mark, sign(r)
		}
		t.end, last = i, i
		out = append(out, t)
	}
	return out
}

// digits finds the end of a number: groups of three with separators belong to it.
func digits(text string, i int) int {
	run := func(i int) int {
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsDigit(r) {
				break
			}
			i += n
		}
		return i
	}
	i = run(i)
	for i < len(text) {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(".,'’\u00a0\u202f ٬٫", r) {
			break
		}
		j := run(i + n)
		count := utf8.RuneCountInString(text[i+n : j])
		if count == 0 || r != '.' && r != ',' && r != '٫' && count != 3 {
			break
		}
		if r == ' ' && !groupedBySpace(text, i, j) {
			break
		}
		i = j
	}
	return i
}

// groupedBySpace tells "1 000" from "18 250": the digits before a space of a group
// are one to three, and the text goes on with no fourth digit.
func groupedBySpace(text string, space, end int) bool {
	before := 0
	for k := space; k > 0 && before < 4 && text[k-1] >= '0' && text[k-1] <= '9'; k-- {
		before++
	}
	return before >= 1 && before <= 3 && (end >= len(text) || text[end] != '-')
}

// value is the number that digits with separators write. One separator before
// three digits groups thousands, else it begins the decimals.
func value(s string) float64 {
	s = strings.NewReplacer("'", "", "’", "", " ", "", "٬", "", "٫", ".").Replace(s)
	seps := strings.Count(s, ".") + strings.Count(s, ",")
	if at := strings.LastIndexAny(s, ".,"); at >= 0 {
		grouped := len(s)-at-1 == 3 && s[0] != '0'
		if seps > 1 && s[at] == s[strings.IndexAny(s, ".,")] {
			grouped = true
		}
		whole := strings.NewReplacer(".", "", ",", "").Replace(s[:at])
		if grouped {
			s = whole + s[at+1:]
		} else {
			s = whole + "." + s[at+1:]
		}
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0
	}
	return v
}

// isDense reports scripts that are matched character by character.
func isDense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai) || r == 'ー' || r == '々'
}

// plain is the form of digits in ASCII.
func plain(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFKC.String(s) {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case unicode.IsDigit(r):
			b.WriteByte('0' + byte(digitOf(r)))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// digitOf is the value of a decimal digit: they stand in rows of ten, from nought.
func digitOf(r rune) int {
	n := 0
	for n < 9 && unicode.IsDigit(r-rune(n)-1) {
		n++
	}
	return n
}

// sign is the one form of marks that are written in several.
func sign(r rune) string {
	switch r {
	case '–', '—', '‐', '‑', '−', '‒', '－', '~', '〜', '～', '∼':
		return "-"
	case '’', '‘', '`', '´', '＇', 'ʼ':
		return "'"
	case '％', '٪', '﹪':
		return "%"
	case '。', '．':
		return "."
	case '，', '、', '､', '،':
		return ","
	case '：':
		return ":"
	case '；', '؛':
		return ";"
	case '？', '؟':
		return "?"
	case '！':
		return "!"
	case '（', '[', '【', '「':
		return "("
	case '）', ']', '】', '」':
		return ")"
	case '＋', '﹢':
		return "+"
	case '•', '◦', '▪', '●', '‣', '·', '*', '■', '○', '✓', '✔', '➤', '→':
		return "*"
	case '＝':
		return "="
	case '＆':
		return "&"
	case '／':
		return "/"
	case '≥', '≧':
		return "≥"
	case '≤', '≦':
		return "≤"
	}
	return string(r)
}

// fold is the compared form of a word: lower case without accents on Latin letters,
// Arabic letters in one spelling.
func fold(s string) string {
	ascii := true
	for i := 0; i < len(s); i++ {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(s)
	}
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.M, r), r == '\u00ad', r == '\u200c', r == 'ـ':
			continue
		case r == 'أ' || r == 'إ' || r == 'آ' || r == 'ٱ':
			r = 'ا'
		case r == 'ة':
			r = 'ه'
		case r == 'ى':
			r = 'ي'
		case r == 'ß' || r == 'ẞ':
			b.WriteByte('s')
			r = 's'
		case r == 'ı':
			r = 'i'
		case r == 'ł' || r == 'Ł':
			r = 'l'
		case r == 'ø' || r == 'Ø':
			r = 'o'
		case r == 'æ' || r == 'Æ':
			b.WriteByte('a')
			r = 'e'
		case r == 'œ' || r == 'Œ':
			b.WriteByte('o')
			r = 'e'
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
