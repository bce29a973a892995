package plan

import (
	"context"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// M-82, M-341: a question in natural wording gets its answer form and finds its
// published source, with and without an instruction how to answer.
func TestNaturalWordingsReachTheirSourceM82(t *testing.T) {
	read := func(doc string) *simulate.Evidence {
		e, err := simulate.ParseEvidence([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		return &e
	}
	known := []*simulate.Evidence{
		read(`{"question": "How satisfied are you with your bank?", "n": 900, "source": "A survey", "dates": "2025", "options": [{"label": "1", "share": 10}, {"label": "2", "share": 10}, {"label": "3", "share": 30}, {"label": "4", "share": 30}, {"label": "5", "share": 20}]}`),
		read(`{"question": "Which of these do you own?", "type": "multiselect", "n": 900, "source": "A survey", "dates": "2025", "options": [{"label": "Car", "share": 70}, {"label": "Bike", "share": 50}, {"label": "Boat", "share": 5}]}`),
	}
	const bank, own = "How satisfied are you with your bank?", "Which of these do you own?"
	for text, want := range map[string]simulate.QuestionType{
		bank:            simulate.Scale,
		bank + " (1-5)": simulate.Scale,
		"How satisfied are you with your bank, on a scale of 1 to 5?": simulate.Scale,
		"On a scale of 1 to 5, how satisfied are you with your bank?": simulate.Scale,
		bank + " Rate on a scale of 1 to 5.":                          simulate.Scale,
		bank + " (1 = very dissatisfied, 5 = very satisfied)":         simulate.Scale,
		own:                              simulate.Multiselect,
		own + " (select all that apply)": simulate.Multiselect,
		own + " Select all that apply: Car / Bike / Boat":                     simulate.Multiselect,
		own + " (Car / Bike / Boat) Select all that apply":                    simulate.Multiselect,
		own + " (select all that apply) Car; Bike; Boat":                      simulate.Multiselect,
		"Select all that apply: which of these do you own? Car / Bike / Boat": simulate.Multiselect,
	} {
		q := Classify(text, known).Question
		if q.Type != want {
			t.Errorf("%q is %s, want %s", text, q.Type, want)
			continue
		}
		asked, err := simulate.NewOffline().Ask(context.Background(), q, simulate.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		a, err := asked.Answer(context.Background(), simulate.Respondent{ID: "m", Evidence: known})
		if err != nil || a.State != simulate.Grounded {
			t.Errorf("%q: %s %v", text, a.State, err)
		}
	}
}
