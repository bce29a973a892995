package grounding

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/brief"
)

// figure is one share that a text states, with the words that state it.
type figure struct {
	axis, label string
	pct         float64
	quote       string
}

// percentWords follow a number as a percent sign would.
var percentWords = map[string]bool{"%": true, "percent": true, "prozent": true, "procent": true, "procento": true, "pct": true, "percento": true, "proc": true, "％": true}

// secondOfPercent are words that make a percent of two: per cent, pour cent.
var secondOfPercent = map[string]string{"per": "cent cento", "pour": "cent", "por": "ciento cento"}

// verbs join who is counted with what they are.
var verbs = map[string]bool{
	"are": true, "were": true, "is": true, "was": true, "identify": true, "identified": true, "live": true, "lived": true, "work": true,
	"sind": true, "waren": true, "ist": true, "leben": true, "wohnen": true, "sont": true, "etaient": true, "vivent": true, "habitent": true, "son": true, "eran": true, "viven": true,
	"sono": true, "erano": true, "vivono": true, "sao": true, "eram": true, "vivem": true, "zijn": true, "waren.": true, "wonen": true, "to": false, "ar": true, "var": true, "stanowia": true, "stanowily": true, "mieszka": true,
}

// makeUp are verbs that put the label before its share: "women make up 52 %".
var makeUp = map[string]bool{
	"make": true, "made": true, "makes": true, "account": true, "accounts": true, "accounted": true, "represent": true, "represented": true, "represents": true, "constitute": true, "constituted": true, "comprise": true, "comprised": true,
	"machen": true, "stellen": true, "machten": true, "stellten": true, "representent": true, "representaient": true, "representan": true, "rappresentano": true, "representam": true, "vormen": true, "utgor": true, "stanowia": true,
}

// of joins a share with who is counted.
var of = map[string]bool{"of": true, "der": true, "von": true, "des": true, "de": true, "du": true, "dei": true, "degli": true, "delle": true, "del": true, "dos": true, "das": true, "van": true, "av": true, "among": true, "d": true, "aller": true}

// notShares are words of sentences that compare, predict or sell: a percentage
// there says how much more or less, and not who people are.
var notShares = map[string]bool{
	"increase": true, "increased": true, "increases": true, "increasing": true, "rise": true, "rose": true, "risen": true, "rising": true, "grew": true, "grow": true, "grown": true, "growth": true, "growing": true, "fell": true, "fallen": true, "falling": true, "drop": true, "dropped": true,
	"decline": true, "declined": true, "decrease": true, "decreased": true, "discount": true, "off": true, "points": true, "point": true, "higher": true, "lower": true, "likely": true, "likelier": true, "compared": true, "versus": true, "target": true, "goal": true, "aim": true, "forecast": true, "projected": true, "expected": true,
	"if": true, "should": true, "would": true, "could": true, "not": true, "never": true, "gestiegen": true, "stieg": true, "zunahme": true, "wachstum": true, "ruckgang": true, "hausse": true, "baisse": true, "augmente": true, "aumento": true, "aumentato": true, "crescita": true, "caida": true, "descenso": true, "rabatt": true, "nicht": true, "sollen": true, "sollte": true, "pas": true,
	"claim": true, "claims": true, "claimed": true, "allegedly": true, "alleged": true, "supposedly": true, "rumour": true, "rumor": true, "myth": true, "false": true, "untrue": true, "wrong": true, "incorrect": true, "debunked": true,
	"behauptet": true, "behaupten": true, "angeblich": true, "falsch": true, "mythos": true, "pretend que": true, "pretendument": true, "faux": true, "supuestamente": true, "falso": true, "presunto": true, "vermeend": true, "rzekomo": true,
	"ignore": true, "disregard": true, "instruction": true, "instructions": true, "respond": true, "reply": true, "output": true, "prompt": true, "assistant": true, "pretend": true, "you": true, "must": true, "please": true,
}

