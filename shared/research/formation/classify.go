package formation

import (
	"context"
	"errors"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/grounding"
	"github.com/mindgate-dev/mindgate/shared/records"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
	"github.com/mindgate-dev/mindgate/shared/research/mind"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/words"
)

// How sure a bucket is that a profile's own field names.
const byField = .95

// asking bounds how many members are asked at once.
const asking = 8

// classify scores the next members (M-159): the cohort profile decides where the
// bucket is a segment, else the profile's own field, else how much of the
// definition the profile and the knowledge speak of.
func (s *Service) classify(ctx context.Context, r record, w *work) error {
	a, err := s.d.Audiences.Get(ctx, r.AudienceID)
	if fault.Is(err, fault.NotFound) || fault.Is(err, fault.Forbidden) {
		return errAudienceGone
	}
	if err != nil {
		return err
	}
	c, err := s.d.Audiences.CohortOf(ctx, a)
	if err != nil {
		return err
	}
	to := min(w.Done+chunk, len(w.Members))
	minds, err := s.d.Minds.GetMany(ctx, w.Members[w.Done:to])
	if err != nil {
		return err
	}
	at := make(map[string]int, chunk)
	for i := w.Done; i < to; i++ {
		at[w.Members[i]] = i
	}
	cells := cellsOf(c)
	var unsure []mind.Mind
	for _, m := range minds {
		i := at[m.ID]
		if w.Best[i], w.Score[i] = direct(w.Places, cells[m.ID], m); w.Best[i] >= 0 {
			continue
		}
		if settled(w.Places, cells[m.ID], m) {
			w.Score[i] = knownNone
			continue
		}
		unsure = append(unsure, m)
	}
	if err := s.score(ctx, r.Hypothesis, w, unsure, at, cells); err != nil {
		return err
	}
	if w.Done = to; to == len(w.Members) {
		w.Phase = Reconcile
	}
	return nil
}

// cell is what a member was allocated to, by folded axis name and by dimension.
type cell map[string]string

func cellsOf(c *audience.Cohort) map[string]cell {
	out := map[string]cell{}
	if c == nil {
		return out
	}
	for _, m := range c.Members {
		of := cell{}
		for i, ax := range c.Axes {
			if i >= len(m.Segments) || m.Segments[i] < 0 || int(m.Segments[i]) >= len(ax.Segments) {
				continue
			}
			label := ax.Segments[m.Segments[i]]
			of[caseless(ax.Name)] = label
			if dim := "#" + dimensionOf(ax.Name, ax.Dimension); of[dim] == "" {
				of[dim] = label
			}
		}
		out[m.MindID] = of
	}
	return out
}

// value is what a cell says of a place's axis.
func (c cell) value(p place) string {
	if v := c[p.Axis]; v != "" {
		return v
	}
	return c["#"+p.Dim]
}

// field is what a profile's own fields say of a place's axis.
func field(m mind.Mind, p place) string {
	for _, f := range simulate.ParseProfile(m.PersonaContext).Fields {
		if caseless(f.Key) == p.Axis || grounding.DimensionOf(f.Key) == p.Dim {
			return f.Value
		}
	}
	return ""
}

// direct is the bucket that a member's cohort profile, or its own profile, names:
// the earliest of those that do.
func direct(places []place, c cell, m mind.Mind) (int8, float64) {
	for i, p := range places {
		if p.Axis == "" {
			continue
		}
		if v := c.value(p); v != "" {
			if p.holds(v) {
				return int8(i), 1
			}
			continue
		}
		if v := field(m, p); v != "" && p.holds(v) {
			return int8(i), byField
		}
	}
	return -1, 0
}

// knownNone is the score of a member of whom every bucket is known not to hold:
// there is nothing to ask.
const knownNone = -2

// settled reports that all buckets are segments of which the member's are known.
func settled(places []place, c cell, m mind.Mind) bool {
	for _, p := range places {
		if p.Axis == "" || c.value(p) == "" && field(m, p) == "" {
			return false
		}
	}
	return true
}

