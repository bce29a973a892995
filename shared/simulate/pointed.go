package simulate

import (
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// toThePoint reports a sentence that does not miss what is asked for by a little:
// it tells of the one who came before where that is asked, of a number and no
// share, of the thing itself and not of another of its kind.
func (q query) toThePoint(p *page, at int, l line) bool {
	low := fold(l.text)
	switch {
	case !q.tellsAttribute(p, at, l):
	case q.earlier && !comesBefore.MatchString(low):
	case q.later && !comesAfter.MatchString(low):
	case q.madeOf && !madeOf.MatchString(low):
	case q.wants.where && q.made && (madeOf.MatchString(low) || !madeAsked.MatchString(low)):
	case q.inUnit != "" && otherUnit(low, q.inUnit):
	case q.lacks(p, at, l), q.asks == asksHow && howMuchOf.MatchString(fold(q.text)) && q.aside(p, at, l):
	case q.doneBy && l.undergone(q.lang, q.wants.doing):
	case q.whatDone && !q.holdsLast(p, at, l):
	case q.which != "" && !q.tellsWhich(p, at, l):
	case q.didSelf && q.throughAnother(l):
	case q.active && passive.MatchString(low) && !byWhom.MatchString(low):
	case q.wants.count && !q.eachAsked && eachOf.MatchString(low):
	case q.wants.count && !q.shares && byShare.MatchString(low) && !otherFigure(l, low):
	case q.wants.count && q.wants.many && onlyLabels(l):
	case !q.sameOwner(p, l):
	case !q.introduced(p, at, l):
	default:
		return true
	}
	return false
}

var (
	earlierAsked = expression.Of(`^(?:who|what|which|wer|was|qui|quién|quel|quelle)\b[^?]*\b(?:before|prior to|previous(?:ly)?|former(?:ly)?|predecessor|until|vor(?:her|gänger(?:in)?)?|früher|avant|précédente?|antes|anterior)(?:[^\pL]|$)`)
	laterAsked   = expression.Of(`^(?:who|what|which|wer|was|qui|quién)\b[^?]*\b(?:after|successor|succeeded|nachfolger(?:in)?|après|después|sucesora?)(?:[^\pL]|$)`)
	comesBefore  = expression.Of(`\b(?:before|prior|previous(?:ly)?|former(?:ly)?|predecessor|earlier|until|till|succeed\pL*|replac\pL*|took over|used to|once|vor(?:her|gänger\pL*|mals)?|früher\pL*|bis|zuvor|ehemalig\pL*|avant|précéd\pL*|ancien\pL*|jusqu|antes|anterior|hasta)`)
	comesAfter   = expression.Of(`\b(?:after\pL*|then|later|next|follow\pL*|success\pL*|succeed\pL*|replac\pL*|since|took over|nach\pL*|danach|seit|später|après|depuis|ensuite|después|luego|desde)`)
	madeOfAsked  = expression.Of(`\bmade (?:of|from|out of)\b|\b(?:which|what) material\b|\bworaus\b|\baus welchem material\b|\ben quoi\b|\bde qué está hech|\bde qué material`)
	madeOf       = expression.Of(`\b(?:made|built|woven|cast|carved|moulded|consists?|sewn|cut) (?:\pL+ )?(?:of|from|out of)\b|\bmaterials?\b|\bbesteh\pL+ aus\b|\baus \pL+ (?:gefertigt|gemacht|hergestellt)|\ben \pL+\b|\bhech[oa]s? de\b`)
	madeAsked    = expression.Of(`\b(?:made|produced|manufactured|built)\b`)
	activeAsked  = expression.Of(`^(?:wer (?:hat|haben|hatte|saniert|baut|plant|macht|zahlt|bezahlt|leitet|betreibt)|qui (?:a|ont)|quién(?:es)? (?:\pL+ó|ha|han))\b`)
	passive      = expression.Of(`\b(?:wurden?|wird|werden|worden)\b|\b(?:a|ont) été(?:es?|s)?|\b(?:fue|fueron|ha sido|han sido)\b`)
	byWhom       = expression.Of(`\b(?:by|von|vom|durch|par|por)\b`)
	eachOf       = expression.Of(`\b(?:average|each|every|per (?:person|head|capita|household|class|family|member|pupil|visitor|customer|employee|unit|room|shop|branch)|pro (?:person|kopf|haushalt|klasse)|jede[rsnm]?|durchschnittlich\pL*|im durchschnitt|chaque|moyenne|cada|promedio)\b`)
	eachWords    = expression.Of(`\b(?:average|each|every|per|a|an|one|on average|pro|je|jede[rsnm]?|durchschnitt\pL*|chaque|moyenne|par|cada|promedio|por)\b`)
	byShare      = expression.Of(`\b(?:by|um|de|en|un) \d[\d.,]* ?(?:%|percent|per cent|prozent|pour cent|por ciento)`)
	sharesAsked  = expression.Of(`\b(?:share|percent\pL*|per cent|proportion|anteil|prozent\pL*|part|pourcentage|porcentaje|by how (?:much|many)|um wie ?viel|de combien)\b`)
	whichOne     = expression.Of(`^(?:from |in |at |to |for |by |with |on )?which ([\pL'-]+)\b`)
)

// point reads what else a question asks for that a near sentence may miss.
func (q *query) point(low string) {
	low = cutTo(low, longestAsking)
	q.attr = attributeOf(low)
	q.earlier = earlierAsked.MatchString(low)
	q.later = !q.earlier && laterAsked.MatchString(low)
	q.madeOf = madeOfAsked.MatchString(low)
	q.made = madeAsked.MatchString(low)
	q.didSelf = didSelf.MatchString(low)
	q.active = activeAsked.MatchString(low)
	q.whichDone = whichDone.MatchString(low)
	q.whatDone = whatDone.MatchString(low) && !q.wants.price
	q.doneBy = whoDid.MatchString(low) && q.wants.doing != ""
	if m := perUnit.FindStringSubmatch(low); m != nil && (q.wants.count || q.wants.price) {
		q.inUnit = unitOf(m[1])
	}
	q.shares = sharesAsked.MatchString(low)
	q.eachAsked = eachWords.MatchString(low)
	if m := whichOne.FindStringSubmatch(low); m != nil && q.asks == asksWhat && q.wants.end == nil && (q.lang == langEN || q.lang == "") {
		for _, w := range q.words {
			if w.text == m[1] && !w.stop && !broad[w.text] {
				q.which = kinIn(q.lang, w)
			}
		}
	}
}

// tellsWhich reports a sentence that says which of its kind a thing is: neither "a
// brewery" nor "the cathedral" does, nor one that leaves out what the passage tells
// of elsewhere.
func (q query) tellsWhich(p *page, at int, l line) bool {
	named := l.any(func(x word) bool {
		return x.proper && !x.stop && !calendar[x.text] && !slices.Contains(q.names, kinIn(q.lang, x))
	})
	held := false
	for i, w := range l.words {
		if kinIn(q.lang, w) != q.which {
			continue
		}
		held = true
		if i+1 < len(l.words) && l.words[i+1].number { // "line 7"
			return true
		}
		if q.whichDone && i > 0 && (l.words[i-1].number || countWords[l.words[i-1].text]) { // "two comets"
			return named
		}
		if i > 0 && l.words[i-1].text == "the" && !strings.HasSuffix(w.text, "s") {
			return named
		}
		for j := i - 1; j >= 0 && i-j <= 3; j-- {
			if l.words[j].text == "a" || l.words[j].text == "an" {
				return named
			}
			if l.words[j].stop {
				break
			}
		}
	}
	return held || l.does(q.which) || akinTo(q.which, p.before(at)) || p.around[q.which] || !akinTo(q.which, p.has)
}

// whichDone asks which things somebody did something to.
var whichDone = expression.Of(`^which [\pL'-]+ (?:did|does|do|has|have|had) `)

// otherFigure reports a figure beside the share by which something changed.
func otherFigure(l line, low string) bool {
	rest := byShare.ReplaceAllString(low, " ")
	for _, w := range words(rest) {
		if w.number && !isYear(w.text) || countWords[w.text] {
			return true
		}
	}
	return false
}

// numberedThings have a number that counts nothing: "line 3".
var numberedThings = wordSet(`line lines page room number no nr chapter section figure table platform gate track route phase level model version class hall floor type bus tram train road route form paragraph article
	linie seite zimmer nummer kapitel abschnitt abbildung tabelle gleis phase stufe klasse halle ligne page chambre numéro chapitre línea página número capítulo`) //nolint:misspell // French

// onlyLabels reports a sentence whose every figure is a name: "Bus line 3 was
// extended."
func onlyLabels(l line) bool {
	any := false
	for i, w := range l.words {
		if countWords[w.text] {
			return false
		}
		if !w.number || isYear(w.text) {
			continue
		}
		if i == 0 || !numberedThings[l.words[i-1].text] && !(l.words[i-1].proper && !calendar[l.words[i-1].text] && strings.Trim(w.text, "0123456789") == "" && len(w.text) == 1) {
			return false
		}
		any = true
	}
	return any
}

// owners are the kinds of whole that figures are told of: what is told of one is
// not told of another.
var owners = wordSet(`company firm town city village municipality county country state council library museum hospital school university hotel club association cooperative foundation church bank factory station airport`)

var (
	whoDid  = expression.Of(`^who (?:\pL+ly )?(?:[\pL]{2,}ed|built|made|wrote|won|led|ran|took|gave|paid|bought|sold|found|brought|drew|sang|taught|began|chose|drove|flew|left|lost|met|sent|spent|stole|threw)\b`)
	perUnit = expression.Of(`\b(?:for (?:a|an|one|the)|per|each|every|an?|pro|par|por|al|im|à la|a la) (hour|day|night|week|month|year|stunde|tag|nacht|woche|monat|jahr|heure|jour|nuit|semaine|mois|an|hora|día|noche|semana|mes|año)\b`)
	inUnit  = expression.Of(`\b(?:an?|per|each|every|first|one|pro|par|por|al|im|à la|a la) (hour|day|night|week|month|year|annum|stunde|tag|nacht|woche|monat|jahr|heure|jour|nuit|semaine|mois|an|hora|día|noche|semana|mes|año)\b|\b(dai|week|month|year|hour)ly\b`)
)

func unitOf(w string) string {
	switch w {
	case "dai":
		return "day"
	case "annum":
		return "year"
	}
	return w
}

// otherUnit reports a figure for another span than the one asked for: by the hour
// where the price for a week is asked.
func otherUnit(low, unit string) bool {
	other := false
	for _, m := range inUnit.FindAllStringSubmatch(low, 8) {
		u := unitOf(m[1] + m[2])
		if u == unit {
			return false
		}
		other = true
	}
	return other
}

// undergone reports what was done to somebody or something, and not by whom: "was
// developed in Italy", "is made of steel and painted by hand".
func (l line) undergone(lang, k string) bool {
	for i, w := range l.words {
		if kinIn(lang, w) != k || !verbLike(w) {
			continue
		}
		for j := i - 1; j >= 0 && i-j <= 7; j-- {
			x := l.words[j]
			switch x.text {
			case "was", "were", "been", "being", "is", "are":
				return !l.byAgent(i)
			}
			if subjects[x.text] || x.text == "who" || x.text == "which" {
				break
			}
		}
	}
	return false
}

// byAgent reports that a "by" after a word says who.
func (l line) byAgent(i int) bool {
	for j := i + 1; j+1 < len(l.words) && j-i <= 6; j++ {
		if l.words[j].text == "by" {
			return !means[l.words[j+1].text] && !l.words[j+1].number
		}
		if verbLike(l.words[j]) {
			return false
		}
	}
	return false
}

// means are by what and not by whom.
var means = wordSet("hand ship machine train car bus boat plane post mail phone email air sea land law accident chance night day then now")

// holdsLast reports that the verb in which a question ends stands in a sentence, or
// before it.
func (q query) holdsLast(p *page, at int, l line) bool {
	if len(q.terms) < 2 {
		return true
	}
	k := q.terms[len(q.terms)-1].kin
	return l.does(k) || tails(k, l.has) || akinTo(k, p.before(at)) || q.bareOn(p, at, l, k)
}

// lacks reports that a word which a question for one figure, person or date turns
// on stands neither in the sentence nor around it.
func (q query) lacks(p *page, at int, l line) bool {
	if !q.wants.single() && (q.asks != asksHow || !howMuchOf.MatchString(fold(q.text))) || q.wants.end != nil || l.row != nil {
		return false
	}
	held, missing := 0, 0
	before := p.before(at)
	for _, t := range q.terms {
		if t.weight < 1 {
			continue
		}
		if l.does(t.kin) || tails(t.kin, l.has) || akinTo(t.kin, before) || akinTo(t.kin, p.has) || akinTo(t.kin, p.around) || p.opens[t.kin] || q.wants.who && doer(t.kin, l.has) {
			held++
			continue
		}
		missing++
	}
	return held > 0 && missing > 0 && held < 3
}

// aside reports that a word of the question stands not in the sentence but, once
// and by the way, in another of its passage: the passage is on something else.
func (q query) aside(p *page, at int, l line) bool {
	before := p.before(at)
	for _, t := range q.terms {
		if t.weight < 1 || l.does(t.kin) || tails(t.kin, l.has) || akinTo(t.kin, before) || p.around[t.kin] {
			continue
		}
		n := 0
		for i, o := range p.lines {
			if i != at && o.does(t.kin) {
				if n++; i == 0 && o.free(q.lang, t.kin) {
					n++
				}
			}
		}
		if n == 1 {
			return true
		}
	}
	return false
}

// didSelf are questions for what somebody or something named did.
var didSelf = expression.Of(`^(?:when|where|why|since when) (?:did|does|do|has|had|have|will) `)

// throughAnother reports a sentence in which the one named is not who does it:
// "She took over from Alun Price" is not when he did.
func (q query) throughAnother(l line) bool {
	for _, n := range q.names {
		if calendar[n] || isDigits(n) || !l.has[n] {
			continue
		}
		if !l.free(q.lang, n) {
			return true
		}
	}
	return false
}

// sameOwner reports a sentence that is not told of another whole than the one
// asked about. The title of its source may name it.
func (q query) sameOwner(p *page, l line) bool {
	asked, told := "", ""
	for _, w := range q.words {
		if owners[strings.TrimSuffix(w.text, "'s")] {
			asked = kinIn(q.lang, w)
			break
		}
	}
	if asked == "" || l.does(asked) || p.has[asked] || p.around[asked] || p.opens[asked] {
		return true
	}
	for _, w := range l.words {
		if owners[w.text] {
			told = w.text
		}
		if verbLike(w) {
			break
		}
	}
	return told == ""
}

// introduced reports that each name of the question stands in the sentence, in
// what it stands under or in a sentence before it: of one who is named later it
// does not speak.
func (q query) introduced(p *page, at int, l line) bool {
	if l.row != nil {
		return true
	}
	for _, n := range q.names {
		if l.has[n] || p.around[n] || p.heads[n] || isDigits(n) {
			continue
		}
		found := false
		for j := 0; j < at; j++ {
			found = found || p.lines[j].has[n]
		}
		if !found {
			return false
		}
	}
	return true
}

// whatDone are questions that end in what somebody does.
var whatDone = expression.Of(`^what (?:do|does|did) [^?]* (?:earn|pay|say|do|want|need|eat|drink|wear|make|cost|weigh|sell|buy|think|owe|own|teach|study|produce|grow|play)s?\s*\??$`)

// swerves reports a sentence, near by its vector alone, that leaves out what
// another passage speaks of, or speaks of another thing in its place: "bins for
// paper" where "bins for glass" are asked for.
func (q query) swerves(p *page, at int, known map[string]bool) bool {
	l := p.lines[at]
	before := p.before(at)
	exact := q.closed || q.asks == asksOften || q.attr != nil || q.wants.single() || len(q.names)+len(q.years) > 0
	for n, t := range q.terms {
		if t.weight < 1 || l.does(t.kin) || tails(t.kin, l.has) || akinTo(t.kin, before) || p.around[t.kin] {
			continue
		}
		if exact && known[t.kin] || n == len(q.terms)-1 && whatDone.MatchString(fold(q.text)) {
			return true
		}
		if !exact {
			continue
		}
		i := slices.IndexFunc(q.words, func(w word) bool { return kinIn(q.lang, w) == t.kin })
		for i--; i >= 0 && (articles[q.words[i].text] || modifiers[q.words[i].text]); i-- {
		}
		if i < 0 || !governs(q.lang, q.words[i]) && q.words[i].text != "of" {
			continue
		}
		if l.any(func(w word) bool { return w.text == q.words[i].text }) {
			return true
		}
	}
	return false
}
