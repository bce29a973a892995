package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// studyRunTasks are the tasks of the machine of planned runs: StudyRunPrepare, then
// item by item StudyRunNext and StudyRunAnswer once a span of Minds, then
// StudyRunConclude and StudyRunReview, and StudyRunFail when one of them gave up.
func studyRunTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"StudyRunPrepare": acting(r, func(ctx context.Context, in run.JobInput) (readied, error) {
			waiting, err := r.Runs.Prepare(ctx, in)
			return readied{Waiting: waiting}, err
		}),
		"StudyRunNext": acting(r, func(ctx context.Context, in nextInput) (run.Step, error) {
			return r.Runs.Next(ctx, in.Job, in.After)
		}),
		"StudyRunAnswer": acting(r, func(ctx context.Context, in spanInput) (ended, error) {
			return ended{Done: true}, r.Runs.AnswerSpan(ctx, in.Job, in.Span)
		}),
		"StudyRunConclude": acting(r, func(ctx context.Context, in run.JobInput) (settled, error) {
			status, err := r.Runs.Conclude(ctx, in)
			return settled{Status: status}, err
		}),
		"StudyRunReview": acting(r, func(ctx context.Context, in run.JobInput) (ended, error) {
			return ended{Done: true}, r.Runs.Review(ctx, in)
		}),
		"StudyRunFail": acting(r, func(ctx context.Context, in runFailure) (settled, error) {
			status, err := r.Runs.Fail(ctx, in.Job, in.Error)
			return settled{Status: status}, err
		}),
	}
}

type readied struct {
	Waiting bool `json:"waiting"`
}

type nextInput struct {
	Job   run.JobInput `json:"job"`
	After int          `json:"after"` // position of the item that all have answered
}

type spanInput struct {
	Job  run.JobInput `json:"job"`
	Span run.Span     `json:"span"`
}

type ended struct {
	Done bool `json:"done"`
}

type runFailure struct {
	Job   run.JobInput `json:"job"`
	Error string       `json:"error"` // name of the task error
}
