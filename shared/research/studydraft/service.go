package studydraft

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/lookup"
	"github.com/mindgate-dev/mindgate/shared/research/snapshot"
)

// Deps is what a Service works with. A nil Log discards.
type Deps struct {
	Records    records.Store
	Clock      clock.Clock
	IDs        clock.IDs
	Snapshots  *snapshot.Store
	ReplyBytes int // most JSON that one reply may hold; 0 is 3 MiB
	Log        *slog.Logger
}

// Service is what one can do with drafts. Each method acts for the principal of its
// context, who sees no drafts but their own.
type Service struct {
	d    Deps
	once *idempotency.Table
}

// tries bounds how often a record may change under one call.
const tries = 20

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.ReplyBytes <= 0 {
		d.ReplyBytes = 3 << 20
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}

func (s *Service) now() time.Time { return s.d.Clock.Now().Truncate(time.Millisecond) }

func none() error { return fault.New(fault.NotFound, "No Study draft with this id.") }

// find reads a draft of the caller, tombstones included.
func (s *Service) find(ctx context.Context, id string) (row, error) {
	id, err := lookup.ID("draftId", id)
	if err != nil {
		return row{}, err
	}
	p := account.From(ctx)
	found, err := s.d.Records.BatchGet(ctx, []records.Key{activeKey(p.Workspace, p.Account, id), consumedKey(p.Workspace, p.Account, id)})
	if err != nil {
		return row{}, err
	}
	if len(found) == 0 {
		return row{}, none()
	}
	return decode(found[len(found)-1]) // a tombstone counts
}

// Get reads one draft whole, tombstones included. NOT_FOUND.
func (s *Service) Get(ctx context.Context, id string) (Draft, error) {
	for range tries {
		r, err := s.find(ctx, id)
		if err != nil {
			return Draft{}, err
		}
		payload, err := s.d.Snapshots.Read(ctx, r.Payload)
		if errors.Is(err, snapshot.ErrGone) {
			continue // saved anew or deleted meanwhile
		}
		return r.view(s.now(), payload), err
	}
	return Draft{}, records.ErrConflict
}

// change reads a draft, lets fn make the actions that change it, and commits them
// with what they refuse. It begins anew when somebody else was quicker. dropped are
// the blobs that nothing points to after the commit, waiting those that nothing
// points to without it.
func (s *Service) change(ctx context.Context, id string, fn func(r row) (c changed, err error)) error {
	for range tries {
		r, err := s.find(ctx, id)
		if err != nil {
			return err
		}
		c, err := fn(r)
		if errors.Is(err, snapshot.ErrGone) { // saved anew or deleted since it was read
			continue
		}
		if err != nil || len(c.actions) == 0 {
			return err
		}
		err = s.d.Records.Transact(ctx, "", c.actions...)
		var refused *records.CanceledError
		switch {
		case err == nil:
			s.d.Snapshots.Clear(ctx, c.dropped...)
			return nil
		case errors.As(err, &refused):
			s.d.Snapshots.Clear(ctx, c.written...)
		default:
			return err
		}
	}
	return records.ErrConflict
}

// changed is a transaction with the blobs that it takes and lets go.
type changed struct {
	actions          []records.Action
	written, dropped []blobs.Ref
}
