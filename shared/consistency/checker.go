package consistency

import (
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/expression"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Checker holds the items of a study, read once. It is safe for concurrent use.
type Checker struct {
	items  []Item
	at     map[string]int
	read   []*simulate.Meaning
	same   [][]relation // by later item: earlier ones that ask for the same
	gates  [][]relation // by later item: earlier ones that it contradicts where they say nothing (or something)
	prices []battery
	sums   [][]int
	house  [][2]int // how many live there, how many children do
	words  wording
}

type relation struct {
	with   int
	turned bool
}

// mostRelations bounds the earlier items that one item is held against.
const mostRelations = 4

// New reads the items. locale is the study's language, of the reasons: en, de,
// fr or es, else English. It refuses an item whose question has no answer form.
func New(items []Item, locale string) (*Checker, error) {
	c := &Checker{items: items, at: map[string]int{}, words: wordsOf(locale), same: make([][]relation, len(items)), gates: make([][]relation, len(items))}
	c.findPrices()
	c.findSums()
	inSum := map[int]int{}
	for n, run := range c.sums {
		for _, i := range run {
			inSum[i] = n + 1
		}
	}
	byStem := map[string][]int{}
	for i, it := range items {
		m, err := simulate.Read(it.Question)
		if err != nil {
			return nil, err
		}
		c.at[it.ID] = i
		c.read = append(c.read, m)
		seen := map[int]bool{}
		for _, s := range m.Stems() {
			for _, j := range byStem[s] {
				seen[j] = true
			}
		}
		for j := i - 1; j >= 0; j-- {
			if !seen[j] || inSum[i] > 0 && inSum[i] == inSum[j] || items[j].Question.Battery != nil && it.Question.Battery != nil {
				continue
			}
			if same, turned := m.Same(c.read[j]); same && len(c.same[i]) < mostRelations {
				c.same[i] = append(c.same[i], relation{j, turned})
				continue
			}
			if len(c.gates[i]) < mostRelations {
				if c.read[j].Gates(m) {
					c.gates[i] = append(c.gates[i], relation{with: j})
				} else if m.Gates(c.read[j]) {
					c.gates[i] = append(c.gates[i], relation{with: j, turned: true})
				}
			}
		}
		for _, s := range m.Stems() {
			if list := byStem[s]; len(list) < mostByStem {
				byStem[s] = append(list, i)
			} else { // a word of every question tells none apart; the nearest are enough
				byStem[s] = append(list[1:], i)
			}
		}
	}
	return c, nil
}

const mostByStem = 24

// Check flags one Mind's contradictions, by item and then by rule.
func (c *Checker) Check(m Mind) []Flag {
	set := &flags{mind: m.ID, checker: c}
	answers := m.Answers
	if len(answers) > len(c.items) {
		answers = answers[:len(c.items)]
	}
	for i, a := range answers {
		if a == nil {
			continue
		}
		c.against(set, answers, i)
		c.exclusive(set, i, a)
		c.profile(set, m.Profile, i, a)
	}
	c.priceOrder(set, answers)
	c.arithmetic(set, answers)
	return set.list
}

// flags collects one Mind's, each pair once.
type flags struct {
	mind    string
	checker *Checker
	list    []Flag
}

func (f *flags) add(item int, with, rule, reason string) {
	f.take(Flag{MindID: f.mind, Item: f.checker.items[item].ID, WithItem: with, Reason: reason, RuleID: rule})
}

// take holds a flag to M-192: known items, the later one first, a reason of at
// most MaxReason characters, each pair once.
func (f *flags) take(x Flag) {
	i, ok := f.checker.at[x.Item]
	if !ok || strings.TrimSpace(x.Reason) == "" {
		return
	}
	if j, known := f.checker.at[x.WithItem]; known && j > i {
		x.Item, x.WithItem = x.WithItem, x.Item
	} else if !known && x.WithItem != WithProfile {
		return
	}
	for _, y := range f.list {
		if y.Item == x.Item && y.WithItem == x.WithItem {
			return
		}
	}
	x.MindID, x.Reason = f.mind, short(x.Reason, MaxReason)
	if x.RuleID == "" {
		x.RuleID = RuleJudge
	}
	f.list = append(f.list, x)
}

func short(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// against holds an answer to the earlier ones on the same thing.
func (c *Checker) against(set *flags, answers []*simulate.Earlier, i int) {
	a := answers[i]
	for _, r := range c.same[i] {
		if b := answers[r.with]; b != nil && c.contradict(i, r, a, b) {
			set.add(i, c.items[r.with].ID, RuleConstruct, c.words.say(c.words.construct, c.said(r.with, b), c.said(i, a)))
		}
	}
	for _, r := range c.gates[i] {
		b := answers[r.with]
		if b == nil {
			continue
		}
		x, y := c.read[r.with].Stance(*b), c.read[i].Stance(*a)
		if x != simulate.Unclear && y != simulate.Unclear && x != y && !denies(a) && !denies(b) {
			set.add(i, c.items[r.with].ID, RuleRouting, c.words.say(c.words.routing, c.said(r.with, b), c.said(i, a)))
		}
	}
	if g := c.items[i].Gate; g != nil {
		if j, ok := c.at[g.Item]; ok && j < i && answers[j] != nil && !g.opens(answers[j]) {
			set.add(i, g.Item, RuleRouting, c.words.say(c.words.gate, c.said(j, answers[j])))
		}
	}
}

// denials are words by which a label may say that there is none, whatever else it
// names: "I own no car". What such a label means of another question is not certain,
// and a flag must be.
var denials = expression.Of(`(?i)^\s*(?:i|we|ich|wir|je|nous|yo)\b.*\b(?:no|not|don't|do not|never|kein\w*|nicht|nie|pas|aucune?|jamais|nunca|ningun[oa]?)\b`)

func denies(a *simulate.Earlier) bool { return denials.MatchString(a.Option) }

func (g Gate) opens(a *simulate.Earlier) bool {
	picked := a.Options
	if a.Option != "" {
		picked = []string{a.Option}
	}
	in := func(list []string) bool {
		for _, p := range picked {
			for _, l := range list {
				if p == l {
					return true
				}
			}
		}
		return false
	}
	if len(g.AnswerIn) > 0 {
		return in(g.AnswerIn)
	}
	return !in(g.AnswerNotIn)
}

func (c *Checker) contradict(i int, r relation, a, b *simulate.Earlier) bool {
	m, o := c.read[i], c.read[r.with]
	if x, ok := m.Place(*a); ok {
		y, known := o.Place(*b)
		if !known {
			return false
		}
		if r.turned {
			y = 1 - y
		}
		return simulate.Apart(x, y, m.Steps(), o.Steps())
	}
	if a.Number != nil && b.Number != nil && m.Steps() == 0 {
		if m.AsksAge() {
			return diff(*a.Number, *b.Number) > 1
		}
		return diff(*a.Number, *b.Number) > .25*max(diff(*a.Number, 0), diff(*b.Number, 0))
	}
	if m.Steps() > 0 || o.Steps() > 0 {
		return false
	}
	x, y := m.Choice(a.Option), o.Choice(b.Option)
	return x != "" && y != "" && x != y
}

func diff(a, b float64) float64 {
	if a < b {
		return b - a
	}
	return a - b
}

func (c *Checker) exclusive(set *flags, i int, a *simulate.Earlier) {
	if len(a.Options) < 2 {
		return
	}
	for _, o := range a.Options {
		alone := c.read[i].Outside(o)
		for _, x := range c.items[i].Question.Exclusive {
			alone = alone || x == o
		}
		if alone {
			set.add(i, c.items[i].ID, RuleExclusive, c.words.say(c.words.alone, quote(o), itoa(len(a.Options)-1)))
			return
		}
	}
}

func (c *Checker) profile(set *flags, p simulate.Profile, i int, a *simulate.Earlier) {
	if len(p.Fields) == 0 {
		return
	}
	want, field, ok := c.read[i].ToldByProfile(p)
	if !ok {
		return
	}
	switch {
	case want.Number != nil && a.Number != nil:
		slack := 0.0
		if c.read[i].AsksAge() {
			slack = 1
		}
		ok = diff(*want.Number, *a.Number) <= slack
		if c.items[i].Question.Type == simulate.Scale {
			ok = diff(*want.Number, *a.Number) < 2
		}
	case want.Option != "" && a.Option != "":
		ok = want.Option == a.Option || c.read[i].Outside(a.Option)
	}
	if !ok {
		set.add(i, WithProfile, RuleProfile, c.words.say(c.words.profile, c.said(i, a), quote(field)))
	}
}

// said writes an answer with its question, short.
func (c *Checker) said(i int, a *simulate.Earlier) string {
	var v string
	switch {
	case a.Number != nil:
		v = ftoa(*a.Number)
	case a.Option != "":
		v = a.Option
	case a.Best != "":
		v = a.Best + " / " + a.Worst
	case len(a.Ranking) > 0:
		v = strings.Join(a.Ranking, " > ")
	case len(a.Options) > 0:
		v = strings.Join(a.Options, ", ")
	default:
		v = a.Text
	}
	return quote(short(spaces.ReplaceAllString(c.items[i].Question.Text, " "), 60)) + ": " + quote(short(v, 40))
}

var spaces = expression.Of(`\s+`)

func quote(s string) string { return "“" + s + "”" }
