package parsers

import (
	"encoding/binary"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// summaryOf makes a property set stream of typed values; count is what it claims
// to hold.
func summaryOf(count uint32, values map[uint32][]byte, order ...uint32) []byte {
	stream := make([]byte, 48)
	binary.LittleEndian.PutUint16(stream, 0xfffe)
	binary.LittleEndian.PutUint32(stream[24:], 1)
	binary.LittleEndian.PutUint32(stream[44:], 48)
	set := make([]byte, 8+8*len(order))
	binary.LittleEndian.PutUint32(set[4:], count)
	for i, id := range order {
		binary.LittleEndian.PutUint32(set[8+8*i:], id)
		binary.LittleEndian.PutUint32(set[12+8*i:], uint32(len(set)))
		set = append(set, values[id]...)
	}
	return append(stream, set...)
}

func typed(kind, size uint32, data string) []byte {
	v := binary.LittleEndian.AppendUint32(nil, kind)
	if kind != typeInt16 {
		v = binary.LittleEndian.AppendUint32(v, size)
	}
	return append(v, data...)
}

func TestAboutADocument(t *testing.T) {
	for name, c := range map[string]struct {
		stream []byte
		want   extract.Info
	}{
		"western":           {summaryOf(2, map[uint32][]byte{2: typed(typeText, 5, "caf\xe9\x00"), 4: typed(typeText, 4, "Eve\x00")}, 2, 4), extract.Info{Title: "café", Author: "Eve"}},
		"Cyrillic page":     {summaryOf(2, map[uint32][]byte{1: typed(typeInt16, 0, "\xe3\x04\x00\x00"), 2: typed(typeText, 4, "\xcc\xe8\xf0\x00")}, 1, 2), extract.Info{Title: "Мир"}},
		"UTF-16":            {summaryOf(1, map[uint32][]byte{2: typed(typeWide, 3, "H\x00i\x00\x00\x00")}, 2), extract.Info{Title: "Hi"}},
		"a count of 4e9":    {summaryOf(1<<32-1, map[uint32][]byte{2: typed(typeText, 3, "Hi\x00")}, 2), extract.Info{Title: "Hi"}},
		"a text of 4e9":     {summaryOf(1, map[uint32][]byte{2: typed(typeText, 1<<32-1, "Hi\x00")}, 2), extract.Info{Title: "Hi"}},
		"a wide one of 4e9": {summaryOf(1, map[uint32][]byte{2: typed(typeWide, 1<<32-1, "H\x00i")}, 2), extract.Info{Title: "H"}},
		"a number":          {summaryOf(1, map[uint32][]byte{2: typed(3, 7, "")}, 2), extract.Info{}},
		"cut off":           {summaryOf(1, nil)[:50], extract.Info{}},
		"nothing":           {nil, extract.Info{}},
	} {
		if got := about(c.stream); got.Title != c.want.Title || got.Author != c.want.Author {
			t.Errorf("%s: %q by %q", name, got.Title, got.Author)
		}
	}
}
