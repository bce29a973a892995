package segment

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func variable(t *testing.T, p *Preview, key string) Variable {
	t.Helper()
	for _, v := range p.Variables {
		if v.Key == key {
			return v
		}
	}
	t.Fatalf("no variable %q", key)
	return Variable{}
}

func values(v Variable) []string {
	var out []string
	for _, d := range v.Distribution {
		out = append(out, d.Value)
	}
	return out
}

func count1(t *testing.T, v Variable, value string) int {
	t.Helper()
	for _, d := range v.Distribution {
		if d.Value == value {
			return d.RespondentCount
		}
	}
	t.Fatalf("%s has no value %q: %v", v.Key, value, values(v))
	return 0
}

func groupOf(t *testing.T, p *Preview, question string) Group {
	t.Helper()
	for _, g := range p.Groups {
		if strings.HasPrefix(g.Question, question) {
			return g
		}
	}
	t.Fatalf("no group %q", question)
	return Group{}
}

var structuralFive = []string{"Gender", "Age", "Household Income", "Education", "Location (Census Region)"}

// M-130, M-132: what an analyst says about a sheet with two header rows, blanks
// and a first respondent who answered the lottery only.
func TestSteak(t *testing.T) {
	p := review1(t, real(t, "steak-risk-survey.csv", 2), Options{FileName: "steak-risk-survey.csv"})
	if p.RowCount != 550 || p.RespondentCount != 514 || p.ExcludedRowCount != 36 {
		t.Errorf("rows %d = %d + %d", p.RowCount, p.RespondentCount, p.ExcludedRowCount)
	}
	if !slices.Equal(p.SegmentationColumns, structuralFive) {
		t.Errorf("chosen %v", p.SegmentationColumns)
	}
	if v := variable(t, p, "RespondentID"); v.Role != Identifier || len(v.Distribution) != 0 || v.Selected {
		t.Errorf("identifier: %+v", v)
	}
	for _, k := range []string{"Do you ever smoke cigarettes?", "Do you eat steak?", "How do you like your steak prepared?", "Have you ever been skydiving?"} {
		if v := variable(t, p, k); v.Role != Outcome || v.Selected {
			t.Errorf("%s: %s %v", k, v.Role, v.Selected)
		}
	}
	lottery := p.Variables[1]
	if lottery.Role != Outcome || strings.Contains(lottery.Label, "<br>") || strings.Contains(lottery.Label, "  ") || !strings.HasPrefix(lottery.Label, "Consider the following") || len([]rune(lottery.Key)) > 200 {
		t.Errorf("lottery %q %q", lottery.Role, lottery.Label)
	}
	if got := values(variable(t, p, "How do you like your steak prepared?")); !slices.Equal(got, []string{"Rare", "Medium rare", "Medium", "Medium Well", "Well"}) {
		t.Errorf("doneness in order: %v", got)
	}
	if got := values(variable(t, p, "Age")); !slices.Equal(got, []string{"18-29", "30-44", "45-60", "> 60"}) {
		t.Errorf("ages %v", got)
	}
	if got := values(variable(t, p, "Household Income")); !slices.Equal(got, []string{"$0 - $24,999", "$25,000 - $49,999", "$50,000 - $99,999", "$100,000 - $149,999", "$150,000+"}) {
		t.Errorf("incomes %v", got)
	}
	// Two respondents alone have less than a high school degree: they are not shown.
	if v := variable(t, p, "Education"); values(v)[0] != "High school degree" || v.OtherRespondentCount != 2 {
		t.Errorf("education starts with %q, %d others", values(v)[0], v.OtherRespondentCount)
	}
	if v := variable(t, p, "Household Income"); v.ValidRespondentCount != 430 || v.Missing["blank"] != 84 {
		t.Errorf("income valid %d, missing %v", v.ValidRespondentCount, v.Missing)
	}
	if p.Weights != nil {
		t.Error("the file has no weight")
	}
	compare(t, p, "us-steak-risk-2014", .012)
}

