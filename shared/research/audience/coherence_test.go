package audience_test

import (
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
			for _, why := range persona.Barred(s.Cell) {
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
