package simulate

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// attribute is a property of a thing whose value a question asks for: how old,
// how high, how heavy. A sentence on the thing that holds no value of the
// property is on something else: "has led since 2016" tells nobody's age.
type attribute struct {
	asks  *expression.Expression // a question for it
	words map[string]bool        // by which it is asked for: they need not stand in the answer
	value *expression.Expression // what a sentence must hold
	sums  bool                   // may be asked of debts and rates, whose value is any figure
	loose bool                   // of what is done as well, whose words may stand anywhere
	rival string                 // the words of its own kind, of which a sentence may tell another: "long" of "deep"
}

const (
	figure    = `(?:^|[^\pL\d])(?:\d[\d.,]*|(?:an? |a )?(?:half|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|ein(?:e|en|em|er|es)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|une?|deux|trois|quatre|cinq|sept|huit|neuf|dix|un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez))(?:[ -](?:hundred|thousand|million|millionen|millions|and|a half|half))*`
	lengthIn  = `[ -]?(?:(?:kilo|centi|milli)?(?:met(?:re|er)n?s?|mètres?|metros?)|centímetros?|milímetros?|kilómetros?|centimètres?|millimètres?|kilomètres?|km|m|cm|mm|miles?|meilen?|feet|foot|ft|inch(?:es)?|yards?|storeys?|stories|floors?|stockwerke?|étages?|pisos?|plantas?)\b`
	areaIn    = `[ -]?(?:(?:square|cubic) \pL+|sq\.? ?\pL+|hectares?|hektar|hectáreas?|acres?|quadrat\pL+|kubik\pL+|mètres? (?:carrés?|cubes?)|metros? (?:cuadrados?|cúbicos?)|km²|m²|m³|ha|lit(?:re|er)s?|litros?|gallons?|[kmgt]b|gigabytes?|megabytes?|people|persons?|members?|inhabitants?|residents?|employees?|staff|seats?|beds?|rooms?|pupils?|students?|pages?|einwohner|mitglieder|plätze|menschen|personen|personnes|habitants?|membres|habitantes|personas|miembros)\b`
	weightIn  = `[ -]?(?:kilos?|kilogram(?:me)?s?|kilogramm|kg|gram(?:me)?s?|gramm|g|tonnes?|tons?|tonnen?|toneladas?|kilogramos?|gramos?|pounds?|lbs?|ounces?|oz|stone)\b`
	timeIn    = `[ -]?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|years?|decades?|centur(?:y|ies)|sekunden?|minuten?|stunden?|tagen?|tage|wochen?|monaten?|jahren?|secondes?|heures?|jours?|semaines?|mois|ans?|années?|segundos?|minutos?|horas?|días?|semanas?|mes(?:es)?|años?)\b`
	speedIn   = `[ -]?(?:km/h|kmh|mph|knots?|m/s|kilomet(?:re|er)s (?:per|an) hour|miles (?:per|an) hour|stundenkilometer)`
	beginning = `(?:founded|built|established|opened|constructed|erected|created|set up|launched|completed|installed|planted|introduced|dug|laid|gegründet|erbaut|gebaut|eröffnet|errichtet|gebohrt|gepflanzt|fondée?|construite?|ouverte?|créée?|fundad[oa]|construid[oa]|inaugurad[oa]|abri[óo])`
)

