package audience_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/jobs"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// settled runs everything that was started until nothing is.
func settled(t testing.TB, w *researchtest.World) {
	t.Helper()
	for range 50 {
		started := w.Engine.Take()
		if len(started) == 0 {
			return
		}
		for _, j := range started {
			if err := w.Step(context.WithoutCancel(t.Context()), j); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Fatal("jobs start jobs for ever")
}

// made is an Audience from a brief whose members are trained.
func made(t testing.TB, w *researchtest.World, ctx context.Context, text string, n int) audience.Audience {
	t.Helper()
	a := fromBrief(t, w, ctx, audience.BriefRequest{Text: text, MemberCount: n, Mode: allocate.SegmentCoverage})
	settled(t, w)
	out, err := w.Audiences.Outcome(ctx, a.Operation.JobID)
	if err != nil || out.Audience == nil {
		t.Fatalf("%+v, %v", out.Operation.Error, err)
	}
	stored, err := w.Audiences.Get(ctx, out.Audience.ID)
	if err != nil {
		t.Fatal(err)
	}
	return stored
}

// again recalibrates and runs it to its end; the answer is that of the tool.
func again(t testing.TB, w *researchtest.World, ctx context.Context, r audience.RecalibrateRequest) (audience.Recalibration, error) {
	t.Helper()
	first, err := w.Audiences.Recalibrate(ctx, r, 0)
	if err != nil {
		return first, err
	}
	if first.Status != "calibrating" || !first.Calibration.Active {
		t.Errorf("M-146: admitted as %+v", first)
	}
	settled(t, w)
	return w.Audiences.Recalibrated(ctx, first.JobID)
}

func must[T any](t testing.TB) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// snapshot is every member of an Audience as it is stored, by id.
func snapshot(t testing.TB, w *researchtest.World, ctx context.Context, a audience.Audience) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		raw, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		out[m.ID] = string(raw)
	}
	return out
}

func count(d audience.Detail, axis, segment string) int {
	n := 0
	for _, m := range d.Minds {
		if m.CohortProfile[axis] == segment {
			n++
		}
	}
	return n
}

func detail(t testing.TB, w *researchtest.World, ctx context.Context, id string) audience.Detail {
	t.Helper()
	return must[audience.Detail](t)(w.Audiences.Detail(ctx, id))
}

// M-140, M-144: a share moves the fewest members, who are other persons under
// their ids; all others are left byte for byte.
func TestCompositionChangesTheFewest_M140_M144(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 60)
	before, was := snapshot(t, w, ctx, a), detail(t, w, ctx, a.ID)
	w.Clock.Advance(time.Minute)
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "make it 50 % women"}))
	if r.Status != "completed" || r.Mode != audience.ModeInstruction || r.Reach != audience.ReachComposition || r.Refreshed != 6 || r.Evolved != 0 || r.Added != 0 {
		t.Errorf("%+v", r)
	}
	d := detail(t, w, ctx, a.ID)
	if n := count(d, "Gender", "Woman"); n != 30 {
		t.Errorf("%d women", n)
	}
	if d.State != audience.Ready || d.Calibration.Active || *d.Grounding.SnapshotID == *was.Grounding.SnapshotID {
		t.Errorf("state %s, calibration %+v", d.State, d.Calibration)
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	if fmt.Sprint(now.MemberIDs) != fmt.Sprint(a.MemberIDs) {
		t.Error("M-141: ids changed")
	}
	after := snapshot(t, w, ctx, now)
	changed := 0
	for i, m := range d.Minds {
		if before[m.ID] == after[m.ID] {
			if fmt.Sprint(m.CohortProfile) != fmt.Sprint(was.Minds[i].CohortProfile) {
				t.Errorf("%s is as it was and stands for something else", m.Name)
			}
			continue
		}
		changed++
		if m.CohortProfile["Gender"] == was.Minds[i].CohortProfile["Gender"] || m.CohortProfile["Age"] != was.Minds[i].CohortProfile["Age"] {
			t.Errorf("%v became %v", was.Minds[i].CohortProfile, m.CohortProfile)
		}
		x := must[mind.Mind](t)(w.Minds.Get(ctx, m.ID))
		if !strings.EqualFold(x.Identity.Gender, m.CohortProfile["Gender"]) || !strings.Contains(x.SystemPrompt, x.Identity.Gender) || x.Training.Status != mind.Completed {
			t.Errorf("%s is %+v: %s", m.Name, x.Identity, x.Training.Status)
		}
		if m.Name == was.Minds[i].Name || x.Portrait == nil || x.Portrait.Number != 2 {
			t.Errorf("%s is not another person: %+v", m.Name, x.Portrait)
		}
	}
	if changed != 6 {
		t.Errorf("%d members changed", changed)
	}
	for i, axis := range d.Grounding.Distributions {
		if axis.Name != "Gender" && fmt.Sprint(axis) != fmt.Sprint(was.Grounding.Distributions[i]) {
			t.Errorf("%s changed", axis.Name)
		}
	}
	if n := len(now.Sources); n != len(a.Sources)+1 || now.Sources[n-1].Kind != audience.SourceAdjustment || now.Sources[n-1].Text != "make it 50 % women" {
		t.Errorf("sources %+v", now.Sources)
	}
	if !now.UpdatedAt.After(a.UpdatedAt) {
		t.Error("an edited Audience goes to the front of the list")
	}
	// Asked again nothing is left to change.
	r = must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "make it 50 % women"}))
	if r.Refreshed+r.Evolved != 0 {
		t.Errorf("%+v", r)
	}
}

