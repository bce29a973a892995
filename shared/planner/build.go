package planner

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// found is a question on its way into the plan.
type found struct {
	form
	number  string // as written in front of it
	module  string
	cond    *routed
	skips   []skip
	battery string // text that several of them share
	ranked  []string
}

type skip struct {
	label, to, quoted string
}

// collect turns blocks into questions.
func collect(blocks []*block, lang string) []*found {
	var out []*found
	for _, b := range blocks {
		out = append(out, expand(b, lang)...)
	}
	return out
}

func expand(b *block, lang string) []*found {
	var skips []skip
	var notes []string
	for _, n := range b.notes {
		if m := skipTo.FindStringSubmatch(n); m != nil {
			skips = append(skips, skip{m[1], strings.ToLower(m[2]), n})
			continue
		}
		notes = append(notes, n)
	}
	b.notes = notes
	if head, tag, ok := lastBracket(b.text); ok {
		if m := skipTo.FindStringSubmatch(tag); m != nil {
			skips, b.text = append(skips, skip{m[1], strings.ToLower(m[2]), tag}), head
		}
	}
	// Several questions in one line, or "Do you own a car? If yes, which one?".
	if parts := splitAsks(b.text); len(parts) > 1 {
		var out []*found
		for i, p := range parts {
			if i > 0 && answersOnly(p) {
				out[len(out)-1].notes = append(out[len(out)-1].notes, p)
			}
			sub := &block{text: p, heading: b.heading}
			if i == 0 {
				sub.number, sub.mark = b.number, b.mark
			}
			if m := skipTo.FindStringSubmatch(strings.TrimSpace(p)); m != nil && i > 0 {
				out[len(out)-1].skips = append(out[len(out)-1].skips, skip{m[1], strings.ToLower(m[2]), p})
				continue
			}
			if i == len(parts)-1 {
				sub.options, sub.notes = b.options, b.notes
			}
			out = append(out, expand(sub, lang)...)
		}
		if len(out) > 0 {
			out[0].skips = append(out[0].skips, skips...)
		}
		return out
	}
	text, cond := takeCondition(b.text)
	if cond == nil {
		text, cond = takeTail(text)
	}
	if cond == nil {
		for i, n := range b.notes {
			if c := conditionIn(strings.Trim(n, "[]() ")); c != nil {
				cond, b.notes = c, append(append([]string(nil), b.notes[:i]...), b.notes[i+1:]...)
				break
			}
		}
	}
	if m := indirect.FindStringSubmatch(text); m != nil && lang == "en" {
		text = direct(text, m)
	}
	b2 := *b
	b2.text = text
	if fs := batteryOf(&b2, lang); fs != nil {
		for _, f := range fs {
			f.cond = cond
		}
		fs[0].skips = skips
		return fs
	}
	f := &found{form: readForm(&b2, lang), number: b.number, module: b.heading, cond: cond, skips: skips}
	if f.form.ranked && f.r.Type == Categorical {
		f.ranked = f.r.CategoricalOptions
	}
	// Skips behind the labels: "No → go to Q5".
	for _, o := range b.options {
		if m := labelSkip.FindStringSubmatch(o); m != nil {
			f.skips = append(f.skips, skip{strings.TrimSpace(m[1]), strings.ToLower(m[2]), o})
		}
	}
	return []*found{f}
}

