package export

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/report"
	"github.com/mindgate-dev/mindgate/shared/research/run"
	"github.com/mindgate-dev/mindgate/shared/research/study"
)

// routed says whom an item was for, and how many that were (M-184); empty for an
// item that everybody was asked.
func routed(q study.Settled) string {
	b := q.All.Base
	if q.Condition == nil && (q.ItemID == "" || b.NotAsked == 0) {
		return ""
	}
	text := ""
	if c := q.Condition; c != nil {
		text = "Asked of Minds whose answer to " + c.ItemID
		if len(c.AnswerIn) > 0 {
			text += " includes " + strings.Join(c.AnswerIn, " or ")
		} else {
			text += " includes none of: " + strings.Join(c.AnswerNotIn, "; ")
		}
		text += ". "
	}
	return text + fmt.Sprintf("%d of %s were asked, %d were not; who was not asked is in no base.", b.Asked, plural(b.Participating, "Mind", "Minds"), b.NotAsked)
}

// statistics shows the figures of numbers and rankings; none where the evidence
// carries no finding.
func statistics(g study.Group) []report.Block {
	if len(g.Statistics) == 0 || !g.Evidence.Sufficient {
		return nil
	}
	t := report.Table{Caption: strings.TrimPrefix(g.Name+": statistics", ": "), Columns: []report.Column{{Label: "Figure"}, {Label: "Value", Align: report.Right}},
		Note: fmt.Sprintf("Base: %s answered of %d asked. Synthetic answers.", plural(g.Base.Answered, "Mind", "Minds"), g.Base.Asked)}
	row := func(label string, v any) {
		switch x := v.(type) {
		case *float64:
			if x != nil {
				t.Rows = append(t.Rows, []string{label, strconv.FormatFloat(*x, 'f', 2, 64)})
			}
		case map[string]float64:
			for _, k := range slices.Sorted(maps.Keys(x)) {
				t.Rows = append(t.Rows, []string{"Mean rank of " + k, strconv.FormatFloat(x[k], 'f', 2, 64)})
			}
		}
	}
	row("Mean", g.Statistics["mean"])
	row("Median", g.Statistics["median"])
	row("Standard deviation", g.Statistics["standardDeviation"])
	row("Mean rank", g.Statistics["meanRanks"])
	if len(t.Rows) == 0 {
		return nil
	}
	return []report.Block{t}
}

// mostLines bounds the figures of one calculation in a report.
const mostLines = 400

// compute adds what was computed of a run: each calculation with its base and what
// it leaves out, then how the answers of each Mind hang together.
func (d *document) compute(o run.Outcome) {
	full := d.row.Kind == FullReport
	for _, c := range o.Calculations {
		if c.AudienceID != nil && !full {
			continue
		}
		if len(d.computed) == 0 {
			d.computed = append(d.computed, report.Heading{Level: 1, Text: "Calculations"})
		}
		title := c.MethodID
		if c.AudienceID != nil {
			title += ", Audience " + d.audience(*c.AudienceID)
		}
		d.computed = append(d.computed, report.Heading{Level: 2, Text: title})
		base := fmt.Sprintf("Base: %s answered of %d asked", plural(c.Base.Answered, "Mind", "Minds"), c.Base.Asked)
		if c.Base.NotAsked > 0 {
			base += fmt.Sprintf("; %d not asked", c.Base.NotAsked)
		}
		if e := c.Base.EffectiveN; e != nil && c.Base.Answered > 0 && *e != float64(c.Base.Answered) {
			base += fmt.Sprintf("; effective base %.1f", *e)
		}
		for _, why := range slices.Sorted(maps.Keys(c.Excluded)) {
			if n := c.Excluded[why]; n > 0 {
				base += fmt.Sprintf("; left out: %d (%s)", n, strings.ReplaceAll(why, "_", " "))
			}
		}
		if c.Status != method.StatusOK {
			d.computed = append(d.computed, report.Callout{Tone: report.Risk, Title: "No result: " + strings.ReplaceAll(c.Status, "_", " "), Text: strings.TrimSpace(c.Reason + " " + base + ".")})
			continue
		}
		t := report.Table{Caption: title, Note: base + ". " + method.MemberSampling,
			Columns: []report.Column{{Label: "Figure"}, {Label: "Value", Align: report.Right}, {Label: "95% range", Align: report.Right}, {Label: "n", Align: report.Right}}}
		for _, l := range method.Lines(c, o.Names[c.MethodID]) {
			if len(t.Rows) == mostLines {
				break
			}
			n := l.N
			if n == 0 {
				n = c.Base.Answered
			}
			ci := l.CI95
			if ci == "" {
				ci = "–"
			}
			t.Rows = append(t.Rows, []string{oneLine(l.Label), l.Value, ci, strconv.Itoa(n)})
		}
		if len(t.Rows) > 0 {
			d.computed = append(d.computed, t)
		}
		if len(c.Warnings) > 0 {
			d.computed = append(d.computed, report.Callout{Tone: report.Limitation, Title: "What limits this", Text: strings.Join(c.Warnings, " ")})
		}
	}
	r := o.Consistency
	if r == nil {
		return
	}
	d.checked = append(d.checked, report.Heading{Level: 1, Text: "Answer consistency"},
		report.Paragraph{Text: fmt.Sprintf("The answers of each Mind were compared with its own others (%s): %s compared, %d with a contradiction, %s in all, %d not compared. No answer was changed.",
			r.Status, plural(r.CheckedMinds, "Mind", "Minds"), r.FlaggedMinds, plural(r.FlagCount, "contradiction", "contradictions"), r.UncheckedMinds)})
	if len(o.Flags) == 0 || !full {
		return
	}
	t := report.Table{Caption: "Contradictions", Columns: []report.Column{{Label: "Mind"}, {Label: "Item"}, {Label: "With"}, {Label: "Why"}}}
	for i, f := range o.Flags {
		if i == mostLines {
			t.Note = fmt.Sprintf("%d more are not shown.", len(o.Flags)-i)
			break
		}
		name := d.minds[f.MindID]
		if name == "" {
			name = f.MindID
		}
		t.Rows = append(t.Rows, []string{name, f.Item, f.WithItem, oneLine(f.Reason)})
	}
	d.checked = append(d.checked, t)
}

func (d *document) audience(id string) string {
	if name := d.audiences[id]; name != "" {
		return name
	}
	return id
}
