// Package tool is the shape of one MCP tool and of a call to it. A tool is one
// value: its name (definition, schemas and hints come from the contract by that
// name), typed input and output, and one handler over the domain.
package tool

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Tool is one callable tool. New makes it.
type Tool struct {
	Name string
	// Invoke takes arguments that have passed the full schema, with aliases
	// mapped and defaults filled, and answers the structured content.
	Invoke func(ctx context.Context, args json.RawMessage) (any, error)
	// NewInput and NewOutput make zero values for the test that holds structs
	// and schemas together.
	NewInput, NewOutput func() any
}

// New makes a tool from a typed handler.
func New[In, Out any](name string, handle func(context.Context, In) (Out, error)) Tool {
	return Tool{
		Name: name,
		Invoke: func(ctx context.Context, args json.RawMessage) (any, error) {
			var in In
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, fault.New(fault.Validation, "The arguments of %s do not fit its schema.", name).Because(err)
			}
			return handle(ctx, in)
		},
		NewInput:  func() any { return new(In) },
		NewOutput: func() any { return new(Out) },
	}
}

// Envelope is one call, the same JSON in every host: in process, as the
// payload of lambda:Invoke, and over a bridge.
type Envelope struct {
	Tool        string            `json:"tool"` // canonical name
	Args        json.RawMessage   `json:"args"` // as the caller sent them, names folded, not yet checked
	Principal   account.Principal `json:"principal"`
	RequestID   string            `json:"requestId"`
	Traceparent string            `json:"traceparent,omitempty"`
	Protocol    string            `json:"protocol,omitempty"` // MCP revision, or "rest"
	Deadline    time.Time         `json:"deadline,omitzero"`
}

// Answer is what came of a call: either Structured with its Text, or Error.
type Answer struct {
	Structured json.RawMessage `json:"structured,omitempty"`
	Text       string          `json:"text,omitempty"`
	Error      *WireError      `json:"error,omitempty"`
}

// WireError is the refusal of a tool as clients see it (ToolError of the contract).
type WireError struct {
	Code      string         `json:"code"`
	Status    int            `json:"status"`
	Message   string         `json:"message"`
	Retryable bool           `json:"retryable"`
	Data      map[string]any `json:"data,omitempty"`
	// Beside is what stands in the structured content beside the error.
	Beside map[string]any `json:"beside,omitempty"`
}

// Beside is the key of a fault's data whose map of fields stands in the structured
// content beside the error, such as the operation that failed.
const Beside = "beside"

// Refused turns an error into its wire form.
func Refused(err error) *WireError {
	f := fault.From(err)
	w := &WireError{Code: string(f.Code), Status: f.Status(), Message: f.Message, Retryable: f.Retryable(), Data: f.Data}
	if beside, ok := f.Data[Beside].(map[string]any); ok {
		w.Beside, w.Data = beside, maps.Clone(f.Data)
		delete(w.Data, Beside)
		if len(w.Data) == 0 {
			w.Data = nil
		}
	}
	return w
}

// Progress is one step of a running call; only in-process hosts report it.
type Progress struct {
	Done, Total float64
	Message     string
}

// Invoker carries a call to where the tool runs. progress may be nil.
type Invoker interface {
	Invoke(ctx context.Context, e Envelope, progress func(Progress)) (Answer, error)
}
