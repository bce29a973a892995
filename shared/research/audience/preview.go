package audience

import (
	"context"
	"encoding/json"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/blobs"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Preview is a finished preview: what an Audience would be made of. Nothing was
// created.
type Preview struct {
	Grounding            PreviewGrounding    `json:"grounding"`
	Coverage             Coverage            `json:"coverage"`
	SourceFindings       []grounding.Finding `json:"sourceFindings"`
	CohortAllocation     Allocation          `json:"cohortAllocation"`
	MemberCount          int                 `json:"memberCount"`
	SuggestedMin         int                 `json:"suggestedMinAudienceSize"`
	Mode                 string              `json:"audienceCreationMode"` // as applied
	FlaggedDistributions []grounding.Flag    `json:"flaggedDistributions"`
	ReviewedJSON         string              `json:"reviewedGroundingJson"`
	ReviewedSHA256       string              `json:"reviewedGroundingSha256"`
}

// PreviewGrounding is the composition of a preview.
type PreviewGrounding struct {
	Distributions       []grounding.Distribution `json:"distributions"`
	ReviewDistributions []grounding.Distribution `json:"reviewDistributions"`
	Sources             []grounding.Source       `json:"sources"`
	Summary             *string                  `json:"summary"`
	Confidence          float64                  `json:"confidence"`
	Research            map[string]any           `json:"research"` // dimensionCoverage (M-46), notes
}

// Allocation is a cohort allocation as callers see it.
type Allocation struct {
	Config   allocate.Config    `json:"config"`
	Audit    *allocate.Audit    `json:"audit"`
	Profiles []allocate.Profile `json:"profiles,omitempty"`
}

// reviewedRow is the stored row behind reviewedKey.
type reviewedRow struct {
	Kept blobs.Ref `json:"kept"`
}

// preview settles a preview: its result, what was composed for its snapshot, and
// the end of the job are one transaction.
func (w *composing) preview(ctx context.Context) error {
	s, o, g := w.s, w.o, w.ground
	snap := grounding.Snapshot{Version: 1, Kind: KindPreview, InputsSHA256: &w.in.Inputs, AllocationSHA256: &w.in.Allocation, MemberCount: &w.members,
		Distributions: list(g.Composed.Distributions), ReviewDistributions: list(g.Composed.Review), Sources: list(g.Composed.Sources),
		HardConstraints: g.Composed.HardConstraints, Files: []grounding.SnapshotFile{}}
	for _, r := range o.Readings {
		if r.Kind == SourceFile && r.Digest != "" {
			snap.Files = append(snap.Files, grounding.SnapshotFile{Name: r.Name, URL: r.URL, SHA256: r.Digest})
		}
	}
	raw, err := snap.Canonical()
	if err != nil {
		return err
	}
	out := Preview{
		Grounding: PreviewGrounding{list(g.Composed.Distributions), list(g.Composed.Review), list(g.Composed.Sources), text(g.Composed.Summary), g.Composed.Confidence, researched(g)},
		Coverage:  coverageOf(g.Composed.Coverage), SourceFindings: list(g.Composed.Findings),
		CohortAllocation: Allocation{g.Config, g.Audit, allocate.Profiles(w.result)}, MemberCount: w.members, SuggestedMin: min(max(w.least, 3), 50),
		Mode: o.Mode, FlaggedDistributions: list(g.Composed.Flagged), ReviewedJSON: string(raw), ReviewedSHA256: grounding.Checksum(raw),
	}
	result, err := s.putJSON(ctx, o.Workspace, out)
	if err != nil {
		return err
	}
	whole := g
	whole.Composed = w.whole
	kept, err := s.putJSON(ctx, o.Workspace, reviewed{Ground: whole})
	if err != nil {
		return err
	}
	row, err := json.Marshal(reviewedRow{Kept: kept})
	if err != nil {
		return err
	}
	o.Result, o.Status, o.Progress = &result, OperationCompleted, 100
	return s.step(ctx, &o,
		records.PutItem(records.Item{Key: reviewedKey(o.Workspace, o.Owner, out.ReviewedSHA256), Body: row, ExpiresAt: o.ExpiresAt}),
		s.d.Jobs.Discard(o.job(s.d.Clock.Now())))
}

// list is never null in JSON.
func list[T any](in []T) []T {
	if in == nil {
		return []T{}
	}
	return in
}

func text(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func coverageOf(c grounding.Coverage) Coverage {
	return Coverage{Sourced: c.Sourced, Proxy: c.Proxy, Assumed: c.Assumed, Missing: c.Missing}
}

// usable holds a published distribution to the rules of the engine, and gives it
// the name of an Audience's.
func usable(e simulate.Evidence) (simulate.Evidence, bool) {
	if e.Digest == "" {
		raw, err := json.Marshal(e)
		if err != nil {
			return e, false
		}
		read, err := simulate.ParseEvidence(raw)
		if err != nil {
			return e, false
		}
		read.ID = e.ID
		e = read
	}
	if e.ID == "" {
		e.ID = "audience-" + e.Digest[:min(16, len(e.Digest))]
	}
	e.Origin = simulate.OriginAudience
	return e, true
}

// Made is an Audience as the call that made it answers.
type Made struct {
	ID                       string             `json:"id"`
	Name                     string             `json:"name"`
	MindCount                int                `json:"mindCount"`
	Mode                     string             `json:"audienceCreationMode"` // as applied
	MemberTraining           *MemberTraining    `json:"memberTraining"`
	Research                 Research           `json:"research"`
	Replayed                 bool               `json:"replayed"`
	IsLinkSharingEnabled     bool               `json:"isLinkSharingEnabled"`
	WorkspaceURL             string             `json:"workspaceUrl"`
	SharedAudienceURL        *string            `json:"sharedAudienceUrl"`
	State                    string             `json:"state"`
	Coverage                 Coverage           `json:"coverage"`
	Minds                    []Member           `json:"minds"`
	CohortAllocation         *Allocation        `json:"cohortAllocation"`
	CohortAllocationCoverage *allocate.Coverage `json:"cohortAllocationCoverage,omitempty"`
	DatasetSegmentation      *DatasetSummary    `json:"datasetSegmentation"`
}

// MemberTraining says what is queued behind a new Audience.
type MemberTraining struct {
	Enqueued          bool    `json:"enqueued"`
	QueuedMemberCount int     `json:"queuedMemberCount"`
	PollURLTemplate   *string `json:"pollUrlTemplate"`
}

// Readiness says how far the members and the research are (M-41).
type Readiness struct {
	Members  Readied  `json:"members"`
	Research Research `json:"research"`
}

// Readied counts members: ready ones answer, whether or not a training goes on
// behind them; those in training do not answer yet.
type Readied struct {
	Total    int `json:"total"`
	Ready    int `json:"ready"`
	Training int `json:"training"`
	Failed   int `json:"failed"`
}

// Outcome is an operation with what came of it. Of Preview and Audience one is
// set once it is completed.
type Outcome struct {
	Operation Operation
	Preview   *Preview
	Audience  *Made
	Readiness *Readiness // of a creation whose Audience is there
}

// Outcome reads an operation of the caller. NOT_FOUND else, and after 7 days.
func (s *Service) Outcome(ctx context.Context, jobID string) (Outcome, error) {
	o, err := s.operation(ctx, "operationId", jobID)
	if err != nil {
		return Outcome{}, err
	}
	return s.outcome(ctx, o)
}

func (s *Service) outcome(ctx context.Context, o operation) (Outcome, error) {
	out := Outcome{Operation: s.view(o)}
	switch {
	case o.Kind == KindPreview && o.Result != nil:
		out.Preview = &Preview{}
		return out, s.getJSON(ctx, *o.Result, out.Preview)
	case o.Kind == KindCreation && o.HasRow:
		a, err := s.Get(ctx, o.AudienceID)
		if err != nil {
			return out, ended(err) // deleted since: the operation alone is left
		}
		r, err := s.readiness(ctx, a)
		if err != nil {
			return out, err
		}
		out.Readiness = &r
		if o.Status == OperationCompleted {
			out.Audience, err = s.made(ctx, o, a, r)
		}
		return out, err
	}
	return out, nil
}

// made is the answer of a creation, from the Audience as it is now.
func (s *Service) made(ctx context.Context, o operation, a Audience, r Readiness) (*Made, error) {
	minds, err := s.d.Minds.GetMany(asOwner(ctx, a), a.MemberIDs)
	if err != nil {
		return nil, err
	}
	out := &Made{ID: a.ID, Name: a.Name, MindCount: len(minds), Mode: a.Mode, Research: researchOf(a), IsLinkSharingEnabled: a.LinkSharing,
		WorkspaceURL: s.URL(a.ID), SharedAudienceURL: s.SharedURL(a), State: a.ShownState(), Minds: make([]Member, len(minds))}
	queued := 0
	for i, m := range minds {
		out.Minds[i] = memberOf(m)
		if m.InTraining() {
			queued++
		}
	}
	poll := s.d.PublicURL + "/api/v1/minds/{mindId}/training"
	out.MemberTraining = &MemberTraining{Enqueued: queued > 0, QueuedMemberCount: queued, PollURLTemplate: &poll}
	g, err := s.Ground(ctx, a)
	if err != nil || g == nil {
		return out, err
	}
	out.Coverage = a.Grounding.Coverage
	out.CohortAllocation = &Allocation{Config: g.Config, Audit: g.Audit}
	out.CohortAllocationCoverage = &g.Coverage
	out.DatasetSegmentation = g.Dataset
	if g.Config.IncludeProfilesInResponse {
		cohort, err := s.CohortOf(ctx, a)
		if err != nil {
			return nil, err
		}
		out.CohortAllocation.Profiles = profilesOf(cohort, *g)
	}
	return out, nil
}

// profilesOf are the members' profiles as the contract shows them.
func profilesOf(c *Cohort, g Ground) []allocate.Profile {
	if c == nil {
		return nil
	}
	axes := map[string]allocate.Axis{}
	for _, a := range AxesOf(g.Composed) {
		axes[a.Name] = a
	}
	out := make([]allocate.Profile, len(c.Members))
	for i, m := range c.Members {
		out[i] = allocate.Profile{MemberIndex: m.Index, Assignments: []allocate.Assignment{}}
		for k, at := range m.Segments {
			if at < 0 || k >= len(c.Axes) || int(at) >= len(c.Axes[k].Segments) {
				continue
			}
			as := allocate.Assignment{Distribution: c.Axes[k].Name, Segment: c.Axes[k].Segments[at], SourceIdx: -1, Dimension: "none"}
			if a, ok := axes[as.Distribution]; ok {
				as.Dimension = a.Dimension
				for _, seg := range a.Segments {
					if seg.Label == as.Segment {
						as.SourceIdx, as.Canonical = seg.SourceIdx, seg.Canonical
					}
				}
			}
			out[i].Assignments = append(out[i].Assignments, as)
		}
	}
	return out
}

// Progress is how far an Audience is built.
type Progress struct {
	State string `json:"state"`
	Readied
	Settled  bool            `json:"settled"` // nothing goes on behind it any more
	Research Research        `json:"research"`
	Members  []BuildingState `json:"members,omitempty"`
}

// BuildingState is one member of a Progress.
type BuildingState struct {
	MindID      string `json:"mindId"`
	Name        string `json:"name"`
	Training    string `json:"training"`
	ReadyToChat bool   `json:"readyToChat"`
}

// Progress reads how far an Audience is built, member by member.
func (s *Service) Progress(ctx context.Context, id string) (Progress, error) {
	a, err := s.Access(ctx, id, PublicViewer)
	if err != nil {
		return Progress{}, err
	}
	return s.ProgressOf(ctx, a)
}

// ProgressOf is Progress for an Audience that has been read.
func (s *Service) ProgressOf(ctx context.Context, a Audience) (Progress, error) {
	minds, err := s.d.Minds.GetMany(asOwner(ctx, a), a.MemberIDs)
	if err != nil {
		return Progress{}, err
	}
	out := Progress{State: a.ShownState(), Research: researchOf(a), Members: make([]BuildingState, len(minds))}
	out.Total = len(minds)
	behind := 0
	for i, m := range minds {
		t := s.d.Minds.TrainingOf(m)
		out.Members[i] = BuildingState{m.ID, m.Name, t.Status, t.ReadyToChat}
		switch {
		case t.ReadyToChat:
			out.Ready++
		case m.InTraining():
			out.Training++
		default:
			out.Failed++
		}
		if m.InTraining() {
			behind++
		}
	}
	if a.State == Creating && a.Copy != nil {
		out.Total, out.Ready, out.Training = a.Planned, a.Copy.Made, max(a.Planned-a.Copy.Made, 0)
	} else if a.State == Creating {
		o, err := s.operation(asOwner(ctx, a), "operation", a.Operation)
		if err == nil {
			out.Total, out.Ready, out.Training = o.Planned, o.Made, o.Planned-o.Made
		} else if err := ended(err); err != nil {
			return Progress{}, err
		}
	}
	out.Settled = behind == 0 && (out.State == Ready || out.State == Failed) && a.Research.Phase != Researching && a.Research.Phase != Applying
	return out, nil
}

func (s *Service) readiness(ctx context.Context, a Audience) (Readiness, error) {
	p, err := s.ProgressOf(ctx, a)
	return Readiness{Members: p.Readied, Research: p.Research}, err
}
