package biff

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"unicode/utf16"
)

// magic begins a compound file.
const magic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Numbers that stand for no sector ([MS-CFB] 2.1).
const (
	lastSector = 0xfffffffa // of the regular ones
	endOfChain = 0xfffffffe
	noStream   = 0xffffffff
)

const (
	headerSize  = 512
	entrySize   = 128
	inHeader    = 109 // sectors of the FAT that the header lists
	miniCutoff  = 4096
	maxEntries  = 100_000
	kindStorage = 1
	kindStream  = 2
	kindRoot    = 5
)

// compound is a compound file: a file system in a file. Sectors are read as they
// are needed; only the tables that chain them are held, which take one 128th of
// the file.
type compound struct {
	in      io.ReaderAt
	size    int64
	sector  int64 // bytes of one: 512 or 4096
	mini    int64 // bytes of a small one: 64
	fat     []uint32
	miniFAT []uint32
	small   stream // holds the small sectors
	entries []entry
}

// entry is a stream or a folder in it.
type entry struct {
	name  string
	kind  byte
	first uint32
	size  int64
	left  uint32
	right uint32
	child uint32
}

// openCompound reads the tables of a compound file.
func openCompound(in io.ReaderAt, size int64) (*compound, error) {
	var head [headerSize]byte
	if err := readAt(in, head[:], 0); err != nil {
		return nil, err
	}
	shift, miniShift := binary.LittleEndian.Uint16(head[30:]), binary.LittleEndian.Uint16(head[32:])
	switch {
	case string(head[:8]) != magic:
		return nil, broken("it does not begin as a compound file does")
	case shift != 9 && shift != 12 || miniShift != 6:
		return nil, broken("its sectors have a size that none have")
	}
	c := &compound{in: in, size: size, sector: 1 << shift, mini: 1 << miniShift}
	if err := c.readFAT(head[:]); err != nil {
		return nil, err
	}
	if err := c.readEntries(binary.LittleEndian.Uint32(head[48:])); err != nil {
		return nil, err
	}
	root := c.entries[0]
	chain, err := c.chain(root.first, (root.size+c.sector-1)/c.sector)
	if err != nil {
		return nil, err
	}
	c.small = stream{c: c, sectors: chain, unit: c.sector, size: root.size}
	miniChain, err := c.chain(binary.LittleEndian.Uint32(head[60:]), -1)
	if err != nil {
		return nil, err
	}
	table := make([]byte, int64(len(miniChain))*c.sector)
	if _, err := (&stream{c: c, sectors: miniChain, unit: c.sector, size: int64(len(table))}).ReadAt(table, 0); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	c.miniFAT = numbers(table)
	return c, nil
}

// readFAT gathers the table that says which sector follows which: the header
// lists its first sectors, a chain of sectors of its own lists the others.
func (c *compound) readFAT(head []byte) error {
	list := numbers(head[76:])
	next := binary.LittleEndian.Uint32(head[68:])
	buf := make([]byte, c.sector)
	for hops := int64(0); next <= lastSector; hops++ {
		if hops > c.size/c.sector/(c.sector/4-1)+1 {
			return broken("the list of its tables goes round in circles")
		}
		if err := c.readSector(buf, next); err != nil {
			return err
		}
		more := numbers(buf)
		list = append(list, more[:len(more)-1]...)
		next = more[len(more)-1]
	}
	most := c.size/c.sector + 1
	for _, at := range list {
		if at > lastSector {
			continue
		}
		if int64(len(c.fat)) > most {
			break // more links than sectors: the rest leads nowhere
		}
		if err := c.readSector(buf, at); err != nil {
			return err
		}
		c.fat = append(c.fat, numbers(buf)...)
	}
	if len(c.fat) == 0 {
		return broken("it has no table of its sectors")
	}
	return nil
}

// readEntries reads the directory.
func (c *compound) readEntries(first uint32) error {
	chain, err := c.chain(first, -1)
	if err != nil {
		return err
	}
	buf := make([]byte, c.sector)
	for _, at := range chain {
		if err := c.readSector(buf, at); err != nil {
			return err
		}
		for e := buf; len(e) >= entrySize; e = e[entrySize:] {
			n := min(int(binary.LittleEndian.Uint16(e[64:])), 64)
			size := int64(binary.LittleEndian.Uint64(e[120:]))
			if c.sector == headerSize {
				size &= 0xffffffff // the upper half is not set by all programs
			}
			c.entries = append(c.entries, entry{
				name: wide(e[:max(0, n-2)&^1]), kind: e[66], first: binary.LittleEndian.Uint32(e[116:]), size: size,
				left: binary.LittleEndian.Uint32(e[68:]), right: binary.LittleEndian.Uint32(e[72:]), child: binary.LittleEndian.Uint32(e[76:]),
			})
		}
		if len(c.entries) > maxEntries {
			return ErrTooLarge
		}
	}
	if len(c.entries) == 0 || c.entries[0].kind != kindRoot {
		return broken("its directory has no root")
	}
	return nil
}

