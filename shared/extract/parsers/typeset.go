package parsers

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// typeset rebuilds paragraphs and headings from the lines of pages.
type typeset struct {
	put     func(text, where, heading string) error
	body    float32 // the size of most of the text so far
	weights map[float32]int
	heading string

	text      strings.Builder // the paragraph that is open
	first     line            // its first line
	last      line            // and its last
	lines     int
	from, to  int // pages
	pageWidth float32
	leading   float32        // usual distance of lines on the page
	running   map[string]int // on how many pages a line of the edges stands
}

// add takes the next pages.
func (t *typeset) add(pages []sheet) error {
	if t.weights == nil {
		t.weights, t.running = map[float32]int{}, map[string]int{}
	}
	for _, p := range pages {
		for _, l := range p.lines {
			t.weights[l.size] += len(l.text)
		}
	}
	most := 0
	for size, n := range t.weights {
		if n > most || n == most && size < t.body {
			t.body, most = size, n
		}
	}
	pages = t.withoutRunning(pages)
	for _, p := range pages {
		t.measure(p)
		for _, l := range p.lines {
			if err := t.line(p.number, l); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure learns a page's usual distance of lines and width.
func (t *typeset) measure(p sheet) {
	var steps []float32
	left, right := float32(1e6), float32(0)
	for i, l := range p.lines {
		left, right = min(left, l.left), max(right, l.right)
		if i > 0 {
			if d := p.lines[i-1].bottom - l.bottom; d > 0 && d < 3*max(l.size, 4) {
				steps = append(steps, d)
			}
		}
	}
	t.leading = 0
	if len(steps) > 0 {
		slices.Sort(steps)
		t.leading = steps[len(steps)/3]
	}
	t.pageWidth = max(0, right-left)
	ends := map[int][]float32{} // of lines that begin at about the same place
	highest := float32(-1e6)
	for i := range p.lines {
		l := &p.lines[i]
		l.margin = i > 0 && l.top > highest+l.size
		highest = max(highest, l.top)
		if at := int(l.left / columnStep); len(ends[at]) < 64 {
			ends[at] = append(ends[at], l.right)
		}
	}
	for i := range p.lines {
		l := &p.lines[i]
		l.limit = columnEnd(ends, *l)
	}
}

const columnStep = 12 // points

// columnEnd is where the lines end that begin where this one does: most of them,
// so that a heading over all columns does not count.
func columnEnd(ends map[int][]float32, l line) float32 {
	at := int(l.left / columnStep)
	var all []float32
	for _, near := range []int{at - 1, at, at + 1} {
		all = append(all, ends[near]...)
	}
	slices.Sort(all)
	return max(l.right, all[len(all)*4/5])
}

// broken says that a line ended although the first word of the next would still
// have found room: the break is the author's.
func broken(a, next line) bool {
	n := utf8.RuneCountInString(next.text)
	if n == 0 || next.right <= next.left || a.hyphen {
		return false
	}
	letter := (next.right - next.left) / float32(n)
	word := float32(utf8.RuneCountInString(firstWord(next.text))+1) * letter
	return a.right+word < a.limit-next.size
}

// line adds a line to the paragraph that is open, or begins the next one.
func (t *typeset) line(page int, l line) error {
	if t.lines > 0 && !t.continues(page, l) {
		if err := t.end(); err != nil {
			return err
		}
	}
	if t.lines == 0 {
		t.first, t.from = l, page
	} else {
		t.join(l)
	}
	t.text.WriteString(l.text)
	t.last, t.to = l, page
	t.lines++
	if t.text.Len() > 6<<10 && endsSentence(l.text) {
		return t.end()
	}
	return nil
}

// join writes what stands between the last line and the next.
func (t *typeset) join(l line) {
	switch {
	case t.last.hyphen && startsLower(l.text) && !conjunction(l.text):
		// one word
	case t.last.hyphen && conjunction(l.text): // "pre- and post-war"
		t.text.WriteString("- ")
	case t.last.hyphen:
		t.text.WriteByte('-')
	case t.last.row || l.row || itemised(l.text), broken(t.last, l):
		t.text.WriteByte('\n')
	case !spaced(t.last.text, l.text):
		// Chinese and Japanese put nothing between words
	default:
		t.text.WriteByte(' ')
	}
}

// continues says whether a line belongs to the open paragraph.
func (t *typeset) continues(page int, l line) bool {
	a := t.last
	if diff := a.size - l.size; max(diff, -diff) > 0.12*max(a.size, l.size) {
		return false
	}
	if page != t.to || l.bottom > a.bottom+a.size/2 { // the next page or column
		return t.goesOn(l) && !t.isHeading()
	}
	step := a.bottom - l.bottom
	if step < -a.size/2 || step > 1.9*max(l.size, 4) || t.leading > 0 && step > 1.35*t.leading+1 {
		return false
	}
	if a.row && l.row {
		return true
	}
	if a.row != l.row {
		return false
	}
	if step > a.size/2 && (l.left > a.right || l.right < a.left) {
		return false
	}
	if itemised(l.text) {
		return itemised(t.first.text) && t.text.Len() < 1500
	}
	indent := l.left - a.left
	if indent > 0.9*l.size && !itemised(t.first.text) && t.lines > 1 {
		return false // the first line of the next paragraph
	}
	if endsSentence(a.text) && broken(a, l) && (t.leading == 0 || step > 1.1*t.leading || indent > 0.5*l.size) {
		return false // a last line that is not full
	}
	return true
}

// goesOn says that the open paragraph is not over although its column is.
func (t *typeset) goesOn(l line) bool {
	if t.last.row || l.row || itemised(l.text) {
		return false
	}
	if t.last.hyphen {
		return true
	}
	return !endsSentence(t.last.text) && startsLower(l.text)
}

// headingSize is how much larger than the text a heading is at least.
const headingSize = 1.13

// isHeading judges the open paragraph: short, and larger than the text.
func (t *typeset) isHeading() bool {
	text := t.text.String()
	return t.lines <= 3 && len(text) <= 200 && !t.first.margin && t.first.size >= headingSize*t.body && t.body > 0 &&
		!strings.HasSuffix(text, ",") && !t.first.row && strings.ContainsFunc(text, unicode.IsLetter)
}

// end closes the open paragraph and hands it on.
func (t *typeset) end() error {
	if t.lines == 0 {
		return nil
	}
	text := t.text.String()
	if t.last.hyphen {
		text += "-"
	}
	if t.isHeading() {
		t.heading = strings.ReplaceAll(text, "\n", " ")
		text = t.heading
	}
	where := fmt.Sprintf("page %d", t.from)
	if t.to != t.from {
		where = fmt.Sprintf("pages %d–%d", t.from, t.to)
	}
	t.text.Reset()
	t.lines = 0
	return t.put(text, where, t.heading)
}

// itemised says that a line begins a list item: a bullet, or "3." or "b)".
func itemised(s string) bool {
	c, size := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("•‣◦▪■●○–—*·", c) || c >= 0xf000 && c < 0xf100 {
		return true
	}
	if c == '-' {
		return strings.HasPrefix(s[size:], " ")
	}
	digits := strings.TrimLeft(s, "0123456789")
	if n := len(s) - len(digits); n > 0 && n <= 3 {
		return strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")
	}
	return unicode.IsLetter(c) && strings.HasPrefix(s[size:], ") ")
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)]")
	c, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune(".!?…:;。！？：؟۔।", c)
}

func startsLower(s string) bool {
	c, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(c) || unicode.Is(unicode.Lo, c)
}

// conjunction says that a line goes on with a word that follows a hyphen which
// stands for the rest of a word.
func conjunction(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	switch word {
	case "and", "or", "to", "und", "oder", "bzw.", "et", "ou", "y", "o", "e", "en", "of", "i", "och":
		return true
	}
	return false
}

// spaced says that a blank belongs between two lines: not where both ends are of
// a script without blanks.
func spaced(a, b string) bool {
	last, _ := utf8.DecodeLastRuneInString(a)
	first, _ := utf8.DecodeRuneInString(b)
	return !(unspaced(last) && unspaced(first))
}

func unspaced(c rune) bool {
	return unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) ||
		c >= 0x3000 && c <= 0x303f || c >= 0xff00 && c <= 0xff60
}