// M-140: an addition leaves everybody as they are; newcomers are what it says, in
// slots of their own, and a later change of shares counts all.
func TestAdditionsLeaveTheOthers_M140_M142(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 60)
	before := snapshot(t, w, ctx, a)
	shared := must[audience.Created](t)(w.Audiences.Create(ctx, audience.CreateRequest{Name: "Also", MindIDs: a.MemberIDs[:3]}))
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 10 from Austria"}))
	if r.Reach != audience.ReachAdditive || r.Added != 10 || r.Evolved+r.Refreshed != 0 {
		t.Errorf("%+v", r)
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	after := snapshot(t, w, ctx, now)
	if len(now.MemberIDs) != 70 || fmt.Sprint(now.MemberIDs[:60]) != fmt.Sprint(a.MemberIDs) {
		t.Fatalf("%d members", len(now.MemberIDs))
	}
	for id, raw := range before {
		if after[id] != raw {
			t.Errorf("%s changed", id)
		}
	}
	slots := map[int64]bool{}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, now.MemberIDs)) {
		if slots[m.Slot] || !m.ReadyToChat() || m.AudienceID != a.ID {
			t.Errorf("%s: slot %d, ready %v", m.Name, m.Slot, m.ReadyToChat())
		}
		slots[m.Slot] = true
	}
	d := detail(t, w, ctx, a.ID)
	for _, m := range d.Minds[60:] {
		x := must[mind.Mind](t)(w.Minds.Get(ctx, m.ID))
		if !strings.Contains(x.PersonaContext, "Austria") {
			t.Errorf("%s is not from Austria: %s", m.Name, x.PersonaContext)
		}
	}
	if n := count(d, "Gender", "Woman"); n != 42 {
		t.Errorf("60 %% of 70 are 42 women, got %d", n)
	}
	for _, axis := range d.Grounding.AllocationAudit.Axes {
		sum, achieved := 0, 0
		for _, s := range axis.Segments {
			sum, achieved = sum+s.TargetCount, achieved+s.AchievedCount
		}
		if sum != 70 || achieved != 70 {
			t.Errorf("the audit of %s: %d targeted, %d achieved", axis.Distribution, sum, achieved)
		}
	}
	if n := must[int64](t)(w.Accounts.Owned(ctx, account.Minds)); n != 70 {
		t.Errorf("%d Minds counted", n)
	}
	r = must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "make it 50 % women", AllowShared: true}))
	if r.Refreshed != 7 || r.Evolved != 0 { // 42 become 35
		t.Errorf("%+v", r)
	}
	_ = shared
}

