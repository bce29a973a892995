// Package passing marks errors that pass: the same call may succeed later
// without a change. A port marks its own errors; package fault reads the mark,
// so that every surface tells callers to try again, and neither knows the other.
package passing

import "errors"

// Error is a marked error. Compare it by identity, as any errors.New.
type Error struct{ text, advice string }

// New makes a marked error. text is for logs; advice is a whole sentence for
// callers that says what to do, without a path or a name of the inside.
func New(text, advice string) error { return &Error{text, advice} }

// Stays makes an error that does not pass, whatever else it is wrapped with.
func Stays(text string) error { return &Error{text: text} }

func (e *Error) Error() string { return e.text }

// Advice is the advice of the first mark in err; ok is false if err holds no
// mark, or one that says that it stays.
func Advice(err error) (advice string, ok bool) {
	var e *Error
	if !errors.As(err, &e) || e.advice == "" {
		return "", false
	}
	return e.advice, true
}
