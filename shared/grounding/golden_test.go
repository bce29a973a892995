package grounding

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

var update = flag.Bool("update", false, "write the golden files anew")

func country(name, code string) brief.Place {
	return brief.Place{Name: name, Country: code, Kind: brief.KindCountry, Quote: name}
}

// briefs are ten populations of different fields and countries, as the reader of
// briefs gives them.
var briefs = map[string]brief.Brief{
	"german-working-parents": {
		Text: "Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly", Language: "en", Population: "Working parents in Germany",
		Age: &brief.AgeRange{Min: 25, Max: 45, Quote: "aged 25 to 45"}, Places: []brief.Place{country("Germany", "DE")},
		Roles:   []brief.Term{{Label: "Parents", Canonical: "parents", Axis: brief.AxisParents, Quote: "parents"}},
		Figures: []brief.Figure{{Axis: AxisGender, Label: "Woman", Pct: 60, Quote: "60 % women"}},
		Traits: []brief.Trait{
			{Axis: AxisEmployment, Label: "Working", Category: Demographic, Required: true, Quote: "Working"},
			{Axis: brief.AxisBehaviour, Label: "buy groceries online at least monthly", Category: Behavioral, Required: true, Quote: "buy groceries online at least monthly"},
		},
	},
	"uk-nurses": {
		Text: "Registered nurses in the UK", Language: "en", Population: "Registered nurses in the UK", Places: []brief.Place{country("United Kingdom", "GB")},
		Roles:    []brief.Term{{Label: "Nurses", Canonical: "nurses", Axis: brief.AxisOccupation, Quote: "Registered nurses"}},
		Outcomes: []brief.Term{{Label: "Whether they would use a documentation tool", Quote: "would use a documentation tool"}},
	},
	"us-finance-chiefs": {
		Text: "CFOs of manufacturers with 100 to 499 employees in the US, by revenue", Language: "en", Population: "CFOs of manufacturers", Places: []brief.Place{country("United States", "US")},
		Roles: []brief.Term{{Label: "CFOs", Axis: brief.AxisOccupation, Quote: "CFOs"}},
		Firm:  &brief.Firm{Industries: []brief.Term{{Label: "Manufacturing", Axis: brief.AxisIndustry, Quote: "manufacturers"}}, Sizes: []brief.Term{{Label: "100-499", Axis: brief.AxisCompanySize, Quote: "100 to 499 employees"}}},
		Axes:  []brief.Term{{Label: "Revenue", Axis: brief.AxisRevenue, Quote: "by revenue"}},
	},
	"paris-students": {
		Text: "Étudiants à Paris de 18 à 24 ans, 55 % de femmes", Language: "fr", Population: "Étudiants à Paris", Age: &brief.AgeRange{Min: 18, Max: 24, Quote: "de 18 à 24 ans"},
		Places:  []brief.Place{{Name: "Paris", Country: "FR", Region: "Île-de-France", Kind: brief.KindCity, Quote: "Paris"}},
		Roles:   []brief.Term{{Label: "Students", Axis: brief.AxisOccupation, Quote: "Étudiants"}},
		Figures: []brief.Figure{{Axis: AxisGender, Label: "Woman", Pct: 55, Quote: "55 % de femmes"}},
	},
	"japanese-elders": {
		Text: "65歳以上の日本の女性", Language: "ja", Population: "65歳以上の日本の女性", Age: &brief.AgeRange{Min: 65, Quote: "65歳以上"}, Genders: []string{"woman"}, GenderQuotes: []string{"女性"},
		Places: []brief.Place{country("Japan", "JP")},
	},
	"polish-adults": {
		Text: "Dorośli Polacy", Language: "pl", Population: "Dorośli Polacy", Places: []brief.Place{country("Poland", "PL")},
		Axes: []brief.Term{{Label: "Urbanity", Axis: brief.AxisUrbanity, Quote: "miasto i wieś"}},
	},
	"alpine-skiers": {
		Text: "Skiers from Austria, Switzerland and Germany, 30 % from Austria, 20 to 60", Language: "en", Population: "Skiers", Age: &brief.AgeRange{Min: 20, Max: 60, Quote: "20 to 60"},
		Places:  []brief.Place{country("Austria", "AT"), country("Switzerland", "CH"), country("Germany", "DE")},
		Traits:  []brief.Trait{{Axis: brief.AxisBehaviour, Label: "ski", Category: Behavioral, Required: true, Quote: "Skiers"}},
		Figures: []brief.Figure{{Axis: AxisGeography, Label: "Austria", Pct: 30, Quote: "30 % from Austria"}},
	},
	"brazilian-voters": {
		Text: "Eleitores brasileiros, 40 % de 16 a 34 anos, 25 % com 60 ou mais", Language: "pt", Population: "Eleitores brasileiros", Age: &brief.AgeRange{Min: 16, Quote: "16"},
		Places:   []brief.Place{country("Brazil", "BR")},
		Figures:  []brief.Figure{{Axis: AxisAge, Label: "16-34", Pct: 40, Quote: "40 % de 16 a 34 anos"}, {Axis: AxisAge, Label: "60+", Pct: 25, Quote: "25 % com 60 ou mais"}},
		Outcomes: []brief.Term{{Label: "Vote intention", Axis: brief.AxisVoteChoice, Quote: "intenção de voto"}},
	},
	"indian-patients": {
		Text: "Adults with type 2 diabetes in India, some on insulin", Language: "en", Population: "Adults with type 2 diabetes in India", Places: []brief.Place{country("India", "IN")},
		Traits: []brief.Trait{
			{Axis: brief.AxisCondition, Label: "type 2 diabetes", Category: Demographic, Required: true, Quote: "with type 2 diabetes"},
			{Axis: brief.AxisTreatment, Label: "insulin", Category: Demographic, Quote: "some on insulin"},
		},
	},
	"contradiction": {
		Text: "60 % women and 60 % men, anywhere", Language: "en", Population: "People",
		Figures: []brief.Figure{{Axis: AxisGender, Label: "Woman", Pct: 60, Quote: "60 % women"}, {Axis: AxisGender, Label: "Man", Pct: 60, Quote: "60 % men"}},
	},
}

