package tabular

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// Reader gives the rows of one table. It is for one goroutine.
type Reader struct {
	kind   Kind
	o      Options
	from   source
	layout layout
	ahead  [][]string // rows that were looked at and not given yet
	row    []string
	commas []bool // columns whose numbers have a decimal comma; nil: none
	given  int
	count  counts
}

// counts are the rows that are not quite as the others.
type counts struct {
	blank, repeated, short, long int
	firstLong                    int
}

// Open looks at a file of size bytes and gets its header. The kind is told by the
// content; the name only helps where contents look alike. The error is a *Problem
// if the file is to blame, else the input's or the context's, which also ends the
// reading later.
func Open(ctx context.Context, in io.ReaderAt, size int64, o Options) (*Reader, error) {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	o.MaxRows = cmp.Or(o.MaxRows, DefaultMaxRows)
	o.MaxColumns = cmp.Or(o.MaxColumns, DefaultMaxColumns)
	o.Time = cmp.Or(o.Time, DefaultTime)
	o.Memory = cmp.Or(o.Memory, DefaultMemory)
	if size > o.MaxBytes {
		return nil, problem(CodeTooLarge, o, "is larger than %d MiB. Leave columns or rows out.", o.MaxBytes>>20)
	}
	head := make([]byte, min(size, 4096))
	if _, err := in.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	kind, err := kindOf(head, o)
	if err != nil {
		return nil, err
	}
	r := &Reader{kind: kind, o: o}
	if kind == CSV {
		r.from, err = openText(ctx, in, size, o)
	} else {
		r.from, err = openBook(ctx, in, size, kind, o)
	}
	if err != nil {
		return nil, err
	}
	if err := r.look(); err != nil {
		r.from.close()
		return nil, err
	}
	return r, nil
}

// compoundMagic begins the files that hold workbooks of Excel 97 to 2003.
const compoundMagic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// kindOf tells what a file is by its first bytes.
func kindOf(head []byte, o Options) (Kind, error) {
	has := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case len(bytes.TrimSpace(head)) == 0:
		return "", problem(CodeEmpty, o, "is empty. Check that it was saved and sent whole, and send it again.")
	case has(compoundMagic):
		return XLS, nil
	case has("PK\x03\x04"), has("PK\x05\x06"):
		return XLSX, nil
	case has("\x09\x00\x04\x00"), has("\x09\x02\x06\x00"), has("\x09\x04\x06\x00"), has("\x09\x08\x08\x00"), has("\x09\x08\x10\x00"):
		return "", problem(CodeUnsupported, o, "is a workbook of Excel 95 or older. Save it as .xlsx or CSV and send that.")
	case has("\x1f\x8b"), has("7z\xbc\xaf"), has("Rar!"), has("BZh9"), has("\xfd7zXZ"):
		return "", problem(CodeMislabelled, o, "is packed. Unpack it and send the .xlsx, .xls or CSV file in it.")
	case has("%PDF-"), has("\x89PNG"), has("\xff\xd8\xff"), has("GIF8"), has("$FL2@(#)"), has("$FL3@(#)"):
		return "", problem(CodeMislabelled, o, "is no table, whatever its name says. Send a .xlsx, .xls or CSV file.")
	}
	return CSV, nil
}

// problem words a refusal as package extract does.
func problem(code string, o Options, format string, args ...any) *Problem {
	return extract.NewProblem(code, extract.Options{Filename: o.Name}, format, args...)
}

// look reads ahead to find the header.
func (r *Reader) look() error {
	held := 0
	for len(r.ahead) < lookRows && held < lookBytes {
		row, err := r.from.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if fill(row) == 0 {
			r.count.blank++
			continue
		}
		row = slices.Clone(row)
		for _, c := range row {
			held += len(c) + 16
		}
		r.ahead = append(r.ahead, row)
	}
	if len(r.ahead) == 0 {
		return problem(CodeEmpty, r.o, "holds no rows. Check that it was saved with its content and send it again.")
	}
	r.layout = layoutOf(slices.Clone(r.ahead))
	l := r.layout
	if l.width > r.o.MaxColumns {
		return problem(CodeTooManyColumns, r.o, "has %d columns; at most %d are read. Leave columns out.", l.width, r.o.MaxColumns)
	}
	r.ahead = r.ahead[l.skipped:]
	if text, ok := r.from.(*textSource); ok && text.comma != ',' {
		r.commas = decimalColumns(r.ahead, l.width)
	}
	r.row = make([]string, l.width)
	return nil
}

