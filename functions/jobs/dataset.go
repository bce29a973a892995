package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/dataset"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// datasetTasks are the tasks of audience-dataset: DatasetReview reads a file and
// settles its review, DatasetFail does when that gave up.
func datasetTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"DatasetReview": acting(r, func(ctx context.Context, in dataset.JobInput) (settled, error) {
			status, err := r.Datasets.Review(ctx, in)
			return settled{Status: status}, err
		}),
		"DatasetFail": acting(r, func(ctx context.Context, in datasetFailure) (settled, error) {
			status, err := r.Datasets.Fail(ctx, in.Job)
			return settled{Status: status}, err
		}),
	}
}

type datasetFailure struct {
	Job   dataset.JobInput `json:"job"`
	Error string           `json:"error"` // name of the task error, for the log of the machine
}
