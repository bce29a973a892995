package summary

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report/markdown"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// How much of each a length tells.
var shows = map[string]struct {
	questions, labels, differences, themes, quotes, sources int
	audiences                                               bool
}{
	Brief:    {questions: 8, labels: 3, differences: 1},
	Standard: {questions: 60, labels: 7, differences: 3, themes: 5, quotes: 1, sources: 8},
	Detailed: {questions: 200, labels: 40, differences: 12, themes: 12, quotes: 3, sources: 40, audiences: true},
}

// mostText bounds the text; questions beyond stand in the blocks.
const mostText = 200 << 10

// text is the summary as Markdown: the evidence first, then what the answers say as
// far as it carries a finding, question by question. told holds what a model worded,
// by question.
func (d *digest) text(told map[string]string) string {
	w, most := d.words, shows[d.length]
	var b strings.Builder
	line := func(s string) { b.WriteString(s + "\n") }
	line("**" + markdown.Inline(w.headline(d.evidence)) + "**")
	line("")
	line(w.statement)
	if !d.evidence.Sufficient {
		line("")
		line(w.noFinding)
	}
	if note := simulate.WarningsInWords(d.warnings); note != "" {
		line("")
		line(markdown.Inline(note))
	}
	for i, f := range d.findings {
		if i >= most.questions || b.Len() > mostText {
			line("")
			line(fmt.Sprintf(w.more, len(d.findings)-i))
			break
		}
		line("")
		d.tell(line, i+1, f, told[f.q.QuestionID])
	}
	d.tellMethods(line)
	if most.sources > 0 && len(d.sources) > 0 {
		line("")
		line("## " + w.sources)
		line("")
		for i, s := range d.sources {
			if i == most.sources {
				line(fmt.Sprintf("- "+w.moreSources, len(d.sources)-i))
				break
			}
			line("- " + w.source(s))
		}
	}
	if d.length == Detailed {
		line("")
		line("## " + w.limitations)
		line("")
		for _, l := range w.limits {
			line("- " + l)
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// tell writes one question.
func (d *digest) tell(line func(string), place int, f finding, told string) {
	w, most := d.words, shows[d.length]
	question := markdown.Inline(clip(f.q.Text, textShown))
	if d.length == Brief {
		said := w.finding(f)
		switch {
		case !f.q.All.Evidence.Sufficient:
			said = w.suppressed
		case told != "":
			said = markdown.Inline(told)
		default:
			said = markdown.Inline(said)
		}
		line(fmt.Sprintf("%d. %s: %s %s", place, question, said, w.base(f.q.All.Base)))
		return
	}
	line(fmt.Sprintf("## %d. %s", place, question))
	line("")
	line(w.base(f.q.All.Base))
	if f.q.All.Base.Answered == 0 {
		return
	}
	switch said := w.finding(f); {
	case !f.q.All.Evidence.Sufficient:
		line("")
		line(w.suppressed + " " + markdown.Inline(w.headline(f.q.All.Evidence)))
	case told != "":
		line("")
		line(markdown.Inline(told))
	case said != "":
		line("")
		line("**" + markdown.Inline(said) + "**")
	}
	if note := simulate.WarningsInWords(f.q.All.Warnings); note != "" && f.q.All.Evidence.Sufficient {
		line("")
		line(markdown.Inline(note))
	}
	if shares := w.distribution(f.q.Question, f.groups[0], most.labels); shares != "" {
		line("")
		line(shares)
	}
	if most.audiences && len(f.q.Audiences) > 1 {
		line("")
		for i, a := range f.q.Audiences {
			line("- " + markdown.Inline(clip(a.Name, textShown)) + " (n = " + fmt.Sprint(a.Base.Answered) + "): " + w.distribution(f.q.Question, f.groups[i+1], most.labels))
		}
	}
	if len(f.q.Audiences) > 1 && f.themes == nil {
		d.tellDifferences(line, f, most.differences)
	}
	if f.themes != nil && f.q.All.Evidence.Sufficient {
		d.tellThemes(line, *f.themes, most.themes, most.quotes)
	}
}

func (d *digest) tellDifferences(line func(string), f finding, most int) {
	line("")
	line(d.words.differences(f))
	said := 0
	for _, t := range f.differ.Tests {
		for _, p := range t.Pairs {
			if !study.Significant(p) || said == most {
				continue
			}
			said++
			line("- " + d.words.pair(pairOf(f, t, p), f.q.Question.Type == simulate.Scale))
		}
	}
}

func (d *digest) tellThemes(line func(string), themes study.QualitativeResult, most, quotes int) {
	if len(themes.Themes) == 0 {
		return
	}
	line("")
	line(d.words.themes)
	for _, t := range themes.Themes[:min(most, len(themes.Themes))] {
		shared := ""
		if slices.Contains(themes.SharedThemes, t.Label) {
			shared = "; " + d.words.shared
		}
		line(fmt.Sprintf("- %s: %d / %d%s", markdown.Inline(clip(t.Label, textShown)), t.Count, themes.Base, shared))
		for _, q := range t.Quotes[:min(quotes, len(t.Quotes))] {
			line("  - “" + markdown.Inline(clip(q, textShown)) + "”")
		}
	}
}
