package audience

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/records"
)

// Limits of a recalibration (section 23).
const (
	maxDirection = 4_000 // characters of instruction and query
	maxTopics    = 8
	maxTopic     = 120
	maxAxisName  = 120
	maxGiven     = 20 // entries of each list of sources
	maxAxes      = 200
)

// RecalibrateRequest asks for another grounding of an Audience, and for members
// that fit it. Instruction, Query, Deepen and Distributions exclude each other, but
// Deepen and Instruction; with none of them the brief and its earlier adjustments
// are looked into again.
type RecalibrateRequest struct {
	AudienceID  string      `json:"audienceId"`
	Instruction string      `json:"instruction,omitempty"` // kept as an adjustment
	Query       string      `json:"query,omitempty"`       // another direction, for this time
	Deepen      *Deepen     `json:"deepen,omitempty"`
	Selection   bool        `json:"selection,omitempty"` // Distributions is given, also when it is empty
	Axes        []GivenAxis `json:"distributions,omitempty"`
	AllowShared bool        `json:"allowSharedMinds,omitempty"`

	// REST only.
	RequestedAxis string        `json:"requestedDistribution,omitempty"`
	Sources       *GivenSources `json:"sources,omitempty"`
}

// Deepen asks for better evidence where there is little, and for further topics.
type Deepen struct {
	Topics []string `json:"topics,omitempty"`
}

// GivenSources is further material.
type GivenSources struct {
	Files    []FileArg `json:"files,omitempty"`
	Links    []string  `json:"links,omitempty"`
	Keywords []string  `json:"keywords,omitempty"`
}

// GivenAxis is an axis as its owner wants it.
type GivenAxis struct {
	Name             string           `json:"name"`
	Distribution     []GivenShare     `json:"distribution"`
	Tier             string           `json:"tier,omitempty"`
	Category         string           `json:"category,omitempty"`
	SegmentRelations []map[string]any `json:"segmentRelations,omitempty"`
}

// GivenShare is one segment of it; without SourceIdx it is assumed.
type GivenShare struct {
	Label     string         `json:"label"`
	Pct       float64        `json:"pct"`
	SourceIdx *int           `json:"sourceIdx,omitempty"`
	Review    map[string]any `json:"review,omitempty"`
}

func (r RecalibrateRequest) mode() string {
	switch {
	case r.Selection:
		return ModeDistributions
	case r.Query != "":
		return ModeQuery
	case r.Deepen != nil:
		return ModeDeepen
	case r.Instruction != "" || r.RequestedAxis != "":
		return ModeInstruction
	}
	return ModeRefresh
}

// checked gives the request with trimmed texts, or the refusal of its first mistake.
func (r RecalibrateRequest) checked() (RecalibrateRequest, error) {
	for _, l := range []struct {
		field string
		text  *string
		limit int
	}{{"instruction", &r.Instruction, maxDirection}, {"query", &r.Query, maxDirection}, {"requestedDistribution", &r.RequestedAxis, maxAxisName}} {
		given := *l.text != ""
		*l.text = strings.TrimSpace(*l.text)
		if given && *l.text == "" {
			return r, invalid(l.field, "%s is blank; say what is to change, or leave it out.", l.field)
		}
		if n := utf8.RuneCountInString(*l.text); n > l.limit {
			return r, invalid(l.field, "%s has %d characters; at most %d are taken.", l.field, n, l.limit)
		}
	}
	for _, pair := range []struct {
		a, b   string
		has    bool
		advice string
	}{
		{"deepen", "query", r.Deepen != nil && r.Query != "", "deepen keeps the direction, query leaves it"},
		{"deepen", "distributions", r.Deepen != nil && r.Selection, "distributions takes the axes as they are and researches nothing"},
		{"instruction", "query", r.Instruction != "" && r.Query != "", "instruction adjusts the brief, query replaces it"},
		{"distributions", "query", r.Selection && r.Query != "", "distributions researches nothing"},
		{"distributions", "instruction", r.Selection && r.Instruction != "", "distributions takes the axes as they are"},
		{"distributions", "requestedDistribution", r.Selection && r.RequestedAxis != "", "put the axis into distributions"},
	} {
		if pair.has {
			return r, invalid(pair.a, "%s and %s exclude each other (%s). Send one of them.", pair.a, pair.b, pair.advice)
		}
	}
	if r.Deepen != nil {
		topics, err := checkTopics(r.Deepen.Topics)
		if err != nil {
			return r, err
		}
		r.Deepen = &Deepen{Topics: topics}
	}
	if r.Sources != nil {
		for _, l := range []struct {
			field string
			n     int
			long  int
			most  int
		}{{"sources.files", len(r.Sources.Files), 0, 0}, {"sources.links", len(r.Sources.Links), longest(r.Sources.Links), maxLink},
			{"sources.keywords", len(r.Sources.Keywords), longest(r.Sources.Keywords), maxKeyword}} {
			if l.n > maxGiven {
				return r, invalid(l.field, "%s has %d entries; at most %d are taken.", l.field, l.n, maxGiven)
			}
			if l.long > l.most {
				return r, invalid(l.field, "an entry of %s has %d characters; at most %d are taken.", l.field, l.long, l.most)
			}
		}
	}
	return r, checkAxes(r.Axes)
}

