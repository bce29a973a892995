package persona_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
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

// abroad are people of twelve countries, other scripts among them.
func abroad() []persona.Spec {
	cell := func(age, gender, canon, place, edu, emp string) []persona.Assigned {
		return []persona.Assigned{a("Age", "age", age, ""), a("Gender", "gender", gender, canon), a("Geography", "geography", place, ""), a("Education", "education", edu, ""), a("Employment", "employment", emp, "")}
	}
	list := []persona.Spec{
		{Country: "US", Locale: "en-US", Cell: append(cell("35-44", "Man", "man", "Midwest", "Some college", "Employed full-time"), a("Household income", "income", "$50,000-$74,999", ""), a("Representation", "representation", "Hispanic or Latino", ""))},
		{Country: "GB", Locale: "en-GB", Cell: append(cell("65+", "Woman", "woman", "Scotland", "Upper secondary", "Retired"), a("Household size", "household_size", "1 person", ""))},
		{Country: "FR", Locale: "fr-FR", Roles: []string{"infirmières"}, Cell: cell("25-34", "Femme", "woman", "Bretagne", "Licence", "En emploi")},
		{Country: "ES", Locale: "es-ES", Cell: append(cell("18-24", "Hombre", "man", "Andalucía", "Bachillerato", "Estudiante"), a("Hogar", "household_size", "4", ""))},
		{Country: "IT", Locale: "it-IT", Cell: append(cell("45-54", "Donna", "woman", "Lombardia", "Laurea", "Tempo pieno"), a("Reddito", "income", "2.000–2.999 € al mese", ""))},
		{Country: "BR", Locale: "pt-BR", Cell: cell("35-44", "Mulher", "woman", "Nordeste", "Ensino médio", "Trabalhador por conta própria")},
		{Country: "NL", Locale: "nl-NL", Roles: []string{"leraren"}, Cell: cell("55-64", "Man", "man", "Utrecht", "HBO bachelor", "Deeltijd")},
		{Country: "PL", Locale: "pl-PL", Roles: []string{"parents"}, Cell: append(cell("25-34", "Kobieta", "woman", "Mazowieckie", "Wyższe", "Pełny etat"), a("Household size", "household_size", "3", ""))},
		{Country: "SE", Locale: "sv-SE", Cell: cell("45-54", "Icke-binär", "non-binary", "Skåne", "Gymnasieutbildning", "Heltid")},
		{Country: "JP", Locale: "en", Cell: cell("65+", "Woman", "woman", "Kansai", "Upper secondary", "Retired")},
		{Country: "GR", Locale: "en", Roles: []string{"CFOs"}, Cell: cell("45-54", "Woman", "woman", "Attica", "Master's degree", "Full-time")},
		{Country: "EG", Locale: "en", Cell: cell("25-34", "Man", "man", "Cairo", "University degree", "Unemployed")},
		{Country: "KR", Locale: "ko-KR", Cell: cell("18-24", "여성", "woman", "서울", "University degree", "Employed part-time")},
		{Country: "UA", Locale: "de", Roles: []string{"dairy farmers"}, Cell: cell("35-44", "Divers", "non-binary", "Lwiw", "Berufsausbildung", "Vollzeit")},
		{Country: "DE", Locale: "de", Roles: []string{"Pflegekräfte"}, Cell: cell("35-44", "Divers", "non-binary", "Hessen", "Berufsausbildung", "Vollzeit")},
		{Country: "IN", Locale: "en-IN", Cell: append(cell("25-34", "Woman", "woman", "Karnataka", "Bachelor's degree", "Employed full-time"), a("Industry", "industry", "IT / software", ""), a("Household income", "income", "₹5–10 lakh a year", ""))},
	}
	for i := range list {
		list[i].Seed, list[i].Index = "abroad", i
	}
	return list
}

var update = flag.Bool("update", false, "write the golden files anew")

func shown(people []persona.Person) string {
	var b strings.Builder
	for _, p := range people {
		fmt.Fprintf(&b, "== %s\n%s\n[%s] [%s] assumed: %s\n%s\n\n", p.Name, p.Description, p.Discipline, p.Register, strings.Join(p.Assumed, ", "), p.Context())
	}
	return b.String()
}

// Read them: people of sixteen countries, a cohort of German parents, and what
// is said of each standing in nine languages.
func TestGolden(t *testing.T) {
	for name, people := range map[string][]persona.Person{"abroad": persona.Write(abroad()), "parents-de": persona.Write(germanParents(24)), "languages": persona.Write(standings())} {
		path := "testdata/" + name + ".golden"
		got := shown(people)
		if *update {
			if err := os.WriteFile(path, []byte(got), 0o644); err != nil { //nolint:gosec // a test file
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from its golden file: read the change, then run with -update", name)
		}
	}
}

func standings() []persona.Spec {
	countries := map[string]string{"en": "GB", "de": "DE", "fr": "FR", "es": "MX", "it": "IT", "pt": "BR", "nl": "BE", "pl": "PL", "sv": "SE"}
	var out []persona.Spec
	for _, l := range []string{"en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv"} {
		for i, emp := range []string{"Employed full-time", "Self-employed", "Unemployed", "Retired", "Student", "Homemaker", "Unable to work", "Not in paid work"} {
			age := "30-49"
			switch emp {
			case "Retired":
				age = "65+"
			case "Student":
				age = "18-24"
			}
			g := []string{"woman", "man", "non-binary"}[i%3]
			s := persona.Spec{Seed: l, Index: i, Country: countries[l], Locale: l, Required: []string{[]string{"parent", "no children"}[i%2]},
				Cell: []persona.Assigned{a("Age", "age", age, ""), a("Gender", "gender", g, g), a("Employment", "employment", emp, ""), a("Household size", "household_size", []string{"3", "1", "5", "2"}[i%4], "")}}
			if i < 2 {
				s.Roles = []string{[]string{"nurses", "electricians"}[i]}
			}
			out = append(out, s)
		}
	}
	return out
}
