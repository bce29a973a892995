package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Clean makes a text plain: NFC, ligatures of type setting spelt out, white
// space evened out to single blanks and line breaks, and nothing in it that a
// reader does not see. Characters that only steer how text is shown, and those
// that hide text from people but not from programs, go.
func Clean(s string) string {
	if plain(s) {
		return strings.TrimSpace(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	var last rune // as written
	blank, lines := false, 0
	for i, c := range s {
		switch {
		case c == '\n' || c == '\r' || c == '\u2028' || c == '\u2029' || c == '\u0085' || c == '\v':
			if c != '\r' || i+1 >= len(s) || s[i+1] != '\n' {
				lines++
			}
			continue
		case unicode.IsSpace(c) || c == '\u2800' || c == '\u3164':
			blank = true
			continue
		case c == utf8.RuneError:
			continue
		case invisible(c):
			// Joiners are part of some scripts and of emoji; elsewhere they hide.
			if c != '\u200c' && c != '\u200d' || last < 0x300 || blank || lines > 0 {
				continue
			}
		case c >= 0xe000 && c <= 0xf8ff: // signs of a single font; its bullets are bullets
			if c != 0xf0b7 && c != 0xf0a7 && c != 0xf076 && c != 0xf0d8 {
				continue
			}
			c = '•'
		case c > 0xf0000:
			continue
		}
		if b.Len() > 0 && (blank || lines > 0) {
			if lines > 0 {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		}
		blank, lines = false, 0
		if l := ligature(c); l != "" {
			b.WriteString(l)
		} else {
			b.WriteRune(c)
		}
		last = c
	}
	return norm.NFC.String(b.String())
}

// plain says that Clean would change nothing but the ends.
func plain(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c >= 0x7f || c < ' ' || c == ' ' && i+1 < len(s) && s[i+1] == ' ' {
			return false
		}
	}
	return true
}

// invisible are characters without a glyph: controls, directions, joiners,
// fillers, tags and the like (Unicode's Default_Ignorable_Code_Point and Cc), but
// variation selectors, which choose between glyphs.
func invisible(c rune) bool {
	switch {
	case c < ' ', c >= 0x7f && c < 0xa0:
		return true
	case c < 0xad:
		return false
	case c == 0xad, c == 0x34f, c == 0x61c, c == 0x115f, c == 0x1160, c == 0x17b4, c == 0x17b5,
		c >= 0x180b && c <= 0x180f, c >= 0x200b && c <= 0x200f, c >= 0x202a && c <= 0x202e,
		c >= 0x2060 && c <= 0x206f, c == 0xfeff, c == 0xffa0, c >= 0xfff0 && c <= 0xfffb,
		c >= 0x1bca0 && c <= 0x1bca3, c >= 0x1d173 && c <= 0x1d17a, c >= 0xe0000 && c <= 0xe0fff:
		return true
	}
	return false
}

func ligature(c rune) string {
	switch c {
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	case 'ﬅ', 'ﬆ':
		return "st"
	}
	return ""
}
