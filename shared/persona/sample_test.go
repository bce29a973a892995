package persona_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/persona"
)

func a(axis, dim, seg, canon string) persona.Assigned {
	return persona.Assigned{Axis: axis, Dimension: dim, Segment: seg, Canonical: canon}
}

// germanParents is a cohort as an allocation would give it.
func germanParents(n int) []persona.Spec {
	ages := []string{"25-34", "35-45"}
	genders := []persona.Assigned{a("Gender", "gender", "Women", "woman"), a("Gender", "gender", "Women", "woman"), a("Gender", "gender", "Women", "woman"), a("Gender", "gender", "Men", "man"), a("Gender", "gender", "Men", "man")}
	regions := []string{"Nordrhein-Westfalen", "Bayern", "Baden-Württemberg", "Niedersachsen", "Hessen", "Sachsen", "Berlin"}
	edu := []string{"Vocational training", "University degree", "Vocational training", "Lower secondary"}
	emp := []string{"Employed full-time", "Employed part-time", "Employed full-time", "Self-employed", "Employed full-time", "Employed part-time"}
	inc := []string{"€2,000–2,999 a month", "€3,000–3,999 a month", "€4,000 or more a month", "Under €2,000 a month"}
	size := []string{"3", "4", "2", "5+"}
	var out []persona.Spec
	for i := range n {
		out = append(out, persona.Spec{Seed: "demo", Index: i, Country: "DE", Locale: "de-DE", Population: "working parents in Germany", Roles: []string{"working parents"},
			Cell: []persona.Assigned{a("Age", "age", ages[i%2], ""), genders[i%5], a("Geography", "geography", regions[(i*3)%7], ""), a("Education", "education", edu[(i/2)%4], ""),
				a("Employment", "employment", emp[i%6], ""), a("Household income", "income", inc[(i/3)%4], ""), a("Household size", "household_size", size[(i/5)%4], ""), a("Online grocery shopping", "behavior", "At least monthly", "")}})
	}
	return out
}

func TestPrint(t *testing.T) {
	if os.Getenv("PRINT") == "" {
		t.Skip()
	}
	for i, p := range persona.Write(germanParents(60)) {
		fmt.Printf("%2d %s | %s | %s | %v\n", i, p.Name, p.Description, p.Register, p.Conflicts)
		if i < 8 {
			fmt.Println(p.Context(), p.Assumed)
		} else {
			fmt.Println("   ", p.Prose)
			for _, f := range p.Fields {
				if len(f.Key) > 7 && f.Key[:7] == "Assumed" {
					fmt.Print("    ", f.Key, ": ", f.Value, ";")
				}
			}
			fmt.Println()
		}
	}
}
