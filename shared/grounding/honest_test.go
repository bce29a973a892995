package grounding_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/brief"
	"github.com/mindgate-dev/mindgate/shared/grounding"
)

func composed(t *testing.T, text string, material ...grounding.Material) grounding.Composed {
	t.Helper()
	c, err := grounding.Compose(grounding.Input{Brief: brief.Read(text), Material: material})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A rate of a wide band says nothing of the very old or the very young (M-46).
func TestLabourRatesAreOfTheirBands_M46(t *testing.T) {
	for _, text := range []string{"People over 80 in Japan", "Teenagers aged 13 to 17 in the UK"} {
		for _, d := range composed(t, text).Distributions {
			if d.Dimension == grounding.DimEmployment {
				t.Errorf("%s: %s %+v", text, d.Status, d.Distribution)
			}
		}
	}
	for _, d := range composed(t, "People aged 30 to 50 in Japan").Distributions {
		if d.Dimension == grounding.DimEmployment && d.Status != grounding.Proxy {
			t.Errorf("part of a band: %s", d.Status)
		}
	}
}

// Every source that a figure rests on is cited.
func TestAgesOfPeopleInWorkCiteBothSources(t *testing.T) {
	c := composed(t, "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly")
	titles := ""
	for _, s := range c.Sources {
		titles += s.Title + "\n"
	}
	if !strings.Contains(titles, "ILO") || !strings.Contains(titles, "World Population Prospects") {
		t.Errorf("%s", titles)
	}
}

// What a text reports as a claim or calls false is no figure of it.
func TestClaimsAreNoFigures(t *testing.T) {
	c := composed(t, "Shoppers in Ireland", grounding.Material{Title: "note.txt", UserProvided: true,
		Text: "Our competitor claims that 90% of Irish shoppers are men; this is false."})
	for _, d := range c.Distributions {
		for _, s := range d.Distribution {
			if s.Pct > 89 && s.Pct < 91 {
				t.Errorf("%s: %+v", d.Name, s)
			}
		}
	}
}
