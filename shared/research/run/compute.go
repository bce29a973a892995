package run

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/mindgate-dev/mindgate/shared/consistency"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// compute runs the calculations of the plan over the settled items, and keeps all
// answers in one file where they fit no reply (M-326).
func (s *Service) compute(ctx context.Context, ws string, row *runRow, now time.Time, events *[]records.Action) error {
	k, err := s.fixed(ctx, ws, row.ID)
	if err != nil {
		return err
	}
	table := answersOf{s: s, ws: ws, row: *row, known: k, rows: map[int][]own{}, items: map[int]itemRow{}}
	out := outcome{Calculations: []method.Calculation{}}
	for i := range row.Stages {
		st := &row.Stages[i]
		if st.Kind != "calculate" {
			continue
		}
		made, reason, err := table.calculate(ctx, *st.MethodID, st.ItemIDs)
		if err != nil {
			return err
		}
		status, kind := "completed", "stage.completed"
		switch {
		case reason != "" && len(made) == 0:
			status, kind = "skipped", ""
		case reason != "":
			status, kind = "failed", "stage.failed"
		}
		*st = st.ended(status, reason, now)
		out.Calculations = append(out.Calculations, made...)
		if kind != "" {
			*events = append(*events, row.note(ws, kind, now, EventPayload{StageID: st.StageID, Status: status, Reason: reason}))
		}
	}
	doc, err := s.document(ctx, ws, row.ID, skOutcome, out)
	if err != nil {
		return err
	}
	*events = append(*events, records.PutItem(doc))
	if row.Bytes > s.d.ReplyBytes/2 {
		return s.keepAnswers(ctx, ws, row)
	}
	return nil
}

// answersOf reads the answers of items, each once.
type answersOf struct {
	s   *Service
	ws  string
	row runRow
	known
	rows  map[int][]own
	items map[int]itemRow
}

func (t *answersOf) of(ctx context.Context, position int) ([]own, itemRow, error) {
	if rows, ok := t.rows[position]; ok {
		return rows, t.items[position], nil
	}
	it, err := t.s.itemAt(ctx, t.ws, t.row.ID, position)
	if err != nil {
		return nil, it, err
	}
	rows, err := t.s.ownOf(ctx, t.ws, t.row, position)
	if err == nil {
		t.rows[position], t.items[position] = rows, it
	}
	return rows, it, err
}

// calculate gives what a method makes of all Minds, and of each Audience where the
// run has several (M-205). reason says why there is nothing, or why one failed.
func (t *answersOf) calculate(ctx context.Context, id string, itemIDs []string) (out []method.Calculation, reason string, err error) {
	if t.s.d.Calculate == nil {
		return nil, "Nothing is calculated here.", nil
	}
	conf := t.exec.configuration(id)
	var segments []method.Segment
	left := 0
	if id == method.SegmentCompare {
		if itemIDs, segments, left, reason, err = t.segments(ctx, conf); err != nil || reason != "" {
			return nil, reason, err
		}
	}
	in := method.Answers{Values: map[string][]method.Value{}, Seed: t.row.seed(), Segments: segments}
	weights := t.roll.Weights()
	for i, m := range t.roll.Minds {
		in.Members = append(in.Members, method.Member{ID: m.ID, Weight: weights[i], Slot: t.exec.Slots[i]})
	}
	for _, itemID := range itemIDs {
		at := slices.IndexFunc(t.exec.Items, func(q Item) bool { return q.ID == itemID })
		if at < 0 || at >= t.row.Progress.Settled {
			return nil, "Not all items of the method were asked.", nil
		}
		q := t.exec.Items[at]
		rows, it, err := t.of(ctx, q.Position)
		if err != nil {
			return nil, "", err
		}
		values := make([]method.Value, len(rows))
		for i, o := range rows {
			values[i] = o.value(q, it.Asked[i] == ask)
		}
		in.Items = append(in.Items, method.Item{ID: q.ID, Text: q.Text, Response: q.Response, Variants: q.Variants})
		in.Values[q.ID] = values
	}
	all, why := t.one(id, conf, in, nil)
	if left > 0 {
		all.Warnings = append(all.Warnings, fmt.Sprintf("%d Minds are in no bucket of the Formation and in no segment", left))
	}
	out, reason = append(out, all), why
	if len(t.roll.Audiences) < 2 || id == method.SegmentCompare {
		return out, reason, nil
	}
	for _, a := range t.roll.Audiences {
		c, why := t.one(id, conf, within(in, a), &a.ID)
		if out = append(out, c); why != "" {
			reason = why
		}
	}
	return out, reason, nil
}

