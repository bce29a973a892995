package knowledge

import (
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Accounts gives the principal under which an expired job is settled.
type Accounts interface {
	Internal(ctx context.Context, workspace, account string) (account.Principal, error)
}

// maxRefName is how much of an item's name the Mind's record keeps, in characters.
const maxRefName = 60

// Ingest is the step of the ingestion machine: it makes the file's content
// retrievable and gives it to the Mind, in one transaction with the item's
// state, the Mind's knowledge version and, when asked, its new prompt. A file
// that cannot be used ends the item as failed, with the reason. Repeating the
// step changes nothing.
func (s *Service) Ingest(ctx context.Context, mindID, itemID, jobID string) error {
	p := account.From(ctx)
	r, version, err := s.find(ctx, p.Workspace, mindID, itemID)
	if errors.Is(err, records.ErrNotFound) || err == nil && !r.owned(jobID) {
		return nil
	}
	if err != nil {
		return err
	}
	if r.Status == Queued {
		r.Status, r.UpdatedAt = Running, s.d.Clock.Now()
		actions, err := r.actions()
		if err != nil {
			return err
		}
		it := actions[0].Item
		// Losing this write to the same task, run twice at once, is no trouble.
		var lost *records.ConditionError
		if _, err = s.d.Records.Put(ctx, it, records.VersionIs(version)); err != nil && !errors.As(err, &lost) {
			return err
		}
	}
	parsed, err := s.parse(ctx, r)
	var bad unusable
	if errors.As(err, &bad) {
		return s.Fail(ctx, mindID, itemID, jobID, bad.reason)
	}
	if err != nil {
		return err
	}
	return s.settle(ctx, mindID, itemID, jobID, func(r *row, m *mind.Mind) error {
		known := slices.ContainsFunc(m.Knowledge, func(k mind.KnowledgeRef) bool { return k.Digest == r.content() })
		if reason, ok := fits(m, parsed); !known && !ok {
			r.Status, r.Error = Failed, reason
			return nil
		}
		r.Status, r.Error = Completed, ""
		r.Passages, r.Distributions = parsed.Passages, parsed.Distributions
		if !known {
			m.Knowledge = append(m.Knowledge, mind.KnowledgeRef{ItemID: r.ID, Digest: r.content(), Name: clip(r.Description, maxRefName),
				Passages: parsed.Passages, Bytes: parsed.Bytes})
			m.KnowledgeVersion++
		}
		// While a training runs, its own last step writes the prompt.
		if r.RegeneratePrompt && m.Training.Status != mind.Queued && m.Training.Status != mind.Running {
			known, err := s.d.Library.Load(ctx, m.Workspace, m.Knowledge)
			if err != nil {
				return err
			}
			if err := s.d.Minds.Reprompt(m, known); err != nil {
				return err
			}
			r.PromptRegenerated = true
		}
		return nil
	})
}

// Fail settles an ingestion as failed with a reason that callers may read.
func (s *Service) Fail(ctx context.Context, mindID, itemID, jobID, reason string) error {
	return s.settle(ctx, mindID, itemID, jobID, func(r *row, _ *mind.Mind) error {
		r.Status, r.Error = Failed, reason
		return nil
	})
}

// Expire settles an ingestion that is past its deadline.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in struct{ Mind, Item string }
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	return s.Fail(account.With(ctx, p), in.Mind, in.Item, j.ID, "Processing took longer than 15 minutes and was ended. Send the file again.")
}

// settle commits the end of an ingestion: item, Mind and job in one transaction.
func (s *Service) settle(ctx context.Context, mindID, itemID, jobID string, change func(*row, *mind.Mind) error) error {
	var r row
	var version int64
	_, err := s.d.Minds.Change(ctx, mindID, func(m *mind.Mind) error {
		var err error
		if r, version, err = s.find(ctx, m.Workspace, m.ID, itemID); err != nil {
			return err
		}
		if !r.owned(jobID) {
			return errUnchanged
		}
		r.UpdatedAt = s.d.Clock.Now()
		return change(&r, m)
	}, func(mind.Mind) ([]records.Action, error) {
		actions, err := r.actions()
		if err != nil {
			return nil, err
		}
		actions[0].Conds = []records.Cond{records.VersionIs(version)}
		return []records.Action{actions[0], s.d.Jobs.Close(jobs.Job{ID: jobID, Workspace: r.Workspace})}, nil
	})
	if errors.Is(err, errUnchanged) || errors.Is(err, records.ErrNotFound) || fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

// owned reports whether the item may still be changed by this job.
func (r row) owned(jobID string) bool {
	return r.JobID == jobID && (r.Status == Queued || r.Status == Running)
}
