package mind

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// DeleteMachine cleans up after deleted Minds. It is given an hour: past it, each
// sweep tries again.
const (
	DeleteMachine = "mind-delete"
	DeleteTime    = time.Hour
)

// maxDeletes is how many Minds one call may delete, and deleting how many at once.
const (
	maxDeletes = 100
	deleting   = 8
	// perDeleteJob is how many Minds one job cleans up after: what it checks at
	// its end has to fit into one transaction.
	perDeleteJob = 50
)

// Outcome is what came of one id of DeleteMany. Error is empty when the Mind is
// gone by this call.
type Outcome struct {
	MindID  string `json:"mindId"`
	Deleted bool   `json:"deleted"`
	Error   string `json:"error,omitempty"` // not_found, or what may be shown of another reason
}

// Gone is what is left of a deleted Mind until its clean-up is done.
type Gone struct {
	ID        string      `json:"id"`
	Workspace string      `json:"workspace"`
	Owner     string      `json:"owner"`
	Blobs     []blobs.Ref `json:"blobs,omitempty"` // its pictures
}

// DeleteJob is the input of a clean-up.
type DeleteJob struct {
	Job       string   `json:"job"`
	Workspace string   `json:"workspace"`
	Account   string   `json:"account"`
	Minds     []string `json:"minds"`
}

// Delete takes a Mind away and queues the clean-up of what was its own:
// knowledge, patterns, chats, pictures, its place in Audiences. From the commit
// on it does not exist; a training that runs ends quietly. NOT_FOUND also for a
// Mind of somebody else (never FORBIDDEN).
func (s *Service) Delete(ctx context.Context, id string) error {
	out, err := s.deleteAll(ctx, []string{id})
	if err != nil {
		return err
	}
	return out[0]
}

// DeleteMany deletes 1 to 100 Minds, each with an outcome of its own, in the
// order of ids. VALIDATION for the list itself; then nothing was deleted.
func (s *Service) DeleteMany(ctx context.Context, ids []string) ([]Outcome, error) {
	if len(ids) < 1 || len(ids) > maxDeletes {
		return nil, invalid("mindIds", "mindIds has %d entries; it must have 1 to %d.", len(ids), maxDeletes)
	}
	errs, err := s.deleteAll(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]Outcome, len(ids))
	for i, err := range errs {
		out[i] = Outcome{MindID: strings.ToLower(ids[i]), Deleted: err == nil}
		switch {
		case err == nil:
		case fault.Is(err, fault.NotFound):
			out[i].Error = "not_found"
		default:
			out[i].Error = fault.From(err).Message
			s.d.Log.ErrorContext(ctx, "Mind not deleted", "workspace", account.From(ctx).Workspace, "mind", out[i].MindID, "error", err)
		}
	}
	return out, nil
}

// deleteAll deletes Minds behind clean-up jobs. The job is there before the
// first Mind goes, and no Mind goes without it: whenever the process ends, what
// is gone is cleaned up, and what is there is whole.
func (s *Service) deleteAll(ctx context.Context, ids []string) ([]error, error) {
	ids = slices.Clone(ids)
	for i, id := range ids {
		var err error
		if ids[i], err = lookup.ID("mindId", id); err != nil {
			return nil, err
		}
	}
	found, err := s.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]error, len(ids))
	if len(found) == 0 {
		for i := range out {
			out[i] = notFound()
		}
		return out, nil
	}
	p := account.From(ctx)
	var all []jobs.Job
	var opening []records.Action
	jobOf := map[string]jobs.Job{}
	for part := range slices.Chunk(found, perDeleteJob) {
		job := s.deleteJob(p, part)
		all, opening = append(all, job), append(opening, s.d.Jobs.Open(job))
		for _, m := range part {
			jobOf[m.ID] = job
		}
	}
	if err := s.d.Records.Transact(ctx, "", opening...); err != nil {
		return nil, err
	}
	var g errgroup.Group
	g.SetLimit(deleting)
	for i, id := range ids {
		job, ok := jobOf[id]
		if !ok || slices.Contains(ids[:i], id) {
			out[i] = notFound() // or named twice: the first counts
			continue
		}
		g.Go(func() error {
			out[i] = s.deleteOne(ctx, id, job)
			return nil
		})
	}
	_ = g.Wait()
	// Committed: a failed start is logged, and the sweeper starts it.
	for _, job := range all {
		_ = s.d.Jobs.Start(ctx, job)
	}
	return out, nil
}

