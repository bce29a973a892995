package tabular

import (
	"context"
	"io"
)

// Reader gives the rows of one table. It is for one goroutine.
type Reader struct {
	kind   Kind
	sheet  string
	sheets []string
	header [][]string
	notes  []string
}

// Open looks at a file of size bytes and gets its header. The kind is told by the
// content; the name only helps where contents look alike. The error is a *Problem
// if the file is to blame, else the input's or the context's, which also ends the
// reading later.
func Open(ctx context.Context, in io.ReaderAt, size int64, o Options) (*Reader, error) {
	return nil, &Problem{Code: CodeUnsupported, Message: "not yet"}
}

// Kind is what the file is.
func (r *Reader) Kind() Kind { return r.kind }

// Sheet is the sheet that is read; empty for CSV.
func (r *Reader) Sheet() string { return r.sheet }

// Sheets names the sheets of a workbook in their order, hidden ones included; nil
// for CSV.
func (r *Reader) Sheets() []string { return r.sheets }

// Header is one or two rows as they stand, cells trimmed, all of the same width:
// the names of the columns, and below them what surveys often put in a second
// row: the options of a question whose name stands once above them, or the
// wording of a question below its code.
func (r *Reader) Header() [][]string { return r.header }

// Next gives the next row that has anything in it, as wide as the header: values
// as a person reads them, trimmed, dates as 2006-01-02 with the time where there
// is one, numbers without the noise of floating point. The slice is good until the
// next call; of a value that is kept, make a copy (strings.Clone), or it keeps its
// whole row in memory. io.EOF ends it.
func (r *Reader) Next() ([]string, error) { return nil, io.EOF }

// Rewind starts over at the first row below the header.
func (r *Reader) Rewind() error { return nil }

// Notes says what was assumed, mended or left out, in words for the user. It is
// whole when Next has given io.EOF.
func (r *Reader) Notes() []string { return r.notes }

// Close lets go of what the reading holds.
func (r *Reader) Close() error { return nil }
