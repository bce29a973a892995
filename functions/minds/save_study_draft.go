package minds

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// SaveStudyDraft makes or replaces a draft from a closed set of planning inputs. It
// never starts research.
var SaveStudyDraft = tool.New("save_study_draft",
	func(ctx context.Context, in SaveStudyDraftInput) (SavedStudyDraft, error) {
		drafts := research.From(ctx).Drafts
		plan := studydraft.Planning{Objective: in.Objective, Notes: in.Notes, Website: in.Website, AudienceIDs: in.AudienceIDs,
			MethodID: in.MethodID, Questions: in.Questions, SourceURLs: in.SourceURLs}
		content := func(payload json.RawMessage) (studydraft.Content, error) {
			next, err := plan.Over(payload)
			return studydraft.Content{Name: in.Name, Mode: &in.Mode, CurrentStep: &in.CurrentStep, Payload: next}, err
		}
		var saved studydraft.Saved
		var err error
		if in.DraftID != "" {
			saved, err = drafts.Revise(ctx, in.DraftID, in.ExpectedRevision, content)
		} else {
			var first studydraft.Content
			if first, err = content(nil); err == nil {
				saved, err = drafts.Create(ctx, studydraft.CreateRequest{Key: in.IdempotencyKey, Content: first})
			}
		}
		if err != nil {
			return SavedStudyDraft{}, err
		}
		id := in.DraftID
		if id == "" {
			id = saved.Draft.ID
		}
		d, err := draftOf(saved.Draft, id)
		out := SavedStudyDraft{Draft: d, Replayed: saved.Replayed, Unchanged: saved.Unchanged}
		if saved.Key != "" {
			out.IdempotencyKey = &saved.Key
		}
		return out, err
	})

// SaveStudyDraftInput is what is planned. What is left out of a revision is empty
// from then on, but for the name.
type SaveStudyDraftInput struct {
	DraftID          string   `json:"draftId"` // a draft to revise, with its revision
	ExpectedRevision int      `json:"expectedRevision"`
	IdempotencyKey   string   `json:"idempotencyKey"` // of a creation, 1..200 characters after trimming
	Name             *string  `json:"name"`           // 1..200 characters
	Mode             string   `json:"mode"`           // custom when left out
	CurrentStep      string   `json:"currentStep"`    // context when left out
	Objective        string   `json:"objective"`      // at most 20,000 characters
	Notes            string   `json:"notes"`          // at most 50,000 characters
	Website          string   `json:"website"`
	AudienceIDs      []string `json:"audienceIds"` // at most 100
	MethodID         string   `json:"methodId"`    // guided-research when left out
	Questions        []string `json:"questions"`   // at most 200 of 20,000 characters
	SourceURLs       []string `json:"sourceUrls"`  // at most 100
}

// SavedStudyDraft is the draft as it stands.
type SavedStudyDraft struct {
	Draft            StudyDraft `json:"draft"`
	Replayed         bool       `json:"replayed"`
	Unchanged        bool       `json:"unchanged"`
	IdempotencyKey   *string    `json:"idempotencyKey"`
	ExecutionStarted bool       `json:"executionStarted"` // always false
}
