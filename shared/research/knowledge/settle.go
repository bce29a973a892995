package knowledge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// finish completes an item whose content the Mind knows, after the prompt that
// was asked for with it.
func (s *Service) finish(ctx context.Context, was row, jobID string) error {
	var prompted bool
	var note string
	if was.RegeneratePrompt {
		_, err := s.d.Minds.RegeneratePrompt(ctx, was.MindID, "")
		switch f := fault.From(err); {
		case err == nil:
			prompted = true
		case f.Code == fault.RetrainInFlight:
			// While a training runs, its own last step writes the prompt.
		case f.Code == fault.PromptGenerationFailed:
			note = "The prompt was not rebuilt: " + f.Message
		default:
			return err
		}
	}
	return s.settle(ctx, was.MindID, was.ID, jobID, false, func(r *row) {
		r.Status, r.Error, r.PromptRegenerated = Completed, "", prompted
		r.Validators = was.Validators
		if r.again() {
			r.ReadAt = r.UpdatedAt
		}
		if note != "" {
			r.Notes = append(slices.Clone(r.Notes), note)
		}
	})
}

// Fail settles the ingestion of an item that has a job of its own as failed, with
// a reason that callers may read. What was known by the item before stays known.
func (s *Service) Fail(ctx context.Context, mindID, itemID, jobID, reason string) error {
	if err := s.fail(ctx, mindID, itemID, jobID, reason); err != nil {
		return err
	}
	return s.closeJob(ctx, account.From(ctx).Workspace, jobID)
}

// GiveUp settles an item as failed that a training was to read, whether or not it
// had begun; the training's job stays open. What was known by the item before
// stays known.
func (s *Service) GiveUp(ctx context.Context, mindID, itemID, jobID, reason string) error {
	r, version, err := s.find(ctx, account.From(ctx).Workspace, mindID, itemID)
	if errors.Is(err, records.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	if r.Status == Queued && r.JobID == "" { // gathered, and nobody's yet
		r.JobID = jobID
		if _, err := s.save(ctx, r, version); err != nil {
			return err
		}
	}
	return s.fail(ctx, mindID, itemID, jobID, reason)
}

func (s *Service) fail(ctx context.Context, mindID, itemID, jobID, reason string) error {
	p := account.From(ctx)
	r, _, err := s.find(ctx, p.Workspace, mindID, itemID)
	if errors.Is(err, records.ErrNotFound) || err == nil && !r.owned(jobID) {
		return nil
	}
	if err != nil {
		return err
	}
	// What was made goes first: when this is cut off, it is called again.
	if err := s.prune(ctx, r.Workspace, makeName(jobID, r.ID), r.Next, r.Content); err != nil {
		return err
	}
	if r.Raw != nil && r.OwnJob || r.Raw != nil && r.Fetched == jobID {
		if err := s.dropSource(ctx, r); err != nil {
			return err
		}
	}
	return s.settle(ctx, mindID, itemID, jobID, true, func(r *row) {
		r.Status, r.Error = Failed, reason
		if r.Content != "" {
			r.Status, r.Error = Completed, ""
			r.Notes = []string{fmt.Sprintf("%s%s%s%s", notAgain, r.UpdatedAt.UTC().Format(time.DateOnly), staysFor, reason)}
		}
		r.Raw = nil
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
	return s.Fail(account.With(ctx, p), in.Mind, in.Item, j.ID, "Processing took longer than an hour and was ended. Add it again.")
}

// settle commits the end of an ingestion; drop lets go of the content that was
// held for it.
func (s *Service) settle(ctx context.Context, mindID, itemID, jobID string, drop bool, change func(*row)) error {
	p := account.From(ctx)
	for range changeAttempts {
		r, version, err := s.find(ctx, p.Workspace, mindID, itemID)
		if errors.Is(err, records.ErrNotFound) || err == nil && !r.owned(jobID) {
			return nil // the item is gone, or another job's
		}
		if err != nil {
			return err
		}
		r.UpdatedAt = s.d.Clock.Now()
		change(&r)
		var actions []records.Action
		if drop {
			actions, r.Next = s.letGo(r.Workspace, r.Next), ""
			if r.Content == "" { // nothing of it is kept
				actions = append(actions, r.room(0)...)
			}
		}
		if r.OwnJob {
			actions = append(actions, s.d.Jobs.Close(jobs.Job{ID: jobID, Workspace: r.Workspace}))
		}
		_, err = s.save(ctx, r, version, actions...)
		if last := len(actions); r.OwnJob && refusedAt(err, last) { // its job was closed already
			_, err = s.save(ctx, r, version, actions[:last-1]...)
		}
		if errors.Is(err, errGone) {
			continue // changed meanwhile, by a new description perhaps
		}
		if err != nil {
			return err
		}
		return s.sweep(ctx, r.Workspace)
	}
	return records.ErrConflict
}

// owned reports whether the item may still be changed by this job.
func (r row) owned(jobID string) bool {
	return r.JobID == jobID && !r.Deleting && (r.Status == Queued || r.Status == Running)
}
