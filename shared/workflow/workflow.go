// Package workflow is the port to long jobs: state machines written in ASL
// with JSONata under statemachines/, run by Step Functions on AWS and by our
// own journalled interpreter in the local process. State holds ids only.
package workflow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Engine starts and steers executions. An execution's name is the id of its
// job, at most 80 characters.
type Engine interface {
	// Start begins an execution. The same name again is no error and starts
	// nothing: the record tells the rest.
	Start(ctx context.Context, machine, name string, input json.RawMessage) error
	// Stop ends a running execution as aborted; ended ones stay as they are.
	Stop(ctx context.Context, machine, name, cause string) error
	// Describe reads one execution; ErrNotFound if there is none.
	Describe(ctx context.Context, machine, name string) (Execution, error)
	// Succeed answers a task token; ErrTokenClosed if it was answered or timed out.
	Succeed(ctx context.Context, token string, output json.RawMessage) error
	// Fail answers a task token with an error.
	Fail(ctx context.Context, token, name, cause string) error
}

// Execution is the state of one job's machine.
type Execution struct {
	Machine, Name string
	Status        Status
	Input, Output json.RawMessage
	Error, Cause  string
	StartedAt     time.Time
	StoppedAt     time.Time // zero while running
}

// Status of an execution, in Step Functions' words.
type Status string

// The states of an execution.
const (
	Running   Status = "RUNNING"
	Succeeded Status = "SUCCEEDED"
	Failed    Status = "FAILED"
	TimedOut  Status = "TIMED_OUT"
	Aborted   Status = "ABORTED"
)

// Errors of the port.
var (
	ErrNotFound       = errors.New("workflow: no such execution")
	ErrUnknownMachine = errors.New("workflow: no such state machine")
	ErrTokenClosed    = errors.New("workflow: task token was answered or has timed out")
	ErrTooLarge       = errors.New("workflow: value above 256 KiB")
)

// Task is the code behind one Task state. It must be idempotent: running it
// twice with the same payload changes nothing more.
type Task func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error)

// Tasks maps the task names used in ASL ("${TaskName}") to their code.
type Tasks map[string]Task

// Error is a task error with the name that Retry and Catch look at. Both hosts
// see the same name.
type Error struct {
	Name  string // e.g. "Transient", "PlanLimited"
	Cause string // for the log, no content
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Name, e.Cause) }

// Errorf makes a named task error.
func Errorf(name, format string, args ...any) *Error {
	return &Error{Name: name, Cause: fmt.Sprintf(format, args...)}
}

// Typed wraps a function over typed payloads as a Task.
func Typed[In, Out any](fn func(context.Context, In) (Out, error)) Task {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		var in In
		if err := json.Unmarshal(payload, &in); err != nil {
			return nil, Errorf("BadPayload", "%v", err)
		}
		out, err := fn(ctx, in)
		if err != nil {
			return nil, err
		}
		return json.Marshal(out)
	}
}
