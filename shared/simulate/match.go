package simulate

import (
	"math"
	"sort"
	"strings"
)

// Thresholds of evidence (M-341).
const (
	SameQuestion = .85 // from here on a question counts as the same
	NearQuestion = .6  // from here on it is related
)

// Weights of words in a comparison of two questions: a name or a number tells
// questions apart, a verb of liking or a word that the options repeat hardly does.
const (
	weightName   = 2.5
	weightWord   = 1
	weightWeak   = .4
	weightOption = .2
)

var weakWords = wordSet("like want consider believ rate people person question survey ask read heard overall opinion please")

// bag is the content of a question: stems with weights, in order of stem.
type bag struct {
	folded string
	stems  []string
	weight map[string]float64
	names  map[string]bool
	chars  map[string]float64
	sign   int

	asks    asking // what it wants to know
	subject string // whom it is about, "" for the one asked
}

// newBag reads a question's stem. Words that its options repeat weigh little:
// "too much, too little or about the right amount" is the scale, not the topic.
func newBag(text string, options []string) bag {
	text = withoutInstruction(Stem(withoutInstruction(text), options))
	b := bag{folded: foldLabel(text), weight: map[string]float64{}, names: map[string]bool{}, sign: polarity(text), asks: askingOf(text), subject: subjectOf(text)}
	inOptions := map[string]bool{}
	for _, o := range options {
		for _, w := range words(o) {
			inOptions[w.stem] = true
		}
	}
	var content []string
	for _, w := range words(text) {
		if w.stop || negations[w.text] {
			continue
		}
		s := w.stem
		if h, ok := poleIndex[w.text]; ok {
			s = h.base
		}
		v := float64(weightWord)
		switch {
		case inOptions[w.stem]:
			v = weightOption
		case w.proper || w.number:
			v = weightName
			b.names[s] = true
		case weakWords[s]:
			v = weightWeak
		}
		if _, ok := b.weight[s]; !ok {
			b.stems = append(b.stems, s)
		}
		b.weight[s] = math.Max(b.weight[s], v)
		content = append(content, s)
	}
	sort.Strings(b.stems)
	b.chars = grams(strings.Join(content, " "))
	return b
}

// grams counts the runs of three to five characters of content words.
func grams(s string) map[string]float64 {
	m := map[string]float64{}
	rs := []rune(" " + s + " ")
	for n := 3; n <= 5; n++ {
		for i := 0; i+n <= len(rs); i++ {
			m[string(rs[i:i+n])]++
		}
	}
	return m
}

// similarity is how near two questions are, 0..1, leaving their options aside.
// 1 is the same wording; a topic word replaced by another one costs much more
// than one left out, since "coal mining" for "nuclear power" is another question.
func similarity(a, b bag) float64 {
	if a.folded == b.folded {
		return 1
	}
	if len(a.stems) == 0 || len(b.stems) == 0 {
		return 0
	}
	var dot, na, nb, onlyA, onlyB, sumA, sumB float64
	// A name on one side weighs as a name on both, whoever wrote it in small letters.
	weigh := func(s string, w float64, other bag) float64 {
		if other.names[s] && w < weightName {
			return weightName
		}
		return w
	}
	for _, s := range a.stems {
		w := weigh(s, a.weight[s], b)
		na += float64(w * w)
		sumA += w
		if v, ok := b.weight[s]; ok {
			v = weigh(s, v, a)
			dot += float64(w * v)
		} else {
			onlyA += w
		}
	}
	for _, s := range b.stems {
		w := weigh(s, b.weight[s], a)
		nb += float64(w * w)
		sumB += w
		if _, ok := a.weight[s]; !ok {
			onlyB += w
		}
	}
	cos := dot / math.Sqrt(na*nb)
	sim := .8*cos + .2*cosine(a.chars, b.chars)
	replaced := math.Min(onlyA/sumA, onlyB/sumB)
	sim *= 1 - math.Min(1, 1.25*replaced)
	if !sameNames(a, b) {
		sim = math.Min(sim, SameQuestion-.01)
	}
	return math.Min(sim, 1)
}

func sameNames(a, b bag) bool {
	for n := range a.names {
		if _, ok := b.weight[n]; !ok {
			return false
		}
	}
	for n := range b.names {
		if _, ok := a.weight[n]; !ok {
			return false
		}
	}
	return true
}

