// Package lambdatask puts a workflow task behind the Lambda runtime, so that
// Retry and Catch see the same error names as in the local process. It imports
// nothing of the engines.
package lambdatask

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-lambda-go/lambda/messages"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// Handler is a function for lambda.Start. A task's *workflow.Error keeps its
// name, any other error is named after its Go type, and a result that may not
// travel (null, above 256 KiB) fails here as it does locally.
func Handler(task workflow.Task) func(context.Context, json.RawMessage) (json.RawMessage, error) {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		out, failure := task.Run(ctx, payload)
		if failure != nil {
			return nil, messages.InvokeResponse_Error{Type: failure.Name, Message: failure.Cause}
		}
		return out, nil
	}
}
