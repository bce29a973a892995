package simulate

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// kinds of words that ask for the same thing in a text. Each line is one class;
// a word that stands in none is its own stem. They serve the finding of
// passages alone: published questions are compared more strictly (sameWord).
var kinLines = []string{
	"ship vessel boat ferry",
	"employ employee employees employed staff workforce personnel worker workers colleague",
	"customer client patron",
	"passenger passengers traveller traveler travellers travelers rider riders",
	"buy bought purchase purchased purchases buying buyer",
	"sell sold sells selling seller sale sales",
	"cost costs price prices priced fare fares charge charged fee fees expensive cheap cheaper",
	"earn earns earned salary salaries wage wages pay paid paying",
	"revenue revenues turnover income takings",
	"profit profits earnings",
	"bike bikes bicycle bicycles cycle",
	"dog dogs hound",
	"child children kid kids",
	"student students pupil pupils",
	"accident accidents crash crashes incident incidents",
	"fatal fatality fatalities killed kill death deaths died dead die",
	"injure injured injury injuries hurt wounded",
	"wifi wlan internet",
	"co2 carbon",
	"emission emissions",
	"power electricity electric",
	"complain complains complained complaint complaints",
	"delay delays delayed late lateness",
	"return returns returned resume resumes resumed reopen",
	"suspend suspended cancel cancelled canceled discontinue discontinued",
	"close closed closes closing shut",
	"open opens opened opening",
	"start starts started begin begins began begun beginning",
	"release released launch launched",
	"rebuild rebuilt rebuilding reconstruct reconstruction renovate renovated renovation",
	"build built builds building construct constructed construction",
	"discount discounts rebate reduction",
	"apprentice apprentices trainee trainees",
	"telephone phone phones smartphone smartphones mobile",
	"harbour harbor port",
	"meal meals food dish dishes",
	"drink drank drunk drinks beverage beverages",
	"eat ate eaten eats",
	"illness ill sick sickness disease diseases",
	"doctor doctors physician physicians",
	"car cars automobile automobiles",
	"house houses home homes dwelling",
	"child-care childcare nursery",
	"holiday holidays vacation vacations",
	"company companies firm firms business businesses",
	"ceo",
	"risk risks danger dangers hazard hazards",
	"reason reasons cause caused causes causing",
	"improve improved improves improvement improvements",
	"reduce reduced reduction reductions",
	"aim aims goal goals target targets intend intends plan plans planned",
	"test tested tests testing trial trials pilot",
	"use used uses using usage",
	"travel travels travelled traveled travelling journey journeys trip trips",
	"carry carried carries carrying transport transported",
	"take takes took taken",
	"leave leaves left",
	"hold holds held",
	"young younger youth",
	"old older elderly",
	"woman women female females",
	"man men male males",
	"rise rises rose risen increase increased increases increasing grow grew grown growth raise raised",
	"fall falls fell fallen decrease decreased decreases decreasing decline declined declines drop dropped drops",
	"wait waits waited waiting queue queues queuing",
	"quick quickly fast rapidly rapid",
	"amazing great excellent",
	"teach taught teaches teaching teacher",
	"live lives lived living resident residents inhabitant inhabitants",
	"invest invested invests investment investments",
	"meet met meeting meetings",
	"shop shops store stores",
	"rent rents renting lease",
	"garbage rubbish trash waste",
	"flat flats apartment apartments",
	"film films movie movies",
	"abolish abolished scrap scrapped remove removed removes",
	"permit permits permitted allow allows allowed may",
	"expect expects expected forecast forecasts",
	"drive drives drove driven driving driver",
	"write wrote written writes",
	"speak spoke spoken speaks",
	"choose chose chosen chooses choice",
	"spend spent spends spending expenditure",
	"lose lost loses loss losses",
	"win won wins",
	"know knew known knows knowledge",
	"bring brought brings",
	"sign signed signs signing",
	"freeze froze frozen",
	"own owns owned owner owners",
	"heavy weigh weighs weighed weight kilogram kilograms kg",
	"loud loudness decibel decibels",
	"common commonest frequent frequently",
	"founded established",
	"occupation job jobs profession career",
}

// phrases of several words that are one.
var kinPhrases = map[string]string{
	"carbon dioxide": "co2", "carbon footprint": "co2", "wireless internet": "wifi", "wi-fi": "wifi",
	"mobile phone": "phone", "cell phone": "phone", "chief executive": "ceo", "managing director": "ceo",
	"united states": "USA", "go down": "fall", "went down": "fell", "go up": "rise", "went up": "rose",
	"best-selling": "bestselling", "best selling": "bestselling", "sold best": "bestselling", "sells best": "bestselling", "sold the most": "bestselling", "sold most": "bestselling", "on board": "aboard", "no longer": "not",
}

var kinPhraseList = slices.Sorted(maps.Keys(kinPhrases))

