package knowledge

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// Deps is what a Service works with.
type Deps struct {
	Records   records.Store
	Blobs     blobs.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Jobs      *jobs.Service
	Minds     *mind.Service
	Library   *Library
	PublicURL string
	Log       *slog.Logger
}

// Service is what one can do with knowledge.
type Service struct{ d Deps }

// New makes a Service.
func New(d Deps) *Service { return &Service{d: d} }

// MaxFileBytes is the ceiling of one knowledge file.
const MaxFileBytes = 50 << 20

var errStub = fault.New(fault.Internal, "not built yet")

// AddFile stores one file and queues its ingestion.
func (s *Service) AddFile(ctx context.Context, r AddFileRequest) (Item, error) {
	return Item{}, errStub
}

// AddJSON answers a JSON body ({file} | {keywords} | {link}): none of them can
// be processed yet, and the refusal says what can.
func (s *Service) AddJSON(ctx context.Context, mindID string, body json.RawMessage) error {
	return errStub
}

// List pages through the items of a Mind, newest first, with the total.
func (s *Service) List(ctx context.Context, mindID string, limit, offset int) ([]Item, int, error) {
	return nil, 0, errStub
}

// Status reads one item's ingestion.
func (s *Service) Status(ctx context.Context, mindID, itemID string) (Status, error) {
	return Status{}, errStub
}

// Ingest is the step of the ingestion machine.
func (s *Service) Ingest(ctx context.Context, mindID, itemID, jobID string) error { return errStub }

// Fail settles an ingestion as failed with a reason that callers may read.
func (s *Service) Fail(ctx context.Context, mindID, itemID, jobID, reason string) error {
	return errStub
}

// Expire settles an ingestion that is past its deadline.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error { return errStub }

// Library reads parsed content, once per digest.
type Library struct{}

// NewLibrary makes a Library over the stores.
func NewLibrary(store records.Store, files blobs.Store) *Library { return &Library{} }

// Load gives what the references point to.
func (l *Library) Load(ctx context.Context, workspace string, refs []mind.KnowledgeRef) (mind.Known, error) {
	return mind.Known{}, nil
}