// M-144: shares of an axis leave its other segments their labels and proportions,
// and only those who must move do; who all had to be gives way to a stated share.
func TestSharesLeaveTheOtherSegments_M144(t *testing.T) {
	for text, tt := range map[string]struct {
		axis, segment string
		members       int // in the segment afterwards
		other         string
		moved         int
	}{
		"20 % of them are freelancers":             {"Employment", "Self-employed", 4, "Employed", 4},
		"half aged 25 to 34":                       {"Age", "25-34", 10, "35-45", 1},
		"a third live in Berlin, 20 % in Hamburg":  {"Geography", "Hamburg", -1, "Bremen", -1},
		"make it 90 % women and leave all else be": {"Gender", "Woman", 18, "Man", 6},
	} {
		w := researchtest.New(t)
		ctx := w.As(t, "lab", account.Team)
		a := made(t, w, ctx, parents, 20)
		was := detail(t, w, ctx, a.ID)
		r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text}))
		d := detail(t, w, ctx, a.ID)
		if r.Reach != audience.ReachComposition || tt.moved >= 0 && r.Evolved+r.Refreshed != tt.moved || tt.members >= 0 && count(d, tt.axis, tt.segment) != tt.members {
			t.Errorf("%s: %d moved, %d are %s", text, r.Evolved+r.Refreshed, count(d, tt.axis, tt.segment), tt.segment)
		}
		for i, x := range d.Grounding.Distributions {
			whole, other := 0.0, false
			for _, s := range x.Distribution {
				whole, other = whole+s.Pct, other || s.Label == tt.other
			}
			if x.Name == tt.axis && (!other || whole < 99.9 || whole > 100.1) {
				t.Errorf("%s: %+v", text, x)
			}
			if x.Name != tt.axis && fmt.Sprint(x) != fmt.Sprint(was.Grounding.Distributions[i]) {
				t.Errorf("%s changed %s", text, x.Name)
			}
		}
	}
}

// M-140: a trait evolves everybody as who they are.
func TestATraitEvolvesAll_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	was := must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs))
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}))
	if r.Reach != audience.ReachTrait || r.Evolved != 12 || r.Refreshed != 0 {
		t.Errorf("%+v", r)
	}
	for i, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if m.ID != was[i].ID || m.Name != was[i].Name || *m.Identity != *was[i].Identity || m.Portrait.Number != 1 {
			t.Errorf("%s became %s, %+v", was[i].Name, m.Name, m.Identity)
		}
		if m.PersonaContext == was[i].PersonaContext || !strings.Contains(strings.ToLower(m.PersonaContext), "vegan") {
			t.Errorf("%s: %s", m.Name, m.PersonaContext)
		}
	}
	// What holds for all holds for who comes later.
	if _, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 2 more people"}); err != nil {
		t.Fatal(err)
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, now.MemberIDs[12:])) {
		if !strings.Contains(strings.ToLower(m.PersonaContext), "vegan") {
			t.Errorf("%s: %s", m.Name, m.PersonaContext)
		}
	}
}

// M-140: another population remakes everybody under the same ids, and drops what
// they knew. A query does too, and is not kept.
func TestAPivotRemakesAll_M140(t *testing.T) {
	for name, r := range map[string]audience.RecalibrateRequest{
		"instruction": {Instruction: "now nurses in Spain instead"},
		"query":       {Query: "Nurses in Spain aged 25 to 60"},
	} {
		t.Run(name, func(t *testing.T) {
			w := researchtest.New(t)
			ctx := w.As(t, "lab", account.Team)
			a := made(t, w, ctx, parents, 12)
			was := must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs))
			r.AudienceID = a.ID
			got := must[audience.Recalibration](t)(again(t, w, ctx, r))
			if got.Reach != audience.ReachPivot || got.Refreshed != 12 || got.Evolved != 0 {
				t.Errorf("%+v", got)
			}
			for i, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
				if m.ID != was[i].ID || m.Slot != was[i].Slot || m.Name == was[i].Name || m.Portrait.Number != 2 || !strings.Contains(m.PersonaContext, "Spain") {
					t.Errorf("%s became %s: %s", was[i].Name, m.Name, m.PersonaContext)
				}
			}
			now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
			kept := 0
			for _, s := range now.Sources {
				if s.Kind == audience.SourceAdjustment {
					kept++
				}
			}
			if want := map[string]int{"instruction": 1, "query": 0}[name]; kept != want {
				t.Errorf("%d adjustments kept", kept)
			}
		})
	}
}

