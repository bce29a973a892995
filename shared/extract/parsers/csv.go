package parsers

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// plainText opens a file as UTF-8, whatever its encoding.
func (f *file) plainText() (io.Reader, *bool, error) {
	text, legacy, err := extract.UTF8(f.in)
	switch {
	case errors.Is(err, extract.ErrNotText):
		err = f.problem(extract.CodeMislabelled, "holds binary data, whatever its name says. Export it again as UTF-8 text.")
	case errors.Is(err, extract.ErrEncoding):
		err = f.problem(extract.CodeUnsupported, "is in an encoding that cannot be told. Save it as UTF-8 and send it again.")
	}
	return text, legacy, err
}

func noted(info extract.Info, legacy *bool) extract.Info {
	if *legacy {
		info.Notes = append(info.Notes, extract.NoteLegacy)
	}
	return info
}

// maxColumns is more than any table for people has.
const maxColumns = 20_000

// readCSV makes a block of every row, its values named by the first row, so that
// a row says by itself what it is about.
func readCSV(_ context.Context, f *file) (extract.Info, error) {
	text, legacy, err := f.plainText()
	if err != nil {
		return extract.Info{}, err
	}
	buffered := bufio.NewReaderSize(text, 64<<10)
	head, err := buffered.Peek(16 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return extract.Info{}, err
	}
	in := csv.NewReader(buffered)
	in.Comma = separator(head)
	in.FieldsPerRecord = -1
	in.LazyQuotes = true
	in.ReuseRecord = true
	var names []string
	for row := 1; ; row++ {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			if names != nil && row == 2 { // a single row names nothing
				err = f.put(strings.Join(names, "; "), "row 1", "")
			} else {
				err = nil
			}
			return noted(extract.Info{}, legacy), err
		}
		var bad *csv.ParseError
		switch {
		case errors.As(err, &bad):
			return extract.Info{}, f.damaged(fmt.Sprintf("line %d is not CSV (%s)", bad.Line, bad.Err))
		case errors.Is(err, extract.ErrNotText):
			return extract.Info{}, f.damaged(fmt.Sprintf("after row %d it holds binary data", row-1))
		case err != nil:
			return extract.Info{}, err
		case len(record) > maxColumns:
			return extract.Info{}, f.problem(extract.CodeTooLarge, "has %d columns; at most %d are read. Leave columns out.", len(record), maxColumns)
		}
		if names == nil {
			names = make([]string, len(record))
			for i, n := range record {
				names[i] = strings.TrimSpace(strings.Clone(n))
			}
			continue
		}
		if err := f.put(named(names, record), fmt.Sprintf("row %d", row), ""); err != nil {
			return noted(extract.Info{}, legacy), err
		}
	}
}

func named(names, record []string) string {
	var b strings.Builder
	for i, v := range record {
		if v = strings.TrimSpace(v); v == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("; ")
		}
		if i < len(names) && names[i] != "" {
			b.WriteString(names[i] + ": ")
		}
		b.WriteString(v)
	}
	return b.String()
}

// separator finds what divides the columns: the sign that the first lines have
// equally often, outside of quotes. A comma if none does.
func separator(head []byte) rune {
	lines := bytes.Split(head, []byte("\n"))
	if len(lines) > 1 {
		lines = lines[:len(lines)-1] // cut off
	}
	lines = lines[:min(len(lines), 20)]
	best, most := ',', 0
	for _, sep := range ",;\t|" {
		least := -1
		for _, line := range lines {
			if len(bytes.TrimSpace(line)) == 0 {
				continue
			}
			n, quoted := 0, false
			for _, c := range string(line) {
				switch {
				case c == '"':
					quoted = !quoted
				case c == sep && !quoted:
					n++
				}
			}
			if least < 0 || n < least {
				least = n
			}
		}
		if least > most {
			best, most = sep, least
		}
	}
	return best
}
