package grounding

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// M-125: only what holds by the meaning of the words becomes a relation.
func TestRelationsThatHoldByDefinition(t *testing.T) {
	b := everybody()
	b.Age = &brief.AgeRange{Min: 12, Max: 40, Quote: "12 to 40"}
	c := composed(t, Input{Brief: b, Material: []Material{{Title: "m", Text: "Marital status,Share\nMarried,40\nSingle,60\n\nAge,Share\n12-14,10\n15-17,10\n18-40,80\n"}}})
	found := map[string]bool{}
	for _, r := range c.Relations {
		found[r.Segment+" "+r.Target] = true
		if r.Type != "excludes" || r.Kind != "definitional" || r.Justification == "" || len(r.TargetSegments) == 0 {
			t.Errorf("%+v", r)
		}
	}
	if !found["12-14 Marital status"] || !found["12-14 Employment"] || !found["12-14 Education"] {
		t.Errorf("%v", found)
	}
	if found["15-17 Marital status"] || found["18-40 Employment"] {
		t.Errorf("more than is certain: %v", found)
	}
	for _, d := range c.Distributions {
		if d.Name == AxisAge && len(d.SegmentRelations) != 3 {
			t.Errorf("%v", d.SegmentRelations)
		}
	}
	if got := relations(composed(t, Input{Brief: everybody()}).Distributions); len(got) != 0 {
		t.Errorf("grown people: %+v", got)
	}
}

func TestPlacesThatAreTownsSaySo(t *testing.T) {
	b := everybody()
	b.Places[0].Urban = "urban"
	if s := shares(composed(t, Input{Brief: b}), brief.AxisUrbanity); s != "sourced: Urban 100" {
		t.Error(s)
	}
}

// M-145: a topic is an axis that is looked for by name. It is no dimension of the
// population until a figure of it is found.
func TestTopicsAreLookedForByName(t *testing.T) {
	in := Input{Brief: everybody(), Topics: []string{"Shopping channel"}}
	c := composed(t, in)
	if n := len(c.Coverage.Dimensions); n != len(core) {
		t.Errorf("%d dimensions", n)
	}
	in.Web = []Material{{Title: "Study", URL: "https://example.org", Text: "Shoppers in Germany\n\nShopping channel,Share\nOnline,30\nShop,70\n"}}
	in.Earlier = &c
	c = composed(t, in)
	if s := shares(c, "Shopping channel"); s != "sourced: Online 30, Shop 70" {
		t.Error(s)
	}
}

// Pair tables of a data set name its bands, so a band across the edge of the
// brief's ages keeps its label; one outside goes.
func TestReviewedBandsKeepTheirLabels(t *testing.T) {
	b := everybody()
	b.Age = &brief.AgeRange{Min: 25, Max: 45, Quote: "25 to 45"}
	c := composed(t, Input{Brief: b, ReviewedSources: []Source{{Title: "panel.csv", Confidence: 1}}, Reviewed: []Distribution{{Name: AxisAge, Status: Sourced, Distribution: []Share{{Label: "18-34", Pct: 50}, {Label: "35-44", Pct: 30}, {Label: "65+", Pct: 20}}}}})
	if s := shares(c, AxisAge); !strings.HasPrefix(s, "sourced: 18-34 5") || !strings.Contains(s, "35-44") || strings.Contains(s, "65+") {
		t.Error(s)
	}
}

