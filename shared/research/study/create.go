package study

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

// Windows of create's idempotency: with a key, and by equal arguments.
const (
	createKeyWindow  = 24 * time.Hour
	createArgsWindow = 15 * time.Minute
)

// Bounds of a Study.
const (
	maxName   = 200
	maxKey    = 200
	maxListed = 100 // existing Audiences
	maxInline = 50  // new Audiences
)

// Create makes a Study with its Audiences, all or nothing. The same key (24 h)
// or, without one, the same arguments (15 min) give the earlier Study back.
// VALIDATION, NOT_FOUND, PLAN_LIMIT (flows, audiences, audienceMembers),
// IDEMPOTENCY_CONFLICT.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	if err := r.check(); err != nil {
		return Created{}, err
	}
	call, err := r.call(account.From(ctx), "")
	if err != nil {
		return Created{}, err
	}
	for {
		earlier, found, err := s.once.Lookup(ctx, call)
		if err != nil {
			return Created{}, err
		}
		if !found {
			break
		}
		out, err := s.created(ctx, earlier, nil)
		if !fault.Is(err, fault.NotFound) || strings.TrimSpace(r.IdempotencyKey) != "" {
			return out, err
		}
		// It was deleted: who asks again wants a new one.
		if call, err = r.call(account.From(ctx), earlier.Ref); err != nil {
			return Created{}, err
		}
	}
	row, drafts, err := s.compose(ctx, r)
	if err != nil {
		return Created{}, err
	}
	done, err := s.once.Once(ctx, call, row.ID, func(key records.Action) error { return s.write(ctx, row, drafts, key) })
	return s.created(ctx, done, err)
}

// created shows the Study that a call made, now or earlier.
func (s *Service) created(ctx context.Context, done idempotency.Result, err error) (Created, error) {
	if err != nil {
		return Created{}, err
	}
	row, err := s.load(ctx, done.Ref)
	if err != nil {
		return Created{}, err
	}
	v, err := s.viewOf(ctx, row)
	return Created{Study: v, Replayed: done.Replayed, Key: done.Key}, err
}

// check holds the arguments to the rules that need no look at the store.
func (r CreateRequest) check() error {
	name := strings.TrimSpace(r.Name)
	if name == "" {
		return fault.New(fault.Validation, "name is blank; a Study needs a name of 1 to %d characters.", maxName)
	}
	if n := utf8.RuneCountInString(name); n > maxName {
		return fault.New(fault.Validation, "name has %d characters; at most %d are allowed.", n, maxName)
	}
	if err := lookup.OneLine("name", name); err != nil {
		return err
	}
	if len(r.AudienceIDs) > maxListed {
		return fault.New(fault.Validation, "audienceIds holds %d ids; at most %d are allowed.", len(r.AudienceIDs), maxListed)
	}
	for i, id := range r.AudienceIDs {
		if !isUUID(canonical(id)) {
			return fault.New(fault.Validation, "audienceIds[%d] is not a UUID; take the ids from list_audiences.", i)
		}
	}
	if len(r.AudienceNew) > maxInline {
		return fault.New(fault.Validation, "audienceConfigs holds %d Audiences; at most %d are allowed.", len(r.AudienceNew), maxInline)
	}
	for i, a := range r.AudienceNew {
		if len(a.MindIDs) == 0 {
			return fault.New(fault.Validation, "audienceConfigs[%d].mindIds is empty; name at least one Mind, or leave the Audience out.", i)
		}
	}
	if n := utf8.RuneCountInString(strings.TrimSpace(r.IdempotencyKey)); n > maxKey {
		return fault.New(fault.Validation, "The Idempotency-Key has %d characters; at most %d are allowed.", n, maxKey)
	}
	return nil
}

// call is the idempotent call: by key for 24 hours, else by its arguments for
// 15 minutes; after is the Study that these made and that was deleted.
func (r CreateRequest) call(p account.Principal, after string) (idempotency.Call, error) {
	scope := idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "create_study"}
	key := strings.TrimSpace(r.IdempotencyKey)
	if key == "" {
		if after == "" {
			return idempotency.Derived(scope, r, createArgsWindow)
		}
		return idempotency.Derived(scope, struct {
			CreateRequest
			After string
		}{r, after}, createArgsWindow)
	}
	c, err := idempotency.Keyed(scope, key, r, createKeyWindow)
	c.Field = "Idempotency-Key"
	return c, err
}

// draft is a new Audience with the actions that write it: its record first,
// then its list row and its counter.
type draft struct{ actions []records.Action }

