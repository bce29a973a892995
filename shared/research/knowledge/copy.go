package knowledge

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// CopyTo gives the items that a Mind knows, with their patterns, to a Mind that is
// about to be made in the same workspace: passages and vectors are the content's,
// and are counted once more. It gives what the new Mind has to refer to. Items that
// are being read, or failed, stay behind. It may be cut off and repeated; DeleteOf
// takes it back for a Mind that was never made.
func (s *Service) CopyTo(ctx context.Context, from mind.Mind, toID, toOwner string) (refs []mind.KnowledgeRef, items int, err error) {
	if from.KnowledgeItems == 0 && len(from.Knowledge) == 0 {
		return nil, 0, nil
	}
	var all []row
	if err := s.each(ctx, from.Workspace, from.ID, func(r row) error {
		if r.Content != "" && !r.Deleting {
			all = append(all, r)
		}
		return nil
	}); err != nil {
		return nil, 0, err
	}
	copied := map[string]bool{}
	for _, r := range all {
		done, err := s.copyItem(ctx, r, toID, toOwner)
		if err != nil {
			return nil, 0, err
		}
		if done {
			copied[r.ID] = true
		}
	}
	for _, k := range from.Knowledge {
		if copied[k.ItemID] {
			refs = append(refs, k)
		}
	}
	return refs, len(copied), s.copyCount(ctx, from, toID)
}

// copyItem writes one item of the copy, once; false when its content is gone.
func (s *Service) copyItem(ctx context.Context, was row, toID, toOwner string) (bool, error) {
	r := was
	r.MindID, r.Owner, r.Status, r.Error = toID, toOwner, Completed, ""
	r.Raw, r.Next, r.Fetched, r.JobID, r.OwnJob, r.Working, r.Counted = nil, "", "", "", false, false, 0
	if r.Digest != "" { // of an earlier release: counted from now on
		r.Digest = ""
	}
	room := r.room(was.Counted) // before the row is encoded with it
	actions, err := r.actions()
	if err != nil {
		return false, err
	}
	actions[0].Conds = []records.Cond{records.NotExists()}
	actions = append(actions, records.Check(metaKey(r.Workspace, r.Content), records.Exists()),
		records.AddTo(refsKey(r.Workspace, r.Content), records.Delta{By: 1}))
	actions = append(actions, room...)
	it, err := s.d.Records.Get(ctx, patternsKey(was))
	switch {
	case err == nil:
		actions = append(actions, records.PutItem(records.Item{Key: patternsKey(r), Body: it.Body}))
	case !errors.Is(err, records.ErrNotFound):
		return false, err
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	switch {
	case refusedAt(err, 0):
		return true, nil // copied by an earlier try
	case refusedAt(err, 2):
		return false, nil
	}
	return err == nil, err
}

// copyCount takes over how many patterns there are and which id is the next.
func (s *Service) copyCount(ctx context.Context, from mind.Mind, toID string) error {
	c, total := count{}, 0
	it, err := s.d.Records.Get(ctx, nextKey(from.Workspace, from.ID))
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = json.Unmarshal(it.Body, &c)
	}
	if err != nil {
		return err
	}
	err = s.eachPatternRow(ctx, from.Workspace, toID, func(p patternRow) error {
		total += len(p.Patterns)
		return nil
	})
	if err != nil {
		return err
	}
	c.Total = total
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	_, err = s.d.Records.Put(ctx, records.Item{Key: nextKey(from.Workspace, toID), Body: body})
	return err
}
