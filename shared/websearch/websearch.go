// Package websearch asks a search engine for pages about something. Which
// engine is the operator's choice; with none nothing is researched, and the
// services say so.
package websearch

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Result is one page that was found, as plain text.
type Result struct {
	Title, URL, Snippet string
	Published           string // as the engine gives it, often empty
}

// Provider is a search engine. It is safe for concurrent use.
type Provider interface {
	// Name is the engine's, in lower case, such as "brave".
	Name() string
	// Search gives at most count results (1 to 20), best first, all of which
	// may be fetched as far as is known without a look-up. It returns an *Error
	// or the context's error. No result is no error.
	Search(ctx context.Context, query string, count int) ([]Result, error)
}

// Config chooses the engine.
type Config struct {
	Provider string // brave, tavily, searxng, or "" for none
	Key      string // of Brave and Tavily; SearXNG takes none
	Endpoint string // of SearXNG; for the others only to reach a stand-in
	// KeyFrom reads the key when it is first needed, instead of Key.
	KeyFrom func(ctx context.Context) (string, error)
}

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

// Open makes the engine of the configuration; nil without an error when there
// is none. Requests go through the guard: an engine on the operator's own
// network needs its host:port among the guard's allowed pairs.
func Open(c Config, guard *fetch.Guard, clk clock.Clock) (Provider, error) {
	if c.Provider == "" {
		return nil, nil
	}
	return nil, errors.New("websearch: not built yet")
}

// Check tells what is wrong with a configuration, by the names of the
// variables that it comes from.
func Check(c Config) error {
	return nil
}
