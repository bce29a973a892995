package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListStudies pages through the caller's Studies, or gives the one whose name is
// closest to searchQuery.
var ListStudies = tool.New("list_studies",
	func(ctx context.Context, in ListStudiesInput) (ListStudiesResult, error) {
		studies := research.From(ctx).Studies
		out := ListStudiesResult{Limit: in.Limit, Offset: in.Offset, WorkspaceURL: studies.ListURL()}
		if in.SearchQuery != "" {
			rows, total, err := studies.Search(ctx, in.SearchQuery)
			if err != nil {
				return ListStudiesResult{}, err
			}
			out.Studies, out.TotalCount, out.ShownCount, out.Offset = studyRows(rows), total, len(rows), 0
			return out, nil
		}
		rows, total, err := studies.List(ctx, in.Limit, in.Offset)
		if err != nil {
			return ListStudiesResult{}, err
		}
		out.Studies, out.TotalCount, out.ShownCount = studyRows(rows), total, len(rows)
		if next := in.Offset + len(rows); len(rows) > 0 && next < total {
			out.NextOffset = &next
		}
		return out, nil
	})

// ListStudiesInput asks for a page, or for the closest name.
type ListStudiesInput struct {
	SearchQuery string `json:"searchQuery"`
	Limit       int    `json:"limit"`  // 1..100, default 20
	Offset      int    `json:"offset"` // default 0
}

// ListStudiesResult is a page, newest first; NextOffset is absent on the last.
type ListStudiesResult struct {
	Studies      []StudyRow `json:"studies"`
	TotalCount   int        `json:"totalCount"`
	ShownCount   int        `json:"shownCount"`
	Limit        int        `json:"limit"`
	Offset       int        `json:"offset"`
	NextOffset   *int       `json:"nextOffset,omitempty"`
	WorkspaceURL string     `json:"workspaceUrl"`
}

// StudyRow is a Study in a list.
type StudyRow struct {
	ID                   string             `json:"id"`
	Name                 string             `json:"name"`
	QuestionCount        int                `json:"questionCount"`
	MessageCount         int                `json:"messageCount"`
	Audiences            []AttachedAudience `json:"audiences"`
	IsLinkSharingEnabled bool               `json:"isLinkSharingEnabled"`
	WorkspaceURL         string             `json:"workspaceUrl"`
	SharedStudyURL       *string            `json:"sharedStudyUrl"`
	CreatedAt            string             `json:"createdAt"`
	UpdatedAt            string             `json:"updatedAt"`
}

func studyRows(studies []study.Study) []StudyRow {
	out := make([]StudyRow, len(studies))
	for i, s := range studies {
		out[i] = StudyRow{ID: s.ID, Name: s.Name, QuestionCount: s.QuestionCount, MessageCount: s.MessageCount,
			Audiences: attached(s.Audiences), IsLinkSharingEnabled: s.IsLinkSharingEnabled, WorkspaceURL: s.WorkspaceURL,
			SharedStudyURL: s.SharedStudyURL, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}
	}
	return out
}
