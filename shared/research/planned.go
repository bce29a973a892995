package research

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/plandraft"
	"github.com/mindgate-dev/mindgate/shared/research/run"
)

// confirmable are plan drafts as runs take them.
type confirmable struct{ drafts *plandraft.Service }

// Latest reads a draft at its newest revision.
func (c confirmable) Latest(ctx context.Context, studyID, draftID string) (run.Draft, error) {
	d, err := c.drafts.Newest(ctx, studyID, draftID)
	if err != nil {
		return run.Draft{}, err
	}
	plan, err := json.Marshal(d.Plan)
	return run.Draft{ID: d.ID, StudyID: studyID, Revision: d.Revision, RunID: d.RunID, Plan: plan}, err
}

// Confirm gives the actions that make a draft the plan of a run.
func (c confirmable) Confirm(ctx context.Context, d run.Draft, runID string) ([]records.Action, error) {
	ready, err := c.drafts.Confirm(ctx, d.StudyID, d.ID, d.Revision, runID)
	return ready.Actions, err
}
