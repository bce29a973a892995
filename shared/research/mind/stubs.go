package mind

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var errStub = fault.New(fault.Internal, "not built yet")

type lanes struct{}

// New makes a Service.
func New(d Deps) *Service { return &Service{d: d, order: &lanes{}} }

// Create makes a Mind.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	return Created{}, errStub
}

// Get reads a Mind of the caller; NOT_FOUND for what is not there or in another tenant.
func (s *Service) Get(ctx context.Context, id string) (Mind, error) { return Mind{}, errStub }

// GetMany reads Minds in the order of ids; what is not visible is left out.
func (s *Service) GetMany(ctx context.Context, ids []string) ([]Mind, error) { return nil, errStub }

// List pages through the caller's Minds, newest first, with the total.
func (s *Service) List(ctx context.Context, limit, offset int) ([]Summary, int, error) {
	return nil, 0, errStub
}

// Find gives the Mind whose name fits best among the newest 1,000 (M-310).
func (s *Service) Find(ctx context.Context, name string) (Mind, error) { return Mind{}, errStub }

// Resolve takes an id, a name, or both; the id wins and the name must fit it.
func (s *Service) Resolve(ctx context.Context, id, name string) (Mind, error) { return Mind{}, errStub }

// Summary, Detail and TrainingOf give a Mind as callers see it.
func (s *Service) Summary(m Mind) Summary { return Summary{} }

// Detail gives a Mind with its owner's fields.
func (s *Service) Detail(m Mind) Detail { return Detail{} }

// TrainingOf gives the training state.
func (s *Service) TrainingOf(m Mind) Training { return Training{} }

// URL is the address of a Mind.
func (s *Service) URL(id string) string { return s.d.PublicURL + "/api/v1/minds/" + id }

// ListURL is the address of the caller's Minds.
func (s *Service) ListURL() string { return s.d.PublicURL + "/api/v1/minds" }

// RegeneratePrompt rebuilds the system prompt from the profile and the knowledge.
func (s *Service) RegeneratePrompt(ctx context.Context, id, personaContextOverride string) (Prompted, error) {
	return Prompted{}, errStub
}

// Chat answers one message.
func (s *Service) Chat(ctx context.Context, r ChatRequest) (ChatReply, error) {
	return ChatReply{}, errStub
}

// Respondents gives the Minds as the respondent engine needs them, in the order
// of ids; NOT_FOUND when one is not visible.
func (s *Service) Respondents(ctx context.Context, ids []string) ([]simulate.Respondent, error) {
	return nil, errStub
}

// Change applies change to the stored Mind and commits the record, its list row
// and extra in one transaction; it tries again when somebody else was quicker.
func (s *Service) Change(ctx context.Context, id string, change func(*Mind) error, extra func(Mind) ([]records.Action, error)) (Mind, error) {
	return Mind{}, errStub
}

// Collect, Prompt and Fail are the steps of the training machine.
func (s *Service) Collect(ctx context.Context, mindID, jobID string) error { return errStub }

// Prompt is the second step.
func (s *Service) Prompt(ctx context.Context, mindID, jobID string) error { return errStub }

// Fail settles a training as failed.
func (s *Service) Fail(ctx context.Context, mindID, jobID, code string) error { return errStub }

// Expire settles a training that is past its deadline.
func (s *Service) Expire(ctx context.Context, j jobs.Job) error { return errStub }
