package run_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/research/formation"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// splits are the Formations of a test.
type splits map[string]formation.Detail

func (s splits) Get(_ context.Context, audienceID, id string) (formation.Detail, error) {
	if d, ok := s[audienceID+"/"+id]; ok {
		return d, nil
	}
	return formation.Detail{}, fault.New(fault.NotFound, "Formation not found")
}

// M-202, M-205: a comparison over the buckets of a ready Formation of an Audience that
// was asked; who is in no bucket is in no segment, and what is not ready says so.
func TestComparisonOverAFormation(t *testing.T) {
	const id = "7d1c6a52-4a0d-4f0b-9d5e-3a3b0f4f6c79"
	for name, c := range map[string]struct {
		status, of string
		want       string // of the stage's reason
	}{
		"ready":       {formation.Ready, id, ""},
		"being built": {formation.Building, id, "only a ready one is compared"},
		"of nobody":   {formation.Ready, "1b4e28ba-2fa1-41d2-883f-0016d3cca427", "none of the Audiences"},
	} {
		t.Run(name, func(t *testing.T) {
			known := splits{}
			n := 400
			owning := &simulate.Evidence{ID: "cars", Question: "Do you own a car?", Source: "A survey", Dates: "2025", Digest: "cars", N: &n,
				Options:    []simulate.OptionShare{{Label: "Yes", Share: .5}, {Label: "No", Share: .5}},
				Breakdowns: []simulate.Breakdown{{Dimension: "gender", Group: "Female", N: &n, Shares: []float64{.9, .1}}, {Dimension: "gender", Group: "Male", N: &n, Shares: []float64{.2, .8}}}}
			w := open(t, setting{minds: 80, deps: func(d *run.Deps) { d.Calculate, d.Formations = method.Calculate, known }})
			w.engine.Respondents = knowing{Respondents: simulate.NewOffline(), evidence: []*simulate.Evidence{owning}}
			made, err := w.studies.Get(w.ctx, w.study)
			w.must(err)
			split := formation.Detail{Base: formation.Base{ID: id, Name: "By gender", Status: c.status}, Subgroups: []formation.Subgroup{
				{ID: "women", Label: "Women"}, {ID: "men", Label: "Men"}, {ID: "empty", Label: "Nobody"}, {ID: "other", Label: "Other", IsAuxiliary: true}}}
			for i, m := range w.minds {
				at := i % 2
				if i >= 70 {
					at = 3
				}
				split.Subgroups[at].Memberships = append(split.Subgroups[at].Memberships, formation.Membership{MindID: m.ID})
			}
			split.Subgroups[0].Memberships = append(split.Subgroups[0].Memberships, formation.Membership{MindID: "00000000-0000-4000-8000-00000000ffff"})
			known[made.Audiences[0].ID+"/"+id] = split
			plan := map[string]any{
				"modules": []any{map[string]any{"id": "main", "name": "Main", "questions": []run.Item{choice("owns", "Do you own a car?", "Yes", "No")}},
					map[string]any{"id": "segment-comparison", "name": "Segments", "methodId": "segment-comparison", "questions": []any{}}},
				"methods": []any{map[string]any{"methodId": "segment-comparison", "executable": true, "configurationComplete": true, "missing": []string{},
					"configuration": json.RawMessage(`{"segments":{"formationId":"` + c.of + `"},"itemIds":["owns"]}`)}},
			}
			started, err := w.runs.Start(w.ctx, run.StartRequest{StudyID: w.study, DraftID: w.planned(plan), Revision: 1, Confirmed: true})
			w.must(err)
			w.work()
			got := w.get(started.RunID)
			if got.Status != run.Completed {
				t.Fatalf("%s %+v", got.Status, got.Failure)
			}
			if c.want != "" {
				raw, _ := json.Marshal(got.MethodStages)
				if len(got.Calculations) != 0 || !strings.Contains(string(raw), c.want) {
					t.Errorf("%s, %+v", raw, got.Calculations)
				}
				return
			}
			if len(got.Calculations) != 1 || got.Calculations[0].AudienceID != nil {
				t.Fatalf("%+v", got.Calculations)
			}
			one := got.Calculations[0]
			fits(t, "Calculation", one)
			if one.Status != method.StatusOK {
				t.Fatalf("%s %s", one.Status, one.Reason)
			}
			var r method.SegmentsResult
			w.must(json.Unmarshal(one.Results, &r))
			// Nine in ten women own one and two in ten men: the buckets differ.
			if c := r.Comparisons[0]; len(c.Segments) != 2 || c.Segments[0].SegmentID != "women" || c.Segments[0].N != 35 || c.Segments[1].N != 35 || c.PAdjusted == nil || *c.PAdjusted > .001 {
				t.Errorf("%s", one.Results)
			}
			if !strings.Contains(strings.Join(one.Warnings, " "), "10 Minds are in no bucket") {
				t.Errorf("%v", one.Warnings)
			}
		})
	}
}
