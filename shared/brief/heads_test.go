package brief

import (
	"strings"
	"testing"
)

// described is what makes a population special: its roles and what all of it is.
func described(b Brief) string {
	var out []string
	for _, t := range b.Roles {
		out = append(out, t.Axis+":"+t.Label)
	}
	for _, t := range b.Traits {
		if t.Required {
			out = append(out, t.Axis+":"+t.Label)
		}
	}
	return strings.Join(out, "; ")
}

// A population that no rule knows by name is never taken for everybody (M-42): its
// whole noun phrase stays its description and its name.
func TestUnknownPopulations(t *testing.T) {
	for text, want := range map[string]string{
		"Florists in Denmark, 70 % women":               "Occupation:Florists",
		"Bakers in Austria":                             "Occupation:Bakers",
		"Fleuristes au Danemark, 70 % de femmes":        "Occupation:Fleuristes",
		"Beekeepers in Slovenia":                        "Group:Beekeepers",
		"Imker in Kärnten":                              "Group:Imker",
		"Apicultores en Chile":                          "Group:Apicultores",
		"Falconers aged 30 to 60 in Ireland":            "Group:Falconers",
		"Bell ringers in England":                       "Group:Bell ringers",
		"Left-handed adults in Finland":                 "Group:Left-handed",
		"Linkshändige Erwachsene in Finnland":           "Group:Linkshändige",
		"Adultes gauchers en Finlande":                  "Group:Gauchers",
		"Deaf mothers in Austria":                       "Parental status:Parents; Group:Deaf",
		"Tattooed nurses in Spain":                      "Occupation:Nurses; Group:Tattooed nurses",
		"Adults in Finland with tattoos":                "Behaviour:with tattoos",
		"Adults in Ireland without broadband":           "Behaviour:without broadband",
		"We need 50 jugglers from Norway who perform":   "Behaviour:perform; Group:Jugglers",
		"Adults in Norway":                              "",
		"A representative sample of adults in Norway":   "",
		"60 ordinary people in Wales, 18 to 40":         "",
		"Erwachsene in Österreich, bitte repräsentativ": "",
	} {
		b := Read(text)
		if got := described(b); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
		for _, trait := range b.Traits {
			if trait.Axis == AxisGroup && !strings.Contains(b.Population, trait.Quote) {
				t.Errorf("%q: the population is %q", text, b.Population)
			}
		}
	}
}

// The same class in other words, written before the rules were tried on them.
func TestUnknownPopulationsHeldOut(t *testing.T) {
	right := 0
	cases := map[string]string{
		"Watchmakers in Switzerland":                         "Occupation:Watchmakers",
		"Chess grandmasters in Armenia, 80 % men":            "Group:Chess grandmasters",
		"Colour-blind drivers in Portugal":                   "Group:Colour-blind",
		"Metzger in Bayern über 40":                          "Occupation:Metzger",
		"Ornithologues amateurs au Canada":                   "Group:Ornithologues amateurs",
		"100 lighthouse keepers from Scotland aged 40+":      "Group:Lighthouse keepers",
		"Twins in Sweden aged 20 to 30":                      "Group:Twins",
		"Bombeiros voluntários em Portugal":                  "Group:Bombeiros voluntários",
		"Recently bereaved adults in Wales":                  "Group:Bereaved",
		"Amateur astronomers in New Zealand who own a house": "Group:Amateur astronomers; Ownership:own a house",
	}
	for text, want := range cases {
		if got := described(Read(text)); got == want {
			right++
		} else {
			t.Logf("%q is read as %q, want %q", text, got, want)
		}
	}
	t.Logf("%d of %d", right, len(cases))
	if right < 6 {
		t.Errorf("%d of %d right", right, len(cases))
	}
}