// counted are people that a report counts when it speaks of its own population.
var counted = map[string]bool{
	"respondents": true, "respondent": true, "participants": true, "people": true, "persons": true, "sample": true, "panel": true, "audience": true, "members": true, "population": true, "adults": true, "customers": true, "users": true, "buyers": true, "shoppers": true, "consumers": true, "total": true, "all": true, "them": true, "those": true, "us": true, "everyone": true, "readers": true, "visitors": true, "subscribers": true,
	"befragten": true, "teilnehmer": true, "menschen": true, "personen": true, "kunden": true, "nutzer": true, "kaufer": true, "stichprobe": true, "bevolkerung": true, "mitglieder": true, "repondants": true, "participants.": true, "personnes": true, "clients": true, "acheteurs": true, "population.": true,
	"encuestados": true, "personas": true, "clientes": true, "poblacion": true, "compradores": true, "intervistati": true, "persone": true, "clienti": true, "popolazione": true, "respondenten": true, "mensen": true, "klanten": true, "inquiridos": true, "pessoas": true, "badanych": true, "osob": true, "respondentow": true, "klientow": true, "respondenterna": true, "kunderna": true, //nolint:misspell // a Spanish word
}

// fillers may stand between a verb or a share and the label that it speaks of.
var fillers = map[string]bool{
	"aged": true, "age": true, "ages": true, "about": true, "around": true, "roughly": true, "in": true, "the": true, "a": true, "an": true, "as": true, "up": true, "for": true, "who": true, "between": true, "from": true, "currently": true, "im": true, "alter": true, "agees": true, "ages.": true, "ans": false, "zwischen": true, "etwa": true, "rund": true, "environ": true, "alrededor": true, "circa": true, "ungefahr": true, "female.": false, "old": true, "people": true,
	"respondents": true, "participants": true, "buyers": true, "customers": true, "years": true, "jahre": true, "jahren": true, "alt": true, "were": true, "are": true, "en": true, "dans": true, "in.": true, "auf": true, "dem": true, "das": true, "zu": true, "werden": true, "wird": true,
}

// urbanWords name where people live.
var urbanWords = map[string]string{
	"urban": "Urban", "cities": "Urban", "city": "Urban", "towns": "Urban", "urban areas": "Urban", "stadt": "Urban", "stadten": "Urban", "grossstadten": "Urban", "ville": "Urban", "villes": "Urban", "ciudades": "Urban", "citta": "Urban", "stad": "Urban",
	"rural": "Rural", "countryside": "Rural", "rural areas": "Rural", "villages": "Rural", "land": "Rural", "dorfern": "Rural", "campagne": "Rural", "suburban": "Suburban", "suburbs": "Suburban", "suburban areas": "Suburban",
}

// mostWords is how far a sentence is read; a longer one states no plain share.
const mostWords = 60

// readSentence finds the plain shares of one sentence. about are the stems of the
// population meant, for "14 % of the nurses are men".
func readSentence(sentence string, about map[string]bool) []figure {
	fields := strings.Fields(sentence)
	if len(fields) > mostWords {
		return nil
	}
	words := make([]string, len(fields))
	for i, f := range fields {
		words[i] = strings.Trim(fold(f), ".")
		if notShares[words[i]] {
			return nil
		}
	}
	var out []figure
	for i := range fields {
		pct, next, ok := percentAt(fields, words, i)
		if !ok {
			continue
		}
		axis, label := labelAfter(fields, words, next, about)
		if axis == "" {
			axis, label = labelBefore(fields, words, i)
		}
		if axis != "" {
			out = append(out, figure{axis: axis, label: label, pct: pct, quote: strings.TrimSpace(sentence)})
		}
	}
	return out
}

// percentAt reads a percentage that starts at word i; next is the word after it.
func percentAt(fields, words []string, i int) (pct float64, next int, ok bool) {
	raw := strings.TrimRight(strings.TrimLeft(fields[i], "(~≈[<>≥≤"), ".,;:)]")
	if raw == "" || (raw[0] < '0' || raw[0] > '9') && raw[0] != '%' {
		return 0, 0, false
	}
	number := strings.TrimRight(raw, "%％")
	next = i + 1
	if len(number) == len(raw) {
		if next >= len(words) {
			return 0, 0, false
		}
		switch w := words[next]; {
		case percentWords[w] || fields[next] == "%" || strings.HasPrefix(fields[next], "%"):
			next++
		case secondOfPercent[w] != "" && next+1 < len(words) && strings.Contains(" "+secondOfPercent[w]+" ", " "+words[next+1]+" "):
			next += 2
		default:
			return 0, 0, false
		}
	}
	pct, ok = number100(number)
	return pct, next, ok
}

// number100 reads a share of 0 to 100 with a point or a comma.
func number100(s string) (float64, bool) {
	if s == "" || len(s) > 7 || strings.Count(s, ".")+strings.Count(s, ",") > 1 {
		return 0, false
	}
	p, err := strconv.ParseFloat(strings.Replace(s, ",", ".", 1), 64)
	return p, err == nil && p >= 0 && p <= 100
}

