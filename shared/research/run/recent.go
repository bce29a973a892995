package run

import (
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// recent keeps what a process has just read or written of the chunks of one run, so
// that the next item does not read all of it again: the work of an item does not grow
// with the items before it. What is kept never changes; what is not is read.
type recent struct {
	mu     sync.Mutex
	chunks map[int]*recently
	turn   []int // oldest first
}

// recently is one chunk: its answers to the items from 1 on, by position, and its
// Minds as they answer, seen at a time.
type recently struct {
	answers [][]own
	minds   map[string]mind.Mind
	seen    time.Time
}

// Bounds of what is kept. A Mind that is deleted is no longer asked at the latest
// after fresh.
const (
	maxRecent = 48
	fresh     = 2 * time.Second
)

func (r *recent) at(chunk int) *recently {
	c := r.chunks[chunk]
	if c == nil {
		if r.chunks == nil {
			r.chunks = map[int]*recently{}
		}
		if r.turn = append(r.turn, chunk); len(r.turn) > maxRecent {
			delete(r.chunks, r.turn[0])
			r.turn = r.turn[1:]
		}
		c = &recently{}
		r.chunks[chunk] = c
	}
	return c
}

// before gives the answers of a chunk to the items before a position; ok is false
// when they are not all at hand.
func (r *recent) before(chunk, position int) (answers [][]own, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.at(chunk)
	if len(c.answers) < position-1 {
		return nil, false
	}
	return c.answers[: position-1 : position-1], true
}

// keep notes what a chunk answered to all items up to the one that it answered last.
func (r *recent) keep(chunk int, answers [][]own) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if c := r.at(chunk); len(c.answers) < len(answers) {
		c.answers = answers
	}
}

func (r *recent) live(chunk int, now time.Time) map[string]mind.Mind {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.at(chunk)
	if c.minds == nil || now.Sub(c.seen) >= fresh || now.Before(c.seen) {
		return nil
	}
	return c.minds
}

func (r *recent) keepLive(chunk int, minds map[string]mind.Mind, now time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.at(chunk)
	c.minds, c.seen = minds, now
}
