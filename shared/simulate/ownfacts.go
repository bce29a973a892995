package simulate

import (
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Honest is what a Mind says when it is asked whether it is a person. No profile
// and no survey answers that, and a drawn "Yes" would be a lie.
const Honest = "I am a synthetic persona, not a real person: my answers are simulated."

var (
	asksReal = expression.Of(`^(?:(?:are you|am i (?:talking|speaking|chatting|writing) (?:to|with)) (?:really |actually |just |even )?(?:a |an )?(?:(?:real|actual|living|genuine|true|live) )?` +
		`(?:real|human|person|human being|individual|ai|artificial intelligence|robot|bot|chatbot|machine|computer|computer program|language model|llm|synthetic|synthetic persona|synthetic person|simulated|simulation|persona)(?: or (?:just )?(?:a |an )?[a-z ]+)?|do you (?:really |actually )?exist)$`)

	ageWords    = `(?: years?(?: old| of age)?| yrs?(?: old)?)?`
	asksSex     = expression.Of(`^(?:are you|do you identify as) (?:a |an )?(woman|female|man|male)$`)
	asksAge     = expression.Of(`^are you (?:currently |aged )?(under|below|younger than|less than|over|above|older than|more than|at least|at most) (?:the age of )?(\d{1,3})` + ageWords + `$`)
	asksAgeOr   = expression.Of(`^are you (?:currently |aged )?(\d{1,3})` + ageWords + ` (?:or|and) (over|older|above|more|up|under|younger|below|less)$`)
	asksBetween = expression.Of(`^are you (?:currently )?(?:aged )?(?:between )?(?:the ages of )?(\d{1,3})(?: and | to | ?- ?)(\d{1,3})` + ageWords + `$`)
	asksExact   = expression.Of(`^are you (?:currently |aged )?(\d{1,3})` + ageWords + `$`)
	asksPlace   = expression.Of(`^(?:do you (?:currently )?(?:live|reside)|are you (?:currently )?(?:living|based|located)) in (?:the )?(?:(?:state|region) of )?(.+?)(?: region| division| state)?$`)
	positiveAsk = strings.NewReplacer("aren't you", "are you", "don't you", "do you")
)

// isAskedReal reports whether a text asks if the Mind is a person.
func isAskedReal(text string) bool {
	t := plainAsk(text)
	return asksReal.MatchString(t) || asksRealToo.MatchString(t)
}

// The same in other languages with frames.
var asksRealToo = expression.Of(`^¿?(?:(?:bist du|sind sie) (?:wirklich |eigentlich )?(?:ein(?:e)? )?(?:(?:echte[rs]?|richtige[rs]?|reale[rs]?) )?(?:mensch|person|ki|roboter|bot|maschine|künstliche intelligenz)` +
	`|(?:es[- ]tu|êtes[- ]vous|tu es|vous êtes|est-ce que (?:tu es|vous êtes)) (?:vraiment )?(?:une? )?(?:vraie? |réelle? )?(?:personne(?: réelle)?|humaine?|être humain|ia|robot|machine|intelligence artificielle)` +
	`|(?:eres|es usted) (?:realmente )?(?:una? )?(?:persona(?: real| de verdad)?|human[oa]|ser humano|ia|robot|máquina|inteligencia artificial|real)` +
	`|(?:sen |siz )?(?:gerçek )?(?:bir )?(?:insan|robot|yapay zeka|gerçek) m[ıi]s[ıi]n(?:[ıi]z)?` +
	`|你是(?:真人|人类|机器人|人工智能|ai)吗|(?:あなたは)?(?:本物の)?(?:人間|ロボット|ai)ですか|(?:당신은 )?(?:진짜 )?(?:사람|인간|로봇)(?:인가요|입니까|이에요)|هل أنت (?:إنسان|شخص|روبوت)(?: حقيقي)?)\s*[？?؟]?$`)

// selfAsk is a question of yes or no on what a profile holds: sex, age, place.
type selfAsk struct {
	sex    string // f | m
	op     string // under | over | from | to | between
	lo, hi float64
	place  string
}

func plainAsk(text string) string {
	t := positiveAsk.Replace(strings.TrimSpace(foldLabel(text)))
	return filler.ReplaceAllString(t, "")
}

// readSelf reads such a question; nil when it is none.
func readSelf(text string) *selfAsk {
	t := plainAsk(text)
	num := func(s string) float64 { v, _ := strconv.ParseFloat(s, 64); return v }
	if m := asksSex.FindStringSubmatch(t); m != nil {
		sex, _ := parseGender(m[1])
		return &selfAsk{sex: sex}
	}
	if m := asksAge.FindStringSubmatch(t); m != nil {
		s := &selfAsk{lo: num(m[2])}
		switch m[1] {
		case "under", "below", "younger than", "less than":
			s.op = "under"
		case "at least":
			s.op = "from"
		case "at most":
			s.op = "to"
		default:
			s.op = "over"
		}
		return s
	}
	if m := asksAgeOr.FindStringSubmatch(t); m != nil {
		switch m[2] {
		case "under", "younger", "below", "less":
			return &selfAsk{op: "to", lo: num(m[1])}
		}
		return &selfAsk{op: "from", lo: num(m[1])}
	}
	if m := asksBetween.FindStringSubmatch(t); m != nil {
		return &selfAsk{op: "between", lo: num(m[1]), hi: num(m[2])}
	}
	if m := asksExact.FindStringSubmatch(t); m != nil {
		return &selfAsk{op: "between", lo: num(m[1]), hi: num(m[1])}
	}
	if m := asksPlace.FindStringSubmatch(t); m != nil {
		return &selfAsk{place: m[1]}
	}
	return nil
}

// in answers from a profile; ok is false where the profile does not settle it.
func (s *selfAsk) in(pr Profile) (yes bool, field string, ok bool) {
	switch {
	case s == nil:
		return false, "", false
	case s.sex != "":
		for _, v := range pr.values(dimGender) {
			if g, known := parseGender(v); known {
				return g == s.sex, "gender: " + v, true
			}
		}
		return false, "", false
	case s.op != "":
		for _, v := range pr.values(dimAge) {
			if a, known := parseAge(v); known {
				yes, ok = s.holds(a)
				return yes, "age: " + v, ok
			}
		}
		return false, "", false
	}
	return s.livesIn(pr)
}

// holds compares an age or a band of ages; what a band leaves open is open, and
// so is "over 18" at 18, which people say of both.
func (s *selfAsk) holds(a span) (yes, ok bool) {
	var no bool
	switch s.op {
	case "under":
		yes, no = a.hi < s.lo, a.lo >= s.lo
	case "over":
		yes, no = a.lo > s.lo, a.hi < s.lo
	case "from":
		yes, no = a.lo >= s.lo, a.hi < s.lo
	case "to":
		yes, no = a.hi <= s.lo, a.lo > s.lo
	case "between":
		yes, no = a.lo >= s.lo && a.hi <= s.hi, a.hi < s.lo || a.lo > s.hi
	}
	return yes, yes || no
}

// level is how wide a place of the US Census Bureau's table is, "" for others.
func level(place string) string {
	if _, ok := usRegions[place]; ok {
		return "region"
	}
	if _, ok := usDivisions[place]; ok {
		return "division"
	}
	if len(within[place]) > 0 {
		return "state"
	}
	return ""
}

// partOfCountry are names that stand for a country in a source's words but are
// only part of it to who lives there.
var partOfCountry = wordSet("england english scotland wales copenhagen")

func (s *selfAsk) livesIn(pr Profile) (yes bool, field string, ok bool) {
	asked := map[string]string{}
	for _, p := range append([]string{s.place}, within[s.place]...) {
		if l := level(p); l != "" {
			asked[l] = p
		}
	}
	code := countryNames[s.place]
	whole := code != "" && !partOfCountry[s.place] && s.place != "northern ireland"
	if code == "" && len(within[s.place]) > 0 && s.place != "georgia" {
		code = "US"
	}
	for _, k := range append([]string{"country of residence", "location", "residence"}, dimensionKeys[dimRegion]...) {
		v, has := pr.Get(k)
		if !has {
			continue
		}
		for _, p := range placeChain(v) {
			if p == s.place {
				return true, k + ": " + v, true
			}
			if l := level(p); l != "" && asked[l] != "" && asked[l] != p {
				return false, k + ": " + v, true
			}
		}
	}
	me := pr.read()
	if me.country == "" || code == "" || strings.HasPrefix(me.readFrom, "Nationality") {
		return false, "", false
	}
	field = me.readFrom
	if field == "" {
		v, _ := pr.Get("country", "country of residence")
		field = "country: " + v
	}
	if me.country != code {
		return false, field, true
	}
	return whole, field, whole
}

// yesOrNo finds the option that says so.
func yesOrNo(ls []label, yes bool) (int, bool) {
	want := 0.0
	if yes {
		want = 1
	}
	for i, l := range ls {
		if l.family == "yesno" && l.rank == want {
			return i, true
		}
	}
	return 0, false
}