// attributes in the order in which they are tried.
var attributes = []attribute{
	{
		asks:  expression.Of(`\bhow old (?:is|are|was|were)\b|\bwhat(?: is|'s| was)? (?:the )?age\b|\b(?:is|'s|was) [^?]{1,60}(?:'s|s') age\b|\bwie alt (?:ist|sind|war|waren)\b|\bquel(?:le)? (?:est l')?âge\b|\bcuántos años tienen?\b|\bqué edad\b`),
		words: wordSet("old age alt alter âge l'âge quel años año edad tiene tienen a"),
		value: expression.Of(`\d+[ -]years?[ -]old|\b(?:aged|age of|age|born(?: in| on)?|geboren(?: am)?|née? (?:en|le)|nacid[oa]|nació)\b:? \d|\d+ jahre alt|\d+-?jährig|âgée?s? de|\b(?:a|avait) \d+ ans|\btiene \d+ años|de \d+ años|\bin (?:her|his|their) (?:early |mid-|late )?(?:teens|twenties|thirties|forties|fifties|sixties|seventies|eighties)|` + beginning + `\b[^.]*\d{4}|\d{4}[^.]*` + beginning + `|\bdat(?:es|ed|ing) (?:back )?(?:from|to)\b|\bgoes back to\b|stammt aus|\bcentury\b|jahrhundert|siècle|\bsiglo\b|\b(?:is|are|was|were)(?: about| over| nearly| almost| around)?` + figure + `[ -](?:years?|months?|weeks?)\b`),
	},
	{
		asks:  expression.Of(`\bhow (?:high|tall) (?:is|are|was|were|will)\b|\bwhat(?: is|'s| was)? (?:the )?height\b|\bwie hoch\b|\bhauteur\b|\bqué altura\b|\bcuánto mide\b`), //nolint:misspell // Spanish
		words: wordSet("high tall height higher highest taller tallest hoch hauteur altura mide"),
		value: expression.Of(figure + lengthIn), sums: true, rival: "diameter radius circumference perimeter durchmesser diamètre diámetro long longer longest length deep deeper deepest wider widest deep depth wide width thick lang tief breit largeur longueur profondeur",
	},
	{
		asks:  expression.Of(`\bhow deep (?:is|are|was|were|will)\b|\bwhat(?: is|'s| was)? (?:the )?depth\b|\bwie tief\b|\bprofondeur\b|\bqué profundidad\b`),
		words: wordSet("deep depth deeper deepest tief profondeur profundidad"),
		value: expression.Of(figure + lengthIn), rival: "diameter radius circumference perimeter durchmesser diamètre diámetro long longer longest length higher highest taller tallest wider widest high height tall wide width thick lang hoch breit",
	},
	{
		asks:  expression.Of(`\bhow (?:wide|broad|thick) (?:is|are|was|were|will)\b|\bwhat(?: is|'s| was)? (?:the )?(?:width|breadth|thickness)\b|\bwie (?:breit|dick)\b|\blargeur\b|\bqué (?:anchura|ancho)\b`),
		words: wordSet("wide broad wider widest thick width breadth thickness breit dick largeur anchura ancho"),
		value: expression.Of(figure + lengthIn), rival: "diameter radius circumference perimeter durchmesser diamètre diámetro long longer longest length higher highest taller tallest deeper deepest high height tall deep depth lang hoch tief",
	},
	{
		asks:  expression.Of(`\bhow long (?:is|are|was|were)\b|\bwhat(?: is|'s| was)? (?:the )?length\b|\bwie lang (?:ist|sind|war|waren)\b|\blongueur\b|\bqué longitud\b`),
		words: wordSet("long length longer longest lang longueur longitud"),
		value: expression.Of(figure + `(?:` + lengthIn + `|` + timeIn + `|[ -]?(?:pages?|words?|seiten|páginas?)\b)`), rival: "diameter radius circumference perimeter durchmesser diamètre diámetro higher highest taller tallest deeper deepest wider widest high height tall deep depth wide width thick hoch tief breit",
	},
	{
		asks:  expression.Of(`\bwie lange\b|\bcombien de temps\b|\bcuánto tiempo\b|\bcuánto (?:dura|tarda)\b`), //nolint:misspell // Spanish
		words: wordSet("lange combien temps cuánto tiempo"),                                                    //nolint:misspell // Spanish
		value: expression.Of(figure + timeIn + `|\b(?:bis|seit|jusqu|depuis|hasta|desde)\b`), loose: true,
	},
	{
		asks:  expression.Of(`\bhow (?:large|big) (?:is|are|was|were|will)\b|\bwhat(?: is|'s| was)? (?:the )?(?:area|surface)\b|\bwie groß\b|\bsuperfici?e\b|\bqué tamaño\b`),
		words: wordSet("large big area surface groß superficie tamaño"),
		value: expression.Of(figure + `(?:` + areaIn + `|` + lengthIn + `)`), sums: true,
	},
	{
		asks:  expression.Of(`\bhow heavy (?:is|are|was|were|will)\b|\bhow much (?:does|do|did) [^?]{1,60} weigh\b|\bwhat(?: is|'s| was)? (?:the )?weight\b|\bwie schwer (?:ist|sind|war)\b|\bwie ?viel wieg\pL+|\bcombien pès\pL+|\bcuánto pesa\b`), //nolint:misspell // Spanish
		words: wordSet("heavy weigh weighs weight schwer wiegt wiegen pèse pèsent pesa pesan"),
		value: expression.Of(figure + weightIn),
	},
	{
		asks:  expression.Of(`\bhow (?:fast|quick|quickly|soon)\b|\bwie schnell\b`),
		words: wordSet("fast quick quickly soon schnell"),
		value: expression.Of(figure + `(?:` + timeIn + `|` + speedIn + `)|\b(?:immediately|at once|same day|next day|sofort)\b`),
	},
	{
		asks:  expression.Of(`\b(?:what|which) temperatures?\b|\bhow (?:hot|cold|warm) (?:is|are|was|were)\b`),
		words: wordSet("temperature temperatures hot cold warm"),
		value: expression.Of(`°|\bdegrees?\b|\bcelsius\b|\bfahrenheit\b`),
	},
	{
		asks:  expression.Of(`\bwhat(?: is|'s| are| was) [^?]{0,60}\bnumbers?\s*\??$|\bwelche \pL*nummer\b|\bwie lautet [^?]*nummer\b`),
		words: map[string]bool{},
		value: expression.Of(`\d`),
	},
	{
		asks:  expression.Of(`\bwhat(?: is|'s| are| was) [^?]{0,60}\be-?mail(?: address(?:es)?)?\s*\??$`),
		words: map[string]bool{},
		value: expression.Of(`@`),
	},
}

