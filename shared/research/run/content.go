package run

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/consistency"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// What planned runs hold, in the form of questions: for analytics, summaries and
// exports, which read one item after the other and never a run whole. The id of an
// item among those of a Study is <run>/<item>.

// contentID names an item of a run within its Study.
func contentID(run, item string) string { return run + "/" + item }

// Items lists the items of the settled runs of a Study, oldest run first, in the
// order in which they were asked. A run that is still answered has none: what is
// listed never changes (M-324).
func (s *Service) Items(ctx context.Context, studyID string) ([]study.OutlineQuestion, error) {
	ws := account.From(ctx).Workspace
	rows, err := s.settledRuns(ctx, studyID)
	if err != nil {
		return nil, err
	}
	out := []study.OutlineQuestion{}
	for _, row := range rows {
		if row.StartedAt.IsZero() {
			continue
		}
		k, err := s.fixed(ctx, ws, row.ID)
		if err != nil {
			return nil, err
		}
		// The comparison of answers follows the settling; what covers a run before it
		// does not cover the run after it.
		at := clock.Stamp(row.CompletedAt)
		if checked := row.stage(stageCheck).CompletedAt; checked != nil {
			at = *checked
		}
		err = s.eachItem(ctx, ws, row.ID, func(it itemRow) error {
			q := k.exec.Items[it.Position-1]
			out = append(out, study.OutlineQuestion{ID: contentID(row.ID, q.ID), MessageID: row.ID, Status: it.Status,
				SettledAt: at, Settled: true, Answered: it.Answered})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// settledRuns are the settled runs of a Study, oldest first.
func (s *Service) settledRuns(ctx context.Context, studyID string) ([]runRow, error) {
	studyID, err := s.d.Studies.Visible(ctx, studyID)
	if err != nil {
		return nil, err
	}
	ws := account.From(ctx).Workspace
	var rows []runRow
	query := records.Query{PK: listPK(ws, studyID), Prefix: prefixList, Limit: 100}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			row, _, err := s.load(ctx, it.Fields[fieldRun])
			if err != nil {
				return nil, err
			}
			if row.settled() {
				rows = append(rows, row)
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			slices.Reverse(rows)
			return rows, nil
		}
	}
}

// eachItem reads the items of a run that were settled, in their order.
func (s *Service) eachItem(ctx context.Context, ws, run string, use func(itemRow) error) error {
	query := records.Query{PK: runPK(ws, run), Prefix: prefixItem}
	for {
		page, err := s.d.Records.Query(ctx, query)
		if err != nil {
			return err
		}
		for _, rec := range page.Items {
			it, err := decode[itemRow](rec.Body)
			if err != nil {
				return err
			}
			if it.Result.Inline == nil && it.Result.Blob == nil {
				continue
			}
			if err := use(it); err != nil {
				return err
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			return nil
		}
	}
}

// Settled gives items by the ids of Items, one after the other, with everybody's
// answer and its sources. The run stands for the message. Who was not asked is in no base and in no list of Minds.
func (s *Service) Settled(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error {
	return s.contents(ctx, studyID, ids, true, use)
}

// Figures is Settled without the sources of answers: what figures are made of.
func (s *Service) Figures(ctx context.Context, studyID string, ids []string, use func(study.Settled) error) error {
	return s.contents(ctx, studyID, ids, false, use)
}

func (s *Service) contents(ctx context.Context, studyID string, ids []string, sources bool, use func(study.Settled) error) error {
	studyID, err := s.d.Studies.Visible(ctx, studyID)
	if err != nil {
		return err
	}
	ws := account.From(ctx).Workspace
	var row runRow
	var k known
	for _, id := range ids {
		runID, itemID, _ := strings.Cut(id, "/")
		if row.ID != runID {
			if row, _, err = s.load(ctx, runID); err != nil {
				return err
			}
			if k, err = s.fixed(ctx, ws, runID); err != nil {
				return err
			}
		}
		at := slices.IndexFunc(k.exec.Items, func(q Item) bool { return q.ID == itemID })
		if row.StudyID != studyID || !row.settled() || at < 0 || at >= row.Progress.Settled {
			continue
		}
		q, err := s.content(ctx, ws, row, k, k.exec.Items[at], sources)
		if err != nil {
			return err
		}
		if err := use(q); err != nil {
			return err
		}
	}
	return nil
}

// content is one settled item as a question.
func (s *Service) content(ctx context.Context, ws string, row runRow, k known, q Item, sources bool) (study.Settled, error) {
	it, err := s.itemAt(ctx, ws, row.ID, q.Position)
	if err != nil {
		return study.Settled{}, err
	}
	answers, err := s.ownOf(ctx, ws, row, q.Position)
	if err != nil {
		return study.Settled{}, err
	}
	first := -1
	if len(q.Variants) > 0 {
		first = 0
	}
	asked := k.exec.question(q, asking{variant: first, text: q.Text})
	asked.Battery = nil
	out := study.Settled{QuestionID: contentID(row.ID, q.ID), MessageID: row.ID, RunID: row.ID, Text: q.Text, Question: asked,
		Status: it.Status, Engine: row.Engine, AskedAt: clock.Stamp(it.ReservedAt), SettledAt: clock.Stamp(row.CompletedAt),
		MethodID: q.MethodID, ItemID: q.ID, Varied: len(q.Variants) > 1}
	if it.ReservedAt.IsZero() {
		out.AskedAt = clock.Stamp(row.StartedAt)
	}
	if c := q.AskIf; c != nil {
		out.Condition = &study.Condition{ItemID: c.QuestionID, AnswerIn: c.AnswerIn, AnswerNotIn: c.AnswerNotIn}
	}
	weights := k.roll.Weights()
	all := newCounter(q)
	byID := make(map[string]int, len(k.roll.Minds))
	where := make([]int, len(k.roll.Minds)) // of a Mind of the roll in out.Minds
	for i, m := range k.roll.Minds {
		all.add(m.ID, it.Asked[i], at(answers, i), weights[i])
		where[i] = -1
		if it.Asked[i] != ask {
			continue
		}
		where[i], byID[m.ID] = len(out.Minds), len(out.Minds)
		out.Minds = append(out.Minds, study.MindAnswer{MindID: m.ID, Name: m.Name, Answer: at(answers, i).whole(q)})
	}
	out.All = all.group("", "")
	for n, a := range k.roll.Audiences {
		c := newCounter(q)
		for at2, place := range a.Members {
			weight := 1.0
			if at2 < len(a.Weights) {
				weight = a.Weights[at2]
			}
			c.add(k.roll.Minds[place].ID, it.Asked[place], at(answers, place), weight)
			if w := where[place]; w >= 0 {
				out.Minds[w].Audiences = append(out.Minds[w].Audiences, n)
				out.Minds[w].Weights = append(out.Minds[w].Weights, weight)
			}
		}
		out.Audiences = append(out.Audiences, c.group(a.ID, a.Name))
	}
	if !sources {
		return out, nil
	}
	return out, s.eachAnswers(ctx, ws, row.ID, q.Position, func(part []byte) error {
		var seen []Answer
		if err := json.Unmarshal(slices.Concat([]byte("["), part, []byte("]")), &seen); err != nil {
			return err
		}
		for _, v := range seen {
			n, ok := byID[v.MindID]
			if !ok || out.Minds[n].Answer == nil {
				continue
			}
			a := out.Minds[n].Answer
			a.SourceIDs, a.Reason = v.SourceIDs, v.Reason
			for _, c := range v.CitationSources {
				a.Citations = append(a.Citations, simulate.Citation{SourceID: c.ID, Source: c.Title, URL: c.URL, Dates: c.Dates, N: c.N, Where: c.Where, Quote: c.Quote, Origin: c.Origin})
			}
		}
		return nil
	})
}

// whole is an answer in the engine's words; nil where none was stored.
func (o own) whole(q Item) *simulate.Answer {
	switch o.S {
	case string(stateAnswered):
	case string(stateCannot):
		return &simulate.Answer{Status: simulate.CannotAnswer}
	default:
		return nil
	}
	e := o.earlier(q)
	return &simulate.Answer{Status: simulate.Answered, Number: e.Number, Option: e.Option, Options: e.Options, Text: e.Text, Ranking: e.Ranking,
		Best: e.Best, Worst: e.Worst, State: simulate.State(o.E), Warnings: o.W}
}

// group is what was counted, as results of questions have it. Base.NotAsked are who
// the item was not for.
func (c *counter) group(id, name string) study.Group {
	g := study.Group{ID: id, Name: name, Base: c.base, Counts: c.count, Evidence: c.tally.Summary(), Warnings: c.tally.Warnings()}
	if c.unequal {
		g.Weighted, g.Weight = c.weighted, c.sum
	}
	n := float64(c.base.Answered)
	if c.unequal && c.squares > 0 {
		n = c.sum * c.sum / c.squares // Kish
	}
	g.Base.EffectiveN = &n
	switch c.q.Response.Type {
	case "numeric", "ranking":
		if c.base.Answered > 0 {
			g.Statistics = c.statistics(g.Evidence.Sufficient)
		}
	case "qualitative":
		g.Counts = nil
	}
	return g
}

// Outcome is what was computed from all answers of one run.
type Outcome struct {
	RunID        string
	Calculations []method.Calculation
	Consistency  *consistency.Report // nil: the answers were not compared yet
	Flags        []consistency.Flag
	// Names are the labels of items, attributes and features by id, of each method.
	Names map[string]map[string]string
}

// Outcomes gives what was computed of the settled runs of a Study, oldest first.
func (s *Service) Outcomes(ctx context.Context, studyID string) ([]Outcome, error) {
	rows, err := s.settledRuns(ctx, studyID)
	if err != nil {
		return nil, err
	}
	ws := account.From(ctx).Workspace
	var out []Outcome
	for _, row := range rows {
		if row.StartedAt.IsZero() {
			continue
		}
		k, err := s.fixed(ctx, ws, row.ID)
		if err != nil {
			return nil, err
		}
		var o outcome
		if _, err := s.read(ctx, ws, row.ID, skOutcome, &o); err != nil {
			return nil, err
		}
		one := Outcome{RunID: row.ID, Calculations: o.Calculations, Consistency: o.Consistency, Flags: o.Flags, Names: map[string]map[string]string{}}
		for _, m := range k.exec.Methods {
			one.Names[m.MethodID] = method.Names(m.Configuration)
		}
		if names := one.Names[method.SegmentCompare]; names != nil {
			for _, q := range k.exec.Items {
				names[q.ID] = q.Text
			}
		}
		out = append(out, one)
	}
	return out, nil
}
