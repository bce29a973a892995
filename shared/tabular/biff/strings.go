package biff

import (
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"
)

// Flags of a string ([MS-XLS] 2.5.293).
const (
	flagWide = 0x01 // two bytes a character
	flagExt  = 0x04 // with phonetic text behind it
	flagRich = 0x08 // with the places where the font changes behind it
)

// plainString reads a string that lies in one record: the length in lenBytes,
// flags, characters. It gives what is there of one that is cut short.
func plainString(b []byte, lenBytes int) string {
	if len(b) < lenBytes+1 {
		return ""
	}
	n := int(b[0])
	if lenBytes == 2 {
		n = int(binary.LittleEndian.Uint16(b))
	}
	flags := b[lenBytes]
	b = b[lenBytes+1:]
	if flags&flagRich != 0 {
		b = b[min(2, len(b)):]
	}
	if flags&flagExt != 0 {
		b = b[min(4, len(b)):]
	}
	if flags&flagWide != 0 {
		return wide(b[:min(2*n, len(b))&^1])
	}
	return narrow(nil, b[:min(n, len(b))])
}

// narrow reads characters of one byte: the lower half of UTF-16.
func narrow(buf, b []byte) string {
	buf = buf[:0]
	for _, c := range b {
		buf = utf8.AppendRune(buf, rune(c))
	}
	return string(buf)
}

// sst is the table of the strings that cells share, end to end in one piece.
type sst struct {
	text []byte
	ends []uint32
}

func (s *sst) at(i uint32) (string, bool) {
	if int64(i) >= int64(len(s.ends)) {
		return "", false
	}
	from := uint32(0)
	if i > 0 {
		from = s.ends[i-1]
	}
	return string(s.text[from:s.ends[i]]), true
}

// maxShared bounds the texts of a workbook: a file of 50 MiB holds no more.
const maxShared = 192 << 20

// parts reads over the borders between a record and those that continue it.
type parts struct {
	r    *records
	data []byte // what is left of the present one
}

// more goes on to the record that continues this one.
func (p *parts) more() (bool, error) {
	if p.r.peek() != recContinue {
		return false, nil
	}
	rec, err := p.r.next()
	p.data = rec.data
	return err == nil, err
}

// take gives n bytes that never lie across a border.
func (p *parts) take(n int) ([]byte, error) {
	for len(p.data) == 0 {
		if ok, err := p.more(); err != nil || !ok {
			return nil, orBroken(err)
		}
	}
	if len(p.data) >= n {
		out := p.data[:n]
		p.data = p.data[n:]
		return out, nil
	}
	// Not by the book, yet seen: gather over the border.
	var out []byte
	for len(out) < n {
		if len(p.data) == 0 {
			if ok, err := p.more(); err != nil || !ok {
				return nil, orBroken(err)
			}
			continue
		}
		k := min(n-len(out), len(p.data))
		out = append(out, p.data[:k]...)
		p.data = p.data[k:]
	}
	return out, nil
}

func orBroken(err error) error {
	if err != nil {
		return err
	}
	return broken("its table of texts ends too early")
}

// skip leaves out bytes, over borders.
func (p *parts) skip(n int64) error {
	for n > 0 {
		if len(p.data) == 0 {
			if ok, err := p.more(); err != nil || !ok {
				return orBroken(err)
			}
			continue
		}
		k := min(n, int64(len(p.data)))
		p.data = p.data[k:]
		n -= k
	}
	return nil
}

// readSST reads the table of strings. A string that goes on in the next record
// goes on with a byte of flags of its own: its characters may become wider or
// narrower in the middle ([MS-XLS] 2.4.265). A surrogate pair may be torn apart
// there, hence the units are gathered before they are decoded.
func readSST(r *records, first record) (*sst, error) {
	if err := first.wants(8); err != nil {
		return nil, err
	}
	count := int64(first.u32(4))
	p := &parts{r: r, data: first.data[8:]}
	s := &sst{}
	var units []uint16
	// Some programs count too many, some too few: what is there is read.
	for len(p.data) > 0 || r.peek() == recContinue {
		rest, err := p.string(&units)
		if err != nil {
			if _, bad := Damaged(err); bad && int64(len(s.ends)) >= count {
				break // what fills up the record
			}
			return nil, err
		}
		if s.text = appendUnits(s.text, units); len(s.text) > maxShared || len(s.ends) > maxShared/8 {
			return nil, ErrTooLarge
		}
		s.ends = append(s.ends, uint32(len(s.text)))
		if err := p.skip(rest); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// string reads one string of the table, and says how much of its looks stands
// behind it.
func (p *parts) string(units *[]uint16) (rest int64, err error) {
	head, err := p.take(3)
	if err != nil {
		return 0, err
	}
	n, flags := int(binary.LittleEndian.Uint16(head)), head[2]
	if flags&flagRich != 0 {
		b, err := p.take(2)
		if err != nil {
			return 0, err
		}
		rest = 4 * int64(binary.LittleEndian.Uint16(b))
	}
	if flags&flagExt != 0 {
		b, err := p.take(4)
		if err != nil {
			return 0, err
		}
		rest += int64(binary.LittleEndian.Uint32(b))
	}
	*units, err = p.characters((*units)[:0], n, flags&flagWide != 0)
	return rest, err
}

// characters reads n characters, whose width is told anew after every border.
func (p *parts) characters(units []uint16, n int, wide bool) ([]uint16, error) {
	for n > 0 {
		if len(p.data) == 0 {
			if ok, err := p.more(); err != nil || !ok {
				return nil, orBroken(err)
			}
			if len(p.data) == 0 {
				continue
			}
			wide = p.data[0]&flagWide != 0
			p.data = p.data[1:]
			continue
		}
		if !wide {
			k := min(n, len(p.data))
			for _, c := range p.data[:k] {
				units = append(units, uint16(c))
			}
			p.data, n = p.data[k:], n-k
			continue
		}
		if len(p.data) == 1 { // half a character before a border
			return nil, broken("a text of it is torn apart")
		}
		k := min(n, len(p.data)/2)
		for i := range k {
			units = append(units, binary.LittleEndian.Uint16(p.data[2*i:]))
		}
		p.data, n = p.data[2*k:], n-k
	}
	return units, nil
}

func appendUnits(to []byte, units []uint16) []byte {
	for i := 0; i < len(units); i++ {
		c := rune(units[i])
		if utf16.IsSurrogate(c) {
			next := rune(utf8.RuneError)
			if i+1 < len(units) {
				next = rune(units[i+1])
			}
			if c = utf16.DecodeRune(c, next); c != utf8.RuneError {
				i++
			}
		}
		to = utf8.AppendRune(to, c)
	}
	return to
}
