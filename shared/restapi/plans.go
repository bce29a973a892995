package restapi

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/planner"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
)

// planBody is the largest body of a plan: 200 questions of 100 long labels pass it,
// what a person writes does not.
const planBody = 8 << 20

// previewStudyResearchPlan makes, revises, edits or re-reads a plan draft. Answers
// and formats come keyed by question and are taken in the order of their ids, so
// that the same body is the same call.
func previewStudyResearchPlan(ctx context.Context, c *call) (reply, error) {
	var in struct {
		plandraft.Request
		Answers   map[string]string           `json:"answers"`
		Reformats map[string]planner.Response `json:"questionResponses"`
		Assets    []struct {
			planner.Attachment
			MimeType string `json:"mimeType"`
		} `json:"attachments"`
		Key string `json:"idempotencyKey"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	r := in.Request
	r.StudyID, r.IdempotencyKey = c.id("studyId"), in.Key
	if key := strings.TrimSpace(c.sent("Idempotency-Key")); key != "" { // the header wins
		r.IdempotencyKey = key
	}
	for _, id := range slices.Sorted(maps.Keys(in.Answers)) {
		r.Answers = append(r.Answers, planner.Answered{QuestionID: id, Answer: in.Answers[id]})
	}
	for _, id := range slices.Sorted(maps.Keys(in.Reformats)) {
		r.Reformats = append(r.Reformats, planner.Reformat{QuestionID: id, Response: in.Reformats[id]})
	}
	if in.Assets != nil {
		r.Attachments = make([]planner.Attachment, len(in.Assets))
		for i, a := range in.Assets {
			if a.Type == "" {
				a.Type = a.MimeType
			}
			r.Attachments[i] = a.Attachment
		}
	}
	d, err := c.Plans.Preview(ctx, r)
	if err != nil {
		return reply{}, err
	}
	return ok(data(d))
}
