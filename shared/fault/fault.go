// Package fault is the one table of refusals. A rule that refuses returns an
// *Error with a code from the table; each surface turns it into its own form
// (REST envelope, tool error, JSON-RPC error). No handler picks HTTP statuses.
package fault

import (
	"errors"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/passing"
)

// retryAfter is how many seconds a caller should wait for a store.
const retryAfter = 5

// Error is a refusal that the caller may read: a stable code, a sentence that
// names the field, the rule and a way out, and data for machines.
type Error struct {
	Code    Code
	Message string
	Data    map[string]any // never nil-checked by readers; may be nil
	cause   error          // for logs only, never shown
}

// New makes a refusal. Message is shown to the caller, so it holds no internals.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// With returns a copy that carries one more field of data.
func (e *Error) With(key string, value any) *Error {
	c := *e
	c.Data = make(map[string]any, len(e.Data)+1)
	for k, v := range e.Data {
		c.Data[k] = v
	}
	c.Data[key] = value
	return &c
}

// Because returns a copy that keeps the cause for the log.
func (e *Error) Because(cause error) *Error {
	c := *e
	c.cause = cause
	return &c
}

func (e *Error) Error() string {
	if e.cause != nil {
		return string(e.Code) + ": " + e.Message + ": " + e.cause.Error()
	}
	return string(e.Code) + ": " + e.Message
}

// Unwrap gives the cause to errors.Is and errors.As.
func (e *Error) Unwrap() error { return e.cause }

// Status is the HTTP status of the code.
func (e *Error) Status() int { return e.Code.Status() }

// Retryable tells whether the same call may succeed later without a change (M-12).
func (e *Error) Retryable() bool {
	switch e.Code.Status() {
	case 429, 502, 503, 504:
		return true
	}
	return false
}

// From returns the refusal inside err. An error of a store that passes is
// STORAGE_UNAVAILABLE, which a caller may repeat (M-12); anything else is
// INTERNAL_ERROR. Both keep err as the cause, so that no unexpected text ever
// reaches a caller (M-11).
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	if advice, ok := passing.Advice(err); ok {
		return New(StorageUnavailable, "%s Repeat a write with the same idempotency key, so that it is done once.", advice).
			With("retryAfter", retryAfter).Because(err)
	}
	return New(Internal, "Something went wrong on our side. Look at the saved state before you go on; if it happens again, tell the operator the request id.").Because(err)
}

// Is reports whether err is a refusal with this code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}
