package summary

import (
	"fmt"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/report/markdown"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// The kinds of blocks that only planned runs have.
const (
	kindMethod      = "method_result"
	kindConsistency = "answer_consistency"
)

// methodBlock is the calculation of a method, as it was stored. Where it is not ok
// its results are null and Reason says why: no figure, no headline (M-204, M-343).
type methodBlock struct {
	Kind        string             `json:"kind"`
	RunID       string             `json:"runId"`
	Calculation method.Calculation `json:"calculation"`
	Figures     []methodFigure     `json:"figures"`
}

type methodFigure struct {
	Label string `json:"label"`
	Value string `json:"value"`
	CI95  string `json:"ci95,omitempty"`
	N     int    `json:"n"`
}

// consistencyBlock says how many Minds contradict themselves (M-191).
type consistencyBlock struct {
	Kind           string         `json:"kind"`
	RunID          string         `json:"runId"`
	Status         string         `json:"status"`
	CheckedMinds   int            `json:"checkedMinds"`
	FlaggedMinds   int            `json:"flaggedMinds"`
	FlagCount      int            `json:"flagCount"`
	UncheckedMinds int            `json:"uncheckedMinds"`
	Rules          map[string]int `json:"rules"`
}

// routingBlock says whom an item was for (M-184).
type routingBlock struct {
	ItemID        string   `json:"itemId"`
	AnswerIn      []string `json:"answerIn,omitempty"`
	AnswerNotIn   []string `json:"answerNotIn,omitempty"`
	AskedCount    int      `json:"askedCount"`
	NotAskedCount int      `json:"notAskedCount"`
}

func routingOf(q study.Settled) *routingBlock {
	if q.Condition == nil {
		return nil
	}
	b := q.All.Base
	return &routingBlock{q.Condition.ItemID, q.Condition.AnswerIn, q.Condition.AnswerNotIn, b.Asked, b.NotAsked}
}

// ofMethod reports whether an item is only part of what its method computes, and
// says nothing by itself.
func ofMethod(q study.Settled) bool {
	return q.MethodID != "" && q.Question.Type != simulate.Qualitative
}

// results are the calculations of a run, and its comparison of answers.
func results(o run.Outcome) (out []methodBlock, checked *consistencyBlock) {
	for _, c := range o.Calculations {
		b := methodBlock{Kind: kindMethod, RunID: o.RunID, Calculation: c, Figures: []methodFigure{}}
		for _, l := range method.Lines(c, o.Names[c.MethodID]) {
			n := l.N
			if n == 0 {
				n = c.Base.Answered
			}
			b.Figures = append(b.Figures, methodFigure{clip(l.Label, textShown), l.Value, l.CI95, n})
		}
		out = append(out, b)
	}
	if r := o.Consistency; r != nil {
		checked = &consistencyBlock{kindConsistency, o.RunID, r.Status, r.CheckedMinds, r.FlaggedMinds, r.FlagCount, r.UncheckedMinds, map[string]int{}}
		for _, f := range o.Flags {
			checked.Rules[f.RuleID]++
		}
	}
	return out, checked
}

// mostFigures is how many figures of one method a text shows.
var mostFigures = map[string]int{Brief: 3, Standard: 12, Detailed: 80}

// tellMethods writes what the methods of planned runs give, and how the answers hang
// together.
func (d *digest) tellMethods(line func(string)) {
	for _, o := range d.outcomes {
		blocks, checked := results(o)
		for _, b := range blocks {
			c := b.Calculation
			if c.AudienceID != nil && d.length != Detailed {
				continue
			}
			title := c.MethodID
			if c.AudienceID != nil {
				title += ", " + d.audience(*c.AudienceID)
			}
			line("")
			line("## " + markdown.Inline(title))
			line("")
			line(d.words.base(study.Base{Participating: c.Base.Participating, Asked: c.Base.Asked, Answered: c.Base.Answered, Failed: c.Base.Failed, NotAsked: c.Base.NotAsked, EffectiveN: c.Base.EffectiveN}))
			line("")
			if c.Status != method.StatusOK {
				said := c.Reason
				if c.Status == method.StatusInsufficientEvidence {
					said = d.words.suppressed + " " + c.Reason
				}
				line(markdown.Inline(strings.TrimSpace(said)))
				continue
			}
			for i, f := range b.Figures {
				if i == mostFigures[d.length] {
					line("- …")
					break
				}
				text := "- " + markdown.Inline(f.Label) + ": " + markdown.Inline(f.Value)
				if f.CI95 != "" {
					text += " [" + markdown.Inline(f.CI95) + "]"
				}
				line(text)
			}
			for _, w := range c.Warnings {
				line("- " + markdown.Inline(w))
			}
		}
		if checked != nil && d.length != Brief {
			line("")
			line(fmt.Sprintf(d.words.checked, checked.CheckedMinds, checked.FlaggedMinds, checked.FlagCount))
		}
	}
}

// audience is the name of an Audience as the questions have it.
func (d *digest) audience(id string) string {
	for _, f := range d.findings {
		for _, a := range f.q.Audiences {
			if a.ID == id {
				return clip(a.Name, textShown)
			}
		}
	}
	return id
}
