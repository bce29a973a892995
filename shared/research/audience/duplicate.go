package audience

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/idempotency"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// DuplicateMachine makes the members of a duplicate, and DuplicateTime is the
// longest one execution takes.
const (
	DuplicateMachine = "audience-duplicate"
	DuplicateTime    = time.Hour
)

// Windows of a duplicate's idempotency: with a key, and by equal arguments.
const (
	duplicateKeyWindow  = 24 * time.Hour
	duplicateArgsWindow = 15 * time.Minute
)

const copySuffix = " (copy)"

// CopyState is how far a duplicate has come.
type CopyState struct {
	Job       string    `json:"job,omitempty"` // execution that may change it
	From      string    `json:"from"`          // the original
	FromOwner string    `json:"fromOwner"`
	Plan      blobs.Ref `json:"plan"` // a copyPlan
	Made      int       `json:"made,omitempty"`
	Held      int       `json:"held,omitempty"` // counted and not made yet
	FirstSlot int64     `json:"firstSlot"`
}

// copyPlan says which Mind each member becomes. It is made once, so that a
// duplicate that is taken up again makes the same Minds.
type copyPlan struct {
	Members []copyPair `json:"members"`
}

type copyPair struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// DuplicateRequest asks for a copy. Name empty: the original's with (copy) behind
// it. Key (1 to 200 characters; blank: none) replays an equal call within 24 hours;
// without one, equal arguments do within 15 minutes.
type DuplicateRequest struct {
	AudienceID string
	Name       string
	Key        string
}

// Duplicated is a copy, new or the one that an earlier equal call began. Key is
// the key used, also when the server chose it (M-91).
type Duplicated struct {
	Audience Audience
	Key      string
	Replayed bool
}

// Duplicate copies an Audience into a new private one of the caller: every member
// becomes a new Mind with its knowledge, and grounding, sources, Formations and
// finished validations come along (M-321). The copy is there at once in state
// creating; its members are written behind it. It needs the role member. A copy
// that failed is taken up again by the same call. VALIDATION, NOT_FOUND,
// AUDIENCE_BUILDING, PLAN_LIMIT (audiences, minds, audienceMembers),
// IDEMPOTENCY_CONFLICT; then nothing was made.
func (s *Service) Duplicate(ctx context.Context, r DuplicateRequest) (Duplicated, error) {
	r.Key = strings.TrimSpace(r.Key)
	if n := utf8.RuneCountInString(r.Key); n > maxBriefKey {
		return Duplicated{}, fault.New(fault.Validation, "idempotencyKey has %d characters; at most %d are taken.", n, maxBriefKey).With("field", "idempotencyKey")
	}
	if r.Name != "" {
		name, err := CheckName(r.Name)
		if err != nil {
			return Duplicated{}, err
		}
		r.Name = name
	}
	id, err := lookupID(r.AudienceID)
	if err != nil {
		return Duplicated{}, err
	}
	r.AudienceID = id
	after := ""
	for range admitAttempts {
		call, err := duplicateCall(account.From(ctx), r, after)
		if err != nil {
			return Duplicated{}, err
		}
		earlier, found, err := s.once.Lookup(ctx, call)
		if err != nil {
			return Duplicated{}, err
		}
		if found {
			a, err := s.copyAgain(ctx, earlier.Ref)
			switch {
			case errors.Is(err, errMoved):
				continue
			case fault.Is(err, fault.NotFound) && r.Key == "" && after != earlier.Ref:
				after = earlier.Ref // it was deleted: who asks again wants a new one
				continue
			}
			return Duplicated{Audience: a, Key: earlier.Key, Replayed: true}, err
		}
		a, err := s.beginCopy(ctx, r, call)
		if errors.Is(err, errMoved) {
			continue
		}
		return Duplicated{Audience: a, Key: call.Key}, err
	}
	return Duplicated{}, records.ErrConflict
}

func duplicateCall(p account.Principal, r DuplicateRequest, after string) (idempotency.Call, error) {
	scope := idempotency.Scope{Workspace: p.Workspace, Account: p.Account, Operation: "duplicate_audience"}
	args := struct {
		AudienceID, Name string
		After            string `json:",omitempty"`
	}{r.AudienceID, r.Name, after}
	if r.Key == "" {
		return idempotency.Derived(scope, args, duplicateArgsWindow)
	}
	call, err := idempotency.Keyed(scope, r.Key, args, duplicateKeyWindow)
	call.Field = "idempotencyKey"
	return call, err
}

