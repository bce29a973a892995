package audience_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

// M-144: an instruction in one language finds the axis and the segment of a data set
// in another, and only as many members as needed change.
func TestSharesFindTheAxesThatStand_M144(t *testing.T) {
	for _, tt := range []struct {
		text, axis, segment string
		labels              [4]string // axis and two segments of gender, another axis with two
		want                int
	}{
		{"make it 50 % women", "Geschlecht", "weiblich", [4]string{"Geschlecht", "weiblich", "männlich", "Region"}, 20},
		{"make it 50 % women", "Sex", "Female", [4]string{"Sex", "Female", "Male", "Region"}, 20},
		{"mache es 50 % Frauen", "Gender", "Woman", [4]string{"Gender", "Woman", "Man", "Region"}, 20},
		{"make it 30 % Pacific", "Region", "Pacific", [4]string{"Gender", "Woman", "Man", "Region"}, 12},
	} {
		w, ctx := library(t, web{}, &reviewedSet{})
		path := send(t, w, ctx, "x.csv", "g;s\na;b\n")
		set := nurses("x.csv")
		set.Variables[0].Label = tt.labels[0]
		set.Variables[0].Distribution[0].Value, set.Variables[0].Distribution[1].Value = tt.labels[1], tt.labels[2]
		set.Variables[1].Label = tt.labels[3]
		set.Variables[1].Distribution[0].Value, set.Variables[1].Distribution[1].Value = "Pacific", "Atlantic"
		out := finish(t, w, ctx, fromBrief(t, w, ctx, audience.BriefRequest{Text: "Customers of a shop", MemberCount: 40, Mode: allocate.BenchmarkDepth, Dataset: set,
			Files: []audience.FileArg{{Name: "x.csv", URL: path}}}).Operation.JobID)
		if out.Audience == nil {
			t.Fatalf("%+v", out.Operation.Error)
		}
		settled(t, w)
		was := detail(t, w, ctx, out.Audience.ID)
		r, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: out.Audience.ID, Instruction: tt.text})
		if err != nil {
			t.Errorf("%s on %v: %v", tt.text, tt.labels, err)
			continue
		}
		d := detail(t, w, ctx, out.Audience.ID)
		moved := count(was, tt.axis, tt.segment) - tt.want
		if moved < 0 {
			moved = -moved
		}
		if n := count(d, tt.axis, tt.segment); n != tt.want || r.Refreshed+r.Evolved != moved || len(d.Grounding.Distributions) != len(was.Grounding.Distributions) {
			t.Errorf("%s on %v: %d, %d changed of %d, axes %+v", tt.text, tt.labels, n, r.Refreshed+r.Evolved, moved, d.Grounding.Distributions)
		}
	}
}

// M-140: what a change replaced stands nowhere any more; the instruction is a source
// of its own.
func TestNoStaleWords_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	was := detail(t, w, ctx, a.ID)
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "make it 50 % women"}))
	d := detail(t, w, ctx, a.ID)
	if strings.Contains(*d.Grounding.Summary, "60 %") {
		t.Errorf("summary: %s", *d.Grounding.Summary)
	}
	for _, axis := range d.Grounding.Distributions {
		for _, s := range axis.Distribution {
			if axis.Name == "Gender" && !strings.HasPrefix(d.Grounding.Sources[s.SourceIdx].Title, "Adjustment of ") {
				t.Errorf("%s cites %s", s.Label, d.Grounding.Sources[s.SourceIdx].Title)
			}
		}
	}
	if fmt.Sprint(d.Grounding.Sources[:len(was.Grounding.Sources)]) != fmt.Sprint(was.Grounding.Sources) {
		t.Error("sources moved")
	}
	for _, f := range d.Grounding.SourceFindings {
		if f.Distribution == "Gender" && (strings.Contains(f.Summary, "40 %") || strings.Contains(f.Quote, "60")) {
			t.Errorf("%+v", f)
		} else if f.Distribution != "Gender" && !slices.Contains(was.Grounding.SourceFindings, f) {
			t.Errorf("new: %+v", f)
		}
	}
	// Traits stay in force in another country, and its name stands in the words.
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}))
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "now in Austria"}))
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if strings.Contains(m.PersonaContext, "Germany") || !strings.Contains(m.PersonaContext, "Austria") || !strings.Contains(strings.ToLower(m.PersonaContext), "vegan") {
			t.Fatalf("%s: %s", m.Name, m.PersonaContext)
		}
	}
	if d := detail(t, w, ctx, a.ID); strings.Contains(*d.Grounding.Summary, "Germany") {
		t.Errorf("summary: %s", *d.Grounding.Summary)
	}
}

