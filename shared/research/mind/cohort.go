package mind

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// CohortChunk is how many members one transaction writes, with room for 25
// actions of the caller.
const CohortChunk = 25

// Cohort is where members are made for.
type Cohort struct {
	AudienceID string
	Evidence   *blobs.Ref // what every member answers from beside its own knowledge; nil: nothing
	NoPortrait bool       // no pictures are drawn
}

// CohortMember is a Mind that a cohort needs. The caller reserved its id and its
// home slot, and counted it (account.Hold).
type CohortMember struct {
	ID             string
	Name           string
	Discipline     string
	Description    string
	PersonaContext string
	Identity       Identity
	Slot           int64
}

// CohortRows are the actions that make at most CohortChunk members of the
// caller: each has a working prompt at once, written by rules, and its training
// queued behind it (M-23, M-47). They are refused as a whole when one of them is
// there already. After the commit StartTraining starts what they queue.
func (s *Service) CohortRows(ctx context.Context, of Cohort, members []CohortMember) ([]records.Action, error) {
	if len(members) > CohortChunk {
		return nil, fmt.Errorf("mind: %d members in one transaction, at most %d", len(members), CohortChunk)
	}
	p := account.From(ctx)
	now := s.d.Clock.Now()
	actions := make([]records.Action, 0, 3*len(members))
	for _, c := range members {
		m, err := c.mind(p, of, now)
		if err != nil {
			return nil, err
		}
		j := s.job(m, Machine, CohortTrainingTime)
		m.Training.JobID = j.ID
		two, err := rows(m, records.NotExists())
		if err != nil {
			return nil, err
		}
		actions = append(append(actions, two...), s.d.Jobs.Open(j))
	}
	return actions, nil
}

// CohortTrainingTime is the longest that a member of a cohort may wait for its
// training and be in it: hundreds are queued at once.
const CohortTrainingTime = 6 * time.Hour

// mind is the record of a member.
func (c CohortMember) mind(p account.Principal, of Cohort, now time.Time) (Mind, error) {
	id := c.Identity
	m := Mind{
		ID: c.ID, Owner: p.Account, Workspace: p.Workspace,
		Name: clipRunes(c.Name, 100), Description: clipRunes(c.Description, maxDescription), Type: "user", Discipline: clipRunes(c.Discipline, maxDiscipline),
		Mode: ModeClone, SourcePolicy: PolicyAuto, PersonaContext: clipRunes(c.PersonaContext, maxPersona),
		Identity: &id, NoPortrait: of.NoPortrait, Slot: c.Slot, AudienceID: of.AudienceID, Evidence: of.Evidence,
		CreateKey: c.ID, CreatedAt: now, UpdatedAt: now,
	}
	m.PersonaContext = m.Identity.Hold(m.PersonaContext)
	prompt, err := promptOf(m, Known{}, nil)
	if err != nil {
		return Mind{}, err
	}
	m.install(prompt)
	// It answers already; the training behind it is one that keeps it answering.
	m.Training = TrainingState{Status: Queued, Kind: Refreshing, QueuedAt: now, Message: "Ready. Waiting to be trained further."}
	return m, nil
}

func clipRunes(s string, limit int) string {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return strings.TrimSpace(string([]rune(s)[:limit]))
}

// starting bounds how many trainings are started at once.
const starting = 8

// StartTraining starts the queued trainings of Minds. What fails is logged, and
// the sweeper starts it.
func (s *Service) StartTraining(ctx context.Context, ids []string) error {
	minds, err := s.GetMany(ctx, ids)
	if err != nil {
		return err
	}
	var g errgroup.Group
	g.SetLimit(starting)
	for _, m := range minds {
		if m.Training.Status != Queued {
			continue
		}
		g.Go(func() error {
			_ = s.d.Jobs.Start(ctx, s.jobOf(m, m.Training.JobID, Machine, CohortTrainingTime))
			return nil
		})
	}
	return g.Wait()
}

// slotGroup is how many neighbouring home slots are drawn together (simulate).
const slotGroup = 8

// SlotRange finds n neighbouring home slots of the caller for a cohort, beginning
// where the engine begins a group, so that its draws are even. The action takes
// them; it is refused when somebody was quicker, and the caller asks again.
func (s *Service) SlotRange(ctx context.Context, n int) (first int64, take records.Action, err error) {
	p := account.From(ctx)
	next, err := s.nextSlot(ctx, p)
	if err != nil {
		return 0, records.Action{}, err
	}
	first = (next + slotGroup - 1) / slotGroup * slotGroup
	end := first + int64(n)
	return first, records.AddTo(slotKey(p.Workspace, p.Account), records.Delta{By: end - next, Floor: records.Bound(end), Ceil: records.Bound(end)}), nil
}
