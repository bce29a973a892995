package blobs

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Disposition is the Content-Disposition header of a download (RFC 6266): an
// ASCII name for old readers and, when that loses something, the whole name in
// RFC 8187 form. Path parts, control and direction-changing characters go, as
// they serve only to hide what a file is.
func Disposition(filename string) string {
	name := Filename(filename)
	ascii := strings.Map(func(r rune) rune {
		switch {
		case r > '~':
			return '_'
		case r == '"', r == '\\', r == '%':
			return '_'
		}
		return r
	}, name)
	h := `attachment; filename="` + ascii + `"`
	if ascii != name {
		h += "; filename*=UTF-8''" + encode8187(name)
	}
	return h
}

// Filename makes any text a safe name for a download: at most 200 bytes of its
// last path part, "download" when nothing is left.
func Filename(s string) string {
	s = strings.ToValidUTF8(s, "_")
	if i := strings.LastIndexAny(s, `/\`); i >= 0 {
		s = s[i+1:]
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029' {
			return -1
		}
		return r
	}, s)
	s = strings.Trim(s, " .")
	if s == "" {
		return "download"
	}
	return shorten(s, 200)
}

// shorten cuts a name at a rune's edge and keeps its extension.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	ext := ""
	if i := strings.LastIndexByte(s, '.'); i > 0 && len(s)-i <= 16 {
		ext = s[i:]
	}
	cut := limit - len(ext)
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + ext
}

func encode8187(s string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("!#$&+-.^_`|~", c) >= 0 {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hex[c>>4])
		b.WriteByte(hex[c&15])
	}
	return b.String()
}
