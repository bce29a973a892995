package parsers

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
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

// edge is how many lines at the top and at the bottom of a page can be running
// headers and footers.
const edge = 2

// repeated is on how many pages a line must stand to be a running one.
const repeated = 3

// withoutRunning leaves out headers and footers: lines that stand at the same
// place at the edge of several pages and say the same, but for numbers.
func (t *typeset) withoutRunning(pages []sheet) []sheet {
	keys := make([][]string, len(pages))
	for n, p := range pages {
		keys[n] = make([]string, len(p.lines))
		order := make([]int, len(p.lines))
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int {
			switch {
			case p.lines[a].top > p.lines[b].top:
				return -1
			case p.lines[a].top < p.lines[b].top:
				return 1
			}
			return 0
		})
		seen := map[string]bool{}
		for rank, i := range order {
			if rank >= edge && rank < len(order)-edge {
				continue
			}
			key := runningKey(p.lines[i])
			keys[n][i] = key
			for _, k := range []string{key, countingKey(p.number, p.lines[i])} {
				if k != "" && !seen[k] {
					seen[k] = true
					t.running[k]++
				}
			}
		}
	}
	out := make([]sheet, len(pages))
	for n, p := range pages {
		out[n] = sheet{number: p.number, lines: make([]line, 0, len(p.lines))}
		for i, l := range p.lines {
			key := keys[n][i]
			if key != "" {
				// Large print with a number may be a heading of its own on every page.
				repeats := t.running[key] >= repeated || t.running[countingKey(p.number, l)] > repeated
				numbered := strings.ContainsFunc(l.text, unicode.IsDigit) && l.size >= headingSize*t.body
				if repeats && !numbered || isPageNumber(l.text, p.number) {
					continue
				}
			}
			out[n].lines = append(out[n].lines, l)
		}
	}
	return out
}

// runningKey is the same for lines that stand at the same height and differ in
// numbers only; "0" in it stands for a number.
func runningKey(l line) string {
	var b strings.Builder
	number := false
	for _, c := range l.text {
		if unicode.IsDigit(c) {
			if !number {
				b.WriteByte('0')
			}
			number = true
			continue
		}
		number = false
		b.WriteRune(unicode.ToLower(c))
	}
	return fmt.Sprintf("%s@%d", b.String(), int(l.top/4))
}

// countingKey is the same for lines at the same height that end or begin with a
// number which grows with the page, whatever else they say; empty for others.
func countingKey(page int, l line) string {
	for _, word := range []string{lastWord(l.text), firstWord(l.text)} {
		if n, err := strconv.Atoi(word); err == nil && n > 0 && len(word) < 6 {
			return fmt.Sprintf("%d+%d", n-page, int(l.top/4))
		}
	}
	return ""
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

var pageNumber = regexp.MustCompile(`^(?i:[-–—•|\s]*(?:page|seite|página|pagina|p\.|s\.|страница|стр\.|第)?\s*(\d{1,5})\s*(?:(?:of|von|de|di|van|из|/)\s*\d{1,5})?\s*页?[-–—•|\s]*)$`)

// isPageNumber says that a line at the edge of a page is its number.
func isPageNumber(text string, page int) bool {
	m := pageNumber.FindStringSubmatch(text)
	return m != nil && m[1] == strconv.Itoa(page)
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
