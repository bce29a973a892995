package tabular

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/mindgate-dev/mindgate/shared/tabular/cell"
)

// source gives the rows of a table as they stand, with cells cleaned; blank rows
// may be among them. A slice is good until the next row.
type source interface {
	next() ([]string, error)
	rewind() error
	notes() []string
	close()
}

// textSource is a table in a text file.
type textSource struct {
	ctx  context.Context
	in   io.ReaderAt
	size int64
	o    Options
	charset
	dialect
	skip   int // bytes of text before the rows
	rows   *delimited
	read   int
	mended int // cells with bytes that were no UTF-8
	said   []string
}

func openText(ctx context.Context, in io.ReaderAt, size int64, o Options) (*textSource, error) {
	s := &textSource{ctx: ctx, in: in, size: size, o: o}
	var err error
	s.charset, err = charsetOf(ctx, in, size)
	if errors.Is(err, errNoise) {
		return nil, problem(CodeMislabelled, o, "holds binary data and no table that can be read. Send a .xlsx, .xls or CSV file.")
	}
	if err != nil {
		return nil, err
	}
	sample := make([]byte, sampleBytes)
	n, err := io.ReadFull(s.charset.reader(in, size), sample)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	sample = sample[:n]
	if p := noTable(sample, o); p != nil {
		return nil, p
	}
	var note string
	s.dialect, s.skip, note = dialectOf(sample, err != nil)
	for _, n := range []string{s.charset.note, note} {
		if n != "" {
			s.said = append(s.said, n)
		}
	}
	return s, s.rewind()
}

// noTable refuses texts that are known to be something else.
func noTable(sample []byte, o Options) *Problem {
	start := strings.ToLower(strings.TrimSpace(string(sample[:min(len(sample), 1024)])))
	switch {
	case strings.HasPrefix(start, "<?xml") || strings.HasPrefix(start, "<workbook") || strings.HasPrefix(start, "<ss:workbook"):
		return problem(CodeMislabelled, o, "holds XML, whatever its name says. Open it in a spreadsheet program, save it as .xlsx or CSV and send that.")
	case strings.HasPrefix(start, "<!doctype") || strings.HasPrefix(start, "<html") || strings.HasPrefix(start, "<table") || strings.HasPrefix(start, "<meta") || strings.HasPrefix(start, "<head"):
		return problem(CodeMislabelled, o, "holds a web page (HTML), whatever its name says. Open it in a spreadsheet program, save it as .xlsx or CSV and send that.")
	case strings.HasPrefix(start, "mime-version:"):
		return problem(CodeMislabelled, o, "holds a web archive (MHTML), whatever its name says. Open it in a spreadsheet program, save it as .xlsx or CSV and send that.")
	case strings.HasPrefix(start, "{\\rtf"):
		return problem(CodeMislabelled, o, "holds a text document (RTF), whatever its name says. Send a .xlsx, .xls or CSV file.")
	}
	return nil
}

func (s *textSource) rewind() error {
	in := s.charset.reader(s.in, s.size)
	if s.skip > 0 {
		if _, err := io.CopyN(io.Discard, in, int64(s.skip)); err != nil {
			return err
		}
	}
	s.rows, s.read, s.mended = &delimited{in: in, dialect: s.dialect}, 0, 0
	return nil
}

func (s *textSource) next() ([]string, error) {
	if s.read%1024 == 0 && s.ctx.Err() != nil {
		return nil, context.Cause(s.ctx)
	}
	s.read++
	cells, err := s.rows.next()
	switch {
	case errors.Is(err, errFields):
		return nil, problem(CodeTooManyColumns, s.o, "has a row with more than %d values. Leave columns out.", maxFields)
	case errors.Is(err, errRecord):
		return nil, problem(CodeTooLarge, s.o, "has a row of more than %d MB. Check how its rows are divided.", maxRecord>>20)
	case err != nil:
		return nil, err
	}
	for i, c := range cells {
		if !utf8.ValidString(c) {
			c = mend(c)
			s.mended++
		}
		cells[i] = cell.Text(c)
	}
	return cells, nil
}

// mend reads the bytes that are no UTF-8 as Windows-1252.
func mend(s string) string {
	var b strings.Builder
	for len(s) > 0 {
		c, n := utf8.DecodeRuneInString(s)
		if c == utf8.RuneError && n == 1 {
			c = charmap.Windows1252.DecodeByte(s[0])
		}
		b.WriteRune(c)
		s = s[n:]
	}
	return b.String()
}

func (s *textSource) notes() []string {
	out := s.said
	if s.mended > 0 {
		out = append(out[:len(out):len(out)], fmt.Sprintf("Cells with bytes that are no UTF-8, read as Windows-1252: %d.", s.mended))
	}
	if s.rows.Stray > 0 {
		out = append(out[:len(out):len(out)], "Some quotes stand where the rules of CSV have none; they are taken as part of their values.")
	}
	return out
}

func (s *textSource) close() {}
