package parsers

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

const (
	// maxTree is the largest page that is made a tree of, which takes some twenty
	// times its size. Larger ones are read tag by tag.
	maxTree = 4 << 20
	// maxTag is the largest tag or piece of text that is held.
	maxTag = 8 << 20
	// leastArticle is how many characters the main content of a page must have;
	// less is a sign that it was not found.
	leastArticle = 250
)

func readHTML(_ context.Context, f *file) (extract.Info, error) {
	in, err := f.hypertext()
	if err != nil {
		return extract.Info{}, err
	}
	w := &htmlText{f: f}
	if f.size <= maxTree {
		// A page that is nested too deeply for a tree is read tag by tag.
		if doc, err := html.Parse(in); err == nil {
			if f.PageURL != "" {
				return readPage(f, doc)
			}
			w.node(doc)
			return w.info, w.finish()
		}
		if _, err := f.in.Seek(0, io.SeekStart); err != nil {
			return w.info, err
		}
		if in, err = f.hypertext(); err != nil {
			return w.info, err
		}
	}
	err = w.stream(in)
	if err == nil {
		err = w.flush()
	}
	return w.info, err
}

// hypertext opens a file of HTML as UTF-8: by its mark, its media type or what it
// says itself.
func (f *file) hypertext() (io.Reader, error) {
	head := make([]byte, 1024)
	n, err := f.in.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	// What it falls back to, windows-1252, is what plainText does as well, but for
	// text that turns out to be UTF-8 further down.
	e, name, _ := charset.DetermineEncoding(head[:n], f.MediaType)
	if name != "utf-8" && name != "windows-1252" && name != "replacement" {
		return e.NewDecoder().Reader(f.in), nil
	}
	text, _, err := f.plainText()
	return text, err
}

// htmlText gathers the text of HTML: a block a paragraph, a list or the rows of a
// table, headings apart, nothing that is not shown.
type htmlText struct {
	f     *file
	info  extract.Info
	frame bool // leave out menus, headers and footers too
	flat  bool // tag by tag: where elements end that nobody closes is not known
	err   error

	block   strings.Builder
	heading string
	inHead  atom.Atom // the heading that is open
	lists   int
	table   int
	cells   int
	pre     int
	skip    atom.Atom // the element that is left out, 0: none
	skipped int       // how many of that name are open in it
	inTitle bool
}

func (w *htmlText) finish() error {
	if w.err == nil {
		w.err = w.flush()
	}
	return w.err
}

// stream reads tag by tag, without a tree.
func (w *htmlText) stream(in io.Reader) error {
	w.flat = true
	z := html.NewTokenizer(bufio.NewReaderSize(in, 64<<10))
	z.SetMaxBuf(maxTag)
	for w.err == nil {
		switch z.Next() {
		case html.ErrorToken:
			switch {
			case errors.Is(z.Err(), io.EOF):
				return nil
			case errors.Is(z.Err(), html.ErrBufferExceeded):
				return extract.TooLarge(w.f.Options)
			case errors.Is(z.Err(), extract.ErrNotText):
				return w.f.damaged("it holds binary data")
			}
			return z.Err()
		case html.TextToken:
			w.text(string(z.Text()))
		case html.StartTagToken:
			t := z.Token()
			w.start(t.DataAtom, t.Attr)
		case html.SelfClosingTagToken:
			t := z.Token()
			w.start(t.DataAtom, t.Attr)
			if w.skip == t.DataAtom {
				w.end(t.DataAtom)
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			w.end(atom.Lookup(name))
		}
	}
	return w.err
}

// node walks a tree. Its depth is bounded by html.Parse.
func (w *htmlText) node(n *html.Node) {
	if w.err != nil {
		return
	}
	switch n.Type {
	case html.TextNode:
		w.text(n.Data)
		return
	case html.ElementNode:
		w.start(n.DataAtom, n.Attr)
	}
	if w.skip == 0 || n.DataAtom == atom.Title {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			w.node(c)
		}
	}
	if n.Type == html.ElementNode {
		w.end(n.DataAtom)
	}
}

// unseen are elements whose content is not text of the page.
var unseen = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Template: true, atom.Svg: true, atom.Math: false, atom.Iframe: true,
	atom.Object: true, atom.Canvas: true, atom.Audio: true, atom.Video: true, atom.Select: true, atom.Button: true,
	atom.Textarea: true, atom.Noscript: true, atom.Datalist: true,
}

// around are the parts of a page that stand on every page of its site.
var around = map[atom.Atom]bool{atom.Nav: true, atom.Header: true, atom.Footer: true, atom.Aside: true, atom.Form: true}

// mayStayOpen are elements that need no end tag.
func mayStayOpen(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Li, atom.Dt, atom.Dd, atom.Tr, atom.Td, atom.Th, atom.Thead, atom.Tbody, atom.Tfoot, atom.Option, atom.Head:
		return true
	}
	return false
}

func isVoid(a atom.Atom) bool {
	switch a {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta, atom.Source, atom.Track, atom.Wbr:
		return true
	}
	return false
}