// M-140: selection takes the axes as they are. With none nobody changes; an axis
// that comes back finds its members where they stood.
func TestSelection_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	before, was := snapshot(t, w, ctx, a), detail(t, w, ctx, a.ID)
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true}))
	if r.Mode != audience.ModeDistributions || r.Reach != audience.ReachSelection || r.Evolved+r.Refreshed != 0 || len(r.Grounding.Distributions) != 0 {
		t.Errorf("%+v", r)
	}
	for _, m := range detail(t, w, ctx, a.ID).Minds {
		if m.CohortProfile != nil {
			t.Errorf("%s stands for %v", m.Name, m.CohortProfile)
		}
	}
	var axes []audience.GivenAxis
	for _, d := range was.Grounding.Distributions {
		x := audience.GivenAxis{Name: d.Name}
		for _, s := range d.Distribution {
			x.Distribution = append(x.Distribution, audience.GivenShare{Label: s.Label, Pct: s.Pct})
		}
		axes = append(axes, x)
	}
	r = must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true, Axes: axes}))
	if r.Evolved+r.Refreshed != 0 || len(r.Grounding.Distributions) != len(was.Grounding.Distributions) {
		t.Errorf("%+v", r)
	}
	for i, m := range detail(t, w, ctx, a.ID).Minds {
		if fmt.Sprint(m.CohortProfile) != fmt.Sprint(was.Minds[i].CohortProfile) {
			t.Errorf("%s stands for %v, not %v", m.Name, m.CohortProfile, was.Minds[i].CohortProfile)
		}
	}
	if fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) {
		t.Error("somebody changed")
	}
	// A new axis alone evolves all: it is nothing that a portrait shows.
	own := []audience.GivenAxis{{Name: "Car", Distribution: []audience.GivenShare{{Label: "Owns a car", Pct: 75}, {Label: "No car", Pct: 25}}}}
	r = must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true, Axes: own}))
	if d := detail(t, w, ctx, a.ID); r.Evolved != 20 || r.Refreshed != 0 || count(d, "Car", "Owns a car") != 15 {
		t.Errorf("%+v, %d own a car", r, count(d, "Car", "Owns a car"))
	}
	bad := []audience.GivenAxis{{Name: "Car", Distribution: []audience.GivenShare{{Label: "Yes", Pct: 100, SourceIdx: new(999)}}}}
	if _, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true, Axes: bad}); !fault.Is(err, fault.Validation) {
		t.Errorf("a source that is not there: %v", err)
	}
	if d := detail(t, w, ctx, a.ID); d.Calibration.Active || d.State != audience.Ready {
		t.Errorf("M-141: after a failure %+v", d.Calibration)
	}
}

// M-140, M-145: without arguments, and deeper, nothing offline can better what was
// read already: nobody changes, and charts stay byte for byte.
func TestRefreshAndDeepen_M140_M145(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	before, was := snapshot(t, w, ctx, a), detail(t, w, ctx, a.ID)
	for name, r := range map[string]audience.RecalibrateRequest{
		audience.ModeRefresh: {}, audience.ModeDeepen: {Deepen: &audience.Deepen{Topics: []string{"mobility"}}},
	} {
		r.AudienceID = a.ID
		got := must[audience.Recalibration](t)(again(t, w, ctx, r))
		want := map[string]string{audience.ModeRefresh: audience.ReachEvidence, audience.ModeDeepen: audience.ReachDeepen}[name]
		if got.Mode != name || got.Reach != want || got.Evolved+got.Refreshed != 0 {
			t.Errorf("%s: %+v", name, got)
		}
		if d := detail(t, w, ctx, a.ID); fmt.Sprint(d.Grounding.Distributions) != fmt.Sprint(was.Grounding.Distributions) {
			t.Errorf("%s changed charts", name)
		}
	}
	if fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) {
		t.Error("somebody changed")
	}
}

