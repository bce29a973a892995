package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetMindStatus tells how far a Mind's training has come. Polling it starts nothing.
var GetMindStatus = tool.New("get_mind_status",
	func(ctx context.Context, in GetMindStatusInput) (MindStatus, error) {
		minds := research.From(ctx).Minds
		m, err := minds.Get(ctx, in.MindID)
		if err != nil {
			return MindStatus{}, err
		}
		return MindStatus{MindID: m.ID, Name: m.Name, Training: minds.TrainingOf(m), MindURL: minds.URL(m.ID)}, nil
	})

// GetMindStatusInput names the Mind by its id.
type GetMindStatusInput struct {
	MindID string `json:"mindId"`
}

// MindStatus is the training state of one Mind.
type MindStatus struct {
	MindID   string        `json:"mindId"`
	Name     string        `json:"name"`
	Training mind.Training `json:"training"`
	MindURL  string        `json:"mindUrl"`
}