func TestStarWars(t *testing.T) {
	p := review1(t, real(t, "StarWars.csv", 2), Options{FileName: "StarWars.csv"})
	if p.RowCount != 1186 || p.RespondentCount != 1046 {
		t.Errorf("rows %d, completed %d", p.RowCount, p.RespondentCount)
	}
	if !slices.Equal(p.SegmentationColumns, structuralFive) {
		t.Errorf("chosen %v", p.SegmentationColumns)
	}
	if v := variable(t, p, "RespondentID"); v.Role != Identifier {
		t.Errorf("RespondentID is %s", v.Role)
	}
	if g := groupOf(t, p, "Which of the following Star Wars films"); g.Shape != ShapeMulti || len(g.Keys) != 6 || g.Items[0] != "Star Wars: Episode I The Phantom Menace" {
		t.Errorf("films %+v", g)
	}
	if g := groupOf(t, p, "Please rank the Star Wars films"); g.Shape != ShapeRanking || len(g.Keys) != 6 {
		t.Errorf("ranking %+v", g)
	}
	if g := groupOf(t, p, "Please state whether you view"); g.Shape != ShapeGrid || len(g.Keys) != 14 || g.Items[13] != "Yoda" {
		t.Errorf("grid %+v", g)
	}
	first := variable(t, p, "Which of the following Star Wars films have you seen? Please select all that apply: Star Wars: Episode I The Phantom Menace")
	if first.ValidRespondentCount != 819 || count1(t, first, "Not selected") != 160 {
		t.Errorf("base of the films is who ticked one: %+v", first)
	}
	if v := variable(t, p, "Do you consider yourself to be a fan of the Expanded Universe?"); v.Role != Outcome {
		t.Errorf("stray bytes stand in %q", v.Key)
	}
	multi := 0
	for _, e := range p.Evidence {
		if e.Multiselect {
			multi++
			if len(e.Options) != 6 || *e.N != 819 || math.Abs(e.Options[0].Share-659./819) > 1e-9 {
				t.Errorf("films as evidence: %+v", e)
			}
		}
	}
	if multi != 1 {
		t.Errorf("%d multi-select questions as evidence", multi)
	}
	compare(t, p, "us-star-wars-2014", .012)
}

