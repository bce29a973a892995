package minds

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// ManageStudyDraft deletes a draft or closes it for good.
var ManageStudyDraft = tool.New("manage_study_draft",
	func(ctx context.Context, in ManageStudyDraftInput) (ManagedStudyDraft, error) {
		drafts := research.From(ctx).Drafts
		out := ManagedStudyDraft{Action: in.Action, DraftID: in.DraftID}
		switch in.Action {
		case "delete":
			if err := drafts.Delete(ctx, in.DraftID); err != nil {
				return ManagedStudyDraft{}, err
			}
			out.Deleted = ptr(true)
		case "consume":
			d, already, err := drafts.Consume(ctx, in.DraftID, in.ExpectedRevision, in.StudyID)
			if err != nil {
				return ManagedStudyDraft{}, err
			}
			seen, err := draftOf(d, in.DraftID)
			if err == nil && d.Status != studydraft.Consumed {
				err = fault.New(fault.MalformedResponse, "The draft did not come back as consumed. Look at the saved draft before you repeat the call.")
			}
			if err != nil {
				return ManagedStudyDraft{}, err
			}
			out.Draft, out.AlreadyConsumed = &seen, &already
		default: // the schema knows the same ones
			return ManagedStudyDraft{}, fault.New(fault.Validation, "action is %q, which is none of manage_study_draft.", in.Action).With("field", "action")
		}
		return out, nil
	})

// ManageStudyDraftInput is one action with the fields that it takes.
type ManageStudyDraftInput struct {
	Action           string `json:"action"` // delete | consume
	DraftID          string `json:"draftId"`
	ExpectedRevision int    `json:"expectedRevision"` // consume
	StudyID          string `json:"studyId"`          // consume: Study to link
	Confirmed        bool   `json:"confirmed"`        // delete
}

// ManagedStudyDraft is what came of the action.
type ManagedStudyDraft struct {
	Action           string      `json:"action"`
	DraftID          string      `json:"draftId"`
	Deleted          *bool       `json:"deleted,omitempty"`
	Draft            *StudyDraft `json:"draft,omitempty"`
	AlreadyConsumed  *bool       `json:"alreadyConsumed,omitempty"`
	ExecutionStarted bool        `json:"executionStarted"` // always false
}