func checkTopics(topics []string) ([]string, error) {
	if len(topics) > maxTopics {
		return nil, invalid("deepen.topics", "deepen.topics has %d entries; at most %d are taken.", len(topics), maxTopics)
	}
	out := make([]string, len(topics))
	for i, t := range topics {
		out[i] = strings.TrimSpace(t)
		switch n := utf8.RuneCountInString(out[i]); {
		case n == 0:
			return nil, invalid("deepen.topics", "deepen.topics[%d] is blank; leave it out.", i)
		case n > maxTopic:
			return nil, invalid("deepen.topics", "deepen.topics[%d] has %d characters; at most %d are taken.", i, n, maxTopic)
		}
		if slices.ContainsFunc(out[:i], func(o string) bool { return strings.EqualFold(o, out[i]) }) {
			return nil, invalid("deepen.topics", "deepen.topics names %q twice; name it once.", out[i])
		}
	}
	return out, nil
}

// checkAxes holds given axes to what can be allocated at all.
func checkAxes(axes []GivenAxis) error {
	if len(axes) > maxAxes {
		return invalid("distributions", "distributions has %d axes; at most %d are taken.", len(axes), maxAxes)
	}
	for i, a := range axes {
		if strings.TrimSpace(a.Name) == "" {
			return invalid("distributions", "distributions[%d].name is blank.", i)
		}
		if slices.ContainsFunc(axes[:i], func(o GivenAxis) bool { return o.Name == a.Name }) {
			return invalid("distributions", "distributions names the axis %q twice; name it once.", a.Name)
		}
		whole := 0.0
		for k, s := range a.Distribution {
			if strings.TrimSpace(s.Label) == "" {
				return invalid("distributions", "distributions[%d].distribution[%d].label is blank.", i, k)
			}
			if slices.ContainsFunc(a.Distribution[:k], func(o GivenShare) bool { return o.Label == s.Label }) {
				return invalid("distributions", "The axis %q has the segment %q twice; name it once.", a.Name, s.Label)
			}
			if s.Pct < 0 || s.Pct > 100 {
				return invalid("distributions", "%q of %q has %g percent; a share is from 0 to 100.", s.Label, a.Name, s.Pct)
			}
			whole += s.Pct
		}
		if whole <= 0 {
			return invalid("distributions", "The axis %q has no segment with a share above 0, so nobody could be in it. Give it shares, or leave the axis out.", a.Name)
		}
	}
	return nil
}

// Recalibration is where a recalibration stands, and what came of it.
type Recalibration struct {
	JobID       string
	AudienceID  string
	Status      string // calibrating | completed
	Mode        string
	Reach       string // once completed
	Grounding   *Grounding
	Coverage    *Coverage
	Refreshed   int
	Evolved     int
	Added       int
	Calibration Calibration
	URL         string
}

// Completed reports whether it is done.
func (r Recalibration) Completed() bool { return r.Status == "completed" }

// Retraining is how many members were queued for training (M-142).
func (r Recalibration) Retraining() int { return r.Refreshed + r.Evolved }

