package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// StudyHeatmap reads where attention goes on a picture of a question, or starts to find
// out (M-230, M-231, M-232). Reading changes nothing.
var StudyHeatmap = tool.New("study_heatmap",
	func(ctx context.Context, in StudyHeatmapInput) (StudyHeatmapResult, error) {
		r := research.From(ctx)
		s, err := r.Studies.Resolve(ctx, in.StudyID, in.StudyName)
		if err != nil {
			return StudyHeatmapResult{}, err
		}
		out := StudyHeatmapResult{StudyID: s.ID, MessageID: in.MessageID, WorkspaceURL: s.WorkspaceURL}
		switch in.Action {
		case "", "get":
			out.View, err = r.Heatmaps.Get(ctx, s.ID, in.MessageID, in.AssetKey)
		case "start":
			out.View, err = r.Heatmaps.Start(ctx, s.ID, in.MessageID, in.AssetKey)
		default: // the schema knows the same ones
			err = fault.New(fault.Validation, "action is %q, which is none of study_heatmap: get reads, start analyses.", in.Action).With("field", "action")
		}
		return out, err
	})

// StudyHeatmapInput names the Study, the id wins, and a question of it.
type StudyHeatmapInput struct {
	StudyID   string `json:"studyId"`
	StudyName string `json:"studyName"`
	MessageID string `json:"messageId"`
	Action    string `json:"action"`   // get (default) | start
	AssetKey  string `json:"assetKey"` // one of the question's pictures; needed to start where it shows several
}

// StudyHeatmapResult is the state of the heatmaps of a question.
type StudyHeatmapResult struct {
	StudyID   string `json:"studyId"`
	MessageID string `json:"messageId"`
	heatmap.View
	WorkspaceURL string `json:"workspaceUrl"`
}
