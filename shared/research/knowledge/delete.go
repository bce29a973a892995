package knowledge

import (
	"context"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Delete removes an item with its patterns, and with its passages, vectors and
// file unless other items of the workspace hold the same content; the record
// goes last. The Mind answers without it from the first step on. A deletion that
// was cut off is ended by the next one. NOT_FOUND.
func (s *Service) Delete(ctx context.Context, mindID, itemID string) error {
	m, err := s.d.Minds.Get(ctx, mindID)
	if err != nil {
		return err
	}
	id, err := lookup.ID("itemId", itemID)
	if err != nil {
		return err
	}
	var job string // the item's own job, if one is open
	err = s.change(ctx, m.ID, id, func(r *row, of *mind.Mind) error {
		job = ""
		if r.OwnJob && (r.Status == Queued || r.Status == Running) {
			job = r.JobID
		}
		of.Unlearn(r.ID)
		if !r.Deleting {
			of.KnowledgeItems--
		}
		// The job keeps its name, so that what it made can be found.
		r.Working = r.Working || r.Status == Running
		r.Deleting, r.Status, r.OwnJob, r.UpdatedAt = true, Failed, false, s.d.Clock.Now()
		return nil
	}, func(r row) ([]records.Action, error) { return s.putPatterns(ctx, r, nil) })
	if errors.Is(err, records.ErrNotFound) {
		return noItem()
	}
	if err != nil {
		return err
	}
	if err := s.eraseItem(ctx, m.Workspace, m.ID, id); err != nil {
		return err
	}
	if job != "" {
		return s.closeJob(ctx, m.Workspace, job)
	}
	return nil
}

// eraseItem erases an item that is being deleted, by whomever: of two calls at
// once each ends with the item gone.
func (s *Service) eraseItem(ctx context.Context, workspace, mindID, id string) error {
	for range changeAttempts {
		r, version, err := s.find(ctx, workspace, mindID, id)
		if errors.Is(err, records.ErrNotFound) || err == nil && !r.Deleting {
			return nil // another call was quicker, and it may have been added again since
		}
		if err == nil {
			err = s.erase(ctx, r, version)
		}
		if !errors.Is(err, errGone) {
			return err
		}
	}
	return records.ErrConflict
}

// dropSource deletes the file that an item was made from, unless it is the source
// of a content by now.
func (s *Service) dropSource(ctx context.Context, r row) error {
	m, err := s.meta(ctx, r.Workspace, r.Next)
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		return err
	}
	if m.Raw != nil && *m.Raw == *r.Raw {
		return nil
	}
	return s.d.Blobs.Delete(ctx, *r.Raw)
}

// erase takes away all that belongs to an item which is being deleted, and the
// item last. Cut off, it can be repeated; errGone when another call is at it.
func (s *Service) erase(ctx context.Context, r row, version int64) error {
	if err := s.forget(ctx, r); err != nil {
		return err
	}
	if r.Raw != nil {
		if err := s.dropSource(ctx, r); err != nil {
			return err
		}
	}
	// One transaction lets go of the contents, so that each is counted down once.
	// From then on what the job made belongs to the content, if to anybody.
	if r.Content+r.Next+r.JobID != "" || r.Counted != 0 {
		actions := s.letGo(r.Workspace, r.Next)
		if r.Digest == "" { // those of an earlier release were never counted
			actions = s.letGo(r.Workspace, r.Next, r.Content)
		}
		if r.Working { // its job may go on for a while
			note, err := s.leave(r, leftKey(r.Workspace, s.d.Clock.Now(), r.JobID))
			if err != nil {
				return err
			}
			actions = append(actions, note)
		}
		r.Content, r.Next, r.Raw, r.JobID = "", "", nil, ""
		actions = append(actions, r.room(0)...)
		var err error
		if version, err = s.save(ctx, r, version, actions...); err != nil {
			return err
		}
	}
	if err := s.sweep(ctx, r.Workspace); err != nil {
		return err
	}
	err := s.d.Records.Transact(ctx, "",
		records.DeleteItem(rowKey(r), records.VersionIs(version)),
		records.DeleteItem(pointerKey(r.Workspace, r.MindID, r.ID)))
	if refusedAt(err, 0) {
		return nil // another call was quicker, or the item was added again
	}
	return err
}

// closeJob ends the job of an item that is gone: its execution finds nothing to do.
func (s *Service) closeJob(ctx context.Context, workspace, jobID string) error {
	err := s.d.Records.Transact(ctx, "", s.d.Jobs.Close(jobs.Job{ID: jobID, Workspace: workspace}))
	if refusedAt(err, 0) {
		return nil
	}
	return err
}

// DeleteOf removes everything that a deleted Mind of the caller's workspace knew:
// items, patterns, vectors, files. It asks for no record of the Mind, may be cut
// off and repeated, and stops with ErrUnfinished when the time of ctx is nearly
// over.
func (s *Service) DeleteOf(ctx context.Context, mindID string) error {
	p := account.From(ctx)
	if _, err := s.d.Minds.Get(ctx, mindID); err == nil {
		return fault.New(fault.Internal, "The Mind is still there.")
	} else if !fault.Is(err, fault.NotFound) {
		return err
	}
	var all []row
	err := s.each(ctx, p.Workspace, mindID, func(r row) error {
		all = append(all, r)
		return nil
	})
	if err != nil {
		return err
	}
	for _, r := range all {
		if ending(ctx) {
			return ErrUnfinished
		}
		if err := s.deleteLeft(ctx, r); err != nil {
			return err
		}
	}
	if err := records.Clear(ctx, s.d.Records, patternsPK(p.Workspace, mindID)); err != nil {
		return err
	}
	// Pointers that were left alone, and searches that ran.
	return records.Clear(ctx, s.d.Records, itemsPK(p.Workspace, mindID))
}

// deleteLeft deletes an item of a Mind that is gone.
func (s *Service) deleteLeft(ctx context.Context, was row) error {
	job := "" // the item's own job, if one was open
	done := func() error {
		if job == "" {
			return nil
		}
		return s.closeJob(ctx, was.Workspace, job)
	}
	for range changeAttempts {
		r, version, err := s.find(ctx, was.Workspace, was.MindID, was.ID)
		if errors.Is(err, records.ErrNotFound) {
			return done() // another call was quicker
		}
		if err != nil {
			return err
		}
		if r.OwnJob && (r.Status == Queued || r.Status == Running) {
			job = r.JobID
		}
		r.Working = r.Working || r.Status == Running
		r.Deleting, r.Status, r.OwnJob = true, Failed, false
		if version, err = s.save(ctx, r, version); errors.Is(err, errGone) {
			continue
		}
		if err == nil {
			err = s.erase(ctx, r, version)
		}
		if errors.Is(err, errGone) {
			continue
		}
		if err != nil {
			return err
		}
		return done()
	}
	return records.ErrConflict
}
