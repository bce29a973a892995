package tabular

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	alphabet "unicode"
	"unicode/utf8"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/transform"
)

// charset is how the bytes of a file become text.
type charset struct {
	name string            // as people know it; empty for UTF-8
	enc  encoding.Encoding // nil for UTF-8
	skip int64             // bytes of a mark at the beginning
	note string            // what was assumed
}

// reader reads a file from the start as UTF-8. Bytes that are no UTF-8 in what
// should be stay as they are: they are mended where they are seen.
func (c charset) reader(in io.ReaderAt, size int64) io.Reader {
	raw := io.NewSectionReader(in, c.skip, size-c.skip)
	if c.enc == nil {
		return raw
	}
	return transform.NewReader(raw, c.enc.NewDecoder())
}

var (
	mark8    = []byte("\xef\xbb\xbf")
	errNoise = errors.New("tabular: binary data")
)

// charsetOf finds out how a file is encoded: by its mark, by the pattern of
// UTF-16, as UTF-8 if all of it is, else by the words that hold letters beyond
// ASCII. It reads the file once.
func charsetOf(ctx context.Context, in io.ReaderAt, size int64) (charset, error) {
	head := make([]byte, min(size, 4096))
	if _, err := in.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return charset{}, err
	}
	if c, ok := marked(head); ok {
		return c, nil
	}
	if c, ok := zeros(head); ok {
		return c, nil
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return charset{}, errNoise
	}
	s := &survey{seen: map[string]bool{}}
	if err := s.read(ctx, io.NewSectionReader(in, 0, size)); err != nil {
		return charset{}, err
	}
	return s.verdict()
}

// marked knows the marks of Unicode at the beginning of a file.
func marked(head []byte) (charset, bool) {
	has := func(s string) bool { return bytes.HasPrefix(head, []byte(s)) }
	switch {
	case bytes.HasPrefix(head, mark8):
		return charset{skip: 3}, true
	case has("\xff\xfe\x00\x00"):
		return charset{name: "UTF-32", enc: utf32.UTF32(utf32.LittleEndian, utf32.IgnoreBOM), skip: 4}, true
	case has("\x00\x00\xfe\xff"):
		return charset{name: "UTF-32", enc: utf32.UTF32(utf32.BigEndian, utf32.IgnoreBOM), skip: 4}, true
	case has("\xff\xfe"):
		return charset{name: "UTF-16", enc: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), skip: 2}, true
	case has("\xfe\xff"):
		return charset{name: "UTF-16", enc: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), skip: 2}, true
	}
	return charset{}, false
}

// zeros knows UTF-16 without a mark by the zero half of its Latin letters and
// delimiters.
func zeros(head []byte) (charset, bool) {
	var n [2]int
	for i, b := range head {
		if b == 0 {
			n[i%2]++
		}
	}
	half, note := len(head)/2, "The file is read as UTF-16, which it does not say itself."
	switch {
	case half == 0:
	case n[1] > half/4 && n[0]*20 < n[1]:
		return charset{name: "UTF-16", enc: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), note: note}, true
	case n[0] > half/4 && n[1]*20 < n[0]:
		return charset{name: "UTF-16", enc: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), note: note}, true
	}
	return charset{}, false
}

// survey gathers what tells the encoding of a text: whether it is UTF-8, and its
// different words with bytes beyond ASCII.
type survey struct {
	valid, invalid int // characters of UTF-8 beyond ASCII, bytes that are none
	seen           map[string]bool
	words          []byte
}

const (
	maxWords = 32 << 10 // bytes of words that are kept
	maxWord  = 200
)

func (s *survey) read(ctx context.Context, in io.Reader) error {
	buf := make([]byte, 256<<10)
	kept := 0
	for {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		n, err := in.Read(buf[kept:])
		end := errors.Is(err, io.EOF)
		if err != nil && !end {
			return err
		}
		chunk := buf[:kept+n]
		// A word or a character that goes on is looked at with the next piece.
		cut := len(chunk)
		if !end {
			if i := bytes.LastIndexAny(chunk, ",;\t\n\r |\""); i > 0 {
				cut = i
			}
		}
		s.take(chunk[:cut])
		kept = copy(buf, chunk[cut:])
		if kept == len(buf) {
			kept = 0
		}
		if end {
			return nil
		}
	}
}

