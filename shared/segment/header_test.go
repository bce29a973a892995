package segment

import (
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// The layouts of survey programs: codes over wordings, options in brackets or
// behind a dash, 0/1 columns, a text field beside the options.
func TestLayouts(t *testing.T) {
	gender := func(i int) string { return []string{"Woman", "Man"}[i%2] }
	for _, c := range []struct {
		name   string
		header [][]string
		row    func(i int) []string
		check  func(t *testing.T, p *Preview)
	}{
		{"codes over wordings", [][]string{{"ResponseId", "Q1", "Q2_1", "Q2_2", "Q3"}, {"Response ID", "What is your gender?", "Which do you own? - Car", "Which do you own? - Bike", "How likely are you to recommend us?"}},
			func(i int) []string {
				return []string{fmt.Sprintf("R_%08dab", i), gender(i), []string{"Car", ""}[i%2], []string{"Bike", "Bike", ""}[i%3], fmt.Sprint(i % 11)}
			},
			func(t *testing.T, p *Preview) {
				if v := variable(t, p, "Q1"); v.Dimension != grounding.AxisGender || v.Label != "Gender" {
					t.Errorf("Q1 %+v", v)
				}
				if g := groupOf(t, p, "Which do you own?"); g.Shape != ShapeMulti || g.Items[1] != "Bike" {
					t.Errorf("Q2 %+v", g)
				}
				if v := variable(t, p, "ResponseId"); v.Role != Identifier {
					t.Errorf("id is %s", v.Role)
				}
				if v := variable(t, p, "Q3"); v.Role != Outcome || values(v)[10] != "10" {
					t.Errorf("Q3 %v %v", v.Role, values(v))
				}
			}},
		{"options in brackets", [][]string{{"id", "gender", "brands [Acme]", "brands [Bolt]", "brands [Other]"}},
			func(i int) []string {
				return []string{fmt.Sprint(i + 1), gender(i), fmt.Sprint(i % 2), fmt.Sprint(i % 3 % 2), "0"}
			},
			func(t *testing.T, p *Preview) {
				g := groupOf(t, p, "brands")
				if g.Shape != ShapeMulti || g.Items[0] != "Acme" {
					t.Errorf("brands %+v", g)
				}
				if v := variable(t, p, "brands [Acme]"); v.ValidRespondentCount != 60 || count1(t, v, "Acme") != 30 || count1(t, v, "Not selected") != 30 {
					t.Errorf("0 is not chosen: %+v", v)
				}
			}},
		{"a grid behind a dash", [][]string{{"Geschlecht", "Alter", "Wie wichtig ist Ihnen … - Preis", "Wie wichtig ist Ihnen … - Qualität", "Bundesland"}},
			func(i int) []string {
				return []string{[]string{"weiblich", "männlich"}[i%2], fmt.Sprint(20 + i), []string{"sehr wichtig", "wichtig", "unwichtig"}[i%3], []string{"sehr wichtig", "wichtig", "unwichtig"}[i%2], []string{"Bayern", "Hessen", "Berlin"}[i%3]}
			},
			func(t *testing.T, p *Preview) {
				if g := groupOf(t, p, "Wie wichtig"); g.Shape != ShapeGrid || g.Items[1] != "Qualität" {
					t.Errorf("grid %+v", g)
				}
				if v := variable(t, p, "Wie wichtig ist Ihnen … - Preis"); v.Role != Driver {
					t.Errorf("importance is %s", v.Role)
				}
				for k, dim := range map[string]string{"Geschlecht": grounding.AxisGender, "Alter": grounding.AxisAge, "Bundesland": grounding.AxisGeography} {
					if v := variable(t, p, k); v.Dimension != dim || !v.Selected {
						t.Errorf("%s: %q, chosen %v", k, v.Dimension, v.Selected)
					}
				}
			}},
		{"a text field beside the answers", [][]string{{"RespondentID", "What is your job?", "", "Segment"}, {"", "Response", "Other (please specify)", "Response"}},
			func(i int) []string {
				other := ""
				if i%3 == 0 {
					other = fmt.Sprintf("I mend boats number %d", i)
				}
				return []string{fmt.Sprint(555000 + i), []string{"Manager", "Clerk", "Other"}[i%3], other, []string{"Loyal", "New"}[i%2]}
			},
			func(t *testing.T, p *Preview) {
				if v := p.Variables[2]; v.Kind != KindOpenText || len(v.Distribution) != 0 {
					t.Errorf("the text field is %s with %v", v.Kind, v.Distribution)
				}
				if v := variable(t, p, "Segment"); v.Kind != KindSegmentation || !v.Selected {
					t.Errorf("Segment is %s", v.Kind)
				}
			}},
		{"personal data", [][]string{{"E-Mail", "IP", "gender", "body weight", "wave"}},
			func(i int) []string {
				return []string{fmt.Sprintf("p%d@example.org", i), fmt.Sprintf("10.0.0.%d", i), gender(i), fmt.Sprint(50 + i), "1"}
			},
			func(t *testing.T, p *Preview) {
				for _, k := range []string{"E-Mail", "IP"} {
					if v := variable(t, p, k); v.Role != Identifier || len(v.Distribution) != 0 {
						t.Errorf("%s is %s", k, v.Role)
					}
				}
				if v := variable(t, p, "body weight"); v.Kind == KindWeight {
					t.Error("a body's weight weights nothing")
				}
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &sheet{header: c.header}
			for i := range 60 {
				s.rows = append(s.rows, c.row(i))
			}
			c.check(t, review1(t, s, Options{FileName: "a.csv"}))
		})
	}
}

// M-132: what a weight changes and what it does not.
func TestWeightedShares(t *testing.T) {
	s := people(100, []string{"Gender", "Q1", "wt"}, func(i int) []string {
		w := "0.5"
		if i%2 == 0 {
			w = "1.5"
		}
		return []string{[]string{"Male", "Female"}[i%2], []string{"Yes", "No"}[i%2], w}
	})
	p := review1(t, s, Options{})
	v := variable(t, p, "Gender")
	if count1(t, v, "Male") != 50 || v.Distribution[1].SharePct != 75 {
		t.Errorf("%+v", v.Distribution)
	}
	if e := p.Evidence[0]; *e.N != 80 || e.Options[0].Share != .75 {
		t.Errorf("evidence n %d, %v; Kish gives 100² / 125 = 80", *e.N, e.Options)
	}
	if p.Weights.EffectiveN != 80 {
		t.Errorf("effective %v", p.Weights.EffectiveN)
	}
}
