package jobs

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// acting is a task that works for the account of its job, under the plan that
// the account has at that moment. An account that is gone has no plan, and its
// jobs are settled all the same.
func acting[In, Out any](r *research.Research, do func(context.Context, In) (Out, error)) workflow.Task {
	return func(ctx context.Context, payload json.RawMessage) (json.RawMessage, error) {
		var of struct {
			owner
			Job json.RawMessage `json:"job"` // the job's id, or the job when it failed or is a part
		}
		if err := json.Unmarshal(payload, &of); err != nil {
			return nil, workflow.Errorf("BadPayload", "%v", err)
		}
		if of.Workspace == "" {
			_ = json.Unmarshal(of.Job, &of.owner) // what names no account finds nothing of anybody's
		}
		p, err := r.Accounts.Internal(ctx, of.Workspace, of.Account)
		switch {
		case errors.Is(err, records.ErrNotFound):
			p = account.Principal{Account: of.Account, Workspace: of.Workspace, Scopes: []string{"*"}, Method: "internal"}
		case err != nil:
			return nil, named(err)
		}
		return workflow.Typed(func(ctx context.Context, in In) (Out, error) {
			out, err := do(ctx, in)
			return out, named(err)
		})(account.With(ctx, p), payload)
	}
}

type owner struct {
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
}

// named gives an error the name that Retry and Catch of the state machines look
// at: Transient is worth another try, the others are not.
func named(err error) error {
	var known *workflow.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, study.ErrEngineChanged), errors.Is(err, run.ErrEngineChanged):
		return workflow.Errorf("EngineChanged", "%v", err)
	case errors.Is(err, study.ErrAudienceInChange), errors.Is(err, run.ErrAudienceInChange):
		return workflow.Errorf("Transient", "%v", err)
	case errors.Is(err, records.ErrUnavailable), errors.Is(err, records.ErrConflict),
		errors.Is(err, blobs.ErrNoSpace), errors.Is(err, context.DeadlineExceeded):
		return workflow.Errorf("Transient", "%v", err)
	}
	var bad *json.SyntaxError
	if errors.As(err, &bad) {
		return workflow.Errorf("Corrupt", "%v", err)
	}
	if f := fault.From(err); f.Code != fault.Internal {
		if f.Retryable() {
			return workflow.Errorf("Transient", "%v", err)
		}
		return workflow.Errorf(string(f.Code), "%v", err)
	}
	return workflow.Errorf("Internal", "%v", err)
}

// outOfTime tells whether a task error says that the time of its state, or of
// the function behind it, ran out.
func outOfTime(name string) bool { return name == "States.Timeout" || name == "Sandbox.Timedout" }