func (w *htmlText) start(a atom.Atom, attrs []html.Attribute) {
	if w.skip != 0 {
		if a == w.skip {
			w.skipped++
		}
		return
	}
	if !isVoid(a) && !(w.flat && mayStayOpen(a)) && (unseen[a] || w.frame && around[a] || hidden(attrs)) && a != atom.Body && a != atom.Html && a != 0 {
		w.skip, w.skipped = a, 1
		return
	}
	switch a {
	case atom.Html:
		w.info.Language = value(attrs, "lang")
	case atom.Meta:
		switch strings.ToLower(value(attrs, "name")) {
		case "author":
			w.info.Author = value(attrs, "content")
		}
	case atom.Title:
		w.inTitle = true
	case atom.Br:
		if w.table > 0 && w.cells > 0 {
			w.block.WriteByte(' ')
		} else {
			w.block.WriteByte('\n')
		}
	case atom.Wbr, atom.Img:
	case atom.Pre:
		w.brk()
		w.pre++
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		w.fail(w.flush())
		w.inHead = a
	case atom.Ul, atom.Ol, atom.Dl:
		if w.lists == 0 {
			w.brk()
		}
		w.lists++
	case atom.Li:
		if w.block.Len() > recordBytes {
			w.brk()
		}
		w.newline()
		w.block.WriteString("• ")
	case atom.Table:
		w.fail(w.flush())
		w.table++
		w.cells = 0
	case atom.Tr:
		if w.block.Len() > recordBytes {
			w.fail(w.flush())
		}
		w.newline()
		w.cells = 0
	case atom.Td, atom.Th:
		if w.cells > 0 {
			w.block.WriteString(" | ")
		}
		w.cells++
	default:
		if blocky(a) {
			w.brk()
		}
	}
}

func (w *htmlText) end(a atom.Atom) {
	if w.skip != 0 {
		if a == w.skip {
			if w.skipped--; w.skipped == 0 {
				w.skip = 0
			}
		}
		return
	}
	switch a {
	case atom.Title:
		w.inTitle = false
	case atom.Pre:
		w.pre = max(0, w.pre-1)
		w.brk()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if w.inHead != 0 {
			if text := strings.Join(strings.Fields(w.block.String()), " "); text != "" {
				w.heading = text
			}
			w.inHead = 0
			w.fail(w.flush())
		}
	case atom.Ul, atom.Ol, atom.Dl:
		if w.lists = max(0, w.lists-1); w.lists == 0 {
			w.brk()
		}
	case atom.Table:
		w.table = max(0, w.table-1)
		w.fail(w.flush())
	case atom.Td, atom.Th, atom.Tr, atom.Li:
	default:
		if blocky(a) {
			w.brk()
		}
	}
}

// brk ends a paragraph: in a cell with a blank, in a list item with a new line.
func (w *htmlText) brk() {
	switch {
	case w.inHead != 0, w.table > 0 && w.cells > 0:
		w.block.WriteByte(' ')
	case w.lists > 0 && w.block.Len() <= recordBytes:
		if !strings.HasSuffix(w.block.String(), "• ") {
			w.newline()
		}
	default:
		w.fail(w.flush())
	}
}

func (w *htmlText) newline() {
	if w.block.Len() > 0 {
		w.block.WriteByte('\n')
	}
}

func (w *htmlText) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

// spaces are made single, as a browser does, but for preformatted text.
var spaces = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ", "\f", " ")

func (w *htmlText) text(s string) {
	switch {
	case w.inTitle:
		if len(w.info.Title) < 1000 {
			w.info.Title += s
		}
		return
	case w.skip != 0:
		return
	case w.pre == 0:
		s = spaces.Replace(s)
	}
	w.block.WriteString(s)
	if w.block.Len() > 64<<10 {
		w.fail(w.flush())
	}
}

func (w *htmlText) flush() error {
	text := w.block.String()
	w.block.Reset()
	if strings.Trim(text, " |•\n\t") == "" {
		return nil
	}
	return w.f.put(text, "", w.heading)
}

func blocky(a atom.Atom) bool {
	switch a {
	case atom.P, atom.Div, atom.Section, atom.Article, atom.Blockquote, atom.Figure, atom.Figcaption, atom.Header, atom.Footer,
		atom.Nav, atom.Aside, atom.Main, atom.Form, atom.Fieldset, atom.Address, atom.Details, atom.Summary, atom.Caption,
		atom.Dt, atom.Dd, atom.Hr, atom.Body, atom.Hgroup, atom.Legend, atom.Center:
		return true
	}
	return false
}

// hidden says that an element is not shown: text that only programs see is not
// what a page says to people.
func hidden(attrs []html.Attribute) bool {
	for _, a := range attrs {
		switch a.Key {
		case "hidden":
			return true
		case "aria-hidden":
			return a.Val == "true"
		case "style":
			style := strings.ReplaceAll(strings.ToLower(a.Val), " ", "")
			for _, none := range []string{"display:none", "visibility:hidden", "font-size:0", "opacity:0;"} {
				if strings.Contains(style, none) && !strings.Contains(style, none+".") {
					return true
				}
			}
		}
	}
	return false
}

func value(attrs []html.Attribute, key string) string {
	for _, a := range attrs {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
