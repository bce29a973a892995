package extract_test

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// sentences are n made-up sentences that differ.
func sentences(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "Household %d said that heating was worth %d euros a month to them, more than the year before. ", i, 40+i%60)
	}
	return b.String()
}

// pdfOf is a file of pages of text in Helvetica, as office programs write them.
func pdfOf(pages, lines int) []byte {
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"}
	var kids strings.Builder
	for p := range pages {
		var content bytes.Buffer
		fmt.Fprintf(&content, "BT /F 9 Tf 1 0 0 1 200 810 Tm (Household report 2025) Tj ET BT /F 9 Tf 1 0 0 1 300 20 Tm (Page %d) Tj ET BT /F 16 Tf 1 0 0 1 50 780 Tm (Chapter %d) Tj ET BT /F 10 Tf 12 TL 1 0 0 1 50 750 Tm\n", p+1, p+1)
		for l := range lines {
			fmt.Fprintf(&content, "(Household %d of page %d said that heating was worth %d euros a month, more than before, and went) Tj T*\n", l, p+1, 40+l)
		}
		content.WriteString("ET")
		fmt.Fprintf(&kids, "%d 0 R ", len(objects)+1)
		objects = append(objects,
			fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>>>>>", len(objects)+2),
			stream("/Filter/FlateDecode", zipped(content.Bytes(), 1)))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", pages, kids.String())
	return pdf(objects...)
}

// bench reads a file and reports the largest memory of a reader's process.
func bench(b *testing.B, kind extract.Kind, content []byte) {
	b.SetBytes(int64(len(content)))
	chars := 0
	for b.Loop() {
		chars = 0
		if _, err := extract.Read(b.Context(), bytes.NewReader(content), extract.Options{Kind: kind}, func(block extract.Block) error {
			chars += len(block.Text)
			return nil
		}); err != nil {
			b.Fatal(err)
		}
	}
	var used syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used) == nil && runtime.GOOS == "linux" {
		b.ReportMetric(float64(used.Maxrss)/1024, "childMB")
	}
	b.ReportMetric(float64(chars), "chars")
}

func BenchmarkPDF200Pages(b *testing.B) { bench(b, extract.PDF, pdfOf(200, 50)) }
func BenchmarkPDF1Page(b *testing.B)    { bench(b, extract.PDF, pdfOf(1, 50)) }
func BenchmarkDOCX(b *testing.B) {
	para := "<w:p><w:r><w:t>" + sentences(5) + "</w:t></w:r></w:p>"
	bench(b, extract.DOCX, archive(b, "word/document.xml", "<w:document><w:body>"+strings.Repeat(para, 2000)+"</w:body></w:document>"))
}
func BenchmarkHTML(b *testing.B) {
	bench(b, extract.HTML, []byte("<html><body>"+strings.Repeat("<p>"+sentences(5)+"</p>", 2000)))
}
func BenchmarkCSV(b *testing.B) {
	bench(b, extract.CSV, []byte("id,text\n"+strings.Repeat("7,\"Heating, mostly\"\n", 50_000)))
}
func BenchmarkText10MB(b *testing.B) {
	bench(b, extract.Text, []byte(strings.Repeat(sentences(20)+"\n\n", 10<<20/2000)))
}

// endingAfter is a text of a size that is never held.
type endingAfter struct {
	unit string
	left int64
}

func (e *endingAfter) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := copy(p, e.unit)
	e.left -= int64(n)
	return n, nil
}

// A text of 50 MB is streamed: what it takes does not depend on its size.
func TestLargeTextIsStreamed(t *testing.T) {
	for unit, size := range map[string]int64{sentences(20) + "\n\n": 50 << 20, "a line without end ": 10 << 20} {
		runtime.GC()
		var before, now runtime.MemStats
		runtime.ReadMemStats(&before)
		most, blocks := uint64(0), 0
		_, err := extract.Read(t.Context(), &endingAfter{unit, size}, extract.Options{Kind: extract.Text, MaxText: 60 << 20}, func(extract.Block) error {
			if blocks++; blocks%200 == 0 {
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapInuse)
			}
			return nil
		})
		if err != nil || blocks < 1000 {
			t.Fatalf("%v after %d blocks", err, blocks)
		}
		if grown := int64(most) - int64(before.HeapInuse); grown > 32<<20 {
			t.Errorf("held %d MB", grown>>20)
		}
	}
}

// The text of a report of 200 pages is whole, without its headers and footers.
func TestPDFOf200Pages(t *testing.T) {
	got, info, err := read(t, extract.Options{Kind: extract.PDF}, pdfOf(200, 10))
	if err != nil || info.Pages != 200 {
		t.Fatalf("%v, %d pages", err, info.Pages)
	}
	if strings.Contains(got, "report 2025") || strings.Contains(got, "] Page ") {
		t.Errorf("headers or footers are in the text: %.500s", got)
	}
	for _, want := range []string{"[page 1|Chapter 1] Chapter 1\n", "[page 200|Chapter 200] Household 0 of page 200 said"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in the text", want)
		}
	}
}
