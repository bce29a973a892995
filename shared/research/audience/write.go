package audience

import (
	"context"
	"errors"
	"slices"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/persona"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// plan is everything that a creation still has to write: it is made once, so that
// a creation that is taken up again makes the same people.
type plan struct {
	Members  []mind.CohortMember `json:"members"` // in the order of their slots; Slot counts from 0
	Evidence *blobs.Ref          `json:"evidence,omitempty"`
	Cohort   *blobs.Ref          `json:"cohort,omitempty"`
	Ground   *GroundingRef       `json:"ground"`
}

// ids are those of the first n members.
func (p plan) ids(n int) []string {
	out := make([]string, min(n, len(p.Members)))
	for i := range out {
		out[i] = p.Members[i].ID
	}
	return out
}

// create writes the plan, then in one transaction the Audience's row in state
// creating, its place in the list, the home slots of its members, and what
// automatic sizing counted too much or too little.
func (w *composing) create(ctx context.Context) error {
	s, o := w.s, w.o
	p, err := w.plan(ctx)
	if err != nil {
		return err
	}
	ref, err := s.putJSON(ctx, o.Workspace, p)
	if err != nil {
		return err
	}
	now := s.d.Clock.Now()
	a := Audience{
		ID: o.AudienceID, Name: o.Name, Owner: o.Owner, Workspace: o.Workspace, CreatedAt: now, UpdatedAt: now,
		State: Creating, Planned: len(p.Members), Operation: o.ID, Mode: o.Mode, LinkSharing: w.in.Request.LinkSharing,
		Grounding: p.Ground, Cohort: p.Cohort, Evidence: p.Evidence,
	}
	if a.Sources, err = w.sources(ctx); err != nil {
		return err
	}
	if a.LinkSharing {
		a.PublicShareID = s.d.IDs.NewID()
	}
	rows, err := rows(a, records.NotExists())
	if err != nil {
		return err
	}
	shown, err := reach(Audience{}, a)
	if err != nil {
		return err
	}
	rows = append(rows, shown...)
	me := account.From(ctx)
	made, err := s.d.Accounts.Made(me, account.Audiences, 1)
	if err != nil {
		return err
	}
	o.Plan, o.HasRow, o.HeldOne, o.Planned, o.Made, o.Progress, o.Status = &ref, true, false, len(p.Members), 0, 50, OperationProcessing
	extra := append(rows, made)
	counted := 0
	if by := o.Planned - o.HeldMinds; by != 0 {
		hold, err := s.d.Accounts.Hold(me, account.Minds, int64(by))
		if err != nil {
			return err
		}
		counted = 1 + len(extra)
		extra, o.HeldMinds = append(extra, hold...), o.Planned
	}
	for range admitAttempts {
		first, take, err := s.d.Minds.SlotRange(ctx, o.Planned)
		if err != nil {
			return err
		}
		o.FirstSlot = first
		err = s.step(ctx, &o, append(slices.Clone(extra), take)...)
		var lost *records.CanceledError
		switch {
		case errors.As(err, &lost) && counted > 0 && lost.Failed(counted):
			return s.d.Accounts.PlanLimit(ctx, account.Minds, int64(o.Planned))
		case errors.As(err, &lost) && lost.Failed(1+len(extra)):
			continue // another creation took these slots
		}
		w.o = o
		return err
	}
	return records.ErrConflict
}

// plan writes the people and keeps what they and their Audience point to.
func (w *composing) plan(ctx context.Context) (plan, error) {
	s, o := w.s, w.o
	w.ground.Context.Seed = o.AudienceID
	p := plan{}
	members, cohort := MembersOf(w.ground, w.result, 0, s.d.IDs.NewID)
	p.Members = members
	var err error
	if len(cohort.Axes) > 0 {
		if p.Cohort, err = s.PutCohort(ctx, o.Workspace, cohort); err != nil {
			return plan{}, err
		}
	}
	if p.Ground, err = s.PutGround(ctx, o.Workspace, w.ground); err != nil {
		return plan{}, err
	}
	p.Evidence, err = s.PutEvidence(ctx, o.Workspace, append(EvidenceOf(w.whole), w.evidence...))
	return p, err
}

// MembersOf writes a person for every row of an allocation, beginning with the
// member at position from, and says what each stands for. Slots count from 0 at
// the first that is written. A member keeps its index for life: whoever joins
// later changes nobody.
func MembersOf(g Ground, r allocate.Result, from int, newID func() string) ([]mind.CohortMember, Cohort) {
	specs := make([]persona.Spec, 0, len(r.Cells))
	dims := map[string]string{}
	for _, d := range g.Composed.Distributions {
		dims[d.Name] = d.Dimension
	}
	for i := from; i < len(r.Cells); i++ {
		specs = append(specs, SpecOf(g, r.Axes, r.Cells[i], i, dims))
	}
	people := persona.Write(specs)
	cohort := Cohort{}
	for _, a := range r.Axes {
		axis := CohortAxis{Name: a.Name, Dimension: dims[a.Name]}
		for _, seg := range a.Segments {
			axis.Segments = append(axis.Segments, seg.Label)
		}
		cohort.Axes = append(cohort.Axes, axis)
	}
	members := make([]mind.CohortMember, len(people))
	for i, person := range people {
		members[i] = memberFor(person, newID(), int64(i))
		weight := 1.0
		if from+i < len(r.Weights) {
			weight = r.Weights[from+i]
		}
		cohort.Members = append(cohort.Members, CohortMember{MindID: members[i].ID, Index: from + i, Segments: r.Cells[from+i], Weight: weight})
	}
	return members, cohort
}

// SpecOf is what is known of the member at a position before it is written. dims
// are the dimensions of the axes by name.
func SpecOf(g Ground, axes []allocate.Axis, cell []int16, index int, dims map[string]string) persona.Spec {
	c := g.Composed
	spec := persona.Spec{Seed: g.Context.Seed, Index: index, Country: c.Place.Country, Region: c.Place.Region, Locale: c.Locale,
		Population: g.Context.Population, Roles: g.Context.Roles, Required: g.Context.Required}
	for i, at := range cell {
		if at < 0 || i >= len(axes) {
			continue
		}
		seg := axes[i].Segments[at]
		spec.Cell = append(spec.Cell, persona.Assigned{Axis: axes[i].Name, Dimension: dims[axes[i].Name], Segment: seg.Label, Canonical: seg.Canonical})
	}
	return spec
}

func memberFor(p persona.Person, id string, slot int64) mind.CohortMember {
	return mind.CohortMember{ID: id, Name: p.Name, Discipline: p.Discipline, Description: p.Description, PersonaContext: p.Context(),
		Identity: mind.Identity{Age: p.Age, Gender: p.Gender, Representation: p.Representation}, Slot: slot}
}

// EvidenceOf gives what a composition knows of answers to questions: sourced axes
// that measure what a Study asks (M-53), in the words of their source.
func EvidenceOf(c grounding.Composed) []simulate.Evidence {
	flagged := map[string]bool{}
	for _, f := range c.Flagged {
		flagged[f.Name] = true
	}
	var out []simulate.Evidence
	for _, d := range c.Review {
		asks := flagged[d.Name] || d.Name != "" && d.Name[len(d.Name)-1] == '?'
		if !asks || d.Status != grounding.Sourced || len(d.Distribution) < 2 {
			continue
		}
		at := d.Distribution[0].SourceIdx
		if at < 0 || at >= len(c.Sources) {
			continue
		}
		e := simulate.Evidence{Question: d.Name, Source: c.Sources[at].Title, URL: c.Sources[at].URL, Dates: c.Sources[at].PublishedDate}
		for _, share := range d.Distribution {
			e.Options = append(e.Options, simulate.OptionShare{Label: share.Label, Share: share.Pct / 100})
		}
		out = append(out, e)
	}
	return out
}

// PutEvidence keeps what the members of an Audience answer from, as one blob for
// all of them; nil when there is nothing. What cannot be used is left out.
func (s *Service) PutEvidence(ctx context.Context, workspace string, list []simulate.Evidence) (*blobs.Ref, error) {
	kept := make([]simulate.Evidence, 0, len(list))
	for _, e := range list {
		if e, ok := usable(e); ok {
			kept = append(kept, e)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	ref, err := s.putJSON(ctx, workspace, kept)
	return &ref, err
}

// WriteMembers is the third step: it writes the members in chunks, each with what
// it makes of the counts in one transaction, for some time; done is false when
// there are more: call again.
func (s *Service) WriteMembers(ctx context.Context, j CreationJob) (done bool, err error) {
	o, mine, err := s.running(ctx, j)
	if err != nil || !mine {
		return true, err
	}
	var p plan
	if err := s.getJSON(ctx, *o.Plan, &p); err != nil {
		return false, err
	}
	var in admitted
	if err := s.getJSON(ctx, o.Request, &in); err != nil {
		return false, err
	}
	of := mind.Cohort{AudienceID: o.AudienceID, Evidence: p.Evidence, NoPortrait: in.Request.GenerateImages != nil && !*in.Request.GenerateImages}
	until := s.d.Clock.Now().Add(readSlice)
	for o.Made < len(p.Members) {
		if s.d.Clock.Now().After(until) {
			return false, nil
		}
		chunk := slices.Clone(p.Members[o.Made:min(o.Made+mind.CohortChunk, len(p.Members))])
		for i := range chunk {
			chunk[i].Slot += o.FirstSlot
		}
		rows, err := s.d.Minds.CohortRows(ctx, of, chunk)
		if err != nil {
			return false, err
		}
		made, err := s.d.Accounts.Made(account.From(ctx), account.Minds, int64(len(chunk)))
		if err != nil {
			return false, err
		}
		o.Made += len(chunk)
		o.HeldMinds -= len(chunk)
		o.Progress = 50 + 45*o.Made/len(p.Members)
		err = s.step(ctx, &o, append(rows, made)...)
		if errors.Is(err, errMoved) {
			if o, mine, err = s.running(ctx, j); err != nil || !mine {
				return true, err
			}
			continue
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// Finish is the last step: in one write the Audience has its members and is ready,
// and the operation is completed. Then the members' training is started.
func (s *Service) Finish(ctx context.Context, j CreationJob) error {
	o, mine, err := s.running(ctx, j)
	if err != nil {
		return err
	}
	if !mine { // a repeated step: only what follows the commit may be left
		if o.Status == OperationCompleted && o.Kind == KindCreation {
			return s.train(ctx, o)
		}
		return nil
	}
	var p plan
	if err := s.getJSON(ctx, *o.Plan, &p); err != nil {
		return err
	}
	var in admitted
	if err := s.getJSON(ctx, o.Request, &in); err != nil {
		return err
	}
	for range changeAttempts {
		was, err := s.Get(ctx, o.AudienceID)
		if fault.Is(err, fault.NotFound) {
			return s.fail(ctx, o, fault.New(fault.NotFound, "The Audience was deleted while it was made."))
		}
		if err != nil {
			return err
		}
		a := was
		a.State, a.Failure, a.MemberIDs = "", nil, p.ids(len(p.Members))
		research := s.planResearch(&a, *in.Request.IncludeWebSearch)
		rows, err := rewritten(was, a)
		if err != nil {
			return err
		}
		if research != nil {
			rows = append(rows, s.d.Jobs.Open(*research))
		}
		done := o
		done.Status, done.Progress = OperationCompleted, 100
		err = s.step(ctx, &done, append(rows, s.d.Jobs.Discard(o.job(s.d.Clock.Now())))...)
		var lost *records.CanceledError
		switch {
		case errors.As(err, &lost):
			continue // the Audience was renamed meanwhile
		case err != nil:
			return moved(err)
		}
		if research != nil {
			_ = s.d.Jobs.Start(ctx, *research)
		}
		return s.train(ctx, done)
	}
	return records.ErrConflict
}

// train starts the training of the members of a completed creation.
func (s *Service) train(ctx context.Context, o operation) error {
	a, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return ended(err)
	}
	return s.d.Minds.StartTraining(ctx, a.MemberIDs)
}