// M-140, M-142, M-145, M-146: what is refused before anything is done.
func TestRecalibrationRefusals(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	a := made(t, w, ctx, parents, 12)
	plain := must[audience.Created](t)(w.Audiences.Create(ctx, audience.CreateRequest{Name: "Plain", MindIDs: minds(t, w, ctx, "x")})).Audience
	before := snapshot(t, w, ctx, a)
	text := strings.Repeat("x", 4001)
	for name, tt := range map[string]struct {
		ctx  context.Context
		r    audience.RecalibrateRequest
		code fault.Code
	}{
		"another tenant":         {other, audience.RecalibrateRequest{AudienceID: a.ID}, fault.NotFound},
		"not there":              {ctx, audience.RecalibrateRequest{AudienceID: missing}, fault.NotFound},
		"no grounding":           {ctx, audience.RecalibrateRequest{AudienceID: plain.ID}, fault.NotEnoughEvidence},
		"selection, no ground":   {ctx, audience.RecalibrateRequest{AudienceID: plain.ID, Selection: true}, fault.NotEnoughEvidence},
		"deepen and query":       {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{}, Query: "x"}, fault.Validation},
		"deepen and axes":        {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{}, Selection: true}, fault.Validation},
		"instruction and query":  {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "x", Query: "y"}, fault.Validation},
		"axes and instruction":   {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "x", Selection: true}, fault.Validation},
		"blank instruction":      {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "  "}, fault.Validation},
		"long instruction":       {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text}, fault.Validation},
		"long query":             {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Query: text}, fault.Validation},
		"nine topics":            {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{Topics: strings.Split("abcdefghi", "")}}, fault.Validation},
		"a blank topic":          {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{Topics: []string{" "}}}, fault.Validation},
		"a topic twice":          {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{Topics: []string{"mobility", " mobility "}}}, fault.Validation},
		"a long topic":           {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{Topics: []string{strings.Repeat("x", 121)}}}, fault.Validation},
		"an axis twice":          {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true, Axes: []audience.GivenAxis{{Name: "A", Distribution: []audience.GivenShare{{Label: "x", Pct: 1}}}, {Name: "A", Distribution: []audience.GivenShare{{Label: "x", Pct: 1}}}}}, fault.Validation},
		"an axis of nobody":      {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Selection: true, Axes: []audience.GivenAxis{{Name: "A", Distribution: []audience.GivenShare{{Label: "x", Pct: 0}}}}}, fault.Validation},
		"against itself":         {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "60 % women and 60 % men"}, fault.Validation},
		"more, but how many":     {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "more women"}, fault.Validation},
		"added, but how many":    {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add more people"}, fault.Validation},
		"more than the cap":      {ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 2000 more people"}, fault.PlanLimit},
		"an axis without figure": {ctx, audience.RecalibrateRequest{AudienceID: a.ID, RequestedAxis: "shoe size"}, fault.NotEnoughEvidence},
	} {
		if _, err := again(t, w, tt.ctx, tt.r); !fault.Is(err, tt.code) {
			t.Errorf("%s: %v, want %s", name, err, tt.code)
		}
	}
	if fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) {
		t.Error("somebody changed")
	}
	if n := must[int64](t)(w.Accounts.Owned(ctx, account.Minds)); n != 13 {
		t.Errorf("%d Minds counted", n)
	}
	if d := detail(t, w, ctx, a.ID); d.State != audience.Ready {
		t.Errorf("state %s", d.State)
	}
}

// M-142: members of other Audiences are changed only when the caller accepts it;
// then no run of theirs sees the change either (M-45).
func TestSharedMembers_M142(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	b := must[audience.Created](t)(w.Audiences.Create(ctx, audience.CreateRequest{Name: "Also", MindIDs: []string{a.MemberIDs[2], a.MemberIDs[7]}})).Audience
	r := audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}
	_, err := again(t, w, ctx, r)
	f := fault.From(err)
	if f.Code != fault.AudienceMindsShared {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(f.Data["sharedMinds"])
	if got := string(raw); strings.Count(got, "mindId") != 2 || !strings.Contains(got, a.MemberIDs[2]) || !strings.Contains(got, b.ID) || !strings.Contains(got, `"Also"`) {
		t.Errorf("sharedMinds %s", got)
	}
	r.AllowShared = true
	if ok, err := w.Audiences.Share(ctx, b.ID, "a run of the other"); !ok || err != nil {
		t.Fatal(err)
	}
	first := must[audience.Recalibration](t)(w.Audiences.Recalibrate(ctx, r, 0))
	job := audience.RecalibrationJob{Job: first.JobID, Workspace: account.From(ctx).Workspace, Account: account.From(ctx).Account, Audience: a.ID}
	w.Engine.Take()
	if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Wait {
		t.Errorf("it does not wait for the run: %+v, %v", s, err)
	}
	if d := detail(t, w, ctx, a.ID); d.State != audience.Calibrating || !d.Calibration.Active || d.Calibration.StartedAt == nil {
		t.Errorf("M-49: %s, %+v", d.State, d.Calibration)
	}
	if err := w.Audiences.Release(ctx, b.ID, "a run of the other"); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		s, err := w.Audiences.Step(ctx, job)
		if err != nil {
			t.Fatal(err)
		}
		if s.Done {
			break
		}
		settled(t, w)
	}
	got := must[audience.Recalibration](t)(w.Audiences.Recalibrated(ctx, first.JobID))
	if got.Evolved != 12 {
		t.Errorf("%+v", got)
	}
	for _, id := range []string{a.ID, b.ID} {
		if ok, err := w.Audiences.Share(ctx, id, "the next run"); !ok || err != nil {
			t.Errorf("the Audience is still held: %v", err)
		}
	}
}

