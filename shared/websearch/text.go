package websearch

import (
	"errors"
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

var errNoResults = errors.New("websearch: the answer has no list of results")

// plainText takes the markup out of an engine's text, and all that cannot be
// seen: a snippet goes into prompts and lists, where hidden words must not hide.
func plainText(s string) string {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(s))
	hidden := 0
	for {
		switch z.Next() {
		case html.ErrorToken:
			return visible(b.String())
		case html.TextToken:
			if hidden == 0 {
				b.Write(z.Text())
			}
		case html.StartTagToken:
			name, _ := z.TagName()
			if silent(string(name)) {
				hidden++
			} else if block(string(name)) {
				b.WriteByte(' ')
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			if silent(string(name)) && hidden > 0 {
				hidden--
			} else if block(string(name)) {
				b.WriteByte(' ')
			}
		case html.SelfClosingTagToken:
			b.WriteByte(' ')
		}
	}
}

func silent(tag string) bool { return tag == "script" || tag == "style" || tag == "template" }

func block(tag string) bool {
	switch tag {
	case "p", "br", "div", "li", "tr", "td", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol":
		return true
	}
	return false
}

// visible leaves printable text on one line. Brackets that were written as
// entities stay readable without being markup again.
func visible(s string) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r), blank(r):
			return -1
		case r == '<':
			return '‹'
		case r == '>':
			return '›'
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// blank are characters that count as printable and show nothing.
func blank(r rune) bool {
	switch {
	case r >= 0xFE00 && r <= 0xFE0F, r >= 0xE0100 && r <= 0xE01EF: // variation selectors
		return true
	case r == 0x034F || r == 0x115F || r == 0x1160 || r == 0x17B4 || r == 0x17B5 || r == 0x2800 || r == 0x3164 || r == 0xFFA0:
		return true
	}
	return false
}

// shorten cuts a text to most characters, at a word where there is one.
func shorten(s string, most int) string {
	n := 0
	for i := range s {
		if n++; n > most {
			if at := strings.LastIndexByte(s[:i], ' '); at > i/2 {
				i = at
			}
			return strings.TrimRight(s[:i], " ")
		}
	}
	return s
}
