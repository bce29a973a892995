package webpage

import (
	"bytes"
	"strings"
)

// rules are what one robots.txt says to us (RFC 9309). Reading them is our own
// work: of what is at hand, temoto/robotstxt 1.1.2 takes a whole file for
// unreadable when one line is malformed, finds a wildcard pattern anywhere in a
// path, and lets the first of two equally long rules win.
type rules []rule

type rule struct {
	allow   bool
	length  int      // of the pattern, which decides between rules
	parts   []string // what stands between the asterisks
	literal bool     // no asterisk
	ends    bool     // the pattern ended in $
}

// maxRules bytes of a robots.txt are read (RFC 9309, 2.5: at least 500 KiB).
const maxRules = 500 << 10

// parseRules reads the groups that are for name, a product's name in lower
// case, or those for everybody when none is. A line that is not understood says
// nothing.
func parseRules(text []byte, name string) rules {
	var ours, everybody rules
	var named, forUs, forAll, inRules bool
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	for line := range bytes.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\r' }) {
		line, _, _ = bytes.Cut(line, []byte("#"))
		key, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		v := strings.TrimSpace(string(value))
		switch strings.ToLower(string(bytes.TrimSpace(key))) {
		case "user-agent", "useragent":
			if inRules { // a new group
				forUs, forAll, inRules = false, false, false
			}
			product, _, _ := strings.Cut(strings.ToLower(v), "/")
			forUs = forUs || strings.TrimSpace(product) == name
			forAll = forAll || v == "*"
			named = named || forUs
		case "allow", "disallow":
			inRules = true
			if v == "" {
				continue
			}
			r := newRule(v, len(bytes.TrimSpace(key)) == len("allow"))
			if forUs {
				ours = append(ours, r)
			}
			if forAll {
				everybody = append(everybody, r)
			}
		}
	}
	if named {
		return ours
	}
	return everybody
}

func newRule(pattern string, allow bool) rule {
	if pattern[0] != '/' && pattern[0] != '*' {
		pattern = "/" + pattern
	}
	pattern = plain(pattern)
	r := rule{allow: allow, length: len(pattern)}
	pattern, r.ends = strings.CutSuffix(pattern, "$")
	r.parts = strings.Split(pattern, "*")
	r.literal = len(r.parts) == 1
	return r
}

// allowed tells whether path, with its query, may be read: the longest pattern
// decides, and of two that are as long the one that allows.
func (rs rules) allowed(path string) bool {
	path = plain(path)
	if path == "/robots.txt" {
		return true
	}
	allow, longest := true, -1
	for _, r := range rs {
		if (r.length > longest || r.length == longest && r.allow) && r.matches(path) {
			allow, longest = r.allow, r.length
		}
	}
	return allow
}

// matches takes each part at its first place; where the pattern is bound to the
// end of the path the last part is taken there.
func (r rule) matches(path string) bool {
	rest, ok := strings.CutPrefix(path, r.parts[0])
	if !ok {
		return false
	}
	if r.literal {
		return !r.ends || rest == ""
	}
	last := len(r.parts) - 1
	for _, p := range r.parts[1:last] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	if r.ends {
		return strings.HasSuffix(rest, r.parts[last])
	}
	return strings.Contains(rest, r.parts[last])
}

// plain writes the percent signs of a path in one way (RFC 9309, 2.2.2): octets
// that need none stand for themselves, all others in capital digits.
func plain(s string) string {
	const digits = "0123456789ABCDEF"
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '%' && i+2 < len(s) {
			hi, lo := hex(s[i+1]), hex(s[i+2])
			if hi < 16 && lo < 16 {
				i += 2
				if d := hi<<4 | lo; unreserved(d) {
					b.WriteByte(d)
				} else {
					b.Write([]byte{'%', digits[hi], digits[lo]})
				}
				continue
			}
		}
		if c > 0x20 && c < 0x7f && c != '%' {
			b.WriteByte(c)
			continue
		}
		// A percent sign that begins no octet stands for itself; written bare it
		// could begin one with what follows.
		b.Write([]byte{'%', digits[c>>4], digits[c&15]})
	}
	return b.String()
}

func hex(c byte) byte {
	switch {
	case c >= '0' && c <= '9':
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 255
}

func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// size is about what the rules hold in memory, in bytes.
func (rs rules) size() int {
	n := 64
	for _, r := range rs {
		n += 64 + r.length + 16*len(r.parts)
	}
	return n
}
