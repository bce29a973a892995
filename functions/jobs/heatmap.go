package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// heatmapTasks are the tasks of the machine heatmap: HeatmapLook in a loop, some
// pieces a time, and HeatmapFail when it gave up.
func heatmapTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"HeatmapLook": acting(r, func(ctx context.Context, in heatmap.JobInput) (whole, error) {
			done, err := r.Heatmaps.Work(ctx, in)
			return whole{done}, err
		}),
		"HeatmapFail": acting(r, func(ctx context.Context, in heatmapFailure) (done, error) {
			status, err := r.Heatmaps.Fail(ctx, in.Job, outOfTime(in.Error))
			return done{status}, err
		}),
	}
}

type heatmapFailure struct {
	Job   heatmap.JobInput `json:"job"`
	Error string           `json:"error"` // name of the task error
}
