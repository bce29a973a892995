package mcpserver

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf8"
)

// What a body may cost before anything is decoded.
const (
	maxDepth        = 128
	maxNumberLength = 400
	maxExponent     = 400
)

// flaw says why a body is not taken.
type flaw struct {
	code    int // JSON-RPC
	message string
}

func (f *flaw) Error() string { return f.message }

func broken(message string) *flaw { return &flaw{codeParse, message} }

// span is one JSON value inside the body.
type span struct{ from, to int }

// scanner checks a body in one pass: JSON grammar, UTF-8, nesting, number size,
// unique keys. encoding/json takes the last of two equal keys and recurses as
// deep as it is told; both have been used to show one thing to a filter and
// another to the code behind it.
type scanner struct {
	b   []byte
	i   int
	dup *flaw
}

// members are the spans of a top-level object's members, by name.
type members map[string]span

// scan checks the whole body. Its kind is '{' or '[' or another first byte. For
// an object the members are given, also when a flaw of meaning (a duplicate
// key) was found, so that the id can be echoed.
func scan(b []byte) (first byte, top members, elements []span, err *flaw) {
	if !utf8.Valid(b) {
		return 0, nil, nil, broken("Parse error: the body is not valid UTF-8")
	}
	s := &scanner{b: b}
	s.space()
	if s.i == len(b) {
		return 0, nil, nil, broken("Parse error: the body is empty; send one JSON-RPC message")
	}
	first = b[s.i]
	switch first {
	case '{':
		top = members{}
		err = s.object(1, func(name string, at span) { top[name] = at })
	case '[':
		err = s.array(1, func(at span) { elements = append(elements, at) })
	default:
		err = s.value(1)
	}
	if err != nil {
		return first, nil, nil, err
	}
	s.space()
	if s.i != len(b) {
		return first, nil, nil, broken("Parse error: text after the JSON value")
	}
	return first, top, elements, s.dup
}

func (s *scanner) space() {
	for s.i < len(s.b) {
		switch s.b[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) fail() *flaw {
	if s.i >= len(s.b) {
		return broken("Parse error: the JSON ends early")
	}
	return broken("Parse error: invalid JSON at byte " + strconv.Itoa(s.i))
}

func (s *scanner) value(depth int) *flaw {
	s.space()
	if s.i >= len(s.b) {
		return s.fail()
	}
	switch c := s.b[s.i]; {
	case c == '{':
		return s.object(depth, nil)
	case c == '[':
		return s.array(depth, nil)
	case c == '"':
		_, err := s.text()
		return err
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	case c == '-' || c >= '0' && c <= '9':
		return s.number()
	}
	return s.fail()
}

func (s *scanner) word(w string) *flaw {
	if !bytes.HasPrefix(s.b[s.i:], []byte(w)) {
		return s.fail()
	}
	s.i += len(w)
	return nil
}

func tooDeep() *flaw {
	return broken("Parse error: nested deeper than " + strconv.Itoa(maxDepth) + " levels")
}

func (s *scanner) object(depth int, member func(string, span)) *flaw {
	if depth > maxDepth {
		return tooDeep()
	}
	s.i++ // {
	var keys keySet
	for n := 0; ; n++ {
		s.space()
		if n == 0 && s.at('}') {
			return nil
		}
		if s.i >= len(s.b) || s.b[s.i] != '"' {
			return s.fail()
		}
		raw, err := s.text()
		if err != nil {
			return err
		}
		name := plain(raw)
		if !keys.add(name) && s.dup == nil {
			s.dup = &flaw{codeInvalidRequest, "Invalid request: the key " + quoteKey(name) + " occurs twice in one object"}
		}
		s.space()
		if !s.at(':') {
			return s.fail()
		}
		s.space()
		from := s.i
		if err := s.value(depth + 1); err != nil {
			return err
		}
		if member != nil {
			member(string(name), span{from, s.i})
		}
		s.space()
		if s.at('}') {
			return nil
		}
		if !s.at(',') {
			return s.fail()
		}
	}
}

func (s *scanner) array(depth int, element func(span)) *flaw {
	if depth > maxDepth {
		return tooDeep()
	}
	s.i++ // [
	for n := 0; ; n++ {
		s.space()
		if n == 0 && s.at(']') {
			return nil
		}
		from := s.i
		if err := s.value(depth + 1); err != nil {
			return err
		}
		if element != nil {
			element(span{from, s.i})
		}
		s.space()
		if s.at(']') {
			return nil
		}
		if !s.at(',') {
			return s.fail()
		}
	}
}

func (s *scanner) at(c byte) bool {
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

// text reads a string and returns it with its quotes.
func (s *scanner) text() ([]byte, *flaw) {
	from := s.i
	s.i++
	for s.i < len(s.b) {
		switch c := s.b[s.i]; {
		case c == '"':
			s.i++
			return s.b[from:s.i], nil
		case c < 0x20:
			return nil, s.fail()
		case c == '\\':
			if err := s.escape(); err != nil {
				return nil, err
			}
		default:
			s.i++
		}
	}
	return nil, s.fail()
}

func (s *scanner) escape() *flaw {
	s.i++
	if s.i >= len(s.b) {
		return s.fail()
	}
	switch s.b[s.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.i++
		return nil
	case 'u':
		for k := 1; k <= 4; k++ {
			if s.i+k >= len(s.b) || !hexDigit(s.b[s.i+k]) {
				return s.fail()
			}
		}
		s.i += 5
		return nil
	}
	return s.fail()
}

func hexDigit(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func (s *scanner) digits() int {
	from := s.i
	for s.i < len(s.b) && s.b[s.i] >= '0' && s.b[s.i] <= '9' {
		s.i++
	}
	return s.i - from
}

func (s *scanner) number() *flaw {
	from := s.i
	s.at('-')
	leadingZero := s.i < len(s.b) && s.b[s.i] == '0'
	if n := s.digits(); n == 0 || leadingZero && n > 1 {
		return s.fail()
	}
	if s.at('.') && s.digits() == 0 {
		return s.fail()
	}
	if s.at('e') || s.at('E') {
		if !s.at('+') {
			s.at('-')
		}
		at := s.i
		if s.digits() == 0 {
			return s.fail()
		}
		if n, err := strconv.Atoi(string(s.b[at:min(s.i, at+6)])); err != nil || n > maxExponent {
			return broken("Parse error: a number is out of range")
		}
	}
	if s.i-from > maxNumberLength {
		return broken("Parse error: a number has more than " + strconv.Itoa(maxNumberLength) + " digits")
	}
	return nil
}

// plain is a key without quotes and escapes.
func plain(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return raw
	}
	return []byte(s)
}

func quoteKey(name []byte) string {
	if len(name) > 60 {
		name = name[:60]
	}
	return strconv.Quote(string(bytes.ToValidUTF8(name, nil)))
}

// keySet is a list while it is short, which nearly every object is.
type keySet struct {
	few  [][]byte
	many map[string]struct{}
}

func (k *keySet) add(name []byte) bool {
	if k.many == nil {
		for _, f := range k.few {
			if bytes.Equal(f, name) {
				return false
			}
		}
		k.few = append(k.few, name)
		if len(k.few) > 16 {
			k.many = make(map[string]struct{}, 64)
			for _, f := range k.few {
				k.many[string(f)] = struct{}{}
			}
		}
		return true
	}
	if _, taken := k.many[string(name)]; taken {
		return false
	}
	k.many[string(name)] = struct{}{}
	return true
}
