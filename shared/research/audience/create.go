package audience

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gowebpki/jcs"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// maxMindIDs is the schema's ceiling; the plan's is usually lower.
const maxMindIDs = 6_000

const (
	maxName   = 100 // characters
	maxKey    = 128 // characters of x-minds-idempotency-key; longer ones are ignored
	keyWindow = 24 * time.Hour
)

type replay struct {
	AudienceID  string `json:"audienceId"`
	Fingerprint string `json:"fingerprint"`
}

// Create makes an Audience of existing Minds (none are made, none are trained).
// VALIDATION, NOT_FOUND when a Mind is missing or not visible, PLAN_LIMIT
// (audienceMembers, audiences), IDEMPOTENCY_CONFLICT; then nothing was written.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	p := account.From(ctx)
	key := strings.TrimSpace(r.Key)
	if utf8.RuneCountInString(key) > maxKey {
		key = ""
	}
	fingerprint, err := fingerprintOf(r)
	if err != nil {
		return Created{}, err
	}
	for range 8 {
		if key != "" {
			c, found, err := s.replayed(ctx, p, key, fingerprint)
			if err != nil || found {
				return c, err
			}
		}
		a, actions, err := s.draft(ctx, r)
		if err != nil {
			return Created{}, err
		}
		keyAt := len(actions)
		if key != "" {
			body, err := json.Marshal(replay{AudienceID: a.ID, Fingerprint: fingerprint})
			if err != nil {
				return Created{}, err
			}
			actions = append(actions, records.PutItem(records.Item{
				Key: replayKey(p.Workspace, p.Account, key), ExpiresAt: s.d.Clock.Now().Add(keyWindow), Body: body,
			}, records.NotExists()))
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var refused *records.CanceledError
		switch {
		case errors.As(err, &refused) && key != "" && refused.Failed(keyAt):
			continue // an equal call was quicker: look at what it made
		case errors.As(err, &refused) && refused.Failed(countAt):
			return Created{}, s.d.Accounts.PlanLimit(ctx, account.Audiences, 1)
		case err != nil:
			return Created{}, err
		}
		a.version = 1
		return Created{Audience: a}, nil
	}
	return Created{}, records.ErrConflict
}

func (s *Service) replayed(ctx context.Context, p account.Principal, key, fingerprint string) (Created, bool, error) {
	it, err := s.d.Records.Get(ctx, replayKey(p.Workspace, p.Account, key))
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
			"x-minds-idempotency-key was used in the last 24 hours with other inputs. Repeat the inputs of that call, or take a new key for a new Audience.")
	}
	a, err := s.Get(ctx, r.AudienceID)
	return Created{Audience: a, Replayed: true}, true, err
}

// countAt is the position of the counter among the actions of a draft: its
// refusal means that the Audiences allowance is used up.
const countAt = 2

// CountAction is the position of the allowance's counter among the actions that
// Draft gives: when a transaction is refused there, the answer is
// PlanLimit(Audiences, 1).
const CountAction = countAt

// Draft checks an Audience and gives the actions that write it (record, list
// row, counter), for a transaction of the caller. Nothing is written.
func (s *Service) Draft(ctx context.Context, name string, mindIDs []string) (Audience, []records.Action, error) {
	return s.draft(ctx, CreateRequest{Name: name, MindIDs: mindIDs})
}

func (s *Service) draft(ctx context.Context, r CreateRequest) (Audience, []records.Action, error) {
	name, ids, err := check(r)
	if err != nil {
		return Audience{}, nil, err
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return Audience{}, nil, err
	}
	if l := limits.AudienceMembers; l != nil && (int64(len(ids)) > *l || *l == 0) {
		return Audience{}, nil, s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(len(ids)))
	}
	minds, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return Audience{}, nil, err
	}
	if len(minds) != len(ids) {
		seen := make(map[string]bool, len(minds))
		for _, m := range minds {
			seen[m.ID] = true
		}
		for _, id := range ids {
			if !seen[id] {
				return Audience{}, nil, fault.New(fault.NotFound, "No Mind with the id %s; no Audience was made. Use list_minds for the ids of your Minds.", id).With("mindId", id)
			}
		}
	}
	p := account.From(ctx)
	now := s.d.Clock.Now()
	a := Audience{
		ID: s.d.IDs.NewID(), Name: name, Owner: p.Account, Workspace: p.Workspace, MemberIDs: ids,
		LinkSharing: r.LinkSharing, CreatedAt: now, UpdatedAt: now,
	}
	actions, err := rows(a, records.NotExists())
	if err != nil {
		return Audience{}, nil, err
	}
	count, err := s.d.Accounts.Count(p, account.Audiences, 1)
	if err != nil {
		return Audience{}, nil, err
	}
	return a, append(actions, count), nil
}

// check trims the name and merges repeated ids, keeping the first of each.
func check(r CreateRequest) (name string, ids []string, err error) {
	name, err = CheckName(r.Name)
	if err != nil {
		return "", nil, err
	}
	if len(r.MindIDs) > maxMindIDs {
		return "", nil, fault.New(fault.Validation, "mindIds has %d entries; at most %d are taken.", len(r.MindIDs), maxMindIDs).With("field", "mindIds")
	}
	ids = make([]string, 0, len(r.MindIDs))
	seen := make(map[string]bool, len(r.MindIDs))
	for _, raw := range r.MindIDs {
		id, err := lookup.ID("mindIds", raw)
		if err != nil {
			return "", nil, err
		}
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	return name, ids, nil
}

// CheckName trims an Audience's name and holds it to 1..100 characters.
func CheckName(name string) (string, error) {
	name = strings.TrimSpace(name)
	switch n := utf8.RuneCountInString(name); {
	case n == 0:
		return "", fault.New(fault.Validation, "name is blank. An Audience needs a name of 1 to %d characters.", maxName).With("field", "name")
	case n > maxName:
		return "", fault.New(fault.Validation, "name has %d characters; an Audience's name has at most %d.", n, maxName).With("field", "name")
	}
	return name, nil
}

func fingerprintOf(r CreateRequest) (string, error) {
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
