package extract_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// hostile are files that are made to break a reader or to starve it. Each must
// end soon, with a Problem of one of the codes; "" stands for a text.
func TestHostileFiles(t *testing.T) {
	sampled := func(name string) []byte { return sample(t, name) }
	cases := []struct {
		name  string
		kind  extract.Kind
		data  func() []byte
		codes string // separated by blanks; "-" is text
	}{
		{"pdf: empty", extract.PDF, func() []byte { return nil }, "damaged"},
		{"pdf: only a header", extract.PDF, func() []byte { return []byte("%PDF-1.7\n") }, "damaged"},
		{"pdf: not one", extract.PDF, func() []byte { return []byte(strings.Repeat("<html>no</html>", 1000)) }, "damaged"},
		{"pdf: first half", extract.PDF, half(sampled("report.pdf")), "damaged -"},
		{"pdf: without its end", extract.PDF, func() []byte { b := sampled("columns.pdf"); return b[:len(b)-800] }, "damaged -"},
		{"pdf: noise", extract.PDF, func() []byte { return append([]byte("%PDF-1.4\n"), noise(1<<20)...) }, "damaged"},
		{"pdf: password", extract.PDF, func() []byte { return sampled("password.pdf") }, "password"},
		{"pdf: scan", extract.PDF, func() []byte { return sampled("scan.pdf") }, "no_text"},
		{"pdf: page tree in a circle", extract.PDF, func() []byte {
			return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[2 0 R 3 0 R]/Count 5>>", "<</Type/Pages/Parent 2 0 R/Kids[2 0 R]/Count 9>>")
		}, "damaged no_text"},
		{"pdf: a billion pages", extract.PDF, func() []byte {
			return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1000000000>>", "<</Type/Page/Parent 2 0 R>>")
		}, "damaged no_text"},
		{"pdf: a form that draws itself", extract.PDF, func() []byte {
			return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
				"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 5 0 R/Resources<</XObject<</A 4 0 R>>>>>>",
				stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</A 4 0 R>>>>", []byte("/A Do /A Do /A Do")),
				stream("", []byte("/A Do")))
		}, "no_text damaged too_large"},
		{"pdf: arrays in arrays", extract.PDF, func() []byte {
			return pdf("<</Type/Catalog/Pages 2 0 R/X "+strings.Repeat("[", 1_000_000)+">>", "<</Type/Pages/Kids[]/Count 0>>")
		}, "damaged no_text timeout too_large"},
		{"pdf: flate bomb", extract.PDF, func() []byte { return pdfPage(deflated(300<<20), "/Filter/FlateDecode") }, "too_large no_text damaged timeout"},
		{"pdf: flate bomb of text", extract.PDF, func() []byte {
			return pdfPage(zipped([]byte("BT /F 9 Tf (word word) Tj T* ET\n"), 200<<20), "/Filter/FlateDecode")
		}, "too_large timeout damaged -"},
		{"pdf: flate bomb in a flate bomb", extract.PDF, func() []byte {
			return pdfPage(zipped(deflated(300<<20), 1), "/Filter[/FlateDecode/FlateDecode]")
		}, "too_large no_text damaged timeout"},

		{"docx: empty", extract.DOCX, func() []byte { return nil }, "damaged"},
		{"docx: first half", extract.DOCX, half(sampled("report.docx")), "damaged"},
		{"docx: a zip of something else", extract.DOCX, func() []byte { return archive(t, "readme.txt", "hello") }, "mislabelled"},
		{"docx: a spreadsheet", extract.DOCX, func() []byte { return archive(t, "xl/workbook.xml", "<x/>") }, "unsupported"},
		{"docx: a presentation", extract.DOCX, func() []byte { return sampled("slides.pptx") }, "mislabelled"},
		{"docx: password", extract.DOCX, func() []byte { return sampled("password.docx") }, "password"},
		{"docx: old Word", extract.DOCX, func() []byte { return sampled("report.doc") }, "mislabelled"},
		{"docx: one endless word", extract.DOCX, func() []byte { return bomb(t, "<w:document><w:p><w:t>", "a", 100<<20) }, "too_large"},
		{"docx: endless paragraphs", extract.DOCX, func() []byte { return bomb(t, "<w:document>", "<w:p><w:t>aaaa </w:t></w:p>", 100<<20) }, "- too_large"},
		{"docx: endless blanks", extract.DOCX, func() []byte { return bomb(t, "<w:document>", " ", 100<<20) }, "too_large"},
		{"docx: one huge tag", extract.DOCX, func() []byte { return archive(t, "word/document.xml", "<w:p a='"+string(noise(9<<20))+"'/>") }, "too_large damaged"},
		{"docx: nested without end", extract.DOCX, func() []byte { return bomb(t, "", "<w:p>", 10<<20) }, "damaged"},
		{"docx: many entries", extract.DOCX, func() []byte { return manyEntries(t, 21_000) }, "too_large"},
		{"docx: entities", extract.DOCX, func() []byte { return archive(t, "word/document.xml", laughs) }, "damaged"},
		{"docx: a part that is not whole", extract.DOCX, func() []byte { return archive(t, "word/document.xml", "<w:document><w:p><w:t>x") }, "damaged -"},
		{"docx: no text", extract.DOCX, func() []byte { return archive(t, "word/document.xml", "<w:document><w:body/></w:document>") }, "no_text"},

		{"pptx: first half", extract.PPTX, half(sampled("slides.pptx")), "damaged"},
		{"pptx: a document", extract.PPTX, func() []byte { return sampled("report.docx") }, "mislabelled"},
		{"pptx: slides in a circle", extract.PPTX, func() []byte {
			return archive(t, "ppt/presentation.xml", `<p><sldId id="1" r:id="a"/><sldId id="2" r:id="a"/></p>`,
				"ppt/_rels/presentation.xml.rels", `<r><Relationship Id="a" Type="x/slide" Target="presentation.xml"/></r>`)
		}, "no_text"},

		{"doc: empty", extract.DOC, func() []byte { return nil }, "damaged"},
		{"doc: first half", extract.DOC, half(sampled("report.doc")), "damaged"},
		{"doc: noise", extract.DOC, func() []byte { return append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), noise(100<<10)...) }, "damaged unsupported"},
		{"doc: text of its own", extract.DOC, func() []byte { return []byte("hello") }, "damaged"},

		{"rtf: groups in groups", extract.RTF, func() []byte { return []byte("{\\rtf1" + strings.Repeat("{", 5_000_000)) }, "damaged"},
		{"rtf: cut short", extract.RTF, half(sampled("report.rtf")), "damaged"},
		{"rtf: binary without end", extract.RTF, func() []byte { return []byte(`{\rtf1 \bin2000000000 x`) }, "damaged"},
		{"rtf: no text", extract.RTF, func() []byte { return []byte(`{\rtf1{\pict 00}}`) }, "no_text"},

		{"xml: a billion laughs", extract.XML, func() []byte { return []byte(laughs) }, "unsupported"},
		{"xml: an entity from outside", extract.XML, func() []byte {
			return []byte(`<!DOCTYPE r [<!ENTITY e SYSTEM "file:///etc/passwd">]><r>&e;</r>`)
		}, "unsupported"},
		{"xml: nested without end", extract.XML, func() []byte { return bytes.Repeat([]byte("<a>"), 2_000_000) }, "damaged"},
		{"xml: cut short", extract.XML, func() []byte { return []byte("<r><a>text</a>") }, "damaged"},
		{"xml: two values of one", extract.XML, func() []byte { return []byte("<r><a b=>text</a></r>") }, "damaged -"},
		{"xml: one endless attribute", extract.XML, func() []byte { return append([]byte(`<r a="`), bytes.Repeat([]byte("x"), 9<<20)...) }, "too_large"},
		{"xml: an encoding of its own", extract.XML, func() []byte { return []byte(`<?xml version="1.0" encoding="klingon"?><r>x</r>`) }, "unsupported"},

		{"json: arrays in arrays", extract.JSON, func() []byte { return bytes.Repeat([]byte("["), 5_000_000) }, "damaged"},
		{"json: cut short", extract.JSON, func() []byte { return []byte(`{"a": [1, 2`) }, "damaged"},
		{"json: not quite", extract.JSON, func() []byte { return []byte(`{"a": 1,}`) }, "damaged"},
		{"json: one endless string", extract.JSON, func() []byte { return append([]byte(`["`), bytes.Repeat([]byte("x"), 20<<20)...) }, "damaged too_large"},
		{"json: nothing", extract.JSON, func() []byte { return []byte(`{"a":null}`) }, "no_text"},

		{"csv: a quote that never closes", extract.CSV, func() []byte { return append([]byte("a,b\n1,\""), bytes.Repeat([]byte("x\n"), 4<<20)...) }, "damaged too_large -"},
		{"csv: columns without end", extract.CSV, func() []byte { return bytes.Repeat([]byte("x,"), 1<<20) }, "too_large"},
		{"csv: binary below", extract.CSV, func() []byte { return append(bytes.Repeat([]byte("a,b\n"), 50_000), 0, 1, 2) }, "damaged"},

		{"html: nested without end", extract.HTML, func() []byte { return bytes.Repeat([]byte("<div>x"), 100_000) }, "-"},
		{"html: one endless tag", extract.HTML, func() []byte { return append([]byte("<p title='"), bytes.Repeat([]byte("x"), 20<<20)...) }, "too_large no_text"},
		{"html: a comment that never closes", extract.HTML, func() []byte { return append([]byte("<!--"), bytes.Repeat([]byte("- "), 2<<20)...) }, "no_text too_large"},
		{"html: formatting that never closes", extract.HTML, func() []byte { return bytes.Repeat([]byte("<b><i><a><font>x<p>"), 20_000) }, "- timeout too_large"},
		{"html: scripts only", extract.HTML, func() []byte { return []byte("<html><script>document.write('x')</script>") }, "no_text"},
		{"html: tables in tables", extract.HTML, func() []byte { return bytes.Repeat([]byte("<table><tr><td>x"), 100_000) }, "- timeout"},

		{"txt: blanks only", extract.Text, func() []byte { return bytes.Repeat([]byte(" \n"), 1000) }, "no_text"},
		{"txt: marks that are not seen", extract.Text, func() []byte { return []byte("\ufeff\u200b\u200b\u202e") }, "no_text"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if testing.Short() && (strings.Contains(c.name, "bomb") || strings.Contains(c.name, "endless")) {
				t.Skip("slow")
			}
			data := c.data()
			start := time.Now()
			name := "x." + string(c.kind)
			text, _, err := read(t, extract.Options{Kind: c.kind, Filename: name, Time: 20 * time.Second, MaxText: 2_000_000}, data)
			took := time.Since(start)
			code := "-"
			if err != nil {
				var p *extract.Problem
				if !errors.As(err, &p) {
					t.Fatalf("err = %v, want a Problem", err)
				}
				code = p.Code
				refused(t, err, code)
				if !strings.Contains(p.Message, name) {
					t.Errorf("message %q does not name the file", p.Message)
				}
			}
			if !strings.Contains(" "+c.codes+" ", " "+code+" ") {
				t.Errorf("%s (%v), want one of %q; text %.200q", code, err, c.codes, text)
			}
			if took > 25*time.Second {
				t.Errorf("took %s", took)
			}
			t.Logf("%s after %s: %v", code, took.Round(time.Millisecond), err)
		})
	}
}

