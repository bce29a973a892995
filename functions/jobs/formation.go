package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// formationTasks are the tasks of the machine formation: FormationBuild in a loop,
// a bounded piece a time, and FormationFail when it gave up.
func formationTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"FormationBuild": acting(r, func(ctx context.Context, in formation.Job) (whole, error) {
			done, err := r.Formations.Build(ctx, in)
			return whole{done}, err
		}),
		"FormationFail": acting(r, func(ctx context.Context, in formationFailure) (done, error) {
			return done{"failed"}, r.Formations.Fail(ctx, in.Job, outOfTime(in.Error))
		}),
	}
}

type formationFailure struct {
	Job   formation.Job `json:"job"`
	Error string        `json:"error"` // name of the task error
}
