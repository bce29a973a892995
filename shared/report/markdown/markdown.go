// Package markdown renders a report as Markdown (CommonMark with GFM tables).
// It draws no charts: chart data become a table, with its caption saying so.
package markdown

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report"
)

// Write renders the blocks that a report of this length shows. Equal reports
// give equal bytes (M-224). Texts of a report are plain: whatever they hold is
// shown, never taken as markup.
func Write(w io.Writer, r report.Report, length report.Length) error {
	if err := r.Validate(); err != nil {
		return err
	}
	out := &printer{w: bufio.NewWriter(w)}
	out.line("# " + heading(r.Title))
	if len(r.Meta) > 0 {
		out.gap()
		for _, m := range r.Meta {
			out.line("- **" + Cell(m.Label) + ":** " + Cell(m.Value))
		}
	}
	for _, b := range r.Blocks {
		if report.Shown(b, length) {
			out.gap()
			out.block(b)
		}
	}
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}

type printer struct {
	w   *bufio.Writer
	err error
}

func (p *printer) line(s string) {
	if p.err == nil {
		_, p.err = p.w.WriteString(s + "\n")
	}
}

func (p *printer) gap() { p.line("") }

func (p *printer) block(b report.Block) {
	switch b := b.(type) {
	case report.Heading:
		p.line(strings.Repeat("#", min(max(b.Level, 1)+1, 6)) + " " + heading(b.Text))
	case report.Paragraph:
		t := Text(b.Text)
		if b.Emphasis {
			t = "**" + Cell(b.Text) + "**"
		}
		p.line(t)
	case report.Callout:
		p.quoted("**" + Cell(calloutTitle(b)) + "**\n\n" + Text(b.Text))
	case report.List:
		for i, it := range b.Items {
			mark := "- "
			if b.Ordered {
				mark = strconv.Itoa(i+1) + ". "
			}
			p.line(mark + indent(Text(it), len(mark)))
		}
	case report.Quote:
		said := []string{}
		for _, s := range []string{b.Speaker, b.Evidence} {
			if s != "" {
				said = append(said, Cell(s))
			}
		}
		t := Text(b.Text)
		if len(said) > 0 {
			t += "\n\n— " + strings.Join(said, ", ")
		}
		p.quoted(t)
	case report.Table:
		p.table(b)
	case report.Figures:
		p.figures(b)
	case report.Chart:
		p.chart(b)
	}
}

// heading escapes a heading's text; a run of # at its end would be dropped.
func heading(s string) string {
	s = Cell(s)
	if t := strings.TrimRight(s, "#"); t != s {
		s = t + strings.Repeat("\\#", len(s)-len(t))
	}
	return s
}

func calloutTitle(c report.Callout) string {
	if c.Title != "" {
		return c.Title
	}
	switch c.Tone {
	case report.Risk:
		return "Risk"
	case report.Method:
		return "Method"
	case report.Limitation:
		return "Limitation"
	}
	return "Note"
}

func (p *printer) quoted(s string) {
	for _, l := range strings.Split(s, "\n") {
		p.line(strings.TrimRight("> "+l, " "))
	}
}

func indent(s string, n int) string {
	return strings.ReplaceAll(s, "\n", "\n"+strings.Repeat(" ", n))
}

func (p *printer) table(t report.Table) {
	if t.Caption != "" {
		p.line("**" + Cell(t.Caption) + "**")
		p.gap()
	}
	var head, rule []string
	for _, c := range t.Columns {
		head = append(head, Cell(c.Label))
		switch c.Align {
		case report.Right:
			rule = append(rule, "---:")
		case report.Center:
			rule = append(rule, ":---:")
		default:
			rule = append(rule, "---")
		}
	}
	p.line("| " + strings.Join(head, " | ") + " |")
	p.line("| " + strings.Join(rule, " | ") + " |")
	for _, row := range t.Rows {
		cells := make([]string, len(row))
		for i, c := range row {
			cells[i] = Cell(c)
		}
		p.line("| " + strings.Join(cells, " | ") + " |")
	}
	if t.Note != "" {
		p.gap()
		p.line("_" + Cell(t.Note) + "_")
	}
}

func (p *printer) figures(f report.Figures) {
	t := report.Table{Columns: []report.Column{{Label: "Figure"}, {Label: "Value", Align: report.Right}, {Label: "95% range", Align: report.Right}, {Label: "Base", Align: report.Right}, {Label: "Note"}}}
	notes, ranges := false, false
	for _, it := range f.Items {
		span := ""
		if it.Low != "" || it.High != "" {
			span = it.Low + " to " + it.High
			ranges = true
		}
		notes = notes || it.Note != ""
		t.Rows = append(t.Rows, []string{it.Label, it.Value, span, strconv.Itoa(it.Base), it.Note})
	}
	drop := func(at int) {
		t.Columns = append(append([]report.Column(nil), t.Columns[:at]...), t.Columns[at+1:]...)
		for i, r := range t.Rows {
			t.Rows[i] = append(append([]string(nil), r[:at]...), r[at+1:]...)
		}
	}
	if !notes {
		drop(4)
	}
	if !ranges {
		drop(2)
	}
	p.table(t)
}

func (p *printer) chart(c report.Chart) {
	t := report.Table{Caption: c.Title, Columns: []report.Column{{Label: ""}}}
	for _, s := range c.Series {
		t.Columns = append(t.Columns, report.Column{Label: s.Name, Align: report.Right})
	}
	for i, cat := range c.Categories {
		row := []string{cat}
		for _, s := range c.Series {
			row = append(row, strconv.FormatFloat(s.Values[i], 'f', c.Decimals, 64)+c.Unit)
		}
		t.Rows = append(t.Rows, row)
	}
	notes := []string{}
	if c.Alt != "" {
		notes = append(notes, c.Alt)
	}
	notes = append(notes, fmt.Sprintf("Base: %d.", c.Base))
	if c.Foot != "" {
		notes = append(notes, c.Foot)
	}
	t.Note = strings.Join(notes, " ")
	p.table(t)
}
