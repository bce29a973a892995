package simulate

import (
	"context"
	"slices"
	"strings"
	"testing"
)

func published(t *testing.T, source, question string, options ...OptionShare) *Evidence {
	t.Helper()
	n := 1000
	e := &Evidence{ID: "k1", Question: question, Options: options, N: &n, Source: source, Dates: "2025", Population: "US adults", Origin: OriginMind}
	e.Digest = e.digest()
	return e
}

// yesAmong asks 128 Minds that hold the evidence.
func yesAmong(t *testing.T, q Question, e ...*Evidence) (map[string]float64, State) {
	t.Helper()
	out := map[string]float64{}
	a := ask(t, q, Policy{})
	var st State
	for i := range 128 {
		x := answer(t, a, Respondent{ID: "m" + string(rune('a'+i%26)), Slot: int64(i), Evidence: e})
		out[x.Option] += 1. / 128
		st = x.State
	}
	return out, st
}

// A question of the opposite sense is related at most, its yes and no turned
// round; what cannot be turned is no evidence (3.2).
func TestOppositeSense(t *testing.T) {
	e := published(t, "A survey", "Do you ever gamble?", OptionShare{"Yes", .9}, OptionShare{"No", .1})
	for _, c := range []struct {
		q     Question
		state State
		yes   bool // most say yes
	}{
		{cat("Do you gamble?", yesNo...), Grounded, true},
		{cat("Don't you ever gamble?", yesNo...), Grounded, true},
		{cat("So, don't you gamble?", yesNo...), Grounded, true},
		{cat("Do you never gamble?", yesNo...), Related, false},
		{cat("Do you not gamble?", yesNo...), Related, false},
		{cat("Do you ever gamble? (Never / Always)", "Never", "Always"), Unsupported, false},
		{cat("Do you never gamble? (Never / Always)", "Never", "Always"), Unsupported, false},
	} {
		got, st := yesAmong(t, c.q, e)
		if st != c.state || c.state != Unsupported && (got["Yes"] > .5) != c.yes {
			t.Errorf("%s: %s %v, want %s and yes %t", c.q.Text, st, got, c.state, c.yes)
		}
	}
}

// Figures without a source are related at most, and what the source leaves out
// is said (M-341).
func TestEvidenceWithoutSourceM341(t *testing.T) {
	e := &Evidence{ID: "k1", Question: "Do you own a car?", Options: []OptionShare{{"Yes", .7}, {"No", .3}}}
	a := answer(t, ask(t, cat("Do you own a car?", yesNo...), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
	if a.State != Related || !slices.Contains(a.Warnings, "source not stated") {
		t.Errorf("%s %v", a.State, a.Warnings)
	}
	e.Source = "A survey"
	a = answer(t, ask(t, cat("Do you own a car?", yesNo...), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
	if a.State != Grounded || len(a.Warnings) != 3 {
		t.Errorf("%s %q, want grounded with three warnings", a.State, a.Warnings)
	}
	e.Dates = "1950"
	a = answer(t, ask(t, cat("Do you own a car?", yesNo...), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
	if !slices.Contains(a.Warnings, "the source is 76 years old (1950)") {
		t.Errorf("%q", a.Warnings)
	}
}

func TestDisagreeingSourcesWarn(t *testing.T) {
	x := published(t, "A", "Do you own a car?", OptionShare{"Yes", .9}, OptionShare{"No", .1})
	y := published(t, "B", "Do you own a car?", OptionShare{"Yes", .2}, OptionShare{"No", .8})
	a := answer(t, ask(t, cat("Do you own a car?", yesNo...), Policy{}), Respondent{ID: "m", Evidence: []*Evidence{x, y}})
	if !slices.Contains(a.Warnings, SourcesDisagree) {
		t.Errorf("%v", a.Warnings)
	}
	rep, err := NewOffline().Reply(context.Background(), Respondent{ID: "m", Evidence: []*Evidence{x, y}}, "Do you own a car?", Policy{})
	if err != nil || !strings.Contains(rep.Text, "Note: "+SourcesDisagree) {
		t.Errorf("a conversation without the warning: %q %v", rep.Text, err)
	}
}

// Synonyms in the options are one question, and a paraphrase of a published
// question is answered at its place: the same Minds say the same (3.3).
func TestParaphraseAgrees(t *testing.T) {
	steak := published(t, "A survey", "How do you like your steak prepared?", OptionShare{"Rare", .05}, OptionShare{"Medium rare", .39},
		OptionShare{"Medium", .31}, OptionShare{"Medium well", .17}, OptionShare{"Well", .08})
	tea := published(t, "A survey", "Which tea do you mostly drink in the office?", OptionShare{"Assam", .4}, OptionShare{"Sencha", .35}, OptionShare{"Rooibos", .25})
	doneness := []string{"Rare", "Medium rare", "Medium", "Medium well", "Well"}
	well := append(slices.Clone(doneness[:4]), "Well done")
	for _, c := range []struct {
		a, b  Question
		e     *Evidence
		least float64
	}{
		{cat("How do you like your steak prepared?", doneness...), cat("How do you like your steak prepared?", well...), steak, 1},
		{cat("How do you like your steak prepared?", doneness...), cat("How do you like your steak cooked?", well...), steak, .75},
		{cat("How do you like your steak prepared?", doneness...), cat("How do you usually like your steak to be prepared?", doneness...), steak, .75},
		{cat("How do you like your steak prepared?", doneness...), cat("How do you like your steak prepared?", well...), nil, 1},
		{cat("Which tea do you mostly drink in the office?", "Assam", "Sencha", "Rooibos"), cat("Which tea do you drink most in your office?", "Rooibos", "Assam", "Sencha"), tea, .75},
		{cat("Which tea do you mostly drink in the office?", "Assam", "Sencha", "Rooibos"), cat("Which tea do you mostly drink in the office at work?", "Rooibos", "Assam", "Sencha"), tea, .75},
	} {
		x, y := ask(t, c.a, Policy{}), ask(t, c.b, Policy{})
		same := 0.0
		const n = 400
		for i := range n {
			r := Respondent{ID: "m" + strings.Repeat("x", i%7) + string(rune('a'+i%26)), Slot: int64(i)}
			if c.e != nil {
				r.Evidence = []*Evidence{c.e}
			}
			p, q := answer(t, x, r).Option, answer(t, y, r).Option
			if p == q || p == "Well" && q == "Well done" {
				same += 1. / n
			}
		}
		if same < c.least-1e-9 {
			t.Errorf("%s / %s: %.2f agree, want %.2f", c.a.Text, c.b.Text, same, c.least)
		}
		t.Logf("%s / %s: %.3f", c.a.Text, c.b.Text, same)
	}
}
