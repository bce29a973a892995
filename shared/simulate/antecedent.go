package simulate

import (
	"slices"
	"strings"
)

// farthest is how many sentences back a word for what stood before may reach.
const farthest = 4

// Openings of sentences that speak of what stood before.
var (
	pointers = wordSet(`it they this these those he she such both neither its his her their hers theirs
		es sie er dies diese dieser dieses seine ihre ihr sein il elle ils elles celui celle ceux ce cette ces son sa ses leur leurs él ella ellos ellas este esta esto estos estas su sus`)
	subjects = wordSet("it they he she es sie er il elle ils elles")
	ofThem   = wordSet("them that these those which ihnen davon eux elles ellos ellas")
	opening  = wordSet("in on at after before during since until for from to with within over under by of im am nach vor seit bei mit dans en pendant depuis après avant au desde durante tras")
)

// leans reports a sentence that speaks of something by a word for what stood
// before: "It weighs …", "Her term …", "Eleven of them …", "In May it …".
func leans(l line) bool {
	if len(l.words) == 0 {
		return false
	}
	first := l.words[0]
	if pointers[first.text] {
		return true
	}
	for i := 1; i < len(l.words) && i < 5; i++ {
		if ofThem[l.words[i].text] && (l.words[i-1].text == "of" || l.words[i-1].text == "von" || l.words[i-1].text == "d'entre" || l.words[i-1].text == "de") {
			return true
		}
	}
	if countWords[first.text] && len(l.words) > 1 && (verbLike(l.words[1]) || strings.HasSuffix(l.words[1].text, "ed")) {
		return true // "Four finished …": of what was spoken of
	}
	if !opening[first.text] {
		return false
	}
	for i := 1; i+1 < len(l.words); i++ { // "In the rest of the year it had …"
		if subjects[l.words[i].text] {
			return true
		}
		if l.words[i].proper {
			return false
		}
	}
	return false
}

// bare reports a sentence that opens with a thing without an article, and so
// with something of what the passage is on: "Entry is 4 euros."
func bare(l line) bool {
	if len(l.words) < 3 {
		return false
	}
	first, next := l.words[0], l.words[1]
	if first.stop || first.number || countWords[first.text] || timeWords[first.text] || opening[first.text] || articles[first.text] {
		return false
	}
	switch next.text {
	case "ist", "sind", "war", "waren", "kostet", "beginnt", "est", "sont", "es", "son",
		"is", "are", "was", "were", "has", "have", "had", "will", "can", "may", "must", "takes", "take", "took", "costs", "cost", "begins", "begin", "began", "starts", "start", "ends", "end", "lasts", "last", "rose", "fell", "includes", "include":
		return true
	}
	return false
}

// elliptic reports a sentence too short to say by itself what it is on: "About
// 1,500 people watched."
func elliptic(l line) bool {
	return len(l.words) >= 3 && len(l.words) <= 5 && !l.own && !l.any(func(w word) bool { return w.proper || w.text == "the" || articles[w.text] })
}

// labelled reports a sentence that is a label with its value: "Doors: 2."
func labelled(l line) bool {
	head, rest, ok := strings.Cut(l.text, ":")
	return ok && len(strings.Fields(head)) <= 4 && strings.TrimSpace(rest) != "" && len(strings.Fields(rest)) <= 12
}

// antecedent reports that a sentence may speak of a thing which it does not name:
// one of the sentences before, on which it leans, speaks of it.
func (p *page) antecedent(lang string, at int, k string) bool {
	return p.antecedentAt(lang, at, k) >= 0
}

// antecedentAt is the sentence before that a leaning one takes a word from; -1
// for none.
func (p *page) antecedentAt(lang string, at int, k string) int {
	l := p.lines[at]
	pointing, only := leans(l), bare(l) || elliptic(l)
	if !pointing && !only {
		return -1
	}
	for j := at - 1; j >= 0 && at-j <= farthest; j-- {
		o := p.lines[j]
		if o.heads || o.row != nil {
			return -1
		}
		if o.free(lang, k) {
			return j
		}
		if pointing && !leans(o) {
			return -1
		}
	}
	return -1
}

// before are the classes of words of the sentences on which one leans.
func (p *page) before(at int) map[string]bool {
	l := p.lines[at]
	if !leans(l) || at == 0 {
		return nil
	}
	if !leans(p.lines[at-1]) {
		return p.lines[at-1].has
	}
	out := map[string]bool{}
	for j := at - 1; j >= 0 && at-j <= farthest; j-- {
		for k := range p.lines[j].has {
			out[k] = true
		}
		if !leans(p.lines[j]) {
			break
		}
	}
	return out
}

// bareOn reports that a sentence opens with something asked for, of a thing that
// the sentences before are on: "Entry is 4 euros" of the pool.
func (q query) bareOn(p *page, at int, l line, k string) bool {
	if k == "cost" || !bare(l) && !(elliptic(l) && q.holding(l) > 0) {
		return false
	}
	if !bare(l) {
		return p.antecedent(q.lang, at, k)
	}
	own := kinIn(q.lang, l.words[0])
	return (q.asksFor(own) || q.wants.who && slices.ContainsFunc(q.terms, func(t term) bool { return doer(t.kin, map[string]bool{own: true}) })) && p.antecedent(q.lang, at, k)
}

// leansOn are the sentences before that are to be quoted with one, so that what it
// speaks of stands there.
func (q query) leansOn(p *page, at int) (out []int) {
	l := p.lines[at]
	for _, t := range q.terms {
		if t.weight < 1 || l.has[t.kin] || !leans(l) && !elliptic(l) && !q.asksFor(kinIn(q.lang, l.words[0])) {
			continue
		}
		if j := p.antecedentAt(q.lang, at, t.kin); j >= 0 {
			for from := j; j < at; j++ { // what lies between goes along where it may be on another
				if !slices.Contains(out, j) && (j == from || leans(l) && pointer(p.lines[j]) != pointer(l)) {
					out = append(out, j)
				}
			}
		}
	}
	if len(out) > 0 || at == 0 || !pointers[l.words[0].text] {
		return out
	}
	for j := at - 1; j >= 0 && at-j <= farthest; j-- { // back to where it is named
		if named := !leans(p.lines[j]); named || pointer(p.lines[j]) != pointer(l) {
			out = append(out, j)
			if named {
				break
			}
		}
	}
	return out
}

// pointer is which word for what stood before a sentence opens with: "her" and
// "she" are one.
func pointer(l line) string {
	if len(l.words) == 0 {
		return ""
	}
	switch w := l.words[0].text; w {
	case "she", "her", "hers":
		return "she"
	case "he", "his":
		return "he"
	case "it", "its":
		return "it"
	case "they", "their", "theirs":
		return "they"
	case "sie", "ihr", "ihre":
		return "sie"
	case "er", "sein", "seine":
		return "er"
	case "elle", "elles", "il", "ils", "son", "sa", "ses", "leur", "leurs":
		return "il"
	default:
		return w
	}
}