// written puts a composition into the lines that a researcher would read.
func written(c Composed) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nconfidence %v, at least %d members, locale %q, place %+v\n", c.Summary, c.Confidence, c.SuggestedMin, c.Locale, c.Place)
	hard, _ := json.Marshal(c.HardConstraints)
	fmt.Fprintf(&b, "eligible: %s\n", hard)
	for _, d := range c.Distributions {
		fmt.Fprintf(&b, "\n%s: %s, %s, %s\n", d.Name, d.Status, d.Tier, d.Category)
		for _, s := range d.Distribution {
			source := "assumed"
			if s.SourceIdx >= 0 {
				source = c.Sources[s.SourceIdx].Title
			}
			fmt.Fprintf(&b, "  %5.1f  %s  [%s]\n", s.Pct, s.Label, source)
		}
		fmt.Fprintf(&b, "  %s\n", d.Reason)
	}
	for _, d := range c.Coverage.Dimensions {
		if d.Status == Missing {
			fmt.Fprintf(&b, "\n%s: missing. %s\n", d.Name, d.Reason)
		}
	}
	for _, f := range c.Flagged {
		fmt.Fprintf(&b, "\nflagged: %+v\n", f)
	}
	for _, r := range c.Relations {
		fmt.Fprintf(&b, "\nrelation: %+v\n", r)
	}
	return b.String()
}

