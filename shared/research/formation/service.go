package formation

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Deps is what a Service works with.
type Deps struct {
	Records   records.Store
	Clock     clock.Clock
	IDs       clock.IDs
	Accounts  *account.Service
	Minds     *mind.Service
	Audiences *audience.Service
	Jobs      *jobs.Service
	// Answerers gives who is asked what no profile tells; nil: Respondents.
	Answerers   mind.Answerers
	Respondents simulate.Respondents
	Log         *slog.Logger
}

// Service is what one can do with Formations.
type Service struct {
	d    Deps
	once *idempotency.Table
}

// New makes a Service.
func New(d Deps) *Service {
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	return &Service{d: d, once: idempotency.New(d.Records, idempotency.Options{Clock: d.Clock, IDs: d.IDs})}
}

// notFound is one text for an Audience that the caller cannot see and for a
// Formation that is missing, deleted or somebody else's.
func notFound() *fault.Error { return fault.New(fault.NotFound, "Formation not found") }

// seen is an Audience with what the caller is to it.
type seen struct {
	audience.Audience
	role    audience.Role
	account string
}

// collaborates reports who makes Formations that all see (M-157, M-2): everybody
// but those who only see what is public.
func (a seen) collaborates() bool { return a.role.Reaches(audience.TeamMember) }

func (a seen) sees(visibility, createdBy string) bool {
	return visibility == Shared || createdBy == a.account
}

func (a seen) mutates(visibility, createdBy string) bool {
	return createdBy == a.account || visibility == Shared && a.role.Reaches(audience.RoleMember)
}

// audience reads the Audience as the caller sees it.
func (s *Service) audience(ctx context.Context, id string) (seen, error) {
	a, err := s.d.Audiences.Access(ctx, strings.ToLower(strings.TrimSpace(id)), audience.PublicViewer)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return seen{}, notFound()
	}
	if err != nil {
		return seen{}, err
	}
	return seen{Audience: a, role: audience.RoleOf(ctx, a), account: account.From(ctx).Account}, nil
}

// load reads a Formation of an Audience that the caller may see.
func (s *Service) load(ctx context.Context, audienceID, id string) (seen, record, error) {
	a, err := s.audience(ctx, audienceID)
	if err != nil {
		return seen{}, record{}, err
	}
	r, err := s.get(ctx, a.Workspace, strings.ToLower(strings.TrimSpace(id)))
	if errors.Is(err, records.ErrNotFound) || errors.Is(err, records.ErrInvalid) {
		return seen{}, record{}, notFound()
	}
	if err != nil {
		return seen{}, record{}, err
	}
	if !r.DeletedAt.IsZero() || r.AudienceID != a.ID || !a.sees(r.Visibility, r.CreatedBy) {
		return seen{}, record{}, notFound()
	}
	return a, r, nil
}

func (s *Service) get(ctx context.Context, workspace, id string) (record, error) {
	it, err := s.d.Records.Get(ctx, recordKey(workspace, id))
	if err != nil {
		return record{}, err
	}
	r := record{version: it.Version}
	return r, json.Unmarshal(it.Body, &r)
}

// Get reads one Formation whole. NOT_FOUND for what the caller may not see.
func (s *Service) Get(ctx context.Context, audienceID, id string) (Detail, error) {
	a, r, err := s.load(ctx, audienceID, id)
	if err != nil {
		return Detail{}, err
	}
	out := Detail{Base: base(r.row(), a), Hypothesis: r.Hypothesis, Progress: r.Progress, Subgroups: []Subgroup{}, CreatedAt: stamp(r.CreatedAt), UpdatedAt: stamp(r.UpdatedAt)}
	it, err := s.d.Records.Get(ctx, bucketsKey(r.Workspace, r.ID))
	switch {
	case errors.Is(err, records.ErrNotFound):
	case err != nil:
		return Detail{}, err
	default:
		var b buckets
		if err := json.Unmarshal(it.Body, &b); err != nil {
			return Detail{}, err
		}
		out.Subgroups = b.Subgroups
	}
	return out, out.check(r.ID)
}

func base(r row, a seen) Base {
	b := Base{ID: r.ID, Name: r.Name, Status: r.Status, Source: r.Source, Visibility: r.Visibility, CanMutate: a.mutates(r.Visibility, r.CreatedBy), CreatedByUserID: r.CreatedBy}
	if r.DimensionKey != "" {
		b.DimensionKey = &r.DimensionKey
	}
	return b
}

func summary(r row, a seen) Summary {
	out := Summary{Base: base(r, a), Subgroups: r.Counts, CreatedAt: stamp(r.CreatedAt), UpdatedAt: stamp(r.UpdatedAt)}
	if out.Subgroups == nil {
		out.Subgroups = []CountedSubgroup{}
	}
	return out
}

// Delete takes a Formation away; its build, if one runs, comes to nothing. The
// record is kept as deleted.
func (s *Service) Delete(ctx context.Context, audienceID, id string) error {
	for range attempts {
		a, r, err := s.load(ctx, audienceID, id)
		if err != nil {
			return err
		}
		if !a.mutates(r.Visibility, r.CreatedBy) {
			return notFound()
		}
		was := r
		r.DeletedAt, r.UpdatedAt = s.d.Clock.Now(), s.d.Clock.Now()
		r.Job, r.Build = nil, ""
		actions, err := s.saved(r, was)
		if err != nil {
			return err
		}
		err = s.d.Records.Transact(ctx, "", append(actions, records.DeleteItem(bucketsKey(r.Workspace, r.ID)), records.DeleteItem(workKey(r.Workspace, r.ID)))...)
		if !lost(err) {
			return err
		}
	}
	return records.ErrConflict
}

// attempts bounds how often a change meets a faster writer.
const attempts = 16

// lost reports that the record, the first action, was changed by somebody else.
func lost(err error) bool {
	var c *records.CanceledError
	return errors.As(err, &c) && c.Failed(0)
}

// saved are the actions that replace a stored Formation by r: its record first,
// its list row, the mark of a build that runs and the row of its job.
func (s *Service) saved(r, was record) ([]records.Action, error) {
	cond := records.NotExists()
	if was.version > 0 {
		cond = records.VersionIs(was.version)
	}
	body, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	actions := []records.Action{records.PutItem(records.Item{Key: recordKey(r.Workspace, r.ID), Body: body}, cond)}
	if r.DeletedAt.IsZero() {
		line, err := json.Marshal(r.row())
		if err != nil {
			return nil, err
		}
		actions = append(actions, records.PutItem(records.Item{Key: listKey(r), Body: line}))
	} else {
		actions = append(actions, records.DeleteItem(listKey(r)))
	}
	if was.Build != "" && was.Build != r.Build {
		actions = append(actions, records.DeleteItem(buildingKey(was)))
	}
	if r.Build != "" && was.Build != r.Build {
		actions = append(actions, records.PutItem(records.Item{Key: buildingKey(r), Body: []byte("{}")}))
	}
	if was.Job != nil && (r.Job == nil || r.Job.ID != was.Job.ID) {
		actions = append(actions, s.d.Jobs.Discard(*was.Job))
	}
	if r.Job != nil && (was.Job == nil || r.Job.ID != was.Job.ID) {
		actions = append(actions, s.d.Jobs.Open(*r.Job))
	}
	return actions, nil
}
