package grounding_test

import (
	"testing"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

// Who is chosen by an occupation has the schooling and the years that it asks for.
func TestAnOccupationOfAllBringsItsSchoolingAndYears(t *testing.T) {
	for text, want := range map[string]struct {
		youngest int
		labels   []string
	}{
		"Doctors in Switzerland":       {26, []string{grounding.EducationHigh}},
		"Dentists in Spain":            {25, []string{grounding.EducationHigh}},
		"Nurses in France":             {21, []string{grounding.EducationMiddle, grounding.EducationHigh}},
		"Lawyers in Poland":            {25, []string{grounding.EducationHigh}},
		"Adults in Germany":            {18, []string{grounding.EducationLow, grounding.EducationMiddle, grounding.EducationHigh}},
		"Care assistants in Austria":   {18, []string{grounding.EducationLow, grounding.EducationMiddle, grounding.EducationHigh}},
		"Teachers in Portugal":         {23, []string{grounding.EducationHigh}},
		"Lehrer in Deutschland":        {23, []string{grounding.EducationHigh}},
		"Software developers in India": {20, []string{grounding.EducationMiddle, grounding.EducationHigh}},
	} {
		out, err := grounding.Compose(grounding.Input{Brief: brief.Read(text)})
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		total := 0.0
		for _, d := range out.Distributions {
			switch d.Dimension {
			case grounding.DimEducation:
				for _, s := range d.Distribution {
					labels = append(labels, s.Label)
					total += s.Pct
				}
			case grounding.DimAge:
				if lo := d.Distribution[0].Label; len(lo) < 2 || atoi(lo[:2]) != want.youngest {
					t.Errorf("%s: youngest %s, want %d", text, lo, want.youngest)
				}
			}
		}
		if len(labels) > 0 && (len(labels) != len(want.labels) || labels[0] != want.labels[0] || total < 99.9 || total > 100.1) {
			t.Errorf("%s: schooling %q (%.1f), want %q", text, labels, total, want.labels)
		}
	}
}

func atoi(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }
