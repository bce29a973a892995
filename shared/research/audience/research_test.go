package audience_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// lookup is a search provider over one page; down makes it fail.
type lookup struct {
	asked []string
	down  bool
}

const found = "https://statistics.example/nurses"

func (l *lookup) search(_ context.Context, keywords []string) ([]audience.Found, []string, error) {
	l.asked = append(l.asked, keywords...)
	if l.down {
		return nil, nil, errors.New("unreachable")
	}
	return []audience.Found{{Link: found, Title: "Nurses in numbers"}}, nil, nil
}

// researching is a world with a search provider, and an Audience whose members are
// written while its research has not begun.
func researching(t testing.TB, l *lookup, page string) (*researchtest.World, context.Context, audience.Audience) {
	t.Helper()
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Pages: web{found: page}, LookUp: l.search})
	ctx := w.As(t, "lab", account.Team)
	made := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 20})
	for _, j := range w.Engine.Take() { // the creation alone
		if err := w.Step(ctx, j); err != nil {
			t.Fatal(err)
		}
	}
	out, err := w.Audiences.Outcome(ctx, made.Operation.JobID)
	if err != nil || out.Audience == nil {
		t.Fatalf("%+v, %v", out.Operation.Error, err)
	}
	return w, ctx, must[audience.Audience](t)(w.Audiences.Get(ctx, out.Audience.ID))
}

// M-42, M-43, M-44: members answer at once; what research finds replaces what was
// assumed, by itself, and no id changes.
func TestResearchReplacesAssumptions_M43_M44(t *testing.T) {
	l := &lookup{}
	w, ctx, a := researching(t, l, "Nurses in Spain, 2025\n\nOf all nurses in Spain 84 % are women and 16 % are men.\n")
	before := detail(t, w, ctx, a.ID)
	if r := before.Research; r.Phase != audience.Researching || r.StartedAt == nil || r.CompletedAt != nil || before.State != audience.Ready || before.Calibration.Active {
		t.Fatalf("%+v, %s", r, before.State)
	}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if !m.ReadyToChat() {
			t.Errorf("M-47: %s is not ready", m.Name)
		}
	}
	if _, err := w.Audiences.Recalibrate(ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{}}, 0); !fault.Is(err, fault.ResearchRunning) {
		t.Errorf("M-145: deepen during research: %v", err)
	}
	settled(t, w)
	after := detail(t, w, ctx, a.ID)
	if r := after.Research; r.Phase != audience.ResearchDone || r.CompletedAt == nil || r.Error != nil {
		t.Fatalf("%+v", r)
	}
	if len(l.asked) == 0 || !strings.Contains(strings.Join(l.asked, "\n"), "Spain") {
		t.Errorf("asked %q", l.asked)
	}
	if n := count(after, "Gender", "Woman"); n != 17 {
		t.Errorf("84 %% of 20 are 17 women, got %d: %+v", n, after.Grounding.Distributions)
	}
	cited := false
	for _, s := range after.Grounding.Sources {
		cited = cited || s.URL == found
	}
	if !cited {
		t.Errorf("sources %+v", after.Grounding.Sources)
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	if fmt.Sprint(now.MemberIDs) != fmt.Sprint(a.MemberIDs) {
		t.Error("M-141: ids changed")
	}
	if !must[bool](t)(w.Audiences.Share(ctx, a.ID, "run")) {
		t.Error("the Audience is still held")
	}
}

// M-43: research that fails keeps what was assumed, says so, and may be tried
// again by a recalibration.
func TestResearchFails_M43(t *testing.T) {
	l := &lookup{down: true}
	w, ctx, a := researching(t, l, "")
	settled(t, w)
	d := detail(t, w, ctx, a.ID)
	if r := d.Research; r.Phase != audience.ResearchFailed || r.Error == nil || *r.Error == "" || d.State != audience.Ready || *d.Grounding.SnapshotID != a.Grounding.SnapshotID {
		t.Fatalf("%+v, %s", r, d.State)
	}
	l.down = false
	r, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID})
	if err != nil || r.Status != "completed" {
		t.Errorf("%+v, %v", r, err)
	}
}

// M-43: the phase is none without web search and without a provider.
func TestNothingIsResearched_M43(t *testing.T) {
	off := false
	for name, l := range map[string]*lookup{"left out": {}, "no provider": nil} {
		o := researchtest.Options{Respondents: simulate.NewOffline(), Pages: web{}}
		if l != nil {
			o.LookUp = l.search
		}
		w := researchtest.Open(t, o)
		ctx := w.As(t, "lab", account.Team)
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 6}
		if l != nil {
			r.IncludeWebSearch = &off
		}
		out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
		if out.Audience == nil || out.Audience.Research.Phase != audience.ResearchNone {
			t.Errorf("%s: %+v", name, out.Audience)
		}
	}
}

// M-45: research meets a run as a recalibration does: it is applied between runs.
func TestResearchWaitsForRuns_M44(t *testing.T) {
	w, ctx, a := researching(t, &lookup{}, "Of all nurses in Spain 84 % are women and 16 % are men.\n")
	if !must[bool](t)(w.Audiences.Share(ctx, a.ID, "run")) {
		t.Fatal("research holds the Audience before it applies")
	}
	p := account.From(ctx)
	job := audience.RecalibrationJob{Job: a.Research.JobID, Workspace: p.Workspace, Account: p.Account, Audience: a.ID}
	if s, err := w.Audiences.Step(ctx, job); err != nil || !s.Wait {
		t.Fatalf("%+v, %v", s, err)
	}
	if d := detail(t, w, ctx, a.ID); d.Research.Phase != audience.Researching || *d.Grounding.SnapshotID != a.Grounding.SnapshotID {
		t.Errorf("%+v", d.Research)
	}
	if err := w.Audiences.Release(ctx, a.ID, "run"); err != nil {
		t.Fatal(err)
	}
	settled(t, w)
	if d := detail(t, w, ctx, a.ID); d.Research.Phase != audience.ResearchDone {
		t.Errorf("%+v", d.Research)
	}
}
