package template

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
)

// SaveRequest asks for a new template. RequestID is a UUID of the caller's: the same
// one gives the template that it made; empty: every call makes another one.
type SaveRequest struct {
	RequestID     string
	Name          string
	Configuration json.RawMessage
}

// Save keeps a private template of the caller, with copies of the files that it
// shows. VALIDATION, PAYLOAD_TOO_LARGE, ASSET_UNAVAILABLE, UNSAFE_URL,
// IDEMPOTENCY_CONFLICT.
func (s *Service) Save(ctx context.Context, r SaveRequest) (t Template, replayed bool, err error) {
	p := account.From(ctx)
	name, err := checkName(r.Name)
	if err != nil {
		return Template{}, false, err
	}
	c, err := read(r.Configuration)
	if err != nil {
		return Template{}, false, err
	}
	raw, err := encode(c)
	if err != nil {
		return Template{}, false, err
	}
	var call *idempotency.Call
	if r.RequestID != "" {
		id, err := lookup.ID("requestId", r.RequestID)
		if err != nil {
			return Template{}, false, err
		}
		one, err := idempotency.Keyed(idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "save_study_template"}, id,
			struct {
				Name          string
				Configuration json.RawMessage
			}{name, raw}, idempotency.Forever)
		if err != nil {
			return Template{}, false, err
		}
		one.Field = "requestId"
		call = &one
	}
	for range tries {
		if call != nil {
			earlier, found, err := s.once.Lookup(ctx, *call)
			if err != nil {
				return Template{}, false, err
			}
			if found {
				t, err := s.Get(ctx, earlier.Ref)
				if fault.Is(err, fault.NotFound) {
					err = fault.New(fault.IdempotencyConflict, "This requestId saved a template that was deleted since. Send a new requestId to save another one.").With("field", "requestId")
				}
				return t, true, err
			}
		}
		t, err := s.create(ctx, p, name, c, raw, call)
		if !errors.Is(err, errLost) {
			return t, false, err
		}
	}
	return Template{}, false, records.ErrConflict
}

// errLost says that an equal call was quicker.
var errLost = errors.New("template: another call with the requestId was quicker")

func (s *Service) create(ctx context.Context, p account.Principal, name string, c Configuration, raw []byte, call *idempotency.Call) (Template, error) {
	sharing, err := s.sharing(ctx)
	if err != nil {
		return Template{}, err
	}
	now := s.now()
	r := row{ID: s.d.IDs.NewID(), Owner: p.Account, Workspace: p.Workspace, Name: name, Revision: 1, CreatedAt: now, UpdatedAt: now}
	if r.Files, err = s.keep(ctx, r.Workspace, r.ID, c, nil); err != nil {
		s.clear(ctx, r) // nothing names what was copied
		return Template{}, err
	}
	if r.Configuration, err = s.d.Snapshots.Write(ctx, r.Workspace, "application/json", raw); err != nil {
		return Template{}, err
	}
	actions := []records.Action{
		records.PutItem(r.item(), records.NotExists()),
		records.PutItem(records.Item{Key: records.Key{PK: ownPK(r.Workspace, r.Owner), SK: r.ID}}),
		s.d.Snapshots.Take(r.Configuration),
	}
	if call != nil {
		once, err := s.once.Row(*call, r.ID)
		if err != nil {
			return Template{}, err
		}
		actions = append(actions, once)
	}
	err = s.d.Records.Transact(ctx, "", actions...)
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		s.d.Snapshots.Clear(ctx, r.Configuration)
		s.clear(ctx, r)
		if refused.Failed(3) {
			return Template{}, errLost
		}
	}
	return r.view(p.Account, sharing, raw), err
}

// Patch changes what is not nil.
type Patch struct {
	Name             *string
	Configuration    json.RawMessage
	IsSharedWithTeam *bool
}

