package lookup

import (
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Owned reads records of one kind for the caller in the context, under the one
// rule of tenancy (M-3).
type Owned[T any] struct {
	Records records.Store
	Kind    string // as callers read it: "Mind", "Audience"
	Key     func(workspace, id string) records.Key
	Decode  func(records.Item) (T, error)
	Owner   func(T) string // account that the record belongs to
}

// Get reads one; field names the argument that the id came in. NOT_FOUND for
// what is not there, in whatever tenant; FORBIDDEN for one of another member of
// the caller's workspace.
func (o Owned[T]) Get(ctx context.Context, field, id string) (T, error) {
	var none T
	id, err := ID(field, id)
	if err != nil {
		return none, err
	}
	p := account.From(ctx)
	it, err := o.Records.Get(ctx, o.Key(p.Workspace, id))
	if errors.Is(err, records.ErrNotFound) {
		return none, fault.New(fault.NotFound, "No %s with this id.", o.Kind)
	}
	if err != nil {
		return none, err
	}
	v, err := o.Decode(it)
	if err != nil {
		return none, err
	}
	if o.Owner(v) != p.Account {
		return none, fault.New(fault.Forbidden, "This %s belongs to another member of your workspace, who has not shared it.", o.Kind)
	}
	return v, nil
}

// GetMany reads many in the order of ids, in one strongly consistent read for up
// to 1,000; what the caller cannot see is left out.
func (o Owned[T]) GetMany(ctx context.Context, field string, ids []string) ([]T, error) {
	p := account.From(ctx)
	out := make([]T, 0, len(ids))
	for chunk := range slices.Chunk(ids, records.MaxBatchGet) {
		keys := make([]records.Key, 0, len(chunk))
		for _, raw := range chunk {
			id, err := ID(field, raw)
			if err != nil {
				return nil, err
			}
			keys = append(keys, o.Key(p.Workspace, id))
		}
		items, err := o.Records.BatchGet(ctx, keys)
		if err != nil {
			return nil, err
		}
		for _, it := range items {
			v, err := o.Decode(it)
			if err != nil {
				return nil, err
			}
			if o.Owner(v) == p.Account {
				out = append(out, v)
			}
		}
	}
	return out, nil
}
