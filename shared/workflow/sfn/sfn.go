// Package sfn runs state machines on AWS Step Functions (standard workflows).
package sfn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Client is what the adapter calls; *sfn.Client has it.
type Client interface {
	StartExecution(context.Context, *sfn.StartExecutionInput, ...func(*sfn.Options)) (*sfn.StartExecutionOutput, error)
	StopExecution(context.Context, *sfn.StopExecutionInput, ...func(*sfn.Options)) (*sfn.StopExecutionOutput, error)
	DescribeExecution(context.Context, *sfn.DescribeExecutionInput, ...func(*sfn.Options)) (*sfn.DescribeExecutionOutput, error)
	SendTaskSuccess(context.Context, *sfn.SendTaskSuccessInput, ...func(*sfn.Options)) (*sfn.SendTaskSuccessOutput, error)
	SendTaskFailure(context.Context, *sfn.SendTaskFailureInput, ...func(*sfn.Options)) (*sfn.SendTaskFailureOutput, error)
}

// Engine is Step Functions behind the port.
type Engine struct {
	client   Client
	machines map[string]string
}

var _ workflow.Engine = (*Engine)(nil)

// New makes the engine over the machines' ARNs by name.
func New(client Client, machines map[string]string) *Engine {
	return &Engine{client: client, machines: machines}
}

// Start begins an execution. Step Functions answers a name that was used with
// the running execution or with ExecutionAlreadyExists, by input and time:
// both mean started, and the record tells the rest.
func (e *Engine) Start(ctx context.Context, machine, name string, input json.RawMessage) error {
	arn, err := e.arn(machine)
	if err != nil {
		return err
	}
	if len(input) == 0 {
		input = json.RawMessage("{}")
	}
	if err := workflow.CheckValue(input); err != nil {
		return err
	}
	_, err = e.client.StartExecution(ctx, &sfn.StartExecutionInput{StateMachineArn: &arn, Name: &name, Input: text(input)})
	if is[*types.ExecutionAlreadyExists](err) {
		return nil
	}
	return e.wrap(err)
}

// Stop ends a running execution as aborted.
func (e *Engine) Stop(ctx context.Context, machine, name, cause string) error {
	x, err := e.Describe(ctx, machine, name)
	if err != nil {
		return err
	}
	if x.Status != workflow.Running {
		return nil // an ended one stays as it is
	}
	arn, err := e.execution(machine, name)
	if err != nil {
		return err
	}
	cause = cut(cause, maxCause)
	_, err = e.client.StopExecution(ctx, &sfn.StopExecutionInput{ExecutionArn: &arn, Cause: &cause})
	return e.wrap(err)
}

// Describe reads one execution.
func (e *Engine) Describe(ctx context.Context, machine, name string) (workflow.Execution, error) {
	arn, err := e.execution(machine, name)
	if err != nil {
		return workflow.Execution{}, err
	}
	out, err := e.client.DescribeExecution(ctx, &sfn.DescribeExecutionInput{ExecutionArn: &arn})
	if err != nil {
		return workflow.Execution{}, e.wrap(err)
	}
	x := workflow.Execution{Machine: machine, Name: name, Status: status(out.Status), Error: deref(out.Error), Cause: deref(out.Cause)}
	if out.Input != nil {
		x.Input = json.RawMessage(*out.Input)
	}
	if out.Output != nil && x.Status == workflow.Succeeded { // a double gives the error here as well
		x.Output = json.RawMessage(*out.Output)
	}
	if out.StartDate != nil {
		x.StartedAt = out.StartDate.UTC()
	}
	if out.StopDate != nil && x.Status != workflow.Running {
		x.StoppedAt = out.StopDate.UTC()
	}
	return x, nil
}

// status maps what Step Functions knows beyond the port (a redrive is pending)
// to running.
func status(s types.ExecutionStatus) workflow.Status {
	switch s {
	case types.ExecutionStatusSucceeded, types.ExecutionStatusFailed, types.ExecutionStatusTimedOut, types.ExecutionStatusAborted:
		return workflow.Status(s)
	}
	return workflow.Running
}

// Succeed answers a task token.
func (e *Engine) Succeed(ctx context.Context, token string, output json.RawMessage) error {
	if err := workflow.CheckValue(output); err != nil {
		return err
	}
	_, err := e.client.SendTaskSuccess(ctx, &sfn.SendTaskSuccessInput{TaskToken: &token, Output: text(output)})
	return e.wrap(err)
}

// Limits of Step Functions for an error's name and cause, in characters.
const (
	maxName  = 256
	maxCause = 32768
)

// Fail answers a task token with an error.
func (e *Engine) Fail(ctx context.Context, token, name, cause string) error {
	name, cause = cut(name, maxName), cut(cause, maxCause)
	_, err := e.client.SendTaskFailure(ctx, &sfn.SendTaskFailureInput{TaskToken: &token, Error: &name, Cause: &cause})
	return e.wrap(err)
}

func (e *Engine) arn(machine string) (string, error) {
	arn := e.machines[machine]
	if arn == "" {
		return "", fmt.Errorf("%w: %s", workflow.ErrUnknownMachine, machine)
	}
	return arn, nil
}

// execution derives an execution's ARN from its machine's.
func (e *Engine) execution(machine, name string) (string, error) {
	arn, err := e.arn(machine)
	if err != nil {
		return "", err
	}
	before, id, ok := strings.Cut(arn, ":stateMachine:")
	if !ok {
		return "", fmt.Errorf("workflow: %q is not the ARN of a state machine", arn)
	}
	return before + ":execution:" + id + ":" + name, nil
}

// wrap gives the port's errors for those that it names.
func (e *Engine) wrap(err error) error {
	switch {
	case err == nil:
		return nil
	case is[*types.StateMachineDoesNotExist](err):
		return fmt.Errorf("%w: %w", workflow.ErrUnknownMachine, err)
	case is[*types.ExecutionDoesNotExist](err):
		return fmt.Errorf("%w: %w", workflow.ErrNotFound, err)
	case is[*types.TaskTimedOut](err), is[*types.TaskDoesNotExist](err), is[*types.InvalidToken](err):
		return fmt.Errorf("%w: %w", workflow.ErrTokenClosed, err)
	}
	return err
}

func is[T error](err error) bool {
	var t T
	return errors.As(err, &t)
}

func text(raw json.RawMessage) *string { s := string(raw); return &s }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// cut keeps at most n characters.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
