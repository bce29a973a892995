package simulate

import (
	"strings"
	"testing"
)

// A Mind's own words answer yes or no in German, French and Spanish (M-341).
func TestOwnVoiceInOtherLanguagesM341(t *testing.T) {
	for _, c := range []struct {
		lang, says, asked, want string
	}{
		{"de", "Ich besitze eine Bäckerei in Köln.", "Besitzen Sie eine Bäckerei?", "Ja"},
		{"de", "Ich rauche nicht.", "Rauchen Sie?", "Nein"},
		{"de", "Ich rauche nicht mehr.", "Rauchst du?", "Nein"},
		{"de", "Wir haben keinen Hund, aber ich habe ein Auto.", "Haben Sie ein Auto?", "Ja"},
		{"de", "Wir haben keinen Hund, aber ich habe ein Auto.", "Haben Sie einen Hund?", "Nein"},
		{"de", "Meine Schwester raucht.", "Rauchen Sie?", ""},
		{"de", "Ich habe kein Auto und meine Schwester raucht.", "Rauchen Sie?", ""},
		{"de", "Früher habe ich geraucht.", "Rauchen Sie?", ""},
		{"de", "Ich würde gern ein Auto besitzen.", "Besitzen Sie ein Auto?", ""},
		{"de", "Ich trinke gern Kaffee.", "Trinken Sie Tee?", ""},
		{"de", "Ich esse kein Fleisch.", "Essen Sie Fleisch?", "Nein"},
		{"de", "Ich fahre jeden Tag mit dem Rad.", "Fahren Sie mit dem Rad?", "Ja"},
		{"de", "Ich besitze ein Auto.", "Warum besitzen Sie ein Auto?", ""},
		{"de", "Ich rauche.", "Raucht Ihre Mutter?", ""},
		{"de", "Rauche ich?", "Rauchen Sie?", ""},
		{"fr", "Je possède une boulangerie à Lyon.", "Possédez-vous une boulangerie ?", "Oui"},
		{"fr", "Je ne fume pas.", "Est-ce que vous fumez ?", "Non"},
		{"fr", "J'ai deux chiens.", "Avez-vous des chiens ?", "Oui"},
		{"fr", "Je n'ai pas de voiture, mais j'ai un vélo.", "Avez-vous une voiture ?", "Non"},
		{"fr", "Je n'ai pas de voiture, mais j'ai un vélo.", "Avez-vous un vélo ?", "Oui"},
		{"fr", "Ma sœur fume.", "Est-ce que vous fumez ?", ""},
		{"fr", "J'aimerais avoir une voiture.", "Avez-vous une voiture ?", ""},
		{"fr", "Je bois du café chaque matin.", "Buvez-vous du café ?", "Oui"},
		{"fr", "Je bois du café chaque matin.", "Buvez-vous du thé ?", ""},
		{"fr", "Je mange de la viande.", "Pourquoi mangez-vous de la viande ?", ""},
		{"es", "Tengo una panadería en Sevilla.", "¿Tiene usted una panadería?", "Sí"},
		{"es", "No fumo.", "¿Fuma usted?", "No"},
		{"es", "Ya no fumo.", "¿Fumas?", "No"},
		{"es", "Yo bebo café cada mañana.", "¿Bebe usted café?", "Sí"},
		{"es", "Nunca como carne.", "¿Come usted carne?", "No"},
		{"es", "No tengo coche pero tengo una bicicleta.", "¿Tienes coche?", "No"},
		{"es", "No tengo coche pero tengo una bicicleta.", "¿Tienes una bicicleta?", "Sí"},
		{"es", "Mi hermana fuma.", "¿Fuma usted?", ""},
		{"es", "Vino tinto es bueno para la salud.", "¿Bebe usted vino tinto?", ""},
		{"es", "Me gustaría tener un coche.", "¿Tiene usted un coche?", ""},
		{"es", "Tengo un coche.", "¿Por qué tiene usted un coche?", ""},
		{"es", "Antes fumaba.", "¿Fuma usted?", ""},
	} {
		options := map[string][]string{"de": {"Ja", "Nein"}, "fr": {"Oui", "Non"}, "es": {"Sí", "No"}}[c.lang]
		r := Respondent{ID: "m", Name: "Mia", Passages: []Passage{{ID: "k", Text: c.says}}}
		a := answer(t, ask(t, cat(c.asked, options...), Policy{}), r)
		if (c.want == "") != (a.State != Stated) || c.want != "" && (a.Option != c.want || a.Citations[0].Quote != c.says) {
			t.Errorf("%s — %s: %s %s, want %q", c.says, c.asked, a.State, a.Option, c.want)
		}
	}
}

// Nothing that anybody writes makes the reading of statements fail, and it says
// yes or no only to what is in the first person.
func FuzzHears(f *testing.F) {
	for _, s := range []string{"Ich rauche nicht.", "j'ai, mais", "Ya no fumo", "…", "\x00 und \x00"} {
		f.Add("Rauchen Sie?", s)
	}
	f.Add("¿Fuma usted?", "fumo")
	f.Fuzz(func(t *testing.T, asked, said string) {
		for lang := range grammars {
			q := readToldIn(lang, asked)
			if q == nil {
				continue
			}
			if v := q.hears(said); v != 0 && strings.HasSuffix(strings.TrimSpace(said), "?") {
				t.Fatalf("%q takes the question %q for a statement", asked, said)
			}
		}
	})
}
