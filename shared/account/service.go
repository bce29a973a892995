package account

import (
	"context"
	"crypto/rand"
	"io"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Service knows accounts, their keys, their plans and what they have used.
type Service struct {
	records records.Store
	clock   clock.Clock
	ids     clock.IDs
	random  io.Reader
	plans   Plans
	log     *slog.Logger
}

// Config is what a Service works with. Random is the source of key secrets;
// nil is the system's.
type Config struct {
	Records records.Store
	Clock   clock.Clock
	IDs     clock.IDs
	Plans   Plans
	Random  io.Reader
	Log     *slog.Logger // nil discards
}

// New makes a Service.
func New(c Config) *Service {
	if c.Random == nil {
		c.Random = rand.Reader
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{records: c.Records, clock: c.Clock, ids: c.IDs, random: c.Random, plans: c.Plans, log: c.Log}
}

// Limits gives what the caller's plan allows now (M-105: read at every call).
func (s *Service) Limits(ctx context.Context) (Limits, error) {
	return s.plans.Of(From(ctx).Plan), nil
}