func TestEndlessInput(t *testing.T) {
	for kind, codes := range map[extract.Kind]string{extract.PDF: "too_large", extract.DOCX: "too_large", extract.CSV: "too_large"} {
		_, err := extract.Read(t.Context(), endless("x"), extract.Options{Kind: kind, Filename: "x"}, func(extract.Block) error { return nil })
		refused(t, err, codes)
	}
	_, err := extract.Read(t.Context(), endless(" "), extract.Options{Kind: extract.Text, Filename: "x"}, func(extract.Block) error { return nil })
	refused(t, err, extract.CodeTooLarge)
	info, err := extract.Read(t.Context(), endless("word "), extract.Options{Kind: extract.Text, MaxText: 1000}, func(extract.Block) error { return nil })
	if err != nil || len(info.Notes) != 1 {
		t.Errorf("endless words: %v, %q", err, info.Notes)
	}
}

type endless string

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = e[i%len(e)]
	}
	return len(p), nil
}

var _ io.Reader = endless("")

const laughs = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]><lolz>&c;</lolz>`

func half(b []byte) func() []byte { return func() []byte { return b[:len(b)/2] } }

// noise is the same on every run.
func noise(n int) []byte {
	out := make([]byte, n)
	x := uint32(2463534242)
	for i := range out {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		out[i] = byte(x)
	}
	return out
}

// deflated is n zero bytes, compressed as zlib.
func deflated(n int) []byte { return zipped(make([]byte, 1<<16), n) }

// zipped is a unit over and over, n bytes or once, compressed as zlib.
func zipped(unit []byte, n int) []byte {
	var b bytes.Buffer
	w, _ := zlib.NewWriterLevel(&b, flate.BestSpeed)
	for done := 0; done < n || done == 0; done += len(unit) {
		_, _ = w.Write(unit)
	}
	_ = w.Close()
	return b.Bytes()
}

func stream(dict string, content []byte) string {
	return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(content), content)
}

// pdf builds a file of objects, numbered from 1; the first is the catalogue.
func pdf(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n")
	offsets := make([]int, len(objects))
	for i, o := range objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, at)
	return b.Bytes()
}

// pdfPage is a file of one page with a content stream.
func pdfPage(content []byte, dict string) []byte {
	return pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
		stream(dict, content))
}

func archive(t testing.TB, parts ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = io.WriteString(w, parts[i+1])
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bomb is a document whose text is a unit over and over.
func bomb(t testing.TB, start, unit string, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	w, err := z.Create("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(w, start)
	block := strings.Repeat(unit, 1+64<<10/len(unit))
	for done := 0; done < n; done += len(block) {
		if _, err := io.WriteString(w, block); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func manyEntries(t testing.TB, n int) []byte {
	t.Helper()
	parts := make([]string, 0, 2*n+2)
	parts = append(parts, "word/document.xml", "<w:document/>")
	for i := range n {
		parts = append(parts, fmt.Sprintf("p%d", i), "")
	}
	return archive(t, parts...)
}

// A page that takes too much memory is left out; the others are read.
func TestOnePageTooMany(t *testing.T) {
	font := "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
	page := func(contents int) string {
		return fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R%s>>", contents, font)
	}
	content := pdf("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 4 0 R 3 0 R]/Count 3>>", page(5), page(6),
		stream("", []byte("BT /F 9 Tf 50 500 Td (Heating is dear.) Tj ET")),
		stream("/Filter/FlateDecode", zipped([]byte("BT /F 9 Tf (word word) Tj T* ET\n"), 200<<20)))
	got, info, err := read(t, extract.Options{Kind: extract.PDF}, content)
	if err != nil || strings.Count(got, "Heating is dear.") != 2 || len(info.Notes) != 1 || !strings.Contains(info.Notes[0], "1 of 3 pages takes too much memory") {
		t.Errorf("%v, notes %q:\n%s", err, info.Notes, got)
	}
}
