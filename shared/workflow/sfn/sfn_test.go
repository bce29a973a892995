package sfn

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/sfn"
	"github.com/aws/aws-sdk-go-v2/service/sfn/types"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// stub answers every call with err and remembers the last input.
type stub struct {
	err      error
	describe *sfn.DescribeExecutionOutput
	last     any
}

func (s *stub) StartExecution(_ context.Context, in *sfn.StartExecutionInput, _ ...func(*sfn.Options)) (*sfn.StartExecutionOutput, error) {
	s.last = in
	return &sfn.StartExecutionOutput{}, s.err
}
func (s *stub) StopExecution(_ context.Context, in *sfn.StopExecutionInput, _ ...func(*sfn.Options)) (*sfn.StopExecutionOutput, error) {
	s.last = in
	return &sfn.StopExecutionOutput{}, s.err
}
func (s *stub) DescribeExecution(_ context.Context, in *sfn.DescribeExecutionInput, _ ...func(*sfn.Options)) (*sfn.DescribeExecutionOutput, error) {
	s.last = in
	return s.describe, s.err
}
func (s *stub) SendTaskSuccess(_ context.Context, in *sfn.SendTaskSuccessInput, _ ...func(*sfn.Options)) (*sfn.SendTaskSuccessOutput, error) {
	s.last = in
	return &sfn.SendTaskSuccessOutput{}, s.err
}
func (s *stub) SendTaskFailure(_ context.Context, in *sfn.SendTaskFailureInput, _ ...func(*sfn.Options)) (*sfn.SendTaskFailureOutput, error) {
	s.last = in
	return &sfn.SendTaskFailureOutput{}, s.err
}

const machineARN = "arn:aws:states:eu-central-1:000000000000:stateMachine:mg-question"

func TestErrorsAreThePorts(t *testing.T) {
	ctx := context.Background()
	start := func(e *Engine) error { return e.Start(ctx, "question", "x", nil) }
	describe := func(e *Engine) error { _, err := e.Describe(ctx, "question", "x"); return err }
	succeed := func(e *Engine) error { return e.Succeed(ctx, "t", json.RawMessage(`1`)) }
	fail := func(e *Engine) error { return e.Fail(ctx, "t", "E", "c") }
	other := errors.New("other")
	for _, c := range []struct {
		name string
		call func(*Engine) error
		err  error
		want error
	}{
		{"started", start, nil, nil},
		{"started before", start, &types.ExecutionAlreadyExists{}, nil},
		{"no machine there", start, &types.StateMachineDoesNotExist{}, workflow.ErrUnknownMachine},
		{"no machine here", func(e *Engine) error { return e.Start(ctx, "nope", "x", nil) }, nil, workflow.ErrUnknownMachine},
		{"null input", func(e *Engine) error { return e.Start(ctx, "question", "x", json.RawMessage(`{"a":null}`)) }, nil, workflow.ErrNull},
		{"not found", describe, &types.ExecutionDoesNotExist{}, workflow.ErrNotFound},
		{"stop of none", func(e *Engine) error { return e.Stop(ctx, "question", "x", "") }, &types.ExecutionDoesNotExist{}, workflow.ErrNotFound},
		{"timed out", succeed, &types.TaskTimedOut{}, workflow.ErrTokenClosed},
		{"answered", fail, &types.TaskDoesNotExist{}, workflow.ErrTokenClosed},
		{"no token", fail, &types.InvalidToken{}, workflow.ErrTokenClosed},
		{"other", succeed, other, other},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := New(&stub{err: c.err}, map[string]string{"question": machineARN})
			if err := c.call(e); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

func TestDescribeDerivesTheARN(t *testing.T) {
	out := `{"a":1}`
	s := &stub{describe: &sfn.DescribeExecutionOutput{Status: types.ExecutionStatusSucceeded, Output: &out}}
	x, err := New(s, map[string]string{"question": machineARN}).Describe(context.Background(), "question", "x1")
	if err != nil || x.Status != workflow.Succeeded || string(x.Output) != out {
		t.Errorf("%+v, %v", x, err)
	}
	if got := *s.last.(*sfn.DescribeExecutionInput).ExecutionArn; got != "arn:aws:states:eu-central-1:000000000000:execution:mg-question:x1" {
		t.Errorf("ARN %s", got)
	}
}

func TestStopLeavesEndedOnes(t *testing.T) {
	s := &stub{describe: &sfn.DescribeExecutionOutput{Status: types.ExecutionStatusFailed}}
	if err := New(s, map[string]string{"question": machineARN}).Stop(context.Background(), "question", "x", "late"); err != nil {
		t.Fatal(err)
	}
	if _, stopped := s.last.(*sfn.StopExecutionInput); stopped {
		t.Error("an ended execution was stopped")
	}
}
