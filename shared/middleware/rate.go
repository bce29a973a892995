package middleware

import (
	"context"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// The rate of M-106: requests of one account in one window.
const (
	DefaultLimit = 300
	Period       = 60 * time.Second
)

// Window is the state of one account's window after a request.
type Window struct {
	Limit     int           // 0: no limit, nothing is reported
	Remaining int           // requests left in this window
	Reset     time.Duration // until the window ends
	Allowed   bool
}

// Limiter counts n requests of an account; all n are allowed or none is.
type Limiter interface {
	Take(ctx context.Context, p account.Principal, n int) (Window, error)
}

// Rate refuses an account that has used up its window with RATE_LIMITED, and
// reports the window in RateLimit-* headers. It stands behind Bearer. A limiter
// that fails lets the request through: a broken counter must not stop the work.
func Rate(l Limiter, refuse Refuse) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if f := Spend(w, r, l, 1); f != nil {
				refuse(w, r, f)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// Spend counts n requests of the caller in the context, sets the headers and
// returns the refusal, if any, without answering.
func Spend(w http.ResponseWriter, r *http.Request, l Limiter, n int) *fault.Error {
	win, err := l.Take(r.Context(), account.From(r.Context()), n)
	if err != nil || win.Limit <= 0 {
		return nil
	}
	h := w.Header()
	seconds := int(math.Ceil(win.Reset.Seconds()))
	h.Set("RateLimit-Limit", strconv.Itoa(win.Limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(max(0, win.Remaining)))
	h.Set("RateLimit-Reset", strconv.Itoa(seconds))
	if win.Allowed {
		return nil
	}
	seconds = max(1, seconds)
	h.Set("Retry-After", strconv.Itoa(seconds))
	return fault.New(fault.RateLimited, "More than %d requests of this account in %d seconds. Wait %d seconds, then go on.",
		win.Limit, int(Period.Seconds()), seconds).With("retryAfter", seconds).With("limit", win.Limit)
}

// NoLimit lets everything through.
type NoLimit struct{}

// Take allows.
func (NoLimit) Take(context.Context, account.Principal, int) (Window, error) {
	return Window{Allowed: true}, nil
}

// Memory is the limiter of one process: fixed windows of Period that begin at
// an account's first request.
type Memory struct {
	limit int
	clock clock.Clock

	mu      sync.Mutex
	windows map[string]*window
	swept   time.Time
}

type window struct {
	ends time.Time
	used int
}

// NewMemory makes a limiter of limit requests a window; 0 is no limit.
func NewMemory(limit int, c clock.Clock) *Memory {
	return &Memory{limit: limit, clock: c, windows: map[string]*window{}}
}

// Take counts.
func (m *Memory) Take(_ context.Context, p account.Principal, n int) (Window, error) {
	if m.limit <= 0 {
		return Window{Allowed: true}, nil
	}
	now := m.clock.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sweep(now)
	w := m.windows[p.Account]
	if w == nil || !now.Before(w.ends) {
		w = &window{ends: now.Add(Period)}
		m.windows[p.Account] = w
	}
	out := Window{Limit: m.limit, Reset: w.ends.Sub(now)}
	if w.used+n <= m.limit {
		w.used += n
		out.Allowed = true
	}
	out.Remaining = m.limit - w.used
	return out, nil
}

// sweep forgets ended windows once a period, so that memory follows the
// accounts of the last minute.
func (m *Memory) sweep(now time.Time) {
	if now.Sub(m.swept) < Period {
		return
	}
	m.swept = now
	for k, w := range m.windows {
		if !now.Before(w.ends) {
			delete(m.windows, k)
		}
	}
}
