package mind

import (
	"context"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// CopyChunk is how many copies one transaction writes, with room for 30 actions of
// the caller.
const CopyChunk = 25

// Copy is a Mind that is to be made of another. The caller reserved its id and its
// home slot, counted it (account.Hold), and copied what it knows and its portrait.
type Copy struct {
	From      Mind
	ID        string
	Slot      int64
	Knowledge []KnowledgeRef
	Items     int
	Portrait  *Portrait
}

// CopyRows are the actions that make at most CopyChunk copies of Minds for the
// caller, as members of an Audience: independent of their originals, private, and
// as trained as those are. A version that is still being trained stays with its
// original; the copy has the one that answers.
func (s *Service) CopyRows(ctx context.Context, audienceID string, list []Copy) ([]records.Action, error) {
	if len(list) > CopyChunk {
		return nil, fmt.Errorf("mind: %d copies in one transaction, at most %d", len(list), CopyChunk)
	}
	p := account.From(ctx)
	now := s.d.Clock.Now()
	var actions []records.Action
	for _, c := range list {
		m := c.From
		ready := m.ReadyToChat()
		m.ID, m.Owner, m.Workspace, m.Slot, m.CreateKey, m.CreatedAt, m.UpdatedAt = c.ID, p.Account, p.Workspace, c.Slot, c.ID, now, now
		m.LinkSharing, m.PublicShareID, m.Portrait, m.Drawing, m.Rebuilding, m.Pending, m.Retired = false, "", c.Portrait, nil, nil, nil, nil
		m.Knowledge, m.KnowledgeItems = c.Knowledge, c.Items
		if m.AudienceID != "" { // it was made for its Audience, and its copy for the copy
			m.AudienceID = audienceID
		}
		t := TrainingState{Status: Completed, StartedAt: m.Training.StartedAt, CompletedAt: m.Training.CompletedAt, Message: "Copied with what its original knew."}
		if t.StartedAt.IsZero() {
			t.StartedAt = now
		}
		if t.CompletedAt.IsZero() {
			t.CompletedAt = now
		}
		if !ready {
			t.Status, t.Message, t.Error = Failed, m.Training.Message, m.Training.Error
			if t.Error == nil {
				t.Message, t.Error = noPromptMessage, &TrainingError{Code: ProfileGenFailed, Retryable: true}
			}
		}
		m.Training = t
		two, err := rows(m, records.NotExists())
		if err != nil {
			return nil, err
		}
		actions = append(actions, two...)
	}
	return actions, nil
}
