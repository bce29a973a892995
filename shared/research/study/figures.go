package study

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// figures are what the answers of one group of Minds add up to.
type figures struct {
	Base     Base            `json:"base"`
	Counts   map[string]int  `json:"counts,omitempty"` // label, or scale point as text
	Evidence EvidenceSummary `json:"evidence"`
	// Weighted are the counts with every answer at its Mind's weight, Weight their
	// base; none where all count alike (M-127).
	Weighted map[string]float64 `json:"weighted,omitempty"`
	Weight   float64            `json:"weight,omitempty"`
	// Warnings are what the answers' sources leave in doubt, with their counts; the
	// evidence's headline says them.
	Warnings []simulate.Warning `json:"warnings,omitempty"`
}

// result is the outcome of one question: over all Minds, each once, and in each
// Audience, in the order of the panel.
type result struct {
	All       figures   `json:"all"`
	Audiences []figures `json:"audiences"`
}

// counter adds answers up, one at a time.
type counter struct {
	q     simulate.Question
	base  Base
	tally simulate.Tally
	count map[string]int

	weighted     map[string]float64
	sum, squares float64 // of the weights of who answered
	unequal      bool
}

func newCounter(q simulate.Question) *counter {
	c := &counter{q: q, count: map[string]int{}, weighted: map[string]float64{}}
	switch q.Type {
	case simulate.Categorical, simulate.Multiselect:
		for _, label := range q.Options {
			c.count[label] = 0
		}
	case simulate.Scale:
		if q.Max-q.Min <= 20 { // a nought a point says which points nobody chose
			for x := q.Min; x <= q.Max; x++ {
				c.count[strconv.Itoa(x)] = 0
			}
		}
	}
	return c
}

// add counts one answer at the weight of its Mind; nil is a Mind whose answer is
// missing. Failed answers never enter a figure (M-211).
func (c *counter) add(a *simulate.Answer, weight float64) {
	c.base.Asked++
	if a == nil || a.Status != simulate.Answered {
		c.base.Failed++
		if a != nil && a.Status == simulate.CannotAnswer {
			c.tally.Add(a.Status, a.State)
		}
		return
	}
	c.base.Answered++
	c.sum, c.squares, c.unequal = c.sum+weight, c.squares+weight*weight, c.unequal || weight != 1
	c.tally.Add(a.Status, a.State)
	c.tally.Warn(a.Warnings)
	one := func(label string) {
		c.count[label]++
		c.weighted[label] += weight
	}
	switch c.q.Type {
	case simulate.Scale:
		if a.Number != nil {
			one(number(*a.Number))
		}
	case simulate.Categorical:
		one(a.Option)
	case simulate.Multiselect:
		for _, o := range a.Options {
			one(o)
		}
	}
}

func (c *counter) figures(notAsked int) figures {
	f := figures{Base: c.base, Evidence: c.tally.Summary(), Warnings: c.tally.Warnings()}
	f.Base.NotAsked = notAsked
	f.Base.Participating = f.Base.Asked + notAsked
	n := float64(f.Base.Answered)
	if c.unequal && c.squares > 0 {
		n = c.sum * c.sum / c.squares // Kish
	}
	f.Base.EffectiveN = &n
	if c.q.Type != simulate.Qualitative {
		f.Counts = c.count
		if c.unequal {
			f.Weighted, f.Weight = c.weighted, c.sum
		}
	}
	return f
}

// settleFigures adds a question's answers up. answers are in the order of the
// panel's Minds; nil where one is missing.
func settleFigures(q simulate.Question, p panel, answers []*simulate.Answer) result {
	all := newCounter(q)
	weights := p.weights()
	for i := range p.Minds {
		all.add(answers[i], weights[i])
	}
	var r result
	notReady := 0
	for _, a := range p.Audiences {
		c := newCounter(q)
		for i, place := range a.Members {
			c.add(answers[place], a.weight(i))
		}
		r.Audiences = append(r.Audiences, c.figures(a.NotReady))
		notReady += a.NotReady
	}
	r.All = all.figures(notReady)
	return r
}

// weight is that of the member at a position.
func (a panelAudience) weight(i int) float64 {
	if i < len(a.Weights) {
		return a.Weights[i]
	}
	return 1
}

// weights are those of all Minds, each once: as it counts in the first of the
// Audiences that it is in.
func (p panel) weights() []float64 {
	out := make([]float64, len(p.Minds))
	for _, a := range p.Audiences {
		for i, place := range a.Members {
			if out[place] == 0 {
				out[place] = a.weight(i)
			}
		}
	}
	for i, w := range out {
		if w == 0 {
			out[i] = 1
		}
	}
	return out
}

// Share is the part of the answers that a label has, 0..1, weighted where the Minds
// do not count alike (M-127, M-327).
func (g Group) Share(label string) float64 {
	switch {
	case g.Weighted != nil && g.Weight > 0:
		return g.Weighted[label] / g.Weight
	case g.Base.Answered == 0:
		return 0
	}
	return float64(g.Counts[label]) / float64(g.Base.Answered)
}

