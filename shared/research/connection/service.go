package connection

import (
	"context"
	"errors"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/secrets"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Deps is what a Service works with. A nil Log discards. Without Vault or Open
// nothing can be added; without Enabled every operation is FEATURE_DISABLED.
type Deps struct {
	Enabled  bool // MINDGATE_MODEL_CONNECTIONS
	Records  records.Store
	Clock    clock.Clock
	IDs      clock.IDs
	Accounts *account.Service
	Vault    secrets.Vault
	Guard    *fetch.Guard
	Open     model.Opener
	// Answer makes respondents of a model.
	Answer func(model.Client) simulate.Respondents
	// Platform is the model of the installation, which answers when nobody names
	// a connection; nil: Offline does.
	Platform model.Client
	Offline  simulate.Respondents
	Log      *slog.Logger
}

// Service is what one can do with connections. Each method acts for the
// principal of its context and sees only that team's.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

var _ mind.Answerers = (*Service)(nil)

var errUnbuilt = errors.New("connection: not built yet")

func off() *fault.Error {
	return fault.New(fault.FeatureDisabled, "Model connections are switched off on this gateway. Leave modelConnection out.")
}

// List pages through the active connections of the caller's team; cursor is the
// id that the page before ended with, empty for the first.
func (s *Service) List(ctx context.Context, cursor string) (Page, error) { return Page{}, errUnbuilt }

// Create adds a connection.
func (s *Service) Create(ctx context.Context, c Create) (Connection, error) {
	return Connection{}, errUnbuilt
}

// Update changes a connection.
func (s *Service) Update(ctx context.Context, id string, c Change) (Connection, error) {
	return Connection{}, errUnbuilt
}

// Verify probes the current revision and keeps what was seen.
func (s *Service) Verify(ctx context.Context, id string) (Connection, Verification, error) {
	return Connection{}, Verification{}, errUnbuilt
}

// Delete revokes a connection for good.
func (s *Service) Delete(ctx context.Context, id string) error { return errUnbuilt }

// Select opens the model of a connection at exactly this revision:
// FEATURE_DISABLED, MODEL_CONNECTION_STALE, MODEL_CONNECTION_UNVERIFIED. The
// client looks before each call whether the connection still stands so.
func (s *Service) Select(ctx context.Context, ref mind.ConnectionRef) (model.Client, error) {
	return nil, errUnbuilt
}

// For gives who answers: the model of a connection, or without one the model of
// the installation, or the offline engine.
func (s *Service) For(ctx context.Context, ref *mind.ConnectionRef) (simulate.Respondents, error) {
	switch {
	case ref == nil:
		return s.d.Offline, nil
	case !s.d.Enabled:
		return nil, off()
	}
	return nil, errUnbuilt
}
