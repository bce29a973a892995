package simulate

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

func TestWithoutInstruction(t *testing.T) {
	const bank, own = "How satisfied are you with your bank?", "Which of these do you own?"
	for text, want := range map[string]string{
		bank:            bank,
		bank + " (1-5)": bank, bank + " (1 to 5)": bank, bank + " [0-10 scale]": bank,
		"How satisfied are you with your bank, on a scale of 1 to 5?":                 bank,
		"How satisfied are you with your bank on a 1-5 scale?":                        bank,
		bank + " Rate on a scale of 1 to 5.":                                          bank,
		bank + " Please rate from 1 to 5.":                                            bank,
		bank + " (1 = very dissatisfied, 5 = very satisfied)":                         bank,
		"On a scale of 1 to 5, how satisfied are you with your bank?":                 "how satisfied are you with your bank?",
		"On a scale of 1 to 5, where 1 is bad and 5 is good, how is your bank?":       "how is your bank?",
		"On a scale from 0 to 10 (0 = not at all, 10 = extremely), how is your bank?": "how is your bank?",
		own + " Select all that apply.":                                               own, own + " (select all that apply)": own, own + " (all that apply)": own, own + " Please select all that apply:": own,
		"Select all that apply: which of these do you own?":                "which of these do you own?",
		"Which of these do you own? (You may choose more than one answer)": own,
		bank + " 1-5": bank,
		"How satisfied are you with your bank, from 1 to 5?": "How satisfied are you with your bank",
		// What only looks like one stays.
		"Do you work from 1 to 5?":           "Do you work from 1 to 5?",
		"How many people (18-24) live here?": "How many people (18-24) live here?",
		"Do you work from 9 to 5?":           "Do you work from 9 to 5?",
		"Select all that apply.":             "Select all that apply.",
		"On a scale of 1 to 5":               "On a scale of 1 to 5",
		"Does the 5-point scale help?":       "Does the 5-point scale help?",
	} {
		if got := withoutInstruction(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzWithoutInstruction(f *testing.F) {
	for _, s := range []string{"How? (1-5)", "on a scale of 1 to 5, where 1 is x and 5 is y, z?", "select all that apply: a", "(((1-1)"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if out := withoutInstruction(s); len(out) > len(s)+2 {
			t.Errorf("%q grew to %q", s, out)
		}
	})
}

func bank(t *testing.T, labels ...string) *Evidence {
	t.Helper()
	doc := `{"question": "How satisfied are you with your bank?", "n": 900, "source": "A survey", "dates": "2025", "population": "adults", "options": [`
	for i, l := range labels {
		if i > 0 {
			doc += ","
		}
		doc += fmt.Sprintf(`{"label": %q, "share": %d}`, l, []int{10, 10, 30, 30, 20}[i])
	}
	e, err := ParseEvidence([]byte(doc + "]}"))
	if err != nil {
		t.Fatal(err)
	}
	return &e
}

// M-341: a scale finds its own source in natural wordings, and its numbers are
// the published ones.
func TestScaleUsesItsSourceM341(t *testing.T) {
	words := []string{"Very dissatisfied", "Dissatisfied", "Neither satisfied nor dissatisfied", "Satisfied", "Very satisfied"}
	plain := bank(t, "1", "2", "3", "4", "5")
	texted := bank(t, "1 - Very dissatisfied", "2 - Dissatisfied", "3 - Neutral", "4 - Satisfied", "5 - Very satisfied")
	down := bank(t, "5", "4", "3", "2", "1")
	down.Options[0].Share, down.Options[1].Share, down.Options[3].Share, down.Options[4].Share = .2, .3, .1, .1
	down.Options[2].Share = .3
	down.Digest = down.digest()
	const q = "How satisfied are you with your bank?"
	for _, text := range []string{q, q + " (1-5)", "How satisfied are you with your bank, on a scale of 1 to 5?", "On a scale of 1 to 5, how satisfied are you with your bank?", q + " Rate on a scale of 1 to 5."} {
		for i, e := range []*Evidence{plain, texted, down, bank(t, words...)} {
			a := answer(t, ask(t, Question{Text: text, Type: Scale, Min: 1, Max: 5}, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{e}})
			want := Grounded
			if said := strings.Contains(strings.Join(a.Warnings, "; "), "by their place"); said != (i == 3) {
				t.Errorf("%q from source %d: warnings %v", text, i, a.Warnings)
			}
			if a.State != want || a.Number == nil {
				t.Errorf("%q from source %d: %s %v", text, i, a.State, a.Probabilities)
				continue
			}
			for k, v := range []float64{.1, .1, .3, .3, .2} {
				if want == Grounded && math.Abs(a.Probabilities[k]-v) > 1e-5 {
					t.Errorf("%q from source %d: %v", text, i, a.Probabilities)
					break
				}
			}
		}
	}
	// In other words it is near, and no more (3.2.1: mapped by place, K agree).
	near := Question{Text: "How satisfied are you with your bank overall?", Type: Scale, Min: 1, Max: 5}
	if a := answer(t, ask(t, near, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{bank(t, words[0], words[1], words[2], words[3], words[4])}}); a.State != Related && a.State != Grounded {
		t.Errorf("near wording by place: %s", a.State)
	}
	against := Question{Text: q, Type: Scale, Min: 1, Max: 5, ScaleLabels: map[int]string{1: "very satisfied", 5: "very dissatisfied"}}
	if a := answer(t, ask(t, against, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{bank(t, words...)}}); a.State != Unsupported {
		t.Errorf("numbers that run against the words: %s %v", a.State, a.Probabilities)
	}
	against.TopLow = true
	if a := answer(t, ask(t, against, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{bank(t, words...)}}); a.State != Grounded || math.Abs(a.Probabilities[0]-.2) > 1e-5 {
		t.Errorf("the low end is the top, and said so: %s %v", a.State, a.Probabilities)
	}
	// A scale that runs the other way, or has other points, is not this one.
	for _, other := range []Question{
		{Text: q + " (1 = very satisfied, 5 = very dissatisfied)", Type: Scale, Min: 1, Max: 5, ScaleLabels: map[int]string{1: "very satisfied", 5: "very dissatisfied"}},
		{Text: q + " (1-10)", Type: Scale, Min: 1, Max: 10},
		{Text: q + " (0-4)", Type: Scale, Min: 0, Max: 4},
	} {
		if a := answer(t, ask(t, other, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{plain}}); a.State != Unsupported {
			t.Errorf("%q: %s", other.Text, a.State)
		}
	}
}

// A bare wording takes the form of its source: numbers in a row are a scale.
func TestFromEvidenceOfNumbersIsAScale(t *testing.T) {
	got, ok := FromEvidence("How satisfied are you with your bank?", bank(t, "1 - Very dissatisfied", "2", "3", "4", "5 - Very satisfied"))
	if !ok || got.Type != Scale || got.Min != 1 || got.Max != 5 || got.ScaleLabels[5] != "Very satisfied" || len(got.Options) != 0 {
		t.Errorf("%+v", got)
	}
	for _, labels := range [][]string{{"1", "2", "3", "4", "6"}, {"1-2", "3", "4", "5", "6"}, {"None", "1", "2", "3", "4"}} {
		if got, ok := FromEvidence("How satisfied are you with your bank?", bank(t, labels...)); !ok || got.Type != Categorical {
			t.Errorf("%v: %+v", labels, got)
		}
	}
}

// M-341: a question with several answers finds its source with and without the
// instruction, on either side, and draws each option at its published share.
func TestMultiselectUsesItsSourceM341(t *testing.T) {
	const q = "Which of these do you own?"
	opts := []string{"Car", "Bike", "Boat"}
	for _, published := range []string{q, q + " Select all that apply.", q + " (select all that apply)"} {
		e, err := ParseEvidence([]byte(`{"question": "` + published + `", "type": "multiselect", "n": 500, "source": "A survey", "dates": "2025", "options": [{"label": "Car", "share": 75}, {"label": "Bike", "share": 50}, {"label": "Boat", "share": 6.25}]}`))
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{q, q + " Select all that apply: Car / Bike / Boat", q + " (Car / Bike / Boat) Select all that apply", q + " (select all that apply) Car; Bike; Boat", q + " (Car / Bike / Boat) (select all that apply)", "Which of these do you own, select all that apply: Car, Bike, Boat"} {
			p := ask(t, Question{Text: text, Type: Multiselect, Options: opts}, Policy{})
			got := map[string]int{}
			for i := range 64 {
				a := answer(t, p, Respondent{ID: fmt.Sprint("m", i), Slot: int64(i), Evidence: []*Evidence{&e}})
				if a.State != Grounded {
					t.Fatalf("%q from %q: %s", text, published, a.State)
				}
				for _, o := range a.Options {
					got[o]++
				}
			}
			for o, want := range map[string]int{"Car": 48, "Bike": 32, "Boat": 4} {
				if d := got[o] - want; d < -2 || d > 2 {
					t.Errorf("%q from %q: %d of 64 have %s, want about %d", text, published, got[o], o, want)
				}
			}
		}
	}
}
