package knowledge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/pattern"
)

// maxRefName is how much of an item's name the Mind's record keeps, in characters.
const maxRefName = 60

// ErrUnfinished says that the time of a task ran out before an item was whole.
// What was done stands; calling again goes on from there.
var ErrUnfinished = fmt.Errorf("knowledge: more of the item is to be done: %w", context.DeadlineExceeded)

// margin is kept free before the end of a task, so that what was begun is stored.
const margin = 20 * time.Second

// ending reports whether the time of a task is nearly over. It asks the real
// clock: a context's deadline is of that one.
func ending(ctx context.Context) bool {
	end, ok := ctx.Deadline()
	return ok && time.Until(end) < margin
}

// Ingest is the step of the ingestion machine: IngestNow for an item that has a
// job of its own, which it closes.
func (s *Service) Ingest(ctx context.Context, mindID, itemID, jobID string) error {
	if err := s.IngestNow(ctx, mindID, itemID, jobID); err != nil {
		return err
	}
	p := account.From(ctx)
	r, _, err := s.find(ctx, p.Workspace, mindID, itemID)
	switch {
	case err == nil && r.owned(jobID):
		return records.ErrConflict // another run of this very task is at it
	case err != nil && !errors.Is(err, records.ErrNotFound):
		return err
	}
	return s.closeJob(ctx, p.Workspace, jobID)
}

// IngestNow makes one item retrievable, in the name of a job: fetch, extract,
// split, embed, patterns; and gives it to the Mind in one transaction with the
// item's state and the Mind's knowledge version. A source that cannot be used
// ends the item as failed with the reason, which is no error here; Status tells.
// A link that was read before is read again, if it has changed. Repeating it
// changes nothing; an item or Mind that is gone, or that another job works on, is
// left alone. ErrUnfinished when the time of ctx runs out: call again.
func (s *Service) IngestNow(ctx context.Context, mindID, itemID, jobID string) error {
	w, err := s.claim(ctx, mindID, itemID, jobID)
	if err != nil || w == nil {
		return quiet(err)
	}
	err = w.run(ctx)
	var bad unusable
	switch {
	case errors.As(err, &bad):
		return s.fail(ctx, mindID, itemID, jobID, bad.reason)
	case errors.Is(err, errGone), errors.Is(err, records.ErrNotFound), fault.Is(err, fault.NotFound):
		return w.leave(ctx)
	}
	return err
}

// leave ends work whose item, or Mind, went away or is another job's now: what
// was made for it goes, unless another run of this very job is at it.
func (w *work) leave(ctx context.Context) error {
	r, _, err := w.s.find(ctx, w.row.Workspace, w.row.MindID, w.row.ID)
	if err != nil && !errors.Is(err, records.ErrNotFound) {
		return err
	}
	if err == nil && r.owned(w.jobID) {
		if _, err := w.s.d.Minds.Get(ctx, r.MindID); err != nil {
			return quiet(err) // the Mind is being removed, and its items with it
		}
		return records.ErrConflict
	}
	return w.s.prune(ctx, w.row.Workspace, w.making().name, w.row.Next, w.row.Content)
}