// sums are things whose height or size is an amount.
var sumNouns = wordSet(`debt debts budget tax taxes rate rates rent rents cost costs price prices fee fees fare fares wage wages salary salaries pay income revenue turnover profit profits loss losses
	deficit surplus assets capital endowment fund funds population attendance share proportion percentage unemployment inflation interest fine fines dividend investment premium grant grants spending expenditure deposit charge charges market demand increase decrease
	schulden budget haushalt steuer steuern miete kosten preis preise gebühr gehalt lohn umsatz gewinn verlust anteil zins zinsen inflation arbeitslosigkeit temperature temperatur number dose risk`)

// attributeOf finds the property that a question asks for.
func attributeOf(low string) *attribute {
	for i := range attributes {
		if attributes[i].asks.MatchString(low) {
			return &attributes[i]
		}
	}
	return nil
}

// tellsAttribute reports a sentence that gives a value of the property asked
// for, of the thing asked about.
func (q query) tellsAttribute(p *page, at int, l line) bool {
	a := q.attr
	if a == nil {
		return true
	}
	low := speed.ReplaceAllString(fold(l.text), " ")
	if q.attr.words["fast"] {
		low = fold(l.text)
	}
	sum := a.sums && slices.ContainsFunc(q.words, func(w word) bool { return sumNouns[w.text] })
	switch {
	case sum:
		if !l.any(func(w word) bool { return w.number || countWords[w.text] }) {
			return false
		}
	case !a.value.MatchString(low) && !(a.words["long"] && spans.MatchString(low) && (q.asksFor("open") || q.asksFor("close") || q.asksFor("valid"))):
		return false
	}
	if a.rival != "" && !l.any(func(w word) bool { return a.words[w.text] }) && l.any(func(w word) bool { return slices.Contains(strings.Fields(a.rival), w.text) }) {
		return false
	}
	// The thing itself must be what the sentence speaks of.
	for i, t := range q.terms {
		if t.weight < 1 {
			continue
		}
		switch {
		case l.free(q.lang, t.kin), p.antecedent(q.lang, at, t.kin), a.loose && (l.does(t.kin) || p.has[t.kin]):
		case tails(t.kin, l.has):
		case i > 0 && (l.does(t.kin) || p.has[t.kin] || p.around[t.kin]):
		default:
			return false
		}
	}
	if strong(q.terms) > 0 {
		return true
	}
	for _, n := range q.names { // a thing by its name alone
		if !(l.has[n] && l.free(q.lang, n)) && !p.before(at)[n] && !(p.around[n] && (leans(l) || labelled(l))) {
			return false
		}
	}
	return true
}

var (
	speed = expression.Of(figure + `(?:` + speedIn + `)|\d[\d.,]* ?(?:kilomet(?:re|er)s?|met(?:re|er)s?|miles?) (?:per|an|a) \pL+`)
	spans = expression.Of(`\b(?:until|till|from \S+ (?:to|until)|bis)\b`)
)

// governing are the words after which a thing is not what is spoken of but where,
// with or for what.
var (
	governing    = wordSet("in on at with for to by from near within beside behind into onto under over through during after before since about against between")
	governingToo = wordSet("im am in auf bei beim mit für zu zum zur aus an vom dans sur avec pour à au aux chez en con para por sobre desde")
)

func governs(lang string, w word) bool {
	return governing[w.text] || lang != langEN && lang != "" && governingToo[w.text]
}

// free reports a sentence that speaks of a thing, and not of what is in it, for
// it or with it. "A guarantee of five years" is free wherever it stands.
func (l line) free(lang, k string) bool {
	for i, w := range l.words {
		of := kinIn(lang, w)
		if of != k && !akin(k, map[string]bool{of: true}) {
			continue
		}
		if l.amounts(i+1) || i+1 < len(l.words) && !l.words[i+1].stop && l.amounts(i+2) {
			return true
		}
		if i > 0 && readerIs[l.words[0].text] {
			continue
		}
		governed := false
		for j := i - 1; j >= 0 && i-j <= 4; j-- {
			x := l.words[j]
			if governs(lang, x) {
				governed = true
				break
			}
			if x.stop && !articles[x.text] || verbLike(x) {
				break
			}
		}
		if !governed {
			return true
		}
	}
	return false
}

// amounts reports a figure at a word, or "of" and a figure.
func (l line) amounts(i int) bool {
	figure := func(i int) bool { return i < len(l.words) && (l.words[i].number || countWords[l.words[i].text]) }
	if i >= len(l.words) {
		return false
	}
	switch l.words[i].text {
	case "of", "von", "de":
		return figure(i + 1)
	}
	return l.words[i].number
}

// readerIs are the subjects that a thing is done to.
var readerIs = wordSet("you we i one people sie wir ich man vous nous je on usted nosotros")
