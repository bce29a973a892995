package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// recalibrationTasks are the tasks of audience-recalibration and of
// audience-research, which take the same steps: AudienceChange in a loop, and
// AudienceChangeFail when it gave up.
func recalibrationTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"AudienceChange": acting(r, func(ctx context.Context, in audience.RecalibrationJob) (stepped, error) {
			s, err := r.Audiences.Step(ctx, in)
			return stepped{s.Done, s.Wait}, err
		}),
		"AudienceChangeFail": acting(r, func(ctx context.Context, in changeFailure) (done, error) {
			return done{"failed"}, r.Audiences.FailRecalibration(ctx, in.Job, outOfTime(in.Error))
		}),
	}
}

// stepped says whether a change is done, and else whether there is something to
// wait for before the next step: runs of the Audience, or trainings of its members.
type stepped struct {
	Done bool `json:"done"`
	Wait bool `json:"wait"`
}

type changeFailure struct {
	Job   audience.RecalibrationJob `json:"job"`
	Error string                    `json:"error"` // name of the task error
}