func (s *Service) deleteJob(p account.Principal, minds []Mind) jobs.Job {
	now := s.d.Clock.Now()
	in := DeleteJob{Job: s.d.IDs.NewID(), Workspace: p.Workspace, Account: p.Account}
	for _, m := range minds {
		in.Minds = append(in.Minds, m.ID)
	}
	input, _ := json.Marshal(in)
	return jobs.Job{ID: in.Job, Machine: DeleteMachine, Workspace: p.Workspace, Account: p.Account, Input: input, QueuedAt: now, Deadline: now.Add(DeleteTime)}
}

// deleteOne commits the end of one Mind: record, list row, link, allowance and
// open jobs go, the note for the clean-up comes.
func (s *Service) deleteOne(ctx context.Context, id string, job jobs.Job) error {
	leave, err := s.order.enter(ctx, "mind#"+id)
	if err != nil {
		return err
	}
	defer leave()
	for range changeAttempts {
		m, err := s.Get(ctx, id)
		if fault.Is(err, fault.Forbidden) {
			return notFound()
		}
		if err != nil {
			return err
		}
		count, err := s.d.Accounts.Count(account.From(ctx), account.Minds, -1)
		if err != nil {
			return err
		}
		left, err := json.Marshal(Gone{ID: m.ID, Workspace: m.Workspace, Owner: m.Owner, Blobs: m.pictures()})
		if err != nil {
			return err
		}
		actions := []records.Action{
			records.DeleteItem(recordKey(m.Workspace, m.ID), records.VersionIs(m.version)),
			records.DeleteItem(listKey(m)),
			count,
			records.PutItem(records.Item{Key: goneKey(m.Workspace, m.ID), Body: left}),
			s.d.Jobs.StillOpen(job),
		}
		if m.PublicShareID != "" {
			actions = append(actions, records.DeleteItem(shareKey(m.PublicShareID)))
		}
		for _, open := range m.openJobs() {
			actions = append(actions, s.d.Jobs.Discard(jobs.Job{ID: open, Workspace: m.Workspace}))
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		switch {
		case errors.As(err, &lost) && lost.Failed(0):
			continue
		case errors.As(err, &lost):
			return records.ErrConflict // its clean-up has ended already: the caller tries again
		case err == nil:
			s.changed(ctx, m)
		}
		return err
	}
	return records.ErrConflict
}

// openJobs are the executions that may still change the Mind.
func (m Mind) openJobs() []string {
	var out []string
	if m.InTraining() {
		out = append(out, m.Training.JobID)
	}
	if m.Drawing != nil {
		out = append(out, m.Drawing.JobID)
	}
	if m.Rebuilding != nil {
		out = append(out, m.Rebuilding.JobID)
	}
	return out
}

// pictures are the blobs that are this Mind's alone.
func (m Mind) pictures() []blobs.Ref {
	var out []blobs.Ref
	if m.Portrait != nil {
		out = append(out, m.Portrait.PNG, m.Portrait.SVG)
	}
	if m.Drawing != nil {
		out = append(out, m.Drawing.Old...)
	}
	return out
}

// Left gives what is to be cleaned up of these Minds: of one that is still
// there, or cleaned up, nothing.
func (s *Service) Left(ctx context.Context, ids []string) ([]Gone, error) {
	p := account.From(ctx)
	keys := make([]records.Key, len(ids))
	for i, id := range ids {
		keys[i] = goneKey(p.Workspace, id)
	}
	items, err := s.d.Records.BatchGet(ctx, keys)
	if err != nil {
		return nil, err
	}
	out := make([]Gone, len(items))
	for i, it := range items {
		if err := json.Unmarshal(it.Body, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Buried notes that nothing is left of a Mind.
func (s *Service) Buried(ctx context.Context, g Gone) error {
	return s.d.Records.Delete(ctx, goneKey(g.Workspace, g.ID))
}

// CleanedUp ends a clean-up; again says that a Mind of it was deleted in the
// meantime. Doing it twice changes nothing.
func (s *Service) CleanedUp(ctx context.Context, jobID string, ids []string) (again bool, err error) {
	p := account.From(ctx)
	actions := []records.Action{s.d.Jobs.Discard(jobs.Job{ID: jobID, Workspace: p.Workspace})}
	for _, id := range ids {
		actions = append(actions, records.Check(goneKey(p.Workspace, id), records.NotExists()))
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	var more *records.CanceledError
	if errors.As(err, &more) {
		return true, nil
	}
	return false, err
}

func isGone(err error) bool { return errors.Is(err, records.ErrNotFound) }
