package parsers

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/extract/internal/wire"
	"github.com/mindgate-dev/mindgate/shared/extract/pdfium"
)

// fuzz has a reader read anything: it must end with a text or with a Problem, and
// never panic. Seeds are the sample files named and what is given; inputs that
// once failed stand in testdata/fuzz.
func fuzz(f *testing.F, kind extract.Kind, read reader, samples []string, seeds ...string) {
	for _, s := range samples {
		content, err := os.ReadFile(filepath.Join("..", "testdata", s))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(content)
		f.Add(content[:len(content)/2])
	}
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<20 {
			return
		}
		check(t, kind, read, data, "")
		if kind == extract.HTML {
			check(t, kind, read, data, "https://example.org/")
		}
	})
}

func check(t *testing.T, kind extract.Kind, read reader, data []byte, page string) {
	in := &file{
		Options: extract.Options{Kind: kind, Filename: "x", PageURL: page, Memory: 256 << 20},
		in:      bytes.NewReader(data), size: int64(len(data)),
		sink: extract.NewSink(1<<20, func(b extract.Block) error {
			if b.Text == "" || !utf8.ValidString(b.Text) || !utf8.ValidString(b.Heading) {
				t.Errorf("block %q", b)
			}
			return nil
		}),
	}
	in.table = func(m wire.Message) error {
		if !utf8.ValidString(m.Cells) || strings.ContainsAny(m.Cells, "\n\r") {
			t.Errorf("cells %q", m.Cells)
		}
		return nil
	}
	info, err := read(t.Context(), in)
	if err != nil && !errors.As(err, new(*extract.Problem)) && !errors.Is(err, extract.ErrEnough) {
		if end := ending(in, info, err); end.Failure != "" {
			t.Errorf("failure %q", end.Failure)
		}
	}
}

// FuzzPDF keeps one engine for many inputs, since starting it takes longer than
// reading them; what an input ended is started anew.
func FuzzPDF(f *testing.F) {
	var engine *pdfium.Engine
	f.Cleanup(func() {
		if engine != nil {
			engine.Close(context.Background())
		}
	})
	cache := filepath.Join(os.TempDir(), "mindgate-fuzz-pdfium")
	read := func(ctx context.Context, in *file) (extract.Info, error) {
		if engine == nil {
			e, err := pdfium.New(context.Background(), pdfium.Options{CacheDir: cache, Memory: 64 << 20})
			if err != nil {
				return extract.Info{}, err
			}
			engine = e
		}
		err := pagesOf(ctx, engine, in)
		if engine.Broken() {
			engine.Close(context.Background())
			engine = nil
		}
		return extract.Info{}, in.pdfProblem(err)
	}
	fuzz(f, extract.PDF, read, []string{"readonly.pdf", "scan.pdf"}, "%PDF-1.7\n", "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 1 0 R/Kids[1 0 R]>>endobj trailer<</Root 1 0 R>>")
}

func pagesOf(ctx context.Context, e *pdfium.Engine, in *file) error {
	doc, err := e.Open(ctx, in.in, in.size)
	if errors.Is(err, pdfium.ErrPassword) {
		return nil
	}
	if err != nil {
		return err
	}
	t := typeset{put: in.put}
	for n := range min(doc.Pages, 20) {
		var p pdfium.Page
		if err := doc.Page(ctx, n, &p); err != nil {
			if errors.Is(err, pdfium.ErrFormat) {
				continue
			}
			return err
		}
		if err := t.add([]sheet{{number: n + 1, lines: linesOf(p.Chars)}}); err != nil {
			return errors.Join(err, doc.Close(ctx))
		}
	}
	return errors.Join(t.end(), doc.Close(ctx))
}

func FuzzDOCX(f *testing.F) {
	fuzzPart(f, extract.DOCX, readDOCX, "word/document.xml", []string{"report.docx", "password.docx"},
		`<w:document><w:body><w:p><w:pPr><w:pStyle w:val="a"/></w:pPr><w:r><w:t>x</w:t><w:tab/><w:br/></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl></w:body></w:document>`,
		`<a></b>`, `<w:p><w:t>open`, `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`)
}

func FuzzPPTX(f *testing.F) {
	fuzzPart(f, extract.PPTX, readPPTX, presentation, []string{"slides.pptx"},
		`<p:presentation><p:sldIdLst><p:sldId id="256" r:id="rId2"/></p:sldIdLst></p:presentation>`, `<a`)
}

// fuzzPart fuzzes documents of parts: an input that is no zip file becomes the
// main part of one, so that mutations reach what is inside.
func fuzzPart(f *testing.F, kind extract.Kind, read reader, main string, samples []string, seeds ...string) {
	inside := func(ctx context.Context, in *file) (extract.Info, error) {
		head := make([]byte, 4)
		_, _ = in.in.ReadAt(head, 0)
		if string(head) == "PK\x03\x04" || bytes.HasPrefix(compoundMagic, head) {
			return read(ctx, in)
		}
		part := make([]byte, in.size)
		_, _ = in.in.ReadAt(part, 0)
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for _, name := range []string{main, "word/styles.xml", "docProps/core.xml", "ppt/slides/slide1.xml"} {
			w, err := z.Create(name)
			if err != nil {
				return extract.Info{}, nil
			}
			_, _ = w.Write(part)
		}
		if w, err := z.Create("ppt/_rels/presentation.xml.rels"); err == nil {
			_, _ = w.Write([]byte(`<r><Relationship Id="rId2" Type="t/slide" Target="slides/slide1.xml"/></r>`))
		}
		if err := z.Close(); err != nil {
			return extract.Info{}, nil
		}
		in.in, in.size = bytes.NewReader(b.Bytes()), int64(b.Len())
		return read(ctx, in)
	}
	fuzz(f, kind, inside, samples, seeds...)
}

