package simulate

import (
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

var (
	youDo      = expression.Of(`\b(?:do|did|are|were|have|had|would|don't|aren't|haven't) you\b`)
	howMuchOf  = expression.Of(`\bhow (?:long|old|far|high|big|large|tall|heavy|wide|deep|fast|expensive)\b`)
	countWords = wordSet(`zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen
		twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half third quarter double doubled twice once none most
		majority minority few several all nobody everyone eins zwei drei vier fünf sechs sieben acht neun zehn hundert tausend
		deux trois quatre cinq sept huit neuf dix cent mille dos tres cuatro cinco seis siete ocho nueve diez cien mil`)
	timeWords = wordSet(`january february march april may june july august september october november december monday tuesday wednesday thursday friday
		saturday sunday spring summer autumn winter morning noon afternoon evening night midnight today tomorrow yesterday now soon o'clock weekend
		januar februar märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag morgen abend uhr
		janvier février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche heures
		enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles jueves viernes sábado domingo`)
	habits = wordSet(`daily weekly monthly yearly always never often sometimes rarely usually seldom frequently regularly occasionally times days weeks
		täglich wöchentlich immer nie oft manchmal selten toujours jamais souvent parfois rarement siempre nunca`)
	causes = expression.Of(`\b(?:because|due to|owing to|thanks to|as a result|result of|caused by|caused|since (?:the|it|they|he|she|we|there|most|many|few|its|their)|for (?:\pL+ )?(?:repairs?|maintenance|renovation|safety|reasons?|lack|want|fear)|therefore|so that|reason|reasons|driven by|led to|given that|on account of|after|in order to|lack of|to (?:avoid|save|reduce|make|help|keep)|weil|da|wegen|denn|aufgrund|deshalb|damit|parce que|car|en raison|à cause|grâce|afin|porque|debido|gracias a|por eso|ya que)\b`)
	unsaid = wordSet("suspended closed ended removed cancelled canceled stopped without lack missing absent banned refused rejected excluded except")
	nots   = wordSet("nicht kein keine keinen nie niemals jamais pas aucun aucune nunca jamás ninguno ninguna")
)

// because reports a sentence that gives a reason.
func because(l line) bool { return causes.MatchString(fold(l.text)) }

// fits reports a sentence that can be the answer by what it is: it speaks of the
// named people, places and years, says a time where one is asked for and a
// number where one is, and does not say the opposite.
func (q query) fits(p *page, at int, l line) bool {
	if l.row != nil {
		return q.fitsRow(p, at, l)
	}
	if q.direct != nil && !q.direct(l) {
		return false
	}
	for _, k := range q.must {
		if !l.has[k] && !p.before(at)[k] {
			return false
		}
	}
	return q.fitsNames(p, at, l) && q.fitsYears(p, l) && q.fitsAsking(p, at, l) && q.fitsSense(l) && q.toThePoint(p, at, l)
}

// fitsNames wants each name of the question in the passage or its source. A
// month or a day of the week must stand in the sentence itself or in what it
// stands under. A sentence on another country alone speaks of that one.
func (q query) fitsNames(p *page, at int, l line) bool {
	land, here := false, false
	for _, n := range q.names {
		if !p.has[n] && !p.around[n] {
			return false
		}
		if calendar[n] && !l.has[n] && !p.around[n] && !p.before(at)[n] {
			return false
		}
		if countryNames[n] != "" {
			land, here = true, here || l.has[n]
		}
	}
	if !land || here {
		return !q.ofAnother(p, at, l)
	}
	return len(l.lands) == 0
}

// ofAnother reports a sentence that names somebody or something by a name of its
// own, and none of those that the question names.
func (q query) ofAnother(p *page, at int, l line) bool {
	if len(q.names) == 0 || q.lang == langDE || l.own {
		return false
	}
	named := false
	for _, n := range q.names {
		if l.has[n] || p.around[n] || p.before(at)[n] {
			return false
		}
		named = named || !calendar[n] && !isDigits(n)
	}
	return named && l.any(func(w word) bool { return w.proper && !w.stop && !calendar[w.text] && !timeWords[w.text] })
}

func isDigits(s string) bool { return strings.Trim(s, "0123456789.,") == "" }

// fitsYears wants each year of the question in the sentence, or in what it stands
// in where the sentence names no other.
func (q query) fitsYears(p *page, l line) bool {
	for _, y := range q.years {
		if l.years[y] {
			continue
		}
		if len(l.years) > 0 {
			return false
		}
		in := p.dated[y]
		others := false
		for _, o := range p.lines {
			in = in || o.years[y]
			for x := range o.years {
				others = others || x != y
			}
		}
		if !in || others && !p.dated[y] {
			return false
		}
	}
	return true
}

func (q query) fitsAsking(p *page, at int, l line) bool {
	if (q.closed || q.asks == asksOften) && q.you && !l.own {
		return false // what a report says is no doing of the Mind's
	}
	if !q.tells(p, at, l) {
		return false
	}
	switch {
	case q.asks == asksWhoever:
		return q.namesSomebody(l)
	case q.asks == asksWhy:
		return because(l) || at+1 < len(p.lines) && because(p.lines[at+1]) && leans(p.lines[at+1])
	case q.asks == asksHow && q.attr == nil && howMuchOf.MatchString(fold(q.text)):
		return l.any(func(w word) bool { return w.number || countWords[w.text] })
	case q.asks == asksOften:
		return habitual.MatchString(fold(l.text)) || l.any(func(w word) bool { return habits[w.text] || habits[w.stem] })
	}
	return true
}

func (l line) any(is func(word) bool) bool {
	for _, w := range l.words {
		if is(w) {
			return true
		}
	}
	return false
}

// fitsSense compares what is said of the topic, clause by clause: who asks why
// something fell is not answered by why it rose, nor who asks what was not done
// by what was.
func (q query) fitsSense(l line) bool {
	if q.closed {
		return true // a no is an answer to it
	}
	for _, t := range q.terms {
		if o := opposites[t.kin]; o != "" && l.has[o] && !l.has[t.kin] && !q.asksFor(o) {
			return false
		}
	}
	main := q.mainClause(l.text)
	ws := words(phrased(main))
	not, up, down := false, false, false
	for _, w := range ws {
		not = not || negations[w.text] || nots[w.text] || strings.HasSuffix(w.text, "n't")
		up = up || trend[w.text] > 0
		down = down || trend[w.text] < 0
	}
	if q.rising > 0 && down && !up || q.rising < 0 && up && !down {
		return false
	}
	if q.negated {
		return not || l.any(func(w word) bool { return negations[w.text] || nots[w.text] || unsaid[w.text] })
	}
	switch q.asks {
	case asksWhy, asksWhen, asksHow, asksAmount, asksWhere, asksOften, asksWhoever:
		return !not
	}
	return true
}

func (q query) asksFor(kin string) bool {
	for _, t := range q.terms {
		if t.kin == kin {
			return true
		}
	}
	return false
}

// mainClause is the part of a sentence that holds most of the question, its
// direction aside.
func (q query) mainClause(text string) string {
	best, most := text, 0.0
	for _, c := range clauses(fold(text)) {
		hit := 0.0
		has := map[string]bool{}
		for _, w := range words(phrased(c)) {
			has[kinIn(q.lang, w)] = true
		}
		for _, t := range q.terms {
			if has[t.kin] && t.kin != "rise" && t.kin != "fall" {
				hit += t.weight
			}
		}
		if hit > most {
			best, most = c, hit
		}
	}
	return best
}
