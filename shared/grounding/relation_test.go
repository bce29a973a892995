package grounding

import (
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

// M-145: a topic is an axis that is looked for by name, and missing until found.
func TestTopicsAreLookedForByName(t *testing.T) {
	in := Input{Brief: everybody(), Topics: []string{"Shopping channel"}}
	c := composed(t, in)
	last := c.Coverage.Dimensions[len(c.Coverage.Dimensions)-1]
	if last.Key != "shopping_channel" || last.Status != Missing {
		t.Errorf("%+v", last)
	}
	in.Web = []Material{{Title: "Study", URL: "https://example.org", Text: "Shoppers in Germany\n\nShopping channel,Share\nOnline,30\nShop,70\n"}}
	in.Earlier = &c
	c = composed(t, in)
	if s := shares(c, "Shopping channel"); s != "sourced: Online 30, Shop 70" {
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
