package mind

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"time"

	"github.com/gowebpki/jcs"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
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

// replay is the idempotency row of a creation.
type replay struct {
	MindID      string `json:"mindId"`
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"`
}

// Create makes a Mind and queues its training (M-21, M-25). The Mind, its list
// row, the counters, the replay rows and the job are one transaction: an equal
// call with the same key, or without one within ten seconds, gives the same
// Mind back. VALIDATION, UNSAFE_URL, PLAN_LIMIT (minds), IDEMPOTENCY_CONFLICT.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	fingerprint, err := fingerprintOf(r)
	if err != nil {
		return Created{}, err
	}
	if r, err = r.checked(); err != nil {
		return Created{}, err
	}
	if r.ContextLink != "" {
		if err := s.d.Guard.CheckAddress(r.ContextLink, fetch.Page); err != nil {
			return Created{}, err
		}
	}
	p := account.From(ctx)
	leave, err := s.order.enter(ctx, "create#"+p.Account)
	if err != nil {
		return Created{}, err
	}
	defer leave()
	for range createAttempts {
		c, found, err := s.replayed(ctx, r.Key, fingerprint)
		if err != nil || found {
			return c, err
		}
		c, again, err := s.tryCreate(ctx, p, r, fingerprint)
		if !again {
			return c, err
		}
	}
	return Created{}, records.ErrConflict
}

// replayed looks for an earlier equal call.
func (s *Service) replayed(ctx context.Context, key, fingerprint string) (Created, bool, error) {
	p := account.From(ctx)
	kind, name := "args", fingerprint
	if key != "" {
		kind, name = "key", key
	}
	it, err := s.d.Records.Get(ctx, replayKey(p.Workspace, p.Account, kind, name))
	if errors.Is(err, records.ErrNotFound) {
		return Created{}, false, nil
	}
	if err != nil {
		return Created{}, false, err
	}
	var r replay
	if err := json.Unmarshal(it.Body, &r); err != nil {
		return Created{}, false, err
	}
	if r.Fingerprint != fingerprint {
		return Created{}, false, fault.New(fault.IdempotencyConflict,
			"idempotencyKey was used in the last 24 hours with other inputs. Repeat the inputs of that call, or take a new key for a new Mind.").
			With("idempotencyKey", key)
	}
	m, err := s.Get(ctx, r.MindID)
	return Created{Mind: m, Key: r.Key, Replayed: true}, true, err
}

// tryCreate commits the Mind; again is true when another creation was quicker
// and the caller has to look anew.
func (s *Service) tryCreate(ctx context.Context, p account.Principal, r CreateRequest, fingerprint string) (c Created, again bool, err error) {
	slot, err := s.nextSlot(ctx, p)
	if err != nil {
		return Created{}, false, err
	}
	now := s.d.Clock.Now()
	m := r.mind(p, s.d.IDs.NewID(), slot, now)
	key := r.Key
	if key == "" {
		key = s.d.IDs.NewID()
	}
	var job *jobs.Job
	if m.Mode != ModeManual {
		j := s.jobOf(m, s.d.IDs.NewID(), now)
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
	body, err := json.Marshal(replay{MindID: m.ID, Key: key, Fingerprint: fingerprint})
	if err != nil {
		return Created{}, false, err
	}
	const countAt, slotAt, keyAt, argsAt = 2, 3, 4, 5
	actions = append(actions,
		count,
		// The slot must still be the next one: the counter takes exactly this step.
		records.AddTo(slotKey(p.Workspace, p.Account), records.Delta{By: 1, Floor: records.Bound(slot + 1), Ceil: records.Bound(slot + 1)}),
		records.PutItem(records.Item{Key: replayKey(p.Workspace, p.Account, "key", key), ExpiresAt: now.Add(keyWindow), Body: body}, records.NotExists()),
	)
	if r.Key == "" {
		actions = append(actions, records.PutItem(records.Item{
			Key: replayKey(p.Workspace, p.Account, "args", fingerprint), ExpiresAt: now.Add(mergeWindow), Body: body,
		}, records.NotExists()))
	}
	if job != nil {
		actions = append(actions, s.d.Jobs.Open(*job))
	}

	err = s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	switch {
	case errors.As(err, &refused) && (refused.Failed(keyAt) || r.Key == "" && refused.Failed(argsAt)):
		return Created{}, true, nil
	case errors.As(err, &refused) && refused.Failed(countAt):
		return Created{}, false, s.d.Accounts.PlanLimit(ctx, account.Minds, 1)
	case errors.As(err, &refused) && refused.Failed(slotAt):
		return Created{}, true, nil
	case err != nil:
		return Created{}, false, err
	}
	m.version = 1
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

// jobOf is the training job of a Mind.
func (s *Service) jobOf(m Mind, id string, now time.Time) jobs.Job {
	input, _ := json.Marshal(map[string]string{"job": id, "workspace": m.Workspace, "account": m.Owner, "mind": m.ID})
	return jobs.Job{
		ID: id, Machine: Machine, Workspace: m.Workspace, Account: m.Owner,
		Input: input, QueuedAt: now, Deadline: now.Add(TrainingTime),
	}
}

// mind is the record of a checked request.
func (r CreateRequest) mind(p account.Principal, id string, slot int64, now time.Time) Mind {
	m := Mind{
		ID: id, Owner: p.Account, Workspace: p.Workspace,
		Name: r.Name, Description: r.Description, Type: r.Type, Discipline: r.Discipline, Mode: r.Mode,
		SourcePolicy: r.SourcePolicy, Tags: r.Tags, ProfileImageURL: r.ProfileImageURL,
		Keywords: r.Keywords, PersonaContext: r.PersonaContext, ContextLink: r.ContextLink,
		IncludeWebSearch: *r.IncludeWebSearch, IsRealPerson: r.IsRealPerson, LinkSharing: r.LinkSharing,
		Slot: slot, CreatedAt: now, UpdatedAt: now,
		Training: TrainingState{Status: Queued, QueuedAt: now, Message: "Waiting to be trained."},
	}
	if m.Mode == ModeManual {
		m.Training = TrainingState{
			Status: Failed, QueuedAt: now, Message: noPromptMessage,
			Error: &TrainingError{Code: ProfileGenFailed, Retryable: true},
		}
	}
	return m
}

// fingerprintOf is the SHA-256 of the arguments in canonical form (RFC 8785),
// the key left out. Defaults are filled; nothing else is evened out, so that one
// character more is another call (M-92).
func fingerprintOf(r CreateRequest) (string, error) {
	r = r.defaulted()
	r.Key = ""
	raw, err := json.Marshal(r)
	if err != nil {
		return "", err
	}
	if raw, err = jcs.Transform(raw); err != nil {
		return "", err
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:]), nil
}
