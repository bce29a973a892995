package local

import (
	"container/heap"
	"sync"
)

// slots bounds how many executions work at once, and shares the places out
// fairly: those of one label, a workspace, stand in a lane of their own, and a
// free place goes to the lane that holds the fewest. However much one lane has
// waiting, the first execution of another is the next to begin. A lane alone
// never holds every place, so that a newcomer need not wait for one to be given
// up. One that only waits, for a time or a token, holds no slot.
type slots struct {
	mu     sync.Mutex
	max    int
	active int
	lanes  map[string]*lane // that hold or want a place; others are forgotten
	ready  laneQueue        // lanes that want one
	turn   int64
	wg     sync.WaitGroup
	closed bool
}

// newSlots makes n places.
func newSlots(n int) *slots { return &slots{max: n, lanes: map[string]*lane{}} }

// lane is what one label holds and wants.
type lane struct {
	label  string
	active int
	queue  []*execution // that have something to do and no slot, oldest first
	turn   int64        // since when it wants a place; the older goes first among equals
	index  int          // in ready; -1 outside
}

// work is the part of an execution that slots keep.
type work struct {
	label   string // set before the first run
	busy    int
	held    bool
	waiting []func()
}

// share is the most places that one lane may hold.
func (s *slots) share() int { return s.max - s.max/8 }

// run calls fn on its own goroutine as soon as x has a slot.
func (s *slots) run(x *execution, fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
	case x.work.held:
		s.launch(x, fn)
	default:
		if x.work.waiting = append(x.work.waiting, fn); len(x.work.waiting) == 1 {
			s.want(x)
		}
		s.fill()
	}
}

// want puts x at the end of its lane.
func (s *slots) want(x *execution) {
	l := s.lanes[x.work.label]
	if l == nil {
		l = &lane{label: x.work.label, index: -1}
		s.lanes[l.label] = l
	}
	l.queue = append(l.queue, x)
	if l.index < 0 {
		s.turn++
		l.turn = s.turn
		heap.Push(&s.ready, l)
	}
}

// fill gives the free places away.
func (s *slots) fill() {
	for s.active < s.max && len(s.ready) > 0 && !s.closed {
		l := s.ready[0]
		if l.active >= s.share() {
			return // and so do all others: it holds the fewest
		}
		x := l.queue[0]
		l.queue[0] = nil
		l.queue = l.queue[1:]
		l.active++
		s.active++
		s.turn++
		l.turn = s.turn // behind those that hold as many
		if len(l.queue) == 0 {
			l.queue = nil
			heap.Remove(&s.ready, l.index)
		} else {
			heap.Fix(&s.ready, l.index)
		}
		x.work.held = true
		waiting := x.work.waiting
		x.work.waiting = nil
		for _, fn := range waiting {
			s.launch(x, fn)
		}
	}
}

func (s *slots) launch(x *execution, fn func()) {
	x.work.busy++
	s.wg.Add(1)
	go func() {
		defer s.wg.Done()
		defer s.done(x)
		fn()
	}()
}

func (s *slots) done(x *execution) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if x.work.busy--; x.work.busy > 0 {
		return
	}
	x.work.held = false
	s.active--
	l := s.lanes[x.work.label]
	l.active--
	switch {
	case l.index >= 0:
		heap.Fix(&s.ready, l.index)
	case l.active == 0:
		delete(s.lanes, l.label)
	}
	s.fill()
}

// close lets nothing new begin.
func (s *slots) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.ready = nil
	for _, l := range s.lanes {
		l.queue, l.index = nil, -1
	}
}

// laneQueue is a heap: the lane that holds the fewest places first.
type laneQueue []*lane

func (q laneQueue) Len() int { return len(q) }
func (q laneQueue) Less(i, j int) bool {
	if q[i].active != q[j].active {
		return q[i].active < q[j].active
	}
	return q[i].turn < q[j].turn
}
func (q laneQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}
func (q *laneQueue) Push(x any) {
	l := x.(*lane)
	l.index = len(*q)
	*q = append(*q, l)
}
func (q *laneQueue) Pop() any {
	old := *q
	l := old[len(old)-1]
	l.index = -1
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	return l
}
