package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// exportTasks are the tasks of the export machine: ExportRender makes the file,
// ExportFail settles the job when that gave up.
func exportTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"ExportRender": acting(r, func(ctx context.Context, in export.JobInput) (settled, error) {
			status, err := r.Exports.Render(ctx, in)
			return settled{Status: status}, err
		}),
		"ExportFail": acting(r, func(ctx context.Context, in exportFailure) (settled, error) {
			status, err := r.Exports.Fail(ctx, in.Job)
			return settled{Status: status}, err
		}),
	}
}

type exportFailure struct {
	Job   export.JobInput `json:"job"`
	Error string          `json:"error"` // name of the task error, for the log of the machine
}
