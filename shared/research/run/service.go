package run

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Service is the domain of planned runs. Every method acts for the principal of its
// context and sees only that tenant (M-3).
type Service struct {
	d     Deps
	once  *idempotency.Table
	kept  memory
	calls gates
}

// Deps is what a Service works with. Leases, Calculate and Log may be nil: then
// Audiences never change under a run, and what computes is skipped and says so.
type Deps struct {
	Records  records.Store
	Blobs    blobs.Store
	Clock    clock.Clock
	IDs      clock.IDs
	Accounts *account.Service
	Jobs     *jobs.Service
	Studies  Studies
	Minds    Minds
	Drafts   Drafts
	Leases   study.Leases
	// Formations may be nil: then comparisons of segments know Audiences only.
	Formations Formations
	Calculate  func(id string, configuration json.RawMessage, in method.Answers) (method.Calculation, error)
	PublicURL  string
	// AtOnce bounds the Minds of one chunk that the offline engine answers for at once;
	// 0 is 8.
	AtOnce int
	// CallsAtOnce bounds the answers that one model connection gives at once, over all
	// runs of this process; 0 is 50.
	CallsAtOnce int
	// ReplyBytes is the most that one reply may hold; 0 is 4 MiB (M-326).
	ReplyBytes int64
	Log        *slog.Logger
}

// Studies gives Studies, who they ask, who answers and what is shown.
type Studies interface {
	Visible(ctx context.Context, studyID string) (id string, err error)
	Enrol(ctx context.Context, studyID string, audienceIDs []string) (study.Roll, error)
	Answerer(ctx context.Context, pinned *study.ModelConnection) (simulate.Respondents, error)
	Look(ctx context.Context, assets []study.Asset) ([]study.Shown, error)
	Show(ctx context.Context, by simulate.Respondents, q simulate.Question, pictures []study.Shown) (simulate.Question, error)
}

// Minds gives Minds and what they answer from.
type Minds interface {
	GetMany(ctx context.Context, ids []string) ([]mind.Mind, error)
	RespondentsOf(ctx context.Context, minds []mind.Mind) ([]simulate.Respondent, error)
}

// Drafts are the plans that can be confirmed.
type Drafts interface {
	// Latest reads a draft of a Study at its newest revision; NOT_FOUND.
	Latest(ctx context.Context, studyID, draftID string) (Draft, error)
	// Confirm gives the actions that make the draft the plan of a run, refused when
	// it is no longer at this revision or was confirmed meanwhile.
	Confirm(ctx context.Context, d Draft, runID string) ([]records.Action, error)
}

// Draft is one draft at its newest revision. RunID is the run that it was confirmed
// for; empty while it was not.
type Draft struct {
	ID, StudyID string
	Revision    int
	RunID       string
	Plan        json.RawMessage
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.AtOnce <= 0 {
		d.AtOnce = 8
	}
	if d.CallsAtOnce <= 0 {
		d.CallsAtOnce = 50
	}
	if d.ReplyBytes <= 0 {
		d.ReplyBytes = 4 << 20
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}

// memory keeps what never changes of the runs that this process works on.
type memory struct {
	mu   sync.Mutex
	runs map[string]*known
	turn []string // oldest first
}

// known is what never changes of a run, and what this process saw of it last.
type known struct {
	exec   *execution
	roll   *study.Roll
	recent *recent
}

// maxKnown is how many runs a process keeps at hand.
const maxKnown = 4

func (m *memory) get(id string) (known, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k, ok := m.runs[id]
	if !ok {
		return known{}, false
	}
	return *k, true
}

func (m *memory) put(id string, k known) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.runs == nil {
		m.runs = map[string]*known{}
	}
	if _, ok := m.runs[id]; !ok {
		if m.turn = append(m.turn, id); len(m.turn) > maxKnown {
			delete(m.runs, m.turn[0])
			m.turn = m.turn[1:]
		}
	}
	m.runs[id] = &k
}
