package biff

import (
	"errors"
	"io"
	"math"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/tabular/cell"
)

// Sheet is one sheet of a workbook.
type Sheet struct {
	Name   string
	Hidden bool
	Table  bool  // a worksheet; charts and macros are none
	Bytes  int64 // that it takes in the file
	at     int64
}

// Book is a workbook.
type Book struct {
	Sheets []Sheet
	// Errors is, after Rows, how many cells hold an error such as #N/A. They count
	// as empty.
	Errors int

	in       *stream
	shared   *sst
	shapes   []cell.Shape // by the index of a cell's format
	from1904 bool
}

// Open reads what a workbook says of itself. The error is one of this package, or
// the input's.
func Open(in io.ReaderAt, size int64) (*Book, error) {
	c, err := openCompound(in, size)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"EncryptedPackage", "EncryptionInfo"} {
		if _, ok, _ := c.find(name); ok {
			return nil, ErrEncrypted
		}
	}
	s, ok, err := c.find("Workbook")
	switch {
	case err != nil:
		return nil, err
	case !ok:
		if _, ok, _ := c.find("Book"); ok {
			return nil, ErrOld
		}
		return nil, ErrNoWorkbook
	}
	b := &Book{in: s}
	return b, b.globals()
}

// globals reads the part of the workbook that is about all of it.
func (b *Book) globals() error {
	r := &records{in: b.in, size: b.in.size}
	if err := begins(r, kindGlobals); err != nil {
		return err
	}
	formats := map[uint16]cell.Shape{}
	var styles []uint16
	for {
		rec, err := r.next()
		if errors.Is(err, io.EOF) || err == nil && rec.id == recEOF {
			break
		}
		if err != nil {
			return err
		}
		switch rec.id {
		case recFilePass:
			return ErrEncrypted
		case recDate1904:
			b.from1904 = rec.u16(0) == 1
		case recFormat:
			if len(rec.data) > 2 {
				formats[rec.u16(0)] = cell.Format(plainString(rec.data[2:], 2))
			}
		case recXF:
			styles = append(styles, rec.u16(2))
		case recBoundSheet:
			if err := rec.wants(8); err != nil {
				return err
			}
			b.Sheets = append(b.Sheets, Sheet{
				Name: plainString(rec.data[6:], 1), Hidden: rec.data[4]&3 != 0, Table: rec.data[5] == 0, at: int64(rec.u32(0)),
			})
		case recSST:
			if b.shared, err = readSST(r, rec); err != nil {
				return err
			}
		}
	}
	for _, format := range styles {
		shape, own := formats[format]
		if !own {
			shape = cell.Builtin(int(format))
		}
		b.shapes = append(b.shapes, shape)
	}
	if len(b.Sheets) == 0 {
		return broken("it has no sheets")
	}
	b.measure()
	return nil
}

// measure finds what each sheet takes: they lie one after the other.
func (b *Book) measure() {
	starts := make([]int64, 0, len(b.Sheets)+1)
	for _, s := range b.Sheets {
		starts = append(starts, s.at)
	}
	starts = append(starts, b.in.size)
	slices.Sort(starts)
	for i, s := range b.Sheets {
		n, _ := slices.BinarySearch(starts, s.at+1)
		if n < len(starts) {
			b.Sheets[i].Bytes = starts[n] - s.at
		}
	}
}

// begins reads the first record of a part, which says its version and its kind.
func begins(r *records, kind uint16) error {
	rec, err := r.next()
	if errors.Is(err, io.EOF) {
		return broken("a part of it is missing")
	}
	switch {
	case err != nil:
		return err
	case rec.id == 0x0009 || rec.id == 0x0209 || rec.id == 0x0409, rec.id == recBOF && rec.u16(0) < versionBIFF8:
		return ErrOld
	case rec.id != recBOF:
		return broken("a part of it does not begin as it should")
	case rec.u16(2) != kind:
		return broken("a part of it is of another kind than it should be")
	}
	return nil
}

// Rows hands on the rows of a sheet that have a value, from the top, each up to
// its last value. The slice is good until the next row.
func (b *Book) Rows(sheet int, each func(cells []string) error) error {
	s := b.Sheets[sheet]
	ordered, err := b.ordered(s)
	if err != nil {
		return err
	}
	b.Errors = 0
	out := &rowBuffer{each: each}
	if !ordered {
		out.all = map[uint16][]placed{}
	}
	if err := b.cells(s, out.put); err != nil {
		return err
	}
	return out.end()
}

// ordered looks whether the rows of a sheet stand in their order, as they do in
// what nearly every program writes.
func (b *Book) ordered(s Sheet) (bool, error) {
	last, ordered := uint16(0), true
	err := b.walk(s, func(_ *records, rec record) error {
		switch rec.id {
		case recLabelSST, recLabel, recRString, recNumber, recRK, recMulRK, recBoolErr, recFormula:
			ordered = ordered && rec.u16(0) >= last
			last = rec.u16(0)
		}
		return nil
	})
	return ordered, err
}

