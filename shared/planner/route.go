package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// routed is a skip wording that stood in front of or behind a question.
type routed struct {
	number string // of the source question; empty: the nearest before
	label  string // as written; empty where the wording gives none
	not    bool   // "unless", "if not"
	quoted string // the wording itself
}

var (
	// "If yes, which …?", "Falls ja: …", "Si oui, …"
	ifWord = expression.Of(`(?i)^(?:si es así|(?:only\s+)?(?:if|when)\s+(?:so\b|(?:the\s+)?(?:answer(?:ed)?|response)?\s*(?:is|was|=|to\s+(?:the\s+)?(?:previous|last)\s+question\s+is)?\s*["“'‘]?(yes|no|not|so)["”'’]?)|(?:nur\s+)?(?:falls|wenn)\s+["„]?(ja|nein|nicht)["“]?|si\s+(?:la\s+respuesta\s+es\s+|votre\s+réponse\s+est\s+)?["«]?\s*(oui|non|s[ií]|no)\s*["»]?|se\s+(?:la\s+risposta\s+è\s+|a\s+resposta\s+for\s+)?["«]?(sì|si|no|sim|não)["»]?|(?:zo|indien|als)\s+(ja|nee|niet)|(evet|hayır)(?:\s+ise|sa)|eğer\s+(evet|hayır))\s*[,:–—-]\s*`)
	ifCJK  = expression.Of(`^(?:如果|若)(?:上一?题)?(?:回答|选择?|答案)?(?:为|是)?["“「]?(是|否|会|有|没有|不会)?["”」]?的?(?:话)?[,，:：]\s*|^[「『]?(はい|いいえ)[」』]?(?:の場合|と(?:答えた|回答した)(?:方|場合))(?:は|のみ)?[、,，:：]?\s*|^["'‘]?(예|네|아니요|아니오)["'’]?(?:라면|라고 (?:답|응답)(?:했다면|한 경우|하신 경우|하셨다면)|인 경우)\s*[,:]?\s*|^إذا (?:كانت الإجابة|كان الجواب|أجبت)?\s*(?:ب)?[«"]?(نعم|لا)[»"]?\s*[،,:]\s*`)
	// "[Ask if Q1 = Yes]", "(if Q3 is “Daily”)", "IF Q2 = A or B: …"
	ifCoded = expression.Of(`(?i)^\s*(?:ask\s+)?(?:only\s+)?(?:if|when|falls|wenn|si|se|indien|als|nur wenn|sólo si|solo si|uniquement si|solo se)\s+(?:(?:the\s+)?answer(?:ed)?\s+(?:to\s+)?)?(?:q|question|frage|f|pregunta|p|domanda|d|vraag|v|no\.)?\s*\.?(\d{1,3}[a-z]?)\s*(?:is|=|==|was|:|ist|es|è|est|équivaut à|answered)?\s*(not|!=|≠|nicht|no es|non è|n'est pas)?\s*(?:=|is)?\s*["“„«'‘]?([^"”“»'’\])]{1,120}?)["”“»'’]?\s*$`)
	// "If yes to Q1", "if “Daily” at Q2", "if no in question 3"
	ifTo = expression.Of(`(?i)^\s*(?:ask\s+)?(?:only\s+)?(?:if|falls|wenn|si|se|als)\s+(not\s+)?["“„«'‘]?([^"”“»'’\]),]{1,80}?)["”“»'’]?\s+(?:to|at|in|for|on|bei|à|a|en|op)\s+(?:q|question|frage|f|pregunta|p|la question|la pregunta|domanda|vraag)\s*\.?(\d{1,3}[a-z]?)\s*$`)
	// "(If yes)", "[if daily or weekly]"
	ifBare = expression.Of(`(?i)^\s*(?:ask\s+)?(?:only\s+)?(?:if|falls|wenn|si|se|als|indien|zo)\s+(?:(?:the\s+)?answer(?:ed)?\s*(?:is|was)?\s*)?(not\s+)?["“„«'‘]?([^"”“»'’\],]{1,80}?)["”“»'’]?(?:\s+(?:is|was)\s+(?:selected|chosen|answered))?\s*$`)
	// "If no, skip to Q5." behind or under a question
	skipTo = expression.Of(`(?i)^\s*[\[(]?\s*(?:if|falls|wenn|si|se|als)\s+(?:(?:the\s+)?answer(?:ed)?\s*(?:is|=)?\s*)?["“„«'‘]?([^"”“»'’,:→]{1,80}?)["”“»'’]?\s*[,:→-]?\s*(?:please\s+)?(?:skip|go|jump|proceed|weiter|passez|pase|vaya|vai|ga)\s*(?:directly\s+)?(?:to|zu|mit|à|a|alla|naar)?\s*(?:la\s+)?(?:q|question|frage|f|pregunta|p|domanda|vraag)\s*\.?\s*(\d{1,3}[a-z]?)\s*[\])]?\s*\.?\s*$`)
)

