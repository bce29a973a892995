package export

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/report"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// document collects a Study as a report. It keeps figures and a few quotes of a
// question, never all of its answers.
type document struct {
	row     row
	first   string // when the first question was put, and the last settled
	last    string
	tally   simulate.Tally
	used    []study.Engine
	results []report.Block
	sources []*source
	byID    map[string]*source
	n       int // questions

	computed, checked []report.Block    // of planned runs
	minds, audiences  map[string]string // names by id, of planned runs
}

// source is one publication or record behind answers.
type source struct {
	title, dates, url, origin string
	n                         *int
	answers                   int
	questions                 []int
	places                    []string // of what is quoted of it, each once
}

// mostPlaces is how many places of one source are listed.
const mostPlaces = 12

func newDocument(r row) *document {
	return &document{row: r, byID: map[string]*source{}, minds: map[string]string{}, audiences: map[string]string{}}
}

func (d *document) add(q study.Settled) error {
	d.n++
	if d.first == "" {
		d.first = q.AskedAt
	}
	d.last = max(d.last, q.SettledAt)
	d.used = append(d.used, q.Engine)
	d.tally.Merge(q.All.Evidence)
	d.tally.Note(q.All.Warnings)
	d.cite(q)
	if q.ItemID != "" {
		for _, m := range q.Minds {
			d.minds[m.MindID] = m.Name
		}
		for _, a := range q.Audiences {
			d.audiences[a.ID] = a.Name
		}
	}
	d.results = append(d.results, d.question(q)...)
	return nil
}

// cite notes the sources of a question's answers.
func (d *document) cite(q study.Settled) {
	for _, m := range q.Minds {
		if m.Answer == nil || m.Answer.Status != simulate.Answered {
			continue
		}
		for _, c := range m.Answer.Citations {
			// The same publication may stand in the knowledge of many Minds.
			key := strings.Join([]string{c.Source, c.Dates, c.URL}, "\x00")
			if c.Source == "" && c.URL == "" {
				key = c.SourceID
			}
			s := d.byID[key]
			if s == nil {
				s = &source{title: c.Source, dates: c.Dates, url: c.URL, origin: c.Origin, n: c.N}
				if s.title == "" {
					if s.title = "A Mind's own record " + c.SourceID; c.SourceID == simulate.PersonaID {
						s.title = "What the Minds' personas say"
					}
				}
				d.byID[key] = s
				d.sources = append(d.sources, s)
			}
			if c.Quote != "" && c.Where != "" && len(s.places) < mostPlaces && !slices.Contains(s.places, c.Where) {
				s.places = append(s.places, c.Where)
			}
			s.answers++
			if len(s.questions) == 0 || s.questions[len(s.questions)-1] != d.n {
				s.questions = append(s.questions, d.n)
			}
		}
	}
}

func (d *document) report() report.Report {
	summary := d.tally.Summary()
	r := report.Report{Title: d.row.StudyName, Meta: d.meta()}
	r.Blocks = append(r.Blocks,
		report.Callout{Tone: report.Limitation, Title: "Simulated answers", Text: d.statement(summary)},
		report.Callout{Tone: report.Method, Title: "What the answers rest on", Text: summary.Headline},
	)
	if d.n == 0 {
		r.Blocks = append(r.Blocks, report.Paragraph{Text: "No question of this Study has been answered yet, so there is nothing to report."})
	}
	if d.row.Kind == FullReport && d.n > 0 {
		r.Blocks = append(r.Blocks, d.method()...)
	}
	if d.n > 0 {
		r.Blocks = append(r.Blocks, report.Heading{Level: 1, Text: "Results"})
		r.Blocks = append(r.Blocks, d.results...)
		r.Blocks = append(r.Blocks, d.computed...)
		r.Blocks = append(r.Blocks, d.checked...)
		r.Blocks = append(r.Blocks, d.sourceTable()...)
	}
	if d.row.Pending > 0 {
		r.Blocks = append(r.Blocks, report.Callout{Tone: report.Limitation, Title: "Not in this report",
			Text: plural(d.row.Pending, "question was", "questions were") + " still being answered when this report was asked for."})
	}
	return r
}

func (d *document) meta() []report.MetaItem {
	var names []string
	for _, e := range engines(d.used) {
		names = append(names, e.Name+" "+e.Version)
	}
	meta := []report.MetaItem{{Label: "Simulated", Value: "yes: every answer is synthetic"}}
	if len(names) > 0 {
		meta = append(meta, report.MetaItem{Label: "Respondent engine", Value: strings.Join(names, "; ")},
			report.MetaItem{Label: "Asked", Value: day(d.first) + " to " + day(d.last)})
	}
	return append(meta, report.MetaItem{Label: "Study", Value: d.row.StudyID})
}

