package pdfium

import (
	"context"
	"unicode/utf16"

	"github.com/tetratelabs/wazero/api"
)

// Char is one character of a page. Coordinates are in points (1/72 inch), from
// the lower left corner.
type Char struct {
	Rune rune
	// The box that a line of text gives the character: its advance wide and the
	// font's height high, whatever the glyph looks like.
	Left, Bottom, Right, Top float32
	Size                     float32 // of the font, in points
	// Generated says that the file has no such character: a blank or a line
	// break that follows from the places of its neighbours.
	Generated bool
	// Hyphen says that a word is cut here by the end of the line.
	Hyphen bool
}

// Page is what a page holds.
type Page struct {
	Chars []Char
	// Objects is how many things are drawn, letters or not: a page with objects
	// and without characters is a picture.
	Objects int
}

// Page reads page n, counted from 0. The characters are in the order of the
// file, which is the order of reading in all but odd files. It returns ErrFormat
// for a page that is missing or damaged; others can still be read. The slice is
// used again by the next call with the same Page.
func (d *Document) Page(ctx context.Context, n int, p *Page) (err error) {
	p.Chars, p.Objects = p.Chars[:0], 0
	e := d.e
	page, err := e.call(ctx, "FPDF_LoadPage", d.handle, uint64(uint32(n)))
	if err != nil {
		return err
	}
	if uint32(page) == 0 {
		return ErrFormat
	}
	objects, err := e.call(ctx, "FPDFPage_CountObjects", page)
	if err != nil {
		return err
	}
	p.Objects = max(0, int(int32(objects)))
	text, err := e.call(ctx, "FPDFText_LoadPage", page)
	if err != nil {
		return err
	}
	if uint32(text) != 0 {
		if err := e.chars(ctx, text, p); err != nil {
			return err
		}
		if _, err := e.call(ctx, "FPDFText_ClosePage", text); err != nil {
			return err
		}
	}
	_, err = e.call(ctx, "FPDF_ClosePage", page)
	return err
}

// maxPageChars is far more than a page that somebody can read holds.
const maxPageChars = 1 << 20

func (e *Engine) chars(ctx context.Context, text uint64, p *Page) error {
	count, err := e.call(ctx, "FPDFText_CountChars", text)
	if err != nil {
		return err
	}
	var high rune
	for i := range min(max(0, int(int32(count))), maxPageChars) {
		var c Char
		at := uint64(uint32(i))
		unit, err := e.call(ctx, "FPDFText_GetUnicode", text, at)
		if err != nil {
			return err
		}
		c.Rune = rune(uint32(unit))
		if utf16.IsSurrogate(c.Rune) { // half of a character: the other is next
			if high == 0 {
				high = c.Rune
				continue
			}
			c.Rune = utf16.DecodeRune(high, c.Rune)
		}
		high = 0
		generated, err := e.call(ctx, "FPDFText_IsGenerated", text, at)
		if err != nil {
			return err
		}
		c.Generated = int32(generated) == 1
		if c.Generated || c.Rune == 0x2 || c.Rune == '-' || c.Rune == '\u00ad' || c.Rune == '\u2010' {
			hyphen, err := e.call(ctx, "FPDFText_IsHyphen", text, at)
			if err != nil {
				return err
			}
			c.Hyphen = int32(hyphen) == 1
		}
		if !c.Generated || c.Hyphen {
			if err := e.place(ctx, text, at, &c); err != nil {
				return err
			}
		}
		p.Chars = append(p.Chars, c)
	}
	return nil
}

// place fills in where a character stands. FPDFText_GetLooseCharBox writes an
// FS_RECTF: left, top, right, bottom.
func (e *Engine) place(ctx context.Context, text, at uint64, c *Char) error {
	ok, err := e.call(ctx, "FPDFText_GetLooseCharBox", text, at, uint64(e.scratch))
	if err != nil {
		return err
	}
	if int32(ok) == 1 {
		mem := e.mod.Memory()
		c.Left, _ = mem.ReadFloat32Le(e.scratch)
		c.Top, _ = mem.ReadFloat32Le(e.scratch + 4)
		c.Right, _ = mem.ReadFloat32Le(e.scratch + 8)
		c.Bottom, _ = mem.ReadFloat32Le(e.scratch + 12)
	}
	size, err := e.call(ctx, "FPDFText_GetFontSize", text, at)
	if err != nil {
		return err
	}
	c.Size = float32(api.DecodeF64(size))
	return nil
}
