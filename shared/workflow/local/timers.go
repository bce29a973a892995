package local

import (
	"container/heap"
	"context"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// timers is the one queue of everything that waits for a time.
type timers struct {
	clock clock.Clock
	mu    sync.Mutex
	queue dueQueue
	sleep time.Time // the time slept for; zero: for news
	stir  context.CancelFunc
	news  chan struct{}
}

type timer struct {
	due   time.Time
	fire  func()
	index int // in the queue; -1 outside
}

func newTimers(c clock.Clock) *timers { return &timers{clock: c, news: make(chan struct{}, 1)} }

// add calls fire, on the queue's goroutine, once due has come.
func (q *timers) add(due time.Time, fire func()) *timer {
	q.mu.Lock()
	defer q.mu.Unlock()
	t := &timer{due: due, fire: fire}
	heap.Push(&q.queue, t)
	if q.sleep.IsZero() || due.Before(q.sleep) {
		if q.stir != nil {
			q.stir()
		}
		select {
		case q.news <- struct{}{}:
		default:
		}
	}
	return t
}

func (q *timers) remove(t *timer) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if t != nil && t.index >= 0 {
		heap.Remove(&q.queue, t.index)
	}
}

// run fires timers until ctx ends.
func (q *timers) run(ctx context.Context) {
	for ctx.Err() == nil {
		q.mu.Lock()
		now := q.clock.Now()
		var fire []func()
		for len(q.queue) > 0 && !q.queue[0].due.After(now) {
			fire = append(fire, heap.Pop(&q.queue).(*timer).fire)
		}
		if len(fire) > 0 {
			q.mu.Unlock()
			for _, f := range fire {
				f()
			}
			continue
		}
		if len(q.queue) == 0 {
			q.sleep, q.stir = time.Time{}, nil
			q.mu.Unlock()
			select {
			case <-q.news:
			case <-ctx.Done():
			}
			continue
		}
		sleepCtx, stir := context.WithCancel(ctx)
		q.sleep, q.stir = q.queue[0].due, stir
		wait := q.sleep.Sub(now)
		q.mu.Unlock()
		_ = q.clock.Sleep(sleepCtx, wait) // ended early: look again
		stir()
	}
}

type dueQueue []*timer

func (q dueQueue) Len() int           { return len(q) }
func (q dueQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q dueQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *dueQueue) Push(x any) {
	t := x.(*timer)
	t.index = len(*q)
	*q = append(*q, t)
}
func (q *dueQueue) Pop() any {
	old := *q
	t := old[len(old)-1]
	t.index = -1
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return t
}
