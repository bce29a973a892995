package audience

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
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

// Create makes an Audience of existing Minds (none are made, none are trained).
// VALIDATION, NOT_FOUND when a Mind is missing or not visible, PLAN_LIMIT
// (audienceMembers, audiences), IDEMPOTENCY_CONFLICT; then nothing was written.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	key := strings.TrimSpace(r.Key)
	r.Key = ""
	if key == "" || utf8.RuneCountInString(key) > maxKey {
		a, err := s.create(ctx, r, nil)
		return Created{Audience: a}, err
	}
	p := account.From(ctx)
	call, err := idempotency.Keyed(idempotency.Scope{
		Workspace: p.Workspace, Account: p.Account, Operation: "create_audience",
	}, key, r, keyWindow)
	if err != nil {
		return Created{}, err
	}
	call.Field = "x-minds-idempotency-key"
	r.id = s.d.IDs.NewID()
	done, err := s.once.Once(ctx, call, r.id, func(row records.Action) error {
		_, err := s.create(ctx, r, &row)
		return err
	})
	if err != nil {
		return Created{}, err
	}
	a, err := s.Get(ctx, done.Ref)
	return Created{Audience: a, Replayed: done.Replayed}, err
}

// create commits the Audience, with the idempotency row of the call if it has one.
func (s *Service) create(ctx context.Context, r CreateRequest, row *records.Action) (Audience, error) {
	a, actions, err := s.draft(ctx, r)
	if err != nil {
		return Audience{}, err
	}
	if row != nil {
		actions = append(actions, *row)
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(countAt) && !(row != nil && refused.Failed(len(actions)-1)) {
		return Audience{}, s.d.Accounts.PlanLimit(ctx, account.Audiences, 1)
	}
	if err != nil {
		return Audience{}, err
	}
	a.version = 1
	s.changed(ctx, a)
	return a, nil
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
	if r.id == "" {
		r.id = s.d.IDs.NewID()
	}
	a := Audience{
		ID: r.id, Name: name, Owner: p.Account, Workspace: p.Workspace, MemberIDs: ids,
		LinkSharing: r.LinkSharing, CreatedAt: now, UpdatedAt: now,
	}
	if a.LinkSharing {
		a.PublicShareID = s.d.IDs.NewID()
	}
	actions, err := rows(a, records.NotExists())
	if err != nil {
		return Audience{}, nil, err
	}
	count, err := s.d.Accounts.Count(p, account.Audiences, 1)
	if err != nil {
		return Audience{}, nil, err
	}
	shown, err := reach(Audience{}, a)
	return a, append(append(actions, count), shown...), err
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
	return name, lookup.OneLine("name", name)
}
