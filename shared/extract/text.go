package extract

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// readText streams a plain text or Markdown: paragraphs between blank lines, the
// lines of each joined where they were only broken to fit.
func readText(in io.Reader, o Options, emit func(Block) error) (Info, error) {
	text, legacy, err := UTF8(in)
	if err == nil {
		p := &prose{sink: NewSink(o.MaxText, emit), md: o.Kind == MD}
		err = p.read(text)
	}
	switch {
	case errors.Is(err, ErrNotText):
		return Info{}, problem(CodeMislabelled, o.Filename, "holds binary data, whatever its name says. Send it as PDF, .docx or UTF-8 text, with the ending that fits.")
	case errors.Is(err, ErrEncoding):
		return Info{}, problem(CodeUnsupported, o.Filename, "is text in an encoding that cannot be told. Save it as UTF-8 and send it again.")
	}
	var info Info
	if legacy != nil && *legacy {
		info.Notes = []string{NoteLegacy}
	}
	return info, err
}

// NoteLegacy tells that an encoding was assumed.
const NoteLegacy = "The text is not UTF-8 throughout; the rest was read as windows-1252 (western European)."

// prose builds paragraphs from lines.
type prose struct {
	sink    *Sink
	md      bool
	heading string
	para    strings.Builder
	width   int    // of the line before, in characters
	last    string // that line's beginning
	fenced  bool
}

func (p *prose) read(text io.Reader) error {
	r := bufio.NewReaderSize(text, 32<<10)
	for middle := false; ; {
		raw, more, err := r.ReadLine()
		if errors.Is(err, io.EOF) {
			return p.flush()
		}
		if err != nil {
			return err
		}
		if middle {
			p.para.Write(raw)
			err = p.trim()
		} else {
			err = p.line(string(raw), more)
		}
		if err != nil {
			return err
		}
		middle = more
	}
}

// line takes a line, or the beginning of a very long one.
func (p *prose) line(raw string, more bool) error {
	line := strings.TrimSpace(raw)
	fence := p.md && (strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~"))
	switch {
	case fence:
		p.fenced = !p.fenced
		return p.flush()
	case line == "" && !p.fenced:
		return p.flush()
	case p.md && !p.fenced && isHeading(line):
		if err := p.flush(); err != nil {
			return err
		}
		p.heading = strings.TrimSpace(strings.Trim(line, "#"))
		return p.sink.Put(p.heading, "", p.heading)
	case p.md && !p.fenced && underlines(line) && p.para.Len() > 0 && p.para.Len() < 200 && !strings.Contains(p.para.String(), "\n"):
		p.heading = strings.TrimSpace(p.para.String())
		return p.flush()
	}
	if p.para.Len() > 0 {
		gap := " "
		if p.fenced || p.width < 45 || marked(line) || marked(p.last) && p.width < 60 {
			gap = "\n"
		}
		p.para.WriteString(gap)
	}
	p.para.WriteString(line)
	if more && raw[len(raw)-1] == ' ' {
		p.para.WriteByte(' ')
	}
	p.width, p.last = utf8.RuneCountInString(line), line[:min(len(line), 8)]
	return p.trim()
}

// trim hands on the beginning of a paragraph that grows too long to hold.
func (p *prose) trim() error {
	if p.para.Len() < 2*maxBlock {
		return nil
	}
	s := p.para.String()
	for len(s) >= 2*maxBlock {
		at := cut(s, maxBlock)
		if err := p.sink.Put(s[:at], "", p.heading); err != nil {
			return err
		}
		s = s[at:]
	}
	p.para.Reset()
	p.para.WriteString(s)
	return nil
}

func (p *prose) flush() error {
	s := p.para.String()
	p.para.Reset()
	p.width, p.last = 0, ""
	return p.sink.Put(s, "", p.heading)
}

// isHeading recognises "# Title" of Markdown.
func isHeading(line string) bool {
	level := len(line) - len(strings.TrimLeft(line, "#"))
	return level >= 1 && level <= 6 && len(line) > level && line[level] == ' '
}

// underlines recognises the second line of a heading that is underlined.
func underlines(line string) bool {
	return len(line) >= 3 && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// marked says that a line begins something of its own: a list item, a quotation,
// a table row.
func marked(line string) bool {
	if line == "" {
		return false
	}
	c, size := utf8.DecodeRuneInString(line)
	if strings.ContainsRune("-*+•‣◦▪>|#", c) {
		return true
	}
	digits := strings.TrimLeft(line, "0123456789")
	return len(digits) < len(line) && (strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")) ||
		unicode.IsLetter(c) && strings.HasPrefix(line[size:], ") ")
}
