package connection

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Create adds a connection: active, at revision 1, not verified. FORBIDDEN for
// who may not, UNSAFE_URL for an endpoint that the service may not call.
func (s *Service) Create(ctx context.Context, c Create) (Connection, error) {
	p, err := s.administering(ctx)
	if err != nil {
		return Connection{}, err
	}
	c.Name = strings.TrimSpace(c.Name)
	if err := line("name", c.Name, maxName); err != nil {
		return Connection{}, err
	}
	set := model.Settings{Provider: c.Provider, Model: strings.TrimSpace(c.Model), Endpoint: strings.TrimSpace(c.Endpoint), Region: strings.TrimSpace(c.Region)}
	if err := s.settings(ctx, p, set, c.Secret); err != nil {
		return Connection{}, err
	}
	if _, err := s.d.Open(ctx, set, c.Secret); err != nil { // says what cannot work; makes no call
		return Connection{}, err
	}
	now := s.now()
	r := row{ID: s.d.IDs.NewID(), Name: c.Name, Settings: set, State: active, Revision: 1, CreatedAt: now, UpdatedAt: now}
	fresh, err := s.keep(ctx, p.Workspace, r.ID, c.Secret)
	if err != nil {
		return Connection{}, err
	}
	r.SecretRef = fresh.name
	one := records.AddTo(countKey(p.Workspace), records.Delta{By: 1, Ceil: records.Bound(maxConnections)})
	err = s.commit(ctx, fresh, records.PutItem(r.item(p.Workspace), records.NotExists()), one)
	var refused *records.CanceledError
	if errors.As(err, &refused) && refused.Failed(1) {
		return Connection{}, invalid("", "The team has %d model connections, which is the most. Delete one that is no longer needed.", maxConnections)
	}
	if err != nil {
		return Connection{}, err
	}
	return r.view(), nil
}

// Update changes a connection: the revision rises by one and what was verified
// of the one before is forgotten. STALE_REVISION when it is another revision now
// than the caller has seen.
func (s *Service) Update(ctx context.Context, id string, c Change) (Connection, error) {
	p, err := s.administering(ctx)
	if err != nil {
		return Connection{}, err
	}
	r, err := s.get(ctx, p.Workspace, id)
	if err != nil {
		return Connection{}, err
	}
	if c.Revision != r.Revision {
		return Connection{}, stale(r)
	}
	next, secret, err := s.changed(ctx, p, r, c)
	if err != nil {
		return Connection{}, err
	}
	var fresh kept
	if c.Secret != nil {
		if fresh, err = s.keep(ctx, p.Workspace, r.ID, secret); err != nil {
			return Connection{}, err
		}
		next.SecretRef = fresh.name
	}
	actions := []records.Action{records.PutItem(next.item(p.Workspace), records.VersionIs(r.version))}
	if r.SecretRef != "" && r.SecretRef != next.SecretRef {
		actions = append(actions, s.drop(p.Workspace, r.SecretRef, next.UpdatedAt))
	}
	err = s.commit(ctx, fresh, actions...)
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		return Connection{}, s.overtaken(ctx, p.Workspace, r.ID)
	}
	if err != nil {
		return Connection{}, err
	}
	if r.SecretRef != next.SecretRef {
		s.remove(ctx, p.Workspace, r.SecretRef)
	}
	return next.view(), nil
}

// changed gives the next revision and the secret that it opens with.
func (s *Service) changed(ctx context.Context, p account.Principal, r row, c Change) (next row, secret string, err error) {
	next = r
	next.Revision, next.VerifiedAt, next.Capabilities, next.UpdatedAt = r.Revision+1, time.Time{}, model.Capabilities{}, s.now()
	for _, f := range []struct {
		from *string
		into *string
	}{{c.Name, &next.Name}, {c.Model, &next.Settings.Model}, {c.Endpoint, &next.Settings.Endpoint}, {c.Region, &next.Settings.Region}} {
		if f.from != nil {
			*f.into = strings.TrimSpace(*f.from)
		}
	}
	if c.Name == nil && c.Model == nil && c.Endpoint == nil && c.Region == nil && c.Secret == nil && c.IsActive == nil {
		return row{}, "", invalid("", "Nothing is to be changed; send at least one of name, model, endpoint, region, secret and isActive.")
	}
	if err := line("name", next.Name, maxName); err != nil {
		return row{}, "", err
	}
	if c.IsActive != nil {
		next.State = disabled
		if *c.IsActive {
			next.State = active
		}
	}
	if c.Secret != nil {
		secret = *c.Secret
	} else {
		if r.SecretRef != "" && next.Settings.Endpoint != r.Settings.Endpoint {
			// Else whoever may change an address could have the key sent to it.
			return row{}, "", invalid("secret", "endpoint changes, so the key must be given anew: send secret with it.")
		}
		if secret, err = s.secret(ctx, r); err != nil {
			return row{}, "", err
		}
	}
	if err := s.settings(ctx, p, next.Settings, secret); err != nil {
		return row{}, "", err
	}
	_, err = s.d.Open(ctx, next.Settings, secret)
	return next, secret, err
}

// Delete revokes a connection: from this moment on it answers for nobody, also
// not for work that has begun, and its secret is removed.
func (s *Service) Delete(ctx context.Context, id string) error {
	p, err := s.administering(ctx)
	if err != nil {
		return err
	}
	for range 3 { // a change that comes between makes the version another one
		r, err := s.get(ctx, p.Workspace, id)
		if err != nil {
			return err
		}
		r.UpdatedAt = s.now()
		actions := []records.Action{
			records.DeleteItem(rowKey(p.Workspace, r.ID), records.VersionIs(r.version)),
			records.PutItem(r.tombstone(p.Workspace)),
			records.AddTo(countKey(p.Workspace), records.Delta{By: -1, Floor: records.Bound(0)}),
		}
		if r.SecretRef != "" {
			actions = append(actions, s.drop(p.Workspace, r.SecretRef, r.UpdatedAt))
		}
		err = s.d.Records.Transact(ctx, "", actions...)
		var refused *records.CanceledError
		if errors.As(err, &refused) {
			continue
		}
		if err == nil {
			s.remove(ctx, p.Workspace, r.SecretRef)
		}
		return err
	}
	return records.ErrConflict
}

func stale(r row) error {
	return fault.New(fault.StaleRevision, "The connection is at revision %d now. Read it again, and send that revision with your change.", r.Revision).
		With("currentRevision", r.Revision)
}

// overtaken says what happened to a connection between our reading and our write.
func (s *Service) overtaken(ctx context.Context, ws, id string) error {
	now, err := s.get(ctx, ws, id)
	if err != nil {
		return err
	}
	return stale(now)
}

func (s *Service) now() time.Time { return s.d.Clock.Now().Truncate(time.Millisecond) }
