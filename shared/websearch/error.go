package websearch

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Kind sorts what can go wrong.
type Kind string

// The kinds.
const (
	Auth        Kind = "auth"        // the key is refused
	Quota       Kind = "quota"       // too many requests, or the allowance is used up
	Timeout     Kind = "timeout"     // no answer in time
	Unavailable Kind = "unavailable" // the engine failed or cannot be reached
	Malformed   Kind = "malformed"   // the answer is not what the engine promises
	Invalid     Kind = "invalid"     // the engine refuses the query
)

// messages may be read by whoever caused the search, so they hold no address
// and no key.
var messages = map[Kind]string{
	Auth:        "The search engine refuses the key that this service has for it. Its operator has to renew it.",
	Quota:       "The search engine takes no more searches from this service for now. Try again later.",
	Timeout:     "The search engine did not answer in time. Try again later.",
	Unavailable: "The search engine cannot be reached or is failing. Try again later.",
	Malformed:   "The search engine's answer could not be read. Try again later.",
	Invalid:     "The search engine refuses the query. Use other or fewer words.",
}

// Error is a failed search. Message may be shown; it holds no key.
type Error struct {
	Kind       Kind
	Provider   string
	Message    string
	RetryAfter time.Duration // 0 when the engine names none
	cause      error
}

func (e *Error) Error() string { return e.Message }

// Unwrap gives the cause, for the log.
func (e *Error) Unwrap() error { return e.cause }

// Retryable tells whether the same search may succeed later.
func (e *Error) Retryable() bool {
	return e.Kind == Quota || e.Kind == Timeout || e.Kind == Unavailable
}

// ask sends one request and reads the answer whole.
func (s *search) ask(ctx context.Context, req fetch.Request) ([]byte, error) {
	res, err := s.client.Do(ctx, req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	return io.ReadAll(res.Body)
}

func (s *search) failed(caller context.Context, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	e := &Error{Kind: Unavailable, Provider: s.Name(), cause: err}
	var answered fetch.StatusError
	switch {
	case errors.As(err, &answered):
		e.Kind = s.engine.failure(answered)
		if e.Kind == Quota || e.Kind == Unavailable {
			e.RetryAfter = s.wait(answered.Header)
		}
	case errors.Is(err, context.DeadlineExceeded):
		e.Kind = Timeout
	case fault.Is(err, fault.PayloadTooLarge) || errors.Is(err, fetch.ErrEncoding):
		e.Kind = Malformed
	}
	e.Message = messages[e.Kind]
	return e
}

// byStatus is the meaning that a status has with most engines.
func byStatus(status int) Kind {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return Auth
	case status == http.StatusPaymentRequired || status == http.StatusTooManyRequests:
		return Quota
	case status == http.StatusBadRequest || status == http.StatusRequestURITooLong || status == http.StatusUnprocessableEntity:
		return Invalid
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		return Timeout
	case status >= 200 && status < 300:
		return Malformed
	}
	return Unavailable
}

// wait reads Retry-After, in seconds or as a date, up to a day; else the first
// number of X-RateLimit-Reset, in seconds.
func (s *search) wait(h http.Header) time.Duration {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		value, _, _ = strings.Cut(h.Get("X-RateLimit-Reset"), ",")
	}
	var d time.Duration
	if n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 32); err == nil {
		d = time.Duration(n) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		d = at.Sub(s.clock.Now())
	}
	return min(max(d, 0), 24*time.Hour)
}