func (s *survey) take(b []byte) {
	for len(b) > 0 {
		i := slices.IndexFunc(b, func(c byte) bool { return c >= utf8.RuneSelf })
		if i < 0 {
			return
		}
		from := i
		for from > 0 && letter(b[from-1]) {
			from--
		}
		to := i
		// Behind a byte beyond ASCII the second one of Big5 and others may be a sign.
		for to < len(b) && (b[to] >= utf8.RuneSelf || letter(b[to]) || b[to] >= '@' && b[to] < 0x7f && b[to-1] >= utf8.RuneSelf) && to-from < maxWord {
			to++
		}
		word := b[from:to]
		b = b[to:]
		for rest := word; len(rest) > 0; {
			c, n := utf8.DecodeRune(rest)
			switch {
			case c == utf8.RuneError && n == 1:
				s.invalid++
			case n > 1:
				s.valid++
			}
			rest = rest[n:]
		}
		if len(s.words) < maxWords && !s.seen[string(word)] {
			s.seen[string(word)] = true
			s.words = append(append(s.words, word...), ' ')
		}
	}
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// verdict decides. UTF-8 with some bytes that are none stays UTF-8: other
// encodings hardly ever make sequences of it by chance.
func (s *survey) verdict() (charset, error) {
	switch {
	case s.invalid == 0:
		return charset{}, nil
	case s.valid > 2*s.invalid:
		return charset{}, nil // said where they are mended
	}
	name, sure := guess(s.words)
	enc, err := htmlindex.Get(name)
	if err != nil {
		return charset{}, fmt.Errorf("tabular: %s: %w", name, err)
	}
	c := charset{name: name, enc: enc, note: fmt.Sprintf("The file does not say its encoding; it is read as %s.", shown(name))}
	if !sure {
		c.note += " If names look wrong, save it as UTF-8 and send it again."
	}
	return c, nil
}

// shown is an encoding's name as people know it.
func shown(name string) string {
	if s, ok := map[string]string{"shift_jis": "Shift-JIS", "gb18030": "GBK (GB 18030)", "euc-kr": "EUC-KR", "euc-jp": "EUC-JP", "big5": "Big5", "koi8-r": "KOI8-R"}[name]; ok {
		return s
	}
	return strings.Replace(strings.Replace(name, "windows", "Windows", 1), "iso", "ISO", 1)
}

// families are the encodings that can be told, in the order in which one is taken
// when several fit alike. Those of ISO are read by the code page of Windows that
// holds the same letters and more.
var families = []struct{ charset, name string }{
	{"ISO-8859-1", "windows-1252"}, {"windows-1252", "windows-1252"}, {"windows-1251", "windows-1251"}, {"ISO-8859-2", "iso-8859-2"}, {"windows-1250", "windows-1250"},
	{"ISO-8859-9", "windows-1254"}, {"windows-1254", "windows-1254"}, {"Shift_JIS", "shift_jis"}, {"GB-18030", "gb18030"}, {"GB18030", "gb18030"}, {"Big5", "big5"},
	{"EUC-KR", "euc-kr"}, {"EUC-JP", "euc-jp"}, {"ISO-8859-7", "iso-8859-7"}, {"windows-1253", "windows-1253"}, {"windows-1256", "windows-1256"}, {"ISO-8859-6", "iso-8859-6"},
	{"ISO-8859-8", "windows-1255"}, {"ISO-8859-8-I", "windows-1255"}, {"windows-1255", "windows-1255"}, {"ISO-8859-5", "iso-8859-5"}, {"KOI8-R", "koi8-r"},
}

const (
	// fewLetters is how many bytes beyond ASCII are too few to tell an encoding by.
	fewLetters = 6
	// sureOf is the confidence, of 100, below which the caller is told to look.
	sureOf = 40
)

// guess names the encoding of words. Sure says that their letters tell it.
func guess(words []byte) (name string, sure bool) {
	const western = "windows-1252"
	high := 0
	for _, c := range words {
		if c >= utf8.RuneSelf {
			high++
		}
	}
	if high < fewLetters {
		return western, false
	}
	found, err := chardet.NewTextDetector().DetectAll(words)
	if err != nil {
		return western, false
	}
	rank := func(r chardet.Result) int {
		return slices.IndexFunc(families, func(f struct{ charset, name string }) bool { return f.charset == r.Charset })
	}
	found = slices.DeleteFunc(found, func(r chardet.Result) bool { return rank(r) < 0 })
	// The library gives equals in any order.
	slices.SortFunc(found, func(a, b chardet.Result) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), cmp.Compare(rank(a), rank(b)))
	})
	for _, r := range found {
		name := families[rank(r)].name
		if reads(name, words) {
			return name, r.Confidence >= sureOf
		}
	}
	return western, false
}

// reads says whether an encoding gives every byte a character, and mostly letters.
func reads(name string, words []byte) bool {
	enc, err := htmlindex.Get(name)
	if err != nil {
		return false
	}
	out, err := enc.NewDecoder().Bytes(words)
	if err != nil {
		return false
	}
	bad, half, letters, all := bytes.Count(out, []byte("\ufffd")), 0, 0, 0
	for _, c := range string(out) {
		switch {
		case c >= 0x80 && c < 0xa0: // controls are no letters of anybody
			bad++
		case c >= 0xff61 && c <= 0xff9f: // half-width kana, what Shift-JIS makes of most bytes
			half++
		}
		if c >= 0x80 {
			all++
			if alphabet.IsLetter(c) {
				letters++
			}
		}
	}
	return bad*50 <= len(words) && half*4 <= all && letters*2 >= all
}
