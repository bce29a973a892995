// Package tabular reads tables from files of strangers as rows of strings: CSV in
// whatever encoding and with whatever delimiter, XLSX and XLS. One reader stands
// for all of them, and it streams: what it holds does not grow with the rows.
//
// A file that cannot be read gives a *Problem, whose message says what is wrong
// and what to do about it. Workbooks are read by a process of their own, within
// the time and memory of Options (see package extract); a program that is to read
// them imports shared/extract/parsers for its effect.
package tabular

import (
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// Kind is what a file is, by its content.
type Kind string

// The kinds of files that hold tables.
const (
	CSV  Kind = "csv" // any delimiter
	XLSX Kind = "xlsx"
	XLS  Kind = "xls" // Excel 97 to 2003
)

// Options bounds one reading. What is zero is the default of the same name.
type Options struct {
	Name       string // of the file as the caller gave it, for messages and as a hint
	MaxBytes   int64  // of the file
	MaxRows    int    // rows of respondents, header left out
	MaxColumns int
	// Sheet is the sheet of a workbook to read. Empty: the first visible one that
	// holds a table.
	Sheet string
	// Time bounds one pass over a workbook, Memory what reading it holds.
	Time   time.Duration
	Memory int64
}

// What Options leaves at zero (section 23 of the rules).
const (
	DefaultMaxBytes   = 50 << 20
	DefaultMaxRows    = 200_000
	DefaultMaxColumns = 2_000
	DefaultTime       = 60 * time.Second
	DefaultMemory     = 320 << 20
)

// Problem says why a file cannot be read.
type Problem = extract.Problem

// The codes of a Problem.
const (
	CodePassword       = extract.CodePassword    // the file is encrypted
	CodeDamaged        = extract.CodeDamaged     // it is not built as its kind demands
	CodeTooLarge       = extract.CodeTooLarge    // more bytes or memory than is allowed
	CodeTimeout        = extract.CodeTimeout     // more time than is allowed
	CodeEmpty          = extract.CodeNoText      // there are no rows
	CodeMislabelled    = extract.CodeMislabelled // no table at all, whatever its name says
	CodeUnsupported    = extract.CodeUnsupported // a kind, a version or an encoding without a reader
	CodeNoSheet        = extract.CodeNoSheet     // no sheet of the name that was asked for
	CodeTooManyRows    = "too_many_rows"         // above MaxRows
	CodeTooManyColumns = "too_many_columns"      // above MaxColumns
)
