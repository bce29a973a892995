package minds

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ListStudyDrafts lists what the caller has planned and not launched, or reads one
// draft whole (M-260).
var ListStudyDrafts = tool.New("list_study_drafts",
	func(ctx context.Context, in ListStudyDraftsInput) (StudyDrafts, error) {
		drafts := research.From(ctx).Drafts
		if in.DraftID != "" {
			d, err := drafts.Get(ctx, in.DraftID)
			if err != nil {
				return StudyDrafts{}, err
			}
			seen, err := draftOf(d, in.DraftID)
			return StudyDrafts{Draft: &seen}, err
		}
		rows, err := drafts.List(ctx)
		if err != nil {
			return StudyDrafts{}, err
		}
		out := make([]StudyDraft, len(rows))
		for i, d := range rows {
			if out[i], err = draftOf(d, d.ID); err != nil {
				return StudyDrafts{}, err
			}
		}
		return StudyDrafts{Drafts: &out, TotalCount: ptr(len(out))}, nil
	})

// ListStudyDraftsInput reads one draft, or lists all.
type ListStudyDraftsInput struct {
	DraftID string `json:"draftId"`
}

// StudyDrafts is one draft, or the list without payloads.
type StudyDrafts struct {
	Draft      *StudyDraft   `json:"draft,omitempty"`
	Drafts     *[]StudyDraft `json:"drafts,omitempty"`
	TotalCount *int          `json:"totalCount,omitempty"`
}

// StudyDraft is a draft as tools show it.
type StudyDraft struct {
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Mode        string          `json:"mode"`
	CurrentStep string          `json:"currentStep"`
	Revision    int             `json:"revision"`
	Status      string          `json:"status"`
	Payload     json.RawMessage `json:"payload,omitempty"`
	StudyID     *string         `json:"studyId"`
	CreatedAt   string          `json:"createdAt"`
	UpdatedAt   string          `json:"updatedAt"`
}

// draftOf shows a draft if it is whole and the one meant (M-320).
func draftOf(d studydraft.Draft, id string) (StudyDraft, error) {
	known := d.Status == studydraft.Open || d.Status == studydraft.Starting || d.Status == studydraft.Consumed
	if d.ID == "" || d.ID != id || d.Revision < 1 || !known || d.Name == "" || d.UpdatedAt == "" {
		return StudyDraft{}, fault.New(fault.MalformedResponse, "The draft did not come back whole, so nothing is known of what was saved. Look at the saved draft before you repeat a write, and keep its key.")
	}
	return StudyDraft{ID: d.ID, Name: d.Name, Mode: d.Mode, CurrentStep: d.CurrentStep, Revision: d.Revision, Status: d.Status, Payload: d.Payload,
		StudyID: d.StudyID, CreatedAt: d.CreatedAt, UpdatedAt: d.UpdatedAt}, nil
}
