package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/training"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// trainingTasks are the tasks of the machines of Minds. Of a training:
// MindTrainingCollect, MindTrainingIngest once a source, MindReembed in a loop,
// MindTrainingPrompt, MindPortrait, and MindTrainingFail when one of them gave
// up. MindPortrait and MindReembed are also jobs of their own, with a Fail each;
// MindDelete cleans up in a loop.
func trainingTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"MindTrainingCollect": acting(r, func(ctx context.Context, in mindJob) (training.Collected, error) {
			return r.Training.Collect(ctx, in.Mind, in.Job)
		}),
		"MindTrainingIngest": acting(r, func(ctx context.Context, in sourceJob) (whole, error) {
			done, err := r.Training.Ingest(ctx, in.Job.Mind, in.Job.Job, in.Item, in.Index, in.Of)
			return whole{done}, err
		}),
		"MindTrainingPrompt": acting(r, func(ctx context.Context, in mindJob) (done, error) {
			return done{"settled"}, r.Training.Prompt(ctx, in.Mind, in.Job)
		}),
		"MindTrainingFail": acting(r, func(ctx context.Context, in mindFailure) (done, error) {
			code := mind.InternalFailure
			if outOfTime(in.Error) {
				code = mind.TimedOut
			}
			return done{"failed"}, r.Training.Fail(ctx, in.Job.Mind, in.Job.Job, code)
		}),
		"MindPortrait": acting(r, func(ctx context.Context, in mindJob) (done, error) {
			return done{"drawn"}, r.Training.Portrait(ctx, in.Mind, in.Job)
		}),
		"MindPortraitFail": acting(r, func(ctx context.Context, in mindFailure) (done, error) {
			return done{"failed"}, r.Training.PortraitFail(ctx, in.Job.Mind, in.Job.Job)
		}),
		"MindReembed": acting(r, func(ctx context.Context, in reembedJob) (training.Reembedded, error) {
			return r.Training.Reembed(ctx, in.Job.Mind, in.Job.Job, in.Cursor)
		}),
		"MindReembedFail": acting(r, func(ctx context.Context, in mindFailure) (done, error) {
			return done{"failed"}, r.Training.ReembedFail(ctx, in.Job.Mind, in.Job.Job)
		}),
		"MindDelete": acting(r, func(ctx context.Context, in mind.DeleteJob) (whole, error) {
			done, err := r.Training.Clean(ctx, in.Job, in.Minds)
			return whole{done}, err
		}),
	}
}

// mindJob is the input of a job of one Mind.
type mindJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Mind      string `json:"mind"`
}

// sourceJob is one source of a training: item, and which of how many it is.
type sourceJob struct {
	Job   mindJob `json:"job"`
	Item  string  `json:"item"`
	Index int     `json:"index"` // from 0
	Of    int     `json:"of"`
}

type reembedJob struct {
	Job    mindJob `json:"job"`
	Cursor string  `json:"cursor"`
}

type mindFailure struct {
	Job   mindJob `json:"job"`
	Error string  `json:"error"` // name of the task error
}

// done says how a step ended; the record tells the rest.
type done struct {
	Status string `json:"status"`
}

// whole says whether a step that works in slices has nothing left to do.
type whole struct {
	Done bool `json:"done"`
}
