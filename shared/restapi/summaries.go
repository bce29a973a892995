package restapi

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research/summary"
)

func getStudySemanticSummary(ctx context.Context, c *call) (reply, error) {
	s, err := c.Summaries.Get(ctx, c.id("studyId"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(s))
}

// refreshStudySemanticSummary writes the summary, or gives the one that covers all
// there is. It is done when it answers: nothing is queued.
func refreshStudySemanticSummary(ctx context.Context, c *call) (reply, error) {
	var in struct {
		Force  bool   `json:"force"`
		Length string `json:"length"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	s, err := c.Summaries.Refresh(ctx, summary.Request{StudyID: c.id("studyId"), Length: in.Length, Force: in.Force})
	if err != nil {
		return reply{}, err
	}
	return ok(data(s))
}
