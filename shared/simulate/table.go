package simulate

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
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
	head   int             // the line that names the columns
	label  map[string]bool // what the row is about, by classes
	names  map[string]bool // of its columns
	said   string          // the label as it stands
	values []float64       // of its columns, NaN where a cell is no plain number
	of     *table
}

// table is a run of rows under one line that names their columns.
type table struct {
	first   map[string]bool   // what its rows are of, by classes
	columns []map[string]bool // the further columns
	titles  []string
	rows    []int // lines
	whole   bool  // nothing of it is cut off, as far as the passage tells
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
	t := &table{first: classes(lang, columns[0]), titles: columns[1:]}
	for _, c := range columns[1:] {
		t.columns = append(t.columns, classes(lang, c))
	}
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
		l.row = &row{head: len(p.lines) - n, label: classes(lang, label), names: names, said: label, of: t}
		cells := cellsOf(text)
		for _, c := range cells[len(cells)-len(t.columns):] {
			l.row.values = append(l.row.values, figureOf(c))
		}
		for _, of := range []map[string]bool{l.row.label, names, t.first} {
			for k := range of {
				l.has[k] = true
			}
		}
		t.rows = append(t.rows, len(p.lines))
		p.lines = append(p.lines, l)
	}
	return n
}

// cutOff marks the tables that go on in another passage: it stands under the
// line that names their columns.
func cutOff(pages []*page, all []Passage) {
	for _, p := range pages {
		for _, l := range p.lines {
			if l.row == nil || !l.row.of.whole || p.lines[l.row.of.rows[0]].row != l.row {
				continue
			}
			head := p.lines[l.row.head].text
			for _, other := range all {
				if other.ID == p.ID && other.Heading == head {
					l.row.of.whole = false
					break
				}
			}
		}
	}
}

var plainFigure = expression.Of(`^[-−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)%?$`)

// figureOf reads a cell as a number; NaN where it may be read in two ways, as
// "1,5" may.
func figureOf(cell string) float64 {
	if !plainFigure.MatchString(cell) {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(strings.NewReplacer(",", "", "%", "", "−", "-").Replace(cell), 64)
	if err != nil {
		return math.NaN()
	}
	return v
}

// sums are the labels of rows that are none of the others.
var sums = wordSet("total totals sum all overall average mean median subtotal gesamt insgesamt summe durchschnitt ensemble somme moyenne suma promedio media toplam ortalama 合计 总计 平均 合計 合计 합계 평균 المجموع المتوسط الإجمالي")

// mostRows is how many rows of a table are quoted to show which of them stands at
// an end.
const mostRows = 12

// peak gives the line that stands alone at an end of a column; -1 where the
// table is cut off or too long to be shown, a cell is no number, or two tie.
func (p *page) peak(t *table, column int, up bool) int {
	if !t.whole || len(t.rows) < 2 || len(t.rows) > mostRows {
		return -1
	}
	best, at, tied := 0.0, -1, false
	for _, i := range t.rows {
		r := p.lines[i].row
		if sums[strings.ToLower(strings.Fields(r.said + " ?")[0])] {
			continue
		}
		v := r.values[column]
		switch {
		case math.IsNaN(v):
			return -1
		case at < 0 || up && v > best || !up && v < best:
			best, at, tied = v, i, false
		case v == best:
			tied = true
		}
	}
	if tied {
		return -1
	}
	return at
}

// measuredBy are the classes of columns by which an order is told.
var measuredBy = map[order][]string{
	byAge: {"old", "age"}, byWeight: {"heavy", "weight"}, bySound: {"loud", "noise"}, byPrice: {"cost", "price"},
	byLength: {"length", "duration", "long"}, bySpeed: {"speed"}, byQuality: {"score", "rate", "rating", "grade", "mark"},
	byHeat: {"temperatur"}, byDistance: {"distanc"}, byWidth: {"width"},
}

// columnAtEnd is the column of which a question asks for an end; -1 where it is
// not plain.
func (q query) columnAtEnd(t *table) int {
	found := -1
	for i, c := range t.columns {
		hit := false
		for _, x := range q.terms { // "charged fastest" asks for no price
			hit = hit || c[x.kin] && (q.wants.end.order == byAmount || q.wants.end.order == byQuality)
		}
		for _, k := range measuredBy[q.wants.end.order] {
			hit = hit || c[k]
		}
		if hit && found >= 0 {
			return -1
		}
		if hit {
			found = i
		}
	}
	return found
}

// fitsPeak wants a row to be the one at the end of the column that is asked for,
// and all else of the question in the table or what it stands under.
func (q query) fitsPeak(p *page, at int, l line) bool {
	t := l.row.of
	column := q.columnAtEnd(t)
	if column < 0 || q.wants.end.order == byTime || q.you || q.negated || q.closed || q.rising != 0 || p.peak(t, column, q.wants.end.up) != at {
		return false
	}
	for _, x := range q.terms {
		_, isEnd := endOf(x.kin)
		if x.weight >= 1 && !t.columns[column][x.kin] && !t.first[x.kin] && !p.around[x.kin] && !counting[x.kin] && !isEnd {
			return false
		}
	}
	for _, of := range [][]string{q.names, q.years} {
		for _, n := range of {
			if !t.columns[column][n] && !t.first[n] && !p.around[n] {
				return false
			}
		}
	}
	return true
}

// counting are verbs that tables leave out.
var counting = wordSet("travel carry count record regist register list")

// fitsRow wants all of the question in a row, its columns and what the table
// stands under, and the row to be about what is asked: a row of another month
// answers nothing.
func (q query) fitsRow(p *page, at int, l line) bool {
	if q.wants.end != nil {
		return q.fitsPeak(p, at, l)
	}
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
