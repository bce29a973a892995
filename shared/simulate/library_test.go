package simulate

import (
	"encoding/json"
	"os"
	"testing"
)

// The published-survey library: figures as facts, each entry with its source
// and licence note (testdata/published-surveys.json).
type survey struct {
	ID         string `json:"id"`
	Publisher  string `json:"publisher"`
	FieldEnd   string `json:"fieldEnd"`
	SampleSize *int   `json:"sampleSize"`
	Population struct {
		Description string `json:"description"`
	} `json:"population"`
	Questions []surveyQuestion `json:"questions"`
}

type surveyQuestion struct {
	ID         string        `json:"id"`
	Text       string        `json:"text"`
	Type       string        `json:"type"`
	Ordinal    bool          `json:"ordinal"`
	Base       *int          `json:"base"`
	Options    []OptionShare `json:"options"`
	Breakdowns []Breakdown   `json:"breakdowns"`
}

func library(t testing.TB) []survey {
	t.Helper()
	raw, err := os.ReadFile("testdata/published-surveys.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Surveys []survey `json:"surveys"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	return file.Surveys
}

// evidence writes the question as the document that a caller uploads and reads
// it back, so that the library goes through the front door.
func (q surveyQuestion) evidence(t testing.TB, s survey) *Evidence {
	t.Helper()
	doc := map[string]any{"question": q.Text, "options": q.Options, "n": q.Base, "source": s.Publisher + " " + s.ID,
		"dates": s.FieldEnd, "population": s.Population.Description, "breakdowns": q.Breakdowns, "type": q.Type}
	raw, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	e, err := ParseEvidence(raw)
	if err != nil {
		t.Fatalf("%s/%s: %v", s.ID, q.ID, err)
	}
	e.ID = s.ID + "/" + q.ID
	e.Origin = OriginMind
	return &e
}

func (q surveyQuestion) asked() Question {
	out := Question{Text: q.Text, Type: QuestionType(q.Type), Ordinal: q.Ordinal}
	for _, o := range q.Options {
		out.Options = append(out.Options, o.Label)
	}
	return out
}
