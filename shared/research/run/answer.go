package run

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/method"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Answer is one Mind's answer to one item; JSON Answer of the contract.
type Answer struct {
	MindID           string                 `json:"mindId"`
	MindName         string                 `json:"mindName"`
	AudienceID       string                 `json:"audienceId"`
	Status           string                 `json:"status"` // answered, failed or cannot_answer
	Value            json.RawMessage        `json:"value"`  // AnswerValue or null
	Message          *string                `json:"message"`
	VersionID        *string                `json:"versionId,omitempty"`
	EvidenceState    *string                `json:"evidenceState"`
	SourceIDs        []string               `json:"sourceIds"`
	Probabilities    []float64              `json:"probabilities,omitempty"`
	Reason           string                 `json:"reason,omitempty"`
	CitationSources  []study.CitationSource `json:"citationSources,omitempty"`
	AnswerProvenance *provenance            `json:"answerProvenance,omitempty"`
	AnsweredAt       *string                `json:"answeredAt"`
}

// provenance says what an answer comes from (M-342).
type provenance struct {
	Origin      string           `json:"origin"`
	Unsupported bool             `json:"unsupported,omitempty"`
	Warnings    []string         `json:"warnings,omitempty"`
	Rating      *simulate.Rating `json:"rating,omitempty"`
}

// AnswerSpan lets the Minds of some chunks answer the item. A chunk that is stored
// is not asked again, so a repeated span costs nothing for what it had done.
func (s *Service) AnswerSpan(ctx context.Context, in JobInput, span Span) error {
	row, _, err := s.job(ctx, in)
	if err != nil || row.closed() || row.Current != span.Position {
		return err
	}
	k, err := s.fixed(ctx, in.Workspace, row.ID)
	if err != nil {
		return err
	}
	it, err := s.itemAt(ctx, in.Workspace, row.ID, span.Position)
	if err != nil {
		return err
	}
	by, err := s.d.Studies.Answerer(ctx, row.Engine.ModelConnection)
	if err != nil {
		return err
	}
	if info := by.Info(); info.Name != row.Engine.Name || info.Version != row.Engine.Version || info.Embeddings != row.Engine.Embeddings {
		return ErrEngineChanged
	}
	w := &work{s: s, ws: in.Workspace, row: row, known: k, q: k.exec.Items[span.Position-1], it: it, by: by, asked: map[askedKey]simulate.Asked{}}
	if w.atOnce = s.d.AtOnce; by.Info().Name != simulate.EngineName {
		var leave func()
		w.gate, leave = s.calls.enter(row.caller(in.Workspace), s.d.CallsAtOnce)
		defer leave()
		w.atOnce = ChunkSize // the gate is the bound
	}
	for chunk := span.From; chunk < span.To; chunk++ {
		if err := w.chunk(ctx, chunk); err != nil {
			return err
		}
	}
	return nil
}

// work is one item for some chunks of Minds.
type work struct {
	s   *Service
	ws  string
	row runRow
	known
	q  Item
	it itemRow
	by simulate.Respondents
	// atOnce is how many Minds of a chunk go at once; of these, those answer that gate
	// lets through, where there is one.
	atOnce int
	gate   *semaphore.Weighted

	mu    sync.Mutex
	asked map[askedKey]simulate.Asked
}

type askedKey struct {
	variant int
	text    string
	strict  bool
}