// Recalibrate admits a recalibration and waits for it at most for patience.
// NOT_FOUND also for who does not own the Audience; AUDIENCE_BUILDING,
// RECALIBRATION_RUNNING, RESEARCH_RUNNING, AUDIENCE_MINDS_SHARED, PLAN_LIMIT,
// NOT_ENOUGH_EVIDENCE, VALIDATION: then nothing was changed.
func (s *Service) Recalibrate(ctx context.Context, r RecalibrateRequest, patience time.Duration) (Recalibration, error) {
	o, err := s.admitRecalibration(ctx, r)
	if err != nil {
		return Recalibration{}, err
	}
	return s.awaitRecalibration(ctx, o, patience)
}

// RecalibrationPatience is how long a call waits before it says that the Audience
// is calibrating (M-146).
const RecalibrationPatience = 25 * time.Second

func (s *Service) awaitRecalibration(ctx context.Context, o recalibration, patience time.Duration) (Recalibration, error) {
	until := s.d.Clock.Now().Add(patience)
	if deadline, ok := ctx.Deadline(); ok {
		if left := time.Until(deadline) - reserve; left < patience {
			until = s.d.Clock.Now().Add(left)
		}
	}
	for wait := firstPoll; ; wait = min(wait*3/2, lastPoll) {
		now, found, err := s.recalibration(ctx, o.ID)
		if err != nil {
			return Recalibration{}, err
		}
		if found {
			o = now
		}
		if o.settled() || !s.d.Clock.Now().Add(wait).Before(until) {
			return s.recalibrated(ctx, o)
		}
		if err := s.d.Clock.Sleep(ctx, wait); err != nil {
			return Recalibration{}, err
		}
	}
}

// Recalibrated reads where a recalibration of the caller's stands; the error is
// that which it failed with.
func (s *Service) Recalibrated(ctx context.Context, jobID string) (Recalibration, error) {
	o, found, err := s.recalibration(ctx, jobID)
	if err != nil {
		return Recalibration{}, err
	}
	if !found {
		return Recalibration{}, fault.New(fault.NotFound, "No recalibration with this id.")
	}
	return s.recalibrated(ctx, o)
}

// recalibrated is the answer of a call.
func (s *Service) recalibrated(ctx context.Context, o recalibration) (Recalibration, error) {
	out := Recalibration{JobID: o.ID, AudienceID: o.AudienceID, Status: "calibrating", Mode: o.Mode, URL: s.URL(o.AudienceID)}
	switch o.Status {
	case OperationFailed:
		return out, fault.New(fault.Code(o.Error.Code), "%s", o.Error.Message)
	case OperationCompleted:
	default:
		out.Calibration = Calibration{Active: true, StartedAt: stamp(o.CreatedAt)}
		return out, nil
	}
	a, err := s.Get(ctx, o.AudienceID)
	if err != nil {
		return out, err
	}
	out.Status, out.Reach, out.Refreshed, out.Evolved, out.Added = "completed", o.Reach, o.Refreshed, o.Evolved, o.Made
	if a.Calibration != nil { // another one began meanwhile
		out.Calibration = Calibration{Active: true, StartedAt: stamp(a.Calibration.StartedAt)}
	}
	if a.Grounding != nil {
		c := a.Grounding.Coverage
		out.Coverage = &c
	}
	out.Grounding, err = s.groundingOf(ctx, a)
	return out, err
}