// M-44, M-45: a change waits for runs, new runs wait for it, and its Audience is
// held until the new versions answer, so that no run sees some members changed.
func TestRunsNeverSeeAHalf_M44_M45(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	ok := must[bool](t)(w.Audiences.Share(ctx, a.ID, "run1"))
	first := must[audience.Recalibration](t)(w.Audiences.Recalibrate(ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}, 0))
	w.Engine.Take()
	p := account.From(ctx)
	job := audience.RecalibrationJob{Job: first.JobID, Workspace: p.Workspace, Account: p.Account, Audience: a.ID}
	before := snapshot(t, w, ctx, a)
	for range 3 {
		if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Wait || !ok {
			t.Fatalf("%+v, %v", s, err)
		}
	}
	if fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) {
		t.Error("M-44: a member changed under a run")
	}
	if must[bool](t)(w.Audiences.Share(ctx, a.ID, "run2")) {
		t.Error("a new run went before the change")
	}
	if err := w.Audiences.Release(ctx, a.ID, "run1"); err != nil {
		t.Fatal(err)
	}
	if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Wait {
		t.Fatalf("%+v, %v", s, err) // applied; the new versions are being trained
	}
	if got := must[audience.Recalibration](t)(w.Audiences.Recalibrated(ctx, first.JobID)); got.Status != "completed" || got.Evolved != 12 {
		t.Errorf("M-141: retraining is not waited for: %+v", got)
	}
	if must[bool](t)(w.Audiences.Share(ctx, a.ID, "run2")) {
		t.Error("a run went between the old versions and the new")
	}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if !m.ReadyToChat() || m.Training.Status != mind.Queued {
			t.Errorf("M-23: %s: ready %v, %s", m.Name, m.ReadyToChat(), m.Training.Status)
		}
	}
	settled(t, w)
	if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Done {
		t.Fatalf("%+v, %v", s, err)
	}
	if !must[bool](t)(w.Audiences.Share(ctx, a.ID, "run2")) {
		t.Error("the run does not start when the Audience is free")
	}
	if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Done {
		t.Errorf("a step too many: %+v, %v", s, err)
	}
}