// chunk lets one chunk answer and stores all of its answers in one transaction.
func (w *work) chunk(ctx context.Context, chunk int) error {
	from := chunk * ChunkSize
	minds := w.roll.Minds[from:min(from+ChunkSize, len(w.roll.Minds))]
	if !strings.Contains(w.it.Asked[from:from+len(minds)], string(ask)) {
		return nil // the next item reads what it needs
	}
	_, err := w.s.d.Records.Get(ctx, key(w.ws, w.row.ID, ownSK(chunk, w.q.Position)))
	if err == nil || !errors.Is(err, records.ErrNotFound) {
		return err
	}
	if err := w.s.keep(ctx, w.ws, w.row); err != nil {
		return err
	}
	before, err := w.before(ctx, chunk)
	if err != nil {
		return err
	}
	live, err := w.live(ctx, chunk)
	if err != nil {
		return err
	}
	answers := make([]*simulate.Answer, len(minds))
	asks := make([]asking, len(minds))
	var batch []int
	for i := range minds {
		if w.it.Asked[from+i] != ask {
			continue
		}
		asks[i] = w.ask(from+i, i, before)
		if batch = append(batch, i); len(batch) == w.atOnce {
			if err := w.batch(ctx, from, batch, asks, before, live, answers); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	if err := w.batch(ctx, from, batch, asks, before, live, answers); err != nil {
		return err
	}
	shorts, err := w.store(ctx, chunk, from, asks, answers)
	if err == nil && shorts != nil {
		w.recent.keep(chunk, append(before, shorts))
	}
	return err
}

// before gives, by position, what the Minds of a chunk answered to the items before,
// with one read for the whole chunk (M-74).
func (w *work) before(ctx context.Context, chunk int) ([][]own, error) {
	if at, ok := w.recent.before(chunk, w.q.Position); ok {
		return at, nil
	}
	n := min(ChunkSize, len(w.roll.Minds)-chunk*ChunkSize)
	out := make([][]own, w.q.Position-1)
	prefix := ownSK(chunk, 0)
	query := records.Query{PK: runPK(w.ws, w.row.ID), Prefix: prefix[:len(prefix)-4]}
	for {
		page, err := w.s.d.Records.Query(ctx, query)
		if err != nil {
			return nil, err
		}
		for _, it := range page.Items {
			position, err := strconv.Atoi(it.SK[len(it.SK)-4:])
			if err != nil || position >= w.q.Position {
				continue
			}
			o, err := decode[ownRow](it.Body)
			if err != nil {
				return nil, err
			}
			if out[position-1], err = w.s.owns(ctx, o); err != nil {
				return nil, err
			}
		}
		if query.Cursor = page.Cursor; query.Cursor == "" {
			break
		}
	}
	for p := range out {
		if len(out[p]) != n {
			out[p] = make([]own, n) // nobody of the chunk was asked
		}
	}
	w.recent.keep(chunk, out)
	return out, nil
}

// ask is the item as the Mind at a place of the roll sees it.
func (w *work) ask(place, i int, before [][]own) asking {
	a := asking{variant: w.exec.variantOf(w.q, w.it, place)}
	a.text, _, _ = w.q.variant(a.variant)
	if w.q.MethodID != method.VanWestendorp {
		return a
	}
	mine := w.exec.of(w.q.MethodID)
	for n, q := range mine {
		if q.ID != w.q.ID {
			continue
		}
		if from, currency, ok := method.IntentPrice(w.exec.configuration(w.q.MethodID), n); ok && from >= 0 && from < len(mine) {
			if a.price = before[mine[from].Position-1][i].N; a.price != nil {
				a.text = method.FillPrice(a.text, *a.price, currency, w.exec.Locale)
			}
		}
	}
	return a
}

// live gives the Minds of a chunk as they were when the run started, by id; one that
// is gone is missing.
func (w *work) live(ctx context.Context, chunk int) (map[string]mind.Mind, error) {
	began := w.s.d.Clock.Now()
	if at := w.recent.live(chunk, began); at != nil {
		return at, nil
	}
	c, err := w.s.chunkAt(ctx, w.ws, w.row.ID, chunk)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(c.Live))
	for i, p := range c.Live {
		ids[i] = p.ID
	}
	if len(ids) == 0 {
		return nil, nil
	}
	now, err := w.s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make(map[string]mind.Mind, len(now))
	for _, m := range now {
		out[m.ID] = m
	}
	var then map[string]mind.Mind
	for _, p := range c.Live {
		m, there := out[p.ID]
		if !there || pin(m) == p {
			continue
		}
		if then == nil {
			if then, err = w.s.then(ctx, c); err != nil {
				return nil, err
			}
		}
		out[p.ID] = then[p.ID]
	}
	w.recent.keepLive(chunk, out, began)
	return out, nil
}

func (s *Service) chunkAt(ctx context.Context, ws, run string, chunk int) (chunkRow, error) {
	it, err := s.d.Records.Get(ctx, key(ws, run, chunkSK(chunk)))
	if err != nil {
		return chunkRow{}, err
	}
	return decode[chunkRow](it.Body)
}

// then gives the Minds of a chunk as they were written down at the start.
func (s *Service) then(ctx context.Context, c chunkRow) (map[string]mind.Mind, error) {
	raw, err := s.open(ctx, c.Minds)
	if err != nil {
		return nil, err
	}
	minds, err := decode[[]mind.Mind](raw)
	if err != nil {
		return nil, err
	}
	out := make(map[string]mind.Mind, len(minds))
	for _, m := range minds {
		out[m.ID] = m
	}
	return out, nil
}

// batch asks some Minds at once. A Mind that is gone or whose answer fails is
// recorded as failed and costs nothing (M-73).
func (w *work) batch(ctx context.Context, from int, batch []int, asks []asking, before [][]own, live map[string]mind.Mind, out []*simulate.Answer) error {
	var minds []mind.Mind
	var at []int
	for _, i := range batch {
		out[i] = &simulate.Answer{Status: Failed, Reason: "mind_unavailable"}
		if m, ok := live[w.roll.Minds[from+i].ID]; ok {
			minds, at = append(minds, m), append(at, i)
		}
	}
	respondents, err := w.respondents(ctx, minds)
	if err != nil {
		return err
	}
	var g errgroup.Group
	for n, i := range at {
		if respondents[n] == nil {
			continue
		}
		r := *respondents[n]
		r.Earlier = make([]simulate.Earlier, 0, len(before))
		for p := range before {
			if o := before[p][i]; o.S == string(stateAnswered) {
				r.Earlier = append(r.Earlier, o.earlier(w.exec.Items[p]))
			}
		}
		asked, err := w.prepared(ctx, asks[i], w.roll.Minds[from+i].KnowledgeOnly)
		if fault.Is(err, fault.Validation) {
			out[i] = &simulate.Answer{Status: Failed, Reason: "no_answer_form"}
			continue
		}
		if err != nil {
			_ = g.Wait()
			return err
		}
		g.Go(func() error {
			if w.gate != nil {
				if err := w.gate.Acquire(ctx, 1); err != nil {
					return err
				}
				defer w.gate.Release(1)
			}
			a, err := asked.Answer(ctx, r)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case fault.Is(err, fault.ModelConnectionStale), fault.Is(err, fault.ModelConnectionUnverified):
				return err // of the run, not of this Mind: nobody else answers in its place
			case err != nil:
				w.s.d.Log.WarnContext(ctx, "a Mind's answer failed", "run", w.row.ID, "item", w.q.ID, "mind", r.ID, "error", err)
				out[i] = &simulate.Answer{Status: Failed, Reason: "engine_error"}
			default:
				out[i] = &a
			}
			return nil
		})
	}
	return g.Wait()
}

