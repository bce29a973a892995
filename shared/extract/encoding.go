package extract

import (
	"bufio"
	"errors"
	"io"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
)

// wide recognises UTF-16 and UTF-32 by the mark at the beginning, and UTF-16
// without one by the zero half of its Latin letters; nil means neither.
func wide(head []byte) encoding.Encoding {
	has := func(b ...byte) bool { return len(head) >= len(b) && string(head[:len(b)]) == string(b) }
	switch {
	case has(0xff, 0xfe, 0, 0):
		return utf32.UTF32(utf32.LittleEndian, utf32.ExpectBOM)
	case has(0, 0, 0xfe, 0xff):
		return utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM)
	case has(0xff, 0xfe):
		return unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM)
	case has(0xfe, 0xff):
		return unicode.UTF16(unicode.BigEndian, unicode.ExpectBOM)
	}
	if len(head) < 8 {
		return nil
	}
	var zero, text [2]int // at even and at odd places
	for i, b := range head {
		switch {
		case b == 0:
			zero[i%2]++
		case b >= ' ' && b < 0x7f || b == '\n' || b == '\r' || b == '\t':
			text[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case zero[1] > half*2/5 && zero[0] == 0 && text[0] > half*2/5:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case zero[0] > half*2/5 && zero[1] == 0 && text[1] > half*2/5:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}

// Errors of what should be text.
var (
	// ErrNotText says that a text holds bytes that no text has.
	ErrNotText = errors.New("extract: binary data")
	// ErrEncoding says that a text is in an encoding that is not read.
	ErrEncoding = errors.New("extract: unknown encoding")
)

// headBytes is how much of a text decides about its encoding.
const headBytes = 64 << 10

// UTF8 reads a text as UTF-8 without byte order mark, whatever it is encoded in:
// UTF-8, UTF-16, UTF-32, or else windows-1252, byte by byte where the text is not
// valid UTF-8. legacy, which is set as the text is read, says that this last was
// needed.
func UTF8(in io.Reader) (text io.Reader, legacy *bool, err error) {
	r := bufio.NewReaderSize(in, headBytes)
	head, err := r.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	legacy = new(bool)
	if e := wide(head); e != nil {
		return e.NewDecoder().Reader(r), legacy, nil
	}
	if !textual(head) {
		return nil, nil, ErrNotText
	}
	if string(head[:min(3, len(head))]) == string(mark8) {
		_, _ = r.Discard(3)
	}
	if foreign(head) {
		return nil, nil, ErrEncoding
	}
	return &mender{in: r, legacy: legacy}, legacy, nil
}

// foreign says that bytes are neither UTF-8 nor a language of western Europe:
// there, letters beyond ASCII are few.
func foreign(head []byte) bool {
	high, invalid := 0, 0
	for len(head) > 0 {
		if head[0] < utf8.RuneSelf {
			head = head[1:]
			continue
		}
		if c, size := utf8.DecodeRune(head); c != utf8.RuneError || size > 1 {
			head = head[size:]
			continue
		}
		if !utf8.FullRune(head) { // cut off by the end
			break
		}
		invalid++
		for len(head) > 0 && head[0] >= utf8.RuneSelf {
			high++
			head = head[1:]
		}
	}
	return invalid > 0 && high > 3*invalid // runs of such letters: another alphabet
}

// mender turns bytes that are no UTF-8 into the characters that windows-1252
// gives them.
type mender struct {
	in     *bufio.Reader
	legacy *bool
	buf    []byte
	rest   []byte // of buf
	err    error
}

func (m *mender) Read(p []byte) (int, error) {
	if len(m.rest) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		m.fill()
	}
	n := copy(p, m.rest)
	m.rest = m.rest[n:]
	if n == 0 && len(p) > 0 {
		return 0, m.err
	}
	return n, nil
}

// fill mends what is there without waiting for more.
func (m *mender) fill() {
	m.buf = m.buf[:0]
	for len(m.buf) < 16<<10 && (len(m.buf) == 0 || m.in.Buffered() >= utf8.UTFMax) {
		c, size, err := m.in.ReadRune()
		if err != nil {
			m.err = err
			break
		}
		switch {
		case c == 0:
			m.err = ErrNotText
		case c == utf8.RuneError && size == 1:
			_ = m.in.UnreadRune()
			b, _ := m.in.ReadByte()
			c = charmap.Windows1252.DecodeByte(b)
			*m.legacy = true
		}
		if m.err != nil {
			break
		}
		m.buf = utf8.AppendRune(m.buf, c)
	}
	m.rest = m.buf
}