// M-146: one at a time; one that was not heard of for 30 minutes is cleared.
func TestOneRecalibrationAtATime_M146(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	r := audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 3 more people"}
	first := must[audience.Recalibration](t)(w.Audiences.Recalibrate(ctx, r, 0))
	dead := w.Engine.Take()
	if _, err := w.Audiences.Recalibrate(ctx, r, 0); !fault.Is(err, fault.RecalibrationRunning) {
		t.Errorf("a second one: %v", err)
	}
	w.Clock.Advance(29 * time.Minute)
	if _, err := w.Audiences.Recalibrate(ctx, r, 0); !fault.Is(err, fault.RecalibrationRunning) {
		t.Errorf("after 29 minutes: %v", err)
	}
	w.Clock.Advance(time.Minute)
	second := must[audience.Recalibration](t)(again(t, w, ctx, r))
	if second.Added != 3 {
		t.Errorf("%+v", second)
	}
	if _, err := w.Audiences.Recalibrated(ctx, first.JobID); !fault.Is(err, fault.DeadlineExceeded) {
		t.Errorf("the silent one: %v", err)
	}
	for _, j := range dead { // it wakes up after all
		if err := w.Step(ctx, j); err != nil {
			t.Fatal(err)
		}
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	if n := must[int64](t)(w.Accounts.Owned(ctx, account.Minds)); len(now.MemberIDs) != 15 || n != 15 {
		t.Errorf("%d members, %d Minds", len(now.MemberIDs), n)
	}
	// The sweeper clears it too.
	third := must[audience.Recalibration](t)(w.Audiences.Recalibrate(ctx, r, 0))
	w.Engine.Take()
	w.Clock.Advance(31 * time.Minute)
	if _, failed, err := w.Jobs.Sweep(ctx, map[string]func(context.Context, jobs.Job) error{audience.RecalibrationMachine: w.Audiences.ExpireRecalibration}); err != nil || failed != 1 {
		t.Errorf("%d failed, %v", failed, err)
	}
	if _, err := w.Audiences.Recalibrated(ctx, third.JobID); !fault.Is(err, fault.DeadlineExceeded) {
		t.Errorf("the swept one: %v", err)
	}
	if d := detail(t, w, ctx, a.ID); d.State != audience.Ready {
		t.Errorf("state %s", d.State)
	}
	if room := must[*int64](t)(w.Accounts.Room(ctx, account.Minds)); room != nil && *room != 1000-15 {
		t.Logf("room for %d", *room)
	}
}

// M-146: of many at once one is admitted, and its newcomers alone are counted.
func TestManyRecalibrationsAtOnce_M146(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 6)
	var g sync.WaitGroup
	var admitted atomic.Int64
	for range 16 {
		g.Go(func() {
			_, err := w.Audiences.Recalibrate(ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 2 more people"}, 0)
			switch {
			case err == nil:
				admitted.Add(1)
			case !fault.Is(err, fault.RecalibrationRunning):
				t.Error(err)
			}
		})
	}
	g.Wait()
	settled(t, w)
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	if n := must[int64](t)(w.Accounts.Owned(ctx, account.Minds)); admitted.Load() != 1 || len(now.MemberIDs) != 8 || n != 8 {
		t.Errorf("%d admitted, %d members, %d Minds", admitted.Load(), len(now.MemberIDs), n)
	}
}

// between is a store with something that happens before a transaction.
type between struct {
	records.Store
	before func()
}

func (b *between) Transact(ctx context.Context, token string, actions ...records.Action) error {
	if b.before != nil {
		b.before()
	}
	return b.Store.Transact(ctx, token, actions...)
}

// A member that is deleted meanwhile is left out, wherever it is met.
func TestAMemberIsDeletedMeanwhile(t *testing.T) {
	for at := range 9 {
		hook := &between{}
		w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Wrap: func(s records.Store) records.Store { hook.Store = s; return hook }})
		ctx := w.As(t, "lab", account.Team)
		a := made(t, w, ctx, parents, 25)
		first := must[audience.Recalibration](t)(w.Audiences.Recalibrate(ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}, 0))
		w.Engine.Take()
		p := account.From(ctx)
		job := audience.RecalibrationJob{Job: first.JobID, Workspace: p.Workspace, Account: p.Account, Audience: a.ID}
		gone := []string{a.MemberIDs[0], a.MemberIDs[24]}
		drop := func() {
			for _, id := range gone {
				if err := w.Minds.Delete(ctx, id); err != nil {
					t.Fatal(err)
				}
			}
			settled(t, w)
		}
		if at == 0 {
			drop()
		}
		writes := 0
		hook.before = func() {
			if writes++; writes == at {
				hook.before = nil
				drop()
			}
		}
		for range 50 {
			s, err := w.Audiences.Step(ctx, job)
			if err != nil {
				t.Fatal(err)
			}
			if s.Done {
				break
			}
			settled(t, w)
		}
		got := must[audience.Recalibration](t)(w.Audiences.Recalibrated(ctx, first.JobID))
		if got.Status != "completed" || got.Evolved < 23 || got.Evolved > 25 {
			t.Errorf("deleted at %d: %+v", at, got)
		}
		if d := detail(t, w, ctx, a.ID); len(d.Minds) != 23 {
			t.Errorf("deleted at %d: %d members", at, len(d.Minds))
		}
	}
}
