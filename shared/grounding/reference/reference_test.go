package reference

import (
	"bytes"
	"math"
	"strings"
	"testing"
)

// Every country reads, every figure has a source that can be cited, and every
// distribution is one: parts of a whole, each a number of people or a percent.
func TestEveryFigureIsWholeAndCited(t *testing.T) {
	if n := len(Codes()); n != 200 || n != bytes.Count(figures, []byte("\n")) {
		t.Fatalf("%d countries in %d lines", n, bytes.Count(figures, []byte("\n")))
	}
	cited := func(t *testing.T, id string) {
		s, ok := SourceOf(id)
		if !ok || s.Title == "" || s.Publisher == "" || len(s.Published) != 4 || s.Licence == "" || s.Read == "" || !strings.HasPrefix(s.URL, "https://") {
			t.Errorf("source %q cannot be cited: %+v", id, s)
		}
	}
	percent := func(t *testing.T, what string, parts ...float64) {
		for _, p := range parts {
			if p < 0 || p > 100 || math.IsNaN(p) {
				t.Errorf("%s: %v", what, parts)
			}
		}
	}
	for code, line := range lines() {
		t.Run(code, func(t *testing.T) {
			c, err := parse(line)
			if err != nil {
				t.Fatal(err)
			}
			if Names()[code] != c.Name || c.Code != code || c.Name == "" || c.People.Year != 2020 {
				t.Errorf("%+v", c)
			}
			cited(t, PeopleSource)
			women, men := c.Persons(0, Oldest)
			if women < 40_000 || men < 40_000 || women/men > 1.5 || men/women > 4 {
				t.Errorf("%v women and %v men", women, men)
			}
			if l := c.Labour; l != nil {
				cited(t, LabourSource)
				if len(l.Women) != 4 || len(l.Men) != 4 || l.Year != 2023 || l.UnemploymentFrom < 2015 {
					t.Errorf("labour %+v", l)
				}
				for _, b := range append(l.Women[:4:4], l.Men...) {
					percent(t, "labour", b[0], b[1], 100-b[0]-b[1])
				}
			}
			if c.Urban != nil {
				cited(t, UrbanSource)
				percent(t, "urban", c.Urban.Percent)
			}
			if e := c.Education; e != nil {
				cited(t, EducationSource)
				percent(t, "education", 100-e.UpperSecondaryOrMore, e.UpperSecondaryOrMore-e.BachelorOrMore, e.BachelorOrMore)
			}
			if h := c.Households; h != nil {
				cited(t, h.Source)
				percent(t, "households", h.Percent...)
				sum := 0.0
				for _, p := range h.Percent {
					sum += p
				}
				// One decimal each: six of them may miss by .3.
				if len(h.Percent) != 6 || math.Abs(sum-100) > .35 {
					t.Errorf("households %v sum to %v", h.Percent, sum)
				}
			}
			for what, group := range map[string]*Counted{"regions": c.Regions, "representation": c.Representation} {
				if group == nil {
					continue
				}
				id := group.Source
				if id == "" {
					id = RegionsSource
				}
				cited(t, id)
				seen := map[string]bool{}
				for _, p := range group.People {
					if p.Label == "" || p.Count <= 0 || seen[p.Label] {
						t.Errorf("%s: %+v", what, p)
					}
					seen[p.Label] = true
				}
			}
		})
	}
}

// Spot checks against the published tables: Germany had 83.8 million people in
// mid-2020, its regions 83.2 million at the end of that year.
func TestKnownTotals(t *testing.T) {
	de, ok := Of("DE")
	if !ok {
		t.Fatal("no Germany")
	}
	women, men := de.Persons(0, Oldest)
	if total := women + men; math.Abs(total-83_783_945) > 20_000 {
		t.Errorf("Germany has %v people", total)
	}
	regions := 0.0
	for _, r := range de.Regions.People {
		regions += r.Count
	}
	if regions != 83_155_031 || len(de.Regions.People) != 16 {
		t.Errorf("%v people in %d regions", regions, len(de.Regions.People))
	}
	w, m := World().Persons(0, Oldest)
	if w+m < 7.7e9 || w+m > 7.9e9 {
		t.Errorf("the world has %v people", w+m)
	}
	if _, ok := Of("XX"); ok {
		t.Error("XX is no country")
	}
}
