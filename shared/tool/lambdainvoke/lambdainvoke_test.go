package lambdainvoke

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

type fake func(*lambda.InvokeInput) (*lambda.InvokeOutput, error)

func (f fake) Invoke(_ context.Context, in *lambda.InvokeInput, _ ...func(*lambda.Options)) (*lambda.InvokeOutput, error) {
	return f(in)
}

func TestInvoke(t *testing.T) {
	answer := func(payload string) fake {
		return func(*lambda.InvokeInput) (*lambda.InvokeOutput, error) {
			return &lambda.InvokeOutput{Payload: []byte(payload)}, nil
		}
	}
	for _, c := range []struct {
		what   string
		client fake
		args   string
		want   error
	}{
		{"an answer", answer(`{"structured":{"a":1}}`), `{}`, nil},
		{"a refusal", answer(`{"error":{"code":"NOT_FOUND","status":404,"message":"no","retryable":false}}`), `{}`, nil},
		{"no answer", answer(`{}`), `{}`, tool.ErrBroken},
		{"a crash", func(*lambda.InvokeInput) (*lambda.InvokeOutput, error) {
			return &lambda.InvokeOutput{FunctionError: aws.String("Unhandled"), Payload: []byte(`{"errorMessage":"secret"}`)}, nil
		}, `{}`, tool.ErrBroken},
		{"throttled", func(*lambda.InvokeInput) (*lambda.InvokeOutput, error) {
			return nil, &types.TooManyRequestsException{}
		}, `{}`, tool.ErrUnavailable},
		{"too large for the service", func(*lambda.InvokeInput) (*lambda.InvokeOutput, error) {
			return nil, &types.RequestTooLargeException{}
		}, `{}`, tool.ErrTooLarge},
		{"too large for one payload", answer(`{}`), `{"x":"` + strings.Repeat("x", maxPayload) + `"}`, tool.ErrTooLarge},
	} {
		t.Run(c.what, func(t *testing.T) {
			a, err := New(Options{Client: c.client, Prefix: "gate-"}).Invoke(t.Context(), tool.Envelope{Tool: "list_minds", Args: json.RawMessage(c.args)}, nil)
			if !errors.Is(err, c.want) || c.want == nil && err != nil {
				t.Fatalf("%v", err)
			}
			if err != nil && strings.Contains(err.Error(), "secret") {
				t.Error(err)
			}
			if err == nil && a.Error == nil && a.Text != `{"a":1}` {
				t.Errorf("%+v", a)
			}
		})
	}
}

func TestFunctionNames(t *testing.T) {
	var called []string
	client := fake(func(in *lambda.InvokeInput) (*lambda.InvokeOutput, error) {
		called = append(called, *in.FunctionName)
		return &lambda.InvokeOutput{Payload: []byte(`{"structured":{}}`)}, nil
	})
	i := New(Options{Client: client, Prefix: "gate-", Names: map[string]string{"ask_study": "arn:ask"}})
	for _, n := range []string{"list_minds", "ask_study"} {
		if _, err := i.Invoke(t.Context(), tool.Envelope{Tool: n, Args: json.RawMessage(`{}`)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Join(called, " ") != "gate-list_minds arn:ask" {
		t.Error(called)
	}
}