// takeCondition finds skip wording at the front of a text and takes it off.
func takeCondition(text string) (rest string, c *routed) {
	if utf8.RuneCountInString(text) > MaxText {
		return text, nil
	}
	for _, x := range []*expression.Expression{ifWord, ifCJK} {
		if m := x.FindStringSubmatch(text); m != nil && len(m[0]) < len(text) {
			r := &routed{quoted: strings.TrimRight(strings.TrimSpace(m[0]), ",:–—- ，、：")}
			for _, s := range m[1:] {
				if s != "" {
					r.label = s
				}
			}
			switch strings.ToLower(r.label) {
			case "so", "":
				r.label = "yes"
			case "not", "nicht", "niet":
				r.label = "no"
			}
			return capitalised(text[len(m[0]):]), r
		}
	}
	for _, pair := range [][2]string{{"[", "]"}, {"(", ")"}, {"（", "）"}} {
		if !strings.HasPrefix(text, pair[0]) {
			continue
		}
		if at := strings.Index(text, pair[1]); at > 0 && at < 300 {
			if c := conditionIn(text[len(pair[0]):at]); c != nil {
				return capitalised(strings.TrimLeft(text[at+len(pair[1]):], " :–—-")), c
			}
		}
	}
	if at := strings.IndexAny(text, ",:"); at > 0 && at < 150 {
		if m := ifCoded.FindStringSubmatch(text[:at]); m != nil && strings.ContainsAny(text[:at], "0123456789") {
			return capitalised(strings.TrimSpace(text[at+1:])), conditionIn(text[:at])
		}
		if m := ifTo.FindStringSubmatch(text[:at]); m != nil {
			return capitalised(strings.TrimSpace(text[at+1:])), conditionIn(text[:at])
		}
	}
	return text, nil
}

// conditionIn reads a condition that stood alone, in brackets or before a comma.
func conditionIn(s string) *routed {
	s = strings.TrimSpace(s)
	if utf8.RuneCountInString(s) > 200 {
		return nil
	}
	if m := ifCoded.FindStringSubmatch(s); m != nil {
		return &routed{number: strings.ToLower(m[1]), not: m[2] != "", label: strings.TrimSpace(m[3]), quoted: s}
	}
	if m := ifTo.FindStringSubmatch(s); m != nil {
		return &routed{number: strings.ToLower(m[3]), not: m[1] != "", label: strings.TrimSpace(m[2]), quoted: s}
	}
	if m := ifCJK.FindStringSubmatch(s + "，"); m != nil {
		_, c := takeCondition(s + "，X")
		return c
	}
	if example.MatchString(s) {
		return nil
	}
	if m := ifBare.FindStringSubmatch(s); m != nil {
		return &routed{not: m[1] != "", label: strings.TrimSpace(m[2]), quoted: s}
	}
	return nil
}

// takeTail finds a condition in brackets behind a text: "Which one? (if yes)".
func takeTail(text string) (string, *routed) {
	head, tag, ok := lastBracket(text)
	if !ok || skipTo.MatchString(tag) {
		return text, nil
	}
	if c := conditionIn(tag); c != nil {
		return head, c
	}
	return text, nil
}

// match finds the labels of a source that a condition names; ok only when each of
// its words is exactly one offered label, case aside.
func (c *routed) match(options []string) ([]string, bool) {
	if c.label == "" {
		return nil, false
	}
	if l := labelFor(c.label, options); l != "" {
		return []string{l}, true
	}
	parts := []string{c.label}
	for _, sep := range []string{" or ", " oder ", " ou ", " o ", " of ", "/", ","} {
		if strings.Contains(strings.ToLower(c.label), sep) {
			parts = strings.Split(c.label, sep)
			break
		}
	}
	var out []string
	for _, p := range parts {
		l := labelFor(p, options)
		if l == "" {
			return nil, false
		}
		if !containsString(out, l) {
			out = append(out, l)
		}
	}
	return out, len(out) > 0 && len(parts) > 1
}

func containsString(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// labelFor is the one option that a word names: the same text, or yes and no in any
// language where exactly one option begins with it. Codes count from 1.
func labelFor(word string, options []string) string {
	word = strings.Trim(strings.TrimSpace(word), "\"“”'‘’«»")
	for _, o := range options {
		if strings.EqualFold(strings.TrimSpace(o), word) {
			return o
		}
	}
	for _, x := range []*expression.Expression{yesWord, noWord} {
		if !x.MatchString(word) || len(strings.Fields(word)) > 2 {
			continue
		}
		found := ""
		for _, o := range options {
			if x.MatchString(o) {
				if found != "" {
					return "" // "Yes, often" and "Yes, rarely": not certain which
				}
				found = o
			}
		}
		return found
	}
	return ""
}

func capitalised(s string) string {
	s = strings.TrimSpace(s)
	r, n := utf8.DecodeRuneInString(s)
	if r == '¿' && len(s) > n {
		r2, m := utf8.DecodeRuneInString(s[n:])
		return "¿" + string(unicode.ToUpper(r2)) + s[n+m:]
	}
	return string(unicode.ToUpper(r)) + s[n:]
}
