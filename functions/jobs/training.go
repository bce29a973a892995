package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// trainingTasks are the tasks of the training machine: MindTrainingCollect,
// MindTrainingPrompt, and MindTrainingFail when one of them gave up.
func trainingTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"MindTrainingCollect": acting(r, func(ctx context.Context, in trainingJob) (done, error) {
			return done{"running"}, r.Minds.Collect(ctx, in.Mind, in.Job)
		}),
		"MindTrainingPrompt": acting(r, func(ctx context.Context, in trainingJob) (done, error) {
			return done{"settled"}, r.Minds.Prompt(ctx, in.Mind, in.Job)
		}),
		"MindTrainingFail": acting(r, func(ctx context.Context, in trainingFailure) (done, error) {
			code := mind.InternalFailure
			if in.Error == "States.Timeout" {
				code = mind.TimedOut
			}
			j := in.Job
			return done{"failed"}, r.Minds.Fail(ctx, j.Mind, j.Job, code)
		}),
	}
}

// trainingJob is the input of a training.
type trainingJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Mind      string `json:"mind"`
}

type trainingFailure struct {
	Job   trainingJob `json:"job"`
	Error string      `json:"error"` // name of the task error
}

// done says how a step ended; the record tells the rest.
type done struct {
	Status string `json:"status"`
}
