package brief

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// M-143: who is left out is read as left out, in the words of every language, and
// never as who there is to be.
func TestLeavingOut_M143(t *testing.T) {
	of := Read("Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly")
	said := func(b *Brief) string {
		if b == nil {
			return "nobody"
		}
		var out []string
		if b.Age != nil {
			out = append(out, fmt.Sprintf("%d-%d", b.Age.Min, b.Age.Max))
		}
		out = append(out, b.Genders...)
		for _, p := range b.Places {
			out = append(out, p.Name)
		}
		for _, r := range b.Roles {
			out = append(out, r.Label)
		}
		for _, x := range append(b.Traits, b.Excluded...) {
			out = append(out, x.Label)
		}
		return strings.Join(out, " ")
	}
	for text, want := range map[string]string{
		"drop the women": "woman", "no men": "man", "without men please": "man", "everyone except women": "woman", "all but the men": "man",
		"keine Frauen": "woman", "entferne die Männer": "man", "wirf die Frauen raus": "woman", "sans les femmes": "woman", "enlève les hommes": "man",
		"sin mujeres": "woman", "quita a los hombres": "man", "senza uomini": "man", "geen mannen": "man", "bez mężczyzn": "man", "inga män": "man", "不要男性": "man", "男性を除外": "man",
		"remove everyone over 40": "41-0", "nobody older than 40": "41-0", "nobody 40 or older": "40-0", "remove people under 30": "0-29", "they should not be over 40": "41-0",
		"entferne alle über 40": "41-0", "niemand unter 30": "0-29", "enlève les plus de 40 ans": "41-0", "quita a los mayores de 40": "41-0", "no one aged 30 to 35": "30-35",
		"exclude Bavaria": "Bavaria", "nobody from Bavaria": "Bavaria", "exclude Berlin and Hamburg": "Berlin Hamburg", "exclude Munich": "Munich", "take out anyone who lives in Berlin": "Berlin",
		"ohne Bayern": "Bavaria", "schließe Bayern aus": "Bavaria", "exclure la Bavière": "Bavaria", "excluye Baviera": "Bavaria", "not from Munich": "Munich",
		"no students": "Students", "get rid of the retirees": "Retired", "everyone except pensioners": "Retired", "auf keinen Fall Studenten": "Students", "without smokers": "Smokers", "ohne Raucher": "Smokers",
		"no more smokers": "Smokers", "please take the pensioners out": "Retired", "strip out men": "man", "men out": "man", "let's lose the teachers": "Teachers", "keep everyone but the over-40s": "41-0",
		"bitte keine Leute über 40": "41-0", "lass die Rentner weg": "Retired", "retire les étudiants": "Students", "saca a los jubilados": "Retired", "que no haya estudiantes": "Students", "leave the vegans out": "Vegan",
		"can you drop everybody aged under 28": "0-27", "die Männer sollen raus": "man", "without Bavaria, without Hesse": "Bavaria Hesse", "kick out the students": "Students", "leave out teachers": "Teachers", "nadie de Baviera": "Bavaria", "plus aucun retraité": "Retired",
	} {
		in := ReadInstruction(text, of)
		if got := said(in.Without); got != want || in.Refused != "" || in.Reach != ReachComposition {
			t.Errorf("%q leaves out %q (%s, %s), want %q", text, got, in.Reach, in.Refused, want)
		}
		if b := in.Brief; len(b.Genders)+len(b.Places)+len(b.Roles)+len(b.Traits)+len(b.Figures) > 0 || b.Age != nil {
			t.Errorf("%q: what is left out stands as who there is: %+v", text, b)
		}
	}
}

