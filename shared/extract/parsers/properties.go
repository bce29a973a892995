package parsers

import (
	"encoding/binary"
	"strconv"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// Properties of a document's summary and the types of their values ([MS-OLEPS]
// 2.18.2 and 2.11).
const (
	propertyCodePage = 1
	propertyTitle    = 2
	propertyAuthor   = 4

	typeInt16 = 0x02
	typeText  = 0x1e // one byte a unit, in the set's code page
	typeWide  = 0x1f // UTF-16
)

// about reads title and author from a property set stream ([MS-OLEPS] 2.21). It
// believes no count of it: what does not lie in the stream is left out, since the
// text is what counts.
func about(stream []byte) (info extract.Info) {
	const firstSet = 44 // its offset, after the header and the set's name
	set := tail(stream, number(stream, firstSet))
	value := map[uint32][]byte{}
	for i := range min(number(set, 4), 64) {
		entry := tail(set, 8+8*i)
		value[number(entry, 0)] = tail(set, number(entry, 4))
	}
	page := 1252
	if v := value[propertyCodePage]; number(v, 0)&0xffff == typeInt16 && len(v) >= 6 {
		page = int(binary.LittleEndian.Uint16(v[4:]))
	}
	info.Title = textValue(value[propertyTitle], page)
	info.Author = textValue(value[propertyAuthor], page)
	return info
}

// tail is what of b begins at an offset; nothing when that lies behind its end.
func tail(b []byte, at uint32) []byte {
	if uint64(at) >= uint64(len(b)) {
		return nil
	}
	return b[at:]
}

// number is the 32-bit number at a place, 0 when there is none.
func number(b []byte, at uint32) uint32 {
	if b = tail(b, at); len(b) < 4 {
		return 0
	}
	return binary.LittleEndian.Uint32(b)
}

// textValue is a typed value that is a text, "" else.
func textValue(v []byte, page int) string {
	n := uint64(number(v, 4))
	data := tail(v, 8)
	switch number(v, 0) & 0xffff {
	case typeWide:
		data = data[:min(2*n, uint64(len(data)))&^1]
		units := make([]uint16, len(data)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(data[2*i:])
		}
		return ended(string(utf16.Decode(units)))
	case typeText:
		text, err := pageOf(page).NewDecoder().Bytes(data[:min(n, uint64(len(data)))])
		if err != nil {
			return ""
		}
		return ended(string(text))
	}
	return ""
}

// ended cuts at the zero that ends a text.
func ended(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return strings.TrimSpace(s)
}

// pageOf is the encoding of a Windows code page.
func pageOf(page int) encoding.Encoding {
	switch page {
	case 1200:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case 65001:
		return unicode.UTF8
	}
	for _, name := range []string{"windows-" + strconv.Itoa(page), map[int]string{932: "shift_jis", 936: "gbk", 949: "euc-kr", 950: "big5"}[page]} {
		if e, err := htmlindex.Get(name); err == nil {
			return e
		}
	}
	e, _ := htmlindex.Get("windows-1252")
	return e
}