func TestAgeBands(t *testing.T) {
	for label, want := range map[string]string{"18-24": "18-24", "Age 18 to 24": "18-24", "aged 25 – 34 years": "25-34", "65+": "65+", "75 and over": "75+", "under 18": "0-17", "18-24 Jahre": "18-24", "35 à 44 ans": "35-44"} {
		b, ok := parseBand(label)
		if !ok || b.String() != want {
			t.Errorf("%q: %v %v", label, b, ok)
		}
	}
	for _, label := range []string{"", "24-18", "women", "1,000-2,000", "18-24-30", "10-200", "+"} {
		if b, ok := parseBand(label); ok {
			t.Errorf("%q read as %v", label, b)
		}
	}
	for _, c := range []struct {
		from, to int
		want     string
	}{{25, 45, "[25-34 35-45]"}, {18, 24, "[18-24]"}, {18, 100, "[18-24 25-34 35-44 45-54 55-64 65-74 75+]"}, {30, 30, "[30]"}, {13, 17, "[13-17]"}, {20, 34, "[20-24 25-29 30-34]"}} {
		if got := bandsOf(c.from, c.to); stringOf(got) != c.want {
			t.Errorf("%d to %d: %s, want %s", c.from, c.to, stringOf(got), c.want)
		}
	}
}

func stringOf(bands []band) string {
	s := "["
	for i, b := range bands {
		if i > 0 {
			s += " "
		}
		s += b.String()
	}
	return s + "]"
}

func TestSeveralRegionsAndTownsAreDividedAmongThemselves(t *testing.T) {
	region := func(name, code, kind string) brief.Place {
		return brief.Place{Name: name, Country: code, Region: name, Kind: kind, Quote: name}
	}
	for _, c := range []struct {
		name   string
		places []brief.Place
		want   string
	}{
		{"counted", []brief.Place{region("Lombardy", "IT", brief.KindRegion), region("Veneto", "IT", brief.KindRegion)}, "proxy: Lombardy 67.2, Veneto 32.8"},
		{"towns", []brief.Place{{Name: "Warsaw", Country: "PL", Kind: brief.KindCity}, {Name: "Kraków", Country: "PL", Kind: brief.KindCity}}, "assumed: Warsaw 50, Kraków 50"},
		{"a town and its country", []brief.Place{{Name: "London", Country: "GB", Region: "England", Kind: brief.KindCity}, country("United Kingdom", "GB")}, "sourced: London 100"},
		{"a region and another country", []brief.Place{region("Bavaria", "DE", brief.KindRegion), country("Austria", "AT")}, "proxy: Bavaria 59.3, Austria 40.7"},
		{"a town of a region's name", []brief.Place{{Name: "New York", Country: "US", Region: "New York State", Kind: brief.KindCity}, region("Texas", "US", brief.KindRegion)}, "assumed: New York 50, Texas 50"},
		{"a country without figures", []brief.Place{country("Jersey", "JE")}, "sourced: Jersey 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := composed(t, Input{Brief: brief.Brief{Text: c.name, Population: "People", Places: c.places}})
			if s := shares(got, AxisGeography); s != c.want {
				t.Errorf("%s", s)
			}
			if got.HardConstraints == nil || len(got.HardConstraints.Countries) == 0 {
				t.Errorf("%+v", got.HardConstraints)
			}
			if c.name == "counted" && shares(got, AxisAge)[:5] != "proxy" {
				t.Error("a country's ages are not its regions'")
			}
		})
	}
}

func TestAgesThatAStateOfLifeSpeaksOfAreAssumed(t *testing.T) {
	for label, want := range map[string]string{"Students": "assumed: 18-19", "Retired": "assumed: 60-64", "High school students": "assumed: 14-18"} {
		b := everybody()
		b.Roles = []brief.Term{{Label: label, Axis: AxisEmployment, Quote: label}}
		c := composed(t, Input{Brief: b})
		if s := shares(c, AxisAge); len(s) < len(want) || s[:9] != want[:9] {
			t.Errorf("%s: %s, want %s", label, s, want)
		}
		if s := shares(c, AxisEmployment); s != "sourced: "+label+" 100" {
			t.Error(s)
		}
	}
	b := everybody()
	b.Roles = []brief.Term{{Label: "Parents", Axis: brief.AxisParents, Quote: "parents"}}
	if s := shares(composed(t, Input{Brief: b}), AxisAge); s[:14] != "assumed: 20-24" {
		t.Error(s)
	}
}