func TestMasculinity(t *testing.T) {
	p := review1(t, real(t, "masculinity-raw-responses.csv", 1), Options{FileName: "masculinity-raw-responses.csv"})
	if p.RowCount != 1615 || p.RespondentCount != 1615 {
		t.Errorf("rows %d, completed %d", p.RowCount, p.RespondentCount)
	}
	for key, want := range map[string]Kind{
		"column_1": KindIdentifier, "StartDate": KindDate, "EndDate": KindDate, "weight": KindWeight, "q0036": KindMetadata,
		"q0001": KindOutcome, "q0004_0001": KindOutcome, "q0007_0004": KindOutcome, "q0018": KindOutcome, "q0002": KindDriver,
		"q0009": KindPopulation, "q0024": KindPopulation, "q0025_0001": KindPopulation, "q0026": KindPopulation, "q0028": KindPopulation, "q0029": KindPopulation, "q0030": KindPopulation, "q0034": KindPopulation, "q0035": KindPopulation,
		"race2": KindPopulation, "racethn4": KindPopulation, "educ3": KindPopulation, "educ4": KindPopulation, "age3": KindPopulation, "kids": KindPopulation, "orientation": KindPopulation,
	} {
		if v := variable(t, p, key); v.Kind != want {
			t.Errorf("%s is %s, want %s", key, v.Kind, want)
		}
	}
	for key, dim := range map[string]string{"q0024": dimMarital, "q0026": dimOrientation, "q0028": grounding.AxisRepresentation, "q0034": grounding.AxisIncome, "q0035": grounding.AxisGeography, "age3": grounding.AxisAge, "educ4": grounding.AxisEducation, "q0009": grounding.AxisEmployment} {
		if v := variable(t, p, key); v.Dimension != dim {
			t.Errorf("%s speaks of %q, want %q", key, v.Dimension, dim)
		}
	}
	// One of each of the codings that repeat one another shapes the cohort.
	if want := []string{"q0009", "q0024", "q0028", "q0034", "q0035", "educ4", "age3", "kids", "orientation"}; !slices.Equal(p.SegmentationColumns, want) {
		t.Errorf("chosen %v", p.SegmentationColumns)
	}
	for q, n := range map[string]int{"q0004": 6, "q0008": 12, "q0010": 8, "q0011": 5, "q0012": 7, "q0019": 7, "q0020": 6, "q0021": 4, "q0025": 3} {
		if g := groupOf(t, p, q); g.Shape != ShapeMulti || len(g.Keys) != n {
			t.Errorf("%s: %+v", q, g)
		}
	}
	if g := groupOf(t, p, "q0007"); g.Shape != ShapeGrid || len(g.Keys) != 11 {
		t.Errorf("q0007: %+v", g)
	}
	// Missing codes are kept apart: "NA" was not asked, "No answer" did not answer.
	if v := variable(t, p, "q0014"); v.Missing["NA"] != 735 || v.Missing["No answer"] != 1 || v.ValidRespondentCount != 879 {
		t.Errorf("q0014 missing %v", v.Missing)
	}
	if v := variable(t, p, "q0010_0001"); v.Missing["NA"] != 735 || count1(t, v, "Not selected") != 707 || v.ValidRespondentCount != 880 {
		t.Errorf("q0010_0001 %+v", v)
	}
	if p.Weights == nil || p.Weights.Key != "weight" || int(p.Weights.EffectiveN) != 526 {
		t.Errorf("weights %+v, want the published effective size 526", p.Weights)
	}
	if v := variable(t, p, "q0013"); !slices.Contains(values(v), "You didn't think it was your place") {
		t.Errorf("apostrophes: %v", values(v))
	}
	axes := map[string]string{}
	for _, d := range Distributions(p) {
		axes[d.Name] = d.Dimension
	}
	for name, dim := range map[string]string{"Age": "age", "Geography": "geography", "Household income": "income", "Education": "education", "Employment": "employment", "Representation": "representation", "Children": "children"} {
		if axes[name] != dim {
			t.Errorf("no axis %s of %s: %v", name, dim, axes)
		}
	}
	found := false
	for _, d := range p.FunctionalDependencies {
		found = found || d.From == "q0029" && d.To == "educ4" && d.Values["Associate's degree"] == "Some college"
	}
	if !found || p.DependencyCount == nil || *p.DependencyCount != len(p.FunctionalDependencies) {
		t.Errorf("q0029 fixes educ4: %v", p.FunctionalDependencies)
	}
	for _, e := range p.Evidence {
		if e.Dates != "2018-05-10 to 2018-05-22" || e.Origin != simulate.OriginAudience || e.Digest == "" {
			t.Fatalf("evidence %q: dates %q, origin %q", e.Question, e.Dates, e.Origin)
		}
		for _, b := range e.Breakdowns {
			if b.N == nil || *b.N < 10 {
				t.Errorf("%s: group %s of %v", e.Question, b.Group, b.N)
			}
		}
	}
	compare(t, p, "us-men-masculinity-2018", .005)
}

// compare holds toplines against the published figures of the same question,
// within tolerance (a share), over the answers that both count.
func compare(t *testing.T, p *Preview, survey string, tolerance float64) {
	t.Helper()
	raw, err := os.ReadFile("../simulate/testdata/published-surveys.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Surveys []struct {
			ID        string
			Questions []struct {
				ID, Text, Type string
				Options        []struct {
					Label string
					Share float64
				}
			}
		}
	}
	if err := json.Unmarshal(raw, &doc); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, s := range doc.Surveys {
		if s.ID != survey {
			continue
		}
		for _, q := range s.Questions {
			var e *simulate.Evidence
			for i := range p.Evidence {
				if k := p.Evidence[i].Question; k == q.ID || folded(k) == folded(q.Text) {
					e = &p.Evidence[i]
				}
			}
			if e == nil {
				t.Logf("%s: not in the file's own words: %s", q.ID, q.Text)
				continue
			}
			compared++
			whole := 0.0
			for _, o := range q.Options {
				if missingCode(folded(o.Label)) == "" {
					whole += o.Share
				}
			}
			for _, o := range q.Options {
				if missingCode(folded(o.Label)) != "" {
					continue
				}
				hit := false
				for _, got := range e.Options {
					if folded(got.Label) == folded(o.Label) {
						hit = true
						want := o.Share
						if q.Type != "multiselect" {
							want /= whole
						}
						if math.Abs(got.Share-want) > tolerance {
							t.Errorf("%s %q: %.4f, published %.4f", q.ID, o.Label, got.Share, want)
						}
					}
				}
				if !hit {
					t.Errorf("%s has no %q", q.ID, o.Label)
				}
			}
		}
	}
	if compared < 4 {
		t.Errorf("only %d published questions were compared", compared)
	}
}
