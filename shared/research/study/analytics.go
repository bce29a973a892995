package study

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// Analytics computes the statistics over the answered questions of a Study,
// oldest first (M-210). All figures are over Minds, each once; Audiences are
// compared by their members. Not-asked and failed answers are in no base
// (M-211). Where the evidence is insufficient, no dominant label, rank or
// divergence is given (M-343).
func (s *Service) Analytics(ctx context.Context, studyID string) (Analytics, error) {
	row, err := s.load(ctx, studyID)
	if err != nil {
		return Analytics{}, err
	}
	all, err := s.questions(ctx, row.ID)
	if err != nil {
		return Analytics{}, err
	}
	out := Analytics{StudyID: row.ID, WorkspaceURL: s.URL(row.ID), Scale: []ScaleResult{}, Categorical: []ChoiceResult{}, Qualitative: []QualitativeResult{}}
	slices.Reverse(all)
	all = slices.DeleteFunc(all, func(q questionRow) bool { return q.Status != Completed && q.Status != Partial })
	out.QuestionCount = len(all)
	figures := make([]Settled, len(all))
	open := make([]QualitativeResult, len(all))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(readers)
	for i, q := range all {
		g.Go(func() (err error) {
			if figures[i], err = s.figuresOf(gctx, q); err != nil || !openForm(q) {
				return err
			}
			open[i], err = s.openResult(gctx, q)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return Analytics{}, err
	}
	for i, q := range all {
		switch q.Asked.Type {
		case simulate.Scale:
			out.Scale = append(out.Scale, scaleResult(figures[i]))
		case simulate.Categorical, simulate.Multiselect:
			out.Categorical = append(out.Categorical, choiceResult(figures[i]))
		default:
			out.Qualitative = append(out.Qualitative, open[i])
		}
	}
	return out, s.plannedFigures(ctx, row.ID, &out)
}

// plannedFigures adds the items of planned runs, one at a time, oldest run first.
// Numbers, rankings and tasks of a method have their figures in its calculation.
func (s *Service) plannedFigures(ctx context.Context, studyID string, out *Analytics) error {
	if s.d.Planned == nil {
		return nil
	}
	from := s.d.Planned()
	items, err := from.Items(ctx, studyID)
	if err != nil {
		return err
	}
	var ids []string
	for _, q := range items {
		if q.Status == Completed || q.Status == Partial {
			ids = append(ids, q.ID)
		}
	}
	return from.Figures(ctx, studyID, ids, func(q Settled) error {
		switch q.Question.Type {
		case simulate.Scale:
			out.Scale = append(out.Scale, scaleResult(q))
		case simulate.Categorical, simulate.Multiselect:
			if q.Varied {
				return nil // one label stands for other things in each version
			}
			out.Categorical = append(out.Categorical, choiceResult(q))
		case simulate.Qualitative:
			out.Qualitative = append(out.Qualitative, Open(q))
		default:
			return nil
		}
		out.QuestionCount++
		return nil
	})
}

// openForm reports whether a question is answered in words.
func openForm(q questionRow) bool {
	switch q.Asked.Type {
	case simulate.Scale, simulate.Categorical, simulate.Multiselect:
		return false
	}
	return true
}

// figuresOf reads the figures of a settled question without its answers.
func (s *Service) figuresOf(ctx context.Context, q questionRow) (Settled, error) {
	ws := workspace(ctx)
	who, err := s.panel(ctx, ws, q.ID)
	if err != nil {
		return Settled{}, err
	}
	var r result
	if err := s.unpack(ctx, q.Result, &r); err != nil {
		return Settled{}, err
	}
	out := Settled{QuestionID: q.ID, Question: q.Asked, All: r.All.group("", "")}
	for i, a := range who.Audiences {
		f := r.Audiences[i]
		out.Audiences = append(out.Audiences, f.group(a.ID, a.Name))
	}
	return out, nil
}

// scaleResult gives the statistics of a scale question.
func scaleResult(q Settled) ScaleResult {
	d := DescribeScale(q.Question, q.All)
	out := ScaleResult{QuestionID: q.QuestionID, Mean: d.Mean, Median: d.Median, StandardDeviation: d.SD, Consensus: d.Consensus,
		AudienceRanking: []RankedAudience{}, Base: q.All.Base.Answered, Evidence: q.All.Evidence}
	if !q.All.Evidence.Sufficient {
		return out
	}
	carried := sufficient(q.Audiences)
	groups := make([]stats.Group, len(carried))
	for i, a := range carried {
		groups[i] = stats.Group{Name: a.Name, Effective: effectiveOf(a)}
		groups[i].Values, groups[i].Weights = points(a, q.Question)
	}
	for _, r := range stats.Rank(groups) {
		mean := r.Mean
		out.AudienceRanking = append(out.AudienceRanking, RankedAudience{AudienceID: carried[r.Index].ID, Name: carried[r.Index].Name, Mean: &mean, Rank: r.Rank})
	}
	return out
}

// DescribeScale gives the statistics of a scale question in one group, by weight
// where members do not count alike (M-127).
func DescribeScale(q simulate.Question, g Group) stats.Scale {
	values, weights := points(g, q)
	return stats.DescribeGroup(stats.Group{Values: values, Weights: weights, Effective: effectiveOf(g)}, float64(q.Min), float64(q.Max))
}

// effectiveOf is the base of a group whose answers count by weight; 0 where all
// count alike.
func effectiveOf(g Group) float64 {
	if g.Weighted == nil || g.Base.EffectiveN == nil {
		return 0
	}
	return *g.Base.EffectiveN
}

// points writes counts by scale point out as answers, ascending, each at the mean
// weight of its point; without weights where all count alike.
func points(g Group, q simulate.Question) (out, weights []float64) {
	for x := q.Min; x <= q.Max; x++ {
		label := strconv.Itoa(x)
		n := g.Counts[label]
		for range n {
			out = append(out, float64(x))
			if g.Weighted != nil {
				weights = append(weights, g.Weighted[label]/float64(n))
			}
		}
	}
	return out, weights
}

// sufficient keeps the groups whose evidence carries a finding.
func sufficient(groups []Group) []Group {
	var out []Group
	for _, g := range groups {
		if g.Evidence.Sufficient {
			out = append(out, g)
		}
	}
	return out
}

func choiceResult(q Settled) ChoiceResult {
	out := ChoiceResult{QuestionID: q.QuestionID, Type: string(q.Question.Type), Distribution: []Share{}, Base: q.All.Base.Answered, Evidence: q.All.Evidence}
	counts := make([]float64, len(q.Question.Options))
	for i, label := range q.Question.Options {
		n := q.All.Counts[label]
		counts[i] = float64(n)
		share := Share{Label: label, Count: n}
		switch {
		case q.All.Weighted != nil:
			counts[i], share.Pct = q.All.Weighted[label], 100*q.All.Share(label)
		case out.Base > 0:
			share.Pct = 100 * float64(n) / float64(out.Base)
		}
		out.Distribution = append(out.Distribution, share)
	}
	if q.Question.Type == simulate.Categorical {
		if h, ok := stats.Entropy(counts); ok {
			out.Entropy = &h
		}
	}
	if !q.All.Evidence.Sufficient {
		return out
	}
	if at, ok := stats.Dominant(counts); ok {
		label := q.Question.Options[at]
		out.DominantCategory = &label
	}
	out.CrossAudienceDivergence, out.DivergenceNoiseFloor = divergence(q)
	return out
}

// divergence is how far the Audiences differ, with what chance alone would give.
// Options of a multiselect question are independent, so theirs is the mean over
// options of picked against not picked. The seed is the question's: a re-read
// gives the same.
func divergence(q Settled) (mean, floor *float64) {
	carried := sufficient(q.Audiences)
	if len(carried) < 2 {
		return nil, nil
	}
	seed := seedOf(q.QuestionID)
	if q.Question.Type == simulate.Categorical {
		d, ok := diverge(carried, func(g Group) []float64 { return sumsOf(g, q.Question.Options) }, seed)
		if !ok {
			return nil, nil
		}
		return &d.Mean, &d.NoiseFloor
	}
	var m, f float64
	for i, label := range q.Question.Options {
		d, ok := diverge(carried, func(g Group) []float64 {
			if g.Weighted != nil {
				return []float64{g.Weighted[label], max(0, g.Weight-g.Weighted[label])}
			}
			return []float64{float64(g.Counts[label]), float64(g.Base.Answered - g.Counts[label])}
		}, seed+uint64(i))
		if !ok {
			return nil, nil
		}
		m, f = m+d.Mean, f+d.NoiseFloor
	}
	n := float64(len(q.Question.Options))
	m, f = m/n, f/n
	return &m, &f
}

// diverge compares groups by what each answers, by weight where members do not
// count alike (M-127).
func diverge(groups []Group, of func(Group) []float64, seed uint64) (stats.Divergence, bool) {
	sums, bases := make([][]float64, len(groups)), make([]float64, len(groups))
	for i, g := range groups {
		sums[i], bases[i] = of(g), float64(g.Base.Answered)
		if e := effectiveOf(g); e > 0 {
			bases[i] = e
		}
	}
	return stats.DivergeWeighted(sums, bases, seed)
}

// sumsOf are a group's counts by label, weighted where members do not count alike.
func sumsOf(g Group, labels []string) []float64 {
	out := make([]float64, len(labels))
	for i, label := range labels {
		if out[i] = float64(g.Counts[label]); g.Weighted != nil {
			out[i] = g.Weighted[label]
		}
	}
	return out
}

func seedOf(id string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	return h.Sum64()
}

// openResult gives the themes of an open question: what supported answers speak
// of. Each Mind counts once; a theme names every Audience that one of its Minds
// is in.
func (s *Service) openResult(ctx context.Context, q questionRow) (QualitativeResult, error) {
	whole, err := s.whole(ctx, q)
	if err != nil {
		return QualitativeResult{}, err
	}
	return Open(whole), nil
}

// Open gives the themes of an open question.
func Open(whole Settled) QualitativeResult {
	out := QualitativeResult{QuestionID: whole.QuestionID, Themes: []Theme{}, SharedThemes: []string{}, Base: whole.All.Base.Answered, Evidence: whole.All.Evidence}
	var open []stats.OpenAnswer
	in := make(map[string]MindAnswer, len(whole.Minds))
	places := map[string]string{}                  // of what answers quote
	spoke := make([]float64, len(whole.Audiences)) // answers with content, by weight
	for _, m := range whole.Minds {
		if m.Answer == nil || m.Answer.Status != simulate.Answered {
			continue
		}
		unsupported := m.Answer.State == simulate.Unsupported
		if at := simulate.Places(m.Answer.Citations); len(at) > 0 && places[m.Answer.Text] == "" {
			places[m.Answer.Text] = strings.Join(at, "; ")
		}
		open = append(open, stats.OpenAnswer{ID: m.MindID, Text: m.Answer.Text, Unsupported: unsupported})
		in[m.MindID] = m
		for i, a := range m.Audiences {
			if !unsupported {
				spoke[a] += m.Weights[i]
			}
		}
	}
	found := stats.FindThemes(open, seedOf(whole.QuestionID))
	for _, t := range found.Themes {
		theme := Theme{Label: t.Label, Count: t.Count, AudienceIDs: []string{}, MindIDs: t.IDs, Quotes: slices.Clone(t.Quotes)}
		for i, said := range theme.Quotes {
			if at := places[said]; at != "" {
				theme.Quotes[i] = said + " (" + at + ")"
			}
		}
		counts := make([]float64, len(whole.Audiences))
		for _, id := range t.IDs {
			for i, a := range in[id].Audiences {
				counts[a] += in[id].Weights[i]
			}
		}
		wide := 0
		for a, n := range counts {
			if n > 0 {
				theme.AudienceIDs = append(theme.AudienceIDs, whole.Audiences[a].ID)
			}
			if n > 0 && 10*n >= spoke[a] {
				wide++
			}
		}
		if wide >= 2 && out.Evidence.Sufficient {
			out.SharedThemes = append(out.SharedThemes, t.Label)
		}
		out.Themes = append(out.Themes, theme)
	}
	if found.Base >= 5 {
		out.DiversityIndex, out.MeanPairwiseDistance = found.Diversity, found.MeanDistance
	}
	return out
}
