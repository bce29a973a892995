package restapi

import (
	"context"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// recalibrateBody is the body of recalibrateAudience. Distributions is given also
// when it is empty.
type recalibrateBody struct {
	Query         string                 `json:"query"`
	Instruction   string                 `json:"instruction"`
	RequestedAxis string                 `json:"requestedDistribution"`
	Sources       *audience.GivenSources `json:"sources"`
	Distributions *[]audience.GivenAxis  `json:"distributions"`
	AllowShared   bool                   `json:"allowSharedMinds"`
	Deepen        *audience.Deepen       `json:"deepen"`
}

// recalibratedAudience is what came of a recalibration.
type recalibratedAudience struct {
	Grounding   *audience.Grounding  `json:"grounding"`
	Reach       string               `json:"reach"`
	Refreshed   int                  `json:"refreshedMembers"`
	Evolved     int                  `json:"evolvedMembers"`
	Retraining  int                  `json:"retrainingMembers"`
	Added       int                  `json:"addedMembers"`
	Mode        string               `json:"mode"`
	Coverage    *audience.Coverage   `json:"coverage,omitempty"`
	Calibration audience.Calibration `json:"calibration"`
}

// recalibrateAudience answers 200 with what came of it within 25 seconds, else
// 202 while it goes on (M-146).
func recalibrateAudience(ctx context.Context, c *call) (reply, error) {
	var in recalibrateBody
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	r := audience.RecalibrateRequest{AudienceID: c.id("audienceId"), Query: in.Query, Instruction: in.Instruction,
		RequestedAxis: in.RequestedAxis, Sources: in.Sources, AllowShared: in.AllowShared, Deepen: in.Deepen}
	if in.Distributions != nil {
		r.Selection, r.Axes = true, *in.Distributions
	}
	got, err := c.Audiences.Recalibrate(ctx, r, audience.RecalibrationPatience)
	if err != nil {
		return reply{}, err
	}
	if !got.Completed() {
		return reply{status: http.StatusAccepted, body: data(map[string]any{"calibration": got.Calibration})}, nil
	}
	return ok(data(recalibratedAudience{Grounding: got.Grounding, Reach: got.Reach, Refreshed: got.Refreshed, Evolved: got.Evolved,
		Retraining: got.Retraining(), Added: got.Added, Mode: got.Mode, Coverage: got.Coverage, Calibration: got.Calibration}))
}