// Update changes a template that the caller has seen at a revision. Owner only; what
// is the same already changes nothing. NOT_FOUND, STALE_REVISION, VALIDATION,
// PLAN_LIMIT (teamSharing), PAYLOAD_TOO_LARGE, ASSET_UNAVAILABLE.
func (s *Service) Update(ctx context.Context, id string, revision int, p Patch) (Template, error) {
	if p.Name == nil && p.Configuration == nil && p.IsSharedWithTeam == nil {
		return Template{}, fault.New(fault.Validation, "Send name, configuration or isSharedWithTeam: there is nothing to change.")
	}
	for range tries {
		done, err := s.update(ctx, id, revision, p)
		if errors.Is(err, snapshot.ErrGone) {
			continue
		}
		var refused *records.CanceledError
		if errors.As(err, &refused) {
			continue // somebody changed it: the revision tells
		}
		if err != nil || !done {
			return Template{}, err
		}
		return s.Get(ctx, id)
	}
	return Template{}, records.ErrConflict
}

func (s *Service) update(ctx context.Context, id string, revision int, p Patch) (bool, error) {
	was, err := s.own(ctx, id)
	if err != nil {
		return false, err
	}
	if err := was.at(revision); err != nil {
		return false, err
	}
	next := was
	if p.Name != nil {
		if next.Name, err = checkName(*p.Name); err != nil {
			return false, err
		}
	}
	if p.IsSharedWithTeam != nil {
		if next.Shared = *p.IsSharedWithTeam; next.Shared && !was.Shared {
			ok, err := s.sharing(ctx)
			if err == nil && !ok {
				err = s.d.Accounts.PlanLimit(ctx, account.TeamSharing, 0)
			}
			if err != nil {
				return false, err
			}
		}
	}
	var actions []records.Action
	written := false
	if p.Configuration != nil {
		c, err := read(p.Configuration)
		if err != nil {
			return false, err
		}
		raw, err := encode(c)
		if err != nil {
			return false, err
		}
		stored, err := s.d.Snapshots.Read(ctx, was.Configuration)
		if err != nil {
			return false, err
		}
		if string(stored) != string(raw) {
			if next.Files, err = s.keep(ctx, was.Workspace, was.ID, c, was.Files); err != nil {
				return false, err
			}
			if next.Configuration, err = s.d.Snapshots.Write(ctx, was.Workspace, "application/json", raw); err != nil {
				return false, err
			}
			written = true
			actions = append(actions, s.d.Snapshots.Take(next.Configuration), s.d.Snapshots.Drop(was.Configuration))
		}
	}
	if next.Name == was.Name && next.Shared == was.Shared && !written {
		return true, nil
	}
	next.Revision, next.UpdatedAt = was.Revision+1, s.now()
	team := records.Key{PK: teamPK(was.Workspace), SK: was.ID}
	switch {
	case next.Shared && !was.Shared:
		actions = append(actions, records.PutItem(records.Item{Key: team}))
	case was.Shared && !next.Shared:
		actions = append(actions, records.DeleteItem(team))
	}
	err = s.d.Records.Transact(ctx, "", append(actions, records.PutItem(next.item(), records.VersionIs(was.version)))...)
	var refused *records.CanceledError
	switch {
	case err == nil && written:
		s.d.Snapshots.Clear(ctx, was.Configuration)
		s.drop(ctx, was.Files, next.Files)
	case errors.As(err, &refused) && written:
		s.d.Snapshots.Clear(ctx, next.Configuration)
	}
	return true, err
}

// at refuses another revision than the caller has seen.
func (r row) at(revision int) error {
	if revision == r.Revision {
		return nil
	}
	return fault.New(fault.StaleRevision, "The template is at revision %d now. Read it again, and send that revision.", r.Revision).With("currentRevision", r.Revision)
}

// Delete removes a template for good; drafts made of it stay. Owner only. NOT_FOUND.
func (s *Service) Delete(ctx context.Context, id string) error {
	for range tries {
		r, err := s.own(ctx, id)
		if err != nil {
			return err
		}
		err = s.d.Records.Transact(ctx, "",
			records.DeleteItem(templateKey(r.Workspace, r.ID), records.VersionIs(r.version)),
			records.DeleteItem(usedKey(r.Workspace, r.ID)),
			records.DeleteItem(records.Key{PK: ownPK(r.Workspace, r.Owner), SK: r.ID}),
			records.DeleteItem(records.Key{PK: teamPK(r.Workspace), SK: r.ID}),
			s.d.Snapshots.Drop(r.Configuration))
		var refused *records.CanceledError
		if errors.As(err, &refused) {
			continue
		}
		if err != nil {
			return err
		}
		s.d.Snapshots.Clear(ctx, r.Configuration)
		s.clear(ctx, r)
		return nil
	}
	return records.ErrConflict
}
