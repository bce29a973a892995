package lambdatask

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambda/messages"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

func TestErrorsKeepTheirNames(t *testing.T) {
	for _, c := range []struct {
		name string
		task workflow.Task
		want string
	}{
		{"ours", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, workflow.Errorf("Transient", "again")
		}, "Transient"},
		{"ours, wrapped", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return nil, fmt.Errorf("while asking: %w", workflow.Errorf("Transient", "again"))
		}, "Transient"},
		{"another", func(context.Context, json.RawMessage) (json.RawMessage, error) { return nil, errors.New("x") }, "errorString"},
		{"null", func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return json.RawMessage(`{"a":null}`), nil
		}, workflow.ErrorNull},
		{"payload of the wrong shape", workflow.Typed(func(context.Context, []int) (int, error) { return 1, nil }), "BadPayload"},
		{"panic", func(context.Context, json.RawMessage) (json.RawMessage, error) { panic("x") }, "string"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Handler(c.task)(context.Background(), json.RawMessage(`{}`))
			var named messages.InvokeResponse_Error
			if !errors.As(err, &named) || named.Type != c.want {
				t.Errorf("%v, want the type %s", err, c.want)
			}
		})
	}
}

func TestHandlerSuitsTheRuntime(t *testing.T) {
	h := lambda.NewHandler(Handler(func(_ context.Context, p json.RawMessage) (json.RawMessage, error) { return p, nil }))
	out, err := h.Invoke(context.Background(), []byte(`{"a":[1,"<b>"]}`))
	if err != nil || string(out) == "" || !json.Valid(out) {
		t.Errorf("%s, %v", out, err)
	}
	var v any
	if json.Unmarshal(out, &v); v == nil {
		t.Errorf("%s", out)
	}
}
