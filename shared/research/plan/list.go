package plan

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

var (
	manyCue = expression.Of(`(?i)\b(?:(?:select|choose|check|tick|mark|pick) (?:all|any|as many|up to|every)|all that apply|all which apply|any that apply|multiple (?:answers|choices|selections|options)|select multiple|choose several|more than one answer|one or more|todas las que|marque todas|seleccione todas|varias respuestas|plusieurs réponses|toutes les réponses|cochez tout|alle zutreffenden|mehrere antworten|mehrfachauswahl|mehrfachnennung\w*)`)
	// A closing list: "tea, coffee or juice?"
	closing   = expression.Of(`(?i)^(.*?)\s*,?\s+(?:or|o|ou|oder)\s+(.+?)\s*\?$`)
	lineItem  = expression.Of(`^\s*(?:[-*•◦]|\(?[a-zA-Z0-9]{1,2}[.)])\s+(.+)$`)
	notOption = expression.Of(`(?i)^(?:e\.?g\.?|for example|such as|if any|if at all|including|optional|please|i\.?e\.?|select|choose|check|tick|mark|pick|max|maximum|up to|marque|seleccione)\b`)
)

var (
	atMost  = expression.Of(`(?i)\b(?:up to|at most|no more than|max(?:imum)?(?: of)?|hasta|máximo|bis zu|maximal|höchstens|jusqu'à|au maximum)\s+(\d{1,2}|two|three|four|five|dos|tres|zwei|drei|fünf|deux|trois)\b`)
	numbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "dos": 2, "tres": 3, "zwei": 2, "drei": 3, "fünf": 5, "deux": 2, "trois": 3}
)

// mostOf reads how many answers a text allows; 0 when it does not say.
func mostOf(text string, options int) int {
	m := atMost.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	n, err := strconv.Atoi(m[1])
	if err != nil {
		n = numbers[strings.ToLower(m[1])]
	}
	if n < 1 || n >= options {
		return 0
	}
	return n
}

// asksMany reports a text that allows several answers.
func asksMany(text string) bool { return manyCue.MatchString(text) }

// Bounds of an option: longer pieces are sentences, not labels.
const (
	labelWords  = 12
	labelRunes  = 120
	mostOptions = 100
)

// readList finds options in the text. how says where they stood.
func readList(text string) (opts []string, how string) {
	if o := listLines(text); len(o) >= 2 {
		return o, "on lines of their own"
	}
	// Brackets: the last pair that holds a list.
	for end := len(text); end > 0; {
		close := strings.LastIndexAny(text[:end], ")]")
		if close < 0 {
			break
		}
		open := strings.LastIndexAny(text[:close], "([")
		if open < 0 {
			break
		}
		if o := split(text[open+1:close], true); len(o) >= 2 && (strings.Contains(text[open:close], " / ") || !slashed(text[open+1:close]) || slashList(text, o)) {
			return o, "in brackets"
		}
		end = open
	}
	if i := strings.LastIndex(text, ":"); i >= 0 && i+1 < len(text) && !digitsAround(text, i) {
		if o := split(stripInstruction(text[i+1:]), true); len(o) >= 2 {
			return o, "after a colon"
		}
	}
	if i := strings.LastIndexAny(text, "?"); i >= 0 { // "Which one? Tea / Coffee"
		if o := split(stripInstruction(text[i+1:]), true); len(o) >= 2 {
			return o, "after the question mark"
		}
	}
	if o := closingList(text); len(o) >= 2 {
		return o, "in its last words"
	}
	// "I feel valued. Strongly agree, agree, disagree": a known scale only, since
	// any sentence may hold commas.
	if i := strings.LastIndexAny(strings.TrimRight(text, ". "), ".!"); i >= 0 {
		if o := split(text[i+1:], true); len(o) >= 3 && simulate.Ordered(o) {
			return o, "in its last sentence"
		}
	}
	return nil, ""
}

