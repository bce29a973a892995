package pattern

import (
	"slices"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// rule finds one aspect in a sentence. Its first group, if it has one, is what
// the sentence is about.
type rule struct {
	aspect string
	re     *expression.Expression
	weight int // of two rules that fit one sentence, the heavier counts
	// words are parts of words, in lower case, of which a sentence must hold one:
	// most sentences hold none of any rule, and need no look at it.
	words []string
}

// who speaks, or is spoken of, in a statement that counts: the person, or those
// whom a study describes.
const (
	self   = `(?:I|we)`
	people = `(?:I|we|they|he|she|(?:\pL+ )?(?:customers?|users?|people|consumers?|buyers?|shoppers?|respondents?|participants?|patients?|parents?|employees?|members?|owners?|drivers?|students?|travell?ers?|guests?|readers?))`
	object = `((?:[\pL\pN][\pL\pN'’-]*)(?: [\pL\pN][\pL\pN'’-]*){0,5})`
)

func compile(s string) *expression.Expression { return expression.Of(`(?i)` + s) }

// rules, the plainer statements first. Each asks for a subject, so that an
// advertisement or a heading is not taken for what somebody said.
var rules = []rule{
	{Pains, compile(`\b` + people + `\b[^.;]{0,30}?\b(?:hates?|hated|(?:can['’]t|cannot|could not|couldn['’]t) stand|struggles? (?:with|to)|struggled (?:with|to)|(?:is|are|am|was|were|get|gets|got|feel|feels|felt) (?:really |very |so |often )?(?:annoyed|frustrated|overwhelmed|worried|anxious|fed up|stressed|disappointed|tired) (?:by|with|about|of|that|when)|complains? (?:about|that|of)|complained (?:about|that|of)|worr(?:y|ies|ied) (?:about|that))(?: ` + object + `)?`), 9, []string{"hate", "stand", "struggl", "annoyed", "frustrated", "overwhelmed", "worr", "anxious", "fed up", "stressed", "disappointed", "tired", "complain"}},
	{Pains, compile(`\b(?:my|our|their|the) (?:biggest |main |worst |greatest )?(?:problem|frustration|fear|worry|challenge|annoyance|headache|complaint|pain point)s? (?:is|are|was|were|with)(?: ` + object + `)?`), 9, []string{"problem", "frustration", "fear", "worr", "challenge", "annoyance", "headache", "complaint", "pain point"}},
	{Pains, compile(`\b` + people + `\b[^.;]{0,60}?\btoo (expensive|complicated|slow|difficult|hard|long|loud|confusing|costly|time-consuming|crowded)\b`), 6, []string{"too "}},
	{Goals, compile(`\b` + people + `\b(?: (?:really|also|just|still|only))?(?: (?:wants?|wanted|hopes?|hoped|plans?|planned|aims?|aimed|intends?|dreams? of|aspires?|wish(?:es)?) (?:to )?|(?:['’]d| would) (?:really )?(?:like|love) to |(?:['’]m| am| are|['’]re|is) (?:trying|saving|working|planning|hoping|aiming) (?:to|for|towards) )` + object), 8, []string{"want", "hope", "plan", "aim", "intend", "dream", "aspire", "wish", "would", "d like", "d love", "d really", "trying", "saving", "working"}},
	{Goals, compile(`\b(?:my|our|their|his|her) (?:\pL+ )?(?:goal|aim|dream|ambition|objective|plan)s? (?:is|are|was|were)(?: to)? ` + object), 9, []string{"goal", "aim", "dream", "ambition", "objective", "plan"}},
	{Values, compile(`\b(?:matters?(?: most| more| a lot| greatly| deeply)?|mattered(?: most)?|(?:is|are|was|were) (?:very |really |most |so |more )?(?:important|essential|crucial|key)) (?:to|for) (?:me|us|them|him|her|my|our)\b`), 9, []string{"matter", "important", "essential", "crucial", "key"}},
	{Values, compile(`\b` + people + `\b(?: (?:really|deeply|truly|also))? (?:values?|valued|cares? (?:deeply |a lot )?about|cared about|believes? in|stands? for|treasures?|cherish(?:es)?|respects?) ` + object), 8, []string{"value", "care", "believe", "stand", "treasure", "cherish", "respect"}},
	{Dislikes, compile(`\b` + people + `\b(?: (?:really|just|always))? (?:dislikes?|disliked|avoids?|avoided|refuses? to|(?:do|does|did|would)(?: not|n['’]t) (?:really |even )?(?:like|enjoy|trust|want|buy|use|need)|(?:would |will )?never (?:buy|use|trust|eat|order|go back to)) ` + object), 8, []string{"dislike", "avoid", "refuse", "not", "n't", "n’t", "never"}},
	{Preferences, compile(`\b` + people + `\b(?:['’]d| would)?(?: (?:really|much|always|usually|generally|also|mostly|still))? (?:prefers?|preferred|likes?|liked|loves?|loved|enjoys?|enjoyed|favou?rs?|adores?|(?:would )?rather|opts? for|chooses?) (?:to )?` + object), 7, []string{"prefer", "like", "love", "enjoy", "favo", "adore", "rather", "opt", "choose"}},
	{Preferences, compile(`\b(?:my|our|their|his|her) (?:\pL+ )?favou?rite (?:\pL+ ){0,3}?(?:is|are|was|were) ` + object), 9, []string{"favo"}},
	{Habits, compile(`\b` + people + `\b[^.;]{0,60}?\b(?:every (?:single )?(?:day|week|month|year|morning|evening|night|weekend|\pL+day|two|three|few|other)|(?:once|twice|\pN+ times|several times|three times) (?:a|per) (?:day|week|month|year)|each (?:day|week|morning|evening|month)|on (?:weekends|weekdays|(?:mon|tues|wednes|thurs|fri|satur|sun)days)|daily|weekly)\b`), 7, []string{"every", "times", "once", "twice", "each", "on weekends", "on weekdays", "days", "daily", "weekly"}},
	{Habits, compile(`\b` + people + `\b (?:always|usually|often|rarely|seldom|normally|typically|regularly|tend to|tends to) ` + object), 6, []string{"always", "usually", "often", "rarely", "seldom", "normally", "typically", "regularly", "tend"}},
	{Views, compile(`\b` + self + `\b(?: (?:really|honestly|still|also|personally|strongly))? (?:think|believe|feel|find|doubt|suspect|am convinced|are convinced|agree|disagree)\b(?: that)?(?: ` + object + `)?`), 5, []string{"think", "believe", "feel", "find", "doubt", "suspect", "convinced", "agree"}},
	{Views, compile(`\bin (?:my|our) (?:view|opinion|experience)\b,?(?: ` + object + `)?`), 6, []string{"in my", "in our"}},
	{Background, compile(`\bI(?:['’]m| am) (?:a|an|the) ` + object), 6, []string{"i'm", "i’m", "i am"}},
	{Background, compile(`\b` + self + `\b (?:live|lived|grew up|was born|were born|work|worked|studied|study|moved|retired|trained) (?:in|at|as|for|with|near|to|from) ` + object), 6, []string{"live", "grew up", "born", "work", "studied", "study", "moved", "retired", "trained"}},
	{Tone, compile(`\b` + self + `\b[^.;]{0,60}?\b(maybe|perhaps|I guess|sort of|kind of|honestly|frankly|to be honest|literally|obviously)\b`), 3, []string{"maybe", "perhaps", "guess", "sort of", "kind of", "honest", "frank", "literally", "obviously"}},
}

// labels are what people write before a colon, or above a list.
var labels = map[string]string{
	"value": Values, "values": Values, "core values": Values, "principles": Values, "beliefs": Values, "believes in": Values,
	"goal": Goals, "goals": Goals, "needs": Goals, "need": Goals, "wants": Goals, "aims": Goals, "ambitions": Goals, "motivations": Goals, "motivation": Goals, "dreams": Goals, "objectives": Goals,
	"like": Preferences, "likes": Preferences, "preference": Preferences, "preferences": Preferences, "favourite": Preferences, "favorites": Preferences, "favourites": Preferences, "interests": Preferences, "hobbies": Preferences, "loves": Preferences, "brands": Preferences,
	"dislike": Dislikes, "dislikes": Dislikes, "hates": Dislikes, "avoids": Dislikes, "turn-offs": Dislikes,
	"habit": Habits, "habits": Habits, "routine": Habits, "routines": Habits, "behaviour": Habits, "behaviours": Habits, "behavior": Habits, "behaviors": Habits, "daily life": Habits, "media use": Habits,
	"pain": Pains, "pains": Pains, "pain point": Pains, "pain points": Pains, "frustration": Pains, "frustrations": Pains, "fears": Pains, "worries": Pains, "challenges": Pains, "problems": Pains, "concerns": Pains, "barriers": Pains, "objections": Pains,
	"view": Views, "views": Views, "opinion": Views, "opinions": Views, "attitude": Views, "attitudes": Views,
	"tone": Tone, "tone of voice": Tone, "voice": Tone, "style": Tone, "quote": Tone, "motto": Tone, "language": Tone,
	"age": Background, "gender": Background, "occupation": Background, "job": Background, "profession": Background, "location": Background, "city": Background, "country": Background, "education": Background, "income": Background, "family": Background, "household": Background, "marital status": Background, "background": Background, "bio": Background, "biography": Background, "about": Background, "personality": Background,
}

var (
	labelled = expression.Of(`^[-*•\s]*([\pL][\pL /&-]{1,30}?)\s*[:：]\s+(\S.*)$`)
	bullet   = expression.Of(`^\s*(?:[-*•‣–]|\d{1,2}[.)])\s+(\S.*)$`)
	figure   = expression.Of(`(?:\d[\d.,]*\s?(?:%|percent|per cent|€|\$|£|million|billion|thousand|minutes?|hours?|years?|months?|days?|kg|km|people|respondents|households|customers|users|points?)|[€$£]\s?\d|\b(?:19|20)\d\d\b|\b(?:one|two|three|four) in (?:three|four|five|ten)\b|\b(?:majority|half|third|quarter) of\b)`)
	verb     = expression.Of(`(?i)\b(?:is|are|was|were|has|have|had|costs?|rose|fell|grew|increased|decreased|declined|reached|accounts?|spent|spends?|said|says?|sold|bought|uses?|used|reported|shows?|showed|found|amounts?|expects?|will|can|takes?|took|lasts?|provides?|remains?|became|becomes?|made|makes?|prefer|own|owns|live|lives|work|works|agree|agreed|chose|choose|received|contains?|requires?|ist|sind|war|hat|haben|est|sont|es|son)\b`)
)

// Find gives the patterns of a text by the rules, in the order of the text; when
// there are more than limit, those that are said most plainly, with room for
// every aspect.
func Find(texts []Text, limit int) []Pattern {
	f := finder{seen: map[string]bool{}}
	for _, t := range texts {
		f.read(t)
	}
	return f.best(limit)
}

type finding struct {
	Pattern
	weight int
	at     int
}

type finder struct {
	all     []finding
	seen    map[string]bool
	section string // aspect that the nearest heading or label gives to list items
	heading string
}

// maxFindings bounds what one text may hold on the way.
const maxFindings = 5_000

func (f *finder) read(t Text) {
	if t.Heading != "" && t.Heading != f.heading {
		f.enter(t.Heading, t.Where)
	}
	for line := range strings.SplitSeq(t.Text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if h, ok := heading(line); ok {
			f.enter(h, t.Where)
			continue
		}
		if f.label(line, t.Where) {
			continue
		}
		if m := bullet.FindStringSubmatch(line); m != nil && f.section != "" {
			f.add(f.section, "", m[1], t.Where, 8)
			continue
		}
		for _, s := range sentences(line) {
			f.sentence(s, t.Where)
		}
	}
}

// heading reports whether a line is a heading of Markdown, or a label alone.
func heading(line string) (string, bool) {
	if strings.HasPrefix(line, "#") {
		h := strings.TrimSpace(strings.Trim(line, "# "))
		return h, h != ""
	}
	if h, ok := strings.CutSuffix(line, ":"); ok && labels[fold(h)] != "" {
		return h, true
	}
	return line, labels[fold(line)] != ""
}

func fold(s string) string { return strings.ToLower(strings.Trim(strings.TrimSpace(s), "*_# ")) }

// enter begins a section.
func (f *finder) enter(h, where string) {
	f.heading = h
	f.section = labels[fold(h)]
	if f.section == "" && len(strings.Fields(h)) <= 12 && strings.IndexFunc(h, unicode.IsLetter) >= 0 {
		f.add(Topics, "", h, where, 2)
	}
}

// label reads "Goals: learn Spanish".
func (f *finder) label(line, where string) bool {
	m := labelled.FindStringSubmatch(line)
	if m == nil {
		return false
	}
	aspect := labels[fold(m[1])]
	if aspect == "" {
		return false
	}
	f.add(aspect, strings.ToLower(strings.TrimSpace(m[1])), strings.TrimLeft(line, "-*• \t"), where, 9)
	return true
}

func (f *finder) sentence(s, where string) {
	if n := len(strings.Fields(s)); n < 3 && !hasWide(s) {
		return
	}
	if f.seen[fingerprint(cut(s, MaxQuote))] || len(f.all) >= maxFindings {
		return
	}
	best := rule{}
	about := ""
	s = cut(s, maxSentence)
	lower := strings.ToLower(s)
	for _, r := range rules {
		if r.weight <= best.weight || !slices.ContainsFunc(r.words, func(w string) bool { return strings.Contains(lower, w) }) {
			continue
		}
		if m := r.re.FindStringSubmatch(s); m != nil {
			best, about = r, ""
			if len(m) > 1 {
				about = topic(m[1])
			}
		}
	}
	switch {
	case best.weight > 0:
		f.add(best.aspect, about, s, where, best.weight)
	case f.section != "" && f.section != Topics:
		f.add(f.section, "", s, where, 5)
	case countable(lower) && figure.MatchString(s) && (verb.MatchString(s) || strings.Contains(s, "%")):
		f.add(Facts, f.heading, s, where, 4)
	}
}

// fingerprint is one for quotes that differ in white space and case alone.
func fingerprint(quote string) string {
	return strings.ToLower(strings.Join(strings.Fields(quote), " "))
}

// countable reports whether a sentence may hold a figure; most do not, and need no
// closer look.
func countable(lower string) bool {
	return strings.ContainsAny(lower, "0123456789€$£") || strings.Contains(lower, " in ") || strings.Contains(lower, " of ")
}

// maxSentence bounds what is looked at of one sentence, in characters.
const maxSentence = 600

// topic shortens the object of a statement: it ends before a word that begins
// something else.
func topic(s string) string {
	words := strings.Fields(s)
	for i, w := range words {
		if i > 0 && slices.Contains(ends, strings.ToLower(w)) {
			words = words[:i]
			break
		}
	}
	for len(words) > 1 && slices.Contains(starts, strings.ToLower(words[0])) {
		words = words[1:]
	}
	return cut(strings.ToLower(strings.Join(words, " ")), maxSub)
}

var (
	ends   = []string{"and", "but", "because", "when", "if", "so", "than", "that", "which", "who", "while", "since", "as", "or", "over", "for", "with", "in", "at", "on", "before", "after", "every", "to", "is", "are", "was", "were", "from", "although", "unless", "where"}
	starts = []string{"the", "a", "an", "my", "our", "their", "his", "her", "that", "it", "to", "some", "any", "about", "being", "having"}
)

func (f *finder) add(aspect, sub, quote, where string, weight int) {
	quote = cut(quote, MaxQuote)
	key := fingerprint(quote)
	if quote == "" || f.seen[key] || len(f.all) >= maxFindings {
		return
	}
	f.seen[key] = true
	f.all = append(f.all, finding{Pattern{Aspect: aspect, SubAspect: cut(sub, maxSub), Quote: quote, Where: where}, weight, len(f.all)})
}

// best picks at most limit findings: turn by turn the plainest of every aspect.
func (f *finder) best(limit int) []Pattern {
	picked := f.plainest()
	if len(picked) > limit {
		by := map[string][]finding{}
		var aspects []string
		for _, x := range picked {
			if by[x.Aspect] == nil {
				aspects = append(aspects, x.Aspect)
			}
			by[x.Aspect] = append(by[x.Aspect], x)
		}
		for _, list := range by {
			slices.SortStableFunc(list, func(a, b finding) int { return b.weight - a.weight })
		}
		picked = nil
		for turn := 0; len(picked) < limit; turn++ {
			for _, a := range aspects {
				if list := by[a]; turn < len(list) && len(picked) < limit {
					picked = append(picked, list[turn])
				}
			}
		}
		slices.SortFunc(picked, func(a, b finding) int { return a.at - b.at })
	}
	out := make([]Pattern, len(picked))
	for i, x := range picked {
		out[i] = x.Pattern
	}
	return out
}

// maxTopics bounds the headings among the findings: a long manual has hundreds.
const maxTopics = 12

// plainest leaves out the headings beyond maxTopics.
func (f *finder) plainest() []finding {
	topics := 0
	return slices.DeleteFunc(slices.Clone(f.all), func(x finding) bool {
		if x.Aspect != Topics {
			return false
		}
		topics++
		return topics > maxTopics
	})
}

// sentences cuts a line at the ends of its sentences.
func sentences(s string) []string {
	var out []string
	from := 0
	runes := []rune(s)
	flush := func(to int) {
		if t := strings.TrimSpace(string(runes[from:to])); t != "" {
			out = append(out, t)
		}
		from = to
	}
	for i, r := range runes {
		switch r {
		case '。', '！', '？':
			flush(i + 1)
		case '.', '!', '?', '…':
			end := i + 1
			for end < len(runes) && strings.ContainsRune("\"”’')", runes[end]) {
				end++
			}
			if end >= len(runes) || unicode.IsSpace(runes[end]) && !abbreviated(runes, i) {
				flush(min(end, len(runes)))
			}
		}
	}
	flush(len(runes))
	return out
}

// abbreviated reports whether the full stop at i follows a single letter, as in
// "e.g." or an initial, or a common short form.
func abbreviated(r []rune, i int) bool {
	if r[i] != '.' {
		return false
	}
	from := i
	for from > 0 && unicode.IsLetter(r[from-1]) {
		from--
	}
	switch w := strings.ToLower(string(r[from:i])); {
	case i-from == 1 && w != "i":
		return true
	default:
		return slices.Contains([]string{"dr", "mr", "mrs", "ms", "prof", "st", "vs", "etc", "approx", "no", "fig", "bzw", "ca"}, w)
	}
}

func hasWide(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}
