package brief

import (
	"slices"
	"strings"
	"testing"
)

// The offline classifier of adjustments (M-143), in the order of its rules.
func TestInstructions(t *testing.T) {
	of := Read("Working parents in Germany aged 25 to 45, 60 % women, who buy groceries online at least monthly")
	for _, c := range []struct {
		text, reach string
		add         int
		axes        string // one of the axes that it sets
	}{
		{"add 10 from Austria", ReachAdditive, 10, ""},
		{"Add 10 more from Austria", ReachAdditive, 10, ""},
		{"add ten more women", ReachAdditive, 10, ""},
		{"add another 25 people over 60", ReachAdditive, 25, ""},
		{"please add 5 retired teachers", ReachAdditive, 5, ""},
		{"include another 20 respondents aged 18-24", ReachAdditive, 20, ""},
		{"10 more from Switzerland", ReachAdditive, 10, ""},
		{"recruit 15 additional freelancers", ReachAdditive, 15, ""},
		{"Füge 10 Personen aus Österreich hinzu", ReachAdditive, 10, ""},
		{"10 weitere aus Österreich", ReachAdditive, 10, ""},
		{"ajoute 10 personnes d'Autriche", ReachAdditive, 10, ""},
		{"ajoutez dix femmes de Belgique", ReachAdditive, 10, ""},
		{"añade 10 personas de Austria", ReachAdditive, 10, ""},
		{"aggiungi 10 persone dall'Austria", ReachAdditive, 10, ""},
		{"adicione 10 pessoas da Áustria", ReachAdditive, 10, ""},
		{"voeg 10 mensen uit Oostenrijk toe", ReachAdditive, 10, ""},
		{"dodaj 10 osób z Austrii", ReachAdditive, 10, ""},
		{"lägg till 10 personer från Österrike", ReachAdditive, 10, ""},
		{"奥地利から10人追加", ReachAdditive, 10, ""},
		{"增加10人", ReachAdditive, 10, ""},
		{"make it 50 % women", ReachComposition, 0, AxisGender},
		{"40 % men", ReachComposition, 0, AxisGender},
		{"add an income axis", ReachComposition, 0, AxisIncome},
		{"add a distribution by education", ReachComposition, 0, AxisEducation},
		{"balance by region and age", ReachComposition, 0, AxisGeography},
		{"half of them should live in cities", ReachComposition, 0, AxisUrbanity},
		{"a third from Austria", ReachComposition, 0, AxisGeography},
		{"add 10 % from Austria", ReachComposition, 0, AxisGeography},
		{"add twenty", ReachAdditive, 20, ""},
		{"füge zwanzig hinzu", ReachAdditive, 20, ""},
		{"ajoute vingt", ReachAdditive, 20, ""},
		{"añade veinte", ReachAdditive, 20, ""},
		{"add a nurse", ReachAdditive, 1, ""},
		{"add one man from Austria", ReachAdditive, 1, ""},
		{"add zero people", ReachAdditive, 0, ""},
		{"include ten women over 40", ReachAdditive, 10, ""},
		{"add a couple of students", ReachAdditive, 0, ""},
		{"add vegans", ReachAdditive, 0, ""},
		{"everyone works more than 30 hours a week", ReachTrait, 0, ""},
		{"they are all over 30", ReachPivot, 0, ""},
		{"mostly men please", ReachComposition, 0, AxisGender},
		{"50 Prozent Frauen", ReachComposition, 0, AxisGender},
		{"die Hälfte Männer", ReachComposition, 0, AxisGender},
		{"50 % de femmes", ReachComposition, 0, AxisGender},
		{"la mitad mujeres", ReachComposition, 0, AxisGender},
		{"metà donne", ReachComposition, 0, AxisGender},
		{"met 50 procent vrouwen", ReachComposition, 0, AxisGender},
		{"gender split 50/50", ReachComposition, 0, AxisGender},
		{"女性を5割にする", ReachComposition, 0, AxisGender},
		{"now African consumers", ReachPivot, 0, ""},
		{"make them Austrian", ReachPivot, 0, ""},
		{"use people from Brazil instead", ReachPivot, 0, ""},
		{"nurses instead", ReachPivot, 0, ""},
		{"jetzt Verbraucher aus Polen", ReachPivot, 0, ""},
		{"maintenant des étudiants en France", ReachPivot, 0, ""},
		{"switch to retirees in Italy", ReachPivot, 0, ""},
		{"now all vegan", ReachTrait, 0, AxisDiet},
		{"they all own an electric car", ReachTrait, 0, ""},
		{"everyone should be price-sensitive", ReachTrait, 0, AxisAttitude},
		{"now all nurses", ReachPivot, 0, ""},
		{"jetzt alle Krankenschwestern", ReachPivot, 0, ""},
		{"maintenant tous infirmiers", ReachPivot, 0, ""},
		{"use Austria instead of Germany", ReachPivot, 0, ""},
		{"replace the men with women", ReachPivot, 0, ""},
		{"they are all sceptical of brands", ReachTrait, 0, ""},
		{"they never buy meat", ReachTrait, 0, ""},
		{"jetzt alle vegan", ReachTrait, 0, AxisDiet},
		{"tous végétariens", ReachTrait, 0, AxisDiet},
		{"they work from home", ReachTrait, 0, AxisWorkMode},
		{"", ReachTrait, 0, ""},
	} {
		got := ReadInstruction(c.text, of)
		if got.Reach != c.reach || got.Add != c.add {
			t.Errorf("%q: %s %d (replaces %q), want %s %d", c.text, got.Reach, got.Add, got.Replaces, c.reach, c.add)
		}
		if c.axes != "" && !slices.Contains(got.Axes, c.axes) {
			t.Errorf("%q: axes %v, want %s", c.text, got.Axes, c.axes)
		}
	}
}

