package tabular

import (
	"regexp"
	"strconv"
	"strings"
)

// layout is where the rows of respondents begin, and how wide they are.
type layout struct {
	preamble int // rows above the header
	header   [][]string
	skipped  int // rows from the top that are no respondents, header included
	width    int
	names    bool // the first column has values and no place in the header
	notes    []string
}

const (
	lookRows  = 200
	lookBytes = 2 << 20
	// maxPreamble is how many rows of titles and the like may stand above a header.
	maxPreamble = 20
)

// layoutOf reads the first rows of a table.
func layoutOf(rows [][]string) layout {
	var l layout
	typical := typicalFill(rows)
	for l.preamble < min(maxPreamble, len(rows)-2) && fill(rows[l.preamble]) <= 2 && typical >= 3 && fill(rows[l.preamble])*2 < typical {
		l.preamble++
	}
	if l.preamble > 0 {
		l.notes = append(l.notes, "Rows above the names of the columns are left out: "+strconv.Itoa(l.preamble)+".")
	}
	rest := rows[l.preamble:]
	l.header = rest[:1]
	if len(rest) > 2 && secondHeader(rest) {
		l.header = rest[:2]
	}
	l.skipped = l.preamble + len(l.header)
	// Survey tools put a row of machine-readable ids below the wording.
	if body := rows[l.skipped:]; len(body) > 1 && importIDs(body[0]) {
		l.skipped++
	}
	l.measure(rows[l.skipped:])
	return l
}

// typicalFill is the most common number of values in a row.
func typicalFill(rows [][]string) int {
	n := map[int]int{}
	best := 0
	for _, r := range rows {
		f := fill(r)
		if n[f]++; n[f] > n[best] || n[f] == n[best] && f > best {
			best = f
		}
	}
	return best
}

func fill(row []string) int {
	n := 0
	for _, c := range row {
		if c != "" {
			n++
		}
	}
	return n
}

// answerWords are what survey tools write below a question that has one column.
var answerWords = map[string]bool{"response": true, "open-ended response": true, "open ended response": true, "antwort": true, "réponse": true, "respuesta": true}

// code is a name that a program gave to a column, such as Q4_1 or q0007_0003.
var code = regexp.MustCompile(`^[\pL_][\pL\pN_.\-#$]{0,31}$`)

// secondHeader says whether the second row still is header: its values are no
// numbers, they do not come again below, as answers do, and there is a sign of how
// surveys write two rows: words such as Response, gaps of the first row that it
// fills, or codes above wordings.
func secondHeader(rows [][]string) bool {
	first, second, body := rows[0], rows[1], rows[2:]
	filled, fresh, numbers, gaps, words, wordings, codes := 0, 0, 0, 0, 0, 0, 0
	for i, c := range second {
		if c == "" {
			continue
		}
		filled++
		above := ""
		if i < len(first) {
			above = first[i]
		}
		switch {
		case answerWords[strings.ToLower(c)]:
			words++
		case numeric(c):
			numbers++
			continue
		}
		if above == "" && i > 0 {
			gaps++
		}
		if code.MatchString(above) {
			codes++
			if strings.Contains(c, " ") && len(c) > 12 {
				wordings++
			}
		}
		if !again(body, i, c) {
			fresh++
		}
	}
	if filled < 2 || numbers*20 > filled {
		return false
	}
	switch {
	case words*4 >= filled, words > 0 && gaps > 0:
		return true
	case gaps > 0 && gaps*10 >= filled:
		return fresh*5 >= filled*3 && len(body) >= 3
	case codes*10 >= filled*9 && wordings*2 >= filled:
		return fresh*10 >= filled*9
	}
	return false
}

func again(body [][]string, i int, c string) bool {
	for _, row := range body {
		if i < len(row) && row[i] == c {
			return true
		}
	}
	return false
}

func numeric(c string) bool {
	if _, err := strconv.ParseFloat(strings.Replace(strings.TrimRight(c, "%"), ",", ".", 1), 64); err == nil {
		return true
	}
	digits := 0
	for i := range len(c) {
		switch {
		case c[i] >= '0' && c[i] <= '9':
			digits++
		case strings.IndexByte("-/.: ", c[i]) < 0:
			return false
		}
	}
	return digits > 0 // a date
}

func importIDs(row []string) bool {
	n := 0
	for _, c := range row {
		if strings.HasPrefix(c, `{"ImportId"`) {
			n++
		}
	}
	return n > 0 && n*2 >= fill(row)
}

// measure finds how wide the rows are, and whether each begins with a name that
// the header has no place for, as R writes tables.
func (l *layout) measure(body [][]string) {
	head := 0
	for _, h := range l.header {
		head = max(head, lastFilled(h))
	}
	widths := map[int]int{}
	for _, row := range body {
		if w := lastFilled(row); w > 0 {
			widths[w]++
		}
	}
	rows, wider, most := 0, 0, head
	for w, n := range widths {
		rows += n
		if w > head {
			wider += n
		}
	}
	if len(l.header) == 1 && rows >= 3 && widths[head+1]*10 >= rows*9 && wider == widths[head+1] {
		l.names = true
		l.notes = append(l.notes, "The names of the columns begin one column to the right: the first column has no name.")
		most = head + 1
	} else if wider*10 >= rows {
		for w, n := range widths {
			if n*20 >= rows {
				most = max(most, w)
			}
		}
	}
	l.width = most
	for i, h := range l.header {
		row := make([]string, l.width)
		if l.names {
			copy(row[1:], h)
		} else {
			copy(row, h)
		}
		l.header[i] = row
	}
}

func lastFilled(row []string) int {
	for i := len(row); i > 0; i-- {
		if row[i-1] != "" {
			return i
		}
	}
	return 0
}
