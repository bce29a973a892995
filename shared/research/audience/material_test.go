package audience_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/researchtest"
	"github.com/mindgate-dev/mindgate/shared/research/upload"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/webpage"
)

// web is a web of pages by address.
type web map[string]string

func (w web) Page(_ context.Context, url string, _ webpage.Validators) (webpage.Fetched, error) {
	text, ok := w[url]
	if !ok {
		return webpage.Fetched{}, &webpage.Refused{Code: "status", Message: "The page answered with status 404."}
	}
	return webpage.Fetched{URL: url, MediaType: "text/plain", Filename: "page.txt", Body: io.NopCloser(strings.NewReader(text))}, nil
}

func (w web) File(ctx context.Context, url string) (webpage.Fetched, error) {
	return w.Page(ctx, url, webpage.Validators{})
}

const survey = "Nurses in Spain, 2025\n\nOf all nurses in Spain 84 % are women and 16 % are men.\n"

func library(t testing.TB, pages web, d audience.Datasets) (*researchtest.World, context.Context) {
	w := researchtest.Open(t, researchtest.Options{Respondents: simulate.NewOffline(), Pages: pages, Datasets: d})
	return w, w.As(t, "lab", account.Team)
}

// send uploads a file and gives its path.
func send(t testing.TB, w *researchtest.World, ctx context.Context, name, text string) string {
	t.Helper()
	up, err := w.Uploads.Create(ctx, upload.Request{Name: name, Folder: "context", SizeBytes: int64(len(text))})
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(up.UploadURL, "/uploads/")
	id, ticket, _ := strings.Cut(after, "?ticket=")
	if err := w.Uploads.Receive(t.Context(), id, ticket, strings.NewReader(text)); err != nil {
		t.Fatal(err)
	}
	return up.Path
}

func axis(list []grounding.Distribution, name string) grounding.Distribution {
	for _, d := range list {
		if d.Name == name {
			return d
		}
	}
	return grounding.Distribution{}
}

// What links and files say counts, with its source and the words; a page that is
// not there is noted, and the rest goes on.
func TestMaterialIsReadAndCited(t *testing.T) {
	const at, gone = "https://example.com/nurses", "https://example.com/gone"
	for _, by := range []string{"link", "file"} {
		w, ctx := library(t, web{at: survey}, nil)
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 20, Preview: true, Links: []string{gone}}
		if by == "link" {
			r.Links = append(r.Links, at)
		} else {
			r.Files = []audience.FileArg{{Name: "survey.txt", URL: send(t, w, ctx, "survey.txt", survey)}}
		}
		out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
		if out.Preview == nil {
			t.Fatalf("%s: %+v", by, out.Operation.Error)
		}
		g := axis(out.Preview.Grounding.Distributions, "Gender")
		if g.Status != grounding.Sourced || len(g.Distribution) < 2 || g.Distribution[0].Pct != 84 {
			t.Fatalf("%s: gender %+v", by, g)
		}
		src := out.Preview.Grounding.Sources[g.Distribution[0].SourceIdx]
		if !src.IsUserProvided || by == "link" && src.URL != at {
			t.Errorf("%s: source %+v", by, src)
		}
		quoted := false
		for _, f := range out.Preview.SourceFindings {
			quoted = quoted || f.Distribution == "Gender" && strings.Contains(f.Quote, "84 % are women")
		}
		if !quoted {
			t.Errorf("%s: no finding quotes the source: %+v", by, out.Preview.SourceFindings)
		}
		// Created from it, the note about the page stands with the grounding.
		r.Preview = false
		made := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
		d, err := w.Audiences.Detail(ctx, made.Audience.ID)
		if err != nil {
			t.Fatal(err)
		}
		if notes := fmt.Sprint(d.Grounding.Research["notes"]); !strings.Contains(notes, gone) || !strings.Contains(notes, "404") {
			t.Errorf("%s: notes %s", by, notes)
		}
		kinds := []string{}
		for _, s := range d.Sources {
			kinds = append(kinds, s.Kind)
		}
		if want := map[string]string{"link": "[brief link link]", "file": "[brief file link]"}[by]; fmt.Sprint(kinds) != want {
			t.Errorf("%s: sources %v", by, kinds)
		}
	}
}

// A file that cannot be read ends the operation, by its name; nothing is charged.
func TestAFileThatCannotBeReadEndsTheOperation(t *testing.T) {
	w, ctx := library(t, web{}, nil)
	r := audience.BriefRequest{Text: "Nurses in Spain", Files: []audience.FileArg{{Name: "survey.pdf", URL: send(t, w, ctx, "survey.pdf", "this is no PDF")}}}
	out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
	if e := out.Operation.Error; e == nil || e.Code != string(fault.Validation) || e.Retryable || !strings.Contains(e.Message, "survey.pdf") {
		t.Fatalf("%+v", out.Operation)
	}
	if room, _ := w.Accounts.Room(ctx, account.Minds); *room != 1000 {
		t.Errorf("room for %d", *room)
	}
}

