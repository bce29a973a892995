package biff

import (
	"encoding/binary"
	"errors"
	"io"
)

// The records that are read ([MS-XLS] 2.3).
const (
	recFormula     = 0x0006
	recEOF         = 0x000a
	recDate1904    = 0x0022
	recFilePass    = 0x002f
	recContinue    = 0x003c
	recCodePage    = 0x0042
	recBoundSheet  = 0x0085
	recMulRK       = 0x00bd
	recRString     = 0x00d6
	recXF          = 0x00e0
	recSST         = 0x00fc
	recLabelSST    = 0x00fd
	recNumber      = 0x0203
	recLabel       = 0x0204
	recBoolErr     = 0x0205
	recString      = 0x0207
	recRK          = 0x027e
	recFormat      = 0x041e
	recBOF         = 0x0809
	maxRecord      = 8224 + 4 // with its head; more is no record
	versionBIFF8   = 0x0600
	kindGlobals    = 0x0005
	kindWorksheet  = 0x0010
	recordHeadSize = 4
)

// record is one record without its head. Its data is good until the next one is
// read.
type record struct {
	id   uint16
	data []byte
}

// records reads the records of a stream one after the other.
type records struct {
	in   io.ReaderAt
	at   int64
	size int64
	buf  []byte
	from int64 // where buf begins in the stream
}

// next gives the next record; io.EOF behind the last one.
func (r *records) next() (record, error) {
	head, err := r.bytes(recordHeadSize)
	if err != nil {
		return record{}, err
	}
	id, n := binary.LittleEndian.Uint16(head), int(binary.LittleEndian.Uint16(head[2:]))
	if n > maxRecord {
		return record{}, broken("one of its records is longer than records are")
	}
	data, err := r.bytes(n)
	if errors.Is(err, io.EOF) {
		err = broken("it ends in the middle of a record")
	}
	return record{id: id, data: data}, err
}

// peek tells what the next record is; 0 when there is none.
func (r *records) peek() uint16 {
	head, err := r.bytes(recordHeadSize)
	if err != nil {
		return 0
	}
	r.at -= recordHeadSize
	return binary.LittleEndian.Uint16(head)
}

const window = 64 << 10

// bytes gives the next n bytes; io.EOF when there are none, or not so many.
func (r *records) bytes(n int) ([]byte, error) {
	if r.at+int64(n) > r.size {
		return nil, io.EOF
	}
	if r.at < r.from || r.at+int64(n) > r.from+int64(len(r.buf)) {
		if cap(r.buf) < window {
			r.buf = make([]byte, window)
		}
		r.buf, r.from = r.buf[:min(window, r.size-r.at)], r.at
		if _, err := r.in.ReadAt(r.buf, r.at); err != nil && !errors.Is(err, io.EOF) {
			r.buf = r.buf[:0]
			return nil, err
		}
	}
	out := r.buf[r.at-r.from:][:n]
	r.at += int64(n)
	return out, nil
}

// u16 and u32 are the numbers at a place; 0 where the record is too short.
func (r record) u16(at int) uint16 {
	if len(r.data) < at+2 {
		return 0
	}
	return binary.LittleEndian.Uint16(r.data[at:])
}

func (r record) u32(at int) uint32 {
	if len(r.data) < at+4 {
		return 0
	}
	return binary.LittleEndian.Uint32(r.data[at:])
}

// wants refuses a record that is shorter than it must be.
func (r record) wants(n int) error {
	if len(r.data) < n {
		return broken("one of its records (%04x) is shorter than such records are", r.id)
	}
	return nil
}
