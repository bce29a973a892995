package workflow

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
)

// MaxValue is the largest value that may pass between states, in bytes.
const MaxValue = 256 << 10

// ErrNull says that a value holds null somewhere. The hosts' expression
// engines do not agree on null, so workflow data leaves the key out instead.
var ErrNull = errors.New("workflow: null in a value; leave the key out")

// Names of task errors that both hosts give for a result that may not travel.
const (
	ErrorNull  = "NullInResult"
	ErrorLarge = "States.DataLimitExceeded"
)

// CheckValue refuses what may not travel between states: text that is no JSON,
// null anywhere (ErrNull), more than MaxValue bytes (ErrTooLarge).
func CheckValue(raw json.RawMessage) error {
	if len(raw) > MaxValue {
		return ErrTooLarge
	}
	if !json.Valid(raw) {
		return errors.New("workflow: value is not JSON")
	}
	if HasNull(raw) {
		return ErrNull
	}
	return nil
}

// HasNull reports whether valid JSON holds null outside a string.
func HasNull(raw json.RawMessage) bool {
	for len(raw) > 0 {
		i := bytes.IndexAny(raw, `"n`)
		if i < 0 {
			return false
		}
		if raw[i] == 'n' {
			return true // outside a string only null begins with n
		}
		for i++; i < len(raw) && raw[i] != '"'; i++ {
			if raw[i] == '\\' {
				i++
			}
		}
		raw = raw[min(i+1, len(raw)):]
	}
	return false
}

// Run calls the task as both hosts do: a panic becomes an error, the result is
// checked, and what comes back as *Error has the name that Retry and Catch
// see. Other errors are named after their Go type, as the Lambda runtime does.
// A result of nothing, or of null alone, is nil.
func (t Task) Run(ctx context.Context, payload json.RawMessage) (out json.RawMessage, failure *Error) {
	defer func() {
		if p := recover(); p != nil {
			out, failure = nil, &Error{Name: typeName(p), Cause: fmt.Sprint(p)}
		}
	}()
	out, err := t(ctx, payload)
	if err != nil {
		return nil, AsError(err)
	}
	out = bytes.TrimSpace(out)
	if len(out) == 0 || string(out) == "null" {
		return nil, nil
	}
	switch err := CheckValue(out); {
	case errors.Is(err, ErrTooLarge):
		return nil, Errorf(ErrorLarge, "task result of %d bytes; at most %d may pass between states", len(out), MaxValue)
	case errors.Is(err, ErrNull):
		return nil, Errorf(ErrorNull, "task result holds null; leave the key out")
	case err != nil:
		return nil, Errorf("BadResult", "%v", err)
	}
	return out, nil
}

// AsError gives a task's error its workflow name: its own for *Error, else the
// name of its Go type.
func AsError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return &Error{Name: typeName(err), Cause: err.Error()}
}

func typeName(v any) string {
	t := reflect.TypeOf(v)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Name() == "" {
		return "Unnamed"
	}
	return t.Name()
}
