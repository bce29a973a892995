package local

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// change is what one transaction does to a frame.
type change struct {
	leave  *step   // the open row to close, nil on a frame's first step
	again  bool    // leave stays open for another attempt
	rows   []*step // entered; all but perhaps the last are closed
	closes string  // token of the step that is left
	answer bool    // it was answered
}

// last is the row that the frame stands on afterwards.
func (c *change) last() *step {
	if len(c.rows) > 0 {
		return c.rows[len(c.rows)-1]
	}
	return c.leave
}

// perTransaction bounds the states without effect that share a transaction.
const perTransaction = 100

// advance computes how the open step cur is left with r and what follows, up
// to the next step that has an effect. It touches no journal.
func (f *frame) advance(cur *step, r result) *change {
	s := *cur
	c := &change{leave: &s, closes: s.token, answer: r.answer}
	f.settle(&s, r, c)
	f.follow(c)
	return c
}

// first computes the first steps of a frame.
func (f *frame) first(input, vars value) *change {
	c := &change{}
	c.rows = append(c.rows, f.enter(f.graph.StartAt, 0, input, vars))
	f.settleInstant(c)
	f.follow(c)
	return c
}

// follow enters successors until one has an effect or the frame ends.
func (f *frame) follow(c *change) {
	for !c.again {
		s := c.last()
		if s.status != left || s.next == "" {
			return
		}
		n := f.enter(s.next, s.step+1, value{raw: s.output, decoded: s.passed}, s.varsAfter)
		c.rows = append(c.rows, n)
		if len(c.rows) == perTransaction {
			return // stays open: the next transaction leaves it
		}
		f.settleInstant(c)
	}
}

// settleInstant leaves the row just entered if its state has no effect.
func (f *frame) settleInstant(c *change) {
	s := c.last()
	st := f.graph.States[s.state]
	switch {
	case st == nil:
		f.leaveFailed(s, workflow.Errorf(runtimeError, "there is no state %q", s.state))
	case s.status != open:
	case st.Type == "Pass", st.Type == "Choice", st.Type == "Succeed", st.Type == "Fail":
		f.settle(s, result{}, c)
	}
}

// enter makes the row of a state. What its journal must know before the effect
// begins is decided here: when a Wait is due, the token of a task.
func (f *frame) enter(name string, number int, input, vars value) *step {
	now := f.x.e.opt.Clock.Now()
	s := &step{step: number, state: name, entered: millis(now), input: input, vars: vars}
	st := f.graph.States[name]
	if st == nil {
		return s
	}
	s.retries = make([]int, len(st.Retry))
	if f.x.events.Load() > f.x.e.opt.maxEvents {
		f.leaveFailed(s, workflow.Errorf(runtimeError, "the execution reached the maximum number of history events (%d)", f.x.e.opt.maxEvents))
		return s
	}
	switch st.Type {
	case "Task":
		s.dispatches = 1
		f.newToken(st, s)
	case "Wait":
		due, err := f.waitUntil(st, s, now)
		if err != nil {
			f.leaveFailed(s, err)
		}
		s.due = due
	}
	return s
}

// newToken gives a waiting task's attempt its token and time-out.
func (f *frame) newToken(st *asl.State, s *step) {
	if st.Token {
		s.token = f.x.e.newToken()
		s.due = millis(f.x.e.opt.Clock.Now().Add(seconds(st.Timeout)))
	}
}

func (f *frame) waitUntil(st *asl.State, s *step, now time.Time) (int64, *workflow.Error) {
	t := st.Seconds
	if st.Timestamp != nil {
		t = st.Timestamp
	}
	v, err := f.x.e.ev.template(t, f.bindings(s, nil))
	if err != nil {
		return 0, err
	}
	switch v := v.(type) {
	case float64:
		if st.Timestamp == nil && v >= 0 && v == math.Trunc(v) && v <= 99999999 {
			return millis(now.Add(seconds(v))), nil
		}
	case string:
		if at, err := time.Parse(time.RFC3339, v); st.Timestamp != nil && err == nil {
			return max(millis(at), 1), nil
		}
	}
	return 0, workflow.Errorf(queryError, "a Wait needs whole seconds from 0 to 99999999, or an RFC 3339 timestamp")
}

// settle leaves an open row s with r: on success by its Output, Assign and
// Next, on failure by Retry and Catch.
func (f *frame) settle(s *step, r result, c *change) {
	st := f.graph.States[s.state]
	if st == nil {
		f.leaveFailed(s, workflow.Errorf(runtimeError, "there is no state %q", s.state))
		return
	}
	err := r.err
	if err == nil {
		err = f.succeed(st, s, r)
	}
	if err == nil {
		f.x.count(s, st)
		return
	}
	if !r.final && f.retry(st, s, err, c) {
		return
	}
	f.x.count(s, st)
	f.caught(st, s, err)
}

