package stdio

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// message makes a frame of a line, and reads on while the line is the beginning
// of a printed value.
func (r *Reader) message(line []byte) (Frame, error) {
	if body := bytes.TrimSpace(line); len(body) > 0 && (body[0] == '{' || body[0] == '[') && begun(line) {
		return r.printed(line)
	}
	return r.check(bytes.TrimSpace(line), Lines), nil
}

// printed reads the lines of a value that was printed over several. Inner lines
// are indented or close what is open, so a line that begins with an object at
// its very start is where a new message may begin: if what is there cannot go on
// with it, or if it is a whole message and no entry of a batch, the part before
// is the one that is broken.
func (r *Reader) printed(body []byte) (Frame, error) {
	open := depth(body)
	for open > 0 {
		line, over, err := r.rest()
		if err != nil {
			return Frame{}, err
		}
		if over || len(body)+len(line) > r.max {
			return Frame{Framing: Lines, Bad: ErrTooLarge}, nil
		}
		if (line[0] == '{' || line[0] == '[') && !goesOn(body, line) {
			r.unread = line
			return Frame{Framing: Lines, Bad: ErrNotJSON}, nil
		}
		body = append(body, line...)
		open += depth(line)
	}
	return r.check(bytes.TrimSpace(body), Lines), nil
}

// begun tells whether a text is the beginning of a JSON value and no whole one.
func begun(text []byte) bool {
	var v json.RawMessage
	return errors.Is(json.NewDecoder(bytes.NewReader(text)).Decode(&v), io.ErrUnexpectedEOF)
}

func goesOn(body, line []byte) bool {
	var m struct {
		Version string `json:"jsonrpc"`
	}
	if body[0] == '{' && json.Unmarshal(line, &m) == nil && m.Version != "" {
		return false
	}
	both := append(bytes.Clone(body), line...)
	return begun(both) || json.Valid(both)
}

// depth is how many objects and lists a line opens more than it closes. A text
// value never goes over a line's end.
func depth(line []byte) int {
	n, text := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case text:
		case c == '{' || c == '[':
			n++
		case c == '}' || c == ']':
			n--
		}
	}
	return n
}
