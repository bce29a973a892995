package knowledge

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// csvProblem is a line that is no CSV.
type csvProblem struct {
	line int
	err  error
}

func (p csvProblem) Error() string {
	return fmt.Sprintf("line %d of the file is no CSV: %v", p.line, p.err)
}

// sentence makes a text one that can stand alone.
func sentence(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[size:]
	if !strings.HasSuffix(s, ".") {
		s += "."
	}
	return s
}

// reasonOf is what may be shown of why a distribution was refused.
func reasonOf(err error) string {
	var f *fault.Error
	if errors.As(err, &f) {
		return f.Message
	}
	return sentence(strings.TrimPrefix(err.Error(), "simulate: "))
}

// jsonProblem says where a document stops being JSON.
func jsonProblem(raw []byte) string {
	var at *json.SyntaxError
	if err := json.Unmarshal(raw, new(any)); errors.As(err, &at) {
		line := 1 + bytes.Count(raw[:min(int(at.Offset), len(raw))], []byte("\n"))
		return fmt.Sprintf("line %d, %s", line, at.Error())
	}
	return "it cannot be read to its end"
}