func TestGoldenBriefs(t *testing.T) {
	for name, b := range briefs {
		t.Run(name, func(t *testing.T) {
			got := written(composed(t, Input{Brief: b}))
			file := filepath.Join("testdata", "golden", name+".txt")
			if *update {
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// M-42, M-46, M-53: what the brief of the working parents must come to, whatever
// reads it.
func TestWorkingParentsOfGermany(t *testing.T) {
	for reader, b := range map[string]brief.Brief{
		"by hand":       briefs["german-working-parents"],
		"by the reader": brief.Read(briefs["german-working-parents"].Text),
	} {
		t.Run(reader, func(t *testing.T) {
			c := composed(t, Input{Brief: b})
			for axis, want := range map[string]string{
				AxisGender:        "sourced: Woman 60, Man 40",
				AxisAge:           "proxy: 25-34 47.1, 35-45 52.9",
				AxisEmployment:    "sourced: Employed 100",
				brief.AxisParents: "sourced: Parents 100",
				AxisIncome:        "assumed: Lowest fifth 20, Second fifth 20, Middle fifth 20, Fourth fifth 20, Highest fifth 20",
			} {
				if got := shares(c, axis); got != want {
					t.Errorf("%s: got %q, want %q", axis, got, want)
				}
			}
			h := c.HardConstraints
			if h == nil || *h.MinAge != 25 || *h.MaxAge != 45 || fmt.Sprint(h.Countries) != "[DE]" || len(h.Categorical) != 3 {
				t.Errorf("eligible: %+v", h)
			}
			if got := fmt.Sprint(c.Coverage.Sourced, c.Coverage.Proxy, c.Coverage.Assumed, c.Coverage.Missing); got != "4 4 1 1" {
				t.Errorf("coverage %s", got)
			}
			if c.Locale != "de-DE" || c.Place.Country != "DE" {
				t.Errorf("%s, %+v", c.Locale, c.Place)
			}
			gender := c.Findings[1]
			if gender.Distribution != AxisGender || gender.Quote != "60 % women" || c.Sources[gender.SourceIdx].Domain != "brief" {
				t.Errorf("%+v", gender)
			}
			again := composed(t, Input{Brief: b})
			first, _ := json.Marshal(c)
			second, _ := json.Marshal(again)
			if string(first) != string(second) {
				t.Error("two compositions differ")
			}
		})
	}
}

// M-53: exclusions drop quotas of exact names; the age range stays as eligibility
// and a gender that the brief states stays whole. What measures the outcome is
// flagged and not allocated.
func TestExclusionsAndOutcomes(t *testing.T) {
	b := briefs["german-working-parents"]
	b.Outcomes = []brief.Term{{Label: "Purchase intention", Quote: "purchase intention for the new app"}}
	material := []Material{{Title: "pilot.csv", Text: "Purchase intention,Share\nLikely,40\nUnlikely,60\n"}}
	c := composed(t, Input{Brief: b, Material: material, Exclude: []string{AxisAge, AxisGender, "age"}})
	if shares(c, AxisAge) != "" || c.HardConstraints == nil || *c.HardConstraints.MinAge != 25 {
		t.Errorf("age %q, %+v", shares(c, AxisAge), c.HardConstraints)
	}
	if shares(c, AxisGender) == "" {
		t.Error("a stated gender was dropped")
	}
	if shares(c, "Purchase intention") != "" || len(c.Flagged) != 1 || c.Flagged[0].Name != "Purchase intention" || c.Flagged[0].Reason != "study_outcome" {
		t.Errorf("flagged %+v", c.Flagged)
	}
	kept := false
	for _, d := range c.Review {
		kept = kept || d.Name == "Purchase intention"
	}
	if !kept {
		t.Error("the outcome is not kept as context")
	}
}

// M-57: the stronger status wins, then the surer source, then the newer; the
// others stay in the review.
func TestTheStrongerSourceWins(t *testing.T) {
	b := everybody()
	older := Material{Title: "2019", Text: "52 % of buyers are women.", PublishedDate: "2019"}
	newer := Material{Title: "2024", Text: "55 % of buyers are women.", PublishedDate: "2024"}
	c := composed(t, Input{Brief: b, Material: []Material{older, newer}})
	if s := shares(c, AxisGender); s != "sourced: Woman 55, Man 45" {
		t.Error(s)
	}
	review := 0
	for _, d := range c.Review {
		if d.Name == AxisGender {
			review++
		}
	}
	if review != 3 {
		t.Errorf("%d of gender in the review", review)
	}
	reviewed := []Distribution{{Name: "Sex", Status: Sourced, Distribution: []Share{{Label: "F", Pct: 70, SourceIdx: 0}, {Label: "M", Pct: 30, SourceIdx: 0}}}}
	c = composed(t, Input{Brief: b, Material: []Material{newer}, Reviewed: reviewed, ReviewedSources: []Source{{Title: "panel.csv", Domain: "upload", Confidence: 1}}})
	if s := shares(c, "Sex"); s != "sourced: F 70, M 30" || c.Sources[0].Title != "panel.csv" {
		t.Errorf("%q of %+v", s, c.Sources[0])
	}
	b.Figures = []brief.Figure{{Axis: AxisGender, Label: "Woman", Pct: 60, Quote: "60 % women"}}
	c = composed(t, Input{Brief: b, Reviewed: reviewed, ReviewedSources: []Source{{Title: "panel.csv", Domain: "upload", Confidence: 1}}, Pairs: []Pair{{A: "Sex", B: "Region"}}})
	if s := shares(c, "Sex"); s != "sourced: F 60, M 40" {
		t.Errorf("the brief's shares on the labels of the data: %q", s)
	}
}

// M-145: stronger evidence replaces weaker; every other chart keeps its bytes and
// every index its source.
func TestMergeReplacesOnlyWhatIsStronger(t *testing.T) {
	b := everybody()
	old := composed(t, Input{Brief: b})
	before, _ := json.Marshal(old.Distributions)
	merged := composed(t, Input{Brief: b, Earlier: &old, Material: []Material{{Title: "report", Text: "Household income,Share\nUnder 30k,35\n30k or more,65\n52 % of buyers are women.\n"}}})
	if s := shares(merged, AxisIncome); s != "sourced: Under 30k 35, 30k or more 65" {
		t.Error(s)
	}
	if merged.Coverage.Assumed != old.Coverage.Assumed-1 || merged.Coverage.Sourced != old.Coverage.Sourced+1 {
		t.Errorf("%+v from %+v", merged.Coverage, old.Coverage)
	}
	for i, d := range merged.Distributions {
		if d.Name == AxisIncome {
			continue
		}
		a, _ := json.Marshal(d)
		z, _ := json.Marshal(old.Distributions[i])
		if string(a) != string(z) {
			t.Errorf("%s changed", d.Name)
		}
	}
	after, _ := json.Marshal(old.Distributions)
	if string(before) != string(after) {
		t.Error("Merge changed its input")
	}
}

func BenchmarkCompose(b *testing.B) {
	in := Input{Brief: briefs["german-working-parents"]}
	for b.Loop() {
		if _, err := Compose(in); err != nil {
			b.Fatal(err)
		}
	}
}