// M-143: what cannot be done without guessing is refused, with what can be said.
func TestRefusedInstructions_M143(t *testing.T) {
	of := Read("Working parents in Germany aged 25 to 45, 60 % women")
	for text, want := range map[string]string{
		"remove 2 men": "a number of members", "remove two people": "a number of members", "nimm 2 Männer raus": "a number of members", "elimina 2 hombres": "a number of members", "enlève trois femmes": "a number of members",
		"make them older": "how much", "make them younger and richer": "how much", "less educated please": "how much", "fewer women": "how much", "more women": "how much",
		"more from Stockholm": "add 5 from", "mehr aus Berlin": "how much", "mache sie älter": "how much", "rends-les plus vieux": "how much", "menos hombres": "how much", "haz que sean mayores": "how much",
		"reduce the share of women": "how much", "halve the number of men": "how much", "make them more sceptical of brands": "how much", "meer vrouwen": "how much",
		"10 % more women": "by how much", "raise the share of women by 10 %": "by how much", "erhöhe den Frauenanteil um 10 %": "by how much",
		"remove women over 40": "several things at once", "only women, no men": "one instruction for each", "nurses but not doctors": "one instruction for each",
		"exclude Berlin, move them to Bavaria": "one instruction for each", "remove the men and make it 30 % from Berlin": "one instruction for each", "remove everyone except women": "all but some",
		"twice as many women": "how much", "not only women": "beside those who are there", "not only parents, also childless people": "beside those who are there", "slightly more men": "how much", "they should be wealthier": "how much",
		"swap 5 men for women": "in place of others", "replace Bavaria with Berlin": "in place of others", "remove the men and add 5 women": "one instruction for each",
	} {
		in := ReadInstruction(text, of)
		if !strings.Contains(in.Refused, want) || in.Without != nil || len(in.Brief.Traits)+len(in.Brief.Genders)+len(in.Figures) > 0 {
			t.Errorf("%q: %s, leaves out %v, refused: %q, want %q", text, in.Reach, in.Without, in.Refused, want)
		}
	}
}

// M-143: a bound is no share.
func TestBounds_M143(t *testing.T) {
	of := Read("Working parents in Germany aged 25 to 45, 60 % women")
	for text, want := range map[string]string{
		"no more than 10 % unemployed": "Unemployed <= 10", "at most 10 % unemployed": "Unemployed <= 10", "höchstens 10 % arbeitslos": "Unemployed <= 10", "au plus 30 % d'hommes": "Man <= 30", "como máximo 30 % hombres": "Man <= 30",
		"at least 70 % women": "Woman >= 70", "mindestens 70 % Frauen": "Woman >= 70", "au moins 70 % de femmes": "Woman >= 70", "al menos 70 % mujeres": "Woman >= 70", "más de 40 % mujeres": "Woman >= 40",
		"less than 20 % men": "Man <= 20", "up to 30 % from Berlin": "Berlin <= 30", "20 % men at most": "Man <= 20", "keep women under 50 %": "Woman <= 50", "no fewer than 30 % men": "Man >= 30",
	} {
		in := ReadInstruction(text, of)
		got := ""
		for _, l := range in.Limits {
			got += l.Label + map[bool]string{true: " >= ", false: " <= "}[l.Least] + fmt.Sprint(l.Pct)
		}
		if got != want || len(in.Figures)+len(in.Brief.Figures) > 0 || in.Reach != ReachComposition {
			t.Errorf("%q: %q and %v, want %q", text, got, in.Figures, want)
		}
	}
	for _, text := range []string{"make it 50 % women", "raise the share of women to 70 %", "20 % of them are freelancers", "40 % work more than 20 hours a week"} {
		if in := ReadInstruction(text, of); len(in.Limits) > 0 || len(in.Figures) == 0 || in.Refused != "" {
			t.Errorf("%q: %+v, refused %q", text, in.Limits, in.Refused)
		}
	}
}

// M-143: whoever words of leaving out are put before, they are never who there is
// to be, nor a trait of everybody.
func TestLeavingOutIsNeverTheOpposite_M143(t *testing.T) {
	of := Read("Adults in Germany aged 18 to 70")
	rapid.Check(t, func(t *rapid.T) {
		lead := rapid.SampledFrom([]string{"no", "without", "exclude", "exclude all", "remove", "remove the", "drop the", "get rid of the", "nobody who is", "everyone except", "leave out", "kick out the"}).Draw(t, "lead")
		whom := rapid.SampledFrom([]string{"men", "women", "students", "retirees", "teachers", "nurses", "parents", "freelancers", "smokers", "homeowners", "vegans", "people over 50", "people under 30", "people from Berlin", "Bavarians", "dog owners"}).Draw(t, "whom")
		in := ReadInstruction(lead+" "+whom, of)
		if in.Without == nil && in.Refused == "" || in.Reach == ReachPivot || len(in.Brief.Traits)+len(in.Brief.Roles)+len(in.Brief.Genders) > 0 {
			t.Fatalf("%s %s: %s %+v", lead, whom, in.Reach, in.Brief)
		}
	})
}
