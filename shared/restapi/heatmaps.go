package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/heatmap"
)

// getStudyHeatmap reads what is known of the pictures of a question.
func getStudyHeatmap(ctx context.Context, c *call) (reply, error) {
	v, err := c.Heatmaps.Get(ctx, c.id("studyId"), c.id("messageId"), c.text("assetKey"))
	if err != nil {
		return reply{}, err
	}
	return ok(data(v))
}

// startStudyHeatmap analyses a picture: 200 with one that is finished, 202 while it
// goes on.
func startStudyHeatmap(ctx context.Context, c *call) (reply, error) {
	var in struct {
		AssetKey string `json:"assetKey"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	v, err := c.Heatmaps.Start(ctx, c.id("studyId"), c.id("messageId"), in.AssetKey)
	if err != nil {
		return reply{}, err
	}
	if v.Status != heatmap.Completed {
		return reply{status: http.StatusAccepted, body: data(v)}, nil
	}
	return ok(data(v))
}
