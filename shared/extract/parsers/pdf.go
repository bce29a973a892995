package parsers

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/extract/pdfium"
)

const (
	// maxPages is more than any document for people has.
	maxPages = 10_000
	// chunkPages is how many pages are compared to find running headers and
	// footers; text is handed on after so many.
	chunkPages = 64
)

// warm fills the cache of compiled code.
func warm(ctx context.Context, f *file) (extract.Info, error) {
	e, err := pdfium.New(ctx, pdfium.Options{CacheDir: f.cacheDir, Memory: f.Memory - pdfRest})
	if err == nil {
		e.Close(ctx)
	}
	return extract.Info{}, err
}

func readPDF(ctx context.Context, f *file) (extract.Info, error) {
	p := &pdfReader{f: f, start: func() (*pdfium.Engine, error) {
		return pdfium.New(ctx, pdfium.Options{CacheDir: f.cacheDir, Memory: f.Memory - pdfRest})
	}}
	defer p.close(ctx)
	return p.read(ctx)
}

// pdfRest is the memory that reading a PDF takes beside that of PDFium itself.
const pdfRest = 96 << 20

// maxRestarts is how many pages that crash the engine, for lack of memory most
// often, are left out before a file is refused.
const maxRestarts = 3

// pdfReader reads a file with an engine that it can start again: a page that
// crashes it ends the engine, not the reading.
type pdfReader struct {
	f      *file
	start  func() (*pdfium.Engine, error)
	engine *pdfium.Engine
	doc    *pdfium.Document
}

func (p *pdfReader) open(ctx context.Context) (err error) {
	if p.engine != nil {
		p.close(ctx)
		p.doc = nil          // it holds the memory of its engine
		debug.FreeOSMemory() // two of them at once would be over the bound
	}
	if p.engine, err = p.start(); err != nil {
		return err
	}
	p.doc, err = p.engine.Open(ctx, p.f.in, p.f.size)
	return err
}

func (p *pdfReader) close(ctx context.Context) {
	if p.engine != nil {
		p.engine.Close(ctx)
		p.engine = nil
	}
}

func (p *pdfReader) about(ctx context.Context) (info extract.Info, err error) {
	info.Pages = min(p.doc.Pages, maxPages)
	for tag, into := range map[string]*string{"Title": &info.Title, "Author": &info.Author} {
		if *into, err = p.doc.Meta(ctx, tag); err != nil {
			return info, err
		}
	}
	info.Language, err = p.doc.Language(ctx)
	return info, err
}

func (p *pdfReader) read(ctx context.Context) (extract.Info, error) {
	if err := p.open(ctx); err != nil {
		return extract.Info{}, p.f.pdfProblem(err)
	}
	info, err := p.about(ctx)
	if err != nil {
		return info, p.f.pdfProblem(err)
	}
	pages := p.doc.Pages
	t := typeset{put: p.f.put}
	pictures, broken, oversized, restarts := 0, 0, 0, 0
	var page pdfium.Page
	var chunk []sheet
	for n := range info.Pages {
		err := p.doc.Page(ctx, n, &page)
		if err != nil && p.engine.Broken() {
			if restarts++; restarts > maxRestarts || info.Pages == 1 {
				return info, p.f.pdfProblem(err)
			}
			if err := p.open(ctx); err != nil {
				return info, p.f.pdfProblem(err)
			}
		}
		switch {
		case errors.Is(err, pdfium.ErrFormat):
			if broken++; broken == n+1 && broken >= 50 { // a count of pages that are not there
				return info, p.f.pdfProblem(err)
			}
			continue
		case errors.Is(err, pdfium.ErrMemory):
			oversized++
			continue
		case err != nil:
			return info, p.f.pdfProblem(err)
		}
		lines := linesOf(page.Chars)
		if len(lines) == 0 && page.Objects > 0 {
			pictures++
		}
		chunk = append(chunk, sheet{number: n + 1, lines: lines})
		if len(chunk) == chunkPages {
			if err := t.add(chunk); err != nil {
				return info, err
			}
			chunk = chunk[:0]
		}
	}
	if err := t.add(chunk); err != nil {
		return info, err
	}
	if err := t.end(); err != nil {
		return info, err
	}
	switch {
	case pages == 0:
		return info, p.f.damaged("it has no pages")
	case broken == info.Pages:
		return info, p.f.pdfProblem(pdfium.ErrFormat)
	case oversized == info.Pages:
		return info, p.f.pdfProblem(pdfium.ErrMemory)
	}
	if pictures > 0 && pictures < info.Pages {
		info.Notes = append(info.Notes, amount(pictures, info.Pages, "is a picture", "are pictures")+" without text, as scans are, and left out.")
	}
	if broken > 0 {
		info.Notes = append(info.Notes, amount(broken, info.Pages, "is", "are")+" damaged and left out.")
	}
	if oversized > 0 {
		info.Notes = append(info.Notes, amount(oversized, info.Pages, "takes", "take")+" too much memory to read and was left out.")
	}
	if pages > maxPages {
		info.Notes = append(info.Notes, fmt.Sprintf("Only the first %d of %d pages were read.", maxPages, pages))
	}
	return info, nil
}

func amount(n, of int, one, many string) string {
	if n == 1 {
		return fmt.Sprintf("1 of %d pages %s", of, one)
	}
	return fmt.Sprintf("%d of %d pages %s", n, of, many)
}

func (f *file) pdfProblem(err error) error {
	switch {
	case errors.Is(err, pdfium.ErrPassword):
		return f.problem(extract.CodePassword, "is protected with a password. Save a copy without one and send that.")
	case errors.Is(err, pdfium.ErrMemory):
		return extract.TooLarge(f.Options)
	case errors.Is(err, pdfium.ErrFormat):
		return f.damaged("it is no whole PDF")
	}
	return err
}
