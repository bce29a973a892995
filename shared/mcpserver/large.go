package mcpserver

import (
	"context"

	"golang.org/x/sync/semaphore"
)

// smallBody is what any number of requests may hold at once.
const smallBody = 1 << 20

// large bounds the bytes of large bodies that are decoded at a time: decoding
// takes about ten times a body's size, so that a few of the largest would take
// the memory of a small machine. Bodies up to smallBody never wait.
type large struct {
	most int64
	held *semaphore.Weighted
}

func newLarge(maxBody int64) large {
	most := max(maxBody, smallBody)
	return large{most: most, held: semaphore.NewWeighted(most)}
}

// take waits for room for a body of size bytes; release gives it back. The error
// is the context's: the caller has gone.
func (l large) take(ctx context.Context, size int) (release func(), err error) {
	if size <= smallBody {
		return func() {}, nil
	}
	n := min(int64(size), l.most)
	if err := l.held.Acquire(ctx, n); err != nil {
		return nil, err
	}
	return func() { l.held.Release(n) }, nil
}
