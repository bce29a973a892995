package audience_test

import (
	"fmt"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/allocate"
	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/persona"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// Nobody of a thousand is what nobody can be, and every quota is met all the same.
func TestMembersCohere(t *testing.T) {
	for _, text := range []string{
		"Adults in Germany", "Doctors in Switzerland", "Nurses in France", "Working parents in Germany aged 25 to 45, 60 % women",
		"Retired people in Italy", "Students in Poland", "People over 60 in Japan", "Adults aged 18 to 30 in Brazil",
		"CFOs in the United States", "Parents in Sweden", "Women aged 16 to 24 in the UK", "Teachers in Portugal", "Employed adults in India",
		"Adults in Canada, 40 % married, 60 % single", "Adults in Spain, 10 % retired, 70 % employed, 20 % unemployed",
	} {
		c, err := grounding.Compose(grounding.Input{Brief: brief.Read(text)})
		if err != nil {
			t.Fatal(err)
		}
		res, err := allocate.Allocate(allocate.Input{Axes: audience.AxesOf(c), Members: 1000, Config: allocate.Config{Seed: "coherence"}, Relations: audience.RelationsOf(c)})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		dims := map[string]string{}
		for _, d := range c.Distributions {
			dims[d.Name] = d.Dimension
		}
		g := audience.Ground{Composed: c, Context: audience.Context{Seed: "coherence", Population: text}}
		faults := map[string]int{}
		var specs []persona.Spec
		for i, cell := range res.Cells {
			s := audience.SpecOf(g, res.Axes, cell, i, dims)
			specs = append(specs, s)
			for _, why := range append(persona.Barred(s.Cell), read(s.Cell)...) {
				faults[why]++
			}
		}
		for _, p := range persona.Write(specs) {
			for _, why := range p.Conflicts {
				faults["written: "+why]++
			}
		}
		for why, n := range faults {
			t.Errorf("%s: %d members: %s", text, n, why)
		}
		for a, axis := range res.Axes { // each quota is its share of all, to the next whole member
			total := 0.0
			for _, s := range axis.Segments {
				total += s.Pct
			}
			for k, s := range axis.Segments {
				n := 0
				for _, cell := range res.Cells {
					if int(cell[a]) == k {
						n++
					}
				}
				if want := s.Pct / total * 1000; float64(n) < want-1 || float64(n) > want+1 {
					t.Errorf("%s: %s %s has %d members, its share is %.1f", text, axis.Name, s.Label, n, want)
				}
			}
		}
	}
}

// The preview of an allocation shows no cell that a creation bars, whoever names the
// axes; a rule that the shares leave no room for is a note of the audit in both.
func TestPreviewedCellsCohere_M120(t *testing.T) {
	w, ctx := library(t, web{}, nil)
	axis := func(name string, shares ...any) grounding.Distribution {
		out := grounding.Distribution{Name: name}
		for i := 0; i < len(shares); i += 2 {
			out.Distribution = append(out.Distribution, grounding.Share{Label: shares[i].(string), Pct: float64(shares[i+1].(int)), SourceIdx: -1})
		}
		return out
	}
	for name, axes := range map[string][]grounding.Distribution{
		"retired while young":        {axis("Age", "18-29", 40, "30-54", 30, "65+", 30), axis("Employment", "Employed full-time", 75, "Retired", 25)},
		"a doctor without schooling": {axis("Education", "Below upper secondary", 50, "Tertiary", 50), axis("Occupation", "Doctor", 30, "Cleaner", 70)},
		"married and alone":          {axis("Marital status", "Married", 50, "Single", 50), axis("Household size", "1 person", 40, "2 people", 60)},
		"in other words":             {axis("Alter", "18-29", 50, "70+", 50), axis("Beschäftigung", "Vollzeit", 50, "Im Ruhestand", 50)},
	} {
		out, err := w.Audiences.PreviewAllocation(ctx, audience.AllocationRequest{MemberCount: 100, SeedBasis: name, Distributions: axes})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		bad := 0
		for _, p := range out.Profiles {
			var cell []persona.Assigned
			for _, s := range p.Assignments {
				cell = append(cell, persona.Assigned{Axis: s.Distribution, Segment: s.Segment})
			}
			bad += len(persona.Barred(cell))
		}
		if bad > 0 || len(out.Audit.SegmentRelations) == 0 {
			t.Errorf("%s: %d members are what nobody is; %d rules in the audit", name, bad, len(out.Audit.SegmentRelations))
		}
	}
	impossible := []grounding.Distribution{axis("Age", "18-29", 60, "65+", 40), axis("Employment", "Employed full-time", 20, "Retired", 80)}
	out, err := w.Audiences.PreviewAllocation(ctx, audience.AllocationRequest{MemberCount: 100, SeedBasis: "a", Distributions: impossible})
	if err != nil || len(out.Audit.SegmentRelations) == 0 || out.Audit.SegmentRelations[0].Stated {
		t.Errorf("shares that leave a rule no room are noted, not refused: %v", err)
	}
}

// read finds what nobody is by the labels of the reference axes alone, without the
// rules under test.
func read(cell []persona.Assigned) (out []string) {
	low, high := 0, 130
	says := map[string]bool{}
	for _, a := range cell {
		says[a.Segment] = true
		if a.Dimension == "age" {
			if n, _ := fmt.Sscanf(a.Segment, "%d-%d", &low, &high); n == 1 {
				high = 130
			}
		}
	}
	works := says["Employed"] || says["Employed full-time"] || says["Employed part-time"] || says["Self-employed"]
	parent, alone := says["Parent"] || says["Parents"], says["1 person"] || says["Living alone"]
	for why, is := range map[string]bool{
		"young and retired": says["Retired"] && high < 55, "old and a student": says["Student"] && low > 44,
		"at work as a child": works && high < 15, "at work past 79": works && low > 79,
		"unemployed as a child": says["Unemployed"] && high < 15, "unemployed past 69": says["Unemployed"] && low > 69,
		"a degree before 21": says[grounding.EducationHigh] && high < 21, "upper secondary before 17": says[grounding.EducationMiddle] && high < 17,
		"alone before 18": alone && high < 18, "a parent before 18": parent && high < 18, "alone with children": alone && parent,
		"married before 18": says["Married"] && high < 18, "married and alone": says["Married"] && alone, "widowed before 30": says["Widowed"] && high < 30,
		"two standings": works && says["Retired"],
	} {
		if is {
			out = append(out, "by its labels: "+why)
		}
	}
	return out
}
