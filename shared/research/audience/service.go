package audience

import (
	"context"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Deps is what a Service works with.
type Deps struct {
	Records   records.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Accounts  *account.Service
	Minds     *mind.Service
	PublicURL string
	Log       *slog.Logger
}

// Service is what one can do with Audiences.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service { return &Service{d: d} }

var errStub = fault.New(fault.Internal, "not built yet")

// Create makes an Audience of existing Minds.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	return Created{}, errStub
}

// Draft checks an Audience and gives the actions that write it (record, list
// row, counter), for a transaction of the caller. Nothing is written.
func (s *Service) Draft(ctx context.Context, name string, mindIDs []string) (Audience, []records.Action, error) {
	return Audience{}, nil, errStub
}

// Get reads an Audience of the caller; NOT_FOUND for what is not there.
func (s *Service) Get(ctx context.Context, id string) (Audience, error) { return Audience{}, errStub }

// GetMany reads Audiences in the order of ids; what is not visible is left out.
func (s *Service) GetMany(ctx context.Context, ids []string) ([]Audience, error) { return nil, errStub }

// List pages through the caller's Audiences, most recently updated first, with
// the total.
func (s *Service) List(ctx context.Context, limit, offset int, includeMinds bool) ([]Summary, int, error) {
	return nil, 0, errStub
}

// Find gives the Audience whose name fits best among the newest 1,000 (M-310).
func (s *Service) Find(ctx context.Context, name string) (Audience, error) {
	return Audience{}, errStub
}

// Resolve takes an id, a name, or both; the id wins and the name must fit it.
func (s *Service) Resolve(ctx context.Context, id, name string) (Audience, error) {
	return Audience{}, errStub
}

// Summary gives an Audience as lists show it, with its members when asked.
func (s *Service) Summary(ctx context.Context, a Audience, includeMinds bool) (Summary, error) {
	return Summary{}, errStub
}

// Detail gives an Audience whole.
func (s *Service) Detail(ctx context.Context, id string) (Detail, error) { return Detail{}, errStub }

// ListURL is the address of the caller's Audiences.
func (s *Service) ListURL() string { return s.d.PublicURL + "/api/v1/audiences" }

// URL is the address of an Audience.
func (s *Service) URL(id string) string { return s.d.PublicURL + "/api/v1/audiences/" + id }
