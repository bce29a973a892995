package knowledge

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// A passage has about 120 to 200 tokens: so much is said in one paragraph or two,
// and so much an embedder reads whole. Lengths are weighed, not counted: four
// Latin letters are about one token, as is one Chinese character.
const (
	leastPassage = 480 // a passage is filled up to this where the text goes on
	mostPassage  = 800 // and never holds more
	wideRune     = 4
)

// cutter joins blocks into passages and cuts long ones at the ends of sentences.
// It holds one passage at a time. A passage never reaches over a heading.
type cutter struct {
	emit func(passage) error

	text    strings.Builder
	weight  int
	where   string // of the first and last block in text
	last    string
	heading string
	began   bool // text begins with the heading itself, or has none
}

// add takes the next block.
func (c *cutter) add(b extract.Block) error {
	text := strings.TrimSpace(b.Text)
	if text == "" {
		return nil
	}
	if c.weight > 0 && (b.Heading != c.heading && !c.titles(b) || c.weight >= leastPassage) {
		if err := c.end(); err != nil {
			return err
		}
	}
	for text != "" {
		if c.weight > 0 && c.weight+weigh(text)+1 > mostPassage {
			// What is there is short, and the block too long to join it whole: a part
			// of the block fills it up.
			head, tail := cutText(text, mostPassage-c.weight-1)
			if head != "" && c.weight < leastPassage {
				c.append(head, b)
				text = tail
			}
			if err := c.end(); err != nil {
				return err
			}
			continue
		}
		head, tail := cutText(text, mostPassage)
		c.append(head, b)
		if text = tail; text != "" {
			if err := c.end(); err != nil {
				return err
			}
		}
	}
	return nil
}

// titles reports whether the text so far is the heading of b alone.
func (c *cutter) titles(b extract.Block) bool { return c.text.String() == b.Heading }

func (c *cutter) append(text string, b extract.Block) {
	if c.weight == 0 {
		c.where = b.Where
		c.began = b.Heading == "" || text == b.Heading
	} else {
		c.text.WriteByte('\n')
		c.weight++
	}
	c.text.WriteString(text)
	c.weight += weigh(text)
	c.last, c.heading = b.Where, b.Heading
}

// end gives away the passage that is being filled.
func (c *cutter) end() error {
	if c.weight == 0 {
		return nil
	}
	p := passage{Text: c.text.String(), Where: span(c.where, c.last)}
	if !c.began {
		p.Heading = clip(c.heading, 200)
	}
	c.text.Reset()
	c.weight = 0
	return c.emit(p)
}

func weigh(s string) int {
	n := 0
	for _, r := range s {
		n += weightOf(r)
	}
	return n
}

func weightOf(r rune) int {
	if r >= 0x2e80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) {
		return wideRune
	}
	return 1
}

// cutText cuts a text so that its head weighs at most limit: at the last line
// break in the second half of that, else at the last end of a sentence, else
// between words, else in a word. Head may be empty when limit is small.
func cutText(s string, limit int) (head, tail string) {
	at, n := len(s), 0
	line, sentence, word := 0, 0, 0
	prev := ' '
	for i, r := range s {
		if n += weightOf(r); n > limit {
			at = i
			if unicode.IsSpace(r) { // the head fits to its last letter
				word = i
				if endsSentence(prev, r) {
					sentence = i
				}
			}
			break
		}
		switch {
		case r == '\n':
			if line, word = i, i; n < limit/2 {
				line = 0
			}
		case unicode.IsSpace(r):
			word = i
			if endsSentence(prev, r) && n >= limit/3 {
				sentence = i
			}
		case closesWide(r) && n >= limit/3:
			sentence = i + utf8.RuneLen(r)
		}
		prev = r
	}
	if at == len(s) {
		return s, ""
	}
	for _, end := range []int{line, sentence, word, at} {
		if end > 0 {
			return strings.TrimSpace(s[:end]), strings.TrimSpace(s[end:])
		}
	}
	return "", s
}

func endsSentence(prev, space rune) bool {
	return unicode.IsSpace(space) && strings.ContainsRune(".!?…:;”\"", prev) || closesWide(prev)
}

func closesWide(r rune) bool { return strings.ContainsRune("。！？؟।", r) }

// place is what a reader calls a place: a word and a number, or a range.
var place = regexp.MustCompile(`^(\pL+?)s? (\d+)(?:[–-](\d+))?$`)

// span names the stretch from one place to another: "page 3", "pages 3–4".
func span(from, to string) string {
	if from == to || to == "" {
		return from
	}
	a, b := place.FindStringSubmatch(from), place.FindStringSubmatch(to)
	if a == nil || b == nil || a[1] != b[1] {
		return from
	}
	end := b[3]
	if end == "" {
		end = b[2]
	}
	if end == a[2] {
		return from
	}
	return fmt.Sprintf("%ss %s–%s", a[1], a[2], end)
}
