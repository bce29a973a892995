package study

import (
	"context"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Service is the domain of Studies. Every method acts for the principal of its
// context and sees only that tenant; another tenant's id does not exist (M-3).
type Service struct{}

var errSoon = fault.New(fault.Internal, "Studies are being built.")

// Create makes a Study with its Audiences, all or nothing. The same key (24 h)
// or, without one, the same arguments (15 min) give the earlier Study back.
// VALIDATION, NOT_FOUND, PLAN_LIMIT (flows, audiences, audienceMembers),
// IDEMPOTENCY_CONFLICT.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Created, error) {
	return Created{}, errSoon
}

// List pages through the caller's Studies, newest first, and tells how many
// there are. limit is 1..100.
func (s *Service) List(ctx context.Context, limit, offset int) ([]Study, int, error) {
	return nil, 0, errSoon
}

// Find gives the one closest name among the newest 1,000; NOT_FOUND if none is
// close enough (M-310, M-311).
func (s *Service) Find(ctx context.Context, name string) (Study, error) { return Study{}, errSoon }

// Resolve takes an id, a name or both; the id wins and a name that does not fit
// it is refused (M-310).
func (s *Service) Resolve(ctx context.Context, id, name string) (Study, error) {
	return Study{}, errSoon
}

// Get reads a Study with its Audiences, their Minds and its transcript.
func (s *Service) Get(ctx context.Context, id string) (Detail, error) { return Detail{}, errSoon }

// Ask accepts one question as a durable run, or declines it with
// PlanningRequired. Nothing is written before every check has passed (M-89).
func (s *Service) Ask(ctx context.Context, r AskRequest) (Asked, error) { return Asked{}, errSoon }

// Runs pages through the runs of a Study, newest first. limit is 1..100; cursor
// is empty for the first page and comes back empty after the last.
func (s *Service) Runs(ctx context.Context, studyID string, limit int, cursor string) ([]Run, string, error) {
	return nil, "", errSoon
}

// Run reads one run by its id.
func (s *Service) Run(ctx context.Context, runID string) (Run, error) { return Run{}, errSoon }

// RunEvents replays the events of a run after a sequence number; next is nil on
// the last page. limit is 1..500.
func (s *Service) RunEvents(ctx context.Context, runID string, after, limit int) (events []RunEvent, next *int, err error) {
	return nil, nil, errSoon
}

// Answers gives the individual answers of one question by its message id.
// preview leaves out the texts beyond the first answers of each Audience.
func (s *Service) Answers(ctx context.Context, studyID, messageID string, preview bool) (MessageAnswers, error) {
	return MessageAnswers{}, errSoon
}

// Status reads a Study with its questions' results; a questionID limits results
// and answers to that question.
func (s *Service) Status(ctx context.Context, studyID, questionID string) (Status, error) {
	return Status{}, errSoon
}

// Analytics computes the statistics over the settled questions of a Study.
func (s *Service) Analytics(ctx context.Context, studyID string) (Analytics, error) {
	return Analytics{}, errSoon
}

// Shared reads a link-shared Study without a credential: no owner, no links of
// the workspace. NOT_FOUND once sharing is off.
func (s *Service) Shared(ctx context.Context, shareID string) (Detail, error) {
	return Detail{}, errSoon
}
