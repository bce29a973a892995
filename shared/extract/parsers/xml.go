package parsers

import (
	"bufio"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// readXML reads any XML: the text of its elements in order, short values named
// by their element, an entry of the root a block at least. Attributes count where
// an element has nothing else.
func readXML(_ context.Context, f *file) (extract.Info, error) {
	in, decode, err := f.declared()
	if err != nil {
		return extract.Info{}, err
	}
	w := &xmlText{f: f}
	err = walkXML(in, decode, w.token)
	if err == nil {
		err = w.flush()
	}
	var bad *xml.SyntaxError
	switch {
	case errors.As(err, &bad):
		err = f.damaged(fmt.Sprintf("it is not well-formed XML near line %d (%s)", max(1, bad.Line), bad.Msg))
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = f.damaged("it is not whole XML, it ends in the middle of an element")
	case errors.Is(err, errToken):
		err = extract.TooLarge(f.Options)
	case errors.Is(err, errDepth):
		err = f.damaged("its elements are nested too deeply")
	case errors.Is(err, errEntities):
		err = f.problem(extract.CodeUnsupported, "declares entities of its own, which are not expanded since that can blow up without end. Save it with the entities expanded, or send its text as .txt.")
	case errors.Is(err, extract.ErrNotText):
		err = f.damaged("it holds binary data")
	case err != nil && foreignCharset(err):
		err = f.problem(extract.CodeUnsupported, "names an encoding that is not known. Save it as UTF-8 and send it again.")
	}
	return w.info, err
}

var encodingOf = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([^"']+)["']`)

// declared opens a file whose encoding may stand in its first line. A mark at the
// beginning has precedence, since it cannot be wrong.
func (f *file) declared() (in io.Reader, decode func(string, io.Reader) (io.Reader, error), err error) {
	head := make([]byte, 1024)
	n, err := f.in.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if m := encodingOf.FindSubmatch(head[:n]); m != nil && !strings.HasPrefix(strings.ToLower(string(m[1])), "utf") {
		return bufio.NewReaderSize(f.in, 64<<10), charset.NewReaderLabel, nil
	}
	text, _, err := f.plainText()
	return text, func(_ string, in io.Reader) (io.Reader, error) { return in, nil }, err
}

type xmlText struct {
	f       *file
	info    extract.Info
	stack   []*element
	block   strings.Builder
	heading string
}

type element struct {
	name  string
	text  strings.Builder
	attrs string
	full  bool // something inside it was handed on
}

func (w *xmlText) token(tok xml.Token) error {
	switch t := tok.(type) {
	case xml.StartElement:
		if len(w.stack) == 0 && w.info.Language == "" {
			w.info.Language = attr(t, "lang")
		}
		w.stack = append(w.stack, &element{name: t.Name.Local, attrs: attributes(t)})
	case xml.CharData:
		if n := len(w.stack); n > 0 {
			e := w.stack[n-1]
			e.text.Write(t)
			if e.text.Len() > 64<<10 { // an endless paragraph
				return w.spill(e)
			}
		}
	case xml.EndElement:
		return w.end()
	}
	return nil
}

func attributes(t xml.StartElement) string {
	var out []string
	for _, a := range t.Attr {
		if a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || a.Name.Space == "xml" || len(a.Value) > 300 || strings.TrimSpace(a.Value) == "" {
			continue
		}
		out = append(out, a.Name.Local+": "+a.Value)
	}
	return strings.Join(out, "; ")
}

func (w *xmlText) spill(e *element) error {
	text := e.text.String()
	cut := len(text)
	for cut > 0 && !utf8.RuneStart(text[cut-1]) {
		cut--
	}
	cut = max(cut-1, 0)
	e.text.Reset()
	e.text.WriteString(text[cut:])
	e.full = true
	if err := w.flush(); err != nil {
		return err
	}
	return w.f.put(text[:cut], "", w.heading)
}

func (w *xmlText) end() error {
	n := len(w.stack)
	if n == 0 {
		return nil
	}
	e := w.stack[n-1]
	text := strings.Join(strings.Fields(e.text.String()), " ")
	w.stack = w.stack[:n-1]
	var parent *element
	if n > 1 {
		parent = w.stack[n-2]
		parent.full = parent.full || e.full || text != ""
	}
	if text == "" && !e.full && e.attrs != "" {
		text = e.attrs
	}
	switch {
	case text == "":
	case parent != nil && strings.TrimSpace(parent.text.String()) != "": // inside a sentence
		parent.text.WriteString(" " + text + " ")
	case titles[strings.ToLower(e.name)] && len(text) < 300:
		if err := w.flush(); err != nil {
			return err
		}
		w.heading = text
		if w.info.Title == "" {
			w.info.Title = text
		}
		if err := w.f.put(text, "", w.heading); err != nil {
			return err
		}
	default:
		if err := w.add(e.name, text); err != nil {
			return err
		}
	}
	if n <= 2 { // an entry of the root, or the root
		return w.flush()
	}
	return nil
}

var titles = map[string]bool{"title": true, "head": true, "heading": true, "h1": true, "h2": true, "h3": true, "h4": true}

// prose are elements whose name says nothing beside a text.
var prose = map[string]bool{"p": true, "para": true, "simpara": true, "text": true, "line": true, "l": true, "li": true, "td": true, "entry": true, "body": true}

func (w *xmlText) add(name, text string) error {
	if w.block.Len() > 0 {
		if w.block.Len()+len(text) > recordBytes {
			if err := w.flush(); err != nil {
				return err
			}
		} else {
			w.block.WriteByte('\n')
		}
	}
	if utf8.RuneCountInString(text) < 120 && !prose[strings.ToLower(name)] {
		w.block.WriteString(name + ": ")
	}
	w.block.WriteString(text)
	return nil
}

func (w *xmlText) flush() error {
	text := w.block.String()
	w.block.Reset()
	return w.f.put(text, "", w.heading)
}