// statement is what a reader must know first: nobody was asked.
func (d *document) statement(e simulate.EvidenceSummary) string {
	n := e.Stated + e.Grounded + e.Related + e.Trait + e.Unsupported
	if n == 0 {
		return "No model connection is set. Answers here come from the offline engine; they show how your study works, not what people think, except where a source is named."
	}
	return simulate.Disclosure(e, len(d.sources))
}

func (d *document) method() []report.Block {
	return []report.Block{
		report.Heading{Level: 1, Text: "Method"},
		report.List{Items: []string{
			"The Minds are synthetic respondents. Each was asked each question once and answered for itself, without seeing other answers.",
			"Shares are percentages of the Minds that answered; who was not asked or could not answer is in no base. In questions with several answers they may add up to more than 100%.",
			"Ranges are 95% Wilson intervals for the number of Minds, as if they had been drawn independently. They show the uncertainty of a small panel of Minds, not how near the answers are to people.",
			"Where more than half of the answers rest on nothing but the shape of the question, counts are shown and no finding is named.",
		}},
		report.Table{Caption: "What an answer can rest on", MinShown: report.Detailed,
			Columns: []report.Column{{Label: "State"}, {Label: "Meaning"}},
			Rows: [][]string{
				{"stated", "the Mind's own record answers it"},
				{"grounded", "a published or imported distribution of this question"},
				{"related", "evidence on a near question or population"},
				{"trait", "traits of the Mind's profile only"},
				{"unsupported", "nothing but the shape of the question: illustrative only"},
			}},
	}
}

// question is one question's part of the report.
func (d *document) question(q study.Settled) []report.Block {
	full := d.row.Kind == FullReport
	blocks := []report.Block{report.Heading{Level: 2, Text: fmt.Sprintf("%d. %s", d.n, oneLine(q.Text))}}
	if q.Error != "" {
		blocks = append(blocks, report.Callout{Tone: report.Limitation, Title: "Not complete", Text: q.Error})
	}
	if text := routed(q); text != "" {
		blocks = append(blocks, report.Callout{Tone: report.Method, Title: "Routing", Text: text})
	}
	if q.Varied {
		return append(blocks, report.Paragraph{Text: fmt.Sprintf("A task of %s with versions: each Mind saw one of them, so its answers are only read together, in the calculation. Base: %s answered of %d asked.",
			q.MethodID, plural(q.All.Base.Answered, "Mind", "Minds"), q.All.Base.Asked)})
	}
	tone := report.Insight
	if !q.All.Evidence.Sufficient {
		tone = report.Risk
	}
	blocks = append(blocks, report.Callout{Tone: tone, Title: d.finding(q), Text: strings.TrimSuffix(q.All.Evidence.Headline, " "+simulate.WarningsInWords(q.All.Warnings))})
	if note := simulate.WarningsInWords(q.All.Warnings); note != "" {
		// What is in doubt stands beside the finding, in every length.
		blocks = append(blocks, report.Callout{Tone: report.Limitation, Title: "What the sources leave in doubt", Text: sentence(strings.TrimPrefix(note, "Note: "))})
	}
	groups := q.Audiences
	if len(groups) > 1 {
		all := q.All
		all.Name = "All Minds, each once"
		groups = append([]study.Group{all}, groups...)
		if !full {
			groups = groups[:1]
		}
	}
	for i, g := range groups {
		blocks = append(blocks, statistics(g)...)
		t := figureTable(q.Question, g)
		if i > 0 {
			t.MinShown = report.Standard // the parts of the whole
		}
		blocks = append(blocks, t)
	}
	if full {
		blocks = append(blocks, evidenceTable(groups))
		if q.Question.Type == simulate.Qualitative {
			blocks = append(blocks, quotes(q)...)
		}
	}
	return blocks
}

// finding is the one sentence of a question; none where the evidence does not
// carry it (M-343).
func (d *document) finding(q study.Settled) string {
	switch {
	case q.All.Base.Answered == 0:
		return "No answers"
	case !q.All.Evidence.Sufficient:
		return "No finding: the evidence is insufficient"
	}
	text, base := study.Headline(q.Question, q.All), plural(q.All.Base.Answered, "Mind", "Minds")
	if simulate.Disagree(q.All.Warnings) {
		base += "; " + simulate.SourcesDisagree
	}
	switch _, named := q.All.Counts[text]; {
	case q.Question.Type == simulate.Scale:
		return fmt.Sprintf("Mean %s (base: %s)", text, base)
	case len(q.All.Statistics) > 0:
		return fmt.Sprintf("Figures (base: %s)", base)
	case q.Question.Type == simulate.Qualitative:
		return fmt.Sprintf("Open answers (base: %s)", base)
	case named:
		return fmt.Sprintf("Most frequent: %s, %s (base: %s)", text, percent(q.All.Share(text)), base)
	default:
		return fmt.Sprintf("%s (base: %s)", text, base)
	}
}

// sentence begins with a capital.
func sentence(text string) string {
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
