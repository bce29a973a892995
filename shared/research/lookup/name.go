package lookup

import (
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// OneLine refuses a name that holds a control character or the end of a line: what
// shows nothing, or breaks the line that a name stands on. field names it in the
// refusal.
func OneLine(field, text string) error {
	at := 0
	for _, r := range text {
		at++
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return fault.New(fault.Validation, "%s holds the control character U+%04X as its character %d; leave it out, a name is one line of text.", field, r, at).With("field", field)
		}
	}
	return nil
}
