package parsers

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/mindgate-dev/mindgate/shared/extract"
)

// maxGroups is how deep groups may be nested.
const maxGroups = 4_000

// readRTF reads the text of a Rich Text Format file (version 1.9.1 of its
// specification): groups, control words, and text in the code page of the font.
func readRTF(_ context.Context, f *file) (extract.Info, error) {
	r := &rtf{f: f, in: bufio.NewReaderSize(f.in, 64<<10), fonts: map[int]int{}, styles: map[int]bool{}, page: 1252}
	r.state.skipUnits, r.state.font = 1, -1
	err := r.read()
	if err == nil {
		err = r.flush()
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = f.damaged("it is cut short")
	}
	return extract.Info{Title: r.title.String(), Author: r.author.String()}, err
}

// rtfState is what a group inherits and gives back.
type rtfState struct {
	into      destination
	font      int
	skipUnits int // how many characters stand in for each \u
	hidden    bool
}

type destination int

const (
	body destination = iota
	nowhere
	fontTable
	styleSheet
	titleText
	authorText
)

type rtf struct {
	f       *file
	in      *bufio.Reader
	state   rtfState
	stack   []rtfState
	fonts   map[int]int  // code pages
	page    int          // of the document
	defined int          // the font that is being defined
	named   string       // the name of that style
	styles  map[int]bool // that are headings
	style   int          // the one that is being defined
	skip    int          // characters that stand in for the last \u
	high    rune         // half a character of the last \u
	starred bool         // \*: skip what is not known

	bytes         []byte // in a code page, not decoded yet
	para, row     strings.Builder
	title, author strings.Builder
	cells         int
	level         bool // the paragraph has an outline level
	heading       string
}

func (r *rtf) read() error {
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			if !errors.Is(err, io.EOF) {
				return err
			}
			if len(r.stack) > 0 {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
		switch c {
		case '{':
			r.settle()
			if len(r.stack) >= maxGroups {
				return r.f.damaged("its groups are nested too deeply")
			}
			r.stack = append(r.stack, r.state)
			r.skip, r.starred = 0, false
		case '}':
			r.settle()
			r.skip = 0
			if r.state.into == styleSheet {
				r.endStyle()
			}
			if n := len(r.stack); n > 0 {
				r.state, r.stack = r.stack[n-1], r.stack[:n-1]
			}
			if len(r.stack) == 0 {
				return nil
			}
		case '\\':
			if err := r.control(); err != nil {
				return err
			}
		case '\r', '\n':
		default:
			r.byte(c)
		}
		if r.para.Len() > 1<<20 {
			if err := r.flush(); err != nil {
				return err
			}
		}
	}
}

// endStyle learns from the name of a style, which is the same in all languages,
// whether it is for headings.
func (r *rtf) endStyle() {
	name := strings.ToLower(strings.TrimSpace(r.named))
	if strings.HasPrefix(name, "heading ") || name == "title;" {
		r.styles[r.style] = true
	}
	r.named, r.style = "", 0
}

// control reads what follows a backslash.
func (r *rtf) control() error {
	c, err := r.in.ReadByte()
	if err != nil {
		return io.ErrUnexpectedEOF
	}
	if c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
		return r.symbol(c)
	}
	word := []byte{c}
	for len(word) < 40 {
		if c, err = r.in.ReadByte(); err != nil {
			return io.ErrUnexpectedEOF
		}
		if c < 'A' || c > 'z' || c > 'Z' && c < 'a' {
			break
		}
		word = append(word, c)
	}
	var digits []byte
	for (c >= '0' && c <= '9' || c == '-' && len(digits) == 0) && len(digits) < 11 {
		digits = append(digits, c)
		if c, err = r.in.ReadByte(); err != nil {
			return io.ErrUnexpectedEOF
		}
	}
	if c != ' ' {
		_ = r.in.UnreadByte()
	}
	n, numberErr := strconv.Atoi(string(digits))
	return r.word(string(word), n, numberErr == nil)
}

func (r *rtf) symbol(c byte) error {
	switch c {
	case '\'':
		var hex [2]byte
		if _, err := io.ReadFull(r.in, hex[:]); err != nil {
			return io.ErrUnexpectedEOF
		}
		if v, err := strconv.ParseUint(string(hex[:]), 16, 8); err == nil {
			r.byte(byte(v))
		}
	case '*':
		r.starred = true
	case '~':
		r.rune(' ')
	case '_':
		r.rune('-')
	case '-': // where a word may be cut
	case '\r', '\n':
		return r.word("par", 0, false)
	case '\\', '{', '}':
		r.byte(c)
	}
	return nil
}

// elsewhere are the destinations whose text is not part of the document.
var elsewhere = map[string]bool{
	"colortbl": true, "info": true, "pict": true, "object": true, "header": true, "headerl": true,
	"headerr": true, "headerf": true, "footer": true, "footerl": true, "footerr": true, "footerf": true, "filetbl": true,
	"listtable": true, "listoverridetable": true, "revtbl": true, "rsidtbl": true, "themedata": true, "datastore": true,
	"latentstyles": true, "fldinst": true, "bkmkstart": true, "bkmkend": true, "xe": true, "tc": true, "nonshppict": true,
	"operator": true, "company": true, "category": true, "keywords": true, "doccomm": true, "comment": true, "subject": true,
	"creatim": true, "revtim": true, "printim": true, "buptim": true, "generator": true, "template": true, "mmathPr": true,
}

