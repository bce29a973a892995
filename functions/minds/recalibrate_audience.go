package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// RecalibrateAudience begins another grounding of an Audience and waits for it
// some seconds; what takes longer goes on, and get_audience shows when it is done.
var RecalibrateAudience = tool.New("recalibrate_audience",
	func(ctx context.Context, in RecalibrateAudienceInput) (RecalibratedAudience, error) {
		audiences := research.From(ctx).Audiences
		a, err := audiences.Resolve(ctx, in.AudienceID, in.AudienceName)
		if err != nil {
			return RecalibratedAudience{}, err
		}
		r, err := audiences.Recalibrate(ctx, in.request(a.ID), audience.RecalibrationPatience)
		if err != nil {
			return RecalibratedAudience{}, err
		}
		return recalibrated(r), nil
	})

// RecalibrateAudienceInput is checked by the contract's schema before it arrives:
// an Audience by id or name, and of what is to change only what goes together.
type RecalibrateAudienceInput struct {
	AudienceID    string        `json:"audienceId"`
	AudienceName  string        `json:"audienceName"`
	Instruction   string        `json:"instruction"`
	Query         string        `json:"query"`
	Deepen        *DeepenInput  `json:"deepen"`
	Distributions *[]ChosenAxis `json:"distributions"` // also empty: no axes
	AllowShared   bool          `json:"allowSharedMinds"`
}

// DeepenInput asks for better evidence.
type DeepenInput struct {
	Topics []string `json:"topics"` // at most 8 of 120 characters
}

// ChosenAxis is an axis as the caller wants it.
type ChosenAxis struct {
	Name         string        `json:"name"`
	Distribution []ChosenShare `json:"distribution"`
}

// ChosenShare is one segment in percent; without SourceIdx it is assumed.
type ChosenShare struct {
	Label     string  `json:"label"`
	Pct       float64 `json:"pct"`
	SourceIdx *int    `json:"sourceIdx"`
}

func (in RecalibrateAudienceInput) request(id string) audience.RecalibrateRequest {
	r := audience.RecalibrateRequest{AudienceID: id, Instruction: in.Instruction, Query: in.Query, AllowShared: in.AllowShared}
	if in.Deepen != nil {
		r.Deepen = &audience.Deepen{Topics: in.Deepen.Topics}
	}
	if in.Distributions != nil {
		r.Selection = true
		for _, a := range *in.Distributions {
			given := audience.GivenAxis{Name: a.Name}
			for _, s := range a.Distribution {
				given.Distribution = append(given.Distribution, audience.GivenShare{Label: s.Label, Pct: s.Pct, SourceIdx: s.SourceIdx})
			}
			r.Axes = append(r.Axes, given)
		}
	}
	return r
}

// RecalibratedAudience is where a recalibration stands. What it came to is there
// once status is completed.
type RecalibratedAudience struct {
	AudienceID   string               `json:"audienceId"`
	Status       string               `json:"status"` // calibrating | completed
	Mode         string               `json:"mode"`   // refresh | instruction | query | deepen | distributions
	Reach        string               `json:"reach,omitempty"`
	Grounding    *audience.Grounding  `json:"grounding"`
	Coverage     *audience.Coverage   `json:"coverage,omitempty"`
	Refreshed    *int                 `json:"refreshedMembers,omitempty"`
	Evolved      *int                 `json:"evolvedMembers,omitempty"`
	Retraining   *int                 `json:"retrainingMembers,omitempty"`
	Added        *int                 `json:"addedMembers,omitempty"`
	Calibration  audience.Calibration `json:"calibration"`
	WorkspaceURL string               `json:"workspaceUrl"`
}

func recalibrated(r audience.Recalibration) RecalibratedAudience {
	out := RecalibratedAudience{AudienceID: r.AudienceID, Status: r.Status, Mode: r.Mode, Reach: r.Reach,
		Grounding: r.Grounding, Coverage: r.Coverage, Calibration: r.Calibration, WorkspaceURL: r.URL}
	if r.Completed() {
		retraining := r.Retraining()
		out.Refreshed, out.Evolved, out.Retraining, out.Added = &r.Refreshed, &r.Evolved, &retraining, &r.Added
	}
	return out
}
