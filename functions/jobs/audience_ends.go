package jobs

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// audienceEndTasks are the tasks of audience-duplicate, AudienceCopy in a loop and
// AudienceCopyFail when it gave up, and of audience-delete: AudienceClear in a loop.
func audienceEndTasks(r *research.Research) workflow.Tasks {
	return workflow.Tasks{
		"AudienceCopy": acting(r, func(ctx context.Context, in audience.DuplicateJob) (whole, error) {
			done, err := r.Audiences.CopyMembers(ctx, in)
			return whole{done}, err
		}),
		"AudienceCopyFail": acting(r, func(ctx context.Context, in copyFailure) (done, error) {
			return done{"failed"}, r.Audiences.FailDuplicate(ctx, in.Job, outOfTime(in.Error))
		}),
		"AudienceClear": acting(r, func(ctx context.Context, in audience.DeleteJob) (audience.Cleared, error) {
			return r.Audiences.Clear(ctx, in)
		}),
	}
}

type copyFailure struct {
	Job   audience.DuplicateJob `json:"job"`
	Error string                `json:"error"` // name of the task error
}
