// Package clock gives time and new ids from outside, so that a test can hold
// them still.
package clock

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
)

// Clock tells the time and waits. Everything that compares with a window, a
// lease or a due time asks it, never the time package.
type Clock interface {
	Now() time.Time
	// Sleep returns nil after d, or the context's error if that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// System is the real clock.
type System struct{}

// Now is the current time in UTC.
func (System) Now() time.Time { return time.Now().UTC() }

// Sleep waits in real time.
func (System) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Held is a clock that stands still until it is moved.
type Held struct {
	mu      sync.Mutex
	now     time.Time
	waiting map[chan struct{}]time.Time
}

// Hold makes a clock that stands at t.
func Hold(t time.Time) *Held {
	return &Held{now: t.UTC(), waiting: map[chan struct{}]time.Time{}}
}

// Now is the held time.
func (h *Held) Now() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.now
}

// Advance moves the clock and wakes who has waited long enough.
func (h *Held) Advance(d time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now = h.now.Add(d)
	for c, due := range h.waiting {
		if !due.After(h.now) {
			close(c)
			delete(h.waiting, c)
		}
	}
}

// Waiting is how many sleepers wait now; a test uses it to know that the code
// under test has reached its wait.
func (h *Held) Waiting() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.waiting)
}

// Sleep waits until Advance has passed d.
func (h *Held) Sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	c := make(chan struct{})
	h.mu.Lock()
	h.waiting[c] = h.now.Add(d)
	h.mu.Unlock()
	select {
	case <-c:
		return nil
	case <-ctx.Done():
		h.mu.Lock()
		delete(h.waiting, c)
		h.mu.Unlock()
		return ctx.Err()
	}
}

// Stamp writes a time as the contract wants it: RFC 3339, UTC, milliseconds.
func Stamp(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

// IDs makes new identifiers.
type IDs interface {
	// NewID is a random UUID, lower case.
	NewID() string
}

// RandomIDs makes version 4 UUIDs from the system's random source.
type RandomIDs struct{}

// NewID is a version 4 UUID.
func (RandomIDs) NewID() string { return uuid.NewString() }
