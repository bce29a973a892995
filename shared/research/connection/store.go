package connection

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
)

func off() *fault.Error {
	return fault.New(fault.FeatureDisabled, "Model connections are switched off on this gateway. Leave modelConnection out.")
}

func notFound() *fault.Error { return fault.New(fault.NotFound, "No model connection with this id.") }

func decode(it records.Item) (row, error) {
	var r row
	err := json.Unmarshal(it.Body, &r)
	r.version = it.Version
	return r, err
}

func (r row) item(ws string) records.Item {
	body, _ := json.Marshal(r) // plain data always encodes
	return records.Item{Key: rowKey(ws, r.ID), Body: body}
}

// tombstone is what stays of a revoked connection.
func (r row) tombstone(ws string) records.Item {
	body, _ := json.Marshal(row{ID: r.ID, State: revoked, Revision: r.Revision + 1, CreatedAt: r.CreatedAt, UpdatedAt: r.UpdatedAt})
	return records.Item{Key: revokedKey(ws, r.ID), Body: body}
}

func (r row) view() Connection {
	c := Connection{ID: r.ID, Name: r.Name, Provider: r.Settings.Provider, Model: r.Settings.Model, Revision: r.Revision,
		IsActive: r.State == active, Capabilities: r.Capabilities,
		CreatedAt: clock.Stamp(r.CreatedAt), UpdatedAt: clock.Stamp(r.UpdatedAt)}
	if !r.VerifiedAt.IsZero() {
		at := clock.Stamp(r.VerifiedAt)
		c.VerifiedAt = &at
	}
	return c
}

// get reads a connection of a team; NOT_FOUND when it is revoked or there is none.
func (s *Service) get(ctx context.Context, ws, id string) (row, error) {
	id, err := lookup.ID("id", id)
	if err != nil {
		return row{}, err
	}
	it, err := s.d.Records.Get(ctx, rowKey(ws, id))
	if errors.Is(err, records.ErrNotFound) || ws == "" {
		return row{}, notFound()
	}
	if err != nil {
		return row{}, err
	}
	return decode(it)
}

// eligible refuses while the feature is off and for a plan without it.
func (s *Service) eligible(ctx context.Context) (account.Principal, error) {
	p := account.From(ctx)
	if !s.on() {
		return p, off()
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return p, err
	}
	if !limits.ModelConnections {
		return p, fault.New(fault.Forbidden, "Model connections belong to teams: the plan %s has none. Move to the plan team.", p.Plan).
			With("currentPlan", string(p.Plan))
	}
	return p, nil
}

// administering is eligible for those who may change connections.
func (s *Service) administering(ctx context.Context) (account.Principal, error) {
	p, err := s.eligible(ctx)
	if err == nil && !p.Administers() {
		err = fault.New(fault.Forbidden, "Only owners and admins of the team change its model connections. Ask one of them.")
	}
	return p, err
}

// List pages through the active connections of the caller's team, newest first;
// cursor is the id that the page before ended with, empty for the first.
func (s *Service) List(ctx context.Context, cursor string) (Page, error) {
	p, err := s.eligible(ctx)
	if err != nil {
		return Page{}, err
	}
	all, err := s.all(ctx, p.Workspace)
	if err != nil {
		return Page{}, err
	}
	if cursor != "" {
		last, err := s.position(ctx, p.Workspace, cursor)
		if err != nil {
			return Page{}, err
		}
		all = slices.DeleteFunc(all, func(r row) bool { return newestFirst(r, last) <= 0 })
	}
	out := Page{Connections: []Connection{}}
	for _, r := range all {
		if r.State != active {
			continue
		}
		if len(out.Connections) == pageSize {
			last := out.Connections[pageSize-1].ID
			out.NextCursor = &last
			break
		}
		out.Connections = append(out.Connections, r.view())
	}
	return out, nil
}

// all reads the connections of a team that are not revoked, newest first; there
// are at most maxConnections.
func (s *Service) all(ctx context.Context, ws string) ([]row, error) {
	var out []row
	query := records.Query{PK: pkOf(ws), Prefix: prefixRow}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			r, err := decode(it)
			if err != nil {
				return nil, err
			}
			out = append(out, r)
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			break
		}
	}
	slices.SortFunc(out, newestFirst)
	return out, nil
}

func newestFirst(a, b row) int {
	if c := b.CreatedAt.Compare(a.CreatedAt); c != 0 {
		return c
	}
	return strings.Compare(b.ID, a.ID)
}

// position finds where a page ended, also when that connection was revoked since.
func (s *Service) position(ctx context.Context, ws, cursor string) (row, error) {
	id, err := lookup.ID("cursor", cursor)
	if err != nil {
		return row{}, err
	}
	items, err := s.d.Records.BatchGet(ctx, []records.Key{rowKey(ws, id), revokedKey(ws, id)})
	if err != nil {
		return row{}, err
	}
	if len(items) == 0 {
		return row{}, fault.New(fault.Validation, "cursor is none of ours; pass the nextCursor of the page before, or leave it out.").With("field", "cursor")
	}
	return decode(items[0])
}
