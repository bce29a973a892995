package training

import (
	"context"
	"fmt"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/research/knowledge"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Prompt writes the prompt and settles the training. A source without which it
// makes no sense (the page of mode link) and that could not be read ends it as
// COLLECTION_FAILED; others are counted in the message.
func (s *Service) Prompt(ctx context.Context, mindID, jobID string) error {
	m, mine, err := s.d.Minds.Owned(ctx, mindID, jobID)
	if err != nil {
		return err
	}
	if !mine {
		return s.forget(ctx, mindID)
	}
	u, err := s.unread(ctx, m, jobID)
	if err != nil {
		return err
	}
	if u.required != "" {
		return s.fail(ctx, m, jobID, mind.CollectionFailed, fmt.Sprintf("The page at %s could not be read: %s", mind.HostOf(m.ContextLink), u.required))
	}
	var notes []string
	if u.page != "" {
		notes = append(notes, fmt.Sprintf("The page at %s could not be read again, and the text that was read before was kept: %s", mind.HostOf(m.ContextLink), u.page))
	}
	if u.kept > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d sources could not be read again, and what was read from them before was kept; list the knowledge for the reasons.", u.kept, len(m.Training.Items)))
	}
	if u.failed > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d sources could not be read; list the knowledge for the reasons.", u.failed, len(m.Training.Items)))
	}
	if err := s.d.Minds.Finish(ctx, mindID, jobID, notes...); err != nil {
		return err
	}
	return s.forget(ctx, mindID)
}

// unread is what of a collection could not be read.
type unread struct {
	failed   int    // items of which nothing is known
	kept     int    // items of which an earlier reading stays, without the required one
	required string // why the required one is among the failed
	page     string // why the required one is as it was read before
}

// unread looks through the items of the collection for those that could not be
// read. An item that its task gave up on is
// settled as failed here, so that none stays open behind a training that ended.
func (s *Service) unread(ctx context.Context, m mind.Mind, jobID string) (u unread, err error) {
	for _, item := range m.Training.Items {
		st, err := s.d.Knowledge.Status(ctx, m.ID, item)
		if fault.Is(err, fault.NotFound) {
			continue // its owner deleted it meanwhile
		}
		if err != nil {
			return u, err
		}
		if st.Status == knowledge.Queued || st.Status == knowledge.Running {
			if err := s.d.Knowledge.GiveUp(ctx, m.ID, item, jobID, "It could not be processed because of a mistake on our side."); err != nil {
				return u, err
			}
			// What was known by it before stays known: then it is no failure.
			if st, err = s.d.Knowledge.Status(ctx, m.ID, item); err != nil && !fault.Is(err, fault.NotFound) {
				return u, err
			}
		}
		reason, kept := st.Kept()
		switch required := item == m.Training.Required; {
		case st.Status == knowledge.Failed:
			u.failed++
			if required {
				u.required = st.Error
			}
		case kept && required:
			u.page = reason
		case kept:
			u.kept++
		}
	}
	return u, nil
}

// forget deletes the items of a version that a refresh replaced. It comes after
// the commit, and what is left over a break is done by whoever comes next.
func (s *Service) forget(ctx context.Context, mindID string) error {
	m, err := s.d.Minds.Get(ctx, mindID)
	if fault.Is(err, fault.NotFound) || err == nil && len(m.Retired) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, item := range m.Retired {
		if err := s.d.Knowledge.Delete(ctx, mindID, item); err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
	}
	return s.d.Minds.Forgotten(ctx, mindID)
}

// Fail settles a training as failed for a reason of section 2's in-band codes.
func (s *Service) Fail(ctx context.Context, mindID, jobID, code string) error {
	m, mine, err := s.d.Minds.Owned(ctx, mindID, jobID)
	if err != nil || !mine {
		return err
	}
	return s.fail(ctx, m, jobID, code, "")
}

// fail ends what is open of the collection, and drops what a refresh has read
// before it drops the version that it was read for.
func (s *Service) fail(ctx context.Context, m mind.Mind, jobID, code, message string) error {
	if _, err := s.unread(ctx, m, jobID); err != nil {
		return err
	}
	if m.Pending != nil {
		for _, k := range m.Pending.Knowledge {
			if slices.ContainsFunc(m.Knowledge, func(now mind.KnowledgeRef) bool { return now.ItemID == k.ItemID }) {
				continue // the present version knows it
			}
			if err := s.d.Knowledge.Delete(ctx, m.ID, k.ItemID); err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
		}
	}
	return s.d.Minds.Fail(ctx, m.ID, jobID, code, message)
}

// Expire settles a training that is past its deadline (M-24).
func (s *Service) Expire(ctx context.Context, j jobs.Job) error {
	return s.expired(ctx, j, func(ctx context.Context, mindID string) error {
		return s.Fail(ctx, mindID, j.ID, mind.TimedOut)
	})
}

// expired settles a job of one Mind under its account.
func (s *Service) expired(ctx context.Context, j jobs.Job, settle func(ctx context.Context, mindID string) error) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	var in struct {
		Mind string `json:"mind"`
	}
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	return settle(account.With(ctx, p), in.Mind)
}