func cosine(a, b map[string]float64) float64 {
	var dot, na, nb float64 // whole numbers: the sums are exact in any order
	for k, v := range a {
		na += v * v
		dot += v * b[k]
	}
	for _, v := range b {
		nb += v * v
	}
	if na == 0 || nb == 0 {
		return 0
	}
	return dot / math.Sqrt(na*nb)
}

// Similarity is how near the wordings of two questions are, 0..1, options aside.
func Similarity(a, b string) float64 { return similarity(newBag(a, nil), newBag(b, nil)) }

// Stem parts the question from a list of its options that the text repeats:
// "Which one? (Tea / Coffee)" is "Which one?". The text is given back as it is
// where it holds no such list.
func Stem(text string, options []string) string {
	t := strings.TrimSpace(text)
	if len(options) < 2 {
		return t
	}
	low := fold(t)
	at := -1
	for _, o := range options {
		i := indexPhrase(low, fold(o))
		if i < 0 {
			return t
		}
		if at < 0 || i < at {
			at = i
		}
	}
	// Cut at the mark that opens the list, if one stands right before it.
	head := strings.TrimRight(low[:at], " '\"")
	if head == "" || !strings.ContainsAny(head[len(head)-1:], ":([?-.") {
		return t
	}
	return strings.TrimRight(head, " :([-")
}

// match is how one published question answers an asked one.
type match struct {
	c        *compiled
	score    float64 // question similarity times option quality, 0..1
	mirrored bool    // asked the other way round: related at most
	m        mapping
	as       *place // set when it is the same question: answered at the published one's place
}

// specificBonus closes part of the gap in wording when the options are the same
// and speak of the topic itself ("Rare, Medium rare …").
const specificBonus = .3

// match compares the question with evidence; nil means that the evidence says
// nothing about it.
func (p *prepared) match(c *compiled) *match {
	if (p.q.Type == Multiselect) != c.Multiselect {
		return nil
	}
	s := 0.0
	if mayAsk(p.topic, c.topic) && (!isYesNo(p.labels) || isYesNo(c.labels)) {
		s = similarity(p.topic, c.topic)
	}
	if s < NearQuestion {
		if !p.sameThings(c) {
			return nil
		}
		s = NearQuestion
	}
	m, ok := mapOptions(p.labels, c.labels, p.ordered, c.ordered)
	if p.q.Type == Scale && (!ok || m.quality < byLoose) && p.named != nil {
		if m2, ok2 := mapOptions(p.named, c.labels, true, c.ordered); ok2 {
			m, ok = m2, true
		}
	}
	if !ok || p.opposed(c) {
		return nil
	}
	if s < 1 && m.quality >= byLoose && !m.dropped && len(p.labels) > 2 && !generic(c.labels) && sameNames(p.topic, c.topic) {
		s += specificBonus * (1 - s)
	}
	out := &match{c: c, score: s * m.quality, m: m}
	if p.topic.sign != c.topic.sign {
		turned, ok := mirror(m, c.labels)
		if !ok || out.score < SameQuestion {
			return nil
		}
		out.m, out.mirrored = turned, true
	}
	if out.score < NearQuestion {
		return nil
	}
	if out.score >= SameQuestion {
		out.as = p.placeOf(c.topic, m.renamed(p.labels, c.labels))
	}
	return out
}

// FromEvidence gives text the answer form of a published question when their
// wordings match (SameQuestion) and they ask alike; ok is false when they do
// not. Reasons, times, places and persons are told in words and take no
// options, and a question of yes or no takes none but yes and no (M-82). A Mind
// then answers the same in a Study and in a chat.
func FromEvidence(text string, e *Evidence) (Question, bool) {
	labels := make([]string, len(e.Options))
	for i, o := range e.Options {
		labels[i] = o.Label
	}
	a, b := newBag(text, labels), newBag(e.Question, labels)
	if a.asks.inWords() || !mayAsk(a, b) || similarity(a, b) < SameQuestion || a.sign != b.sign {
		return Question{}, false
	}
	if a.closed() && !isYesNo(readLabels(labels)) {
		return Question{}, false
	}
	q := Question{Text: strings.TrimSpace(text), Type: Categorical, Options: labels, Ordinal: direction(readLabels(labels)) != 0}
	if e.Multiselect {
		q.Type, q.Ordinal = Multiselect, false
	} else if lo, hi, texts, ok := pointsOf(labels); ok { // numbers in a row have a mean
		q = Question{Text: q.Text, Type: Scale, Min: lo, Max: hi, ScaleLabels: texts, TopLow: endsRun(texts, lo, hi) < 0}
	}
	return q, true
}