// quiet turns the ways in which a task finds its work done, its item taken or its
// Mind gone into success.
func quiet(err error) error {
	if errors.Is(err, errUnchanged) || errors.Is(err, errGone) || errors.Is(err, records.ErrNotFound) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// work is the ingestion of one item by one job.
type work struct {
	s       *Service
	row     row
	version int64
	jobID   string
}

// making is what this work makes, should the content not be whole already.
func (w *work) making() making {
	return making{w.row.Workspace, w.row.Next, makeName(w.jobID, w.row.ID)}
}

// claim takes an item for a job; nil when there is nothing to do.
func (s *Service) claim(ctx context.Context, mindID, itemID, jobID string) (*work, error) {
	p := account.From(ctx)
	r, version, err := s.find(ctx, p.Workspace, mindID, itemID)
	if err != nil {
		return nil, err
	}
	now := s.d.Clock.Now()
	if r.Deleting || r.JobID == jobID && r.Status != Queued && r.Status != Running {
		return nil, nil
	}
	if r.JobID != jobID {
		gathered := r.Status == Queued && r.JobID == ""
		if !gathered && (r.busy(now) || r.OwnJob && r.Status == Queued || r.Status == Completed && !r.again()) {
			return nil, nil
		}
		if err := s.forget(ctx, r); err != nil {
			return nil, err
		}
		r.JobID, r.OwnJob, r.RegeneratePrompt, r.Error, r.Notes = jobID, false, false, "", nil
		r.Status = Queued
	}
	if r.Status == Queued {
		r.Status, r.UpdatedAt = Running, now
		// Losing this write to the same task, run twice at once, is no trouble: one
		// of them goes on.
		if version, err = s.save(ctx, r, version); err != nil {
			return nil, err
		}
	}
	return &work{s: s, row: r, version: version, jobID: jobID}, nil
}

// forget takes away what the job of an item left unpublished when it died.
func (s *Service) forget(ctx context.Context, r row) error {
	if r.JobID == "" {
		return nil
	}
	return s.prune(ctx, r.Workspace, makeName(r.JobID, r.ID), r.Next, r.Content)
}

// run takes the item through its steps. Each looks first at what is there, so
// that a job that was cut off goes on where it was.
func (w *work) run(ctx context.Context) error {
	s := w.s
	same, err := w.fetch(ctx)
	if err != nil {
		return err
	}
	if same {
		return s.finish(ctx, w.row, w.jobID)
	}
	if err := w.hold(ctx); err != nil {
		return err
	}
	m, err := s.meta(ctx, w.row.Workspace, w.row.Next)
	if errors.Is(err, records.ErrNotFound) {
		m, err = w.make(ctx)
	}
	if err != nil {
		return err
	}
	made := m.making(w.row.Workspace, w.row.Next)
	embedded, err := s.embed(ctx, made, m.Passages, time.Time{})
	if err != nil {
		return err
	}
	patterns, err := s.patternsOf(ctx, made, m)
	if err != nil {
		return err
	}
	// A content that was whole already has a source of its own: this copy of it,
	// and what another job made meanwhile, are not needed.
	if m.Raw == nil || *m.Raw != *w.row.Raw {
		if err := s.d.Blobs.Delete(ctx, *w.row.Raw); err != nil {
			return err
		}
	}
	if err := s.prune(ctx, w.row.Workspace, w.making().name, w.row.Next); err != nil {
		return err
	}
	if err := s.give(ctx, w.row, w.jobID, m, embedded, patterns); err != nil {
		return err
	}
	return s.finish(ctx, w.row, w.jobID)
}

// hold counts the item among those that need the content, before the content is
// looked at: from then on nobody removes it.
func (w *work) hold(ctx context.Context) error {
	content := contentOf(w.row.Raw.SHA256, w.row.Kind)
	old := w.row.Next
	if old == content {
		return nil
	}
	actions := []records.Action{records.AddTo(refsKey(w.row.Workspace, content), records.Delta{By: 1})}
	r := w.row
	r.Next, r.UpdatedAt = content, w.s.d.Clock.Now()
	return w.save(ctx, r, append(actions, w.s.letGo(w.row.Workspace, old)...)...)
}

// save writes the item as this work sees it. The job tells an item from one that
// was deleted and added again, whose versions begin anew.
func (w *work) save(ctx context.Context, r row, more ...records.Action) error {
	version, err := w.s.saveIf(ctx, r, []records.Cond{records.VersionIs(w.version), records.FieldIs(fieldJob, w.jobID)}, w.version, more...)
	if err != nil {
		return err
	}
	w.row, w.version = r, version
	return nil
}

// citedAs names an item in what is quoted from it: by the caller's own name, else a
// page by its title, since host and path tell a reader little; the address stands
// beside it (Link). The title is the page's own word, so it is one line and short.
func citedAs(r *row, m meta) string {
	name := r.Description
	if title := strings.Join(strings.Fields(strings.ToValidUTF8(m.Title, "")), " "); m.Kind == kindPage && !r.Named && title != "" {
		name = title
	}
	return strings.TrimSpace(clip(name, maxRefName))
}

// give makes the content the item's: the Mind knows it from now on.
func (s *Service) give(ctx context.Context, was row, jobID string, m meta, embedded int, found []pattern.Pattern) error {
	var old string
	err := s.change(ctx, was.MindID, was.ID, func(r *row, of *mind.Mind) error {
		if !r.owned(jobID) || r.Next != was.Next {
			return errGone
		}
		if reason, ok := fits(of, r.ID, r.Next, m); !ok {
			return unusable{reason}
		}
		if m.Passages+m.Distributions > 0 {
			of.Learn(jobID, mind.KnowledgeRef{ItemID: r.ID, Digest: r.Next, Name: citedAs(r, m), Link: r.Link, Passages: m.Passages, Bytes: m.Bytes})
		} else {
			of.Unlearn(r.ID)
		}
		old = r.Content
		if r.Digest != "" { // of an earlier release: it was never counted
			old, r.Digest = "", ""
		}
		r.UpdatedAt = s.d.Clock.Now()
		r.Content, r.Next, r.Raw = r.Next, "", nil
		r.Passages, r.Distributions, r.Embedded, r.Patterns = m.Passages, m.Distributions, embedded, len(found)
		r.Notes, r.Error = m.Notes, ""
		return nil
	}, func(r row) ([]records.Action, error) {
		actions, err := s.putPatterns(ctx, r, found)
		return append(actions, s.letGo(r.Workspace, old)...), err
	})
	if f := fault.From(err); err != nil && f.Code == fault.Validation { // its record would be too large
		return unusable{sentence(f.Message)}
	}
	return err
}