// admitRecalibration commits the mark on the Audience, the change's row, what it
// counts and its job in one transaction.
func (s *Service) admitRecalibration(ctx context.Context, r RecalibrateRequest) (recalibration, error) {
	r, err := r.checked()
	if err != nil {
		return recalibration{}, err
	}
	a, err := s.recalibratable(ctx, r)
	if err != nil {
		return recalibration{}, err
	}
	now := s.d.Clock.Now()
	o := recalibration{ID: s.d.IDs.NewID(), Workspace: a.Workspace, Owner: a.Owner, AudienceID: a.ID, Mode: r.mode(),
		Status: OperationQueued, CreatedAt: now, BeatAt: now, ExpiresAt: now.Add(OperationLife)}
	base, err := s.briefOf(ctx, a)
	if err != nil {
		return o, err
	}
	if o.Adds, err = s.additions(ctx, a, r, base); err != nil {
		return o, err
	}
	if o.Adds == 0 {
		shared, others, err := s.alsoIn(ctx, a)
		if err != nil {
			return o, err
		}
		if len(shared) > 0 && !r.AllowShared {
			return o, fault.New(fault.AudienceMindsShared, "%d members of this Audience are in other Audiences too, and would change there as well; data.sharedMinds names them. Send allowSharedMinds: true to accept that, or take them out of one of the Audiences.", len(shared)).
				With("sharedMinds", shared)
		}
		o.AlsoHolds = others
	}
	if err := s.givenSafe(ctx, r); err != nil {
		return o, err
	}
	if o.Request, err = s.putJSON(ctx, o.Workspace, r); err != nil {
		return o, err
	}
	extra, err := s.admission(ctx, &o)
	if err != nil {
		return o, err
	}
	kind := "recalibrate"
	if r.Deepen != nil {
		kind = "deepen"
	}
	_, err = s.Note(ctx, a.ID, func(a *Audience) error {
		if err := free(*a, r, now); err != nil {
			return err
		}
		a.Calibration = &CalibrationState{JobID: o.ID, Kind: kind, StartedAt: now, BeatAt: now}
		return nil
	}, func(Audience) ([]records.Action, error) { return extra, nil })
	var lost *records.CanceledError
	if o.HeldMinds > 0 && errors.As(err, &lost) && lost.Failed(len(lost.Reasons)-len(extra)) {
		return o, s.d.Accounts.PlanLimit(ctx, account.Minds, int64(o.Adds))
	}
	if err != nil {
		return o, err
	}
	_ = s.d.Jobs.Start(ctx, o.job(now)) // what could not be started is started by the sweeper
	return o, nil
}

// admission are the actions beside the Audience's own; what is counted comes first.
func (s *Service) admission(ctx context.Context, o *recalibration) ([]records.Action, error) {
	var extra []records.Action
	if o.Adds > 0 {
		hold, err := s.d.Accounts.Hold(account.From(ctx), account.Minds, int64(o.Adds))
		if err != nil {
			return nil, err
		}
		extra, o.HeldMinds = append(extra, hold...), o.Adds
	}
	row, err := o.put(records.NotExists())
	if err != nil {
		return nil, err
	}
	return append(extra, row, s.d.Jobs.Open(o.job(s.d.Clock.Now()))), nil
}

// recalibratable reads an Audience of the caller that may be recalibrated now.
func (s *Service) recalibratable(ctx context.Context, r RecalibrateRequest) (Audience, error) {
	a, err := s.Access(ctx, r.AudienceID, Owner)
	if fault.Is(err, fault.Forbidden) {
		return a, fault.New(fault.NotFound, "No Audience with this id.")
	}
	if err != nil {
		return a, err
	}
	now := s.d.Clock.Now()
	if a.Calibration != nil {
		if a, err = s.clearSilent(ctx, a, now); err != nil {
			return a, err
		}
	}
	if err := free(a, r, now); err != nil {
		return a, err
	}
	if a.Grounding == nil {
		return a, fault.New(fault.NotEnoughEvidence, "This Audience was made of existing Minds and has no grounding that could be researched again. Make one from a brief with create_audience_from_brief.")
	}
	return a, nil
}

// free refuses while something else works on the Audience.
func free(a Audience, r RecalibrateRequest, now time.Time) error {
	switch {
	case a.State == Creating:
		return fault.New(fault.AudienceBuilding, "This Audience is still being created. Poll get_audience until its state is ready.")
	case a.State == Failed:
		return fault.New(fault.AudienceBuilding, "The creation of this Audience failed. Repeat the arguments that made it: what was made is kept.")
	case a.Calibration != nil:
		return fault.New(fault.RecalibrationRunning, "A recalibration of this Audience is running since %s. Poll get_audience until calibration.active is false.", clock.Stamp(a.Calibration.StartedAt)).
			With("startedAt", clock.Stamp(a.Calibration.StartedAt))
	case r.Deepen != nil && (a.Research.Phase == Researching || a.Research.Phase == Applying):
		return fault.New(fault.ResearchRunning, "Background research of this Audience is still running, and deepen would look for the same. Poll get_audience until research.phase is done or failed.").
			With("phase", a.Research.Phase)
	}
	return nil
}