// whole refuses the copy of an Audience that is being built (M-321).
func (a Audience) whole(members []mind.Mind) error {
	building := func(what string) error {
		return fault.New(fault.AudienceBuilding, "This Audience is still being built: %s. Copy it once its state is ready; nothing was made.", what).With("state", a.ShownState())
	}
	switch {
	case a.State == Creating:
		return building("its members are being written")
	case a.State == Failed:
		return building("its creation failed, and has to be repeated first")
	case a.Calibration != nil:
		return building("it is being recalibrated")
	case a.Research.Phase == Applying:
		return building("what was researched is being applied")
	}
	for _, m := range members {
		if m.InTraining() && m.Training.Kind == mind.FirstTraining {
			return building(m.Name + " is in its first training")
		}
	}
	return nil
}

// beginCopy commits the copy in state creating, with all that it will count, the
// key of the call and its job.
func (s *Service) beginCopy(ctx context.Context, r DuplicateRequest, call idempotency.Call) (Audience, error) {
	from, err := s.mayChange(ctx, r.AudienceID, RoleMember)
	if err != nil {
		return Audience{}, err
	}
	members, err := s.d.Minds.GetMany(asOwner(ctx, from), from.MemberIDs)
	if err != nil {
		return Audience{}, err
	}
	if err := from.whole(members); err != nil {
		return Audience{}, err
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return Audience{}, err
	}
	if n := len(members); n > memberCeiling(limits) || limits.AudienceMembers != nil && *limits.AudienceMembers == 0 {
		return Audience{}, s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(n)).With("audienceId", from.ID)
	}
	a, err := s.copyOf(ctx, from, members, r.Name)
	if err != nil {
		return Audience{}, err
	}
	p := account.From(ctx)
	job := s.copyJob(a)
	for range admitAttempts {
		var actions []records.Action
		minds, slots := -1, -1
		if a.Copy.Held > 0 {
			first, take, err := s.d.Minds.SlotRange(ctx, a.Copy.Held)
			if err != nil {
				return Audience{}, err
			}
			a.Copy.FirstSlot = first
			hold, err := s.d.Accounts.Hold(p, account.Minds, int64(a.Copy.Held))
			if err != nil {
				return Audience{}, err
			}
			minds, slots = countAt+1, countAt+1+len(hold)
			actions = append(hold, take)
		}
		row, err := rows(a, records.NotExists())
		if err != nil {
			return Audience{}, err
		}
		count, err := s.d.Accounts.Count(p, account.Audiences, 1)
		if err != nil {
			return Audience{}, err
		}
		once, err := s.once.Row(call, a.ID)
		if err != nil {
			return Audience{}, err
		}
		actions = append(append(row, count), actions...)
		actions = append(actions, s.d.Jobs.Open(job), once)
		err = s.d.Records.Transact(ctx, "", actions...)
		var lost *records.CanceledError
		if !errors.As(err, &lost) {
			if err != nil {
				return Audience{}, err
			}
			a.version = 1
			s.changed(ctx, a)
			_ = s.d.Jobs.Start(ctx, job) // committed: the sweeper starts what could not be started
			return a, nil
		}
		switch {
		case lost.Failed(len(actions) - 1):
			return Audience{}, errMoved // an equal call was quicker
		case lost.Failed(countAt):
			return Audience{}, s.d.Accounts.PlanLimit(ctx, account.Audiences, 1)
		case minds >= 0 && lost.Failed(minds):
			return Audience{}, s.d.Accounts.PlanLimit(ctx, account.Minds, int64(a.Copy.Held))
		case slots >= 0 && lost.Failed(slots):
			continue // another creation took these slots
		}
		return Audience{}, err
	}
	return Audience{}, records.ErrConflict
}

// copyOf is the record of the copy: private, with ids of its own for whatever has
// one.
func (s *Service) copyOf(ctx context.Context, from Audience, members []mind.Mind, name string) (Audience, error) {
	p, now := account.From(ctx), s.d.Clock.Now()
	if name == "" {
		name = shortCopy(from.Name)
	}
	a := Audience{
		ID: s.d.IDs.NewID(), Name: name, Owner: p.Account, Workspace: p.Workspace, CreatedAt: now, UpdatedAt: now,
		State: Creating, Planned: len(members), Mode: from.Mode, Evidence: from.Evidence,
	}
	if from.Research.Phase == ResearchDone || from.Research.Phase == ResearchFailed {
		a.Research = from.Research
		a.Research.JobID = ""
	}
	for _, src := range from.Sources {
		src.ID = s.d.IDs.NewID()
		a.Sources = append(a.Sources, src)
	}
	if from.Grounding != nil {
		g := *from.Grounding
		g.SnapshotID = s.d.IDs.NewID()
		a.Grounding = &g
	}
	plan := copyPlan{Members: make([]copyPair, len(members))}
	to := make(map[string]string, len(members))
	for i, m := range members {
		plan.Members[i] = copyPair{From: m.ID, To: s.d.IDs.NewID()}
		to[m.ID] = plan.Members[i].To
	}
	cohort, err := s.CohortOf(ctx, from)
	if err != nil {
		return Audience{}, err
	}
	if cohort != nil {
		c := Cohort{Axes: cohort.Axes, Groups: cohort.Groups}
		for _, m := range cohort.Members {
			if id, ok := to[m.MindID]; ok {
				m.MindID = id
				c.Members = append(c.Members, m)
			}
		}
		if a.Cohort, err = s.PutCohort(ctx, a.Workspace, c); err != nil {
			return Audience{}, err
		}
	}
	ref, err := s.putJSON(ctx, a.Workspace, plan)
	if err != nil {
		return Audience{}, err
	}
	a.Copy = &CopyState{Job: s.d.IDs.NewID(), From: from.ID, FromOwner: from.Owner, Plan: ref, Held: len(members)}
	return a, nil
}

