package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// figureTable shows the figures of one group of Minds.
func figureTable(q simulate.Question, g study.Group) report.Table {
	note := fmt.Sprintf("Base: %s answered of %d asked", plural(g.Base.Answered, "Mind", "Minds"), g.Base.Asked)
	if g.Base.Failed > 0 {
		note += fmt.Sprintf("; %d gave no answer", g.Base.Failed)
	}
	if g.Base.NotAsked > 0 {
		note += fmt.Sprintf("; %d were not asked", g.Base.NotAsked)
	}
	if g.Weighted != nil && g.Base.EffectiveN != nil {
		note += fmt.Sprintf("; shares are weighted, effective base %.1f", *g.Base.EffectiveN)
	}
	t := report.Table{Caption: g.Name, Note: note + ". Synthetic answers.",
		Columns: []report.Column{{Label: "Answer"}, {Label: "Count", Align: report.Right}, {Label: "Share", Align: report.Right}, {Label: "95% range", Align: report.Right}}}
	switch q.Type {
	case simulate.Qualitative, simulate.Numeric:
		what := map[simulate.QuestionType]string{simulate.Qualitative: "Open answers", simulate.Numeric: "Numbers"}[q.Type]
		t.Columns = t.Columns[:2]
		t.Rows = [][]string{{what, strconv.Itoa(g.Base.Answered)}}
		return t
	}
	for _, label := range labels(q, g.Counts) {
		n := g.Counts[label]
		line := []string{shown(q, label), strconv.Itoa(n), "–", "–"} // no share of nobody
		if g.Base.Answered > 0 {
			low, high := interval(g, label)
			line[2], line[3] = percent(g.Share(label)), percent(low)+" to "+percent(high)
		}
		t.Rows = append(t.Rows, line)
	}
	if q.Type == simulate.Scale && g.Evidence.Sufficient { // counts stay, a mean is a finding
		if mean := g.Mean(); mean != nil {
			t.Note = fmt.Sprintf("Mean %s on %d to %d. ", strconv.FormatFloat(*mean, 'f', 2, 64), q.Min, q.Max) + t.Note
		}
	}
	return t
}

// labels are the answers in the order in which they were offered; scale points
// ascending.
func labels(q simulate.Question, counts map[string]int) []string {
	if q.Type != simulate.Scale {
		return q.Options
	}
	var points []int
	for label := range counts {
		if x, err := strconv.Atoi(label); err == nil {
			points = append(points, x)
		}
	}
	slices.Sort(points)
	out := make([]string, len(points))
	for i, x := range points {
		out[i] = strconv.Itoa(x)
	}
	return out
}

// shown is a label with the text of its scale point.
func shown(q simulate.Question, label string) string {
	if q.Type == simulate.Scale {
		if x, err := strconv.Atoi(label); err == nil && q.ScaleLabels[x] != "" {
			return label + " (" + q.ScaleLabels[x] + ")"
		}
	}
	return label
}

func evidenceTable(groups []study.Group) report.Block {
	t := report.Table{Caption: "What the answers rest on", Columns: []report.Column{{Label: "Group"},
		{Label: "stated", Align: report.Right}, {Label: "grounded", Align: report.Right}, {Label: "related", Align: report.Right},
		{Label: "trait", Align: report.Right}, {Label: "unsupported", Align: report.Right}, {Label: "could not answer", Align: report.Right}, {Label: "evidence"}}}
	for _, g := range groups {
		verdict := "sufficient"
		if !g.Evidence.Sufficient {
			verdict = "insufficient"
		}
		line := []string{g.Name}
		for _, n := range []int{g.Evidence.Stated, g.Evidence.Grounded, g.Evidence.Related, g.Evidence.Trait, g.Evidence.Unsupported, g.Evidence.CannotAnswer} {
			line = append(line, strconv.Itoa(n))
		}
		t.Rows = append(t.Rows, append(line, verdict))
	}
	return t
}

// quotes are a few open answers in the order asked, more in longer reports;
// those that rest on something come first. Equal answers of one state are quoted
// once, with their number.
func quotes(q study.Settled) []report.Block {
	type said struct{ text, state string }
	same := map[said]int{}
	of := func(a *simulate.Answer) said { return said{strings.TrimSpace(a.Text), string(a.State)} }
	for _, m := range q.Minds {
		if m.Answer != nil && m.Answer.Status == simulate.Answered {
			same[of(m.Answer)]++
		}
	}
	var supported, other []report.Block
	for _, m := range q.Minds {
		if m.Answer == nil || m.Answer.Status != simulate.Answered || m.Answer.Text == "" {
			continue
		}
		n := same[of(m.Answer)]
		if n == 0 {
			continue // quoted with the first of its like
		}
		same[of(m.Answer)] = 0
		quote := report.Quote{Text: m.Answer.Text, Speaker: m.Name + " (synthetic)", Evidence: string(m.Answer.State)}
		if at := simulate.Places(m.Answer.Citations); len(at) > 0 {
			quote.Evidence += ", from " + strings.Join(at, "; ")
		}
		if n > 1 {
			quote.Speaker = fmt.Sprintf("%s and %s (%d equal answers, synthetic)", m.Name, plural(n-1, "other", "others"), n)
		}
		if m.Answer.State == simulate.Unsupported {
			other = append(other, quote)
		} else {
			supported = append(supported, quote)
		}
	}
	all := append(supported, other...)
	if len(all) > 12 {
		all = all[:12]
	}
	for i, b := range all {
		quote := b.(report.Quote)
		switch {
		case i >= 6:
			quote.MinShown = report.Detailed
		case i >= 3:
			quote.MinShown = report.Standard
		}
		all[i] = quote
	}
	return all
}

func (d *document) sourceTable() []report.Block {
	if len(d.sources) == 0 {
		return []report.Block{report.Heading{Level: 1, Text: "Sources"},
			report.Paragraph{Text: "No source stands behind these answers."}}
	}
	t := report.Table{Columns: []report.Column{{Label: "Source"}, {Label: "Dates"}, {Label: "n", Align: report.Right},
		{Label: "Answers", Align: report.Right}, {Label: "Questions"}, {Label: "Quoted at"}}, Note: "n is the base that the source states; a dash where it states none."}
	for _, s := range d.sources {
		n := "–"
		if s.n != nil {
			n = strconv.Itoa(*s.n)
		}
		name := s.title
		if s.url != "" {
			name += " " + s.url
		}
		where := make([]string, len(s.questions))
		for i, at := range s.questions {
			where[i] = strconv.Itoa(at)
		}
		t.Rows = append(t.Rows, []string{name, orDash(s.dates), n, strconv.Itoa(s.answers), strings.Join(where, ", "), orDash(strings.Join(s.places, ", "))})
	}
	return []report.Block{report.Heading{Level: 1, Text: "Sources"}, t}
}

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

func percent(p float64) string { return strconv.FormatFloat(100*p, 'f', 1, 64) + "%" }

func plural(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}

// day is the date of a time stamp.
func day(stamp string) string { d, _, _ := strings.Cut(stamp, "T"); return d }

// interval is where 95 of 100 shares like this lie (Wilson), on the effective base
// where the Minds do not count alike.
func interval(g study.Group, label string) (low, high float64) {
	n := float64(g.Base.Answered)
	if g.Base.EffectiveN != nil {
		n = *g.Base.EffectiveN
	}
	i, _ := stats.Wilson(min(g.Share(label)*n, n), n)
	return i.Low, i.High
}
