package parsers

import (
	"cmp"
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// Places in the file information block of Word 97 to 2003 (MS-DOC 2.5).
const (
	fibMagic      = 0xa5ec
	fibFlags      = 0x0a
	fibEncrypted  = 0x0100
	fibTable1     = 0x0200
	fibCounts     = 0x4c  // ccpText and the six that follow
	fibParagraphs = 0x102 // fcPlcfBtePapx, lcbPlcfBtePapx
	fibPieces     = 0x1a2 // fcClx, lcbClx
	fibEnd        = 0x1aa
	fibOldest     = 0x00c1 // nFib of Word 97
)

// readDOC reads the text of Word 97 to 2003: the pieces of the main text, then of
// footnotes, comments, endnotes and text boxes.
func readDOC(_ context.Context, f *file) (extract.Info, error) {
	streams, names, err := f.compound("WordDocument", "0Table", "1Table", summary)
	if err != nil {
		return extract.Info{}, err
	}
	main := streams["WordDocument"]
	if main == nil {
		return extract.Info{}, f.notWord(names)
	}
	le := binary.LittleEndian
	if len(main) < fibEnd || le.Uint16(main) != fibMagic {
		return extract.Info{}, f.damaged("it is no whole Word document")
	}
	if le.Uint16(main[2:]) < fibOldest {
		return extract.Info{}, f.problem(extract.CodeUnsupported, "was written by a Word of before 1997. Save it as .docx and send that.")
	}
	flags := le.Uint16(main[fibFlags:])
	if flags&fibEncrypted != 0 {
		return extract.Info{}, f.problem(extract.CodePassword, "is protected with a password. Save a copy without one and send that.")
	}
	table := streams["0Table"]
	if flags&fibTable1 != 0 {
		table = streams["1Table"]
	}
	d := &wordBinary{f: f, main: main, table: table}
	if !d.readPieces() {
		return extract.Info{}, f.damaged("its table of pieces is not whole")
	}
	d.readMarks()
	from := uint32(0)
	for i, where := range []string{"", "footnotes", "-", "-", "comments", "endnotes", "text boxes"} {
		n := le.Uint32(main[fibCounts+4*i:])
		if n > uint32(len(main)) || from+n > uint32(len(main)) {
			return extract.Info{}, f.damaged("it is cut short")
		}
		if where != "-" { // headers, and a count that is not used
			if err := d.text(from, from+n, where); err != nil {
				return extract.Info{}, err
			}
		}
		from += n
	}
	return about(streams[summary]), nil
}

// summary is the stream that holds what a document says about itself.
const summary = "SummaryInformation"

// wordBinary is a document in the making.
type wordBinary struct {
	f           *file
	main, table []byte
	pieces      []piece
	marks       []span // by place in main

	para    strings.Builder
	row     []string
	heading string
	fields  []bool // of the fields that are open: whether their result has begun
}

// piece is a run of characters that stand together in the file.
type piece struct {
	from, to uint32 // characters
	at       uint32 // byte in the main stream
	narrow   bool   // one byte each, in windows-1252
}

// span is a run of bytes that holds a paragraph of a special kind.
type span struct {
	from, to uint32
	heading  bool
	rowEnd   bool // the mark that ends a table row
}

// stretch is a part of the table stream that the information block names.
func (d *wordBinary) stretch(at int) []byte {
	from, n := binary.LittleEndian.Uint32(d.main[at:]), binary.LittleEndian.Uint32(d.main[at+4:])
	if uint64(from)+uint64(n) > uint64(len(d.table)) {
		return nil
	}
	return d.table[from : from+n]
}

// readPieces reads the piece table (MS-DOC 2.9.38, 2.9.177).
func (d *wordBinary) readPieces() bool {
	clx := d.stretch(fibPieces)
	for len(clx) >= 3 && clx[0] == 1 { // properties
		n := 3 + int(binary.LittleEndian.Uint16(clx[1:]))
		if n > len(clx) {
			return false
		}
		clx = clx[n:]
	}
	if len(clx) < 5 || clx[0] != 2 {
		return false
	}
	size := binary.LittleEndian.Uint32(clx[1:])
	clx = clx[5:]
	if size < 4 || uint64(size) > uint64(len(clx)) {
		return false
	}
	n := (int(size) - 4) / 12
	for i := range n {
		entry := clx[4*(n+1)+8*i:]
		p := piece{from: binary.LittleEndian.Uint32(clx[4*i:]), to: binary.LittleEndian.Uint32(clx[4*i+4:])}
		at := binary.LittleEndian.Uint32(entry[2:])
		p.at, p.narrow = at&^(1<<30), at&(1<<30) != 0
		width := uint64(2)
		if p.narrow {
			p.at, width = p.at/2, 1
		}
		if p.to < p.from || uint64(p.at)+uint64(p.to-p.from)*width > uint64(len(d.main)) {
			return false
		}
		d.pieces = append(d.pieces, p)
	}
	return n > 0
}

// readMarks finds the paragraphs in the styles Heading 1 to 9, which have the
// numbers 1 to 9 in every file, and the ends of table rows (MS-DOC 2.9.260,
// 2.9.114). What is not whole is left out: the text can be read without.
func (d *wordBinary) readMarks() {
	le := binary.LittleEndian
	plc := d.stretch(fibParagraphs)
	n := (len(plc) - 4) / 8
	for i := range max(0, n) {
		page := uint64(le.Uint32(plc[4*(n+1)+4*i:])&0x3fffff) * 512
		if page+512 > uint64(len(d.main)) {
			break
		}
		fkp := d.main[page : page+512]
		runs := int(fkp[511])
		if 4*(runs+1)+13*runs > 511 {
			break
		}
		for r := range runs {
			at := 2 * int(fkp[4*(runs+1)+13*r])
			if at == 0 || at+4 > 511 {
				continue
			}
			style, size := at+1, 2*int(fkp[at])-1
			if fkp[at] == 0 {
				style, size = at+2, 2*int(fkp[at+1])
			}
			if size < 2 || style+size > 511 {
				continue
			}
			istd := le.Uint16(fkp[style:])
			m := span{le.Uint32(fkp[4*r:]), le.Uint32(fkp[4*r+4:]), istd >= 1 && istd <= 9, endsRow(fkp[style+2 : style+size])}
			if m.heading || m.rowEnd {
				d.marks = append(d.marks, m)
			}
		}
	}
	slices.SortFunc(d.marks, func(a, b span) int { return cmp.Compare(a.from, b.from) })
}

// endsRow looks for sprmPFTtp in the properties of a paragraph. Bits 13 to 15 of
// a property's number give the size of its value (MS-DOC 2.2.5.1).
func endsRow(properties []byte) bool {
	const sprmPFTtp = 0x2417
	for len(properties) >= 3 {
		sprm := binary.LittleEndian.Uint16(properties)
		if sprm == sprmPFTtp {
			return properties[2] == 1
		}
		size := 1
		switch sprm >> 13 {
		case 2, 4, 5:
			size = 2
		case 3:
			size = 4
		case 7:
			size = 3
		case 6:
			size = 1 + int(properties[2])
			if sprm == 0xd608 { // sprmTDefTable counts with two bytes
				if len(properties) < 4 {
					return false
				}
				size = 1 + int(binary.LittleEndian.Uint16(properties[2:]))
			}
		}
		if 2+size > len(properties) {
			return false
		}
		properties = properties[2+size:]
	}
	return false
}

// mark is what is special about the paragraph that ends at a byte.
func (d *wordBinary) mark(at uint32) span {
	i, found := slices.BinarySearchFunc(d.marks, at, func(s span, at uint32) int {
		switch {
		case at < s.from:
			return 1
		case at >= s.to:
			return -1
		}
		return 0
	})
	if !found {
		return span{}
	}
	return d.marks[i]
}

// text hands on the characters from one to another.
func (d *wordBinary) text(from, to uint32, where string) error {
	d.fields = d.fields[:0]
	var high rune
	for _, p := range d.pieces {
		for c := max(p.from, from); c < min(p.to, to); c++ {
			at := p.at + (c - p.from)
			var r rune
			if p.narrow {
				r = charmap.Windows1252.DecodeByte(d.main[at])
			} else {
				at = p.at + 2*(c-p.from)
				r = rune(binary.LittleEndian.Uint16(d.main[at:]))
				if utf16.IsSurrogate(r) {
					if high == 0 {
						high = r
						continue
					}
					r = utf16.DecodeRune(high, r)
				}
			}
			high = 0
			if err := d.char(r, at, where); err != nil {
				return err
			}
		}
	}
	if len(d.row) > 0 {
		if err := d.endRow(where); err != nil {
			return err
		}
	}
	return d.end(false, where)
}

// char takes a character; those below the blank are marks (MS-DOC 2.4.1).
func (d *wordBinary) char(r rune, at uint32, where string) error {
	switch r {
	case 0x13: // a field begins, with its code
		d.fields = append(d.fields, false)
		return nil
	case 0x14: // its result follows
		if n := len(d.fields); n > 0 {
			d.fields[n-1] = true
		}
		return nil
	case 0x15:
		if n := len(d.fields); n > 0 {
			d.fields = d.fields[:n-1]
		}
		return nil
	case 0x0d, 0x0c, 0x0e:
		d.fields = d.fields[:0]
		return d.end(d.mark(at).heading, where)
	case 0x07: // a cell ends, or the row after its last cell
		d.fields = d.fields[:0]
		text := strings.Join(strings.Fields(d.para.String()), " ")
		d.para.Reset()
		if d.mark(at).rowEnd || len(d.row) >= 63 { // Word's most columns
			return d.endRow(where)
		}
		d.row = append(d.row, text)
		return nil
	}
	for _, result := range d.fields {
		if !result {
			return nil
		}
	}
	switch {
	case r == 0x0b:
		d.para.WriteByte('\n')
	case r == 0x1e:
		d.para.WriteByte('-')
	case r == '\t':
		d.para.WriteByte(' ')
	case r >= ' ':
		d.para.WriteRune(r)
	}
	return nil
}

func (d *wordBinary) endRow(where string) error {
	text := strings.Trim(strings.Join(d.row, " | "), " |")
	d.row = d.row[:0]
	return d.f.put(text, where, d.heading)
}

func (d *wordBinary) end(heading bool, where string) error {
	if len(d.row) > 0 && d.para.Len() > 0 { // a paragraph inside a cell
		d.para.WriteByte(' ')
		return nil
	}
	text := strings.TrimSpace(d.para.String())
	d.para.Reset()
	if heading && text != "" {
		d.heading = strings.Join(strings.Fields(text), " ")
		text = d.heading
	}
	return d.f.put(text, where, d.heading)
}