// includeWebSearch false leaves the keywords unsearched, and says so.
func TestKeywordsWithoutSearch(t *testing.T) {
	w, ctx := library(t, web{}, nil)
	no := false
	for _, search := range []*bool{nil, &no} {
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 6, Keywords: []string{"nursing"}, IncludeWebSearch: search}
		out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
		d, err := w.Audiences.Detail(ctx, out.Audience.ID)
		if err != nil || !strings.Contains(fmt.Sprint(d.Grounding.Research["notes"]), "not looked up") {
			t.Errorf("%v, %v", d.Grounding.Research, err)
		}
	}
}

// reviewedSet stands for the reader of data sets.
type reviewedSet struct{ asked []audience.DatasetRequest }

func (r *reviewedSet) Observed(_ context.Context, in audience.DatasetRequest) (audience.Observed, error) {
	r.asked = append(r.asked, in)
	n := 200
	return audience.Observed{Evidence: []simulate.Evidence{{Question: "Do you cycle to work?", N: &n,
		Options:    []simulate.OptionShare{{Label: "Yes", Share: .25}, {Label: "No", Share: .75}},
		Breakdowns: []simulate.Breakdown{{Dimension: "Shift", Group: "Night", N: &n, Shares: []float64{.05, .95}}}}}}, nil
}

func nurses(file string) *audience.Dataset {
	two := func(a, b string, of float64) []audience.DatasetShare {
		return []audience.DatasetShare{{Value: a, RespondentCount: int(2 * of), SharePct: of}, {Value: b, RespondentCount: int(200 - 2*of), SharePct: 100 - of}}
	}
	return &audience.Dataset{FileName: file, RespondentCount: 200, RecommendedMindCount: 40, SegmentationColumns: []string{"g", "s"},
		Variables: []audience.DatasetVariable{{Key: "g", Label: "Gender", Distribution: two("Woman", "Man", 75)}, {Key: "s", Label: "Shift", Distribution: two("Night", "Day", 40)}},
		DependencyDiscovery: map[string]any{"method": "pairs", "pairTables": []any{map[string]any{"a": "g", "b": "s",
			"cells": []any{[]any{0, 0, 20.0}, []any{0, 1, 55.0}, []any{1, 0, 20.0}, []any{1, 1, 5.0}}}}}}
}

// From a reviewed data set come the margins, what hangs together, and what the
// members answer from: as grounding of the Audience, one blob for all.
func TestFromAReviewedDataset_M124_M342(t *testing.T) {
	set := &reviewedSet{}
	w, ctx := library(t, web{}, set)
	path := send(t, w, ctx, "nurses.csv", "g;s\nWoman;Night\n")
	r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 40, Mode: allocate.BenchmarkDepth, Dataset: nurses("nurses.csv"),
		Files: []audience.FileArg{{Name: "nurses.csv", URL: path}}}
	out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
	if out.Audience == nil {
		t.Fatalf("%+v", out.Operation.Error)
	}
	if s := out.Audience.DatasetSegmentation; s == nil || s.SelectedVariableCount != 2 || s.RecommendedMindCount != 40 || s.CreatedMindCount != 40 {
		t.Errorf("%+v", s)
	}
	audit := out.Audience.CohortAllocation.Audit
	if audit.JointAssumption != "observed" || strings.Contains(fmt.Sprint(audit.JointConsistency.Discovery), "cells") {
		t.Errorf("%+v", audit.JointConsistency)
	}
	d, err := w.Audiences.Detail(ctx, out.Audience.ID)
	if err != nil {
		t.Fatal(err)
	}
	cells := map[string]int{}
	for _, m := range d.Minds {
		cells[m.CohortProfile["Gender"]+" "+m.CohortProfile["Shift"]]++
	}
	if want := "map[Man Day:2 Man Night:8 Woman Day:22 Woman Night:8]"; fmt.Sprint(cells) != want {
		t.Errorf("cells %v, want %s", cells, want)
	}
	var ids []string
	for _, m := range d.Minds {
		ids = append(ids, m.ID)
	}
	who, err := w.Minds.Respondents(ctx, ids)
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range who {
		if len(x.Evidence) != 1 || x.Evidence[0] != who[0].Evidence[0] || x.Evidence[0].Origin != simulate.OriginAudience || x.Evidence[0].Digest == "" {
			t.Fatalf("%+v", x.Evidence)
		}
	}
	if len(set.asked) != 1 || set.asked[0].URL != path || fmt.Sprint(set.asked[0].Columns) != "[g s]" {
		t.Errorf("%+v", set.asked)
	}
}

