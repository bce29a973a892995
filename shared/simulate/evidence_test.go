package simulate

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

func TestParseEvidence(t *testing.T) {
	e, err := ParseEvidence([]byte("\xef\xbb\xbf" + `{"question":" Do you own a car? ","options":[{"label":"Yes","share":70},{"label":"No","share":"30%"}],"n":500,"dates":2024,
		"source":"A","population":"US adults 18+","breakdowns":[{"dimension":"age","group":"18-29","n":80,"shares":[60,40]}],"extra":1}`))
	if err != nil {
		t.Fatal(err)
	}
	if e.Question != "Do you own a car?" || e.Options[0].Share != .7 || *e.N != 500 || e.Dates != "2024" || e.Breakdowns[0].Shares[1] != .4 || len(e.Digest) != 64 {
		t.Errorf("%+v", e)
	}
	again, _ := ParseEvidence([]byte(`{"question":"Do you own a car?","options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}],"n":500,"dates":"2024","source":"A","population":"US adults 18+","breakdowns":[{"dimension":"age","group":"18-29","n":80,"shares":[0.6,0.4]}]}`))
	if again.Digest != e.Digest {
		t.Error("percent and fractions of the same figures must have one digest")
	}
	m, err := ParseEvidence([]byte(`{"question":"Which?","type":"multiselect","options":[{"label":"A","share":0.9},{"label":"B","share":0.8}]}`))
	if err != nil || !m.Multiselect || m.N != nil {
		t.Error(m, err)
	}
	one, err := ParseEvidence([]byte(`{"question":"Which?","options":[{"label":"A","share":1},{"label":"B","share":0}]}`))
	if err != nil || one.Options[0].Share != 1 {
		t.Error(one, err)
	}
}

func TestParseEvidenceRefuses(t *testing.T) {
	for _, s := range []string{"", "hello", "[1]", `{"a":1}`, `{"question":"x"}`, `{"question":"x","options":"none"}`, `{"question":`, `null`, `{"question":"x","options":["a","b"]}`, `{"question":"x","options":[{"label":"a"},{"label":"b"}]}`} {
		if _, err := ParseEvidence([]byte(s)); !errors.Is(err, ErrNotEvidence) {
			t.Errorf("%q: %v, want ErrNotEvidence", s, err)
		}
	}
	opts := `"options":[{"label":"Yes","share":0.7},{"label":"No","share":0.3}]`
	for field, s := range map[string]string{
		"question":             `{"question":"  ",` + opts + `}`,
		"options ":             `{"question":"Q","options":[{"label":"Yes","share":1}]}`,
		"options[].share":      `{"question":"Q","options":[{"label":"Yes","share":0.7},{"label":"No","share":0.2}]}`,
		"options[1].share":     `{"question":"Q","options":[{"label":"Yes","share":0.7},{"label":"No","share":-0.3}]}`,
		"options[0].share":     `{"question":"Q","options":[{"label":"Yes"},{"label":"No","share":1}]}`,
		"options[1].label":     `{"question":"Q","options":[{"label":"Yes","share":0.7},{"label":"yes","share":0.3}]}`,
		"n ":                   `{"question":"Q","n":0,` + opts + `}`,
		"source":               `{"question":"Q","source":["a"],` + opts + `}`,
		"breakdowns[0].shares": `{"question":"Q",` + opts + `,"breakdowns":[{"dimension":"age","group":"x","shares":[1]}]}`,
		"breakdowns[0].n":      `{"question":"Q",` + opts + `,"breakdowns":[{"dimension":"age","group":"x","n":4,"shares":[1,0]}]}`,
		"breakdowns[0] ":       `{"question":"Q",` + opts + `,"breakdowns":[{"group":"x","shares":[1,0]}]}`,
	} {
		_, err := ParseEvidence([]byte(s))
		if !fault.Is(err, fault.Validation) || !strings.Contains(err.Error(), strings.TrimSpace(field)) || !strings.Contains(err.Error(), "Example") {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func FuzzParseEvidence(f *testing.F) {
	f.Add([]byte(evidenceExample))
	f.Add([]byte(`{"question":"Q","options":[{"label":1,"share":"1e999%"},{"label":"b","share":1e308}]}`))
	f.Add([]byte(`{"question":"Q","options":[{"label":"a","share":0},{"label":"b","share":0}],"type":"multiselect","breakdowns":[{"dimension":"d","group":"g","shares":[0,0]}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		e, err := ParseEvidence(raw)
		if err != nil {
			if !errors.Is(err, ErrNotEvidence) && !fault.Is(err, fault.Validation) {
				t.Fatal(err)
			}
			return
		}
		sum := 0.0
		for _, o := range e.Options {
			if o.Label == "" || math.IsNaN(o.Share) || o.Share < 0 || o.Share > 1+1e-9 {
				t.Fatalf("%+v", o)
			}
			sum += o.Share
		}
		if !e.Multiselect && math.Abs(sum-1) > 1e-9 {
			t.Fatal(sum)
		}
		q := Question{Text: e.Question, Type: Categorical}
		if e.Multiselect {
			q.Type = Multiselect
		}
		for _, o := range e.Options {
			q.Options = append(q.Options, o.Label)
		}
		a := ask(t, q, Policy{})
		answer(t, a, Respondent{ID: "m", Slot: 3, Evidence: []*Evidence{&e}, Profile: ParseProfile("age: 20\ngender: F")})
	})
}
