package audience

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
)

// stepTime is how long one task works before the machine calls again, and restTime
// how long the Audience is held at most while new versions are trained.
const (
	stepTime = 40 * time.Second
	restTime = 10 * time.Minute
)

// Stepped says what the machine does next: call again, at once or after a wait.
type Stepped struct {
	Done bool
	Wait bool
}

// Step takes a recalibration, or the research behind a creation, as far as it
// comes: read sources; hold the Audience once its runs have settled; decide what
// changes; give members their new versions and make new ones in chunks; write the
// Audience; hold it until the new versions are trained; let it go. Every stage is
// entered by one write, so that a step that is repeated, or cut off anywhere, does
// nothing twice.
func (s *Service) Step(ctx context.Context, j RecalibrationJob) (Stepped, error) {
	until := s.d.Clock.Now().Add(stepTime)
	plan := &planned{}
	for {
		o, mine, err := s.changing(ctx, j)
		if err != nil || !mine {
			return Stepped{Done: true}, err
		}
		if o.Stage != stageRest && o.settled() {
			return Stepped{Done: true}, s.release(ctx, o)
		}
		wait, err := s.stage(ctx, &o, plan)
		refused := fault.From(err)
		switch {
		case errors.Is(err, errMoved):
			continue // somebody else took this step: go by what is stored
		case err != nil && refused.Code != fault.Internal && !refused.Retryable() && ctx.Err() == nil:
			return Stepped{Done: true}, s.failChange(ctx, o.ID, refused)
		case err != nil:
			return Stepped{}, err
		case o.Stage == stageRelease:
			return Stepped{Done: true}, nil
		case wait:
			return Stepped{Wait: true}, nil
		case s.d.Clock.Now().After(until):
			return Stepped{}, nil
		}
	}
}

// changing reads a change for a step. mine is false when there is nothing to do.
// The row of background research is made by its first step.
func (s *Service) changing(ctx context.Context, j RecalibrationJob) (o recalibration, mine bool, err error) {
	o, found, err := s.recalibration(ctx, j.Job)
	if err != nil || found {
		return o, found && o.Stage != stageRelease, err
	}
	a, err := s.Get(ctx, j.Audience)
	if err != nil || a.Research.JobID != j.Job || a.Research.Phase != Researching {
		return o, false, ended(err)
	}
	now := s.d.Clock.Now()
	o = recalibration{ID: j.Job, Workspace: a.Workspace, Owner: a.Owner, AudienceID: a.ID, Mode: modeResearch,
		Status: OperationQueued, CreatedAt: now, BeatAt: now, ExpiresAt: now.Add(OperationLife)}
	if o.Request, err = s.putJSON(ctx, o.Workspace, RecalibrateRequest{AudienceID: a.ID}); err != nil {
		return o, false, err
	}
	row, err := o.put(records.NotExists())
	if err != nil {
		return o, false, err
	}
	err = s.d.Records.Transact(ctx, "", row)
	var lost *records.CanceledError
	if err != nil && !errors.As(err, &lost) {
		return o, false, err
	}
	return s.recalibration(ctx, j.Job)
}

// planned is the plan of a change, read once a task.
type planned struct {
	of string // SHA-256
	change
}

func (p *planned) read(ctx context.Context, s *Service, o *recalibration) (change, error) {
	if p.of == o.Plan.SHA256 {
		return p.change, nil
	}
	var c change
	if err := s.getJSON(ctx, *o.Plan, &c); err != nil {
		return c, err
	}
	p.of, p.change = o.Plan.SHA256, c
	return c, nil
}

