package simulate

import (
	"math"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/expression"
)

// Meaning is a question read for comparison with other questions and with
// profiles. It is fixed, and safe for concurrent use.
type Meaning struct {
	p      *prepared
	topic  bag            // without words that only say "now" or "all in all"
	rank   map[string]int // option label, folded, to its place from low to high
	steps  int            // places on the scale, 0 for options without an order
	gate   bool           // asks yes or no whether something is, is done or is had at all
	having bool           // … is had
	detail bool           // asks how much or how often, or takes for granted that something is had
	may    bool           // speaks of what may be, was, or should be
}

var (
	nowadays  = expression.Of(`(?i)\b(?:these days|nowadays|at present|at the moment|currently|right now|overall|in general|generally speaking|all in all|all things considered|taken together|heutzutage|zurzeit|derzeit|insgesamt|im allgemeinen|en ce moment|actuellement|en général|dans l'ensemble|actualmente|hoy en día|en general)\b,?`)
	owning    = expression.Of(`\b(?:own|have|possess|haben|besitzen|besitzt|hast|avez|possédez|tiene|tienes|posee)\b`)
	hardly    = expression.Of(`\b(?:would|could|should|might|if|ever|used to|past|last|first|next|plan|planning|future|recommend|würden|könnten|sollte|jemals|pourriez|devrait|déjà|podría|debería|alguna vez)\b`)
	howLarge  = expression.Of(`^(?:.*\b)?(?:how (?:often|many|much|frequently|long)|wie (?:oft|viele|viel|häufig|lange)|combien|à quelle fréquence|con qué frecuencia|cuánt[oa]s?|cada cuánto)\b`) //nolint:misspell // Spanish
	whichHad  = expression.Of(`^(?:which|what|welche[rsnm]?|quel(?:le)?s?|qué|cuál(?:es)?)\b.*\b(?:do you|fahren|nutzen|besitzen|haben sie|conduisez|utilisez|avez|conduce|usa|tiene)\b`)
	attitudes = expression.Of(`\b(?:agree|satisf|important|likely|trust|zustimm|zufrieden|wichtig|satisfait|accord|satisfecho|acuerdo)`)
)

// Read reads a question. It refuses what has no answer form.
func Read(q Question) (*Meaning, error) {
	p, err := newPrepared(q, Policy{})
	if err != nil {
		return nil, err
	}
	m := &Meaning{p: p, topic: p.topic}
	text := fold(p.search.text)
	if bare := nowadays.ReplaceAllString(q.Text, " "); bare != q.Text {
		m.topic = newBag(bare, q.Options)
	}
	switch {
	case q.Type == Scale:
		m.steps = q.Max - q.Min + 1
	case q.Type == Categorical && p.task == nil && p.ordered:
		m.rank = map[string]int{}
		for _, i := range p.order {
			if p.scale[i] {
				m.rank[p.labels[i].text] = m.steps
				m.steps++
			}
		}
	}
	m.may = hardly.MatchString(text)
	m.gate = q.Type == Categorical && isYesNo(p.labels) && p.topic.sign > 0 && !m.may && !attitudes.MatchString(text) && p.self == nil
	m.having = m.gate && owning.MatchString(text)
	counts := q.Type == Numeric || howLarge.MatchString(text)
	for _, l := range p.labels {
		counts = counts || l.family == "often" || l.family == "rate"
	}
	m.detail = !m.may && p.topic.sign > 0 && (counts || whichHad.MatchString(text) || strings.Contains(text, "your ") && (q.Type == Scale || q.Type == Categorical && !isYesNo(p.labels)))
	return m, nil
}

// Stems are the words of content that the question is about, for an index.
func (m *Meaning) Stems() []string { return m.topic.stems }

// Same reports two questions that ask for one construct in forms that can be
// compared: the wording matches (SameQuestion) and both ask alike. turned is true
// when one asks for the opposite of the other.
func (m *Meaning) Same(o *Meaning) (same, turned bool) {
	a, b := m.topic, o.topic
	if m.p.task != nil && m.p.q.Battery != nil || o.p.task != nil && o.p.q.Battery != nil {
		return false, false // batteries repeat their words from task to task
	}
	if similarity(a, b) < SameQuestion || !sameAsking(a.asks, b.asks) || a.subject != b.subject {
		return false, false
	}
	turned = a.sign != b.sign
	switch {
	case m.p.q.Type == Numeric || o.p.q.Type == Numeric:
		return m.p.q.Type == o.p.q.Type && !turned, false
	case m.steps > 1 && o.steps > 1:
		return m.axis() == o.axis(), turned
	}
	return m.p.q.Type == Categorical && o.p.q.Type == Categorical && m.steps == 0 && o.steps == 0 && !turned && sameLabels(m.p.labels, o.p.labels), false
}

// axis names what the ends of an ordered form mean, so that frequency is not held
// against approval.
func (m *Meaning) axis() string {
	ls := m.p.labels
	if m.p.named != nil {
		ls = m.p.named
	}
	for _, l := range ls {
		if !l.outside {
			if l.family == "" || l.family == familyNumber {
				return ""
			}
			return l.family
		}
	}
	return ""
}

func sameLabels(a, b []label) bool {
	if len(a) != len(b) {
		return false
	}
	have := map[string]bool{}
	for _, l := range a {
		have[l.strict] = true
	}
	for _, l := range b {
		if !have[l.strict] {
			return false
		}
	}
	return true
}

// Steps is how many places the answers have from low to high; 0 when they have
// no order.
func (m *Meaning) Steps() int { return m.steps }

