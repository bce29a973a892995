package simulate

import "strings"

// Words that make a sentence no statement of fact about the Mind today.
var notFact = []string{"used to", "would like", "want to", "wish", "might", "maybe", "if", "should", "could", "would", "plan to", "thinking of", "hope to", "considering", "some people", "most people"}

// coverage that a sentence needs of the question's content.
const (
	coverChoice = .5
	coverYesNo  = .66
)

// fromPassages looks for a sentence in the Mind's own voice on the question's
// topic that holds exactly one option as a phrase and does not negate it. For
// yes/no questions the sentence itself is the answer.
func (p *prepared) fromPassages(name string, passages []Passage) (int, Passage, string, bool) {
	if len(p.topic.stems) == 0 {
		return 0, Passage{}, "", false
	}
	if p.told != nil {
		for _, passage := range passages {
			for _, s := range statements(passage.Text) {
				if v := p.told.hears(s); v != 0 {
					i, ok := yesOrNo(p.labels, v > 0)
					return i, passage, s, ok
				}
			}
		}
		return 0, Passage{}, "", false
	}
	for _, passage := range passages {
		if !p.mayConcern(passage.Text) {
			continue
		}
		for _, s := range statements(passage.Text) {
			if !p.mayConcern(s) {
				continue
			}
			if i, ok := p.says(s, voice{name, passage.ID == PersonaID}); ok {
				return i, passage, s, true
			}
		}
	}
	return 0, Passage{}, "", false
}

// mayConcern is a cheap look before sentences are read.
func (p *prepared) mayConcern(text string) bool {
	low := strings.ToLower(text)
	for _, s := range p.topic.stems {
		if p.topic.weight[s] < weightWord {
			continue
		}
		if len(s) > 4 {
			s = s[:4]
		}
		if strings.Contains(low, s) {
			return true
		}
	}
	return len(p.topic.stems) > 0 && dense([]rune(p.topic.stems[0])[0])
}

// voice is whose words a sentence may be: the Mind's, which has this name.
type voice struct {
	name    string
	persona bool // from the persona text
}

func (p *prepared) says(sentence string, by voice) (int, bool) {
	low := contractions.Replace(fold(sentence))
	if strings.HasSuffix(low, "?") {
		return 0, false
	}
	for _, c := range notFact {
		if contains(low, c) {
			return 0, false
		}
	}
	found := -1
	for _, clause := range clauses(low) {
		i, ok := p.claims(clause, by)
		if !ok {
			continue
		}
		if found >= 0 && i != found {
			return 0, false // it says both
		}
		found = i
	}
	return found, found >= 0
}

// clauses parts a sentence where another subject or another claim may begin:
// "I have no car and own a bike" denies the car only.
func clauses(s string) []string {
	for _, c := range []string{" and ", " but ", " while ", " whereas ", " because ", " although ", ";", ",", " - "} {
		s = strings.ReplaceAll(s, c, "\x00")
	}
	return strings.Split(s, "\x00")
}

// claims reads one clause; low is folded, with contractions written out.
func (p *prepared) claims(low string, by voice) (int, bool) {
	low = strings.TrimSpace(low)
	own := false
	ws := words(low)
	for i, w := range ws {
		switch w.text {
		case "i", "we":
			own = true
		case "you": // a persona may be written to the Mind: "You own a bakery."
			own = own || by.persona
		case "my", "our": // "my steak", but not "my sister"
			if i+1 < len(ws) {
				_, topical := p.topic.weight[ws[i+1].stem]
				own = own || topical
			}
		}
	}
	if first, _, _ := strings.Cut(fold(by.name), " "); first != "" {
		own = own || strings.HasPrefix(low, first+" ") || strings.HasPrefix(low, first+"'s ")
	}
	if !own {
		return 0, false
	}
	hit, total := 0.0, 0.0
	have := map[string]bool{}
	turned := 0
	for _, w := range ws {
		have[w.stem] = true
		h, ok := poleIndex[w.text]
		if !ok {
			continue
		}
		have[h.base] = true
		switch _, asked := p.topic.weight[h.base]; {
		case h.sign > 0:
		case asked: // "I hate flying" to "Do you like flying?"
			turned++
		case h.base != "grow": // "I quit smoking" says nothing of "Do you smoke?" by its words alone
			return 0, false
		}
	}
	for _, s := range p.topic.stems {
		w := min(p.topic.weight[s], weightWord)
		total += w
		if have[s] {
			hit += w
		}
	}
	if total == 0 {
		return 0, false
	}
	cover := hit / total
	negated := turned
	for _, w := range ws {
		if negations[w.text] {
			negated++
		}
	}
	if isYesNo(p.labels) {
		if cover < coverYesNo || negated > 1 {
			return 0, false
		}
		want := 1.0
		if negated == 1 {
			want = 0
		}
		if p.topic.sign < 0 {
			want = 1 - want
		}
		for i, l := range p.labels {
			if l.family == "yesno" && l.rank == want {
				return i, true
			}
		}
		return 0, false
	}
	if cover < coverChoice || negated > 0 {
		return 0, false
	}
	return p.onePhrase(low)
}

// isYesNo reports labels that say yes or no.
func isYesNo(ls []label) bool {
	for _, l := range ls {
		if !l.outside {
			return l.family == "yesno"
		}
	}
	return false
}

// onePhrase finds the only option whose words stand in the sentence; a longer
// label swallows a shorter one that it holds ("medium rare" is not "rare").
func (p *prepared) onePhrase(low string) (int, bool) {
	ls := p.labels
	if p.named != nil {
		ls = p.named
	}
	if p.q.Type == Scale && p.named == nil {
		return 0, false
	}
	rest := low
	found := -1
	for {
		best := -1
		for i, l := range ls {
			if !l.outside && l.folded != "" && contains(rest, l.folded) && (best < 0 || len(l.folded) > len(ls[best].folded)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		if found >= 0 && best != found {
			return 0, false
		}
		found = best
		at := indexPhrase(rest, ls[best].folded)
		rest = rest[:at] + " \x00 " + rest[at+len(ls[best].folded):]
	}
	return found, found >= 0
}