// stage does one stage of a change. wait: nothing can be done for now.
func (s *Service) stage(ctx context.Context, o *recalibration, plan *planned) (wait bool, err error) {
	if err := s.heartbeat(ctx, o); err != nil {
		return false, err
	}
	switch o.Stage {
	case stageGather:
		return false, s.gatherChange(ctx, o)
	case stageWait:
		return s.holdAndPlan(ctx, o)
	case stageApply:
		return false, s.apply(ctx, o, plan)
	case stageFinish:
		return false, s.finishChange(ctx, o, plan)
	case stageRest:
		return s.rest(ctx, o)
	}
	return false, nil
}

// heartbeat says that the change is being worked on, at most once a minute.
func (s *Service) heartbeat(ctx context.Context, o *recalibration) error {
	now := s.d.Clock.Now()
	if o.Stage == stageApply || o.Stage == stageFinish || o.Stage == stageRest {
		for _, id := range o.audiences() {
			if _, err := s.Beat(ctx, id, o.ID); err != nil {
				return err
			}
		}
	}
	if now.Sub(o.BeatAt) < leaseBeat {
		return nil
	}
	o.BeatAt = now
	return s.advance(ctx, o)
}

// audiences are those that must not change under a run of theirs.
func (o recalibration) audiences() []string { return append([]string{o.AudienceID}, o.AlsoHolds...) }

// gatherChange reads what was given and what a search finds.
func (s *Service) gatherChange(ctx context.Context, o *recalibration) error {
	var r RecalibrateRequest
	if err := s.getJSON(ctx, o.Request, &r); err != nil {
		return err
	}
	if !o.Gathered {
		if err := s.listChange(ctx, o, r); err != nil {
			return err
		}
		o.Gathered, o.Status = true, OperationProcessing
		return s.advance(ctx, o)
	}
	for i := range o.Readings {
		one := &o.Readings[i]
		if one.Done {
			continue
		}
		err := s.readOne(ctx, o.Workspace, one)
		if refused := fault.From(err); err != nil && refused.Code != fault.Internal && !refused.Retryable() && ctx.Err() == nil {
			if one.Kind == SourceFile {
				return fault.New(refused.Code, "The file %q cannot be read: %s", one.Name, refused.Message)
			}
			one.Failed, err = refused.Message, nil
		}
		if err != nil {
			return err
		}
		one.Done = true
		return s.advance(ctx, o)
	}
	o.Stage = stageWait
	return s.advance(ctx, o)
}

// listChange lists what is to be read.
func (s *Service) listChange(ctx context.Context, o *recalibration, r RecalibrateRequest) error {
	o.Readings, o.Notes = nil, nil
	var keywords []string
	if r.Sources != nil {
		for _, f := range r.Sources.Files {
			o.Readings = append(o.Readings, reading{Kind: SourceFile, Name: f.Name, URL: f.URL})
		}
		for _, l := range r.Sources.Links {
			o.Readings = append(o.Readings, reading{Kind: SourceLink, URL: strings.TrimSpace(l)})
		}
		keywords = append(keywords, r.Sources.Keywords...)
	}
	a, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return err
	}
	queries, err := s.queries(ctx, a, r)
	if err != nil {
		return err
	}
	keywords = append(keywords, queries...)
	if len(keywords) == 0 {
		return nil
	}
	if s.d.Search == nil {
		o.Notes = append(o.Notes, "Nothing was looked up on the web: no search provider is set up.")
		return nil
	}
	bounded, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	found, notes, err := s.d.Search(bounded, keywords)
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		s.d.Log.WarnContext(ctx, "a search for a recalibration failed", "workspace", o.Workspace, "recalibration", o.ID, "error", err)
		if o.Mode == modeResearch {
			return fault.New(fault.NotEnoughEvidence, "The search provider could not be reached, so the assumptions stand. Recalibrate the Audience to try again.").Because(err)
		}
		notes = append(notes, "Nothing was looked up on the web: the search provider could not be reached in time.")
	}
	o.Notes = append(o.Notes, notes...)
	pages := 0
	for _, f := range found {
		if pages < searchPages && !slices.ContainsFunc(o.Readings, func(x reading) bool { return x.URL == f.Link }) {
			o.Readings = append(o.Readings, reading{Kind: SourceKeyword, URL: f.Link, Title: f.Title})
			pages++
		}
	}
	return nil
}

