// Package csvdata writes raw data as CSV: UTF-8 with a byte order mark, RFC 4180
// with CRLF, formulas defused (M-224).
package csvdata

import (
	"bufio"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Cell is one value. Build it with Text, Number, Int, Bool or Empty: what a
// number is follows from how it was built, never from how it looks.
type Cell struct {
	text    string
	literal bool // a number or a truth value: never defused
}

// Text is a cell of text that somebody may have written. A text that a
// spreadsheet would run as a formula gets an apostrophe in front.
func Text(s string) Cell { return Cell{text: s} }

// Number is a number in the shortest form that gives it back; one that is no
// number (NaN, infinite) is an empty cell.
func Number(v float64) Cell {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Cell{}
	}
	return Cell{text: strconv.FormatFloat(v, 'f', -1, 64), literal: true}
}

// Int is a whole number.
func Int(v int) Cell { return Cell{text: strconv.Itoa(v), literal: true} }

// Bool is true or false.
func Bool(v bool) Cell { return Cell{text: strconv.FormatBool(v), literal: true} }

// Empty is a missing value.
func Empty() Cell { return Cell{} }

// Table is what a file holds: a header and rows as long as it.
type Table struct {
	Header []string
	Rows   [][]Cell
}

const bom = "\uFEFF"

// Write writes the table. Equal tables give equal bytes. Line breaks inside a
// text are written as CRLF, whatever they were.
func Write(w io.Writer, t Table) error {
	if len(t.Header) == 0 {
		return fmt.Errorf("csvdata: the table has no columns")
	}
	buf := bufio.NewWriter(w)
	if _, err := buf.WriteString(bom); err != nil {
		return err
	}
	out := csv.NewWriter(buf)
	out.UseCRLF = true
	record := make([]string, len(t.Header))
	put := func() error {
		if len(record) == 1 && record[0] == "" { // a bare line break would be no record at all
			out.Flush()
			_, err := buf.WriteString("\"\"\r\n")
			return err
		}
		return out.Write(record)
	}
	for i, h := range t.Header {
		record[i] = Defuse(h)
	}
	if err := put(); err != nil {
		return err
	}
	for n, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("csvdata: row %d has %d cells for %d columns", n, len(row), len(t.Header))
		}
		for i, c := range row {
			if c.literal {
				record[i] = c.text
			} else {
				record[i] = Defuse(c.text)
			}
		}
		if err := put(); err != nil {
			return err
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return err
	}
	return buf.Flush()
}

// Defuse puts an apostrophe before a text that a spreadsheet would take for a
// formula: it starts with = + - @, a tab or a line break, or a full-width form
// of those signs (OWASP, CSV injection). It also makes the text valid UTF-8 and
// its line breaks plain.
func Defuse(s string) string {
	danger := false
	if s != "" {
		switch []rune(s[:min(len(s), 4)])[0] {
		case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠':
			danger = true
		}
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(strings.ToValidUTF8(s, "\uFFFD"))
	if danger {
		return "'" + s
	}
	// What was removed may have hidden a sign.
	if s != "" && strings.ContainsRune("=+-@\t\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