// "add 10 from Austria" says whom to add; "make it 50 % women" says what to set.
func TestInstructionsSayWhatTheySet(t *testing.T) {
	of := Read("Working parents in Germany")
	add := ReadInstruction("add 10 from Austria", of)
	if len(add.Brief.Places) != 1 || add.Brief.Places[0].Country != "AT" {
		t.Errorf("places %v", add.Brief.Places)
	}
	set := ReadInstruction("make it 50 % women", of)
	if len(set.Figures) != 1 || set.Figures[0].Label != "Woman" || set.Figures[0].Pct != 50 || set.Figures[0].Quote != "50 % women" {
		t.Errorf("figures %v", set.Figures)
	}
}

// What speaks against what is said in words, with the quotes and a way out.
func TestContradictions(t *testing.T) {
	for text, want := range map[string]string{
		"60 % women and 60 % men": "come to 120 %",
		"Consumers aged 45 to 25": "begins above its end",
		"Women only, 40 % men":    "only one gender",
		"Adults aged 18-24 in Spain. Everyone must be over 60 years old.": "exclude each other",
		"Sample size: 100. Nurses in Peru. Total sample: 250 nurses":      "Two sizes",
		"120 % of nurses are women":                                       "more than everyone",
		"Students in Italy. Exclude students.":                            "left out",
		"Retired full-time university students":                           "nobody is both",
		"Parents in Germany aged 30-40, 20 % aged 55-64":                  "outside the ages",
		"Consumers in Germany, 30 % from Brazil":                          "outside",
		"0 people from Spain":                                             "asks for nobody",
		"Adults aged 12 to 16":                                            "18 and older",
		"30 % Democrats, 40 % Republicans, 50 % independents, US voters":  "come to 120 %",
		"60 % women, 70 % women":                                          "two shares",
		"60 Prozent Frauen und 60 Prozent Männer":                         "come to 120 %",
	} {
		b := Read(text)
		found := false
		for _, p := range b.Contradictions {
			found = found || strings.Contains(p.Message, want)
			for _, q := range p.Quotes {
				if !strings.Contains(text, q) || q == "" {
					t.Errorf("%q: the quote %q does not stand there", text, q)
				}
			}
		}
		if !found {
			t.Errorf("%q: %v, want one that says %q", text, b.Contradictions, want)
		}
	}
	for _, text := range []string{
		"60 % women, 40 % men", "Adults 18+ aged 25 to 45", "Parents and non-parents, renters or homeowners",
		"100 people, 60 women and 40 men", "40 % own a dog, 70 % own a car", "Full-time or part-time employees",
		"Consumers in Germany, 30 % from Berlin", "Gen Z and millennials in France",
	} {
		if p := Read(text).Contradictions; len(p) > 0 {
			t.Errorf("%q contradicts nothing, but: %s", text, p[0].Message)
		}
	}
}
