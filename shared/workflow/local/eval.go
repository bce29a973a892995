package local

import (
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/workflow"
	"github.com/mindgate-dev/mindgate/shared/workflow/asl"
	"github.com/mindgate-dev/mindgate/shared/workflow/local/jsonata"
)

// evaluator runs the expressions of templates. Compiled ones are kept by text:
// there are as many as the machines have, since user text is never compiled.
type evaluator struct {
	mu    sync.RWMutex
	known map[string]*jsonata.Expr
	limit time.Duration // of one expression
}

func newEvaluator(limit time.Duration) *evaluator {
	return &evaluator{known: map[string]*jsonata.Expr{}, limit: limit}
}

func (ev *evaluator) compile(src string) (*jsonata.Expr, error) {
	ev.mu.RLock()
	e := ev.known[src]
	ev.mu.RUnlock()
	if e != nil {
		return e, nil
	}
	e, err := jsonata.Compile(src)
	if err != nil {
		return nil, err
	}
	ev.mu.Lock()
	defer ev.mu.Unlock()
	ev.known[src] = e
	return e, nil
}

// expression evaluates src with the bindings, names without their dollar.
func (ev *evaluator) expression(src string, bindings map[string]any) (any, error) {
	e, err := ev.compile(src)
	if err != nil {
		return nil, err
	}
	return e.Eval(bindings, ev.limit)
}

// template evaluates every expression in t. Any that fails, or has no result,
// fails the whole with States.QueryEvaluationError.
func (ev *evaluator) template(t asl.Template, bindings map[string]any) (any, *workflow.Error) {
	switch t := t.(type) {
	case string:
		src, ok := asl.Expression(t)
		if !ok {
			return t, nil
		}
		v, err := ev.expression(src, bindings)
		if err != nil {
			return nil, workflow.Errorf(queryError, "the expression {%%%s%%} %v", src, err)
		}
		return v, nil
	case map[string]any:
		out := make(map[string]any, len(t))
		for k, e := range t {
			v, err := ev.template(e, bindings)
			if err != nil {
				return nil, err
			}
			out[k] = v
		}
		return out, nil
	case []any:
		out := make([]any, len(t))
		for i, e := range t {
			v, err := ev.template(e, bindings)
			if err != nil {
				return nil, err
			}
			out[i] = v
		}
		return out, nil
	}
	return t, nil
}

// Names of errors that the engine itself gives.
const (
	queryError   = "States.QueryEvaluationError"
	runtimeError = "States.Runtime"
	timeoutError = "States.Timeout"
	largeError   = workflow.ErrorLarge
	anyError     = "States.ALL"
	taskFailed   = "States.TaskFailed"
)
