package formation

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// CreateRequest asks for a Formation of a reviewed hypothesis. Name is optional:
// the intent stands for it.
type CreateRequest struct {
	AudienceID string
	Name       string
	Hypothesis Hypothesis
}

// Create keeps a Formation and begins its build. An equal call of the same caller
// within 60 seconds gets the first one. INVALID_HYPOTHESIS, FORMATION_CAP,
// VALIDATION of the name, NOT_FOUND.
func (s *Service) Create(ctx context.Context, r CreateRequest) (Started, error) {
	a, err := s.audience(ctx, r.AudienceID)
	if err != nil {
		return Started{}, err
	}
	h, err := r.Hypothesis.checked()
	if err != nil {
		return Started{}, err
	}
	r.Name = strings.TrimSpace(r.Name)
	if n := utf8.RuneCountInString(r.Name); n > maxName {
		return Started{}, fault.New(fault.Validation, "name has %d characters; at most %d are taken.", n, maxName).With("field", "name")
	}
	if err := sortable(a); err != nil {
		return Started{}, err
	}
	p := account.From(ctx)
	call, err := idempotency.Derived(idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "create_formation"},
		map[string]any{"audience": a.ID, "name": r.Name, "hypothesis": h}, window)
	if err != nil {
		return Started{}, err
	}
	name := r.Name
	if name == "" {
		name = short(h.Intent, maxName)
	}
	made := s.fresh(a, name, Manual, "", h)
	done, err := s.once.Once(ctx, call, made.ID, func(row records.Action) error {
		actions, err := s.saved(made, record{})
		if err != nil {
			return err
		}
		return s.d.Records.Transact(ctx, "", append(actions, row)...)
	})
	if err != nil {
		return Started{}, err
	}
	if done.Replayed {
		if made, err = s.get(ctx, a.Workspace, done.Ref); err != nil {
			return Started{}, err
		}
		if !made.DeletedAt.IsZero() { // deleted within the minute: that one is gone
			return Started{}, notFound()
		}
		return Started{made.ID, made.Name, made.Status}, nil
	}
	_ = s.d.Jobs.Start(ctx, *made.Job) // else the sweeper does
	return Started{made.ID, made.Name, made.Status}, nil
}

// sortable refuses an Audience whose members cannot be sorted (M-154).
func sortable(a seen) error {
	if err := peopled(a); err != nil {
		return err
	}
	if n := len(a.MemberIDs); n > MaxMembers {
		return fault.New(fault.FormationCap, "This Audience has %d members; a Formation sorts at most %d. Split a smaller Audience.", n, MaxMembers).
			With("limit", MaxMembers).With("current", n)
	}
	return nil
}

// fresh is a new Formation with a build to be begun.
func (s *Service) fresh(a seen, name, source, dimension string, h Hypothesis) record {
	now := s.d.Clock.Now()
	r := record{ID: s.d.IDs.NewID(), AudienceID: a.ID, Workspace: a.Workspace, Owner: a.Owner, CreatedBy: a.account, Name: name, Source: source,
		DimensionKey: dimension, Visibility: Private, Hypothesis: h, CreatedAt: now}
	if a.collaborates() {
		r.Visibility = Shared
	}
	for range len(h.Subgroups) + 1 {
		r.BucketIDs = append(r.BucketIDs, s.d.IDs.NewID())
	}
	s.begin(&r, len(a.MemberIDs))
	return r
}

// begin gives a Formation a build of its own.
func (s *Service) begin(r *record, members int) {
	now := s.d.Clock.Now()
	r.Status, r.UpdatedAt, r.StartedAt, r.BeatAt = Building, now, now, now
	r.Progress = &Progress{Phase: Classify, Total: members}
	r.Build = s.d.IDs.NewID()
	r.Job = s.job(*r)
}

// job is one execution of the machine for a build. Its deadline is the build's,
// over all the executions that it takes.
func (s *Service) job(r record) *jobs.Job {
	id := s.d.IDs.NewID()
	input, _ := json.Marshal(map[string]string{"job": id, "workspace": r.Workspace, "account": r.Owner, "formation": r.ID}) // strings always encode
	return &jobs.Job{ID: id, Machine: Machine, Workspace: r.Workspace, Account: r.Owner, Input: input, QueuedAt: s.d.Clock.Now(), Deadline: r.StartedAt.Add(buildTime)}
}

// Recompute sorts the current members again. What was last completed stays
// readable until the new set is whole; a build that runs is joined (M-155).
func (s *Service) Recompute(ctx context.Context, audienceID, id string) (Started, error) {
	for range attempts {
		a, r, err := s.load(ctx, audienceID, id)
		if err != nil {
			return Started{}, err
		}
		if !a.mutates(r.Visibility, r.CreatedBy) {
			return Started{}, notFound()
		}
		if r.Status == Building {
			return Started{r.ID, r.Name, r.Status}, nil
		}
		if err := sortable(a); err != nil {
			return Started{}, err
		}
		was := r
		s.begin(&r, len(a.MemberIDs))
		actions, err := s.saved(r, was)
		if err != nil {
			return Started{}, err
		}
		switch err := s.d.Records.Transact(ctx, "", actions...); {
		case lost(err):
			continue
		case err != nil:
			return Started{}, err
		}
		_ = s.d.Jobs.Start(ctx, *r.Job)
		return Started{r.ID, r.Name, r.Status}, nil
	}
	return Started{}, records.ErrConflict
}