// materialOf is what was read, as the composition takes it.
func (s *Service) materialOf(ctx context.Context, readings []reading) (given, web []grounding.Material, err error) {
	for i, r := range readings {
		blocks, err := s.texts(ctx, r)
		if err != nil {
			return nil, nil, err
		}
		if len(blocks) == 0 {
			continue
		}
		var text strings.Builder
		for _, b := range blocks {
			text.WriteString(b.Text)
			text.WriteByte('\n')
		}
		m := grounding.Material{Title: r.Title, URL: r.URL, Text: text.String(), UserProvided: r.Kind != SourceKeyword, SourceIdx: i}
		if r.Kind == SourceKeyword {
			web = append(web, m)
			continue
		}
		if r.Kind == SourceFile {
			m.URL = fileURL(r)
		}
		given = append(given, m)
	}
	return given, web, nil
}

// holdAndPlan holds the Audience alone, decides what changes and writes the
// decision down with the home slots of new members.
func (s *Service) holdAndPlan(ctx context.Context, o *recalibration) (wait bool, err error) {
	ok, err := s.AcquireAll(ctx, o.audiences(), o.ID)
	if err != nil || !ok {
		return !ok, err
	}
	var r RecalibrateRequest
	if err := s.getJSON(ctx, o.Request, &r); err != nil {
		return false, err
	}
	a, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return false, err
	}
	if o.Mode == modeResearch && a.Research.Phase == Researching {
		if _, err := s.Note(ctx, a.ID, func(a *Audience) error {
			if a.Research.JobID == o.ID {
				a.Research.Phase = Applying
			}
			return nil
		}, nil); err != nil {
			return false, err
		}
	}
	c, err := s.planChange(ctx, *o, a, r)
	if err != nil {
		return false, err
	}
	ref, err := s.putJSON(ctx, o.Workspace, c)
	if err != nil {
		return false, err
	}
	ids := make([]string, len(c.Recasts))
	for i, r := range c.Recasts {
		ids[i] = r.ID
	}
	watched, err := s.putJSON(ctx, o.Workspace, ids)
	if err != nil {
		return false, err
	}
	o.Plan, o.Watched, o.Reach, o.Stage = &ref, &watched, c.Reach, stageApply
	if len(c.New) == 0 {
		return false, s.advance(ctx, o)
	}
	for range admitAttempts {
		first, take, err := s.d.Minds.SlotRange(ctx, len(c.New))
		if err != nil {
			return false, err
		}
		o.FirstSlot = first
		err = s.advance(ctx, o, take)
		var lost *records.CanceledError
		if errors.As(err, &lost) && lost.Failed(1) {
			continue // another creation took these slots
		}
		return false, err
	}
	return false, records.ErrConflict
}

// apply gives one chunk of members their new versions, or makes one chunk of new
// ones.
func (s *Service) apply(ctx context.Context, o *recalibration, plan *planned) error {
	c, err := plan.read(ctx, s, o)
	if err != nil {
		return err
	}
	switch {
	case o.Applied < len(c.Recasts):
		return s.recastChunk(ctx, o, c)
	case o.Made < len(c.New):
		return s.newChunk(ctx, o, c)
	}
	o.Stage = stageFinish
	return s.advance(ctx, o)
}