// Figures of a data set that nobody could hold against its file are no source
// (M-46).
func TestFiguresWithoutTheirFileAreNoSource_M46(t *testing.T) {
	w, ctx := library(t, web{}, &reviewedSet{})
	r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 40, Mode: allocate.BenchmarkDepth, Dataset: nurses("nurses.csv"), Preview: true}
	for _, with := range []bool{false, true} {
		want := grounding.Proxy
		if with {
			want = grounding.Sourced
			r.Files = []audience.FileArg{{Name: "nurses.csv", URL: send(t, w, ctx, "nurses.csv", "g;s\nWoman;Night\n")}}
		}
		out := finish(t, w, ctx, fromBrief(t, w, ctx, r).Operation.JobID)
		if out.Preview == nil {
			t.Fatalf("%+v", out.Operation.Error)
		}
		found := false
		for _, d := range out.Preview.Grounding.Distributions {
			if d.Name == "Shift" {
				found = true
				if d.Status != want {
					t.Errorf("with the file %v: %s", with, d.Status)
				}
			}
		}
		if !found {
			t.Errorf("%+v", out.Preview.Grounding.Distributions)
		}
	}
}

func TestDatasetsThatDoNotFit(t *testing.T) {
	w, ctx := library(t, web{}, nil)
	premium := w.As(t, "one", account.Premium)
	for name, tt := range map[string]struct {
		ctx    context.Context
		change func(*audience.BriefRequest)
		code   fault.Code
	}{
		"another mode":       {ctx, func(r *audience.BriefRequest) { r.Mode = allocate.Balanced }, fault.Validation},
		"an unknown column":  {ctx, func(r *audience.BriefRequest) { r.Dataset.SegmentationColumns = []string{"x"} }, fault.Validation},
		"no columns":         {ctx, func(r *audience.BriefRequest) { r.Dataset.SegmentationColumns = nil }, fault.Validation},
		"the plan":           {premium, func(r *audience.BriefRequest) { r.MemberCount = 10 }, fault.PlanLimit},
		"more than its rows": {ctx, func(r *audience.BriefRequest) { r.Dataset.RecommendedMindCount, r.MemberCount = 0, 200 }, fault.Validation},
	} {
		r := audience.BriefRequest{Text: "Nurses in Spain", MemberCount: 40, Mode: allocate.BenchmarkDepth, Dataset: nurses("nurses.csv")}
		tt.change(&r)
		if _, err := w.Audiences.FromBrief(tt.ctx, r); !fault.Is(err, tt.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The preview of an allocation is a function of its request: same bytes, exact
// quotas, stated relations are kept or refused.
func TestPreviewOfAnAllocation_M120_M125(t *testing.T) {
	w, ctx := library(t, web{}, nil)
	d := func(name string, shares ...any) grounding.Distribution {
		out := grounding.Distribution{Name: name}
		for i := 0; i < len(shares); i += 2 {
			out.Distribution = append(out.Distribution, grounding.Share{Label: shares[i].(string), Pct: float64(shares[i+1].(int)), SourceIdx: -1})
		}
		return out
	}
	r := audience.AllocationRequest{MemberCount: 10, SeedBasis: "a", Distributions: []grounding.Distribution{d("Gender", "Woman", 60, "Man", 40), d("Drinks", "Tea", 50, "Coffee", 50)}}
	one, err := w.Audiences.PreviewAllocation(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	two, _ := w.Audiences.PreviewAllocation(ctx, r)
	if fmt.Sprintf("%+v", one.Profiles) != fmt.Sprintf("%+v", two.Profiles) || len(one.Profiles) != 10 || one.Audit.Axes[0].Segments[0].AchievedCount != 6 {
		t.Errorf("%+v", one.Audit)
	}
	for name, tt := range map[string]struct {
		change func(*audience.AllocationRequest)
		code   fault.Code
	}{
		"no members":   {func(r *audience.AllocationRequest) { r.MemberCount = 0 }, fault.Validation},
		"no axes":      {func(r *audience.AllocationRequest) { r.Distributions = nil }, fault.Validation},
		"a name twice": {func(r *audience.AllocationRequest) { r.Distributions[1].Name = "Gender" }, fault.Validation},
		"an impossible joint": {func(r *audience.AllocationRequest) {
			r.Distributions[0].SegmentRelations = []map[string]any{{"type": "excludes", "segment": "Woman", "targetDistribution": "Drinks", "targetSegments": []any{"Tea", "Coffee"}}}
		}, fault.AllocationUnsatisfiable},
		"half a pair": {func(r *audience.AllocationRequest) { r.ReviewedJSON = "{}" }, fault.Validation},
		"a checksum": {func(r *audience.AllocationRequest) {
			r.Distributions, r.ReviewedJSON, r.ReviewedSHA256 = nil, "{}", strings.Repeat("0", 64)
		}, fault.GroundingChecksumMismatch},
	} {
		bad := r
		bad.Distributions = append([]grounding.Distribution{}, r.Distributions...)
		tt.change(&bad)
		if _, err := w.Audiences.PreviewAllocation(ctx, bad); !fault.Is(err, tt.code) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