// M-145: deepening leaves adopted traits and every chart as they are, and says what
// it did not find.
func TestDeepeningAfterATrait_M145(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 12)
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "they are all vegan now"}))
	before, was := snapshot(t, w, ctx, a), detail(t, w, ctx, a.ID)
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Deepen: &audience.Deepen{Topics: []string{"mobility"}}}))
	d := detail(t, w, ctx, a.ID)
	if r.Evolved+r.Refreshed != 0 || fmt.Sprint(snapshot(t, w, ctx, a)) != fmt.Sprint(before) || fmt.Sprint(d.Grounding.Distributions) != fmt.Sprint(was.Grounding.Distributions) {
		t.Errorf("%d evolved: %+v", r.Evolved, d.Grounding.Distributions)
	}
	if !strings.Contains(fmt.Sprint(d.Grounding.Research), "mobility missing Asked for") {
		t.Errorf("%v", d.Grounding.Research)
	}
}

// M-144: who fits a narrower age stays as they are.
func TestWhoFitsStays_M144(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 30)
	before := snapshot(t, w, ctx, a)
	fits := map[string]bool{}
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		fits[m.ID] = m.Identity.Age >= 30 && m.Identity.Age <= 40
	}
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "only people aged 30 to 40"}))
	after := snapshot(t, w, ctx, a)
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, a.MemberIDs)) {
		if fits[m.ID] && before[m.ID] != after[m.ID] || m.Identity.Age < 30 || m.Identity.Age > 40 {
			t.Errorf("%s is %d, fitted: %v", m.Name, m.Identity.Age, fits[m.ID])
		}
	}
}

// M-140, M-143: what changes nothing, and what is two things, is refused with the
// way out; the limit that is named is the one that holds.
func TestWhatCannotBeDone_M143(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Enterprise)
	a := made(t, w, ctx, parents, 12)
	for text, tt := range map[string]struct {
		code fault.Code
		say  string
	}{
		"hello":                              {fault.Validation, "60 % women"},
		"make them older":                    {fault.Validation, ""},
		"make them 20 % women and add 5 men": {fault.Validation, "two instructions"},
		"add 2000 people":                    {fault.PlanLimit, "at most 1000 members"},
	} {
		_, err := again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: text})
		if f := fault.From(err); err == nil || f.Code != tt.code || !strings.Contains(f.Message, tt.say) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// M-140: newcomers of another country stand for it, and none for a region of the old
// one; those in another state of work for theirs.
func TestNewcomersHaveTheirOwnPlace_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	r := must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 10 from Austria"}))
	d := detail(t, w, ctx, a.ID)
	if n := count(d, "Geography", "Austria"); r.Added != 10 || n != 10 {
		t.Errorf("%d of %d newcomers stand for Austria", n, r.Added)
	}
	r = must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 5 retirees"}))
	if n := count(detail(t, w, ctx, a.ID), "Employment", "Retired"); r.Added != 5 || n != 5 {
		t.Errorf("%d of %d newcomers are retired", n, r.Added)
	}
}

// M-140: newcomers stand for the bands of age that hold theirs.
func TestNewcomersJoinTheBandsThatStand_M140(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := made(t, w, ctx, parents, 20)
	was := detail(t, w, ctx, a.ID)
	must[audience.Recalibration](t)(again(t, w, ctx, audience.RecalibrateRequest{AudienceID: a.ID, Instruction: "add 3 women from Berlin aged 30"}))
	d := detail(t, w, ctx, a.ID)
	if n := count(d, "Age", "25-34") - count(was, "Age", "25-34"); n != 3 {
		t.Errorf("%d of 3 joined the band of 25 to 34: %+v", n, d.Minds[20].CohortProfile)
	}
	now := must[audience.Audience](t)(w.Audiences.Get(ctx, a.ID))
	for _, m := range must[[]mind.Mind](t)(w.Minds.GetMany(ctx, now.MemberIDs[20:])) {
		if m.Identity.Age != 30 {
			t.Errorf("%s is %d", m.Name, m.Identity.Age)
		}
	}
}
