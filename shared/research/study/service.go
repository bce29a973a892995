package study

import (
	"context"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Service is the domain of Studies. Every method acts for the principal of its
// context and sees only that tenant; another tenant's id does not exist (M-3).
type Service struct {
	d    Deps
	once *idempotency.Table
}

// Deps is what a Service works with. A nil Log discards; nothing else may be
// nil, but Leases, Answerers, Brought, and Guard, without which every address is refused.
type Deps struct {
	Records     records.Store
	Blobs       blobs.Store
	Clock       clock.Clock
	IDs         clock.IDs
	Accounts    *account.Service
	Minds       Minds
	Audiences   Audiences
	Leases      Leases // nil: Audiences are never changed under a run
	Jobs        *jobs.Service
	Respondents simulate.Respondents // answers where no model connection is named
	Answerers   mind.Answerers       // gives who answers through one; nil: connections are off
	Guard       AddressGuard
	Brought     Brought // reads attachments; nil: there can be none
	// Behind are those who remove what they keep of a deleted Study; nil: nobody.
	Behind func() []Follower
	// Planned gives the items of planned runs to analytics; nil: there are none.
	Planned    func() Planned
	PublicURL  string // without a trailing slash
	ReplyBytes int    // most JSON that one reply may hold; 0 is 3 MiB
	Log        *slog.Logger
}

// Planned gives the items of settled planned runs in the form of questions.
type Planned interface {
	Items(ctx context.Context, studyID string) ([]OutlineQuestion, error)
	// Figures gives items one after the other; what is used is not kept.
	Figures(ctx context.Context, studyID string, ids []string, use func(Settled) error) error
}

// Minds gives Minds and what they answer from.
type Minds interface {
	// GetMany reads Minds in the order of ids; what is not visible is left out.
	GetMany(ctx context.Context, ids []string) ([]mind.Mind, error)
	// Respondents gives the Minds as the engine needs them, in the order of ids.
	Respondents(ctx context.Context, ids []string) ([]simulate.Respondent, error)
}

// Audiences gives Audiences, and drafts of new ones for a transaction of ours.
type Audiences interface {
	GetMany(ctx context.Context, ids []string) ([]audience.Audience, error)
	Draft(ctx context.Context, name string, mindIDs []string) (audience.Audience, []records.Action, error)
	// Weights gives the members' weights by id where they do not all count alike
	// (M-127); nil where they do.
	Weights(ctx context.Context, a audience.Audience) (map[string]float64, error)
}

// AddressGuard decides whether a caller's address may be fetched at all
// (UNSAFE_URL if not); it fetches nothing.
type AddressGuard interface {
	CheckAddress(ctx context.Context, rawURL string) error
}

// by gives who answers a question: the one revision of a connection that is pinned
// to it, and nobody else in its place (M-301), or the offline engine.
func (s *Service) by(ctx context.Context, pinned *ModelConnection) (simulate.Respondents, error) {
	switch {
	case pinned == nil:
		return s.d.Respondents, nil
	case s.d.Answerers == nil:
		return nil, fault.New(fault.FeatureDisabled, "Model connections are switched off here. Leave modelConnection out: the offline respondent engine answers.")
	}
	return s.d.Answerers.For(ctx, &mind.ConnectionRef{ID: pinned.ID, Revision: int(pinned.Revision)})
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}
