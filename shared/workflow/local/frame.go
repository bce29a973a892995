package local

import (
	"context"
	"encoding/base64"
	"errors"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

var tokenText = base64.RawURLEncoding

// maxDispatches is how often one attempt may end in a crash.
const maxDispatches = 5

// frame is the top level, a Map item or a branch. At any time at most one
// goroutine moves it: whoever claims what it awaits.
type frame struct {
	x      *execution
	parent *frame
	kids   *family // that it belongs to
	index  int     // in kids
	item   *item
	path   string
	graph  *asl.Graph
	ctx    context.Context

	cur *step

	mu    sync.Mutex
	await int64 // what it waits for; 0: nothing
	turn  int64
	alarm *timer // of a token
}

// arm makes the frame wait; the id must be given back to claim or wake.
func (f *frame) arm() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.turn++
	f.await = f.turn
	return f.turn
}

// claim takes the right to move the frame on; only the first gets it.
func (f *frame) claim(id int64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.await != id {
		return false
	}
	f.await = 0
	return true
}

// wake moves the frame on from any goroutine, if it still waits for id.
func (f *frame) wake(id int64, r result) bool {
	if !f.claim(id) {
		return false
	}
	f.x.e.slots.run(f.x, func() { f.resume(r) })
	return true
}

// soon resumes on a goroutine of its own, so that a long frame is no deep stack.
func (f *frame) soon(r result) { f.x.e.slots.run(f.x, func() { f.resume(r) }) }

// begin enters the frame's first state.
func (f *frame) begin(input, vars value) { f.apply(f.first(input, vars)) }

// resume leaves the step that the frame stands on with r.
func (f *frame) resume(r result) {
	if f.ctx.Err() != nil || f.x.e.crashed("before transition") {
		return
	}
	f.apply(f.advance(f.cur, r))
}

// apply commits a change and does what the frame then stands on asks for. An
// answer that came before a time-out was journalled wins.
func (f *frame) apply(c *change) {
	for {
		err := f.commit(c)
		switch {
		case errors.Is(err, errAnswered):
			r, err := f.storedAnswer()
			if err != nil {
				f.x.e.fail(err)
				return
			}
			c = f.advance(f.cur, r)
			continue
		case errors.Is(err, errStale), errors.Is(err, errClosed):
			f.x.e.opt.Logger.Warn("workflow: a step was left by someone else", "machine", f.x.machine, "execution", f.x.name)
			return
		case err != nil:
			f.x.e.fail(err)
			return
		}
		f.forget(c.closes)
		f.cur = c.last()
		if f.x.e.crashed("after commit") {
			return
		}
		f.stand()
		return
	}
}

func (f *frame) commit(c *change) error {
	x := f.x
	last := c.last()
	ended := last.status != open && last.next == "" && !c.again
	return x.e.do(func(t *tx) error {
		if err := t.closeToken(c.closes, c.answer); err != nil {
			return err
		}
		if c.leave != nil {
			write := t.leaveStep
			if c.again {
				write = t.againStep
			}
			if err := write(x.id, f.path, c.leave); err != nil {
				return err
			}
			if c.leave.children > 0 {
				if err := x.below(t, f.path, c.leave); err != nil {
					return err
				}
			}
		}
		for _, s := range c.rows {
			if err := t.insertStep(x.id, f.path, s); err != nil {
				return err
			}
		}
		if ended && f.parent == nil {
			return x.end(t, last)
		}
		return nil
	})
}

func (f *frame) storedAnswer() (result, error) {
	var output []byte
	var name, cause string
	err := f.x.e.journal.db.QueryRowContext(f.ctx, `SELECT output, error, cause FROM tokens WHERE token = ?`, f.cur.token).
		Scan(&output, &name, &cause)
	r := answerOf(output, name, cause)
	r.answer = true
	return r, err
}

// restore goes on from the frame's last row.
func (f *frame) restore(s *step) {
	f.cur = s
	f.stand()
}

// stand does what the row under the frame asks for: an effect, a wait, the
// frame's end.
func (f *frame) stand() {
	if f.ctx.Err() != nil {
		return
	}
	s := f.cur
	if s.status != open {
		f.finish()
		return
	}
	st := f.graph.States[s.state]
	if st == nil {
		f.soon(result{err: workflow.Errorf(runtimeError, "there is no state %q", s.state), final: true})
		return
	}
	switch {
	case s.due > 0 && s.token == "" && st.Type != "Wait":
		if s.journalled {
			s.uncounted = fromMillis(s.due).After(f.x.e.opt.Clock.Now())
		}
		f.later(s.due, f.attempt)
	case st.Type == "Wait":
		f.later(s.due, func() { f.resume(result{}) })
	case st.Type == "Task":
		f.dispatch()
	case st.Type == "Map", st.Type == "Parallel":
		f.open(st)
	default:
		f.soon(result{})
	}
}

// later calls fn in the frame once due has come.
func (f *frame) later(due int64, fn func()) {
	id := f.arm()
	f.x.e.timers.add(fromMillis(due), func() {
		if f.claim(id) {
			f.x.e.slots.run(f.x, fn)
		}
	})
}

// attempt begins the next attempt after its back-off.
func (f *frame) attempt() {
	if f.ctx.Err() != nil {
		return
	}
	s := *f.cur
	st := f.graph.States[s.state]
	s.due = 0
	f.newToken(st, &s)
	switch {
	case st.Type == "Task" && st.Token:
		s.journalled, s.dispatches = false, 1
		err := f.x.e.do(func(t *tx) error { return t.againStep(f.x.id, f.path, &s) })
		if err != nil {
			if !errors.Is(err, errStale) {
				f.x.e.fail(err)
			}
			return
		}
	case s.uncounted:
		s.journalled, s.uncounted = false, false
	}
	f.cur = &s
	if st.Type == "Task" {
		f.dispatch()
		return
	}
	f.open(st)
}

// finish hands the frame's result to who waits for it.
func (f *frame) finish() {
	s := f.cur
	if f.kids == nil {
		f.x.e.drop(f.x.id)
		return
	}
	if s.status == failed {
		f.kids.fail(s.err)
		return
	}
	v := value{raw: s.output, decoded: s.passed}
	f.kids.done(f.index, v.data())
}

// dispatch calls the task of the step under the frame.
func (f *frame) dispatch() {
	s := f.cur
	st := f.graph.States[s.state]
	e := f.x.e
	if s.token != "" && s.journalled {
		r, err := f.storedAnswer()
		if err != nil {
			e.fail(err)
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
	ctx, cancel := context.WithCancelCause(f.ctx)
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
	err := f.x.e.do(func(t *tx) error {
		_, err := t.exec(`UPDATE steps SET dispatches = ? WHERE exec = ? AND path = ? AND step = ? AND attempt = ? AND status = 0`,
			s.dispatches, f.x.id, f.path, s.step, s.attempt)
		return err
	})
	if err != nil {
		f.x.e.fail(err)
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
