package parsers

import (
	"context"
	"errors"
	"fmt"

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
	e, err := pdfium.New(ctx, pdfium.Options{CacheDir: f.cacheDir, Memory: f.Memory / 2})
	if err == nil {
		e.Close(ctx)
	}
	return extract.Info{}, err
}

func readPDF(ctx context.Context, f *file) (extract.Info, error) {
	e, err := pdfium.New(ctx, pdfium.Options{CacheDir: f.cacheDir, Memory: f.Memory / 2})
	if err != nil {
		return extract.Info{}, err
	}
	defer e.Close(ctx)
	return readPDFWith(ctx, e, f)
}

func readPDFWith(ctx context.Context, e *pdfium.Engine, f *file) (extract.Info, error) {
	doc, err := e.Open(ctx, f.in, f.size)
	if err != nil {
		return extract.Info{}, f.pdfProblem(err)
	}
	info := extract.Info{Pages: min(doc.Pages, maxPages)}
	for tag, into := range map[string]*string{"Title": &info.Title, "Author": &info.Author} {
		if *into, err = doc.Meta(ctx, tag); err != nil {
			return info, f.pdfProblem(err)
		}
	}
	if info.Language, err = doc.Language(ctx); err != nil {
		return info, f.pdfProblem(err)
	}
	t := typeset{put: f.put}
	pictures, broken := 0, 0
	var page pdfium.Page
	var chunk []sheet
	for n := range info.Pages {
		err := doc.Page(ctx, n, &page)
		switch {
		case errors.Is(err, pdfium.ErrFormat):
			if broken++; broken == n+1 && broken >= 50 { // a count of pages that are not there
				return info, f.pdfProblem(err)
			}
			continue
		case err != nil:
			return info, f.pdfProblem(err)
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
	if broken > 0 && broken == info.Pages {
		return info, f.pdfProblem(pdfium.ErrFormat)
	}
	if doc.Pages == 0 {
		return info, f.damaged("it has no pages")
	}
	if pictures > 0 && pictures < info.Pages {
		info.Notes = append(info.Notes, fmt.Sprintf("%s without text, as scans are, and left out.", amount(pictures, info.Pages, "is a picture", "are pictures")))
	}
	if broken > 0 {
		info.Notes = append(info.Notes, fmt.Sprintf("%s damaged and left out.", amount(broken, info.Pages, "is", "are")))
	}
	if doc.Pages > maxPages {
		info.Notes = append(info.Notes, fmt.Sprintf("Only the first %d of %d pages were read.", maxPages, doc.Pages))
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