// within are the answers of one Audience's members, at their weights in it.
func within(in method.Answers, a study.RollAudience) method.Answers {
	out := method.Answers{Items: in.Items, Values: make(map[string][]method.Value, len(in.Values)), Seed: in.Seed}
	for n, place := range a.Members {
		m := in.Members[place]
		if m.Weight = 1; n < len(a.Weights) {
			m.Weight = a.Weights[n]
		}
		out.Members = append(out.Members, m)
	}
	for id, values := range in.Values {
		part := make([]method.Value, len(a.Members))
		for n, place := range a.Members {
			part[n] = values[place]
		}
		out.Values[id] = part
	}
	return out
}

func (t *answersOf) one(id string, conf json.RawMessage, in method.Answers, audience *string) (method.Calculation, string) {
	c, err := t.s.d.Calculate(id, conf, in)
	why := ""
	if err != nil {
		t.s.d.Log.Error("a calculation failed", "run", t.row.ID, "method", id, "error", err)
		why = "The calculation failed; the answers stand."
		c = method.Calculation{CalculationID: id, MethodID: id, MethodVersion: 1, Status: Failed, ItemIDs: []string{}, Excluded: map[string]int{},
			UncertaintyKind: "member-sampling", Results: json.RawMessage("null"), Reason: why, Warnings: []string{},
			Base: method.Base{Participating: len(in.Members)}}
		for _, q := range in.Items {
			c.ItemIDs = append(c.ItemIDs, q.ID)
		}
	}
	if audience != nil {
		c.CalculationID, c.AudienceID = fmt.Sprintf("%s.%s", id, *audience), audience
	}
	return c, why
}

// segments are the Audiences that a comparison names, or the buckets of a Formation,
// with the items to compare; left are the Minds that are in none.
func (t *answersOf) segments(ctx context.Context, conf json.RawMessage) (itemIDs []string, out []method.Segment, left int, reason string, err error) {
	var c struct {
		Segments struct {
			AudienceIDs []string `json:"audienceIds"`
			FormationID string   `json:"formationId"`
		} `json:"segments"`
		ItemIDs []string `json:"itemIds"`
	}
	if err := json.Unmarshal(conf, &c); err != nil {
		return nil, nil, 0, "The configuration cannot be read.", nil
	}
	switch {
	case c.Segments.FormationID != "":
		if out, left, reason, err = t.buckets(ctx, c.Segments.FormationID); err != nil || reason != "" {
			return nil, nil, 0, reason, err
		}
	case len(c.Segments.AudienceIDs) == 0:
		return nil, nil, 0, "The configuration names no segments: two Audiences, or a Formation.", nil
	}
	for _, id := range c.Segments.AudienceIDs {
		at := slices.IndexFunc(t.roll.Audiences, func(a study.RollAudience) bool { return a.ID == id })
		if at < 0 {
			return nil, nil, 0, "A segment is an Audience that was not asked.", nil
		}
		out = append(out, method.Segment{ID: id, Label: t.roll.Audiences[at].Name, Members: t.roll.Audiences[at].Members})
	}
	if itemIDs = c.ItemIDs; len(itemIDs) == 0 {
		for _, q := range t.exec.Items {
			itemIDs = append(itemIDs, q.ID)
		}
	}
	return itemIDs, out, left, "", nil
}

