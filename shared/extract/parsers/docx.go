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
	styles, err := o.styles()
	if err != nil {
		return info, err
	}
	for _, part := range []struct{ name, where string }{
		{"word/document.xml", ""}, {"word/footnotes.xml", "footnotes"}, {"word/endnotes.xml", "endnotes"}, {"word/comments.xml", "comments"},
	} {
		w := &wordText{f: f, styles: styles, where: part.where}
		if err := o.walk(part.name, w.token); err != nil {
			return info, err
		}
		if err := w.flush(); err != nil {
			return info, err
		}
	}
	return info, nil
}

// styles are the ids of the styles that say what a paragraph is.
type styles struct{ heading, item map[string]bool }

// styles reads which styles are headings and which are list items: their ids
// differ by language, outline levels, numbering and built-in names do not.
func (o *office) styles() (styles, error) {
	s := styles{map[string]bool{}, map[string]bool{}}
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
				s.heading[id] = true
			}
		case "outlineLvl":
			if n, err := strconv.Atoi(attr(t, "val")); err == nil && n < 9 {
				s.heading[id] = true
			}
		case "numPr":
			s.item[id] = true
		}
		return nil
	})
	return s, err
}

// wordText gathers the paragraphs of WordprocessingML. Table rows become one
// block, their cells divided by " | "; text that was deleted, field codes and the
// fall-backs of drawings are left out.
type wordText struct {
	f      *file
	styles styles
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
		w.isHead = w.isHead || w.styles.heading[attr(t, "val")]
		w.item = w.item || w.styles.item[attr(t, "val")]
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
