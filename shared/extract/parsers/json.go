package parsers

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// recordBytes is about how much text stands in one block of JSON or XML: an
// entry of a list that is larger becomes several.
const recordBytes = 1500

// readJSON turns a document, or several of them one after the other (JSON Lines),
// into lines "path: value". An entry of the outermost list is a block.
func readJSON(_ context.Context, f *file) (extract.Info, error) {
	text, legacy, err := f.plainText()
	if err != nil {
		return extract.Info{}, err
	}
	in := json.NewDecoder(bufio.NewReaderSize(text, 64<<10))
	in.UseNumber()
	w := &jsonText{f: f, in: in}
	for documents := 0; ; documents++ {
		tok, err := in.Token()
		if errors.Is(err, io.EOF) && documents > 0 {
			return noted(extract.Info{}, legacy), nil
		}
		if documents > 0 { // JSON Lines
			w.item, w.where = documents+1, fmt.Sprintf("line %d", documents+1)
		}
		if err == nil {
			err = w.value(tok)
		}
		if err == nil {
			err = w.flush()
		}
		if err != nil {
			return noted(extract.Info{}, legacy), w.explain(err)
		}
	}
}

type jsonText struct {
	f     *file
	in    *json.Decoder
	path  []string
	block strings.Builder
	where string
	lists int // how many lists are open
	item  int
}

// explain words an error of the decoder.
func (w *jsonText) explain(err error) error {
	var bad *json.SyntaxError
	switch {
	case errors.As(err, &bad):
		return w.f.damaged(fmt.Sprintf("it is not valid JSON at byte %d (%s)", bad.Offset, bad.Error()))
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return w.f.damaged(fmt.Sprintf("it is not whole JSON, it ends at byte %d in the middle of something", w.in.InputOffset()))
	case errors.Is(err, extract.ErrNotText):
		return w.f.damaged("it holds binary data")
	}
	return err
}

// value reads a value that begins with a token. Nesting is bounded, so the
// recursion is.
func (w *jsonText) value(tok json.Token) error {
	switch t := tok.(type) {
	case json.Delim:
		if len(w.path)+w.lists > maxDepth {
			return w.f.damaged("it is nested too deeply")
		}
		if t == '{' {
			return w.object()
		}
		return w.list()
	case string:
		return w.leaf(t)
	case json.Number:
		return w.leaf(t.String())
	case bool:
		return w.leaf(fmt.Sprint(t))
	}
	return nil // null says nothing
}

func (w *jsonText) object() error {
	for w.in.More() {
		key, err := w.in.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string)
		tok, err := w.in.Token()
		if err != nil {
			return err
		}
		w.path = append(w.path, name)
		if err := w.value(tok); err != nil {
			return err
		}
		w.path = w.path[:len(w.path)-1]
	}
	_, err := w.in.Token()
	return err
}

func (w *jsonText) list() error {
	w.lists++
	outer, path := w.where, w.path
	outermost := w.lists == 1 && w.item == 0
	if outermost {
		if err := w.flush(); err != nil {
			return err
		}
	}
	for n := 1; w.in.More(); n++ {
		if outermost {
			w.where = fmt.Sprintf("item %d", n)
			if len(path) > 0 {
				w.where += " of " + strings.Join(path, ".")
			}
			w.path = nil
		}
		tok, err := w.in.Token()
		if err != nil {
			return err
		}
		if err := w.value(tok); err != nil {
			return err
		}
		if outermost {
			if err := w.flush(); err != nil {
				return err
			}
		}
	}
	w.lists--
	w.where, w.path = outer, path
	_, err := w.in.Token()
	return err
}

func (w *jsonText) leaf(value string) error {
	value = strings.TrimSpace(value)
	if value == "" {
		return nil
	}
	if w.block.Len() > 0 {
		if w.block.Len()+len(value) > recordBytes {
			if err := w.flush(); err != nil {
				return err
			}
		} else {
			w.block.WriteByte('\n')
		}
	}
	if len(w.path) > 0 {
		shown := w.path[max(0, len(w.path)-4):]
		w.block.WriteString(strings.Join(shown, ".") + ": ")
	}
	w.block.WriteString(value)
	return nil
}

func (w *jsonText) flush() error {
	text := w.block.String()
	w.block.Reset()
	return w.f.put(text, w.where, "")
}
