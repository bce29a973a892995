package mind

import (
	"context"
	"sync"
)

// lanes lets the work on one key go one after the other inside this process, so
// that it does not fight itself over one row. The rows' conditions keep other
// processes apart.
type lanes struct {
	mu  sync.Mutex
	all map[string]*lane
}

type lane struct {
	turn chan struct{} // holds one token while the lane is free
	uses int
}

// enter waits for the key's turn; the returned function ends it.
func (l *lanes) enter(ctx context.Context, key string) (leave func(), err error) {
	l.mu.Lock()
	if l.all == nil {
		l.all = map[string]*lane{}
	}
	a := l.all[key]
	if a == nil {
		a = &lane{turn: make(chan struct{}, 1)}
		a.turn <- struct{}{}
		l.all[key] = a
	}
	a.uses++
	l.mu.Unlock()

	drop := func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if a.uses--; a.uses == 0 {
			delete(l.all, key)
		}
	}
	select {
	case <-a.turn:
		return func() { a.turn <- struct{}{}; drop() }, nil
	case <-ctx.Done():
		drop()
		return nil, ctx.Err()
	}
}
