package parsers

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/extract/pdfium"
)

// line is a line of print: its text and its place, in points.
type line struct {
	text                     string
	left, bottom, right, top float32
	size                     float32 // of most of its letters
	hyphen                   bool    // a word is cut at its end; the hyphen is not in text
	row                      bool    // it has wide gaps, as rows of tables have
	limit                    float32 // where lines of its column usually end; typeset sets it
	margin                   bool    // it stands above all that the page says before it, as headers do that are drawn last
}

// sheet is a page in lines, in the order of reading.
type sheet struct {
	number int // from 1
	lines  []line
}

// cellGap is how wide, in units of the font's size, a gap must be to separate
// columns of a table. Blanks in justified text stay below 1.5.
const cellGap = 2.2

// softBreak is how PDFium marks a hyphen that cuts a word at the end of a line.
const softBreak = 2

// linesOf gathers characters into lines where PDFium found their ends.
func linesOf(chars []pdfium.Char) []line {
	var lines []line
	var b lineBuilder
	for _, c := range chars {
		if c.Rune == '\n' || c.Rune == '\r' {
			if l, ok := b.take(); ok {
				lines = append(lines, l)
			}
			continue
		}
		b.add(c)
		if c.Rune == softBreak { // PDFium joins the halves of a word itself
			if l, ok := b.take(); ok {
				lines = append(lines, l)
			}
		}
	}
	if l, ok := b.take(); ok {
		lines = append(lines, l)
	}
	return lines
}

type lineBuilder struct {
	text   strings.Builder
	line   line
	placed int
	end    float32 // right edge of the last character
	sizes  map[float32]int
	hyphen bool
	blank  bool // a blank is due

	lastRune rune
}

// leftwards says that a letter is of a script written from right to left, where
// the places of words say nothing about gaps between them.
func leftwards(c rune) bool {
	return c >= 0x590 && c < 0x900 || c >= 0xfb1d && c < 0xfe00 || c >= 0xfe70 && c < 0xff00
}

func (b *lineBuilder) add(c pdfium.Char) {
	if unicode.IsSpace(c.Rune) {
		b.blank = true
		return
	}
	if c.Rune == softBreak {
		c.Rune, c.Hyphen = '-', true
	}
	if c.Rune < ' ' || c.Rune == 0xfffe || c.Rune == 0xffff {
		return
	}
	if c.Right > c.Left || c.Top > c.Bottom {
		gap := c.Left - b.end
		if b.placed > 0 && gap > cellGap*max(c.Size, 4) && gap < 2000 && !leftwards(c.Rune) && !leftwards(b.lastRune) {
			b.text.WriteString(" |")
			b.line.row, b.blank = true, true
		}
		b.place(c)
	}
	if b.blank && b.text.Len() > 0 {
		b.text.WriteByte(' ')
	}
	b.blank = false
	b.text.WriteRune(c.Rune)
	b.hyphen, b.lastRune = c.Hyphen, c.Rune
}

func (b *lineBuilder) place(c pdfium.Char) {
	l := &b.line
	if b.placed == 0 {
		l.left, l.right, l.bottom, l.top = c.Left, c.Right, c.Bottom, c.Top
		b.sizes = map[float32]int{}
	}
	l.left, l.right = min(l.left, c.Left), max(l.right, c.Right)
	l.bottom, l.top = min(l.bottom, c.Bottom), max(l.top, c.Top)
	b.end = c.Right
	b.placed++
	b.sizes[height(c)]++
}

// height is the size at which a character is shown: files often set the font's
// size to 1 and scale, so the box counts when it disagrees. In steps of half a
// point, so that equal sizes are equal.
func height(c pdfium.Char) float32 {
	s := c.Size
	if box := c.Top - c.Bottom; box > 0 && (s > 2*box || s < box/3) {
		s = box * 0.85
	}
	return float32(int(2*s+0.5)) / 2
}

func (b *lineBuilder) take() (line, bool) {
	l := b.line
	l.text = b.text.String()
	if short := leaders.ReplaceAllString(l.text, " … "); short != l.text {
		l.text, l.row = strings.TrimSpace(short), true
	}
	most := 0
	for size, n := range b.sizes {
		if n > most || n == most && size > l.size {
			l.size, most = size, n
		}
	}
	if cut, ok := cutWord(l.text, b.hyphen); ok {
		l.text, l.hyphen = cut, true
	}
	*b = lineBuilder{}
	return l, l.text != ""
}

// leaders are the dots that lead from an entry of a table of contents to its page.
var leaders = regexp.MustCompile(`(?:\s*\.){4,}\s*`)

// cutWord takes the hyphen off the end of a line that ends within a word.
func cutWord(text string, marked bool) (string, bool) {
	for _, h := range []string{"-", "\u2010", "\u00ad"} {
		if rest, ok := strings.CutSuffix(text, h); ok && rest != "" {
			last := []rune(rest)
			return rest, marked || h == "\u00ad" || unicode.IsLetter(last[len(last)-1])
		}
	}
	return text, false
}
