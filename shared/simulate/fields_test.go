package simulate

import (
	"errors"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// M-271: a faulty distribution is refused by the field, the rule and the ways out.
func TestParseEvidenceNamesTheFault(t *testing.T) {
	const opts = `"options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}]`
	for doc, want := range map[string][]string{
		`{"question":"Q","options":[{"label":"Yes","share":30},{"label":"No","share":60}]}`:                                                                   {"options[].share", "sum to 90", "10 in all", `"type": "multiselect"`},
		`{"question":"Q","options":[{"label":"Yes","share":"30%"},{"label":"No","share":"60%"}]}`:                                                             {"sum to 90"},
		`{"question":"Q","options":[{"label":"Yes","share":80},{"label":"No","share":60}]}`:                                                                   {"sum to 140", "40 too much", "multiselect"},
		`{"question":"Q","options":[{"label":"Yes","share":0.3},{"label":"No","share":0.6}]}`:                                                                 {"sum to 0.9", "0.1 in all", "multiselect"},
		`{"question":"Q","options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}],"breakdowns":[{"dimension":"age","group":"x","shares":[30,60]}]}`: {"breakdowns[0].shares", "sum to 90"},
		`{"question":"Q","options":[]}`:                                                      {"options", "2 to 100", "empty"},
		`{"question":"Q","type":"multi-select",` + opts + `}`:                                {"type", "multi-select", `did you mean "multiselect"`},
		`{"question":"Q","type":"ranking",` + opts + `}`:                                     {"type", "ranking", "categorical"},
		`{"question":"Q","type":3,` + opts + `}`:                                             {"type", "multiselect"},
		`{"question":"Q","sorce":"A",` + opts + `}`:                                          {"sorce", `"source"`},
		`{"question":"Q","sources":["A"],` + opts + `}`:                                      {"sources", `"source"`},
		`{"question":"Q","date":"2024",` + opts + `}`:                                        {"date", `"dates"`},
		`{"question":"Q","populaton":"x",` + opts + `}`:                                      {"populaton", `"population"`},
		`{"question":"Q","breakdown":[],` + opts + `}`:                                       {"breakdown", `"breakdowns"`},
		`{"quesiton":"Q",` + opts + `}`:                                                      {"quesiton", `"question"`},
		`{"Question":"Q",` + opts + `}`:                                                      {"Question", `"question"`},
		`{"question":"Q","option":[{"label":"A","share":1}]}`:                                {"option", `"options"`},
		`{"question":"Q","options":[{"label":"A","percent":70},{"label":"B","percent":30}]}`: {"options[].percent", `"share"`},
	} {
		_, err := ParseEvidence([]byte(doc))
		if !fault.Is(err, fault.Validation) {
			t.Errorf("%s: %v", doc, err)
			continue
		}
		for _, w := range append(want, "Example") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", doc, err, w)
			}
		}
	}
}

func TestParseEvidenceWarns(t *testing.T) {
	const opts = `"options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}]`
	for doc, want := range map[string]string{
		`{"question":"Q","notes":"x",` + opts + `}`:                         "notes",
		`{"question":"Q","source":"A","sources":["A","B"],` + opts + `}`:    "sources",
		`{"question":"Q","dates":"March 2031",` + opts + `}`:                "future (2031)",
		`{"question":"Q","dates":"2027","type":"categorical",` + opts + `}`: "",
		`{"question":"Q","dates":2024,"type":null,` + opts + `}`:            "",
	} {
		e, err := ParseEvidence([]byte(doc))
		if err != nil {
			t.Errorf("%s: %v", doc, err)
			continue
		}
		if got := strings.Join(e.Warnings, "; "); (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: warnings %q, want %q", doc, got, want)
		}
	}
	// An answer drawn from a source of the future says so.
	e, _ := ParseEvidence([]byte(`{"question":"Do you own a car?","n":500,"source":"A","population":"adults","dates":"2031",` + opts + `}`))
	a := answer(t, ask(t, Question{Text: "Do you own a car?", Type: Categorical, Options: []string{"Yes", "No"}}, Policy{}), Respondent{ID: "m", Evidence: []*Evidence{&e}})
	if got := strings.Join(a.Warnings, "; "); a.State != Grounded || !strings.Contains(got, "in the future (2031)") {
		t.Errorf("%s: %q", a.State, got)
	}
}

// What was taken once can be read for good.
func TestStoredEvidenceIsNotJudgedAgain(t *testing.T) {
	const opts = `"options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}]`
	for _, doc := range []string{`{"question":"Q","sorce":"A",` + opts + `}`, `{"question":"Q","type":"single",` + opts + `}`, `{"question":"Q",` + opts + `}`} {
		if e, err := StoredEvidence([]byte(doc)); err != nil || e.Options[0].Share != .7 || e.Multiselect {
			t.Errorf("%s: %+v %v", doc, e, err)
		}
	}
	if _, err := StoredEvidence([]byte(`{"question":"Q","options":[]}`)); err == nil {
		t.Error("an empty list is no distribution")
	}
	if _, err := StoredEvidence([]byte(`{"a":1}`)); !errors.Is(err, ErrNotEvidence) {
		t.Error(err)
	}
}
