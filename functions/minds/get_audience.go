package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// GetAudience reads an Audience whole, by its id or its closest name.
var GetAudience = tool.New("get_audience",
	func(ctx context.Context, in GetAudienceInput) (AudienceDetail, error) {
		audiences := research.From(ctx).Audiences
		a, err := audiences.Resolve(ctx, in.AudienceID, in.AudienceName)
		if err != nil {
			return AudienceDetail{}, err
		}
		d, err := audiences.DetailOf(ctx, a)
		if err != nil {
			return AudienceDetail{}, err
		}
		return AudienceDetail{Audience: d, Formations: []Formation{}}, nil
	})

// GetAudienceInput names the Audience by id or by name; with both the id wins,
// and the name must fit it.
type GetAudienceInput struct {
	AudienceID   string `json:"audienceId"`
	AudienceName string `json:"audienceName"`
}

// AudienceDetail is an Audience with its visible Formations.
type AudienceDetail struct {
	Audience   audience.Detail `json:"audience"`
	Formations []Formation     `json:"formations"`
}

// Formation is a way to split the members. Formations cannot be made yet, so
// the list is empty.
type Formation struct {
	ID              string     `json:"id"`
	Name            string     `json:"name"`
	Status          string     `json:"status"` // building | ready | failed
	Source          string     `json:"source"` // auto | manual
	DimensionKey    *string    `json:"dimensionKey"`
	Visibility      string     `json:"visibility"` // shared | viewer_private
	CanMutate       bool       `json:"canMutate"`
	CreatedByUserID string     `json:"createdByUserId"`
	Subgroups       []Subgroup `json:"subgroups"`
	CreatedAt       string     `json:"createdAt"`
	UpdatedAt       string     `json:"updatedAt"`
}

// Subgroup is one bucket of a Formation.
type Subgroup struct {
	ID          string `json:"id"`
	Label       string `json:"label"`
	IsAuxiliary bool   `json:"isAuxiliary"`
	Position    int    `json:"position"`
	Count       struct {
		Memberships int `json:"memberships"`
	} `json:"_count"`
}
