package tabular

import (
	"bytes"
	"errors"
	"io"
)

// dialect is how a text is divided into rows and cells.
type dialect struct {
	comma byte
	cr    bool // rows end with CR alone
	slash bool // a quote in a quoted value stands behind a backslash
}

const (
	// maxRecord is the longest row that is held; a quote that is open for longer
	// was none.
	maxRecord = 4 << 20
	// maxFields is more columns than any table has.
	maxFields = 16_384
	// openQuotes is after how many quotes that never close a quote may hold no line
	// break any more: each costs maxRecord to find out.
	openQuotes = 3
)

var (
	errFields = errors.New("tabular: too many fields in a row")
	errRecord = errors.New("tabular: a row is too long")
)

// delimited reads rows of text in UTF-8. Quotes are those of RFC 4180; what
// stands there against it is taken as a person would: a quote inside a value is a
// quote, one that never closes is part of its value.
type delimited struct {
	in io.Reader
	dialect
	buf   []byte
	at    int // of what is left in buf
	end   bool
	lines bool // a quote holds no line break
	opens int  // quotes that never closed

	record []byte // of the present row, cells end to end
	ends   []int
	cells  []string

	Stray int // quotes that stood against the rules
}

// next gives the next row, blank ones included; io.EOF after the last. The slice
// is good until the next row; its strings share one piece of memory.
func (d *delimited) next() ([]string, error) {
	literal := -1
	for {
		n, open, err := d.parse(d.buf[d.at:], literal)
		switch {
		case err != nil:
			return nil, err
		case n >= 0:
			d.at += n
			return d.split(), nil
		case d.end && open < 0 && d.at == len(d.buf):
			return nil, io.EOF
		case d.end || len(d.buf)-d.at >= maxRecord:
			if open < 0 {
				return nil, errRecord
			}
			// The quote never closes.
			literal = open
			d.Stray++
			if d.opens++; d.opens >= openQuotes {
				d.lines = true
			}
			continue
		}
		if err := d.fill(); err != nil {
			return nil, err
		}
	}
}

// fill reads more behind what is left.
func (d *delimited) fill() error {
	left := len(d.buf) - d.at
	switch {
	case d.buf == nil:
		d.buf = make([]byte, 0, 256<<10)
	case d.at > 0:
		copy(d.buf, d.buf[d.at:])
		d.buf, d.at = d.buf[:left], 0
	}
	if left == cap(d.buf) {
		d.buf = append(make([]byte, 0, 2*cap(d.buf)), d.buf...)
	}
	n, err := io.ReadFull(d.in, d.buf[left:cap(d.buf)])
	d.buf = d.buf[:left+n]
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		d.end = true
		return nil
	}
	return err
}

// parse reads a row at the beginning of b into the record. It gives the bytes
// that the row takes, or -1 when it goes on behind b, and then where in b the
// quote stands that is open, -1 for none. The quote at literal is none.
func (d *delimited) parse(b []byte, literal int) (n, open int, err error) {
	d.record, d.ends = d.record[:0], d.ends[:0]
	if len(b) == 0 {
		return -1, -1, nil
	}
	i := 0
	for {
		if len(d.ends) >= maxFields {
			return 0, 0, errFields
		}
		start := i
		for start < len(b) && b[start] == ' ' { // blanks before a quote
			start++
		}
		if start < len(b) && b[start] == '"' && start > literal {
			end, closed := d.quoted(b, start)
			if !closed {
				if d.lines && end < len(b) { // a line break came first: no quote
					literal = start
					d.Stray++
					continue
				}
				return -1, start, nil
			}
			i = end
		} else {
			i = d.plain(b, i)
		}
		d.ends = append(d.ends, len(d.record))
		if i == len(b) {
			if !d.end {
				return -1, -1, nil
			}
			return i, -1, nil
		}
		switch b[i] {
		case d.comma:
			i++
			if i == len(b) && d.end { // an empty value at the very end
				d.ends = append(d.ends, len(d.record))
				return i, -1, nil
			}
		case '\r':
			if i+1 == len(b) && !d.end {
				return -1, -1, nil
			}
			if i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
			return i + 1, -1, nil
		default:
			return i + 1, -1, nil
		}
	}
}

// plain reads a value without quotes up to what ends it.
func (d *delimited) plain(b []byte, i int) int {
	for start := i; ; i++ {
		if i == len(b) || b[i] == d.comma || b[i] == '\n' || b[i] == '\r' && d.breaks(b, i) {
			d.record = append(d.record, b[start:i]...)
			return i
		}
	}
}

// breaks says whether a CR ends a row: one alone only where rows end so.
func (d *delimited) breaks(b []byte, i int) bool {
	return d.cr || i+1 == len(b) || b[i+1] == '\n'
}

// quoted reads a value whose quote stands at i, up to what ends it behind the
// closing quote. closed is false when the quote does not close in b, or in its
// line where it must; end then is where that was seen.
func (d *delimited) quoted(b []byte, i int) (end int, closed bool) {
	from := len(d.record)
	line := len(b)
	if d.lines {
		if k := bytes.IndexAny(b[i:], "\r\n"); k >= 0 {
			line = i + k
		}
	}
	for i++; ; {
		j := bytes.IndexByte(b[i:], '"')
		if line < len(b) && (j < 0 || i+j > line) {
			d.record = d.record[:from]
			return line, false
		}
		if j < 0 {
			d.record = d.record[:from]
			return len(b), false
		}
		d.record = append(d.record, b[i:i+j]...)
		i += j + 1
		if d.slash && j > 0 && b[i-2] == '\\' {
			d.record[len(d.record)-1] = '"'
			continue
		}
		after := i
		for after < len(b) && b[after] == ' ' && d.comma != ' ' {
			after++
		}
		switch {
		case i < len(b) && b[i] == '"':
			d.record = append(d.record, '"')
			i++
		case after == len(b) && !d.end:
			d.record = d.record[:from]
			return len(b), false
		case after == len(b) || b[after] == d.comma || b[after] == '\n' || b[after] == '\r':
			return after, true
		default:
			d.record = append(d.record, '"')
			d.Stray++
		}
	}
}

// split gives the cells of the record.
func (d *delimited) split() []string {
	all := string(d.record)
	d.cells = d.cells[:0]
	from := 0
	for _, to := range d.ends {
		d.cells = append(d.cells, all[from:to])
		from = to
	}
	return d.cells
}
