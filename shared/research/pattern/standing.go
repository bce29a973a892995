package pattern

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/inert"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// reader finds in a part what a model says of it. The model saw the part without
// what could be read as markup, so that is how the two are compared; what is kept
// are the words of the source.
type reader struct {
	part   []Text
	lines  []string // each text on one line
	folded []folded // made when a quote does not stand there as it is
	said   map[string]bool
}

// folded is a text as it is compared, with the place of each of its bytes.
type folded struct {
	text string
	at   []int
}

func newReader(part []Text) *reader {
	r := &reader{part: part, lines: make([]string, len(part))}
	for i, t := range part {
		r.lines[i] = oneLine(t.Text)
	}
	return r
}

// quote gives a quote as it stands in the part, white space aside.
func (r *reader) quote(said string) (text, where string, ok bool) {
	said = cut(strings.Trim(oneLine(said), "\"“”"), MaxQuote)
	if said == "" {
		return "", "", false
	}
	for i, line := range r.lines {
		if strings.Contains(line, said) {
			return said, r.part[i].Where, true
		}
	}
	if r.folded == nil {
		for _, line := range r.lines {
			r.folded = append(r.folded, compared(line))
		}
	}
	said = compared(inert.Restore(said)).text
	if said == "" {
		return "", "", false
	}
	for i, f := range r.folded {
		if from := strings.Index(f.text, said); from >= 0 {
			return cut(r.lines[i][f.at[from]:f.at[from+len(said)]], MaxQuote), r.part[i].Where, true
		}
	}
	return "", "", false
}

func compared(line string) folded {
	f := folded{at: make([]int, 0, len(line)+1)}
	var b strings.Builder
	for i, r := range line {
		c, ok := inert.Compared(r)
		if !ok {
			continue
		}
		b.WriteRune(c)
		for range utf8.RuneLen(c) {
			f.at = append(f.at, i)
		}
	}
	f.text, f.at = b.String(), append(f.at, len(line))
	return f
}

// about gives what a quote is said to be about if it is words of the source:
// free words of a model would go on into prompts as if the source said them.
func (r *reader) about(said string) string {
	said = cut(strings.Join(strings.FieldsFunc(said, func(c rune) bool {
		return !unicode.In(c, unicode.L, unicode.M, unicode.N) && !strings.ContainsRune("'’-", c)
	}), " "), maxSub)
	if r.said == nil {
		r.said = map[string]bool{}
		for _, t := range r.part {
			for _, text := range []string{t.Text, t.Heading} {
				words.Each(text, func(w []byte) { r.said[words.Stem(string(w))] = true })
			}
		}
	}
	n := 0
	words.Each(said, func(w []byte) {
		if n >= 0 {
			n++
		}
		if !r.said[words.Stem(string(w))] && !words.Stop(string(w)) {
			n = -1
		}
	})
	if n <= 0 {
		return ""
	}
	return said
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
