// Package stdio speaks MCP over a pair of pipes. The protocol's framing is one
// JSON message a line; some hand-written clients frame as language servers do,
// with a Content-Length header. Both are taken, told apart anew for each
// message, and each message is answered in the framing in which it came.
package stdio

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

// Framing is how one message is set apart from the next.
type Framing int

// The framings.
const (
	Lines   Framing = iota // one JSON value a line; the protocol's own
	Headers                // Content-Length, an empty line, then that many bytes
)

// Limits of one message, in bytes.
const (
	MaxMessage = 24 << 20
	maxHeader  = 8 << 10
)

// Frame is one message as it came. Bad tells why it cannot be read as JSON; the
// reader goes on behind it.
type Frame struct {
	Body    []byte
	Framing Framing
	Bad     error
}

// Errors of one frame; reading goes on after them.
var (
	ErrTooLarge = errors.New("message above 24 MiB")
	ErrNotJSON  = errors.New("message is not valid JSON")
	ErrHeader   = errors.New("header without a usable Content-Length")
)

// Reader reads frames.
type Reader struct {
	r      *bufio.Reader
	max    int
	unread []byte // a line that begins the next message
}

// NewReader reads from in; max is the largest message, 0 is MaxMessage.
func NewReader(in io.Reader, max int) *Reader {
	if max <= 0 {
		max = MaxMessage
	}
	return &Reader{r: bufio.NewReaderSize(in, 64<<10), max: max}
}

// Next reads one frame. io.EOF is the end, also in the middle of a frame.
func (r *Reader) Next() (Frame, error) {
	if line := r.unread; line != nil {
		r.unread = nil
		return r.message(line)
	}
	for {
		b, err := r.r.ReadByte()
		if err != nil {
			return Frame{}, end(err)
		}
		switch b {
		case ' ', '\t', '\r', '\n':
			continue
		}
		if err := r.r.UnreadByte(); err != nil {
			return Frame{}, err
		}
		if letter(b) {
			if header, err := r.looksLikeHeader(); err != nil {
				return Frame{}, end(err)
			} else if header {
				return r.headers()
			}
		}
		return r.line()
	}
}

func letter(b byte) bool { return b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' }

// looksLikeHeader: "Name:" and nothing that a JSON word could be. A line of
// noise ("null", "hello") stays a line, so that it costs one answer only.
func (r *Reader) looksLikeHeader() (bool, error) {
	for n := 1; n <= 64; n++ {
		seen, err := r.r.Peek(n)
		if len(seen) < n {
			if errors.Is(err, io.EOF) {
				return false, nil
			}
			return false, err
		}
		switch c := seen[n-1]; {
		case c == ':':
			return true, nil
		case letter(c) || c == '-':
		default:
			return false, nil
		}
	}
	return false, nil
}

func end(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}

// line reads a message that stands on one line. Some clients print theirs over
// several: a line that is the beginning of a JSON value, and no mistake yet, goes
// on below (see printed).
func (r *Reader) line() (Frame, error) {
	body, over, err := r.rest()
	if err != nil {
		return Frame{}, err
	}
	if over {
		return Frame{Framing: Lines, Bad: ErrTooLarge}, nil
	}
	return r.message(body)
}

// rest reads up to the line's end. What is above the limit is skipped, not kept.
func (r *Reader) rest() (body []byte, over bool, err error) {
	for {
		part, err := r.r.ReadSlice('\n')
		if !over && len(body)+len(part) > r.max+2 {
			over, body = true, nil
		}
		if !over {
			body = append(body, part...)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !(errors.Is(err, io.EOF) && len(body) > 0) {
			return nil, false, end(err)
		}
		if err != nil && !json.Valid(body) {
			return nil, false, io.EOF // the end came in the middle of a message
		}
		return body, over, nil
	}
}

// headers reads a header block, with CRLF or LF, in any case and with any other
// header, and the body that it announces, in bytes.
func (r *Reader) headers() (Frame, error) {
	length, size := -1, 0
	for {
		if next, err := r.r.Peek(1); err == nil && (next[0] == '{' || next[0] == '[') {
			// A message begins: what came before was noise, not a header.
			return Frame{Framing: Lines, Bad: ErrNotJSON}, nil
		}
		line, err := r.headerLine(&size)
		if err != nil {
			return Frame{}, end(err)
		}
		if size > maxHeader {
			return r.resync()
		}
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ":")
		if ok && strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			n, err := strconv.Atoi(strings.TrimSpace(value))
			if err != nil || n < 0 || length >= 0 && n != length {
				length = -2
			} else if length != -2 {
				length = n
			}
		}
	}
	switch {
	case length < 0:
		return Frame{Framing: Headers, Bad: ErrHeader}, nil
	case length > r.max:
		if _, err := io.CopyN(io.Discard, r.r, int64(length)); err != nil {
			return Frame{}, end(err)
		}
		return Frame{Framing: Headers, Bad: ErrTooLarge}, nil
	}
	// Grow with what arrives: an announced length alone costs nothing.
	var body bytes.Buffer
	if n, err := io.CopyN(&body, r.r, int64(length)); err != nil || n < int64(length) {
		return Frame{}, io.EOF
	}
	return r.check(bytes.TrimSpace(body.Bytes()), Headers), nil
}

// resync gives up a header block that is too long and skips to its line's end.
func (r *Reader) resync() (Frame, error) {
	for {
		_, err := r.r.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil {
			return Frame{}, end(err)
		}
		return Frame{Framing: Headers, Bad: ErrHeader}, nil
	}
}

func (r *Reader) headerLine(size *int) (string, error) {
	var line []byte
	for {
		b, err := r.r.ReadByte()
		if err != nil {
			return "", err
		}
		*size++
		if b == '\n' {
			return strings.TrimSuffix(string(line), "\r"), nil
		}
		if *size > maxHeader {
			return "", nil
		}
		line = append(line, b)
	}
}

// check makes one line of a pretty-printed message.
func (r *Reader) check(body []byte, f Framing) Frame {
	if len(body) > r.max {
		return Frame{Framing: f, Bad: ErrTooLarge}
	}
	if !utf8.Valid(body) || !json.Valid(body) {
		return Frame{Framing: f, Bad: ErrNotJSON}
	}
	if bytes.IndexByte(body, '\n') >= 0 {
		var flat bytes.Buffer
		if err := json.Compact(&flat, body); err != nil {
			return Frame{Framing: f, Bad: ErrNotJSON}
		}
		body = flat.Bytes()
	}
	return Frame{Body: body, Framing: f}
}

// Writer writes whole frames; it is safe for concurrent use.
type Writer struct {
	mu  sync.Mutex
	out io.Writer
}

// NewWriter writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write sends one message in a framing, in one piece.
func (w *Writer) Write(body []byte, f Framing) error {
	var b bytes.Buffer
	b.Grow(len(body) + 32)
	if f == Headers {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(body))
		b.Write(body)
	} else {
		if bytes.IndexByte(body, '\n') >= 0 {
			if err := json.Compact(&b, body); err != nil {
				return err
			}
		} else {
			b.Write(body)
		}
		b.WriteByte('\n')
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(b.Bytes())
	return err
}
