package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/summary"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetStudySummary reads the stored summary of a Study and, with refresh, writes it
// anew. Reading changes nothing.
var GetStudySummary = tool.New("get_study_summary",
	func(ctx context.Context, in GetStudySummaryInput) (summary.Summary, error) {
		r := research.From(ctx)
		s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return summary.Summary{}, err
		}
		if !in.Refresh {
			return r.Summaries.Get(ctx, s.ID)
		}
		return r.Summaries.Refresh(ctx, summary.Request{StudyID: s.ID, Length: in.Length, Force: in.Force})
	})

// GetStudySummaryInput names the Study, the id wins, and says whether to write.
type GetStudySummaryInput struct {
	StudyID   string `json:"studyId"`
	StudyName string `json:"studyName"`
	Refresh   bool   `json:"refresh"`
	Force     bool   `json:"force"`  // with refresh: though nothing new is covered
	Length    string `json:"length"` // of a new summary; default standard
}
