package grounding_test

import (
	"strings"
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

// A range that the brief states begins where its occupation and the years of work that
// it asks for let it, and a finding says so; otherwise it stands.
func TestAgesOfTheBriefAreNarrowedByWhatAllAre(t *testing.T) {
	for text, want := range map[string]struct {
		youngest int
		told     bool
	}{
		"Doctors in Germany aged 20 to 40":                                         {26, true},
		"Nurses in France aged 18 to 45":                                           {21, true},
		"Teachers in Portugal aged 30 to 50":                                       {30, false},
		"Adults in Germany aged 20 to 30":                                          {20, false},
		"Cashiers in Spain aged 18 to 30":                                          {18, false},
		"Software developers in Poland aged 20 to 50 with 10 years of experience":  {30, true},
		"Nurses in Spain aged 20 to 60 with at least 10 years' experience":         {31, true},
		"Nurses in Spain aged 20 to 60 with less than 10 years' experience":        {21, true},
		"Employees in Italy aged 20 to 60, 30 % of them with 10 years' experience": {20, false},
		"Doctors in Germany aged 18 to 20":                                         {18, false},
	} {
		out, err := grounding.Compose(grounding.Input{Brief: brief.Read(text)})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if h := out.HardConstraints; h == nil || h.MinAge == nil || *h.MinAge != want.youngest {
			t.Errorf("%s: %+v, want from %d", text, h, want.youngest)
		}
		told := false
		for _, f := range out.Findings {
			told = told || f.Distribution == grounding.AxisAge && strings.Contains(f.Summary, "are counted from")
		}
		if told != want.told {
			t.Errorf("%s: told %v", text, told)
		}
	}
}
