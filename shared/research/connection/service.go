package connection

import (
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
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
type Service struct {
	d      Deps
	read   readings
	pruned pruned
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d}
}

var _ mind.Answerers = (*Service)(nil)

// on reports whether there are connections at all on this gateway.
func (s *Service) on() bool { return s.d.Enabled && s.d.Vault != nil && s.d.Open != nil }

// Enabled reports whether the feature is on: only then the tool is listed (M-302).
func (s *Service) Enabled() bool { return s.on() }