// slashed reports a list whose only marks are slashes.
func slashed(s string) bool { return strings.Contains(s, "/") && !strings.ContainsAny(s, ";|\n,") }

var units = expression.Of(`(?i)^(?:hours?|days?|weeks?|months?|years?|nights?|yr|mo|hr|min|minutes?|users?|persons?|people|heads?|seats?|units?|kg|km|mile|gb|mb|or|her|hers|she|they|them|ux|a|o)$`)

// slashList reports slashes that part options and not a unit ("$5/month"), two
// names of one thing ("UI/UX") or two forms of one word ("he/she"): words only,
// and beside a question of yes or no only yes and no themselves.
func slashList(text string, opts []string) bool {
	for i, o := range opts {
		if strings.ContainsAny(o, "$€£%") || i > 0 && units.MatchString(o) || len(strings.Fields(o)) > 3 {
			return false
		}
		if len(opts) == 2 && strings.ContainsAny(o, "0123456789") {
			return false
		}
	}
	if len(opts) > 2 {
		return true
	}
	_, closed := yesNo(text)
	if !closed {
		if i := strings.LastIndexAny(text, "(["); i > 0 { // "Do you own a pet? (yes/no)"
			_, closed = yesNo(strings.TrimSpace(text[:i]))
		}
	}
	return !closed || simulate.Ordered(opts)
}

// listLines reads bulleted or lettered lines under the question.
func listLines(text string) []string {
	lines := strings.Split(text, "\n")
	if len(lines) < 3 {
		return nil
	}
	var out []string
	for _, l := range lines[1:] {
		if strings.TrimSpace(l) == "" {
			continue
		}
		m := lineItem.FindStringSubmatch(l)
		if m == nil {
			return nil
		}
		out = append(out, m[1])
	}
	return clean(out)
}

// split parts a list by the strongest separator that it holds: "/", ";", "|" or
// line breaks, else commas.
func split(s string, commas bool) []string {
	s = strings.TrimSpace(s)
	if s == "" || notOption.MatchString(s) {
		return nil
	}
	for _, sep := range []string{"|", ";", "\n", " / ", "/"} {
		if !strings.Contains(s, sep) {
			continue
		}
		if sep == "/" && strings.Contains(s, ",") && strings.Count(s, ",") >= strings.Count(s, "/") {
			continue // "Yes, No, Don't know/Refused"
		}
		return clean(strings.Split(s, sep))
	}
	if !commas || !strings.Contains(s, ",") {
		if commas { // "(yes or no)"
			for _, or := range []string{" or ", " o ", " ou ", " oder "} {
				if p := strings.Split(s, or); len(p) == 2 {
					return clean(p)
				}
			}
		}
		return nil
	}
	parts := strings.Split(s, ",")
	// "a, b, or c" and "a, b or c"
	last := strings.TrimSpace(parts[len(parts)-1])
	for _, or := range []string{"or ", "and ", "o ", "y ", "ou ", "et ", "oder ", "und "} {
		if len(last) > len(or) && strings.EqualFold(last[:len(or)], or) {
			parts[len(parts)-1] = last[len(or):]
			return clean(parts)
		}
	}
	for _, or := range []string{" or ", " o ", " ou ", " oder "} {
		if a, b, ok := strings.Cut(last, or); ok {
			return clean(append(parts[:len(parts)-1], a, b))
		}
	}
	return clean(parts)
}

// clean trims options; a list with a blank, overlong or repeated one, or with
// more than the contract allows, is no list of options.
func clean(parts []string) []string {
	var out []string
	seen := map[string]bool{}
	for i, p := range parts {
		p = strings.TrimSpace(p)
		p = strings.Trim(p, "\"“”'‘’*_ \t")
		p = strings.TrimRight(p, ".?!")
		p = strings.TrimSpace(p)
		if p == "" {
			if i == len(parts)-1 {
				continue // a trailing separator
			}
			return nil
		}
		if len(strings.Fields(p)) > labelWords || len([]rune(p)) > labelRunes || strings.ContainsAny(p, "\n?") {
			return nil
		}
		if !strings.ContainsFunc(p, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			return nil
		}
		k := strings.ToLower(p)
		if seen[k] {
			return nil
		}
		seen[k] = true
		out = append(out, p)
	}
	if len(out) < 2 || len(out) > mostOptions {
		return nil
	}
	return out
}

