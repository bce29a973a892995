package mcpserver

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// invisible tells whether a character shows nothing by itself, so that it can
// hide text from a reader or turn it round: controls, zero-width characters,
// bidirectional controls, fillers, variation selectors, tags.
func invisible(r rune) bool {
	switch {
	case r < 0x20:
		return r != '\n' && r != '\t' && r != '\r'
	case r < 0x7f:
		return false
	case r <= 0x9f, r == 0xad, r == 0x34f, r == 0x61c, r == 0x115f, r == 0x1160, r == 0x17b4, r == 0x17b5:
		return true
	case r >= 0x180b && r <= 0x180f, r >= 0x200b && r <= 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2060 && r <= 0x206f:
		return true
	case r == 0x3164, r >= 0xfe00 && r <= 0xfe0f, r == 0xfeff, r == 0xffa0, r >= 0xfff0 && r <= 0xfffb:
		return true
	case r >= 0x1d173 && r <= 0x1d17a, r >= 0xe0000 && r <= 0xe0fff:
		return true
	}
	return false
}

// keeps tells whether the invisible character at a place does its proper work:
// a joiner between two letters of a script that joins or between two symbols,
// the selector of an emoji's colour. One alone can hide nothing.
func keeps(s string, at, size int, r rune) bool {
	before, n := utf8.DecodeLastRuneInString(s[:at])
	after, _ := utf8.DecodeRuneInString(s[at+size:])
	switch r {
	case 0x200c, 0x200d:
		if before == 0xfe0f {
			before, _ = utf8.DecodeLastRuneInString(s[:at-n])
			return unicode.IsSymbol(before) && joins(after)
		}
		return joins(before) && joins(after)
	case 0xfe0f:
		return unicode.IsSymbol(before) || before >= '0' && before <= '9' || before == '#' || before == '*'
	}
	return false
}

func joins(r rune) bool {
	return r > 0x7f && !invisible(r) && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsSymbol(r))
}

// suspect finds the first invisible character that is not needed, or -1.
func suspect(s string) int {
	for i := 0; i < len(s); {
		if s[i] >= 0x20 && s[i] < 0x7f {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if invisible(r) && !keeps(s, i, size, r) {
			return i
		}
		i += size
	}
	return -1
}

// revealed is JSON text with each invisible character written as an escape. It
// is the same JSON value, so the text block still equals the structured
// content; what was hidden can be seen, and nothing is lost.
func revealed(json string) string {
	return replace(json, func(b *strings.Builder, r rune) {
		if r < 0x10000 {
			escape(b, r)
			return
		}
		r -= 0x10000
		escape(b, 0xd800+r>>10)
		escape(b, 0xdc00+r&0x3ff)
	})
}

func escape(b *strings.Builder, r rune) {
	const hex = "0123456789abcdef"
	b.WriteString(`\u`)
	for shift := 12; shift >= 0; shift -= 4 {
		b.WriteByte(hex[r>>shift&0xf])
	}
}

// clean is plain text without its invisible characters.
func clean(s string) string { return replace(s, func(*strings.Builder, rune) {}) }

func replace(s string, hidden func(*strings.Builder, rune)) string {
	from := suspect(s)
	if from < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + 64)
	b.WriteString(s[:from])
	for i := from; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if invisible(r) && !keeps(s, i, size, r) {
			hidden(&b, r)
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}