// Kind is what the file is.
func (r *Reader) Kind() Kind { return r.kind }

// Sheet is the sheet that is read; empty for CSV.
func (r *Reader) Sheet() string {
	if b, ok := r.from.(*bookSource); ok {
		return b.book.Sheet
	}
	return ""
}

// Sheets names the sheets of a workbook in their order, hidden ones included; nil
// for CSV.
func (r *Reader) Sheets() []string {
	if b, ok := r.from.(*bookSource); ok {
		return b.book.Sheets
	}
	return nil
}

// Header is one or two rows as they stand, cells trimmed, all of the same width:
// the names of the columns, and below them what surveys often put in a second
// row: the options of a question whose name stands once above them, or the
// wording of a question below its code.
func (r *Reader) Header() [][]string { return r.layout.header }

// Next gives the next row that has anything in it, as wide as the header: values
// as a person reads them, trimmed, dates as 2006-01-02 with the time where there
// is one, numbers without the noise of floating point. The slice is good until the
// next call; of a value that is kept, make a copy (strings.Clone), or it keeps its
// whole row in memory. io.EOF ends it.
func (r *Reader) Next() ([]string, error) {
	for {
		row, err := r.raw()
		if err != nil {
			return nil, err
		}
		switch last := lastFilled(row); {
		case last == 0:
			r.count.blank++
			continue
		case r.isHeader(row):
			r.count.repeated++
			continue
		case last > r.layout.width:
			if last > maxFields || last > 10*max(r.o.MaxColumns, r.layout.width) {
				return nil, problem(CodeTooManyColumns, r.o, "has a row with %d values; at most %d columns are read. Leave columns out.", last, r.o.MaxColumns)
			}
			if r.count.long++; r.count.firstLong == 0 {
				r.count.firstLong = r.given + 1
			}
		case len(row) < r.layout.width && r.kind == CSV:
			r.count.short++
		}
		if r.given++; r.given > r.o.MaxRows {
			return nil, problem(CodeTooManyRows, r.o, "has more than %d rows. Send the rows of completed interviews only, or split the file.", r.o.MaxRows)
		}
		clear(r.row)
		copy(r.row, row)
		for i, is := range r.commas {
			if is {
				r.row[i] = pointed(r.row[i])
			}
		}
		return r.row, nil
	}
}

// raw gives the next row as it stands.
func (r *Reader) raw() ([]string, error) {
	if len(r.ahead) > 0 {
		row := r.ahead[0]
		r.ahead = r.ahead[1:]
		return row, nil
	}
	return r.from.next()
}

// isHeader recognises the header where it stands again, as in files that were put
// together.
func (r *Reader) isHeader(row []string) bool {
	h := r.layout.header[0]
	if r.layout.names || len(row) < len(h) || fill(h) < 2 {
		return false
	}
	return slices.Equal(row[:len(h)], h)
}

// Rewind starts over at the first row below the header.
func (r *Reader) Rewind() error {
	r.ahead, r.given, r.count = nil, 0, counts{}
	if err := r.from.rewind(); err != nil {
		return err
	}
	for skip := r.layout.skipped; skip > 0; {
		row, err := r.from.next()
		if err != nil {
			return err
		}
		if fill(row) > 0 {
			skip--
		}
	}
	return nil
}

// Notes says what was assumed, mended or left out, in words for the user. It is
// whole when Next has given io.EOF.
func (r *Reader) Notes() []string {
	out := slices.Concat(r.from.notes(), r.layout.notes)
	note := func(n int, format string, args ...any) {
		if n > 0 {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	if r.commas != nil {
		out = append(out, "Numbers with a decimal comma are read with a point.")
	}
	note(r.count.blank, "Blank rows are left out: %d.", r.count.blank)
	note(r.count.repeated, "Rows that repeat the names of the columns are left out: %d.", r.count.repeated)
	note(r.count.short, "Rows with fewer cells than there are columns are filled up with empty ones: %d.", r.count.short)
	note(r.count.long, "Rows with more values than there are columns lose the last ones: %d, the first of them is row %d below the names.", r.count.long, r.count.firstLong)
	return out
}

// Close lets go of what the reading holds.
func (r *Reader) Close() error {
	r.from.close()
	return nil
}
