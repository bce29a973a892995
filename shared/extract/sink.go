package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBlock is the most bytes of text that a Block holds.
const maxBlock = 8 << 10

// Sink takes what a reader finds, cleans it and hands it on in blocks, until
// there is enough.
type Sink struct {
	left int64 // characters
	emit func(Block) error
}

// NewSink hands on at most maxText characters.
func NewSink(maxText int64, emit func(Block) error) *Sink {
	return &Sink{left: maxText, emit: emit}
}

// ErrEnough is what Put returns when no more text is wanted.
var ErrEnough = errEnough

// Put hands on a text. A long one becomes several blocks.
func (s *Sink) Put(text, where, heading string) error {
	text = Clean(text)
	heading = Clean(heading)
	if len(heading) > 300 {
		heading = heading[:cut(heading, 300)]
	}
	for text != "" {
		if s.left <= 0 {
			return errEnough
		}
		part := text
		if len(part) > maxBlock {
			part = text[:cut(text, maxBlock)]
		}
		text = strings.TrimLeftFunc(text[len(part):], unicode.IsSpace)
		part = strings.TrimSpace(part)
		if !wordy(part) {
			continue
		}
		if n := int64(utf8.RuneCountInString(part)); n > s.left {
			part = string([]rune(part)[:s.left])
			s.left = 0
		} else {
			s.left -= n
		}
		if err := s.emit(Block{Text: part, Where: where, Heading: heading}); err != nil {
			return err
		}
	}
	return nil
}

// wordy says that a text has something to say: rules, dots and bullets alone
// have not.
func wordy(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) || unicode.Is(unicode.So, c) })
}

// cut finds where to divide a text that is longer than limit bytes: after a
// line, else a sentence, else a word in its second half, else at the limit.
func cut(s string, limit int) int {
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	half := s[limit/2 : limit]
	for _, end := range []string{"\n", ". ", "。", "! ", "? ", " "} {
		if i := strings.LastIndex(half, end); i >= 0 {
			return limit/2 + i + len(end)
		}
	}
	return limit
}
