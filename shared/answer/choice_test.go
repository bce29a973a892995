package answer

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/model"
	"github.com/mindgate-dev/mindgate/shared/model/modeltest"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

func put(t *testing.T, m model.Client, q simulate.Question, p simulate.Policy) (simulate.Answer, error) {
	t.Helper()
	a, err := New(m, Options{}).Ask(t.Context(), q, p)
	if err != nil {
		t.Fatal(err)
	}
	return a.Answer(t.Context(), nurse())
}

var late = simulate.Question{Text: "Are the trains late?", Type: simulate.Categorical, Options: []string{"Yes", "No", "A & B"}}

func TestChoices(t *testing.T) {
	scale := simulate.Question{Text: "How late are the trains?", Type: simulate.Scale, Min: -2, Max: 2, ScaleLabels: map[int]string{-2: "never", 2: "always"}}
	many := simulate.Question{Text: "What of trains do you like?", Type: simulate.Multiselect, Options: []string{"Seats", "Coffee", "None"}, MinSelections: 1, MaxSelections: 2, Exclusive: []string{"None"}}
	n := func(f float64) *float64 { return &f }
	for name, c := range map[string]struct {
		q     simulate.Question
		says  []string
		want  simulate.Answer
		calls int
	}{
		"a label, by a source": {late, []string{`{"answer":"Yes","basis":"sources","sources":["S1"],"reason":"They are late on Mondays [S1]."}`},
			simulate.Answer{Option: "Yes", State: simulate.Stated, SourceIDs: []string{"k1"}, Message: "Yes. They are late on Mondays."}, 1},
		"a label with marks": {late, []string{`{"answer":"A & B","basis":"persona","sources":[],"reason":"So am I."}`},
			simulate.Answer{Option: "A & B", State: simulate.Trait, Message: "A & B. So am I."}, 1},
		"by figures": {late, []string{`{"answer":"Yes","basis":"sources","sources":["[f1]","F1","S9"],"reason":"Most say so."}`},
			simulate.Answer{Option: "Yes", State: simulate.Related, SourceIDs: []string{"e1"}, Message: "Yes. Most say so."}, 1},
		"by a source not given": {late, []string{`{"answer":"Yes","basis":"sources","sources":["S9"],"reason":"Trust me."}`},
			simulate.Answer{Option: "Yes", State: simulate.Unsupported, Message: "Yes. Trust me. No evidence: illustrative only."}, 1},
		"sources without basis": {late, []string{`{"answer":"No","basis":"none","sources":["S1"],"reason":""}`},
			simulate.Answer{Option: "No", State: simulate.Unsupported, Message: "No. No evidence: illustrative only."}, 1},
		"repaired": {late, []string{`Yes, they are.`, `{"answer":"Yes","basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Option: "Yes", State: simulate.Trait, Message: "Yes. x"}, 2},
		"another label": {late, []string{`{"answer":"yes","basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Status: simulate.CannotAnswer, Reason: ReasonMalformed, Message: cannotWords[ReasonMalformed]}, 2},
		"a point": {scale, []string{`{"answer":-1,"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Number: n(-1), State: simulate.Trait, Message: "-1. x"}, 1},
		"a point outside": {scale, []string{`{"answer":3,"basis":"persona","sources":[],"reason":"x"}`, `{"answer":2,"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Number: n(2), State: simulate.Trait, Message: "2. x"}, 2},
		"half a point": {scale, []string{`{"answer":1.5,"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Status: simulate.CannotAnswer, Reason: ReasonMalformed, Message: cannotWords[ReasonMalformed]}, 2},
		"labels, in the order asked": {many, []string{`{"answer":["Coffee","Seats"],"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Options: []string{"Seats", "Coffee"}, State: simulate.Trait, Message: "Seats, Coffee. x"}, 1},
		"too many": {many, []string{`{"answer":["Coffee","Seats","None"],"basis":"persona","sources":[],"reason":"x"}`, `{"answer":["None"],"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Options: []string{"None"}, State: simulate.Trait, Message: "None. x"}, 2},
		"an exclusive one with another": {many, []string{`{"answer":["Coffee","None"],"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Status: simulate.CannotAnswer, Reason: ReasonMalformed, Message: cannotWords[ReasonMalformed]}, 2},
		"too few": {many, []string{`{"answer":[],"basis":"persona","sources":[],"reason":"x"}`, `{"answer":["Seats","Seats"],"basis":"persona","sources":[],"reason":"x"}`},
			simulate.Answer{Status: simulate.CannotAnswer, Reason: ReasonMalformed, Message: cannotWords[ReasonMalformed]}, 2},
		"in words": {simulate.Question{Text: "What about the trains?", Type: simulate.Qualitative}, []string{"Late on Mondays [S1]."},
			simulate.Answer{Text: "Late on Mondays.", State: simulate.Stated, SourceIDs: []string{"k1"}, Message: "Late on Mondays."}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := modeltest.Says(c.says...)
			a, err := put(t, m, c.q, simulate.Policy{})
			if err != nil || len(m.Asked()) != c.calls {
				t.Fatalf("%v after %d calls", err, len(m.Asked()))
			}
			if c.want.Status == "" {
				c.want.Status = simulate.Answered
			}
			if len(a.Citations) != len(a.SourceIDs) {
				t.Errorf("citations %+v", a.Citations)
			}
			a.Citations = nil
			if !reflect.DeepEqual(a, c.want) {
				t.Errorf("%+v, want %+v", a, c.want)
			}
		})
	}
}

// The schema holds the exact labels, in a form that strict modes take.
func TestChoiceSchema(t *testing.T) {
	q := late
	q.Options = append(q.Options, "Yes") // asked twice
	m := modeltest.Says(`{"answer":"Yes","basis":"none","sources":[],"reason":""}`)
	if _, err := put(t, m, q, simulate.Policy{}); err != nil {
		t.Fatal(err)
	}
	r := m.Asked()[0]
	want := `{"type":"object","properties":{"answer":{"enum":["Yes","No","A \u0026 B"],"type":"string"},"basis":{"enum":["sources","persona","none"],"type":"string"},"reason":{"type":"string"},"sources":{"items":{"type":"string"},"type":"array"}},"required":["answer","basis","sources","reason"],"additionalProperties":false}`
	if string(r.Schema.JSON) != want {
		t.Errorf("%s", r.Schema.JSON)
	}
	var form map[string]any
	if err := json.Unmarshal(r.Schema.JSON, &form); err != nil {
		t.Fatal(err)
	}
	if r.Temperature == nil || *r.Temperature != 0 || !r.CacheSystem || r.MaxTokens == 0 {
		t.Errorf("%+v", r)
	}
	if !strings.Contains(r.Messages[0].Text, `["Yes","No","A \u0026 B","Yes"]`) {
		t.Error(r.Messages[0].Text)
	}
}

// Strict mode draws nothing; knowledge_only takes nothing of the Audience, and says
// nothing in words that it does not know (M-27).
func TestChoicePolicies(t *testing.T) {
	none := `{"answer":"Yes","basis":"none","sources":[],"reason":"x"}`
	if a, err := put(t, modeltest.Says(none), late, simulate.Policy{Strict: true}); err != nil || a.Status != simulate.CannotAnswer || a.Reason != simulate.ReasonNoEvidence {
		t.Errorf("%+v %v", a, err)
	}
	figures := `{"answer":"Yes","basis":"sources","sources":["F1"],"reason":"x"}`
	m := modeltest.Says(figures)
	if a, err := put(t, m, late, simulate.Policy{KnowledgeOnly: true}); err != nil || a.State != simulate.Unsupported || strings.Contains(m.Asked()[0].Messages[0].Text, "Rail survey") {
		t.Errorf("%+v %v", a, err)
	}
	volcano := simulate.Question{Text: "What do you know about volcanoes?", Type: simulate.Qualitative}
	m = modeltest.Says("Etna erupts.")
	if a, err := put(t, m, volcano, simulate.Policy{KnowledgeOnly: true}); err != nil || a.State != simulate.Unsupported || strings.Contains(a.Text, "Etna") || len(m.Asked()) != 0 {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := put(t, m, volcano, simulate.Policy{KnowledgeOnly: true, Strict: true}); err != nil || a.Status != simulate.CannotAnswer {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := put(t, modeltest.Says(none), late, simulate.Policy{ResponseForm: "concise"}); err != nil || a.Message != "Yes. No evidence: illustrative only." {
		t.Errorf("%+v %v", a, err)
	}
}

// What no model is trusted with: pictures that are not there, and whether the Mind
// is a person. And a form that is none is refused as offline.
func TestChoiceWithoutTheModel(t *testing.T) {
	seen := late
	seen.StimulusKinds = []string{"image"}
	m := modeltest.Says("x")
	if a, err := put(t, m, seen, simulate.Policy{}); err != nil || a.Reason != simulate.ReasonNeedsVision {
		t.Errorf("%+v %v", a, err)
	}
	if a, err := put(t, m, simulate.Question{Text: "Are you a real person?", Type: simulate.Categorical, Options: []string{"Yes", "No"}}, simulate.Policy{}); err != nil || a.Message != simulate.Honest {
		t.Errorf("%+v %v", a, err)
	}
	if len(m.Asked()) != 0 {
		t.Error("asked all the same")
	}
	if _, err := New(m, Options{}).Ask(t.Context(), simulate.Question{Text: "x", Type: "essay"}, simulate.Policy{}); !fault.Is(err, fault.Validation) {
		t.Error(err)
	}
}

// The model declines: the Mind cannot answer. The provider fails: the call does.
func TestChoiceFailures(t *testing.T) {
	for _, q := range []simulate.Question{late, {Text: "What about the trains?", Type: simulate.Qualitative}} {
		a, err := put(t, modeltest.Fails(&model.Error{Kind: model.KindFiltered}), q, simulate.Policy{})
		if err != nil || a.Status != simulate.CannotAnswer || a.Reason != ReasonDeclined {
			t.Errorf("%+v %v", a, err)
		}
		for _, kind := range []model.Kind{model.KindOverloaded, model.KindAuth, model.KindMalformed} {
			if _, err := put(t, modeltest.Fails(&model.Error{Kind: kind}), q, simulate.Policy{}); !model.IsKind(err, kind) {
				t.Errorf("%s: %v", kind, err)
			}
		}
	}
}

// An earlier answer of this run is given, and an answer may rest on it (M-74).
func TestEarlierAnswerM74(t *testing.T) {
	m := modeltest.Says(`{"answer":"Yes","basis":"sources","sources":["E1"],"reason":"As I said."}`)
	a, err := New(m, Options{}).Ask(t.Context(), late, simulate.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := a.Answer(t.Context(), simulate.Respondent{ID: "m", Name: "Mia", Earlier: []simulate.Earlier{{Question: "Do you ride trains?", Option: "Yes"}}})
	if err != nil || got.State != simulate.Stated || len(got.SourceIDs) != 0 {
		t.Errorf("%+v %v", got, err)
	}
	if !strings.Contains(m.Asked()[0].Messages[0].Text, "Asked: Do you ride trains? You answered: Yes") {
		t.Error(m.Asked()[0].Messages[0].Text)
	}
}
