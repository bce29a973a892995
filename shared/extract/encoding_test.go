package extract_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

func TestEncodingsOfText(t *testing.T) {
	text := "Die Größe – 41 % “sehr” zufrieden, sagte Zoë über das Café."
	encodings := map[string]encoding.Encoding{
		"UTF-8 with mark":    unicode.UTF8BOM,
		"UTF-16LE with mark": unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
		"UTF-16BE with mark": unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
		"UTF-16LE":           unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
		"UTF-16BE":           unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM),
		"UTF-32LE with mark": utf32.UTF32(utf32.LittleEndian, utf32.UseBOM),
		"windows-1252":       charmap.Windows1252,
		"UTF-8":              encoding.Nop,
	}
	for name, e := range encodings {
		raw, err := e.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range []extract.Kind{extract.Text, extract.MD, extract.CSV} {
			got, info, err := read(t, extract.Options{Kind: kind}, raw)
			if err != nil || !strings.Contains(got, strings.Split(text, ",")[0]) {
				t.Errorf("%s as %s: %v\n%s", name, kind, err, got)
			}
			if noted := len(info.Notes) > 0; noted != (name == "windows-1252") {
				t.Errorf("%s as %s: notes %q", name, kind, info.Notes)
			}
		}
	}
}

// Where the first bytes are ASCII the encoding shows later.
func TestEncodingShowsLate(t *testing.T) {
	lead := strings.Repeat("Nothing but ASCII here for a while.\n\n", 4000)
	for name, tail := range map[string]string{"UTF-8": "Größe", "windows-1252": "Gr\xf6\xdfe"} {
		got, _, err := read(t, extract.Options{Kind: extract.Text}, []byte(lead+tail))
		if err != nil || !strings.HasSuffix(got, "Größe\n") {
			t.Errorf("%s: %v, ends with %q", name, err, got[max(0, len(got)-20):])
		}
	}
}

func TestForeignEncodingsAreRefusedRatherThanMisread(t *testing.T) {
	raw, err := charmap.Windows1251.NewEncoder().Bytes([]byte("Энергия в доме стоит дорого, и жильцы это знают."))
	if err != nil {
		t.Fatal(err)
	}
	for _, kind := range []extract.Kind{extract.Text, extract.CSV, extract.HTML} {
		_, _, err := read(t, extract.Options{Kind: kind, Filename: "a." + string(kind)}, raw)
		if p := refused(t, err, extract.CodeUnsupported); !strings.Contains(p.Message, "UTF-8") {
			t.Errorf("message %q", p.Message)
		}
	}
	// With the encoding named, it is read.
	got, _, err := read(t, extract.Options{Kind: extract.HTML, MediaType: "text/html; charset=windows-1251"}, append([]byte("<p>"), raw...))
	if err != nil || !strings.Contains(got, "Энергия") {
		t.Errorf("named: %v\n%s", err, got)
	}
}

func TestBinaryIsNoText(t *testing.T) {
	binary := append([]byte("looks like text\n"), bytes.Repeat([]byte{0, 1, 2, 3}, 100)...)
	_, _, err := read(t, extract.Options{Kind: extract.Text, Filename: "a.txt"}, binary)
	refused(t, err, extract.CodeMislabelled)
}