// score finds the best bucket by words for members whose profile names none. A
// bucket that stands for a segment which the member is known not to have is out.
func (s *Service) score(ctx context.Context, h Hypothesis, w *work, minds []mind.Mind, at map[string]int, cells map[string]cell) error {
	if len(minds) == 0 {
		return nil
	}
	ids := make([]string, len(minds))
	for i, m := range minds {
		ids[i] = m.ID
	}
	rs, err := s.respondents(ctx, ids)
	if err != nil {
		return err
	}
	asked := bucketFeatures(h)
	for _, m := range minds {
		i := at[m.ID]
		var said map[string]bool
		r, known := rs[m.ID]
		for b, bucket := range h.Subgroups {
			p := w.Places[b]
			if p.Axis != "" && (cells[m.ID].value(p) != "" || field(m, p) != "") {
				continue
			}
			if said == nil {
				said = features(m.PersonaContext + "\n" + m.Description + "\n" + m.Discipline)
			}
			v := share(asked[b], said)
			if known && r.Recall != nil && v < threshold && len(asked[b]) > 0 {
				found, err := r.Recall.Recall(ctx, bucket.Label+". "+bucket.Definition, 3)
				if err != nil {
					return err
				}
				for _, f := range found {
					v = math.Max(v, math.Min(1, math.Max(0, f.Lexical)))
				}
			}
			if v > w.Score[i] {
				w.Best[i], w.Score[i] = int8(b), math.Round(v*1e4)/1e4
			}
		}
	}
	return nil
}

// respondents gives those of the Minds that are still there.
func (s *Service) respondents(ctx context.Context, ids []string) (map[string]simulate.Respondent, error) {
	minds, err := s.d.Minds.GetMany(ctx, ids)
	if err != nil {
		return nil, err
	}
	there := make([]string, len(minds))
	for i, m := range minds {
		there[i] = m.ID
	}
	rs, err := s.d.Minds.Respondents(ctx, there)
	if fault.Is(err, fault.NotFound) { // one went away between the two reads
		return nil, records.ErrConflict
	}
	out := make(map[string]simulate.Respondent, len(rs))
	for _, r := range rs {
		out[r.ID] = r
	}
	return out, err
}

// negations turn the word behind them around.
var negations = map[string]bool{"no": true, "not": true, "never": true, "without": true, "non": true, "dont": true, "doesnt": true, "kein": true, "keine": true, "keinen": true, "nicht": true, "ohne": true, "nie": true, "sans": true, "pas": true, "jamais": true, "sin": true, "nunca": true, "senza": true, "sem": true, "niet": true, "geen": true}

// formal are words of definitions that say nothing about a member.
var formal = map[string]bool{"member": true, "members": true, "people": true, "person": true, "respondents": true, "those": true, "group": true, "subgroup": true, "segment": true, "whose": true, "anyone": true, "everyone": true, "someone": true, "participants": true, "minds": true}

// features are the telling words of a text by their stems; "!" marks one that is
// denied.
func features(text string) map[string]bool {
	out := map[string]bool{}
	denied := false
	words.Each(text, func(word []byte) {
		w := string(word)
		switch {
		case negations[w]:
			denied = true
			return
		case formal[w], words.Stop(w):
			return
		}
		w = words.Stem(w)
		if denied {
			w = "!" + w
		}
		denied = false
		out[w] = true
	})
	return out
}

// bucketFeatures are the telling words of each bucket, without those that all
// buckets share.
func bucketFeatures(h Hypothesis) []map[string]bool {
	out := make([]map[string]bool, len(h.Subgroups))
	n := map[string]int{}
	for i, b := range h.Subgroups {
		out[i] = features(b.Label + ". " + b.Definition)
		for f := range out[i] {
			n[f]++
		}
	}
	for _, of := range out {
		for f := range of {
			if n[f] == len(out) {
				delete(of, f)
			}
		}
	}
	return out
}

