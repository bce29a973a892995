package brief

import (
	"fmt"
	"strings"
	"testing"
)

// spoken is what a brief says of who may take part, on one line.
func spoken(b Brief) string {
	var out []string
	if b.Age != nil {
		out = append(out, fmt.Sprintf("%d-%d", b.Age.Min, b.Age.Max))
	}
	out = append(out, b.Genders...)
	for _, p := range b.Places {
		out = append(out, p.Name)
	}
	for _, x := range b.Excluded {
		out = append(out, "no "+x.Axis+":"+x.Label)
	}
	return strings.Join(out, "; ")
}

// Who is left out never becomes who is meant (M-42): ages, genders, places and
// people in all the languages that the reader knows.
func TestNegationIsNeverInverted(t *testing.T) {
	for text, want := range map[string]string{
		"Not women. Nobody under 40. Dog owners in Canada":            "40-0; man; Canada; no Gender:Woman",
		"Anyone but students in Poland":                               "Poland; no Employment:Students",
		"Men over 40 in Spain except those from Madrid":               "40-0; man; Spain; no Geography:Madrid",
		"Adults in Spain except Madrid, Barcelona and Seville":        "18-0; Spain; no Geography:Madrid; no Geography:Barcelona; no Geography:Seville",
		"Adults in Ireland, no one over 65":                           "18-65; Ireland",
		"Adults in Ireland, nobody aged 65 or older":                  "18-64; Ireland",
		"Adults in Ireland, but not men":                              "18-0; woman; Ireland; no Gender:Man",
		"Women in Greece, no women over 60":                           "woman; Greece; no Behaviour:women over 60",
		"Parents in Belgium, but not mothers":                         "Belgium; no Parental status:Mothers",
		"Europeans except the UK":                                     "Europe; no Geography:United Kingdom",
		"Drivers in Ireland, not from Dublin":                         "Ireland; no Geography:Dublin",
		"Bring me people who don't own a car in Oslo":                 "Oslo; no Car ownership:Car owners",
		"Adults in Oslo who are not vegetarian":                       "18-0; Oslo; no Diet:Vegetarian",
		"Nurses who are not full-time in Wales":                       "Wales; no Employment:Full-time",
		"Adults in Wales who have never been married":                 "18-0; Wales; no Marital status:Married",
		"It is not important whether they are women. Adults in Malta": "18-0; Malta",
		"Not just women in Kenya":                                     "Kenya",
		"Nurses in Germany, no smokers":                               "Germany; no Smoking:Smokers",
		"Adults in Kenya. Exclusions: smokers, under 25s":             "25-0; Kenya; no Smoking:Smokers",
		"Erwachsene in Österreich, keine Raucher, niemand über 65":    "18-65; Austria; no Smoking:Smokers",
		"Erwachsene in Deutschland außer Bayern":                      "18-0; Germany; no Geography:Bavaria",
		"Alle außer Studenten in Deutschland":                         "Germany; no Employment:Students",
		"Adultes en France, personne de moins de 30 ans":              "30-0; France",
		"Adultes en France sauf les étudiants":                        "18-0; France; no Employment:Students",
		"Adultos en México excepto los de Jalisco":                    "18-0; Mexico; no Geography:Jalisco",
		"Adultos de Chile, nadie menor de 30 años":                    "30-0; Chile",
		"Tutti tranne gli studenti in Italia":                         "Italy; no Employment:Students",
		"Adultos no Brasil, exceto fumantes":                          "18-0; Brazil; no Smoking:Smokers",
		"Iedereen behalve studenten in Nederland":                     "Netherlands; no Employment:Students",
		"Wszyscy oprócz studentów w Polsce":                           "Poland; no Employment:Students",
		"Alla utom studenter i Sverige":                               "Sweden; no Employment:Students",
		"学生を除く日本の成人":                                                  "18-0; Japan; no Employment:Students",
	} {
		if got := spoken(Read(text)); got != want {
			t.Errorf("%q is read as %q, want %q", text, got, want)
		}
	}
}

// The same class in other words, written before the rules were tried on them.
func TestNegationHeldOut(t *testing.T) {
	right := 0
	cases := map[string]string{
		"Everyone in Norway except pensioners":                         "Norway; no Employment:Retired",
		"Renters in Portugal, none over 50":                            "0-50; Portugal",
		"Commuters in France, excluding Paris and Lyon":                "France; no Geography:Paris; no Geography:Lyon",
		"Personen in der Schweiz, nicht aus Zürich":                    "Switzerland; no Geography:Zurich",
		"Consommateurs en Belgique, aucun fumeur":                      "Belgium; no Smoking:Smokers",
		"Consumidores en Perú salvo estudiantes":                       "Peru; no Employment:Students",
		"Consumatori in Italia, nessuno sopra i 70 anni":               "0-70; Italy",
		"Consumenten in België, niemand onder de 21 jaar":              "21-0; Belgium",
		"Konsumenter i Sverige utom Stockholm":                         "Sweden; no Geography:Stockholm",
		"Managers in Singapore; not men":                               "woman; Singapore; no Gender:Man",
		"Shoppers in Texas, leave out anyone under 21":                 "21-0; Texas",
		"Konsumenci w Polsce z wyjątkiem palaczy, nikt poniżej 30 lat": "30-0; Poland; no Smoking:Smokers",
	}
	for text, want := range cases {
		if got := spoken(Read(text)); got == want {
			right++
		} else {
			t.Logf("%q is read as %q, want %q", text, got, want)
		}
	}
	t.Logf("%d of %d", right, len(cases))
	if right < 9 {
		t.Errorf("%d of %d right", right, len(cases))
	}
}