// chain lists the sectors that follow a first one: want of them, or all up to the
// end when want is negative. One that is shorter ends early: a program that cuts
// the last sector short is forgiven, reading then says what is missing.
func (c *compound) chain(first uint32, want int64) ([]uint32, error) {
	var out []uint32
	for at := first; at <= lastSector && (want < 0 || int64(len(out)) < want); at = c.fat[at] {
		if int64(at) >= int64(len(c.fat)) {
			return nil, broken("a chain of its sectors leads outside")
		}
		if len(out) > len(c.fat) {
			return nil, broken("a chain of its sectors goes round in circles")
		}
		out = append(out, at)
	}
	return out, nil
}

// readSector fills buf from a sector; what lies behind the end of the file is
// zero in the last one.
func (c *compound) readSector(buf []byte, at uint32) error {
	off := (int64(at) + 1) * c.sector
	if off >= c.size {
		return broken("a sector lies behind its end")
	}
	n, err := c.in.ReadAt(buf, off)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	clear(buf[n:])
	return nil
}

// find gives the stream of a name at the top of the file, whatever the case of
// its letters.
func (c *compound) find(name string) (*stream, bool, error) {
	for _, e := range c.top() {
		if e.kind != kindStream || !strings.EqualFold(e.name, name) {
			continue
		}
		if e.size > c.size {
			return nil, false, broken("it is cut short")
		}
		if e.size >= miniCutoff {
			chain, err := c.chain(e.first, (e.size+c.sector-1)/c.sector)
			return &stream{c: c, sectors: chain, unit: c.sector, size: e.size}, true, err
		}
		s := &stream{c: c, unit: c.mini, size: e.size, within: &c.small}
		for at := e.first; int64(len(s.sectors))*c.mini < e.size; at = c.miniFAT[at] {
			if int64(at) >= int64(len(c.miniFAT)) {
				return nil, false, broken("a chain of its small sectors leads outside")
			}
			s.sectors = append(s.sectors, at)
		}
		return s, true, nil
	}
	return nil, false, nil
}

// top lists the entries beside each other below the root.
func (c *compound) top() []entry {
	var out []entry
	seen := make([]bool, len(c.entries))
	todo := []uint32{c.entries[0].child}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if at == noStream || int64(at) >= int64(len(c.entries)) || seen[at] {
			continue
		}
		seen[at] = true
		e := c.entries[at]
		out = append(out, e)
		todo = append(todo, e.left, e.right)
	}
	return out
}

// stream is a file in the compound file.
type stream struct {
	c       *compound
	sectors []uint32
	unit    int64 // bytes of a sector
	size    int64
	within  *stream // where small sectors lie
}

// ReadAt is that of io.ReaderAt. A stream whose chain is too short for its size
// is cut short.
func (s *stream) ReadAt(p []byte, off int64) (int, error) {
	done := 0
	for done < len(p) {
		at := off + int64(done)
		if at >= s.size {
			return done, io.EOF
		}
		n := at / s.unit
		if n >= int64(len(s.sectors)) {
			return done, broken("it is cut short")
		}
		in := at % s.unit
		want := min(int64(len(p)-done), s.unit-in, s.size-at)
		// Neighbours in the chain mostly are neighbours in the file: one read.
		for k := n + 1; in+want == (k-n)*s.unit && k < int64(len(s.sectors)) && s.sectors[k] == s.sectors[k-1]+1 && want < int64(len(p)-done) && at+want < s.size; k++ {
			want += min(int64(len(p)-done)-want, s.unit, s.size-at-want)
		}
		part := p[done : done+int(want)]
		var err error
		if s.within != nil {
			_, err = s.within.ReadAt(part, int64(s.sectors[n])*s.unit+in)
		} else {
			err = readAt(s.c.in, part, (int64(s.sectors[n])+1)*s.unit+in)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = broken("it is cut short")
			}
			return done, err
		}
		done += int(want)
	}
	return done, nil
}

// readAt fills p or says that the file is cut short.
func readAt(in io.ReaderAt, p []byte, off int64) error {
	n, err := in.ReadAt(p, off)
	if n == len(p) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return broken("it is cut short")
	}
	return err
}

func numbers(b []byte) []uint32 {
	out := make([]uint32, len(b)/4)
	for i := range out {
		out[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return out
}

// wide reads UTF-16, little end first.
func wide(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return string(utf16.Decode(units))
}