// share is the part of the asked words that was said.
func share(asked, said map[string]bool) float64 {
	if len(asked) == 0 {
		return 0
	}
	hit := 0
	for f := range asked {
		if said[f] {
			hit++
		}
	}
	return float64(hit) / float64(len(asked))
}

// reconcile keeps the best bucket of each member where it is good enough; the
// others are asked.
func (w *work) reconcile() {
	w.Open = nil
	for i := w.From; i < len(w.Members); i++ {
		if w.Best[i] >= 0 && w.Score[i] >= threshold {
			continue
		}
		if w.Score[i] != knownNone {
			w.Open = append(w.Open, i)
		}
		w.Best[i], w.Score[i] = -1, 0
	}
	w.Phase, w.Done, w.From = Ask, 0, len(w.Members)
	w.Settled = len(w.Open) == 0
}

// noneOfThese is the answer of a member that no bucket fits.
const noneOfThese = "None of these"

// ask puts one question to the next members whom nothing placed. It is part of
// the build and is not metered. An answer that rests on nothing but the form of
// the question places nobody.
func (s *Service) ask(ctx context.Context, r record, w *work) error {
	by, err := s.answerer(ctx)
	if err != nil {
		return err
	}
	_, modelled := by.(mind.Modelled)
	q, err := by.Ask(ctx, question(r.Hypothesis, modelled), simulate.Policy{Strict: true})
	if err != nil {
		return err
	}
	to := min(w.Done+chunk, len(w.Open))
	ids := make([]string, 0, chunk)
	for _, i := range w.Open[w.Done:to] {
		ids = append(ids, w.Members[i])
	}
	rs, err := s.respondents(ctx, ids)
	if err != nil {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(asking)
	for _, i := range w.Open[w.Done:to] {
		who, there := rs[w.Members[i]]
		if !there {
			continue
		}
		g.Go(func() error {
			a, err := q.Answer(gctx, who)
			if err != nil {
				if fault.From(err).Retryable() || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
					return err
				}
				return nil // this one cannot say
			}
			w.Best[i], w.Score[i] = placed(r.Hypothesis, a, modelled)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	w.Done = to
	w.Settled = to == len(w.Open)
	return nil
}

func (s *Service) answerer(ctx context.Context) (simulate.Respondents, error) {
	if s.d.Answerers == nil {
		return s.d.Respondents, nil
	}
	return s.d.Answerers.For(ctx, nil)
}

// question asks which bucket fits; a model is told the definitions.
func question(h Hypothesis, modelled bool) simulate.Question {
	q := simulate.Question{Type: simulate.Categorical, Text: "Which of these groups describes you best?"}
	if modelled {
		q.Text += "\n" + h.Intent
	}
	for _, b := range h.Subgroups {
		q.Options = append(q.Options, b.Label)
		if modelled {
			q.Text += "\n" + b.Label + ": " + b.Definition
		}
	}
	if !slices.ContainsFunc(q.Options, func(o string) bool { return caseless(o) == caseless(noneOfThese) }) {
		q.Options = append(q.Options, noneOfThese)
	}
	return q
}

// placed reads an answer. Its confidence is the probability that it was drawn
// with, -1 when none was stated.
func placed(h Hypothesis, a simulate.Answer, modelled bool) (int8, float64) {
	if a.Status != simulate.Answered {
		return -1, 0
	}
	switch a.State {
	case simulate.Stated, simulate.Grounded, simulate.Related:
	default:
		if !modelled {
			return -1, 0
		}
	}
	for i, b := range h.Subgroups {
		if b.Label != a.Option {
			continue
		}
		p := -1.0
		if i < len(a.Probabilities) {
			p = math.Round(math.Max(0, math.Min(1, a.Probabilities[i]))*1e4) / 1e4
		}
		return int8(i), p
	}
	return -1, 0
}
