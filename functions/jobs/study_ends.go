package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// studyEndTasks are the tasks of study-delete: StudyClear in a loop.
func studyEndTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"StudyClear": acting(r, func(ctx context.Context, in study.DeleteJob) (study.Cleared, error) {
			return r.Studies.Clear(ctx, in)
		}),
	}
}
