package parsers

import (
	"context"
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

func readDOCX(_ context.Context, f *file) (extract.Info, error) {
	o, err := openOffice(f, "word/document.xml")
	if err != nil {
		return extract.Info{}, err
	}
	var info extract.Info
	if err := o.properties(&info); err != nil {
		return info, err
	}
	levels, err := o.headingStyles()
	if err != nil {
		return info, err
	}
	for _, part := range []struct{ name, where string }{
		{"word/document.xml", ""}, {"word/footnotes.xml", "footnotes"}, {"word/endnotes.xml", "endnotes"}, {"word/comments.xml", "comments"},
	} {
		w := &wordText{f: f, levels: levels, where: part.where}
		if err := o.walk(part.name, w.token); err != nil {
			return info, err
		}
		if err := w.flush(); err != nil {
			return info, err
		}
	}
	return info, nil
}

// headingStyles reads which styles are headings: their ids differ by language,
// their outline level and built-in names do not.
func (o *office) headingStyles() (map[string]bool, error) {
	levels := map[string]bool{}
	id := ""
	err := o.walk("word/styles.xml", func(tok xml.Token) error {
		t, ok := tok.(xml.StartElement)
		if !ok {
			return nil
		}
		switch t.Name.Local {
		case "style":
			id = attr(t, "styleId")
		case "name":
			name := strings.ToLower(attr(t, "val"))
			if strings.HasPrefix(name, "heading ") || name == "title" {
				levels[id] = true
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(attr(t, "val")); err == nil && n < 9 {
				levels[id] = true
			}
		}
		return nil
	})
	return levels, err
}

// wordText gathers the paragraphs of WordprocessingML. Table rows become one
// block, their cells divided by " | "; text that was deleted, field codes and the
// fall-backs of drawings are left out.
type wordText struct {
	f      *file
	levels map[string]bool
	where  string

	para    strings.Builder
	row     strings.Builder
	inText  int
	skip    int // depth inside something that is left out
	table   int
	cell    bool // something stands in the row already
	isHead  bool
	item    bool
	heading string
}

func (w *wordText) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		return w.start(t)
	case xml.EndElement:
		return w.end(t.Name.Local)
	case xml.CharData:
		if w.inText > 0 && w.skip == 0 && w.para.Len() < 1<<20 {
			w.para.Write(t)
		}
	}
	return nil
}

func (w *wordText) start(t xml.StartElement) error {
	switch t.Name.Local {
	case "Fallback", "del", "moveFrom", "instrText", "delText", "delInstrText":
		w.skip++
	case "p":
		if w.table == 0 {
			return w.flush()
		}
	case "pStyle":
		w.isHead = w.isHead || w.levels[attr(t, "val")]
	case "outlineLvl":
		if n, err := strconv.Atoi(attr(t, "val")); err == nil && n < 9 {
			w.isHead = true
		}
	case "numPr":
		w.item = true
	case "t":
		w.inText++
	case "tab", "ptab":
		w.para.WriteByte(' ')
	case "br", "cr":
		w.para.WriteByte('\n')
	case "noBreakHyphen":
		w.para.WriteByte('-')
	case "tbl":
		if w.table == 0 {
			if err := w.flush(); err != nil {
				return err
			}
		}
		w.table++
	}
	return nil
}

func (w *wordText) end(name string) error {
	switch name {
	case "Fallback", "del", "moveFrom", "instrText", "delText", "delInstrText":
		w.skip = max(0, w.skip-1)
	case "t":
		w.inText = max(0, w.inText-1)
	case "p":
		if w.table == 0 {
			return w.flush()
		}
		w.para.WriteByte(' ')
	case "tc":
		if w.table == 1 {
			w.closeCell()
		}
	case "tr":
		if w.table == 1 {
			return w.closeRow()
		}
	case "tbl":
		if w.table = max(0, w.table-1); w.table == 0 {
			return w.closeRow()
		}
	}
	return nil
}

func (w *wordText) closeCell() {
	text := strings.Join(strings.Fields(w.para.String()), " ")
	w.para.Reset()
	w.isHead, w.item = false, false
	if w.cell {
		w.row.WriteString(" | ")
	}
	w.row.WriteString(text)
	w.cell = true
}

func (w *wordText) closeRow() error {
	text := strings.Trim(w.row.String(), " |")
	w.row.Reset()
	w.cell = false
	return w.f.put(text, w.where, w.heading)
}

func (w *wordText) flush() error {
	text := strings.TrimSpace(w.para.String())
	w.para.Reset()
	head, item := w.isHead, w.item
	w.isHead, w.item = false, false
	switch {
	case text == "":
		return nil
	case head:
		w.heading = strings.Join(strings.Fields(text), " ")
		text = w.heading
	case item:
		text = "• " + text
	}
	return w.f.put(text, w.where, w.heading)
}