// closingList reads "Which do you prefer, tea, coffee or juice?": at least one
// comma must open the list, so that "Do you like tea or coffee?" stays as it is.
func closingList(text string) []string {
	if strings.Contains(text, "\n") {
		return nil
	}
	m := closing.FindStringSubmatch(text)
	if m == nil || !strings.Contains(m[1], ",") || strings.Contains(m[2], ",") {
		return nil
	}
	// "Would you vote for A, B, or C?" names the answers.
	if v := voteHead.FindStringSubmatch(m[1]); v != nil {
		o := clean(append(strings.Split(v[1], ","), m[2]))
		for i := range o {
			o[i] = strings.TrimPrefix(o[i], "the ")
		}
		return o
	}
	head := strings.Split(m[1], ",")
	dashed := false
	for _, dash := range []string{" - ", " – ", " — ", ": "} { // "… when you shop - very, somewhat, or not at all?"
		if a, b, ok := strings.Cut(head[0], dash); ok && len(strings.Fields(b)) <= 6 {
			head, dashed = append([]string{a, b}, head[1:]...), true
			break
		}
	}
	items := append(append([]string(nil), head[1:]...), m[2])
	for _, it := range items {
		if n := len(strings.Fields(it)); n == 0 || n > 6 {
			return nil
		}
	}
	first := strings.ToLower(strings.TrimSpace(items[0]))
	for _, w := range []string{"if any", "if at all", "in your opinion", "in general", "on average", "overall", "how", "why", "what", "when", "do you", "would you", "are you"} {
		if first == w || strings.HasPrefix(first, w+" ") {
			return nil
		}
	}
	// The list must answer a question of choice.
	if choiceHead.MatchString(head[0]) || dashed {
		return clean(items)
	}
	// "Do you trust it a great deal, a fair amount, or not at all?" names the
	// answers of a known scale; the first stands behind the verb.
	ws := strings.Fields(head[0])
	for n := min(4, len(ws)-2); n >= 1; n-- {
		o := clean(append([]string{strings.Join(ws[len(ws)-n:], " ")}, items...))
		if len(o) >= 3 && simulate.Ordered(o) {
			return o
		}
	}
	return nil
}

var voteHead = expression.Of(`(?i)^.*\b(?:vote for|choose between|decide between|prefer|rather have)\s+([^,]+(?:,[^,]+)+)$`)

var choiceHead = expression.Of(`(?i)^\s*(?:\W*\d+[.)]\s*)?(?:which|what|who|how often|how|where|when|cu[aá]l|qu[eé]|quel\w*|lequel|laquelle|welche\w*|was|wer)\b`)

// stripInstruction drops "Select all that apply." at either end of a list.
func stripInstruction(s string) string {
	loc := manyCue.FindStringIndex(s)
	if loc == nil {
		return s
	}
	rest := s[loc[1]:]
	if i := strings.IndexAny(rest, ".:)]"); i >= 0 && i < 40 {
		rest = rest[i+1:]
	} else if len(strings.Fields(rest)) < 4 && !strings.ContainsAny(rest, "/|;,") {
		rest = ""
	}
	return strings.TrimSpace(strings.TrimRight(s[:loc[0]], " (,.") + " " + rest)
}

// digitsAround keeps the colon of "10:30" out.
func digitsAround(s string, i int) bool {
	return i > 0 && i+1 < len(s) && s[i-1] >= '0' && s[i-1] <= '9' && s[i+1] >= '0' && s[i+1] <= '9'
}
