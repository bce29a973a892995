package local

import "sync"

// slots bounds how many executions work at once. One that only waits, for a
// time or a token, holds no slot.
type slots struct {
	mu     sync.Mutex
	max    int
	active int
	queue  []*execution // that have something to do and no slot, oldest first
	wg     sync.WaitGroup
	closed bool
}

// work is the part of an execution that slots keep.
type work struct {
	busy    int
	held    bool
	waiting []func()
}

// run calls fn on its own goroutine as soon as x has a slot.
func (s *slots) run(x *execution, fn func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if !x.work.held && s.active >= s.max {
		if len(x.work.waiting) == 0 {
			s.queue = append(s.queue, x)
		}
		x.work.waiting = append(x.work.waiting, fn)
		return
	}
	if !x.work.held {
		x.work.held = true
		s.active++
	}
	s.launch(x, fn)
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
	for s.active < s.max && len(s.queue) > 0 && !s.closed {
		next := s.queue[0]
		s.queue = s.queue[1:]
		next.work.held = true
		s.active++
		waiting := next.work.waiting
		next.work.waiting = nil
		for _, fn := range waiting {
			s.launch(next, fn)
		}
	}
}

// close lets nothing new begin.
func (s *slots) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.queue = nil
}
