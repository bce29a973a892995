package pdfium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/extract/pdfium"
)

func engine(t *testing.T, memory int64) *pdfium.Engine {
	t.Helper()
	e, err := pdfium.New(t.Context(), pdfium.Options{CacheDir: os.TempDir() + "/mindgate-fuzz-pdfium", Memory: memory})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close(context.Background()) })
	return e
}

func TestCharactersHavePlaces(t *testing.T) {
	content, err := os.ReadFile("../testdata/columns.pdf")
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t, 64<<20)
	for range 2 { // one file after the other
		doc, err := e.Open(t.Context(), bytes.NewReader(content), int64(len(content)))
		if err != nil {
			t.Fatal(err)
		}
		var p pdfium.Page
		if err := doc.Page(t.Context(), 0, &p); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		placed, hyphens := 0, 0
		for _, c := range p.Chars {
			text.WriteRune(c.Rune)
			if !c.Generated && c.Right > c.Left && c.Top > c.Bottom && c.Size > 5 && c.Left > 0 && c.Right < 600 && c.Top < 850 {
				placed++
			}
			if c.Hyphen {
				hyphens++
			}
		}
		if !strings.HasPrefix(text.String(), "Energy use in flats") || placed < len(p.Chars)*9/10 || p.Objects == 0 {
			t.Errorf("%d of %d characters placed, %d objects: %.80q", placed, len(p.Chars), p.Objects, text.String())
		}
		if title, err := doc.Meta(t.Context(), "Title"); err != nil || title != "Energy review" {
			t.Errorf("title %q, %v", title, err)
		}
		if doc.Pages != 4 {
			t.Errorf("%d pages", doc.Pages)
		}
		if err := doc.Page(t.Context(), 99, &p); !errors.Is(err, pdfium.ErrFormat) {
			t.Errorf("page 100: %v", err)
		}
		if err := doc.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

func TestErrors(t *testing.T) {
	locked, err := os.ReadFile("../testdata/password.pdf")
	if err != nil {
		t.Fatal(err)
	}
	e := engine(t, 64<<20)
	for want, content := range map[error][]byte{pdfium.ErrPassword: locked, pdfium.ErrFormat: []byte("no pdf")} {
		if _, err := e.Open(t.Context(), bytes.NewReader(content), int64(len(content))); !errors.Is(err, want) {
			t.Errorf("err = %v, want %v", err, want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := e.Open(t.Context(), failing{broken}, 1000); !errors.Is(err, broken) {
		t.Errorf("err = %v, want the file's", err)
	}
}

type failing struct{ err error }

func (f failing) ReadAt([]byte, int64) (int, error) { return 0, f.err }

// A page of a million words does not fit into 24 MB, and says so.
func TestMemoryIsBounded(t *testing.T) {
	var content strings.Builder
	content.WriteString("BT /F 9 Tf ")
	for range 500_000 {
		content.WriteString("(word) Tj T* ")
	}
	content.WriteString("ET")
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj " +
		"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj ")
	fmt.Fprintf(&b, "4 0 obj<</Length %d>>stream\n%s\nendstream endobj trailer<</Root 1 0 R>>\n%%%%EOF", content.Len(), content.String())
	e := engine(t, 24<<20)
	doc, err := e.Open(t.Context(), bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err == nil {
		err = doc.Page(t.Context(), 0, new(pdfium.Page))
	}
	if !errors.Is(err, pdfium.ErrMemory) {
		t.Errorf("err = %v, want ErrMemory", err)
	}
}
