package simulate

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Statements in other languages: a clause in the Mind's own voice that holds
// what a question of yes or no asks, or denies it. German, French and Spanish
// are read by their pronouns, their negations and the ends of their verbs;
// where a clause may mean something else, nothing is read.

// grammar is what is needed of one language.
type grammar struct {
	own       map[string]bool // I, we
	mine      map[string]bool // my, our: own before a word of the question
	not       map[string]bool
	unsure    []string          // a clause with one of these states no fact of today
	first     map[string]bool   // verbs that are in the first person by themselves
	bare      bool              // a verb in -o may do without its pronoun
	forms     map[string]string // irregular words to one form
	ends      []string          // endings that are cut, longest first
	parts     []string          // words that part clauses
	weak      map[string]bool   // forms that say little
	addressed map[string]bool   // whom a question speaks to; one must stand in it
	others    map[string]bool   // people whose doing is not the Mind's
}

var grammars = map[string]*grammar{
	langDE: {
		own: wordSet("ich wir"), mine: wordSet("mein meine meinen meinem meiner meines unser unsere unseren unserem"),
		not:       wordSet("nicht kein keine keinen keinem keiner keines nie niemals nirgends weder"),
		unsure:    []string{"früher", "damals", "würde", "würden", "möchte", "möchten", "will", "wollen", "vielleicht", "könnte", "könnten", "sollte", "sollten", "wenn", "falls", "hätte", "hätten", "manche", "die meisten", "überlege", "plane", "hoffe", "war", "waren", "hatte", "hatten", "fast", "kaum", "ob"},
		forms:     pairs("habe hab hast hab hat hab haben hab habt hab bin sei bist sei ist sei sind sei fahre fahr fährst fahr fährt fahr fahren fahr esse ess isst ess essen ess esst ess lese les liest les lesen les sehe seh siehst seh sieht seh sehen seh schlafe schlaf schläft schlaf trage trag trägt trag mag mög magst mög mögen mög laufe lauf läuft lauf nehme nehm nimmt nehm nehmen nehm spreche sprech spricht sprech sprechen sprech treffe treff trifft treff gebe geb gibt geb helfe helf hilft helf wasche wasch wäscht wasch halte halt hält halt kinder kind männer mann häuser haus bücher buch"),
		ends:      []string{"est", "en", "st", "et", "er", "es", "em", "e", "t", "n", "s"},
		parts:     []string{" und ", " aber ", " oder ", " sondern ", " weil ", " obwohl ", " während ", " denn ", ", ", "; ", " - "},
		weak:      wordSet("hab sei gern gerne oft regelmäßig jemals schon überhaupt manchmal eigentlich selbst"),
		addressed: wordSet("sie du ihr"), others: wordSet("mutter vater bruder schwester frau mann sohn tochter freund freundin nachbar kollege kollegin eltern partner partnerin oma opa"),
	},
	langFR: {
		own: wordSet("je j nous"), mine: wordSet("mon ma mes notre nos"),
		not:       wordSet("ne n pas jamais aucun aucune ni rien"),
		unsure:    []string{"autrefois", "avant", "voudrais", "aimerais", "veux", "voulons", "peut-être", "si", "pourrais", "devrais", "la plupart", "certains", "espère", "envisage", "étais", "avais", "fumais", "presque", "guère"},
		forms:     pairs("ai av as av a av avons av avez av ont av avoir av suis êt es êt est êt sommes êt êtes êt sont êt être êt bois boi boit boi buvons boi buvez boi boire boi vais all vas all va all allons all allez all aller all fais fai fait fai faites fai faire fai lis li lit li lisez li lire li prends prend prenez prend prendre prend mange mang mangez mang mangeons mang conduis condui conduit condui conduisez condui conduire condui possède posséd possédez posséd posséder posséd vis viv vit viv vivez viv vivre viv dors dor dort dor dormez dor dormir dor écris écri écrivez écri écrire écri"),
		ends:      []string{"issez", "issons", "ons", "ent", "ez", "es", "er", "ir", "re", "e", "s", "x", "t"},
		parts:     []string{" et ", " mais ", " ou ", " parce que ", " car ", " tandis que ", " bien que ", ", ", "; ", " - "},
		weak:      wordSet("av êt souvent parfois régulièrement déjà"),
		addressed: wordSet("vous tu"), others: wordSet("mère père frère sœur soeur femme mari fils fille ami amie voisin collègue parents conjoint"),
	},
	langES: {
		own: wordSet("yo nosotros nosotras"), mine: wordSet("mi mis nuestro nuestra nuestros nuestras"),
		not:    wordSet("no nunca jamás ningún ninguna ninguno tampoco ni nada"),
		unsure: []string{"antes", "quisiera", "me gustaría", "quiero", "quizás", "quizá", "tal vez", "si", "podría", "debería", "la mayoría", "algunos", "solía", "espero", "pienso", "era", "tenía", "casi", "apenas"},
		first:  wordSet("tengo soy estoy voy doy sé conduzco hago juego duermo prefiero puedo salgo traigo digo vengo"), bare: true,
		forms:     pairs("tengo ten tiene ten tienes ten tenemos ten tener ten soy ser eres ser es ser somos ser voy ir vas ir va ir vamos ir hago hac hace hac haces hac hacer hac juego jug juega jug juegas jug jugar jug conduzco conduc conduce conduc conduces conduc conducir conduc duermo dorm duerme dorm duermes dorm dormir dorm prefiero prefer prefiere prefer quiere quer puedo pod puede pod puedes pod"),
		ends:      []string{"amos", "emos", "imos", "an", "en", "as", "es", "ar", "er", "ir", "os", "o", "a", "e", "s"},
		parts:     []string{" y ", " e ", " pero ", " o ", " porque ", " aunque ", " mientras ", " sino ", ", ", "; ", " - "},
		weak:      wordSet("ten ser alguna vez a menudo normalmente regularmente"),
		addressed: wordSet("usted ustedes tú vosotros"), others: wordSet("madre padre hermano hermana esposa esposo mujer marido hijo hija amigo amiga vecino colega padres pareja abuela abuelo"),
	},
}

