package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// audienceTasks are the tasks of audience-creation: AudienceRead in a loop,
// AudienceCompose, which ends a preview, AudienceWrite in a loop and
// AudienceFinish; AudienceCreationFail when one of them gave up.
func audienceTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"AudienceRead": acting(r, func(ctx context.Context, in audience.CreationJob) (whole, error) {
			done, err := r.Audiences.ReadMaterial(ctx, in)
			return whole{done}, err
		}),
		"AudienceCompose": acting(r, func(ctx context.Context, in audience.CreationJob) (composed, error) {
			kind, err := r.Audiences.Compose(ctx, in)
			return composed{kind}, err
		}),
		"AudienceWrite": acting(r, func(ctx context.Context, in audience.CreationJob) (whole, error) {
			done, err := r.Audiences.WriteMembers(ctx, in)
			return whole{done}, err
		}),
		"AudienceFinish": acting(r, func(ctx context.Context, in audience.CreationJob) (done, error) {
			return done{"ready"}, r.Audiences.Finish(ctx, in)
		}),
		"AudienceCreationFail": acting(r, func(ctx context.Context, in creationFailure) (done, error) {
			return done{"failed"}, r.Audiences.FailCreation(ctx, in.Job, outOfTime(in.Error))
		}),
	}
}

// composed says what is left to do: "creation" that members are to be written.
type composed struct {
	Kind string `json:"kind"`
}

type creationFailure struct {
	Job   audience.CreationJob `json:"job"`
	Error string               `json:"error"` // name of the task error
}
