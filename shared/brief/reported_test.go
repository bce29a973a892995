package brief

import "testing"

// What a text tells of a whole nation, or of something that grew or fell, is no quota
// of who is meant; a share that is one stays one.
func TestFiguresOfOthersAreReported(t *testing.T) {
	for text, quotas := range map[string]int{
		"Adults in the UK. 38% of UK adults own a dog. We want dog owners aged 30 to 55.":            0,
		"Only 5 % of German adults are vegan; we look for meat eaters in Germany, 50 % men":          1,
		"In Germany 21 % of people smoke. Survey non-smokers aged 20 to 40":                          0,
		"Sales grew 30 % among women in Germany. We want people in Germany who bought shoes online.": 0,
		"Der Umsatz ist bei Frauen um 30 % gestiegen. Käufer von Schuhen in Deutschland":             0,
		"Die Zahl stieg um 12 % bei Männern in Berlin. Käufer von Schuhen in Berlin":                 0,
		"Adults in Europe: 60 % of German adults and 40 % French adults":                             2,
		"Coffee drinkers, 30 % of UK adults, 70 % of French adults":                                  2,
		"In Germany 60 % of people should be women":                                                  1,
		"In Berlin 40 % of respondents, in Hamburg 60 %":                                             2,
	} {
		b := Read(text)
		if len(b.Figures) != quotas || quotas == 0 && len(b.Reported) == 0 {
			t.Errorf("%s\nquotas %+v\nreported %+v", text, b.Figures, b.Reported)
		}
	}
}

func TestNonSmokersAreNoSmokers(t *testing.T) {
	for _, text := range []string{"Nicht-Raucher in Österreich", "Nichtraucherinnen in Österreich", "Nonsmokers aged 30-50 in Spain", "Non-smokers in Spain"} {
		b := Read(text)
		if len(b.Traits) != 1 || b.Traits[0].Label != "Non-smokers" {
			t.Errorf("%s: %+v", text, b.Traits)
		}
	}
}

// An instruction of which no word is known changes nobody by a guess.
func TestStrangeInstructionsAreRefused(t *testing.T) {
	for text, refused := range map[string]bool{
		"asdf qwer": true, "xyzzy": true, "lorem ipsum dolor": true,
		"they are all guitarists": false, "now all nurses": false, "now all vegan": false, "add 3 women": false, "全員看護師": false,
	} {
		in := ReadInstruction(text, Brief{Text: "Adults in Germany"})
		if (in.Refused != "") != refused {
			t.Errorf("%s: %q", text, in.Refused)
		}
	}
}