// respondents loads some Minds, nil where what one knew is gone. All are loaded at
// once; only if one is gone, one by one.
func (w *work) respondents(ctx context.Context, minds []mind.Mind) ([]*simulate.Respondent, error) {
	out := make([]*simulate.Respondent, len(minds))
	if len(minds) == 0 {
		return out, nil
	}
	found, err := w.s.d.Minds.RespondentsOf(ctx, minds)
	if err == nil {
		for i := range found {
			out[i] = &found[i]
		}
		return out, nil
	}
	if !gone(err) {
		return nil, err
	}
	for i, m := range minds {
		one, err := w.s.d.Minds.RespondentsOf(ctx, []mind.Mind{m})
		switch {
		case err == nil:
			out[i] = &one[0]
		case !gone(err):
			return nil, err
		}
	}
	return out, nil
}

// prepared is the item as Minds are asked it: under the plan's policy, or, for Minds
// that only ever answer from their knowledge, under theirs (M-27).
func (w *work) prepared(ctx context.Context, a asking, strict bool) (simulate.Asked, error) {
	k := askedKey{variant: a.variant, text: a.text, strict: strict}
	w.mu.Lock()
	defer w.mu.Unlock()
	if got, ok := w.asked[k]; ok {
		return got, nil
	}
	q, err := w.s.d.Studies.Show(ctx, w.by, w.exec.question(w.q, a), w.pictures())
	if err != nil {
		return nil, err
	}
	got, err := w.by.Ask(ctx, q, simulate.Policy{KnowledgeOnly: strict})
	if err == nil {
		w.asked[k] = got
	}
	return got, err
}

// pictures are those of the item, in its order.
func (w *work) pictures() []study.Shown {
	var out []study.Shown
	for _, id := range w.q.AttachmentIDs {
		for _, p := range w.row.Shown {
			if p.ID == id {
				out = append(out, p)
			}
		}
	}
	return out
}

