package parsers

import (
	"context"
	"encoding/xml"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/mindgate-dev/mindgate/shared/extract"
	"github.com/mindgate-dev/mindgate/shared/tabular/cell"
)

// maxWorkbook bounds what the parts of a workbook unpack to: nothing of a sheet
// is held but one row.
const maxWorkbook = 1 << 30

// workbook is a spreadsheet of Office Open XML (ECMA-376 part 1, 18).
type workbook struct {
	*office
	tabs  []tab
	parts []string // of the tabs

	stylesPart, textsPart string

	from1904 bool
	shapes   []cell.Shape // by the index of a cell's format
	text     []byte       // of the strings that cells share, end to end
	ends     []uint32

	failed, uncounted int
}

// maxSharedText bounds the texts that are held; beyond it the memory of a reading
// is not enough anyway.
const maxSharedText = 256 << 20

func readXLSX(_ context.Context, f *file) (extract.Info, error) {
	o, err := unpack(f)
	if err != nil {
		return extract.Info{}, err
	}
	o.left, o.streamed = maxWorkbook, true
	w := &workbook{office: o}
	for _, step := range []func() error{w.contents, w.styles, w.sharedStrings} {
		if err := step(); err != nil {
			return extract.Info{}, err
		}
	}
	err = f.sheets(w.tabs, w.rows)
	return extract.Info{Notes: cellNotes(w.failed, w.uncounted)}, err
}

// contents reads which sheets there are.
func (w *workbook) contents() error {
	main := "xl/workbook.xml"
	roots, err := w.targets("")
	if err != nil {
		return err
	}
	for _, r := range roots {
		if r.kind == "officeDocument" && w.office.parts[strings.ToLower(r.part)] != nil {
			main = r.part
		}
	}
	if w.office.parts[strings.ToLower(main)] == nil || strings.HasPrefix(main, "word/") || strings.HasPrefix(main, "ppt/") || strings.HasSuffix(main, ".bin") {
		return w.otherwise()
	}
	related, err := w.targets(main)
	if err != nil {
		return err
	}
	for _, r := range related {
		switch r.kind {
		case "styles":
			w.stylesPart = r.part
		case "sharedStrings":
			w.textsPart = r.part
		}
	}
	return w.walk(main, func(tok xml.Token) error {
		t, ok := tok.(xml.StartElement)
		if !ok {
			return nil
		}
		switch t.Name.Local {
		case "workbookPr":
			w.from1904 = truth(attr(t, "date1904"))
		case "sheet":
			r := related[attr(t, "id")]
			part := w.office.parts[strings.ToLower(r.part)]
			if part == nil {
				return nil
			}
			w.parts = append(w.parts, r.part)
			w.tabs = append(w.tabs, tab{
				name: attr(t, "name"), hidden: attr(t, "state") == "hidden" || attr(t, "state") == "veryHidden",
				cells: r.kind == "worksheet", bytes: int64(min(part.UncompressedSize64, maxWorkbook)),
			})
			if len(w.tabs) > maxSheets {
				return w.tooLarge()
			}
		}
		return nil
	})
}

func truth(s string) bool { return s == "1" || s == "true" || s == "on" }

// styles reads which formats of cells make dates of numbers.
func (w *workbook) styles() error {
	formats := map[string]cell.Shape{}
	inCells := false
	return w.walk(w.stylesPart, func(tok xml.Token) error {
		switch t := tok.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "numFmt":
				formats[attr(t, "numFmtId")] = cell.Format(attr(t, "formatCode"))
			case "cellXfs":
				inCells = true
			case "xf":
				if !inCells {
					return nil
				}
				id := attr(t, "numFmtId")
				shape, own := formats[id]
				if !own {
					n, _ := strconv.Atoi(id)
					shape = cell.Builtin(n)
				}
				w.shapes = append(w.shapes, shape)
			}
		case xml.EndElement:
			if t.Name.Local == "cellXfs" {
				inCells = false
			}
		}
		return nil
	})
}

// sharedStrings reads the texts that cells share, without what tells how they
// are pronounced.
func (w *workbook) sharedStrings() error {
	var in, phonetic bool
	start := 0
	return w.walk(w.textsPart, func(tok xml.Token) error {
		switch t := tok.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "t":
				in = !phonetic
			case "rPh":
				phonetic = true
			}
		case xml.CharData:
			if in {
				w.text = append(w.text, t...)
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "t":
				in = false
			case "rPh":
				phonetic = false
			case "si":
				if escaped(w.text[start:]) {
					w.text = append(w.text[:start], unescape(string(w.text[start:]))...)
				}
				if start = len(w.text); start > maxSharedText {
					return extract.TooLarge(w.f.Options)
				}
				w.ends = append(w.ends, uint32(start))
			}
		}
		return nil
	})
}

func (w *workbook) shared(index string) (string, error) {
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(w.ends) {
		return "", w.f.damaged("a cell names a text that is not there")
	}
	from := uint32(0)
	if i > 0 {
		from = w.ends[i-1]
	}
	return string(w.text[from:w.ends[i]]), nil
}

