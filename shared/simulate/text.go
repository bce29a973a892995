package simulate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold is the canonical form of any text that is compared or hashed: NFKC,
// lower case, straight quotes, single spaces, no space at the ends.
func fold(s string) string {
	s = norm.NFKC.String(s)
	var b strings.Builder
	b.Grow(len(s))
	space := false
	for _, r := range s {
		switch r {
		case '’', '‘', 'ʼ', '`', '´':
			r = '\''
		case '“', '”', '„', '«', '»':
			r = '"'
		case '–', '—', '‐', '‑', '−':
			r = '-'
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

// foldLabel is fold without the punctuation that labels differ by.
func foldLabel(s string) string {
	s = fold(s)
	s = strings.Map(func(r rune) rune {
		switch r {
		case '.', '!', '?', '"', ':', ';', ',', '(', ')', '[', ']':
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// word is one token with what matching needs to know of it.
type word struct {
	stem   string
	text   string // folded, as written
	proper bool   // a capital inside a sentence: a name
	number bool
	stop   bool
}

// words splits text into tokens. Runs of scripts without spaces become
// overlapping pairs of characters.
func words(s string) []word {
	s = norm.NFKC.String(s)
	var out []word
	var cur []rune
	start := true // at the start of a sentence, a capital says nothing
	flush := func() {
		for len(cur) > 0 && cur[len(cur)-1] == '\'' {
			cur = cur[:len(cur)-1]
		}
		if len(cur) == 0 {
			return
		}
		if dense(cur[0]) {
			if len(cur) == 1 {
				out = append(out, word{stem: string(cur), text: string(cur)})
			}
			for i := 0; i+1 < len(cur); i++ {
				g := string(cur[i : i+2])
				out = append(out, word{stem: g, text: g})
			}
		} else {
			text := strings.ToLower(string(cur))
			w := word{text: text, stem: stem(text)}
			w.number = unicode.IsDigit(cur[0])
			w.proper = !start && unicode.IsUpper(cur[0])
			w.stop = stopwords[text] || stopwords[strings.ReplaceAll(text, "'", "")]
			if string(cur) == "US" || string(cur) == "UK" {
				w.stop, w.proper = false, true // the country, not the pronoun
			}
			if w.text == "i" || strings.HasPrefix(w.text, "i'") {
				w.proper = false
			}
			out = append(out, w)
		}
		start = false
		cur = cur[:0]
	}
	for _, r := range s {
		if r == '’' || r == '‘' {
			r = '\''
		}
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r) || (r == '\'' && len(cur) > 0):
			if len(cur) > 0 && dense(cur[0]) != dense(r) {
				flush()
			}
			cur = append(cur, r)
		default:
			flush()
			if r == '.' || r == '!' || r == '?' || r == ':' || r == '\n' {
				start = true
			}
		}
	}
	flush()
	return out
}

// dense reports scripts that are written without spaces between words.
func dense(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// stem cuts the commonest English endings. It is for matching only: it need not
// give words, only the same form for the same word.
func stem(w string) string {
	w = strings.TrimSuffix(w, "'s")
	w = strings.ReplaceAll(w, "'", "")
	if s, ok := sameWord[w]; ok {
		return s
	}
	for _, r := range w {
		if r > unicode.MaxASCII {
			return w
		}
	}
	n := len(w)
	switch {
	case n > 4 && strings.HasSuffix(w, "ies"):
		w = w[:n-3] + "y"
	case n > 4 && (strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "xes")):
		w = w[:n-2]
	case n > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:n-1]
	}
	n = len(w)
	switch {
	case n > 5 && strings.HasSuffix(w, "ing"):
		w = undouble(w[:n-3])
	case n > 4 && strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "eed"):
		w = undouble(w[:n-2])
	case n > 5 && strings.HasSuffix(w, "ly"):
		w = w[:n-2]
	}
	if n = len(w); n > 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if s, ok := sameWord[w]; ok {
		return s
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("aeiouls", rune(w[n-1])) {
		return w[:n-1]
	}
	return w
}

// sameWord joins everyday words that questionnaires use for one another. The
// left side is a word or its stem.
var sameWord = map[string]string{
	"purchase": "buy", "purchas": "buy", "bought": "buy", "cook": "prepar", "cooked": "prepar", "prepare": "prepar",
	"automobile": "car", "vehicle": "car", "vehicl": "car", "auto": "car", "movie": "film", "movi": "film",
	"smok": "smoke", "smoker": "smoke", "cigarette": "cigarett", "favourite": "favorit", "favorite": "favorit",
	"favour": "favor", "colour": "color", "licence": "license", "jewellery": "jewelry", "kid": "child", "children": "child",
	"woman": "women", "man": "men", "alcoholic": "alcohol", "drank": "drink", "drinker": "drink", "gambler": "gamble",
	"gambl": "gamble", "ate": "eat", "meals": "meal", "mobile": "phone", "smartphone": "phone", "cellphone": "phone",
	"usa": "us", "america": "us", "american": "us", "uk": "britain", "british": "britain", "driv": "drive", "drove": "drive",
	"prefer": "like", "preferr": "like", "enjoy": "like", "liked": "like", "used": "use", "using": "use", "usage": "use", "happi": "happy", "worri": "worry", "tried": "try",
	"office": "work", "offic": "work", "workplace": "work", "workplac": "work",
}

// contains reports whether phrase stands in s at word boundaries; both folded.
func contains(s, phrase string) bool { return indexPhrase(s, phrase) >= 0 }

func indexPhrase(s, phrase string) int {
	if phrase == "" {
		return -1
	}
	for from := 0; ; {
		i := strings.Index(s[from:], phrase)
		if i < 0 {
			return -1
		}
		i += from
		if boundary(s, i) && boundary(s, i+len(phrase)) {
			return i
		}
		from = i + 1
		for from < len(s) && s[from]&0xC0 == 0x80 {
			from++
		}
		if from >= len(s) {
			return -1
		}
	}
}

// boundary reports whether no word crosses byte i of s.
func boundary(s string, i int) bool {
	if i <= 0 || i >= len(s) {
		return true
	}
	isWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	a, _ := utf8.DecodeLastRuneInString(s[:i])
	b, _ := utf8.DecodeRuneInString(s[i:])
	return !isWord(a) || !isWord(b) || dense(a) || dense(b)
}

// sentences cuts a passage at full stops, exclamation and question marks and
// line breaks. A full stop inside a number or after a single letter does not cut.
func sentences(s string) []string {
	var out []string
	rs := []rune(s)
	start := 0
	add := func(end int) {
		if t := strings.TrimSpace(string(rs[start:end])); t != "" {
			out = append(out, t)
		}
		start = end
	}
	for i, r := range rs {
		switch r {
		case '\n', '\r':
			add(i)
		case '。', '！', '？':
			add(i + 1)
		case '.', '!', '?':
			if i+1 < len(rs) && !unicode.IsSpace(rs[i+1]) {
				continue
			}
			if r == '.' && i > 0 && unicode.IsLetter(rs[i-1]) && (i == 1 || !unicode.IsLetter(rs[i-2])) && i+1 < len(rs) {
				continue // an initial
			}
			add(i + 1)
		}
	}
	add(len(rs))
	return out
}
