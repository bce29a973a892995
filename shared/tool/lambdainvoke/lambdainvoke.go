// Package lambdainvoke carries a call to the function of its tool.
package lambdainvoke

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/lambda"
	"github.com/aws/aws-sdk-go-v2/service/lambda/types"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

// maxPayload is what one synchronous invocation takes, in bytes of JSON.
const maxPayload = 6 << 20

// Client is the part of the AWS client that is needed.
type Client interface {
	Invoke(context.Context, *lambda.InvokeInput, ...func(*lambda.Options)) (*lambda.InvokeOutput, error)
}

// Options name the functions: Names first, else Prefix + tool name.
type Options struct {
	Client Client
	Prefix string            // MINDGATE_FUNCTION_PREFIX, "stack-tool-"
	Names  map[string]string // tool name -> function name or ARN
}

// New makes the invoker. Progress is never reported: a function answers once.
func New(o Options) tool.Invoker { return &invoker{o} }

type invoker struct{ o Options }

// Invoke sends the envelope and reads the answer. Errors are those of the port:
// tool.ErrUnavailable, tool.ErrTooLarge, tool.ErrBroken.
func (i *invoker) Invoke(ctx context.Context, e tool.Envelope, _ func(tool.Progress)) (tool.Answer, error) {
	payload, err := json.Marshal(e)
	if err != nil {
		return tool.Answer{}, fmt.Errorf("lambdainvoke: %w", err)
	}
	if len(payload) > maxPayload {
		return tool.Answer{}, tool.ErrTooLarge
	}
	if !e.Deadline.IsZero() {
		var cancel context.CancelFunc
		ctx, cancel = context.WithDeadline(ctx, e.Deadline)
		defer cancel()
	}
	out, err := i.o.Client.Invoke(ctx, &lambda.InvokeInput{
		FunctionName:   aws.String(i.function(e.Tool)),
		InvocationType: types.InvocationTypeRequestResponse,
		Payload:        payload,
	})
	if err != nil {
		return tool.Answer{}, classify(ctx, err)
	}
	if out.FunctionError != nil {
		// The payload of a crashed function holds internals: it goes no further.
		return tool.Answer{}, fmt.Errorf("%w: %s", tool.ErrBroken, *out.FunctionError)
	}
	return tool.ReadAnswer(out.Payload)
}

func (i *invoker) function(name string) string {
	if f, ok := i.o.Names[name]; ok {
		return f
	}
	return i.o.Prefix + name
}

func classify(ctx context.Context, err error) error {
	var big *types.RequestTooLargeException
	var response interface{ HTTPStatusCode() int }
	switch {
	case errors.As(err, &big):
		return fmt.Errorf("%w: %w", tool.ErrTooLarge, err)
	case ctx.Err() != nil:
		return fmt.Errorf("%w: %w", tool.ErrUnavailable, ctx.Err())
	case errors.As(err, &response) && response.HTTPStatusCode() == http.StatusRequestEntityTooLarge:
		return fmt.Errorf("%w: %w", tool.ErrTooLarge, err)
	}
	return fmt.Errorf("%w: %w", tool.ErrUnavailable, err)
}
