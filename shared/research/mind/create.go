package mind

import (
	"context"
	"errors"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Windows of section 6: an explicit key is good for a day; without one, equal
// calls within ten seconds of the first are one call.
const (
	keyWindow   = 24 * time.Hour
	mergeWindow = 10 * time.Second
)

// Machine is the state machine of a training, and TrainingTime its longest run.
const (
	Machine      = "mind-training"
	TrainingTime = 30 * time.Minute
)

// createAttempts bounds how often a creation meets a faster one of another
// process.
const createAttempts = 64

// Create makes a Mind and queues its training (M-21, M-25). The Mind, its list
// row, the counters, the idempotency rows and the job are one transaction: an
// equal call with the same key, or without one within ten seconds, gives the
// same Mind back. VALIDATION, UNSAFE_URL, PLAN_LIMIT (minds),
// IDEMPOTENCY_CONFLICT.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	args := r.defaulted()
	args.Key = "" // all else counts as it was sent: one character more is another call (M-92)
	r, err := r.checked()
	if err != nil {
		return Created{}, err
	}
	if r.ContextLink != "" {
		if err := s.d.Guard.CheckAddress(r.ContextLink, fetch.Page); err != nil {
			return Created{}, lookup.About("contextLink", err)
		}
	}
	if r.ProfileImageURL != "" {
		if err := s.d.Guard.CheckAddress(r.ProfileImageURL, fetch.Asset); err != nil {
			return Created{}, lookup.About("profileImageUrl", err)
		}
	}
	p := account.From(ctx)
	leave, err := s.order.enter(ctx, "create#"+p.Account)
	if err != nil {
		return Created{}, err
	}
	defer leave()
	calls, key, err := s.callsOf(p, r.Key, merging{CreateRequest: args})
	if err != nil {
		return Created{}, err
	}
	for range createAttempts {
		earlier, found, err := s.once.Lookup(ctx, calls[0])
		if err != nil {
			return Created{}, err
		}
		if found {
			m, err := s.Get(ctx, earlier.Ref)
			if r.Key == "" && fault.Is(err, fault.NotFound) {
				// Deleted within the ten seconds: who asks again wants a new one.
				if calls, key, err = s.callsOf(p, "", merging{CreateRequest: args, After: earlier.Ref}); err != nil {
					return Created{}, err
				}
				continue
			}
			return Created{Mind: m, Key: m.CreateKey, Replayed: true}, err
		}
		c, again, err := s.tryCreate(ctx, p, r, key, calls)
		if !again {
			return c, err
		}
	}
	return Created{}, records.ErrConflict
}

// merging is what makes two calls without a key equal: the arguments, and the
// Mind that an equal call made before and that was deleted since.
type merging struct {
	CreateRequest
	After string `json:",omitempty"`
}

// callsOf names the call in the idempotency table. Without a key there are two
// rows: the arguments for ten seconds, and for a day the key that the server
// chose and hands back (M-91).
func (s *Service) callsOf(p account.Principal, key string, args merging) ([]idempotency.Call, string, error) {
	scope := idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "create_mind"}
	var calls []idempotency.Call
	if key == "" {
		key = s.d.IDs.NewID()
		merged, err := idempotency.Derived(scope, args, mergeWindow)
		if err != nil {
			return nil, "", err
		}
		calls = append(calls, merged)
	}
	keyed, err := idempotency.Keyed(scope, key, args.CreateRequest, keyWindow)
	return append(calls, keyed), key, err
}

// tryCreate commits the Mind; again is true when another creation was quicker
// and the caller has to look anew.
func (s *Service) tryCreate(ctx context.Context, p account.Principal, r CreateRequest, key string, calls []idempotency.Call) (c Created, again bool, err error) {
	slot, err := s.nextSlot(ctx, p)
	if err != nil {
		return Created{}, false, err
	}
	now := s.d.Clock.Now()
	m := r.mind(p, s.d.IDs.NewID(), slot, now)
	m.CreateKey = key
	if m.LinkSharing {
		m.PublicShareID = s.d.IDs.NewID()
	}
	var job *jobs.Job
	if m.Mode != ModeManual {
		j := s.job(m, Machine, TrainingTime)
		m.Training.JobID = j.ID
		job = &j
	}

	actions, err := rows(m, records.NotExists())
	if err != nil {
		return Created{}, false, err
	}
	count, err := s.d.Accounts.Count(p, account.Minds, 1)
	if err != nil {
		return Created{}, false, err
	}
	const countAt, slotAt, callsAt = 2, 3, 4
	actions = append(actions,
		count,
		// The slot must still be the next one: the counter takes exactly this step.
		records.AddTo(slotKey(p.Workspace, p.Account), records.Delta{By: 1, Floor: records.Bound(slot + 1), Ceil: records.Bound(slot + 1)}),
	)
	for _, call := range calls {
		row, err := s.once.Row(call, m.ID)
		if err != nil {
			return Created{}, false, err
		}
		actions = append(actions, row)
	}
	if job != nil {
		actions = append(actions, s.d.Jobs.Open(*job))
	}
	if m.PublicShareID != "" {
		actions = append(actions, shareRow(m))
	}

	err = s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	switch {
	case errors.As(err, &refused) && (refused.Failed(callsAt) || len(calls) > 1 && refused.Failed(callsAt+1)):
		return Created{}, true, nil
	case errors.As(err, &refused) && refused.Failed(countAt):
		return Created{}, false, s.d.Accounts.PlanLimit(ctx, account.Minds, 1)
	case errors.As(err, &refused) && refused.Failed(slotAt):
		return Created{}, true, nil
	case err != nil:
		return Created{}, false, err
	}
	m.version = 1
	s.changed(ctx, m)
	if job != nil {
		// Committed: a failed start is logged, and the sweeper starts it.
		_ = s.d.Jobs.Start(ctx, *job)
	}
	return Created{Mind: m, Key: key}, false, nil
}

func (s *Service) nextSlot(ctx context.Context, p account.Principal) (int64, error) {
	it, err := s.d.Records.Get(ctx, slotKey(p.Workspace, p.Account))
	if errors.Is(err, records.ErrNotFound) {
		return 0, nil
	}
	return it.N, err
}

// mind is the record of a checked request.
func (r CreateRequest) mind(p account.Principal, id string, slot int64, now time.Time) Mind {
	m := Mind{
		ID: id, Owner: p.Account, Workspace: p.Workspace,
		Name: r.Name, Description: r.Description, Type: r.Type, Discipline: r.Discipline, Mode: r.Mode,
		SourcePolicy: r.SourcePolicy, Tags: r.Tags, ProfileImageURL: r.ProfileImageURL,
		Keywords: r.Keywords, PersonaContext: r.PersonaContext, ContextLink: r.ContextLink,
		IncludeWebSearch: *r.IncludeWebSearch, IsRealPerson: r.IsRealPerson, LinkSharing: r.LinkSharing,
		NoPortrait: r.GenerateImage != nil && !*r.GenerateImage, Identity: r.Identity,
		Slot: slot, CreatedAt: now, UpdatedAt: now,
		Training: TrainingState{Status: Queued, QueuedAt: now, Message: "Waiting to be trained."},
	}
	m.PersonaContext = m.Identity.Hold(m.PersonaContext)
	if m.Mode == ModeManual {
		m.Training = TrainingState{
			Status: Failed, QueuedAt: now, Message: noPromptMessage,
			Error: &TrainingError{Code: ProfileGenFailed, Retryable: true},
		}
	}
	return m
}
