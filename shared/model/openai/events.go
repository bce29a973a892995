package openai

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// events reads the data of server-sent events (the WHATWG living standard's
// "event stream interpretation"), of which this protocol uses data alone.
type events struct{ lines *bufio.Scanner }

// maxLine bounds one line of a stream.
const maxLine = 1 << 20

var errFrame = errors.New("openai: a line of the stream is too long")

func newEvents(r io.Reader) *events {
	s := bufio.NewScanner(r)
	s.Buffer(make([]byte, 0, 4096), maxLine)
	return &events{s}
}

// next gives the data of the next event that has any; io.EOF at the end. An event
// that the end cut off, without its empty line, is none, unless it is the sign of
// the end: some servers close right after it.
func (e *events) next() (string, error) {
	var data []string
	for e.lines.Scan() {
		line := strings.TrimSuffix(e.lines.Text(), "\r")
		if line == "" {
			if len(data) > 0 {
				return strings.Join(data, "\n"), nil
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "data:"); ok {
			data = append(data, strings.TrimPrefix(rest, " "))
		}
	}
	if err := e.lines.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = errFrame
		}
		return "", err
	}
	if len(data) == 1 && data[0] == "[DONE]" {
		return data[0], nil
	}
	return "", io.EOF
}
