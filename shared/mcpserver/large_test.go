package mcpserver

import (
	"context"
	"testing"
)

// Large bodies take turns, small ones never wait, and who leaves while waiting
// holds nothing.
func TestLargeBodiesTakeTurns(t *testing.T) {
	l := newLarge(24 << 20)
	first, err := l.take(t.Context(), 20<<20)
	if err != nil {
		t.Fatal(err)
	}
	small, err := l.take(t.Context(), smallBody)
	if err != nil {
		t.Fatal("a small body waits: ", err)
	}
	small()
	gone, leave := context.WithCancel(t.Context())
	leave()
	if _, err := l.take(gone, 20<<20); err == nil {
		t.Fatal("two of the largest at once")
	}
	first()
	again, err := l.take(t.Context(), 99<<20) // more than the whole is the whole
	if err != nil {
		t.Fatal(err)
	}
	again()
	if !l.held.TryAcquire(l.most) {
		t.Error("something is still held")
	}
}
