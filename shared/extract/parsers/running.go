package parsers

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

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
			if !t.apart(p.lines, order, rank) {
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

// apart says that a line is at the edge of a page and set off from the text: by
// a gap, or by its size.
func (t *typeset) apart(lines []line, order []int, rank int) bool {
	l := lines[order[rank]]
	top, bottom := rank < edge, rank >= len(order)-edge
	if top || bottom {
		if diff := l.size - t.body; max(diff, -diff) > 0.08*t.body {
			return true
		}
	}
	for at := rank; top && at < edge && at+1 < len(order); at++ {
		if lines[order[at]].bottom-lines[order[at+1]].top > 0.6*l.size {
			return true
		}
	}
	for at := rank; bottom && at >= len(order)-edge && at > 0; at-- {
		if lines[order[at-1]].bottom-lines[order[at]].top > 0.6*l.size {
			return true
		}
	}
	return len(order) == 1
}

// runningKey is the same for lines that stand at the same height and differ in
// numbers only; "0" in it stands for a number.
func runningKey(l line) string {
	var b strings.Builder
	number := false
	for _, c := range withoutRoman(l.text) {
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

var romanNumber = regexp.MustCompile(`^[ivxlc]{1,7}\s|\s[ivxlc]{1,7}$|^[ivxlc]{1,7}$`)

// withoutRoman writes 0 for the small Roman number of a page of front matter.
func withoutRoman(text string) string { return romanNumber.ReplaceAllString(text, " 0 ") }

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