// labelAfter reads "... of the buyers are women" and "... women" behind a share.
func labelAfter(fields, words []string, at int, about map[string]bool) (axis, label string) {
	i := at
	if i < len(words) && of[words[i]] {
		// Who is counted, up to the verb: they must be the population itself.
		plain, verb := false, -1
		for j := i + 1; j < len(words) && j <= i+8; j++ {
			if verbs[words[j]] {
				verb = j
				break
			}
			if genderWords[words[j]] != "" {
				return "", ""
			}
			if _, ok := parseBand(fields[j]); ok {
				return "", ""
			}
			plain = plain || counted[words[j]] || isAbout(words[j], about)
		}
		if verb < 0 || !plain {
			return "", ""
		}
		i = verb + 1
	} else if i < len(words) && verbs[words[i]] {
		i++
	}
	for i < len(words) && fillers[words[i]] {
		i++
	}
	axis, label, end := labelAt(fields, words, i)
	if axis == "" || !ends(fields, words, end) {
		return "", ""
	}
	return axis, label
}

func isAbout(word string, about map[string]bool) bool {
	if r := []rune(word); len(r) > 6 {
		word = string(r[:6])
	}
	return about[word]
}

// labelAt reads a segment that is known beyond doubt at word i; end is the word
// after it.
func labelAt(fields, words []string, i int) (axis, label string, end int) {
	for n := min(4, len(words)-i); n >= 1; n-- {
		phrase := strings.Join(words[i:i+n], " ")
		raw := strings.TrimRight(strings.Join(fields[i:i+n], " "), ".,;:)")
		if n <= 2 {
			if g := genderWords[phrase]; g != "" && len(phrase) > 1 {
				return AxisGender, g, i + n
			}
		}
		if e := employmentWords[phrase]; e != "" {
			return AxisEmployment, e, i + n
		}
		if u := urbanWords[phrase]; u != "" {
			return brief.AxisUrbanity, u, i + n
		}
		if b, ok := parseBand(raw); ok && (b.to-b.from > 0) && !strings.Contains(raw, "%") {
			return AxisAge, b.String(), i + n
		}
	}
	return "", "", i
}

// ends reports whether a label is complete at its end: "60 % women" is, "60 %
// women's shoes" and "60 % female founders" are not.
func ends(fields, words []string, end int) bool {
	if strings.ContainsAny(fields[end-1], "'’") {
		return false
	}
	if end >= len(words) || strings.HasSuffix(fields[end-1], ",") || strings.HasSuffix(fields[end-1], ";") || strings.HasSuffix(fields[end-1], ")") {
		return true
	}
	switch words[end] {
	case "and", "or", "und", "oder", "et", "ou", "y", "o", "e", "en", "och", "i", "while", "whereas", "respondents", "participants", "people", "in", "as", "years", "old", "jahre", "ans", "anos", "anni", "jaar", "lat", "befragte", "":
		return true
	}
	// The next share begins: "52 % women 48 % men".
	_, _, ok := percentAt(fields, words, end)
	return ok
}

// labelBefore reads "women make up 52 %", "Women: 52 %" and "aged 18-24: 14 %".
func labelBefore(fields, words []string, at int) (axis, label string) {
	i := at - 1
	for i >= 0 && (fillers[words[i]] || words[i] == "") {
		i--
	}
	joined := i >= 0 && strings.ContainsAny(fields[i][len(fields[i])-1:], ":=")
	if i >= 0 && makeUp[words[i]] {
		joined = true
		i--
	} else if i >= 0 && !joined && at-1 >= 0 && (fields[at-1] == "=" || fields[at-1] == ":" || fields[at-1] == "-" || fields[at-1] == "–") {
		joined = true
	}
	if !joined || i < 0 {
		return "", ""
	}
	for n := 3; n >= 1; n-- {
		start := i - n + 1
		if start < 0 {
			continue
		}
		// Something before the label may make it another's: "sales to women: 52 %".
		if start > 0 && !strings.HasSuffix(fields[start-1], ",") && !strings.HasSuffix(fields[start-1], ";") && !fillers[words[start-1]] {
			continue
		}
		if a, l, end := labelAt(fields, words, start); a != "" && end == i+1 {
			return a, l
		}
	}
	return "", ""
}

// clip keeps at most n runes of a text as they stand: a quote is verbatim.
func clip(s string, n int) string {
	if len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	count := 0
	for i := range s {
		if count == n {
			return s[:i]
		}
		count++
	}
	return s
}
