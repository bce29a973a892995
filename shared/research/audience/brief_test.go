package audience_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
)

const parents = "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly"

// finish runs what was started and reads the operation.
func finish(t testing.TB, w *researchtest.World, ctx context.Context, job string) audience.Outcome {
	t.Helper()
	w.Run(t)
	out, err := w.Audiences.Outcome(ctx, job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func fromBrief(t testing.TB, w *researchtest.World, ctx context.Context, r audience.BriefRequest) audience.Admitted {
	t.Helper()
	a, err := w.Audiences.FromBrief(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func TestAnAudienceFromABrief_M40_M41_M46(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	a := fromBrief(t, w, ctx, audience.BriefRequest{Text: parents, MemberCount: 60, Mode: allocate.SegmentCoverage})
	if o := a.Operation; a.Replayed || o.Kind != audience.KindCreation || o.Status != audience.OperationQueued || !strings.HasSuffix(o.StatusURL, "/api/v1/audiences/from-brief/jobs/"+o.JobID) {
		t.Fatalf("%+v", a)
	}
	if rows, total, _ := w.Audiences.List(ctx, 20, 0, false); len(rows) != 0 || total != 0 {
		t.Errorf("M-40: drafting has no row yet: %d of %d", len(rows), total)
	}
	out := finish(t, w, ctx, a.Operation.JobID)
	if out.Operation.Status != audience.OperationCompleted || out.Operation.Error != nil || out.Audience == nil {
		t.Fatalf("%+v %+v", out.Operation, out.Operation.Error)
	}
	m := out.Audience
	if m.MindCount != 60 || m.State != audience.Ready || m.Mode != allocate.SegmentCoverage || m.Research.Phase != "none" || len(m.Minds) != 60 {
		t.Fatalf("%+v", m)
	}
	if r := out.Readiness.Members; r.Total != 60 || r.Ready != 60 {
		t.Errorf("M-47: %+v", r)
	}
	d, err := w.Audiences.Detail(ctx, m.ID)
	if err != nil {
		t.Fatal(err)
	}
	women := 0
	for _, mind := range d.Minds {
		if mind.CohortProfile["Gender"] == "Woman" {
			women++
		}
	}
	if women != 36 {
		t.Errorf("60 %% of 60 are 36 women, got %d", women)
	}
	if c := d.Coverage; c.Sourced == 0 || c.Sourced+c.Proxy+c.Assumed+c.Missing < 8 {
		t.Errorf("M-46: coverage %+v", c)
	}
	if len(d.Sources) != 1 || d.Sources[0].Kind != "brief" || *d.Sources[0].Text != parents {
		t.Errorf("sources %+v", d.Sources)
	}
	used, _ := w.Accounts.Owned(ctx, account.Minds)
	ones, _ := w.Accounts.Owned(ctx, account.Audiences)
	if used != 60 || ones != 1 {
		t.Errorf("counted %d Minds and %d Audiences", used, ones)
	}
	if testing.Verbose() {
		raw, _ := json.MarshalIndent(d.Grounding, "", " ")
		t.Logf("%.6000s", raw)
		for _, mind := range m.Minds[:6] {
			x, _ := w.Minds.Get(ctx, mind.ID)
			t.Logf("%s | %s\n%s", x.Name, x.Description, x.PersonaContext)
		}
	}
}

func TestEqualBriefsAreOneOperation_M92(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 6}
	first := fromBrief(t, w, ctx, r)
	if again := fromBrief(t, w, ctx, r); !again.Replayed || again.Operation.JobID != first.Operation.JobID {
		t.Errorf("while it runs: %+v", again)
	}
	other := r
	other.Text += "."
	if again := fromBrief(t, w, ctx, other); again.Replayed {
		t.Error("a change of one character")
	}
	w.Run(t)
	w.Clock.Advance(5*time.Hour + 59*time.Minute)
	if again := fromBrief(t, w, ctx, r); !again.Replayed || again.Operation.JobID != first.Operation.JobID {
		t.Errorf("5 h 59 m: %+v", again)
	}
	w.Clock.Advance(time.Minute + time.Second)
	if again := fromBrief(t, w, ctx, r); again.Replayed {
		t.Errorf("6 h 00 m 01 s: %+v", again)
	}
	keyed := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 6, Key: "order 7"}
	a := fromBrief(t, w, ctx, keyed)
	if b := fromBrief(t, w, ctx, keyed); !b.Replayed || b.Operation.JobID != a.Operation.JobID {
		t.Errorf("a key again: %+v", b)
	}
	keyed.Text += "!"
	if _, err := w.Audiences.FromBrief(ctx, keyed); !fault.Is(err, fault.IdempotencyConflict) {
		t.Errorf("the key with other inputs: %v", err)
	}
}

func TestAPreviewMakesNothingAndIsRepeatedToTheByte_M50_M51_M52(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "lab", account.Team)
	r := audience.BriefRequest{Text: parents, Mode: allocate.SegmentCoverage, MemberCount: 24, Preview: true}
	out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
	p := out.Preview
	if p == nil || p.MemberCount != 24 || len(p.CohortAllocation.Profiles) != 24 || len(p.SourceFindings) == 0 || p.SuggestedMin < 3 || p.SuggestedMin > 50 {
		t.Fatalf("%+v %+v\n%+v", out.Operation, out.Operation.Error, p)
	}
	for _, what := range []account.Counter{account.Minds, account.Audiences} {
		if n, _ := w.Accounts.Owned(ctx, what); n != 0 {
			t.Errorf("a preview made %d %s", n, what)
		}
	}
	create := r
	create.Preview, create.ReviewedJSON, create.ReviewedSHA256 = false, p.ReviewedJSON, p.ReviewedSHA256
	for name, tt := range map[string]struct {
		change func(*audience.BriefRequest)
		code   fault.Code
		differ string
	}{
		"one byte": {func(r *audience.BriefRequest) { r.ReviewedJSON = strings.Replace(r.ReviewedJSON, "Woman", "Womam", 1) }, fault.GroundingChecksumMismatch, ""},
		"half":     {func(r *audience.BriefRequest) { r.ReviewedSHA256 = "" }, fault.Validation, ""},
		"a figure, with the sum of that": {func(r *audience.BriefRequest) {
			r.ReviewedJSON = strings.Replace(r.ReviewedJSON, "Woman", "Womam", 1)
			r.ReviewedSHA256 = grounding.Checksum([]byte(r.ReviewedJSON))
		}, fault.GroundingChecksumMismatch, ""},
		"the brief":  {func(r *audience.BriefRequest) { r.Text += " and more" }, fault.GroundingInputMismatch, "[inputs]"},
		"the size":   {func(r *audience.BriefRequest) { r.MemberCount = 25 }, fault.GroundingInputMismatch, "[memberCount]"},
		"exclusions": {func(r *audience.BriefRequest) { r.Exclude = []string{"Gender"} }, fault.GroundingInputMismatch, "[allocation]"},
		"the mode and the size": {func(r *audience.BriefRequest) { r.Mode, r.MemberCount = allocate.BenchmarkDepth, 30 },
			fault.GroundingInputMismatch, "[inputs memberCount]"},
	} {
		bad := create
		tt.change(&bad)
		_, err := w.Audiences.FromBrief(ctx, bad)
		if f := fault.From(err); f.Code != tt.code || tt.differ != "" && fmt.Sprint(f.Data["differs"]) != tt.differ {
			t.Errorf("%s: %v, %v", name, err, fault.From(err).Data)
		}
	}
	// A preview again may change exclusions and controls (M-52).
	more := create
	more.Preview, more.Exclude = true, []string{"Gender"}
	second := finish(t, w, ctx, fromBrief(t, w, ctx, more).Operation.JobID)
	if second.Preview == nil || second.Preview.ReviewedSHA256 == p.ReviewedSHA256 {
		t.Fatalf("%+v", second.Operation)
	}
	for _, d := range second.Preview.Grounding.Distributions {
		if d.Name == "Gender" {
			t.Error("M-53: an excluded axis is still active")
		}
	}
	made := finish(t, w, ctx, fromBrief(t, w, ctx, create).Operation.JobID)
	if made.Audience == nil {
		t.Fatalf("%+v", made.Operation.Error)
	}
	d, err := w.Audiences.Detail(ctx, made.Audience.ID)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range p.CohortAllocation.Profiles {
		for _, as := range want.Assignments {
			if got := d.Minds[i].CohortProfile[as.Distribution]; got != as.Segment {
				t.Fatalf("member %d: %s is %q, the accepted preview said %q", i, as.Distribution, got, as.Segment)
			}
		}
	}
	want, _ := json.Marshal(p.CohortAllocation.Audit)
	got, _ := json.Marshal(d.Grounding.AllocationAudit)
	if string(want) != string(got) {
		t.Errorf("the audit is another than the accepted one")
	}
}

func TestBadBriefs(t *testing.T) {
	w := researchtest.New(t)
	team, premium, free := w.As(t, "lab", account.Team), w.As(t, "one", account.Premium), w.As(t, "free", account.Free)
	for name, tt := range map[string]struct {
		ctx  context.Context
		r    audience.BriefRequest
		code fault.Code
		says string
	}{
		"blank":              {team, audience.BriefRequest{Text: " \n"}, fault.Validation, "blank"},
		"10 MB":              {team, audience.BriefRequest{Text: strings.Repeat("nurses ", 1_500_000)}, fault.Validation, "200000"},
		"200,001 characters": {team, audience.BriefRequest{Text: strings.Repeat("é", 200_001)}, fault.Validation, "200001"},
		"7,000 members":      {team, audience.BriefRequest{Text: "Nurses", MemberCount: 7_000}, fault.Validation, "7000"},
		"contradiction":      {team, audience.BriefRequest{Text: "Nurses in Spain, 60 % women and 60 % men"}, fault.Validation, "60"},
		"ages backwards":     {team, audience.BriefRequest{Text: "Nurses aged 45 to 25"}, fault.Validation, "45"},
		"stated 21 balanced": {team, audience.BriefRequest{Text: "Nurses", MemberCount: 21}, fault.ModeCap, "20"},
		"21 in the brief":    {team, audience.BriefRequest{Text: "21 nurses in Spain"}, fault.ModeCap, "the brief"},
		"above the plan":     {team, audience.BriefRequest{Text: "Nurses", MemberCount: 301, Mode: allocate.BenchmarkDepth}, fault.PlanLimit, ""},
		"lowered mode":       {premium, audience.BriefRequest{Text: "Nurses", MemberCount: 21, Mode: allocate.BenchmarkDepth}, fault.ModeCap, "your plan has no benchmark_depth"},
		"free":               {free, audience.BriefRequest{Text: "Nurses", MemberCount: 4}, fault.PlanLimit, ""},
		"11 links":           {team, audience.BriefRequest{Text: "Nurses", Links: strings.Fields(strings.Repeat("https://example.com/a ", 11))}, fault.Validation, "links"},
		"foreign upload":     {team, audience.BriefRequest{Text: "Nurses", Files: []audience.FileArg{{Name: "a.csv", URL: "context/7b2c1e34-5a6d-4f80-9b1c-2d3e4f506172/7b2c1e34-5a6d-4f80-9b1c-2d3e4f506173/a.csv"}}}, fault.NotFound, ""},
		"half a pair":        {team, audience.BriefRequest{Text: "Nurses", ReviewedSHA256: strings.Repeat("a", 64)}, fault.Validation, "belong together"},
		"digits":             {team, audience.BriefRequest{Text: "12345"}, fault.NoPersonas, ""},
		"long name":          {team, audience.BriefRequest{Text: "Nurses", Name: strings.Repeat("n", 101)}, fault.Validation, "100"},
	} {
		_, err := w.Audiences.FromBrief(tt.ctx, tt.r)
		if f := fault.From(err); err == nil || f.Code != tt.code || !strings.Contains(f.Message, tt.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := w.Engine.Take(); len(got) != 0 {
		t.Errorf("%d jobs were started", len(got))
	}
	for _, ctx := range []context.Context{team, premium, free} {
		if n, _ := w.Accounts.Room(ctx, account.Minds); n != nil && *n != map[account.Plan]int64{account.Team: 1000, account.Premium: 200, account.Free: 3}[account.From(ctx).Plan] {
			t.Errorf("a refusal counted Minds: room for %d", *n)
		}
	}
}

// M-56: nothing is admitted beyond the plan, and a failure gives back what was not made.
func TestChargesOfACreation_M56(t *testing.T) {
	w := researchtest.New(t)
	ctx := w.As(t, "free", account.Free)
	a := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain"})
	if room, _ := w.Accounts.Room(ctx, account.Minds); *room != 0 {
		t.Errorf("reserved at admission: room for %d", *room)
	}
	if _, err := w.Audiences.FromBrief(ctx, audience.BriefRequest{Text: "Pilots in Spain"}); !fault.Is(err, fault.PlanLimit) {
		t.Errorf("a second Audience: %v", err)
	}
	out := finish(t, w, ctx, a.Operation.JobID)
	if out.Audience == nil || out.Audience.MindCount != 3 { // cut to the cap (M-61)
		t.Fatalf("%+v %+v", out.Operation, out.Audience)
	}
	w2 := w.As(t, "lab", account.Premium)
	bad := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 10, Allocation: allocate.Config{DistributionNames: []string{"No such axis"}}}
	out = finish(t, w, w2, fromBrief(t, w, w2, bad).Operation.JobID)
	if e := out.Operation.Error; e == nil || e.Retryable || out.Operation.Status != audience.OperationFailed {
		t.Fatalf("%+v %+v", out.Operation, out.Operation.Error)
	}
	if room, _ := w.Accounts.Room(w2, account.Minds); *room != 200 {
		t.Errorf("after a failure: room for %d", *room)
	}
	if again := fromBrief(t, w, w2, bad); !again.Replayed || again.Operation.Status != audience.OperationFailed {
		t.Errorf("what cannot be mended is not tried again: %+v", again)
	}
}

// M-55: an operation can be read for 7 days, then it is not there.
func TestOperationsLastAWeek_M55(t *testing.T) {
	w := researchtest.New(t)
	ctx, other := w.As(t, "lab", account.Team), w.As(t, "other", account.Team)
	a := fromBrief(t, w, ctx, audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 6})
	w.Run(t)
	if _, err := w.Audiences.Outcome(other, a.Operation.JobID); !fault.Is(err, fault.NotFound) {
		t.Errorf("M-3: %v", err)
	}
	w.Clock.Advance(audience.OperationLife - time.Second)
	if _, err := w.Audiences.Outcome(ctx, a.Operation.JobID); err != nil {
		t.Error(err)
	}
	w.Clock.Advance(time.Second)
	if _, err := w.Audiences.Outcome(ctx, a.Operation.JobID); !fault.Is(err, fault.NotFound) {
		t.Errorf("after 7 days: %v", err)
	}
}