func (s *Service) recastChunk(ctx context.Context, o *recalibration, c change) error {
	chunk := c.Recasts[o.Applied:min(o.Applied+mind.RecastChunk, len(c.Recasts))]
	list := make([]mind.Recast, len(chunk))
	for i, r := range chunk {
		list[i] = r.Recast
	}
	was := *o
	for range changeAttempts {
		*o = was
		actions, gone, err := s.d.Minds.RecastRows(ctx, list)
		if err != nil {
			return err
		}
		o.Applied += len(chunk)
		var ids []string
		for _, r := range chunk {
			switch {
			case slices.Contains(gone, r.ID): // deleted meanwhile
				continue
			case r.Refreshed:
				o.Refreshed++
			default:
				o.Evolved++
			}
			ids = append(ids, r.ID)
		}
		err = s.advance(ctx, o, actions...)
		var lost *records.CanceledError
		if errors.As(err, &lost) {
			continue // a member changed meanwhile
		}
		if err != nil {
			return err
		}
		return s.d.Minds.StartTraining(ctx, ids)
	}
	return records.ErrConflict
}

func (s *Service) newChunk(ctx context.Context, o *recalibration, c change) error {
	a, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return err
	}
	chunk := slices.Clone(c.New[o.Made:min(o.Made+mind.CohortChunk, len(c.New))])
	ids := make([]string, len(chunk))
	for i := range chunk {
		chunk[i].Slot += o.FirstSlot
		ids[i] = chunk[i].ID
	}
	plain, err := s.withoutPortraits(ctx, a)
	if err != nil {
		return err
	}
	rows, err := s.d.Minds.CohortRows(ctx, mind.Cohort{AudienceID: a.ID, Evidence: a.Evidence, NoPortrait: plain}, chunk)
	if err != nil {
		return err
	}
	made, err := s.d.Accounts.Made(account.From(ctx), account.Minds, int64(len(chunk)))
	if err != nil {
		return err
	}
	o.Made += len(chunk)
	o.HeldMinds -= len(chunk)
	if err := s.advance(ctx, o, append(rows, made)...); err != nil {
		return err
	}
	return s.d.Minds.StartTraining(ctx, ids)
}

// withoutPortraits tells whether the Audience was made without pictures.
func (s *Service) withoutPortraits(ctx context.Context, a Audience) (bool, error) {
	members, err := s.d.Minds.GetMany(ctx, a.MemberIDs[:min(1, len(a.MemberIDs))])
	return err == nil && len(members) > 0 && members[0].NoPortrait, err
}

// finishChange writes the Audience with its new grounding and members, and settles
// the change, in one transaction.
func (s *Service) finishChange(ctx context.Context, o *recalibration, plan *planned) error {
	c, err := plan.read(ctx, s, o)
	if err != nil {
		return err
	}
	now := s.d.Clock.Now()
	was := *o
	for range changeAttempts {
		*o = was
		before, err := s.Get(ctx, o.AudienceID)
		if err != nil {
			return err
		}
		a := before.clone()
		o.mark(&a, now)
		a.Grounding, a.UpdatedAt = c.Ground, now
		if c.Cohort != nil {
			a.Cohort = c.Cohort
		}
		if c.Evidence != nil {
			a.Evidence = c.Evidence
		}
		if c.Adjustment != nil {
			a.Sources = append(a.Sources, *c.Adjustment)
		}
		a.Sources = append(a.Sources, s.given(*o, now)...)
		for _, m := range c.New {
			if !slices.Contains(a.MemberIDs, m.ID) {
				a.MemberIDs = append(a.MemberIDs, m.ID)
			}
		}
		rows, err := rewritten(before, a)
		if err != nil {
			return err
		}
		o.Status, o.Stage, o.RestUntil = OperationCompleted, stageRest, now.Add(restTime)
		err = s.advance(ctx, o, rows...)
		var lost *records.CanceledError
		if errors.As(err, &lost) {
			continue // renamed, or a member was taken out meanwhile
		}
		if err == nil {
			s.changed(ctx, a)
		}
		return err
	}
	return records.ErrConflict
}

// mark ends the sign of a change on its Audience.
func (o recalibration) mark(a *Audience, now time.Time) {
	if a.Calibration != nil && a.Calibration.JobID == o.ID {
		a.Calibration = nil
	}
	if o.Mode == modeResearch && a.Research.JobID == o.ID {
		a.Research.Phase, a.Research.CompletedAt, a.Research.Error = ResearchDone, now, ""
	}
}

