package export

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/report/csvdata"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// rawData collects the answers of a Study as one row a Mind (M-224): who is
// simulated by what, and per question the answer with what it rests on (M-225).
// A Mind that is in several Audiences has one row that names them all.
type rawData struct {
	row       row
	questions []study.Settled // without their Minds
	minds     []*mindRow
	at        map[string]*mindRow
	tally     simulate.Tally
}

type mindRow struct {
	id, name  string
	audiences []string
	answers   map[int]study.MindAnswer // by place of the question
}

func newRawData(r row) *rawData { return &rawData{row: r, at: map[string]*mindRow{}} }

func (d *rawData) add(q study.Settled) error {
	place := len(d.questions)
	for _, m := range q.Minds {
		r := d.at[m.MindID]
		if r == nil {
			r = &mindRow{id: m.MindID, name: m.Name, answers: map[int]study.MindAnswer{}}
			d.at[m.MindID] = r
			d.minds = append(d.minds, r)
		}
		for _, a := range m.Audiences {
			r.join(q.Audiences[a].Name)
		}
		r.answers[place] = m
	}
	d.tally.Merge(q.All.Evidence)
	d.tally.Note(q.All.Warnings)
	q.Minds = nil
	d.questions = append(d.questions, q)
	return nil
}

func (m *mindRow) join(audience string) {
	for _, have := range m.audiences {
		if have == audience {
			return
		}
	}
	m.audiences = append(m.audiences, audience)
}

func (d *rawData) table() csvdata.Table {
	t := csvdata.Table{Header: []string{"simulated", "engine", "engine_version", "evidence_headline", "study_id", "study", "mind_id", "mind_name", "audience"}}
	var used []study.Engine
	for i, q := range d.questions {
		id := "q" + strconv.Itoa(i+1)
		if q.ItemID != "" {
			t.Header = append(t.Header, id+"_asked") // M-186
		}
		t.Header = append(t.Header, id+": "+oneLine(q.Text), id+"_evidence", id+"_sources", id+"_where", id+"_warnings", id+"_run")
		used = append(used, q.Engine)
	}
	var names, versions []string
	for _, e := range engines(used) {
		names, versions = append(names, e.Name), append(versions, e.Version)
	}
	engine, version, headline := strings.Join(names, "; "), strings.Join(versions, "; "), d.tally.Summary().Headline
	for _, m := range d.minds {
		line := make([]csvdata.Cell, 0, len(t.Header))
		line = append(line, csvdata.Bool(true), csvdata.Text(engine), csvdata.Text(version), csvdata.Text(headline),
			csvdata.Text(d.row.StudyID), csvdata.Text(d.row.StudyName), csvdata.Text(m.id), csvdata.Text(m.name),
			csvdata.Text(strings.Join(m.audiences, "; ")))
		for i, q := range d.questions {
			if q.ItemID != "" {
				asked := 0
				if _, ok := m.answers[i]; ok {
					asked = 1
				}
				line = append(line, csvdata.Int(asked))
			}
			line = append(line, cells(q, m.answers, i)...)
		}
		t.Rows = append(t.Rows, line)
	}
	return t
}

// cells are one Mind's answer to one question: the value, what it rests on, the
// ids of its sources, where what it quotes stands, what they leave in doubt, the run. A missing value is an empty cell, never a 0.
func cells(q study.Settled, answers map[int]study.MindAnswer, place int) []csvdata.Cell {
	m, asked := answers[place]
	switch {
	case !asked:
		return []csvdata.Cell{csvdata.Empty(), csvdata.Text("not_asked"), csvdata.Empty(), csvdata.Empty(), csvdata.Empty(), csvdata.Empty()}
	case m.Answer == nil:
		return []csvdata.Cell{csvdata.Empty(), csvdata.Text("failed"), csvdata.Empty(), csvdata.Empty(), csvdata.Empty(), csvdata.Text(q.RunID)}
	case m.Answer.Status != simulate.Answered:
		return []csvdata.Cell{csvdata.Empty(), csvdata.Text(m.Answer.Status), csvdata.Empty(), csvdata.Empty(), csvdata.Text(strings.Join(m.Answer.Warnings, "; ")), csvdata.Text(q.RunID)}
	}
	return []csvdata.Cell{value(*m.Answer), csvdata.Text(string(m.Answer.State)),
		csvdata.Text(strings.Join(m.Answer.SourceIDs, "; ")), csvdata.Text(strings.Join(simulate.Places(m.Answer.Citations), "; ")), csvdata.Text(strings.Join(m.Answer.Warnings, "; ")), csvdata.Text(q.RunID)}
}

func value(a simulate.Answer) csvdata.Cell {
	switch {
	case a.Number != nil:
		return csvdata.Number(*a.Number)
	case a.Option != "":
		return csvdata.Text(a.Option)
	case a.Text != "":
		return csvdata.Text(a.Text)
	case len(a.Ranking) > 0:
		return csvdata.Text(strings.Join(a.Ranking, "; "))
	case a.Best != "" || a.Worst != "":
		return csvdata.Text("best: " + a.Best + "; worst: " + a.Worst)
	}
	return csvdata.Text(strings.Join(a.Options, "; ")) // empty when nothing was picked
}

// oneLine is a text without line breaks, shortened for a heading.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > 300 {
		return fmt.Sprintf("%s…", string(r[:299]))
	}
	return text
}
