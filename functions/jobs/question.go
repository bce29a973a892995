package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// questionTasks are the tasks of the question machine: QuestionPrepare,
// QuestionAnswer once a chunk of Minds, QuestionSettle, and QuestionFail when
// one of them gave up.
func questionTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"QuestionPrepare": acting(r, func(ctx context.Context, in study.JobInput) (prepared, error) {
			ok, err := r.Studies.Claim(ctx, in)
			if err != nil || !ok {
				return prepared{Chunks: []int{}, Waiting: !ok}, err
			}
			chunks, err := r.Studies.Prepare(ctx, in)
			return prepared{Chunks: chunks}, err
		}),
		"QuestionAnswer": acting(r, func(ctx context.Context, in answerInput) (answered, error) {
			n, err := r.Studies.AnswerChunk(ctx, in.Job, in.Chunk)
			return answered{Answered: n}, err
		}),
		"QuestionSettle": acting(r, func(ctx context.Context, in study.JobInput) (settled, error) {
			status, err := r.Studies.Settle(ctx, in)
			return settled{Status: status}, err
		}),
		"QuestionFail": acting(r, func(ctx context.Context, in questionFailure) (settled, error) {
			status, err := r.Studies.Fail(ctx, in.Job, in.Error)
			return settled{Status: status}, err
		}),
	}
}

// prepared is waiting while an Audience of the question is being changed.
type prepared struct {
	Chunks  []int `json:"chunks"`
	Waiting bool  `json:"waiting,omitempty"`
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
