package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetAudience reads an Audience whole, by its id or its closest name.
var GetAudience = tool.New("get_audience",
	func(ctx context.Context, in GetAudienceInput) (AudienceDetail, error) {
		r := research.From(ctx)
		audiences := r.Audiences
		a, err := audiences.Resolve(ctx, in.AudienceID, in.AudienceName)
		if err != nil {
			return AudienceDetail{}, err
		}
		d, err := audiences.DetailOf(ctx, a)
		if err != nil {
			return AudienceDetail{}, err
		}
		splits, err := r.Formations.Visible(ctx, a.ID)
		if err != nil {
			return AudienceDetail{}, err
		}
		return AudienceDetail{Audience: d, Formations: splits}, nil
	})

// GetAudienceInput names the Audience by id or by name; with both the id wins,
// and the name must fit it.
type GetAudienceInput struct {
	AudienceID   string `json:"audienceId"`
	AudienceName string `json:"audienceName"`
}

// AudienceDetail is an Audience with its visible Formations.
type AudienceDetail struct {
	Audience   audience.Detail     `json:"audience"`
	Formations []formation.Summary `json:"formations"`
}
