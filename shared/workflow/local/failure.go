package local

import (
	"encoding/json"
	"math"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
)

// retry journals another attempt if the first retrier that matches allows it.
func (f *frame) retry(st *asl.State, s *step, err *workflow.Error, c *change) bool {
	for i, r := range st.Retry {
		if !matches(r.Errors, err.Name) {
			continue
		}
		if i >= len(s.retries) || s.retries[i] >= r.MaxAttempts {
			return false
		}
		delay := r.Interval * math.Pow(r.Backoff, float64(s.retries[i]))
		s.retries = slices.Clone(s.retries)
		s.retries[i]++
		s.attempt++
		s.token, s.dispatches = "", 1
		s.due = max(millis(f.x.e.opt.Clock.Now().Add(seconds(min(delay, 99999999)))), 1)
		s.journalled = false
		c.again = true
		f.x.events.Add(3)
		return true
	}
	return false
}

// caught leaves s by the first catcher that matches, or failed.
func (f *frame) caught(st *asl.State, s *step, err *workflow.Error) {
	for _, k := range st.Catch {
		if !matches(k.Errors, err.Name) {
			continue
		}
		failure := map[string]any{"Error": err.Name, "Cause": cut(err.Cause)}
		b := f.bindings(s, map[string]any{"errorOutput": failure})
		if inner := f.out(s, b, value{decoded: failure}, k.HasOutput, k.Output, k.Assign, k.Next); inner != nil {
			err = inner
			break
		}
		s.err = err
		return
	}
	f.leaveFailed(s, err)
}

func (f *frame) leaveFailed(s *step, err *workflow.Error) {
	s.status, s.err, s.next, s.output = failed, err, "", nil
}

// matches tells whether a list of ErrorEquals meets an error.
func matches(names []string, name string) bool {
	if name == runtimeError {
		return false
	}
	for _, n := range names {
		switch {
		case n == name:
			return true
		case n == anyError && name != largeError:
			return true
		case n == taskFailed && name != timeoutError && name != largeError:
			return true
		}
	}
	return false
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// causeOf writes a task's error as the Lambda runtime does.
func causeOf(e *workflow.Error) *workflow.Error {
	raw, _ := json.Marshal(map[string]string{"errorMessage": e.Cause, "errorType": e.Name})
	return &workflow.Error{Name: e.Name, Cause: string(raw)}
}