// shortCopy shortens a name so that (copy) fits behind it.
func shortCopy(name string) string {
	r := []rune(name)
	if room := maxName - utf8.RuneCountInString(copySuffix); len(r) > room {
		name = strings.TrimSpace(string(r[:room-1])) + "…"
	}
	return name + copySuffix
}

// DuplicateJob is the input of an execution.
type DuplicateJob struct {
	Job       string `json:"job"`
	Workspace string `json:"workspace"`
	Account   string `json:"account"`
	Audience  string `json:"audience"`
}

func (s *Service) copyJob(a Audience) jobs.Job {
	now := s.d.Clock.Now()
	input, _ := json.Marshal(DuplicateJob{Job: a.Copy.Job, Workspace: a.Workspace, Account: a.Owner, Audience: a.ID}) // strings always encode
	return jobs.Job{ID: a.Copy.Job, Machine: DuplicateMachine, Workspace: a.Workspace, Account: a.Owner, Input: input, QueuedAt: now, Deadline: now.Add(DuplicateTime)}
}

// copyAgain is what an equal call finds: the copy, taken up anew when it failed.
// errMoved when somebody else has just done that.
func (s *Service) copyAgain(ctx context.Context, id string) (Audience, error) {
	a, err := s.Get(ctx, id)
	if err != nil || a.State != Failed || a.Copy == nil {
		return a, err
	}
	var plan copyPlan
	if err := s.getJSON(ctx, a.Copy.Plan, &plan); err != nil {
		return Audience{}, err
	}
	p, was := account.From(ctx), a.version
	job := jobs.Job{}
	next := s.d.IDs.NewID()
	a, err = s.Note(ctx, id, func(a *Audience) error {
		if a.version != was {
			return errMoved
		}
		a.State, a.Failure, a.MemberIDs = Creating, nil, nil
		a.Copy.Job, a.Copy.Held = next, len(plan.Members)-a.Copy.Made
		return nil
	}, func(a Audience) ([]records.Action, error) {
		job = s.copyJob(a)
		actions := []records.Action{s.d.Jobs.Open(job)}
		if a.Copy.Held == 0 {
			return actions, nil
		}
		hold, err := s.d.Accounts.Hold(p, account.Minds, int64(a.Copy.Held))
		return append(actions, hold...), err
	})
	var lost *records.CanceledError
	if errors.As(err, &lost) && len(lost.Reasons) > 1 && lost.Failed(len(lost.Reasons)-2) {
		return Audience{}, s.d.Accounts.PlanLimit(ctx, account.Minds, int64(len(plan.Members)))
	}
	if err != nil {
		return Audience{}, err
	}
	_ = s.d.Jobs.Start(ctx, job)
	return a, nil
}

// haltCopy are the actions that end a copy which is deleted: what it counted and
// did not make is given back. What it made goes with the members.
func (s *Service) haltCopy(ctx context.Context, a Audience, g *gone) ([]records.Action, error) {
	if a.Copy == nil {
		return nil, nil
	}
	var plan copyPlan
	if err := s.getJSON(ctx, a.Copy.Plan, &plan); err != nil {
		return nil, err
	}
	for i, m := range plan.Members {
		switch {
		case i < a.Copy.Made && !slices.Contains(g.MemberIDs, m.To):
			g.MemberIDs = append(g.MemberIDs, m.To)
		case i >= a.Copy.Made && i < a.Copy.Made+mind.CopyChunk:
			g.Unmade = append(g.Unmade, m.To)
		}
	}
	var actions []records.Action
	if a.Copy.Job != "" {
		actions = append(actions, s.d.Jobs.Discard(jobs.Job{ID: a.Copy.Job, Workspace: a.Workspace}))
	}
	if a.Copy.Held > 0 {
		back, err := s.d.Accounts.Hold(account.From(ctx), account.Minds, -int64(a.Copy.Held))
		if err != nil {
			return nil, err
		}
		actions = append(actions, back...)
	}
	return actions, nil
}
