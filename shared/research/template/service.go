package template

import (
	"context"
	"errors"
	"io"
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
	"github.com/mindgate-dev/mindgate/shared/research/studydraft"
)

// Deps is what a Service works with. A nil Log discards; Files nil: nothing can be
// shown but addresses of the web.
type Deps struct {
	Records    records.Store
	Blobs      blobs.Store
	Clock      clock.Clock
	IDs        clock.IDs
	Accounts   *account.Service
	Snapshots  *snapshot.Store
	Drafts     *studydraft.Service
	Files      Files
	Check      func(rawURL string) error // refuses an address of the web that will never be asked for; nil: all are taken
	ReplyBytes int                       // most JSON that one reply may hold; 0 is 3 MiB
	Log        *slog.Logger
}

// Files are what a caller keeps here for a time.
type Files interface {
	// Ours tells whether an address names one.
	Ours(address string) bool
	// Open gives its bytes; NOT_FOUND when its time is over.
	Open(ctx context.Context, address string) (in io.ReadCloser, mediaType string, stored bool, err error)
	// Place takes in a file as if its owner had brought it, and gives its path.
	Place(ctx context.Context, name, mediaType string, in io.Reader) (path string, err error)
}

// Service is what one can do with templates. Each method acts for the principal of
// its context.
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

func none() error { return fault.New(fault.NotFound, "No Study template with this id.") }

// find reads a template that the caller sees: an own one, or one that a teammate
// shares. Another workspace's does not exist (M-3).
func (s *Service) find(ctx context.Context, id string) (row, error) {
	id, err := lookup.ID("templateId", id)
	if err != nil {
		return row{}, err
	}
	p := account.From(ctx)
	it, err := s.d.Records.Get(ctx, templateKey(p.Workspace, id))
	if errors.Is(err, records.ErrNotFound) || p.Workspace == "" {
		return row{}, none()
	}
	if err != nil {
		return row{}, err
	}
	r, err := decode(it)
	if err == nil && r.Owner != p.Account && !r.Shared {
		return row{}, none()
	}
	return r, err
}

// own is find for who may change a template: its owner alone.
func (s *Service) own(ctx context.Context, id string) (row, error) {
	r, err := s.find(ctx, id)
	if err == nil && r.Owner != account.From(ctx).Account {
		return row{}, none()
	}
	return r, err
}

// sharing tells whether the caller's plan shares with teams.
func (s *Service) sharing(ctx context.Context) (bool, error) {
	l, err := s.d.Accounts.Limits(ctx)
	return l.TeamSharing, err
}

// Get reads one template whole. NOT_FOUND.
func (s *Service) Get(ctx context.Context, id string) (Template, error) {
	t, _, err := s.get(ctx, id)
	return t, err
}

func (s *Service) get(ctx context.Context, id string) (Template, row, error) {
	sharing, err := s.sharing(ctx)
	if err != nil {
		return Template{}, row{}, err
	}
	for range tries {
		r, err := s.find(ctx, id)
		if err != nil {
			return Template{}, row{}, err
		}
		raw, err := s.d.Snapshots.Read(ctx, r.Configuration)
		if errors.Is(err, snapshot.ErrGone) {
			continue // saved anew or deleted meanwhile
		}
		return r.view(account.From(ctx).Account, sharing, raw), r, err
	}
	return Template{}, row{}, records.ErrConflict
}
