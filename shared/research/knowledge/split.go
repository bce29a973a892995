package knowledge

import (
	"bufio"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"unicode"
)

// A passage has at least minPassage characters where the text goes on, and
// never more than maxPassage; it ends with a paragraph or a sentence if one
// ends in between.
const (
	minPassage = 200
	maxPassage = 500
)

// errNotText says that a file holds bytes that are no UTF-8.
var errNotText = errors.New("the file is not UTF-8 text throughout; save it as UTF-8 and send it again")

// split cuts a text into passages and hands each to emit, in order, holding
// little more than one passage in memory. White space is evened out to single
// blanks, and line breaks where a paragraph, a heading or a list item begins or
// a heading ends; nothing else is lost.
func split(r io.Reader, emit func(string) error) error {
	in := bufio.NewReaderSize(r, 64<<10)
	var buf []rune // evened out; a paragraph's end is '\n'
	newlines := 0
	space, heading := false, false
	for first := true; ; first = false {
		c, size, err := in.ReadRune()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if c == unicode.ReplacementChar && size == 1 || c == 0 {
			return errNotText
		}
		if first && c == '\ufeff' {
			continue
		}
		if unicode.IsSpace(c) {
			space = true
			if c == '\n' {
				newlines++
			}
			continue
		}
		if space && len(buf) > 0 {
			gap := ' '
			if newlines > 1 || newlines == 1 && (heading || strings.ContainsRune("#-*+•>|", c)) {
				gap = '\n'
			}
			buf = append(buf, gap)
		}
		if newlines > 0 || len(buf) == 0 {
			heading = c == '#'
		}
		space, newlines = false, 0
		buf = append(buf, c)
		if len(buf) > maxPassage {
			at := cutAt(buf)
			if err := emitRunes(buf[:at], emit); err != nil {
				return err
			}
			buf = append(buf[:0], trimLeft(buf[at:])...)
		}
	}
	return emitRunes(buf, emit)
}

// cutAt finds where a passage ends: the last paragraph's end, else the last
// sentence's, else the last word's, else the limit.
func cutAt(buf []rune) int {
	word := maxPassage
	sentence := 0
	for i := maxPassage - 1; i >= minPassage; i-- {
		switch {
		case buf[i] == '\n':
			return i
		case sentence == 0 && endsSentence(buf, i):
			sentence = i + 1
		case word == maxPassage && buf[i] == ' ':
			word = i
		}
	}
	if sentence > 0 {
		return sentence
	}
	return word
}

func endsSentence(buf []rune, i int) bool {
	switch buf[i] {
	case '。', '！', '？', '؟':
		return true
	case '.', '!', '?', '…':
		return i+1 < len(buf) && unicode.IsSpace(buf[i+1])
	}
	return false
}

func trimLeft(r []rune) []rune {
	for len(r) > 0 && unicode.IsSpace(r[0]) {
		r = r[1:]
	}
	return r
}

func emitRunes(r []rune, emit func(string) error) error {
	s := strings.TrimSpace(string(r))
	if s == "" {
		return nil
	}
	return emit(s)
}

// splitCSV makes a passage of every record, its values named by the first
// record, so that a row can be found by what it says.
func splitCSV(r io.Reader, emit func(string) error) error {
	in := csv.NewReader(skipMark(r))
	in.FieldsPerRecord = -1
	in.LazyQuotes = true
	in.ReuseRecord = true
	var names []string
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			var bad *csv.ParseError
			if errors.As(err, &bad) {
				return csvProblem{line: bad.Line, err: bad.Err}
			}
			return err
		}
		if names == nil {
			names = make([]string, len(record))
			for i, n := range record {
				names[i] = strings.TrimSpace(strings.Clone(n))
			}
			continue
		}
		var b strings.Builder
		for i, v := range record {
			if v = strings.TrimSpace(v); v == "" {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("; ")
			}
			if i < len(names) && names[i] != "" {
				b.WriteString(names[i] + ": ")
			}
			b.WriteString(v)
		}
		if err := split(strings.NewReader(b.String()), emit); err != nil {
			return err
		}
	}
}

func skipMark(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if head, err := in.Peek(len(byteOrderMark)); err == nil && string(head) == string(byteOrderMark) {
		_, _ = in.Discard(len(byteOrderMark))
	}
	return in
}