var kinPhrase = func() *expression.Expression {
	var all []string
	for _, p := range kinPhraseList {
		all = append(all, regexp.QuoteMeta(p))
	}
	return expression.Of(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
}()

// phrased writes phrases of several words as one.
func phrased(s string) string {
	low := strings.ToLower(s)
	for _, p := range kinPhraseList { // far cheaper than the expression, which rarely has to run
		if strings.Contains(low, p) {
			return kinPhrase.ReplaceAllStringFunc(s, func(p string) string { return kinPhrases[strings.ToLower(p)] })
		}
	}
	return s
}

var kin = func() map[string]string {
	m := map[string]string{}
	for _, line := range kinLines {
		ws := strings.Fields(line)
		for _, w := range ws {
			m[w] = ws[0]
			if s := stem(w); m[s] == "" {
				m[s] = ws[0]
			}
		}
	}
	return m
}()

// kinMembers are the words of each class.
var kinMembers = func() map[string][]string {
	m := map[string][]string{}
	for _, line := range kinLines {
		ws := strings.Fields(line)
		m[ws[0]] = ws
	}
	for p, w := range kinPhrases {
		m[strings.ToLower(w)] = append(m[strings.ToLower(w)], p)
	}
	for _, ws := range m {
		slices.Sort(ws)
	}
	return m
}()

// kinIn is the class of a word in a language: one name for all words of a line,
// or the word without its ending.
func kinIn(lang string, w word) string {
	if g := grammars[lang]; g != nil && !w.number {
		if head, rest, elided := strings.Cut(w.text, "'"); elided && lang == langFR && len(head) <= 2 && rest != "" {
			return g.form(rest) // "l'outil"
		}
		return g.form(w.text)
	}
	if lang == langKO {
		return koreanForm(w.text)
	}
	return kinOf(w)
}

// shortVerbs give verbs of four letters in -e the form they have without an
// ending: "voted" is "vote".
var shortVerbs = map[string]string{
	"vot": "vote", "mov": "move", "sav": "save", "lov": "love", "nam": "name", "rat": "rate", "hir": "hire", "fir": "fire", "fac": "face", "cit": "cite", "dat": "date",
	"rul": "rule", "fil": "file", "bak": "bake", "bik": "bike", "hik": "hike", "urg": "urge", "eas": "ease", "rac": "race", "tun": "tune", "cop": "cope", "tim": "time", "bas": "base",
	"stor": "store", "clos": "close", "danc": "dance", "serv": "serve",
}

func kinOf(w word) string {
	if w.text == "may" && w.proper {
		return w.text // the month
	}
	if c, ok := kin[w.text]; ok {
		return c
	}
	if c, ok := kin[w.stem]; ok {
		return c
	}
	if c, ok := baseOf(w); ok {
		return c
	}
	if c, ok := shortVerbs[w.stem]; ok {
		return c
	}
	if h, ok := poleIndex[w.text]; ok && h.base != "stay" && h.base != "grow" {
		return h.base
	}
	return w.stem
}

// broad words stand in any text on anything: that a sentence holds them says
// little of whether it answers.
var broad = func() map[string]bool {
	m := map[string]bool{}
	for w := range wordSet(`people person thing things way ways time times day days week weeks month months year years number numbers
		amount share percent percentage proportion part average mean total overall main important company companies firm business
		organisation organization group country world life work make makes made get gets got give gives given take takes took taken
		use used uses go goes went come comes came see look know want need like good bad best better big large small high low long
		short new many old first last next happen happens happened develop developed development cost change changed cause caused
		kind type sort example case point question answer fact level rate size report page bring brings find found keep put set help
		current recent today usually exactly roughly about approximately around would could please list name named names describe
		company's there anybody anyone somebody someone everybody everyone anything something everything wrong available`) {
		m[w] = true
		m[stem(w)] = true
	}
	for _, w := range []string{"cost", "own"} { // carry a question by themselves
		delete(m, w)
	}
	return m
}()

// modifiers are broad words that tell the thing when they stand right before it:
// "share price", "company car".
var modifiers = wordSet("monthly weekly daily yearly annual month share work life company country world time year week day level size number cost change case page report")

// opposites are classes of which a sentence may speak instead: who asks when a
// route opened is not told when it closed.
var opposites = func() map[string]string {
	m := map[string]string{}
	for _, pair := range []string{"open close", "start end", "begin end", "rise fall", "win lose", "hire fire", "arrive leave", "add abolish", "accept refus", "import export",
		"old young", "man woman", "first last", "summer winter", "day night", "indoor outdoor", "inside outside", "suspend return", "buy sell", "adult child",
		"men women", "parent child", "minimum maximum", "lowest highest", "least most", "arrival departure", "enter exit", "save spend", "export import"} {
		a, b, _ := strings.Cut(pair, " ")
		m[a], m[b] = b, a
	}
	return m
}()

// Directions that a development can take.
var trend = func() map[string]int {
	m := map[string]int{}
	for w := range wordSet("rise rises rose risen rising increase increased increases increasing grow grew grown grows growing growth raise raised raises gain gained gains improve improved improves improvement doubled double higher up soared climbed") {
		m[w] = 1
	}
	for w := range wordSet("fall falls fell fallen falling decrease decreased decreases decreasing decline declined declines declining drop dropped drops shrink shrank shrunk reduce reduced reduces reduction cut halve halved lower down worsen worsened worsens plunged sank") {
		m[w] = -1
	}
	return m
}()
