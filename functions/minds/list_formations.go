package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListFormations pages through the splits of an Audience that the caller may see.
// Its first page makes the defaults for collaborators and takes up builds that
// have stalled.
var ListFormations = tool.New("list_formations",
	func(ctx context.Context, in ListFormationsInput) (ListedFormations, error) {
		r := research.From(ctx)
		id := in.AudienceID
		if id == "" || in.AudienceName != "" {
			a, err := r.Audiences.Resolve(ctx, in.AudienceID, in.AudienceName)
			if err != nil {
				return ListedFormations{}, err
			}
			id = a.ID
		}
		p, err := r.Formations.List(ctx, id, in.Limit, in.Offset)
		if err != nil {
			return ListedFormations{}, err
		}
		page, err := formationPage(p)
		return ListedFormations{AudienceID: p.AudienceID, Formations: p.Rows, TotalCount: p.Total, Pagination: page}, err
	})

// ListFormationsInput names the Audience by its id or its name.
type ListFormationsInput struct {
	AudienceID   string `json:"audienceId"`
	AudienceName string `json:"audienceName"`
	Limit        int    `json:"limit"` // 1..100, default 100
	Offset       int    `json:"offset"`
}

// ListedFormations is one page.
type ListedFormations struct {
	AudienceID string              `json:"audienceId"`
	Formations []formation.Summary `json:"formations"`
	TotalCount int                 `json:"totalCount"`
	Pagination FormationPage       `json:"pagination"`
}

// FormationPage says which part of the list an answer holds.
type FormationPage struct {
	Limit      int  `json:"limit"`
	Offset     int  `json:"offset"`
	HasMore    bool `json:"hasMore"`
	NextOffset *int `json:"nextOffset"` // null on the last page
	Total      int  `json:"total"`
}

// formationPage holds the continuation to the rows before it is told (M-320).
func formationPage(p formation.Page) (FormationPage, error) {
	next := p.Next()
	out := FormationPage{Limit: p.Limit, Offset: p.Offset, HasMore: next != nil, NextOffset: next, Total: p.Total}
	for _, f := range p.Rows {
		if f.ID == "" || f.Subgroups == nil {
			return FormationPage{}, fault.New(fault.MalformedResponse, "The list of Formations is not whole, so nothing is said of it. Load the first page again.")
		}
	}
	return out, nil
}