func FuzzDOC(f *testing.F) {
	fuzz(f, extract.DOC, readDOC, []string{"report.doc", "password.docx"}, string(compoundMagic))
}

// FuzzXLSX makes every part of a workbook of an input that is none.
func FuzzXLSX(f *testing.F) {
	inside := func(ctx context.Context, in *file) (extract.Info, error) {
		head := make([]byte, 4)
		_, _ = in.in.ReadAt(head, 0)
		if string(head) == "PK\x03\x04" {
			return readXLSX(ctx, in)
		}
		part := make([]byte, in.size)
		_, _ = in.in.ReadAt(part, 0)
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for name, content := range map[string]string{
			"xl/workbook.xml":            `<w><sheets><sheet name="a" r:id="1"/></sheets></w>`,
			"xl/_rels/workbook.xml.rels": `<r><Relationship Id="1" Type="t/worksheet" Target="a.xml"/><Relationship Id="2" Type="t/styles" Target="b.xml"/><Relationship Id="3" Type="t/sharedStrings" Target="c.xml"/></r>`,
			"xl/a.xml":                   string(part), "xl/b.xml": string(part), "xl/c.xml": string(part),
		} {
			if w, err := z.Create(name); err == nil {
				_, _ = w.Write([]byte(content))
			}
		}
		if err := z.Close(); err != nil {
			return extract.Info{}, nil
		}
		in.in, in.size = bytes.NewReader(b.Bytes()), int64(b.Len())
		return readXLSX(ctx, in)
	}
	fuzz(f, extract.XLSX, inside, []string{"../../tabular/testdata/openpyxl.xlsx"},
		`<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" s="1"><v>45658.5</v></c><c t="inlineStr"><is><t>x</t><rPh><t>y</t></rPh></is></c></row><row><c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="d"><v>2024-01-01T00:00:00</v></c><c><f>A1</f></c></row></sheetData></worksheet>`,
		`<sst><si><t>a_x000D_b</t></si><si><r><t>c</t></r><rPh><t>d</t></rPh></si></sst>`, `<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy"/></numFmts><cellXfs><xf numFmtId="170"/><xf numFmtId="14"/></cellXfs></styleSheet>`, `<a`)
}

func FuzzXLS(f *testing.F) {
	fuzz(f, extract.XLS, readXLS, []string{"../../tabular/biff/testdata/survey.xls", "report.doc"}, string(compoundMagic))
}

func FuzzRTF(f *testing.F) {
	fuzz(f, extract.RTF, readRTF, []string{"report.rtf"},
		`{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset128 x;}}{\stylesheet{\s1 heading 1;}}\f0\'82\'a0\s1\u-10179?\u-8704?\par\trowd a\cell b\cell\row}`, `{\rtf1\bin5 abcde}`, `}{`, `\`)
}

func FuzzHTML(f *testing.F) {
	fuzz(f, extract.HTML, readHTML, nil,
		`<!doctype html><html lang=de><title>T</title><body><h1>A</h1><p hidden>x<ul><li>a<li>b</ul><table><tr><td>1<td>2</table><pre>a
b</pre><article><p>`+"long text, long text. "+`</p></article>`, `<meta charset=utf-16le>x`, "\xff\xfe<\x00p\x00>\x00", `<b><i></b></i><svg><style>`)
}

func FuzzXML(f *testing.F) {
	fuzz(f, extract.XML, readXML, nil, `<?xml version="1.0" encoding="iso-8859-1"?><r a="1"><title>x</title><p>a<b>c</b>d</p></r>`, `<a><![CDATA[x]]><!-- y --></a>`, "\xfe\xff\x00<\x00a\x00/\x00>", `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;&amp;&nbsp;</a>`)
}

func FuzzCSV(f *testing.F) {
	fuzz(f, extract.CSV, readCSV, nil, "a,b\n1,2\n", "a;b\n\"x;\n\"\"y\";2", "\xef\xbb\xbfa\tb\n1\t2", "a|b\r\n\r\n1", "\"")
}

func FuzzJSON(f *testing.F) {
	fuzz(f, extract.JSON, readJSON, nil, `{"a":[1,{"b":"c"},[2,[3]]],"d":null,"e":true}`, "[]\n{}\n\"x\" 1", `[{"a":"\ud83d\ude00\u0000"}]`, `{"a":`)
}

func FuzzText(f *testing.F) {
	text := func(kind extract.Kind) reader {
		return func(ctx context.Context, in *file) (extract.Info, error) {
			return extract.Read(ctx, in.in, extract.Options{Kind: kind, MaxText: 1 << 20}, func(b extract.Block) error { return in.sink.Put(b.Text, b.Where, b.Heading) })
		}
	}
	plain, md := text(extract.Text), text(extract.MD)
	fuzz(f, extract.Text, func(ctx context.Context, in *file) (extract.Info, error) {
		if _, err := md(ctx, in); err != nil && !errors.As(err, new(*extract.Problem)) {
			return extract.Info{}, err
		}
		_, _ = in.in.Seek(0, 0)
		return plain(ctx, in)
	}, nil, "# A\n\ntext\n- x\n", "a\xffb", "\xff\xfea\x00", "\x00\x00\xfe\xff", "```\na\n\nb", "A\n===\n")
}