// given are the records of the sources that came with a recalibration.
func (s *Service) given(o recalibration, now time.Time) []SourceRecord {
	var out []SourceRecord
	for _, r := range o.Readings {
		if r.Kind == SourceFile || r.Kind == SourceLink {
			out = append(out, SourceRecord{ID: s.d.IDs.NewID(), Kind: r.Kind, URL: r.URL, Filename: r.Name, Digest: r.Digest, CreatedAt: now})
		}
	}
	return out
}

// rest holds the Audience until its members' new versions are in force, so that no
// run sees one half of them; ten minutes at most. Members answer all the while
// wherever they are not asked by a run.
func (s *Service) rest(ctx context.Context, o *recalibration) (wait bool, err error) {
	if o.Status == OperationCompleted && s.d.Clock.Now().Before(o.RestUntil) {
		var ids []string
		if err := s.getJSON(ctx, *o.Watched, &ids); err != nil {
			return false, err
		}
		minds, err := s.d.Minds.GetMany(ctx, ids)
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(minds, func(m mind.Mind) bool { return m.InTraining() && m.Pending != nil }) {
			return true, nil
		}
	}
	return false, s.release(ctx, *o)
}

// release lets the Audiences of a settled change go and ends its job.
func (s *Service) release(ctx context.Context, o recalibration) error {
	for _, id := range o.audiences() {
		if err := s.Release(ctx, id, o.ID); err != nil {
			return err
		}
	}
	if o.Stage == stageRelease {
		return nil
	}
	o.Stage = stageRelease
	return moved(s.advance(ctx, &o, s.d.Jobs.Discard(o.job(s.d.Clock.Now()))))
}

// failChange settles a change as failed. The grounding stays as it was; members
// who have a new version already stand for their new segments, and new members who
// were made are the Audience's, so that nothing is lost and nothing untrue said.
func (s *Service) failChange(ctx context.Context, id string, why *fault.Error) error {
	for range changeAttempts {
		o, found, err := s.recalibration(ctx, id)
		if err != nil || !found {
			return err
		}
		if o.settled() {
			return s.release(ctx, o)
		}
		now := s.d.Clock.Now()
		was, err := s.Get(ctx, o.AudienceID)
		if err != nil && !fault.Is(err, fault.NotFound) {
			return err
		}
		gone := err != nil
		var extra []records.Action
		if !gone {
			a := was.clone()
			o.mark(&a, now)
			if o.Mode == modeResearch && a.Research.JobID == o.ID {
				a.Research.Phase, a.Research.Error = ResearchFailed, operationError(why).Message
			}
			if err := s.partly(ctx, o, &a); err != nil {
				return err
			}
			if extra, err = rewritten(was, a); err != nil {
				return err
			}
		}
		if gone { // who was made for it goes as well
			if err := s.unmake(ctx, o); err != nil {
				return err
			}
		}
		if o.HeldMinds > 0 {
			hold, err := s.d.Accounts.Hold(account.From(ctx), account.Minds, -int64(o.HeldMinds))
			if err != nil {
				return err
			}
			extra, o.HeldMinds = append(extra, hold...), 0
		}
		o.Status, o.Error = OperationFailed, operationError(why)
		err = s.advance(ctx, &o, extra...)
		var lost *records.CanceledError
		switch {
		case errors.Is(err, errMoved), errors.As(err, &lost):
			continue
		case err != nil:
			return err
		}
		if !gone {
			s.changed(ctx, was)
		}
		return s.release(ctx, o)
	}
	return records.ErrConflict
}