// Place is an answer's place from 0 (low) to 1 (high). ok is false for answers
// outside the scale and for questions without an order.
func (m *Meaning) Place(e Earlier) (at float64, ok bool) {
	switch {
	case m.p.q.Type == Scale && e.Number != nil:
		at = (*e.Number - float64(m.p.q.Min)) / float64(m.p.q.Max-m.p.q.Min)
		if m.p.q.TopLow {
			at = 1 - at
		}
		return at, at >= 0 && at <= 1
	case m.steps > 1:
		if i, known := m.rank[e.Option]; known {
			return float64(i) / float64(m.steps-1), true
		}
	}
	return 0, false
}

// Choice is the canonical name of a chosen option; "" for one outside the offer.
func (m *Meaning) Choice(option string) string {
	for _, l := range m.p.labels {
		if l.text == option && !l.outside {
			return l.strict
		}
	}
	return ""
}

// Stance is whether an answer says that there is something at all.
type Stance int

// The stances. Unclear answers say neither.
const (
	Unclear Stance = iota
	Nothing        // no, never, none, 0
	Something
)

var nothingAtAll = expression.Of(`^(?:i )?(?:never|none|no|nie|niemals|keine?[rsn]?|nein|jamais|aucune?|non|nunca|ningun[oa]?|ninguno|do not|not at all)\b`)

// Stance reads an answer's stance.
func (m *Meaning) Stance(e Earlier) Stance {
	of := func(option string) Stance {
		for _, l := range m.p.labels {
			if l.text != option {
				continue
			}
			switch {
			case l.strict == "outside:none", nothingAtAll.MatchString(l.folded), l.family != "" && l.rank == 0 && (l.family == "yesno" || l.family == "often" || l.family == "rate"), l.folded == "0":
				return Nothing
			case l.outside:
				return Unclear
			}
			return Something
		}
		return Unclear
	}
	switch m.p.q.Type {
	case Numeric:
		switch {
		case e.Number == nil:
		case *e.Number == 0:
			return Nothing
		case *e.Number > 0:
			return Something
		}
	case Categorical:
		return of(e.Option)
	case Scale:
		if m.p.named != nil && e.Number != nil {
			at := int(*e.Number) - m.p.q.Min
			if at >= 0 && at < len(m.p.named) {
				if l := m.p.named[at]; (l.family == "often" || l.family == "rate") && l.rank == 0 {
					return Nothing
				}
			}
			return Something
		}
		if e.Number != nil {
			return Something
		}
	}
	return Unclear
}

// Gates reports that o takes for granted, or counts, what m asks for at all: who
// answers Nothing to m can say nothing but Nothing to o. Both ways it holds
// where o counts.
func (m *Meaning) Gates(o *Meaning) bool {
	if !o.detail || m.may || m.p.topic.sign < 0 || len(m.topic.stems) == 0 {
		return false
	}
	counts := false
	for _, l := range m.p.labels {
		counts = counts || l.family == "often" || l.family == "rate"
	}
	if !m.gate && !counts || !hasAll(o.topic, m.topic.stems) {
		return false
	}
	if !m.having {
		if m.p.topic.subject != o.p.topic.subject {
			return false
		}
		return o.p.q.Type == Numeric || o.counting()
	}
	text := fold(o.p.search.text)
	for _, s := range m.topic.stems { // "your car", "brand of car do you drive"
		if !strings.Contains(text, "your ") && !whichHad.MatchString(text) && !o.counting() || !strings.Contains(text, strings.TrimSuffix(s, "e")) {
			return false
		}
	}
	return !strings.Contains(text, "like") && !strings.Contains(text, "prefer")
}

func (m *Meaning) counting() bool {
	if m.p.q.Type == Numeric {
		return true
	}
	for _, l := range m.p.labels {
		if l.family == "often" || l.family == "rate" {
			return true
		}
	}
	return howLarge.MatchString(fold(m.p.search.text)) && m.p.q.Type == Categorical
}

// Outside reports an option that says none of these, or no answer.
func (m *Meaning) Outside(option string) bool {
	for _, l := range m.p.labels {
		if l.text == option {
			return l.outside && l.strict != "outside:other"
		}
	}
	return false
}

// ToldByProfile is the answer that a profile gives to the question: the option,
// point or number, and the field that says it.
func (m *Meaning) ToldByProfile(pr Profile) (e Earlier, field string, ok bool) {
	switch m.p.q.Type {
	case Numeric:
		if m.p.q.Battery != nil {
			return Earlier{}, "", false
		}
		if v, field, ok := m.p.numberIn(pr); ok {
			return Earlier{Number: &v}, field, true
		}
	case Scale, Categorical:
		if m.p.task != nil {
			return Earlier{}, "", false
		}
		i, field, ok := m.p.fromProfile(pr)
		if !ok {
			return Earlier{}, "", false
		}
		if m.p.q.Type == Scale {
			v := float64(m.p.q.Min + i)
			return Earlier{Number: &v}, field, true
		}
		return Earlier{Option: m.p.q.Options[i]}, field, true
	}
	return Earlier{}, "", false
}

// AsksAge reports a question for the respondent's age in years, whose answers may
// be a year apart.
func (m *Meaning) AsksAge() bool {
	d, ok := asksDemographic(m.p.topic)
	return ok && d == dimAge
}

// apart is how far two places must be to contradict: two points of a scale of up
// to seven, three tenths of a longer one.
const apart = .3

// Apart reports places that contradict each other on scales of a and b steps.
func Apart(x, y float64, a, b int) bool {
	steps := min(a, b) - 1
	if steps < 1 {
		return false
	}
	if steps == 1 {
		return math.Abs(x-y) > .5
	}
	return math.Abs(x-y) > math.Max(2/float64(steps), apart)-1e-9
}