// store writes the answers of a chunk, if its item still runs and nobody wrote them
// before, and gives them in short; nil when it wrote none.
func (w *work) store(ctx context.Context, chunk, from int, asks []asking, answers []*simulate.Answer) ([]own, error) {
	now := clock.Stamp(w.s.d.Clock.Now())
	shorts := make([]own, len(answers))
	var views []Answer
	for i, a := range answers {
		if a == nil {
			continue
		}
		_, r, version := w.q.variant(asks[i].variant)
		if shorts[i] = short(*a, r, asks[i].variant); shorts[i].S == string(stateFailed) && a.Status == simulate.Answered {
			*a = simulate.Answer{Status: Failed, Reason: "outside_contract"}
		}
		views = append(views, view(w.roll, from+i, *a, r, version, now))
	}
	shown, err := encode(views)
	if err != nil {
		return nil, err
	}
	raw, err := encode(shorts)
	if err != nil {
		return nil, err
	}
	o := ownRow{Bytes: int64(len(shown))}
	if o.Own, err = w.s.pack(ctx, w.ws, raw, inlineLimit); err != nil {
		return nil, err
	}
	shownDoc, err := w.s.pack(ctx, w.ws, shown, inlineLimit)
	if err != nil {
		return nil, err
	}
	ownBody, err := encode(o)
	if err != nil {
		return nil, err
	}
	shownBody, err := encode(shownDoc)
	if err != nil {
		return nil, err
	}
	err = w.s.d.Records.Transact(ctx, "",
		records.Check(key(w.ws, w.row.ID, skRun), records.FieldIs(fieldState, answering(w.q.Position))),
		records.PutItem(records.Item{Key: key(w.ws, w.row.ID, ownSK(chunk, w.q.Position)), Body: ownBody}, records.NotExists()),
		records.PutItem(records.Item{Key: key(w.ws, w.row.ID, answersSK(w.q.Position, chunk)), Body: shownBody}))
	var refused *records.CanceledError
	if errors.As(err, &refused) {
		return nil, nil // a twin of this task was quicker, or the item takes no answers any more
	}
	return shorts, err
}

// view is an answer as results show it.
func view(roll *study.Roll, place int, a simulate.Answer, r method.Response, version, now string) Answer {
	m := roll.Minds[place]
	v := Answer{MindID: m.ID, MindName: m.Name, AudienceID: audienceOf(roll, place), Status: a.Status, Value: json.RawMessage("null"), SourceIDs: a.SourceIDs, Reason: a.Reason}
	if v.SourceIDs == nil {
		v.SourceIDs = []string{}
	}
	if a.Message != "" {
		v.Message = &a.Message
	}
	if version != "" {
		v.VersionID = &version
	}
	if a.Status != simulate.Answered {
		return v
	}
	v.Value, v.AnsweredAt, v.Probabilities = valueOf(a, r), &now, a.Probabilities
	state := string(a.State)
	v.EvidenceState = &state
	for _, c := range a.Citations {
		v.CitationSources = append(v.CitationSources, study.CitationSource{ID: c.SourceID, Title: c.Source, URL: c.URL,
			Dates: c.Dates, N: c.N, Where: c.Where, Quote: c.Quote, Origin: c.Origin})
	}
	v.AnswerProvenance = &provenance{Origin: study.Origin(a), Unsupported: a.State == simulate.Unsupported, Warnings: a.Warnings, Rating: a.Rating}
	return v
}

// valueOf is AnswerValue of the contract.
func valueOf(a simulate.Answer, r method.Response) json.RawMessage {
	v := map[string]any{}
	switch r.Type {
	case "scale", "numeric":
		v["number"] = a.Number
	case "categorical":
		v["option"] = a.Option
	case "multiselect":
		v["options"] = append([]string{}, a.Options...)
	case "ranking":
		v["ranking"] = a.Ranking
	case "best_worst":
		v["best"], v["worst"] = a.Best, a.Worst
	default:
		v["text"] = a.Text
	}
	raw, _ := encode(v)
	return raw
}

// audienceOf is the first Audience that the Mind at a place is in.
func audienceOf(roll *study.Roll, place int) string {
	if len(roll.Audiences) == 1 {
		return roll.Audiences[0].ID
	}
	for _, a := range roll.Audiences {
		for _, at := range a.Members {
			if at == place {
				return a.ID
			}
		}
	}
	return ""
}

func gone(err error) bool {
	return fault.Is(err, fault.NotFound) || errors.Is(err, records.ErrNotFound)
}
