package simulate

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostColumns bounds what is taken for the names of columns.
const mostColumns = 12

// cellsOf are the words of a line of a table. Files that lay tables out by gaps
// mark the wide ones alone ("Month | Passengers Share"), so a cell is a word.
func cellsOf(line string) []string {
	cells := strings.FieldsFunc(line, func(r rune) bool { return unicode.IsSpace(r) || r == '|' })
	out := cells[:0]
	for _, c := range cells {
		if c == "%" && len(out) > 0 { // of the figure before it
			out[len(out)-1] += c
			continue
		}
		out = append(out, c)
	}
	return out
}

// columnNames are those of a line that can be the head of a table: words without
// figures and without the end of a sentence.
func columnNames(line string) []string {
	first, _ := utf8.DecodeRuneInString(line)
	if !unicode.IsLetter(first) || titleLike.MatchString(line) || strings.ContainsAny(line, "0123456789;,") {
		return nil
	}
	cells := cellsOf(line)
	if len(cells) < 2 || len(cells) > mostColumns {
		return nil
	}
	return cells
}

// rowOf parts a row under columns: what it is about, and a figure for each
// further column. ok is false where the two do not come out even: which figure
// stands in which column is then not known, and is not guessed.
func rowOf(line string, columns []string) (label string, ok bool) {
	cells := cellsOf(line)
	n := len(columns) - 1
	if n < 1 || len(cells) <= n {
		return "", false
	}
	at := len(cells) - n
	for _, c := range cells[at:] {
		if !strings.ContainsAny(c, "0123456789") {
			return "", false
		}
	}
	for _, c := range cells[:at] {
		if strings.ContainsAny(c, "0123456789") && (at > 1 || !isYear(c)) {
			return "", false // more figures than columns
		}
	}
	return strings.Join(cells[:at], " "), !titleLike.MatchString(line)
}

// row is what a line of a table says beside its figures.
type row struct {
	head  int             // the line that names the columns
	label map[string]bool // what the row is about, by classes
	names map[string]bool // of its columns
}

func classes(lang, text string) map[string]bool {
	out := map[string]bool{}
	for i, w := range words(phrased(text)) {
		w.proper = w.proper || i == 0 && w.text == "may"
		if !w.stop || w.proper {
			out[kinIn(lang, w)] = true
		}
	}
	return out
}

// tableFrom reads the rows under a line that names columns, from place at on, and
// gives how many they are; none where it is no head of a table.
func (p *page) tableFrom(lang, head string, lines []string) int {
	columns := columnNames(head)
	if columns == nil {
		return 0
	}
	n := 0
	names := classes(lang, strings.Join(columns[1:], " "))
	for _, text := range lines {
		label, ok := rowOf(text, columns)
		if !ok {
			break
		}
		if n == 0 {
			p.lines = append(p.lines, line{text: head, heads: true})
		}
		n++
		l := readLine(lang, text, voice{})
		l.row = &row{head: len(p.lines) - n, label: classes(lang, label), names: names}
		for _, of := range []map[string]bool{l.row.label, names, classes(lang, columns[0])} {
			for k := range of {
				l.has[k] = true
			}
		}
		p.lines = append(p.lines, l)
	}
	return n
}

// counting are verbs that tables leave out.
var counting = wordSet("travel carry count record regist register list")

// fitsRow wants all of the question in a row, its columns and what the table
// stands under, and the row to be about what is asked: a row of another month
// answers nothing.
func (q query) fitsRow(p *page, l line) bool {
	switch q.asks {
	case asksAmount, asksOften, asksWhat, asksHow, asksAny:
	default:
		return false
	}
	if q.you || q.negated || q.rising != 0 || wantsPrice.MatchString(fold(q.text)) && !money.MatchString(fold(p.lines[l.row.head].text+" "+l.text)) {
		return false
	}
	column := false
	asked := map[string]bool{}
	for _, t := range q.terms {
		asked[t.kin] = true
		column = column || l.row.names[t.kin]
		if t.weight >= 1 && !l.has[t.kin] && !p.around[t.kin] && !counting[t.kin] {
			return false
		}
	}
	for _, of := range [][]string{q.names, q.years} {
		for _, n := range of {
			asked[n] = true
			if !l.has[n] && !p.around[n] {
				return false
			}
		}
	}
	for k := range l.row.label {
		if !asked[k] {
			return false
		}
	}
	return column && len(l.row.label) > 0
}
