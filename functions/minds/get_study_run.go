package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetStudyRun reads the progress and the results of a planned run; without a run id
// it is the newest of the Study.
var GetStudyRun = tool.New("get_study_run",
	func(ctx context.Context, in GetStudyRunInput) (run.StudyRun, error) {
		r := research.From(ctx)
		id, within := in.RunID, ""
		if in.StudyID != "" || in.StudyName != "" {
			s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
			if err != nil {
				return run.StudyRun{}, err
			}
			within = s.ID
		}
		if id == "" {
			var err error
			if id, err = r.Runs.Newest(ctx, within); err != nil {
				return run.StudyRun{}, err
			}
		}
		found, err := r.Runs.Get(ctx, id)
		if err != nil {
			return run.StudyRun{}, err
		}
		if within != "" && found.StudyID != within {
			return run.StudyRun{}, fault.New(fault.NotFound, "No run with this id in this Study. Leave out studyId and studyName: runId alone names a run.")
		}
		return found, nil
	})

// GetStudyRunInput names a run, or the Study whose newest it is.
type GetStudyRunInput struct {
	RunID     string `json:"runId"`
	StudyID   string `json:"studyId"`
	StudyName string `json:"studyName"`
}
