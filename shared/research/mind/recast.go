package mind

import (
	"context"
	"fmt"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// RecastChunk is how many members one transaction gives a new version, with room
// for 20 actions of the caller.
const RecastChunk = 20

// Recast is a member of a cohort with what is new about it.
type Recast struct {
	ID string `json:"id"`
	Revision
}

// RecastRows are the actions that queue a new version of at most RecastChunk
// members of the caller while the present ones go on answering (M-23). A version
// that is still being trained is overtaken: what it would have changed goes into
// the new one. gone are the members that do not exist any more. The actions are
// refused as a whole when a member changed meanwhile; ask again then. After the
// commit StartTraining starts what they queue.
func (s *Service) RecastRows(ctx context.Context, list []Recast) (actions []records.Action, gone []string, err error) {
	if len(list) > RecastChunk {
		return nil, nil, fmt.Errorf("mind: %d members in one transaction, at most %d", len(list), RecastChunk)
	}
	ids := make([]string, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	found, err := s.GetMany(ctx, ids)
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[string]Mind, len(found))
	for _, m := range found {
		byID[m.ID] = m
	}
	now := s.d.Clock.Now()
	for _, r := range list {
		m, ok := byID[r.ID]
		if !ok {
			gone = append(gone, r.ID)
			continue
		}
		was := m.Training.JobID
		overtaken := m.InTraining()
		next := Pending{Revision: r.Revision}
		if overtaken && m.Pending != nil {
			next = Pending{Revision: m.Pending.over(r.Revision), Knowledge: m.Pending.Knowledge}
		}
		j := s.job(m, Machine, CohortTrainingTime)
		m.Training = TrainingState{Status: Queued, Kind: Refreshing, JobID: j.ID, QueuedAt: now, Message: "Waiting to be trained again.", Redraw: next.Redraw}
		m.Pending, m.UpdatedAt = &next, now
		two, err := rows(m, records.VersionIs(m.version))
		if err != nil {
			return nil, nil, err
		}
		actions = append(append(actions, two...), s.d.Jobs.Open(j))
		if overtaken && was != "" {
			actions = append(actions, s.d.Jobs.Discard(jobs.Job{ID: was, Workspace: account.From(ctx).Workspace}))
		}
	}
	return actions, gone, nil
}

// over puts a newer revision over an older one that was never in force.
func (r Revision) over(newer Revision) Revision {
	out := newer
	for _, f := range []struct{ now, was **string }{
		{&out.Name, &r.Name}, {&out.Description, &r.Description}, {&out.Discipline, &r.Discipline}, {&out.PersonaContext, &r.PersonaContext},
	} {
		if *f.now == nil {
			*f.now = *f.was
		}
	}
	if out.Keywords == nil {
		out.Keywords = r.Keywords
	}
	if out.Identity == nil {
		out.Identity = r.Identity
	}
	if out.Evidence == nil {
		out.Evidence = r.Evidence
	}
	out.Forget, out.Redraw = out.Forget || r.Forget, out.Redraw || r.Redraw
	return out
}
