package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetStudyAnalytics computes the statistics over the settled questions of a
// Study. Every figure has its base.
var GetStudyAnalytics = tool.New("get_study_analytics",
	func(ctx context.Context, in GetStudyAnalyticsInput) (study.Analytics, error) {
		studies := research.From(ctx).Studies
		s, err := studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return study.Analytics{}, err
		}
		return studies.Analytics(ctx, s.ID)
	})

// GetStudyAnalyticsInput names the Study; the id wins.
type GetStudyAnalyticsInput struct {
	StudyID   string `json:"studyId"`
	StudyName string `json:"studyName"`
}