func (x *execution) count(s *step, st *asl.State) {
	s.events = eventsOf(st, s, s.children)
	x.events.Add(s.events - 3*int64(s.attempt)) // attempts were counted by retry
}

// succeed leaves s with a good result.
func (f *frame) succeed(st *asl.State, s *step, r result) *workflow.Error {
	more := map[string]any{}
	var result value
	switch st.Type {
	case "Task":
		if r.raw == nil && st.Token {
			return workflow.Errorf(workflow.ErrorNull, "the answer holds nothing")
		}
		result = value{raw: r.raw}
		more["result"] = result.data()
		if !st.Token {
			envelope := map[string]any{"StatusCode": float64(200)}
			if p := result.data(); p != nil {
				envelope["Payload"] = p
			}
			result = value{decoded: envelope}
			more["result"] = envelope
		}
	case "Map", "Parallel":
		result = value{decoded: r.data}
		more["result"] = r.data
	case "Choice":
		return f.choose(st, s)
	case "Fail":
		name, err := f.textOf(st.Error, s)
		if err != nil {
			return err
		}
		cause, err := f.textOf(st.Cause, s)
		if err != nil {
			return err
		}
		return &workflow.Error{Name: name, Cause: cause}
	default:
		result = s.input
	}
	return f.out(s, f.bindings(s, more), result, st.HasOutput, st.Output, st.Assign, st.Next)
}

func (f *frame) textOf(t asl.Template, s *step) (string, *workflow.Error) {
	v, err := f.x.e.ev.template(t, f.bindings(s, nil))
	if err != nil {
		return "", err
	}
	text, ok := v.(string)
	if !ok {
		return "", workflow.Errorf(queryError, "Error and Cause must be text")
	}
	return text, nil
}

func (f *frame) choose(st *asl.State, s *step) *workflow.Error {
	b := f.bindings(s, nil)
	for i, rule := range st.Rules {
		v, err := f.x.e.ev.template(rule.Condition, b)
		if err != nil {
			return err
		}
		yes, ok := v.(bool)
		if !ok {
			return workflow.Errorf(queryError, "the condition of rule %d gives no boolean", i)
		}
		if yes {
			return f.out(s, b, s.input, rule.HasOutput, rule.Output, rule.Assign, rule.Next)
		}
	}
	return f.out(s, b, s.input, false, nil, nil, st.Default)
}

// out evaluates Output and Assign on one set of bindings and leaves s.
func (f *frame) out(s *step, b map[string]any, result value, has bool, output asl.Template, assign map[string]asl.Template, next string) *workflow.Error {
	if has {
		v, err := f.x.e.ev.template(output, b)
		if err != nil {
			return err
		}
		result = value{decoded: v}
	}
	if size := len(result.json()); size > workflow.MaxValue {
		return workflow.Errorf(largeError, "the output of state %s has %d bytes; at most %d may pass", s.state, size, workflow.MaxValue)
	}
	vars := s.vars
	if len(assign) > 0 {
		before, _ := s.vars.data().(map[string]any)
		after := make(map[string]any, len(before)+len(assign))
		for k, v := range before {
			after[k] = v
		}
		total := 0
		for k, t := range assign {
			v, err := f.x.e.ev.template(t, b)
			if err != nil {
				return err
			}
			after[k] = v
			total += len(encode(v))
		}
		if total > workflow.MaxValue {
			return workflow.Errorf(largeError, "the variables that state %s assigns have %d bytes; at most %d may pass", s.state, total, workflow.MaxValue)
		}
		vars = value{decoded: after}
		vars.json()
	}
	s.status, s.output, s.passed, s.next, s.varsAfter = left, result.json(), result.decoded, next, vars
	return nil
}

// payload evaluates what a task is called with.
func (f *frame) payload(st *asl.State, s *step) (json.RawMessage, *workflow.Error) {
	v, err := f.x.e.ev.template(st.Payload, f.bindings(s, nil))
	if err != nil {
		return nil, err
	}
	raw := encode(v)
	if err := workflow.CheckValue(raw); errors.Is(err, workflow.ErrTooLarge) {
		return nil, workflow.Errorf(largeError, "the payload of state %s has %d bytes; at most %d may pass", s.state, len(raw), workflow.MaxValue)
	} else if err != nil {
		return nil, workflow.Errorf(queryError, "%v", err)
	}
	return raw, nil
}

func (e *Engine) newToken() string {
	e.random.Lock()
	defer e.random.Unlock()
	raw := make([]byte, 32)
	if _, err := io.ReadFull(e.opt.Rand, raw); err != nil {
		panic(fmt.Errorf("workflow: no random bytes for a task token: %w", err))
	}
	return tokenText.EncodeToString(raw)
}
