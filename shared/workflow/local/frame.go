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
				f.fail(err)
				return
			}
			c = f.advance(f.cur, r)
			continue
		case errors.Is(err, errStale), errors.Is(err, errClosed):
			f.x.e.opt.Logger.Warn("workflow: a step was left by someone else", "machine", f.x.machine, "execution", f.x.name)
			return
		case err != nil:
			f.fail(err)
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
	return f.persist(func(t *tx) error {
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
	err := f.x.e.read(f.ctx, func() error {
		return f.x.e.journal.db.QueryRowContext(f.ctx, `SELECT output, error, cause FROM tokens WHERE token = ?`, f.cur.token).
			Scan(&output, &name, &cause)
	})
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
		err := f.persist(func(t *tx) error { return t.againStep(f.x.id, f.path, &s) })
		if err != nil {
			if !errors.Is(err, errStale) {
				f.fail(err)
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

// fail halts the engine, unless the frame was to end anyway.
func (f *frame) fail(err error) {
	if f.ctx.Err() == nil {
		f.x.e.fail(err)
	}
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