// splitAsks parts a text that holds several questions.
func splitAsks(text string) []string {
	if strings.Count(text, "?")+strings.Count(text, "？")+strings.Count(text, "؟") == 0 || utf8.RuneCountInString(text) > 4*MaxText {
		return nil
	}
	var out []string
	n := 0
	for _, s := range splitSentences(text) {
		t := strings.TrimSpace(s)
		if t == "" {
			continue
		}
		ask := hasQuestion(t)
		switch {
		case len(out) == 0:
			out = append(out, t)
			if ask {
				n++
			}
		case ask && n > 0, n > 0 && skipTo.MatchString(t), n > 0 && commands(t) && !answersOnly(t):
			out = append(out, t)
			n++
		default: // a sentence in front of its question, or answers behind it
			out[len(out)-1] += " " + t
			if ask {
				n++
			}
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// batteryOf reads statements that share one question and one scale.
func batteryOf(b *block, lang string) []*found {
	if len(b.options) < 2 || !batteryCue.MatchString(b.text) {
		return nil
	}
	head := &block{text: b.text, notes: b.notes}
	f := readForm(head, lang)
	assumed := ""
	switch {
	case f.r.Type == Scale:
	case (f.r.Type == Categorical || f.r.Type == Multiselect) && len(f.r.CategoricalOptions) >= 3:
		f.r.Type, f.r.MaxSelections, f.r.ExclusiveOptions = Categorical, 0, nil
	case rateCue.MatchString(b.text) && !rankAsk.MatchString(b.text) && !selects.MatchString(b.text):
		f.r = named(scaleFrom(1, 5, nil), "", b.text, lang)
		assumed = "battery_scale"
	default:
		return nil
	}
	intro := strings.TrimRight(f.text, " :：.。")
	var out []*found
	for _, o := range b.options {
		o = strings.TrimSpace(o)
		one := &found{form: form{text: intro + ": " + o, r: f.r}, module: b.heading, battery: intro}
		if hasQuestion(intro) {
			one.text = intro + " " + o
		}
		one.r.CategoricalOptions = append([]string(nil), f.r.CategoricalOptions...)
		out = append(out, one)
	}
	out[0].number = b.number
	if assumed != "" {
		out[0].form.notes = append(out[0].form.notes, assumed)
	}
	return out
}

// direct turns "Ask how often they buy" into "How often do you buy?".
func direct(text string, m []string) string {
	rest := strings.TrimRight(strings.TrimSpace(text[len(m[0]):]), ".;")
	wh := strings.ToLower(m[1])
	// The scale or the options behind the clause stay with the question.
	tail := ""
	if at := strings.IndexAny(rest, "([:"); at > 0 {
		rest, tail = strings.TrimSpace(rest[:at]), " "+rest[at:]
	} else if at := strings.Index(rest, ", "); at > 0 {
		if _, ok := scaleOf(rest[at:], "", "en"); ok {
			rest, tail = rest[:at], " ("+strings.Trim(rest[at:], ", ")+")"
		}
	}
	head, clause, ok := cutThey(rest)
	if !ok {
		return text
	}
	words := strings.Fields(clause)
	aux, body := "do", clause
	if len(words) > 0 {
		switch w := strings.ToLower(words[0]); w {
		case "are", "would", "will", "can", "could", "should", "did", "do", "were":
			aux, body = w, strings.Join(words[1:], " ")
		case "have":
			if len(words) > 1 && participle.MatchString(words[1]) {
				aux, body = w, strings.Join(words[1:], " ")
			}
		}
	}
	body = theirs.Replace(" " + body + " ")
	q := strings.TrimSpace(aux + " you " + strings.TrimSpace(body))
	if wh != "whether" && wh != "if" {
		q = strings.TrimSpace(wh + " " + strings.TrimSpace(head) + " " + q)
		q = strings.Join(strings.Fields(q), " ")
	} else if strings.TrimSpace(head) != "" {
		return text
	}
	return capitalised(q) + "?" + tail
}

var theirs = strings.NewReplacer(" their ", " your ", " they ", " you ", " them ", " you ", " themselves ", " yourself ", " theirs ", " yours ", " they'd ", " you'd ")

func cutThey(s string) (head, clause string, ok bool) {
	low := " " + strings.ToLower(s) + " "
	for _, who := range []string{" they ", " people ", " respondents ", " customers ", " users ", " consumers "} {
		if at := strings.Index(low, who); at >= 0 && at <= 60 {
			i := min(at+len(who)-1, len(s))
			return s[:max(0, at-0)][:max(0, min(at, len(s)))], strings.TrimSpace(s[i-0:]), true
		}
	}
	return "", "", false
}

// clarify makes a question to the person who plans.
func clarify(id string, required bool, options []string, format string, args ...any) ConfirmationQuestion {
	return ConfirmationQuestion{QuestionID: id, Kind: Clarification, Text: fmt.Sprintf(format, args...), Options: options, Required: required}
}