// unmake deletes the new members of a change whose Audience is gone.
func (s *Service) unmake(ctx context.Context, o recalibration) error {
	if o.Plan == nil || o.Made == 0 {
		return nil
	}
	var c change
	if err := s.getJSON(ctx, *o.Plan, &c); err != nil {
		return err
	}
	for chunk := range slices.Chunk(c.New[:min(o.Made, len(c.New))], 100) {
		ids := make([]string, len(chunk))
		for i, m := range chunk {
			ids[i] = m.ID
		}
		if _, err := s.d.Minds.DeleteMany(ctx, ids); err != nil {
			return err
		}
	}
	return nil
}

// partly writes down how far a failed change came.
func (s *Service) partly(ctx context.Context, o recalibration, a *Audience) error {
	if o.Plan == nil || o.Applied == 0 && o.Made == 0 {
		return nil
	}
	var c change
	if err := s.getJSON(ctx, *o.Plan, &c); err != nil {
		return err
	}
	for _, m := range c.New[:min(o.Made, len(c.New))] {
		if !slices.Contains(a.MemberIDs, m.ID) {
			a.MemberIDs = append(a.MemberIDs, m.ID)
		}
	}
	if c.Cohort == nil || c.Before == nil {
		return nil
	}
	var planned, before Cohort
	if err := s.getJSON(ctx, *c.Cohort, &planned); err != nil {
		return err
	}
	if err := s.getJSON(ctx, *c.Before, &before); err != nil {
		return err
	}
	ref, err := s.PutCohort(ctx, o.Workspace, c.standing(before, planned, o.Applied, o.Made))
	a.Cohort = ref
	return err
}

// FailRecalibration settles a change whose execution gave up.
func (s *Service) FailRecalibration(ctx context.Context, j RecalibrationJob, outOfTime bool) error {
	why := fault.New(fault.Internal, "")
	if outOfTime {
		why = fault.New(fault.DeadlineExceeded, "The recalibration took too long and was ended. Try again.")
	}
	if _, mine, err := s.changing(ctx, j); err != nil || !mine {
		return err
	}
	return s.failChange(ctx, j.Job, why)
}

// ExpireRecalibration ends a change that was not heard of for 30 minutes (M-146).
func (s *Service) ExpireRecalibration(ctx context.Context, j jobs.Job) error {
	p, err := s.d.Accounts.Internal(ctx, j.Workspace, j.Account)
	if err != nil {
		return err
	}
	ctx = account.With(ctx, p)
	var in RecalibrationJob
	if err := jobs.Input(j, &in); err != nil {
		return err
	}
	o, mine, err := s.changing(ctx, in)
	if err != nil {
		return err
	}
	if mine {
		if s.d.Clock.Now().Sub(o.BeatAt) < RecalibrationLife {
			return nil // it is at work
		}
		if err := s.failChange(ctx, o.ID, silent()); err != nil {
			return err
		}
	}
	// A row that nothing stands behind any more goes too.
	return s.d.Records.Transact(ctx, "", s.d.Jobs.Discard(j))
}

func silent() *fault.Error {
	return fault.New(fault.DeadlineExceeded, "The recalibration was not heard of for 30 minutes and was ended. Try again.")
}

// clearSilent ends a recalibration of an Audience that was not heard of for 30
// minutes, whoever meets it first, and gives the Audience as it is then.
func (s *Service) clearSilent(ctx context.Context, a Audience, now time.Time) (Audience, error) {
	o, found, err := s.recalibration(ctx, a.Calibration.JobID)
	if err != nil || found && now.Sub(o.BeatAt) < RecalibrationLife {
		return a, err
	}
	if !found { // its row has expired: only the sign is left
		job := a.Calibration.JobID
		return s.Note(ctx, a.ID, func(a *Audience) error {
			if a.Calibration != nil && a.Calibration.JobID == job {
				a.Calibration = nil
			}
			return nil
		}, nil)
	}
	if err := s.failChange(ctx, o.ID, silent()); err != nil {
		return a, err
	}
	return s.Get(ctx, a.ID)
}
