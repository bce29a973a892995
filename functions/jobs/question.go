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
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// questionTasks are the tasks of the question machine: QuestionPrepare,
// QuestionAnswer once a chunk of Minds, QuestionSettle, and QuestionFail when
// one of them gave up.
func questionTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"QuestionPrepare": workflow.Typed(func(ctx context.Context, in study.JobInput) (prepared, error) {
			chunks, err := r.Studies.Prepare(as(ctx, in.Workspace, in.Account), in)
			return prepared{Chunks: chunks}, named(err)
		}),
		"QuestionAnswer": workflow.Typed(func(ctx context.Context, in answerInput) (answered, error) {
			n, err := r.Studies.AnswerChunk(as(ctx, in.Job.Workspace, in.Job.Account), in.Job, in.Chunk)
			return answered{Answered: n}, named(err)
		}),
		"QuestionSettle": workflow.Typed(func(ctx context.Context, in study.JobInput) (settled, error) {
			status, err := r.Studies.Settle(as(ctx, in.Workspace, in.Account), in)
			return settled{Status: status}, named(err)
		}),
		"QuestionFail": workflow.Typed(func(ctx context.Context, in questionFailure) (settled, error) {
			status, err := r.Studies.Fail(as(ctx, in.Job.Workspace, in.Job.Account), in.Job, in.Error)
			return settled{Status: status}, named(err)
		}),
	}
}

type prepared struct {
	Chunks []int `json:"chunks"`
}

type answerInput struct {
	Job   study.JobInput `json:"job"`
	Chunk int            `json:"chunk"`
}

type answered struct {
	Answered int `json:"answered"`
}

type settled struct {
	Status string `json:"status"`
}

type questionFailure struct {
	Job   study.JobInput `json:"job"`
	Error string         `json:"error"` // name of the task error
}

// as runs a task for the account that its job belongs to.
func as(ctx context.Context, workspace, owner string) context.Context {
	return account.With(ctx, account.Principal{Account: owner, Workspace: workspace, Scopes: []string{"*"}, Method: "internal"})
}

// named gives an error the name that Retry and Catch of the state machines look
// at: Transient is worth another try, the others are not.
func named(err error) error {
	var known *workflow.Error
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case errors.Is(err, study.ErrEngineChanged):
		return workflow.Errorf("EngineChanged", "%v", err)
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