// additions is how many members an additive instruction asks for, within the caps;
// 0 when it is none.
func (s *Service) additions(ctx context.Context, a Audience, r RecalibrateRequest, base brief.Brief) (int, error) {
	if r.Instruction == "" {
		return 0, nil
	}
	in := brief.ReadInstruction(r.Instruction, base)
	if err := saidOf(in); err != nil {
		return 0, err
	}
	if err := s.feasible(ctx, a, in); err != nil {
		return 0, err
	}
	if both(in, r.Instruction) {
		return 0, invalid("instruction", "instruction sets a share of those who are there and adds people. Send two instructions: first the share, then whom to add.")
	}
	if idle(in, r.Instruction) {
		return 0, invalid("instruction", "instruction says nothing of the population that could be changed. Write a share (\"60 %% women\"), an age or a gender (\"only people aged 30 to 40\"), what all are from now on (\"they are all vegan now\"), another population (\"now nurses in Spain\"), or whom to add (\"add 10 from Austria\").")
	}
	if len(in.Brief.Contradictions) > 0 {
		p := in.Brief.Contradictions[0]
		return 0, invalid("instruction", "instruction: %s", p.Message).With("quotes", p.Quotes)
	}
	if vague(in) {
		return 0, invalid("instruction", "instruction wants more or fewer of somebody but does not say how many. Write the share, for example \"60 %% women\".")
	}
	if in.Reach != brief.ReachAdditive {
		return 0, nil
	}
	if in.Add < 1 && addsNobody(in) {
		return 0, invalid("instruction", "instruction adds 0 people. Write how many are to be added, for example \"add 10 more from Austria\".")
	}
	if in.Add < 1 {
		return 0, invalid("instruction", "instruction adds people but does not say how many. Write the number, for example \"add 10 more from Austria\".")
	}
	limits, err := s.d.Accounts.Limits(ctx)
	if err != nil {
		return 0, err
	}
	if after := len(a.MemberIDs) + in.Add; after > memberCeiling(limits) {
		if limits.AudienceMembers == nil || *limits.AudienceMembers > systemLimit {
			return 0, fault.New(fault.PlanLimit, "An Audience has at most %d members, and this one would have %d. Add fewer.", systemLimit, after).
				With("limitType", string(account.AudienceMembers)).With("currentPlan", string(account.From(ctx).Plan)).With("limit", int64(systemLimit)).With("requested", int64(after))
		}
		return 0, s.d.Accounts.PlanLimit(ctx, account.AudienceMembers, int64(after))
	}
	return in.Add, nil
}

// sharedMind is a member that other Audiences have too.
type sharedMind struct {
	MindID    string        `json:"mindId"`
	Name      string        `json:"name"`
	Audiences []sharedWhere `json:"audiences"`
}

type sharedWhere struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// alsoIn gives the members of an Audience that are in others of its owner, and the
// ids of those. It looks through the owner's Audiences once.
func (s *Service) alsoIn(ctx context.Context, a Audience) (shared []sharedMind, others []string, err error) {
	member := make(map[string]bool, len(a.MemberIDs))
	for _, id := range a.MemberIDs {
		member[id] = true
	}
	where := map[string][]sharedWhere{}
	const page = 100
	for offset := 0; ; offset += page {
		rows, err := s.mine(ctx, page, offset)
		if err != nil {
			return nil, nil, err
		}
		ids := make([]string, 0, len(rows))
		for _, r := range rows {
			if r.ID != a.ID {
				ids = append(ids, r.ID)
			}
		}
		all, err := s.GetMany(ctx, ids)
		if err != nil {
			return nil, nil, err
		}
		for _, o := range all {
			hit := false
			for _, id := range o.MemberIDs {
				if member[id] {
					where[id] = append(where[id], sharedWhere{o.ID, o.Name})
					hit = true
				}
			}
			if hit && !slices.Contains(others, o.ID) {
				others = append(others, o.ID)
			}
		}
		if len(rows) < page {
			break
		}
	}
	if len(where) == 0 {
		return nil, nil, nil
	}
	minds, err := s.d.Minds.GetMany(ctx, a.MemberIDs)
	if err != nil {
		return nil, nil, err
	}
	for _, m := range minds {
		if in, ok := where[m.ID]; ok {
			shared = append(shared, sharedMind{m.ID, m.Name, in})
		}
	}
	return shared, others, nil
}

// givenSafe refuses addresses that will never be asked for and foreign files, as
// for a brief.
func (s *Service) givenSafe(ctx context.Context, r RecalibrateRequest) error {
	if r.Sources == nil {
		return nil
	}
	return s.safe(ctx, BriefRequest{Links: r.Sources.Links, Files: r.Sources.Files})
}