func pairs(s string) map[string]string {
	m := map[string]string{}
	f := strings.Fields(s)
	for i := 0; i+1 < len(f); i += 2 {
		m[f[i]] = f[i+1]
	}
	return m
}

// yesNoLanguage is the language of a question, told by its answers where its own
// words are too few: "Rauchen Sie?" with "Ja" and "Nein".
func yesNoLanguage(lang string, ls []label) string {
	if lang != "" {
		return lang
	}
	for _, l := range ls {
		switch l.folded {
		case "ja", "nein":
			return langDE
		case "oui", "non":
			return langFR
		case "sí":
			return langES
		}
	}
	return ""
}

// tokens are the words of a text, in small letters; apostrophes part them.
func tokens(s string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFC.String(s)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// form is a word without its ending.
func (g *grammar) form(w string) string {
	if f, ok := g.forms[w]; ok {
		return f
	}
	for _, e := range g.ends {
		if strings.HasSuffix(w, e) && len(w)-len(e) >= 3 {
			return w[:len(w)-len(e)]
		}
	}
	return w
}

// toldIn is a question of yes or no in one of these languages.
type toldIn struct {
	*grammar
	terms []term
	verb  string // form of the first word of content; in Spanish the verb
}

// readToldIn reads such a question; nil when it is none that can be heard: it
// must speak to the Mind, deny nothing and name nobody else.
func readToldIn(lang, text string) *toldIn {
	g := grammars[lang]
	if g == nil {
		return nil
	}
	if a := askingOf(text); a != asksAny && a != asksYesNo {
		return nil
	}
	t := &toldIn{grammar: g}
	seen := map[string]bool{}
	spoken := false
	for _, w := range tokens(text) {
		spoken = spoken || g.addressed[w]
		if g.not[w] || g.others[w] {
			return nil
		}
		if g.addressed[w] || foreignStops[lang][w] && g.forms[w] == "" || asksSomething[w] {
			continue
		}
		f := g.form(w)
		if t.verb == "" {
			t.verb = f
		}
		if seen[f] {
			continue
		}
		seen[f] = true
		v := 1.0
		if g.weak[f] || g.weak[w] {
			v = broadWord
		}
		t.terms = append(t.terms, term{f, v})
	}
	if !spoken && lang == langES { // "¿Fuma?", "¿Tienes coche?": the verb speaks to the Mind
		first := tokens(text)
		spoken = len(first) > 0 && (strings.HasSuffix(first[0], "s") || strings.HasSuffix(first[0], "a") || strings.HasSuffix(first[0], "e"))
	}
	if !spoken || weightOf(t.terms) < 1 {
		return nil
	}
	return t
}

var asksSomething = wordSet("warum wieso weshalb wann wo wohin woher wer wen wem was wie welche welcher welches pourquoi quand où comment combien quel quelle quels quelles qui quoi cuándo dónde cómo cuánto cuántos cuánta cuántas quién qué cuál cuáles") //nolint:misspell // Spanish

// hears reads one sentence: +1 it affirms the question, -1 it denies it, 0 it
// does neither, or both.
func (t *toldIn) hears(sentence string) int {
	low := strings.ToLower(norm.NFC.String(strings.TrimSpace(sentence)))
	if strings.HasSuffix(low, "?") {
		return 0
	}
	found := 0
	for _, p := range t.parts {
		low = strings.ReplaceAll(low, p, "\x00")
	}
	for _, clause := range strings.Split(low, "\x00") {
		s := t.clause(clause)
		if s != 0 && found != 0 && s != found {
			return 0
		}
		if s != 0 {
			found = s
		}
	}
	return found
}

func (t *toldIn) clause(low string) int {
	for _, u := range t.unsure {
		if contains(low, u) {
			return 0
		}
	}
	ws := tokens(low)
	asked := map[string]bool{}
	for _, x := range t.terms {
		asked[x.kin] = true
	}
	own, not := false, false
	have := map[string]bool{}
	lead := true // nothing but small words so far
	for i, w := range ws {
		f := t.form(w)
		have[f] = true
		not = not || t.not[w]
		own = own || t.own[w]
		if t.others[w] && (i == 0 || t.mine[ws[i-1]]) {
			return 0
		}
		own = own || t.mine[w] && i+1 < len(ws) && asked[t.form(ws[i+1])]
		if t.bare && lead && (t.first[w] || strings.HasSuffix(w, "o") && len(w) >= 4 && f == t.verb && f != w) {
			own = true
		}
		if !t.not[w] && w != "ya" && w != "siempre" && w != "también" && w != "me" && w != "lo" && w != "la" {
			lead = false
		}
	}
	if !own {
		return 0
	}
	hit := 0.0
	for _, x := range t.terms {
		if have[x.kin] {
			hit += x.weight
		}
	}
	if hit/weightOf(t.terms) < coverYesNo {
		return 0
	}
	if not {
		return -1
	}
	return 1
}