// walk goes through the records of a sheet, what is embedded in it left out.
func (b *Book) walk(s Sheet, visit func(*records, record) error) error {
	if s.at >= b.in.size {
		return broken("a sheet lies behind its end")
	}
	r := &records{in: b.in, at: s.at, size: b.in.size}
	if err := begins(r, kindWorksheet); err != nil {
		return err
	}
	for depth := 0; ; {
		rec, err := r.next()
		if errors.Is(err, io.EOF) {
			return broken("a sheet of it has no end")
		}
		if err != nil {
			return err
		}
		switch {
		case rec.id == recBOF:
			depth++
		case rec.id == recEOF && depth == 0:
			return nil
		case rec.id == recEOF:
			depth--
		case depth == 0:
			if err := visit(r, rec); err != nil {
				return err
			}
		}
	}
}

// cells hands on the values of a sheet in the order in which they stand there.
func (b *Book) cells(s Sheet, put func(row, col uint16, text string) error) error {
	return b.walk(s, func(r *records, rec record) error {
		row, col, xf := rec.u16(0), rec.u16(2), rec.u16(4)
		switch rec.id {
		case recLabelSST:
			if err := rec.wants(10); err != nil {
				return err
			}
			if b.shared == nil {
				return broken("its table of texts is missing")
			}
			text, ok := b.shared.at(rec.u32(6))
			if !ok {
				return broken("a cell names a text that is not there")
			}
			return put(row, col, text)
		case recLabel, recRString:
			if err := rec.wants(9); err != nil {
				return err
			}
			return put(row, col, plainString(rec.data[6:], 2))
		case recNumber:
			if err := rec.wants(14); err != nil {
				return err
			}
			return put(row, col, b.number(float(rec.data[6:]), xf))
		case recRK:
			if err := rec.wants(10); err != nil {
				return err
			}
			return put(row, col, b.number(rk(rec.u32(6)), xf))
		case recMulRK:
			for at := 4; at+6 <= len(rec.data)-2; at += 6 {
				if err := put(row, col, b.number(rk(rec.u32(at+2)), rec.u16(at))); err != nil {
					return err
				}
				col++
			}
		case recBoolErr:
			if err := rec.wants(8); err != nil {
				return err
			}
			if rec.data[7] != 0 {
				b.Errors++
				return nil
			}
			return put(row, col, boolean(rec.data[6]))
		case recFormula:
			if err := rec.wants(14); err != nil {
				return err
			}
			text, err := b.cached(r, [8]byte(rec.data[6:14]), xf)
			if err != nil {
				return err
			}
			return put(row, col, text)
		}
		return nil
	})
}

// cached is the value that a formula had when the workbook was saved ([MS-XLS]
// 2.5.133).
func (b *Book) cached(r *records, value [8]byte, xf uint16) (string, error) {
	if value[6] != 0xff || value[7] != 0xff {
		return b.number(float(value[:]), xf), nil
	}
	switch value[0] {
	case 0:
		return followingString(r)
	case 1:
		return boolean(value[2]), nil
	case 2:
		b.Errors++
	}
	return "", nil
}

// followingString reads the text of a formula, which stands in a record of its
// own behind it, behind what tables and shared formulas put between.
func followingString(r *records) (string, error) {
	for {
		switch r.peek() {
		case 0x0221, 0x04bc, 0x0236, 0x0021: // array, shared formula, table
			if _, err := r.next(); err != nil {
				return "", err
			}
			continue
		case recString:
		default:
			return "", nil
		}
		rec, err := r.next()
		if err != nil {
			return "", err
		}
		if err := rec.wants(3); err != nil {
			return "", err
		}
		p := &parts{r: r, data: rec.data[3:]}
		units, err := p.characters(nil, int(rec.u16(0)), rec.data[2]&flagWide != 0)
		return string(appendUnits(nil, units)), err
	}
}

func (b *Book) number(f float64, xf uint16) string {
	if int(xf) < len(b.shapes) {
		return cell.Moment(f, b.shapes[xf], b.from1904)
	}
	return cell.Number(f)
}

// rk is a number in 30 bits and two flags: whole or the upper half of a floating
// point number, as it is or a hundredth of it ([MS-XLS] 2.5.217).
func rk(v uint32) float64 {
	f := float64(int32(v) >> 2)
	if v&2 == 0 {
		f = math.Float64frombits(uint64(v&^3) << 32)
	}
	if v&1 != 0 {
		f /= 100
	}
	return f
}

func float(b []byte) float64 {
	bits := uint64(0)
	for i := 7; i >= 0; i-- {
		bits = bits<<8 | uint64(b[i])
	}
	return math.Float64frombits(bits)
}

func boolean(b byte) string {
	if b != 0 {
		return "TRUE"
	}
	return "FALSE"
}
