package local

import (
	"context"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// beyond is how much longer than its state a task may run: the state's time-out
// is what tells.
const beyond = 5 * time.Second

// dispatch calls the task of the step under the frame.
func (f *frame) dispatch() {
	s := f.cur
	st := f.graph.States[s.state]
	e := f.x.e
	if s.token != "" && s.journalled {
		r, err := f.storedAnswer()
		if err != nil {
			f.fail(err)
			return
		}
		if r.raw != nil || r.err != nil { // answered before the crash
			f.soon(r)
			return
		}
	}
	if s.journalled {
		if s.dispatches >= maxDispatches {
			f.soon(result{err: workflow.Errorf("Crashed", "the task was sent out %d times and the process ended each time", s.dispatches), final: true})
			return
		}
		s.dispatches++
		s.journalled = false
		if err := f.setDispatches(s); err != nil {
			return
		}
	}
	payload, failure := f.payload(st, s)
	task := e.opt.Tasks[st.Task]
	if failure == nil && task == nil {
		failure = workflow.Errorf("Lambda.ResourceNotFoundException", "no task is named %s", st.Task)
	}
	if failure != nil {
		f.soon(result{err: failure})
		return
	}
	id := f.arm()
	// As behind Lambda, a task knows when its time ends, a little after that of the
	// state, and may hand over before. A context's deadline is of the real clock.
	bounded, end := context.WithTimeout(f.ctx, seconds(st.Timeout)+beyond)
	defer end()
	ctx, cancel := context.WithCancelCause(bounded)
	defer cancel(nil)
	due := fromMillis(s.due)
	if s.token == "" {
		due = e.opt.Clock.Now().Add(seconds(st.Timeout))
	}
	alarm := e.timers.add(due, func() {
		if f.wake(id, result{err: workflow.Errorf(timeoutError, "no result within %v s", st.Timeout)}) {
			cancel(context.DeadlineExceeded)
		}
	})
	if s.token != "" {
		f.mu.Lock()
		f.alarm = alarm
		f.mu.Unlock()
		e.expect(s.token, await{f, id}, f.x)
		if e.crashed("between token row and call") {
			return
		}
	}
	e.calling(f, s)
	out, failure := task.Run(ctx, payload)
	if e.crashed("after dispatch") || e.stopping() {
		return // what the task says now was said because of the stop
	}
	e.returned(s)
	switch {
	case failure != nil:
		e.timers.remove(alarm)
		f.wake(id, result{err: causeOf(failure)})
	case s.token == "":
		e.timers.remove(alarm)
		f.wake(id, result{raw: out})
	default:
		// The token stays out. A later crash does not count against the task.
		out := *s
		out.dispatches = 0
		_ = f.setDispatches(&out)
	}
}

// setDispatches journals the count of an open step.
func (f *frame) setDispatches(s *step) error {
	err := f.persist(func(t *tx) error {
		_, err := t.exec(`UPDATE steps SET dispatches = ? WHERE exec = ? AND path = ? AND step = ? AND attempt = ? AND status = 0`,
			s.dispatches, f.x.id, f.path, s.step, s.attempt)
		return err
	})
	if err != nil {
		f.fail(err)
	}
	return err
}

func (e *Engine) calling(f *frame, s *step) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.calls[s] = f
}

// stopping tells whether Run is about to return.
func (e *Engine) stopping() bool { return e.ctx.Err() != nil }

func (e *Engine) returned(s *step) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.calls, s)
}

func (e *Engine) expect(token string, w await, x *execution) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waiting[token] = w
	if x.tokens == nil {
		x.tokens = map[string]struct{}{}
	}
	x.tokens[token] = struct{}{}
}

// forget drops a token that was left.
func (f *frame) forget(token string) {
	if token == "" {
		return
	}
	f.mu.Lock()
	alarm := f.alarm
	f.alarm = nil
	f.mu.Unlock()
	f.x.e.timers.remove(alarm)
	f.x.e.mu.Lock()
	defer f.x.e.mu.Unlock()
	delete(f.x.e.waiting, token)
	delete(f.x.tokens, token)
}