// group is the figures as readers take them.
func (f figures) group(id, name string) Group {
	return Group{ID: id, Name: name, Base: f.Base, Counts: f.Counts, Weighted: f.Weighted, Weight: f.Weight, Evidence: f.Evidence, Warnings: f.Warnings}
}

// percentages are 100 x count / answered, weighted where the Minds do not count
// alike, unrounded; nil without an answer, since a share of nobody is no 0.
func (f figures) percentages() map[string]float64 {
	if f.Base.Answered == 0 || f.Counts == nil {
		return nil
	}
	out := make(map[string]float64, len(f.Counts))
	g := f.group("", "")
	for label, n := range f.Counts {
		if out[label] = 100 * g.Share(label); f.Weighted == nil {
			out[label] = 100 * float64(n) / float64(f.Base.Answered)
		}
	}
	return out
}

// number writes a scale point as people write it.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// headline is the one figure of a question in one group of Minds. Where the
// evidence carries no finding it says so and names none (M-343).
func headline(q simulate.Question, f figures) string {
	switch {
	case f.Base.Answered == 0:
		return "No answers"
	case !f.Evidence.Sufficient:
		return "No finding: the evidence is insufficient"
	}
	switch q.Type {
	case simulate.Scale:
		if m := f.mean(); m != nil {
			return strconv.FormatFloat(*m, 'f', 1, 64)
		}
	case simulate.Categorical, simulate.Multiselect:
		if label := f.dominant(); label != nil {
			return *label
		}
		return "No single most frequent answer"
	case simulate.Qualitative:
		if f.Base.Answered == 1 {
			return "1 open answer"
		}
		return fmt.Sprintf("%d open answers", f.Base.Answered)
	}
	return "No answers"
}

// cautious is the headline with what makes it less than a finding beside it.
func cautious(q simulate.Question, f figures) string {
	text := headline(q, f)
	if f.Base.Answered > 0 && f.Evidence.Sufficient && simulate.Disagree(f.Warnings) {
		text += " (" + simulate.SourcesDisagree + ")"
	}
	return text
}

// valueText is one answer as text.
func valueText(a simulate.Answer) string {
	switch {
	case a.Status != simulate.Answered:
		return ""
	case a.Number != nil:
		return number(*a.Number)
	case a.Option != "":
		return a.Option
	case a.Text != "":
		return a.Text
	}
	if len(a.Options) == 0 {
		return "None selected"
	}
	return strings.Join(a.Options, "; ")
}

// dominant is the single most frequent label; nil on a tie or without answers.
func dominant(counts map[string]int) *string {
	best, ties := 0, 0
	label := ""
	for l, n := range counts {
		switch {
		case n > best:
			best, ties, label = n, 1, l
		case n == best:
			ties++
		}
	}
	if best == 0 || ties != 1 {
		return nil
	}
	return &label
}

// meanOf is the mean of scale points counted by their text; nil without answers.
func meanOf(counts map[string]int) *float64 {
	n, sum := 0, 0.0
	for x, c := range counts {
		v, err := strconv.ParseFloat(x, 64)
		if err != nil {
			continue
		}
		n += c
		sum += v * float64(c) // points are whole numbers: exact in any order
	}
	if n == 0 {
		return nil
	}
	m := sum / float64(n)
	return &m
}

// Headline is the one figure of a question in one group of Minds, as results
// show it.
func Headline(q simulate.Question, g Group) string {
	return headline(q, figures{Base: g.Base, Counts: g.Counts, Weighted: g.Weighted, Weight: g.Weight, Evidence: g.Evidence})
}

// Mean is the mean of a group's scale points; nil without answers.
func (g Group) Mean() *float64 { return figures{Counts: g.Counts, Weighted: g.Weighted}.mean() }

func (f figures) mean() *float64 {
	if f.Weighted == nil {
		return meanOf(f.Counts)
	}
	n, sum := 0.0, 0.0
	for _, x := range slices.Sorted(maps.Keys(f.Weighted)) { // in one order, so that it is one figure
		if v, err := strconv.ParseFloat(x, 64); err == nil {
			n, sum = n+f.Weighted[x], sum+v*f.Weighted[x]
		}
	}
	if n == 0 {
		return nil
	}
	m := sum / n
	return &m
}

// dominant is the label that most answers have, by weight; nil when two share it.
func (f figures) dominant() *string {
	if f.Weighted == nil {
		return dominant(f.Counts)
	}
	best, label, ties := 0.0, "", 0
	for _, l := range slices.Sorted(maps.Keys(f.Weighted)) {
		switch w := f.Weighted[l]; {
		case w > best:
			best, label, ties = w, l, 1
		case w == best:
			ties++
		}
	}
	if best == 0 || ties != 1 {
		return nil
	}
	return &label
}