func escaped(b []byte) bool {
	for i, c := range b {
		if c == '_' && i+6 < len(b) && b[i+1] == 'x' && b[i+6] == '_' {
			return true
		}
	}
	return false
}

var escape = regexp.MustCompile(`_x[0-9A-Fa-f]{4}_`)

// unescape gives the characters that XML cannot hold, written as _x000D_ (ECMA-376
// part 1, 22.9.2.19).
func unescape(s string) string {
	return escape.ReplaceAllStringFunc(s, func(m string) string {
		n, err := strconv.ParseUint(m[2:6], 16, 16)
		if err != nil || utf16.IsSurrogate(rune(n)) {
			return m
		}
		return string(rune(n))
	})
}

var errEndOfSheet = errors.New("the rows end")

// rows hands on the rows of a sheet.
func (w *workbook) rows(i int, each func([]string) error) error {
	w.failed, w.uncounted = 0, 0
	s := &sheetRows{w: w, each: each}
	err := w.walk(w.parts[i], s.token)
	if errors.Is(err, errEndOfSheet) {
		return nil
	}
	return err
}

// sheetRows makes rows of the tokens of a sheet.
type sheetRows struct {
	w     *workbook
	each  func([]string) error
	cells []string
	any   bool

	col      int // of the present cell, from 0
	style    int
	kind     string
	value    []byte
	inCell   bool
	inValue  bool // in a text that counts
	inline   bool
	phonetic bool
	formula  bool
}

func (s *sheetRows) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return s.start(t)
	case xml.CharData:
		if s.inValue {
			s.value = append(s.value, t...)
		}
	case xml.EndElement:
		switch t.Name.Local {
		case "v", "t":
			s.inValue = false
		case "is":
			s.inline = false
		case "rPh":
			s.phonetic = false
		case "c":
			return s.cell()
		case "row":
			if s.any {
				if err := s.each(s.cells); err != nil {
					return err
				}
			}
			clear(s.cells)
			s.cells, s.any = s.cells[:0], false
		case "sheetData":
			return errEndOfSheet
		}
	}
	return nil
}

func (s *sheetRows) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "row":
		s.col = -1
	case "c":
		s.col++
		s.inCell = true
		s.style, s.kind, s.value, s.formula = 0, "", s.value[:0], false
		for _, a := range t.Attr {
			switch a.Name.Local {
			case "r":
				if col, ok := column(a.Value); ok {
					s.col = col
				}
			case "s":
				s.style, _ = strconv.Atoi(a.Value)
			case "t":
				s.kind = a.Value
			}
		}
		if s.col >= maxSheetCols {
			return s.w.f.damaged("a cell stands farther to the right than sheets go")
		}
	case "v":
		s.inValue = s.kind != "inlineStr" // its text stands in the cell itself
	case "is":
		s.inline = true
	case "rPh":
		s.phonetic = true
	case "t":
		s.inValue = s.inline && !s.phonetic
	case "f":
		s.formula = true
	}
	return nil
}

// column is the place of a cell such as AB12 in its row, from 0.
func column(ref string) (int, bool) {
	n := 0
	for i := range len(ref) {
		c := ref[i] &^ 0x20
		if c < 'A' || c > 'Z' {
			return n - 1, i > 0 && i < 4
		}
		n = n*26 + int(c-'A') + 1
	}
	return 0, false
}

// cell takes the value of a cell that ends.
func (s *sheetRows) cell() error {
	if !s.inCell { // it ended without having begun
		return nil
	}
	s.inCell = false
	text, err := s.said()
	if err != nil || text == "" {
		return err
	}
	for len(s.cells) <= s.col {
		s.cells = append(s.cells, "")
	}
	s.cells[s.col] = text
	s.any = true
	return nil
}

func (s *sheetRows) said() (string, error) {
	v := string(s.value)
	switch s.kind {
	case "s":
		if v == "" {
			return "", nil
		}
		return s.w.shared(strings.TrimSpace(v))
	case "str", "inlineStr":
		if escaped(s.value) {
			v = unescape(v)
		}
		return v, nil
	case "b":
		switch strings.TrimSpace(v) {
		case "":
			return "", nil
		case "0", "false":
			return "FALSE", nil
		}
		return "TRUE", nil
	case "e":
		s.w.failed++
		return "", nil
	case "d":
		return isoMoment(strings.TrimSpace(v)), nil
	}
	if v == "" {
		if s.formula {
			s.w.uncounted++
		}
		return "", nil
	}
	n, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
	if err != nil {
		return v, nil // not by the book, but what a person sees
	}
	if s.style >= 0 && s.style < len(s.w.shapes) {
		return cell.Moment(n, s.w.shapes[s.style], s.w.from1904), nil
	}
	return cell.Number(n), nil
}

// isoMoment writes the date of a cell that holds it as ISO 8601 the way that
// dates are written here.
func isoMoment(v string) string {
	date, clock, both := strings.Cut(v, "T")
	if !both {
		return v
	}
	clock, _, _ = strings.Cut(strings.TrimSuffix(clock, "Z"), ".")
	if clock == "00:00:00" {
		return date
	}
	return date + " " + clock
}