// compose checks every Audience and gives the Study that would be written.
func (s *Service) compose(ctx context.Context, r CreateRequest) (studyRow, []draft, error) {
	p := account.From(ctx)
	row := studyRow{ID: s.d.IDs.NewID(), Owner: p.Account, Name: strings.TrimSpace(r.Name), LinkSharing: r.LinkSharing,
		CreatedAt: s.d.Clock.Now().Truncate(time.Millisecond)}
	if r.LinkSharing {
		row.ShareID = s.d.IDs.NewID()
	}
	ids := unique(r.AudienceIDs)
	found, err := s.d.Audiences.GetMany(ctx, ids)
	if err != nil {
		return studyRow{}, nil, err
	}
	if len(found) != len(ids) {
		return studyRow{}, nil, fault.New(fault.NotFound, "No Audience with the id %s. Nothing was created; take the ids from list_audiences.", missing(ids, found))
	}
	for _, a := range found {
		row.Audiences = append(row.Audiences, AudienceRef{ID: a.ID, Name: a.Name, MindCount: len(a.MemberIDs)})
	}
	var drafts []draft
	for i, in := range r.AudienceNew {
		name := strings.TrimSpace(in.Name)
		if name == "" {
			name = fmt.Sprintf("Audience %d", i+1)
		}
		a, actions, err := s.d.Audiences.Draft(ctx, name, in.MindIDs)
		if err != nil {
			return studyRow{}, nil, err
		}
		row.Audiences = append(row.Audiences, AudienceRef{ID: a.ID, Name: a.Name, MindCount: len(a.MemberIDs)})
		drafts = append(drafts, draft{actions: actions})
	}
	return row, drafts, nil
}

// write commits the Study, its new Audiences, the counters and the key.
func (s *Service) write(ctx context.Context, row studyRow, drafts []draft, key records.Action) error {
	p := account.From(ctx)
	flows, err := s.d.Accounts.Count(p, account.Flows, 1)
	if err != nil {
		return err
	}
	body := row.body()
	steps := []step{
		{key, nil},
		{flows, func() error { return s.d.Accounts.PlanLimit(ctx, account.Flows, 1) }},
		{records.PutItem(records.Item{Key: studyKey(p.Workspace, row.ID), Body: body}, records.NotExists()), nil},
		{records.PutItem(records.Item{Key: listKey(p.Workspace, p.Account, row.ID, row.CreatedAt), Body: body}, records.NotExists()), nil},
		{records.AddTo(countKey(p.Workspace, p.Account), records.Delta{By: 1}), nil},
	}
	if row.ShareID != "" {
		steps = append(steps, step{records.PutItem(records.Item{Key: shareKey(row.ShareID),
			Fields: map[string]string{fieldSpace: p.Workspace, fieldOwner: p.Account, fieldStudy: row.ID}}, records.NotExists()), nil})
	}
	var early []records.Action
	tooMany := func() error { return s.d.Accounts.PlanLimit(ctx, account.Audiences, int64(len(drafts))) }
	total := len(steps) + 1
	for _, d := range drafts {
		total += len(d.actions)
	}
	for _, d := range drafts {
		for i, a := range d.actions {
			if i == 0 && total > records.MaxActions {
				early = append(early, a)
				continue
			}
			steps = append(steps, step{a, tooMany})
		}
	}
	if len(early) > 0 {
		return s.writeInTwo(ctx, row.ID, early, merged(steps))
	}
	return s.commit(ctx, row.ID, merged(steps))
}

// writeInTwo is for more new Audiences than one transaction takes. Their
// records go first: without list rows, counters and a Study that names them
// nobody can see them, so they may be taken back, or left by a crash, and the
// caller still sees all or nothing. They are taken back only when the store
// refused the rest: after any other error it may have been written, and a Study
// must never name Audiences that are gone.
func (s *Service) writeInTwo(ctx context.Context, token string, early []records.Action, steps []step) error {
	if err := s.d.Records.Transact(ctx, "", early...); err != nil {
		return err
	}
	refused, err := s.tryCommit(ctx, token, steps)
	if !refused {
		return err
	}
	undo := make([]records.Action, len(early))
	for i, a := range early {
		undo[i] = records.DeleteItem(a.Item.Key)
	}
	if e := s.d.Records.Transact(context.WithoutCancel(ctx), "", undo...); e != nil {
		s.d.Log.WarnContext(ctx, "records of Audiences that were not created are left behind", "study", token, "error", e)
	}
	return err
}

// unique lower-cases ids and keeps the first of each.
func unique(ids []string) []string {
	seen := make(map[string]bool, len(ids))
	out := make([]string, 0, len(ids))
	for _, id := range ids {
		if id = canonical(id); !seen[id] {
			seen[id] = true
			out = append(out, id)
		}
	}
	return out
}

func missing(ids []string, found []audience.Audience) string {
	have := make(map[string]bool, len(found))
	for _, a := range found {
		have[a.ID] = true
	}
	for _, id := range ids {
		if !have[id] {
			return id
		}
	}
	return ""
}