func (r *rtf) word(word string, n int, hasNumber bool) error {
	starred := r.starred
	r.starred = false
	if word != "u" {
		r.settle()
	}
	switch word {
	case "par", "sect", "page":
		if r.skipped() {
			return nil
		}
		if r.cells > 0 || r.row.Len() > 0 {
			r.para.WriteByte(' ')
			return nil
		}
		return r.flush()
	case "line", "lbr", "softline":
		r.rune('\n')
	case "tab":
		r.rune(' ')
	case "cell", "nestcell":
		if !r.skipped() {
			if r.cells > 0 {
				r.row.WriteString(" | ")
			}
			r.row.WriteString(strings.Join(strings.Fields(r.para.String()), " "))
			r.para.Reset()
			r.cells++
		}
	case "row", "nestrow":
		return r.endRow()
	case "pard":
		r.level = false
	case "outlinelevel":
		r.level = !hasNumber || n < 9
		if r.state.into == styleSheet && r.level {
			r.styles[r.style] = true
		}
	case "stylesheet":
		r.state.into = styleSheet
	case "s":
		r.style = n
		if !r.skipped() {
			r.level = r.level || r.styles[n]
		}
	case "v":
		r.state.hidden = !hasNumber || n != 0
	case "plain":
		r.state.hidden = false
	case "emdash":
		r.rune('—')
	case "endash":
		r.rune('–')
	case "bullet":
		r.rune('•')
	case "lquote":
		r.rune('‘')
	case "rquote":
		r.rune('’')
	case "ldblquote":
		r.rune('“')
	case "rdblquote":
		r.rune('”')
	case "emspace", "enspace", "qmspace":
		r.rune(' ')
	case "ansicpg":
		r.page = n
	case "mac":
		r.page = 10000
	case "f":
		r.state.font = n
		r.defined = n
	case "fcharset":
		if r.state.into == fontTable {
			r.fonts[r.defined] = pageOfCharset(n)
		}
	case "uc":
		r.state.skipUnits = max(0, min(n, 16))
	case "u":
		r.unicode(n)
	case "bin":
		if n > 0 {
			if _, err := io.CopyN(io.Discard, r.in, int64(n)); err != nil {
				return io.ErrUnexpectedEOF
			}
		}
	case "fonttbl":
		r.state.into = fontTable
	case "title":
		r.state.into = titleText
	case "author":
		r.state.into = authorText
	case "footnote", "annotation", "shptxt", "pntext", "listtext", "fldrslt":
	default:
		if elsewhere[word] || starred && word != "shpinst" && word != "shppict" {
			r.state.into = nowhere
		}
	}
	return nil
}

func (r *rtf) skipped() bool { return r.state.into != body || r.state.hidden }

// byte takes a character of the document's or the font's code page.
func (r *rtf) byte(c byte) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if r.state.into == nowhere || r.state.into == fontTable {
		return
	}
	r.high = 0
	r.bytes = append(r.bytes, c)
	if len(r.bytes) >= 8<<10 && c < 0x80 {
		r.settle()
	}
}

// settle decodes the bytes that are due.
func (r *rtf) settle() {
	if len(r.bytes) == 0 {
		return
	}
	page := r.page
	if p, ok := r.fonts[r.state.font]; ok && p != 0 {
		page = p
	}
	text, err := codePage(page).NewDecoder().Bytes(r.bytes)
	if err != nil {
		text = bytes.ToValidUTF8(r.bytes, nil)
	}
	r.bytes = r.bytes[:0]
	r.write(string(text))
}

func (r *rtf) rune(c rune) {
	r.settle()
	r.write(string(c))
}

func (r *rtf) write(s string) {
	switch r.state.into {
	case styleSheet:
		if len(r.named) < 200 {
			r.named += s
		}
	case titleText:
		if r.title.Len() < 1000 {
			r.title.WriteString(s)
		}
	case authorText:
		if r.author.Len() < 1000 {
			r.author.WriteString(s)
		}
	case body:
		if !r.state.hidden {
			r.para.WriteString(s)
		}
	}
}

// unicode takes \uN: a UTF-16 unit, signed, after which stand-ins for readers of
// old follow.
func (r *rtf) unicode(n int) {
	r.settle()
	r.skip = r.state.skipUnits
	c := rune(uint16(n))
	if utf16.IsSurrogate(c) {
		if r.high == 0 {
			r.high = c
			return
		}
		c = utf16.DecodeRune(r.high, c)
	}
	r.high = 0
	r.write(string(c))
}

func (r *rtf) endRow() error {
	text := strings.Trim(r.row.String(), " |")
	r.row.Reset()
	r.para.Reset()
	r.cells = 0
	return r.f.put(text, "", r.heading)
}

func (r *rtf) flush() error {
	r.settle()
	if r.cells > 0 {
		if err := r.endRow(); err != nil {
			return err
		}
	}
	text := strings.TrimSpace(r.para.String())
	r.para.Reset()
	if r.level && text != "" && len(text) < 300 {
		r.heading = strings.Join(strings.Fields(text), " ")
		text = r.heading
	}
	return r.f.put(text, "", r.heading)
}