// Review compares each Mind's answers with its own others, chunk by chunk, after the
// run is settled (M-190). Answers are only read. It changes nothing when it was done.
func (s *Service) Review(ctx context.Context, in JobInput) error {
	row, _, err := s.job(ctx, in)
	if err != nil || !row.settled() || row.StartedAt.IsZero() || row.stage(stageCheck).CompletedAt != nil {
		return err
	}
	k, err := s.fixed(ctx, in.Workspace, row.ID)
	if err != nil {
		return err
	}
	table := answersOf{s: s, ws: in.Workspace, row: row, known: k, rows: map[int][]own{}, items: map[int]itemRow{}}
	items := k.exec.Items[:row.Progress.Settled]
	checker, err := consistency.New(k.exec.compared(items), k.exec.Locale)
	if err != nil {
		return err
	}
	var report consistency.Report
	flags := []consistency.Flag{}
	for chunk := range row.Chunks {
		minds, err := table.transcripts(ctx, items, chunk*ChunkSize, min(ChunkSize, row.Minds-chunk*ChunkSize))
		if err != nil {
			return err
		}
		for _, m := range minds {
			found, err := checker.Look(ctx, m, nil)
			if ctx.Err() != nil {
				return ctx.Err()
			}
			report.Count(len(found), err == nil)
			flags = append(flags, found...)
		}
	}
	report.Settle(0)
	var out outcome
	if _, err := s.read(ctx, in.Workspace, row.ID, skOutcome, &out); err != nil {
		return err
	}
	out.Consistency, out.Flags = &report, flags
	doc, err := s.document(ctx, in.Workspace, row.ID, skOutcome, out)
	if err != nil {
		return err
	}
	return s.change(ctx, in, func(r *runRow, now time.Time) ([]records.Action, error) {
		st := r.stage(stageCheck)
		if st.CompletedAt != nil {
			return nil, errUnchanged
		}
		status := "completed"
		if report.Status == consistency.StatusFailed {
			status = "failed"
		}
		*st = st.ended(status, "", now)
		return []records.Action{records.PutItem(doc), r.note(in.Workspace, "consistency.saved", now, EventPayload{Status: report.Status})}, nil
	})
}

// compared are the items as the comparison reads them.
func (x *execution) compared(items []Item) []consistency.Item {
	out := make([]consistency.Item, len(items))
	for i, q := range items {
		first := -1
		if len(q.Variants) > 0 {
			first = 0
		}
		text, _, _ := q.variant(first)
		out[i] = consistency.Item{ID: q.ID, Question: x.question(q, asking{variant: first, text: text})}
		if c := q.AskIf; c != nil {
			out[i].Gate = &consistency.Gate{Item: c.QuestionID, AnswerIn: c.AnswerIn, AnswerNotIn: c.AnswerNotIn}
		}
	}
	return out
}

// transcripts are what some Minds of the roll answered, with their profiles as they
// were when the run started.
func (t *answersOf) transcripts(ctx context.Context, items []Item, from, n int) ([]consistency.Mind, error) {
	out := make([]consistency.Mind, n)
	place := make(map[string]int, n)
	for i := range out {
		id := t.roll.Minds[from+i].ID
		out[i] = consistency.Mind{ID: id, Answers: make([]*simulate.Earlier, len(items))}
		place[id] = i
	}
	c, err := t.s.chunkAt(ctx, t.ws, t.row.ID, from/ChunkSize)
	if err != nil {
		return nil, err
	}
	then, err := t.s.then(ctx, c)
	if err != nil {
		return nil, err
	}
	for id, m := range then {
		out[place[id]].Profile = simulate.ParseProfile(m.PersonaContext)
	}
	for p, q := range items {
		rows, _, err := t.of(ctx, q.Position)
		if err != nil {
			return nil, err
		}
		for i := range out {
			if o := rows[from+i]; o.S == string(stateAnswered) {
				e := o.earlier(q)
				out[i].Answers[p] = &e
			}
		}
	}
	return out, nil
}
