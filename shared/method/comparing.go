package method

import (
	"fmt"
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/stats"
	"github.com/mindgate-dev/mindgate/shared/stats/segments"
)

// SegmentsResult is MethodResult.segment-comparison.
type SegmentsResult struct {
	Comparisons []Comparison `json:"comparisons"`
}

// Comparison is one test. A multiselect question gives one for each option.
type Comparison struct {
	ItemID    string           `json:"itemId"`
	Test      segments.Kind    `json:"test"`
	Statistic *float64         `json:"statistic"`
	DF        *float64         `json:"df"`
	P         *float64         `json:"p"`
	PAdjusted *float64         `json:"pAdjusted"` // Holm within the question, Benjamini-Hochberg over all
	Effect    *ComparedEffect  `json:"effect"`
	Residuals [][]float64      `json:"residuals,omitempty"` // segments x options
	Segments  []SegmentFigures `json:"segments"`
}

// ComparedEffect is cramers_v or hedges_g.
type ComparedEffect struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// SegmentFigures are one segment's figures on the question.
type SegmentFigures struct {
	SegmentID string         `json:"segmentId"`
	Label     string         `json:"label"`
	N         int            `json:"n"`
	Figures   map[string]any `json:"figures"` // shares, counts, higherThan; or mean, median, standardDeviation, differsFrom; option of a multiselect
}

func (c *computing) segments() (any, error) {
	cfg, err := decode[segmentConfig](c.configuration)
	if err != nil {
		return nil, err
	}
	if len(c.in.Segments) < 2 {
		return nil, &stats.Insufficient{Reason: fmt.Sprintf("%d segments have members; two are needed to compare.", len(c.in.Segments))}
	}
	groups := make([][]string, len(c.in.Segments))
	for i, s := range c.in.Segments {
		for _, m := range s.Members {
			groups[i] = append(groups[i], c.in.Members[m].ID)
		}
	}
	if _, a, b, overlap := segments.Overlap(groups); overlap {
		return nil, &refusal{fmt.Sprintf("%s and %s share members; a test would count them as independent. Compare segments without common members.", c.in.Segments[a].Label, c.in.Segments[b].Label)}
	}
	out := SegmentsResult{Comparisons: []Comparison{}}
	for _, id := range cfg.ItemIDs {
		i := -1
		for k, it := range c.in.Items {
			if it.ID == id {
				i = k
			}
		}
		if i < 0 {
			return nil, fmt.Errorf("method: there is no item %q to compare", id)
		}
		made, err := c.compare(i, cfg.Alpha)
		if err != nil {
			return nil, err
		}
		out.Comparisons = append(out.Comparisons, made...)
	}
	adjust(out.Comparisons)
	return out, nil
}

// adjust corrects over the battery what is already corrected within questions.
func adjust(all []Comparison) {
	var p []float64
	var at []int
	for i := range all {
		if all[i].PAdjusted != nil {
			p, at = append(p, *all[i].PAdjusted), append(at, i)
		}
	}
	for k, v := range segments.BenjaminiHochberg(p) {
		all[at[k]].PAdjusted = &v
	}
}

func (c *computing) compare(item int, alpha float64) ([]Comparison, error) {
	it := c.in.Items[item]
	switch it.Response.Type {
	case "categorical":
		return c.compareChoice(item, alpha)
	case "multiselect":
		return c.comparePicks(item, alpha)
	case "scale", "numeric":
		return c.compareScale(item, alpha)
	}
	c.warn(fmt.Sprintf("%s: answers of type %s are counted, not compared.", it.ID, it.Response.Type))
	return []Comparison{c.describe(item, segments.Test{Kind: segments.Descriptive})}, nil
}

// split gives each segment's answers to an item.
func (c *computing) split(item int, read func(Value, *segments.Segment) error) ([]segments.Segment, error) {
	out := make([]segments.Segment, len(c.in.Segments))
	for i, s := range c.in.Segments {
		out[i].Name = s.Label
		for _, m := range s.Members {
			v := c.value(item, m)
			if !v.Answered {
				continue
			}
			if err := read(v, &out[i]); err != nil {
				return nil, err
			}
			if c.weighted {
				out[i].Weights = append(out[i].Weights, c.weight(m))
			}
		}
	}
	return out, nil
}

// bare is the reason why an item of mostly unsupported answers is not tested.
func (c *computing) bare(item int) bool {
	answers, without := 0, 0
	for m := range c.in.Members {
		if v := c.value(item, m); v.Answered {
			answers++
			if v.Evidence == "unsupported" {
				without++
			}
		}
	}
	if 2*without <= answers {
		return false
	}
	c.warn(fmt.Sprintf("%s: %d of %d answers rest on no evidence; it is not tested.", c.in.Items[item].ID, without, answers))
	return true
}

func (c *computing) describe(item int, t segments.Test) Comparison {
	out := Comparison{ItemID: c.in.Items[item].ID, Test: t.Kind, Statistic: t.Statistic, DF: t.DF, P: t.P, PAdjusted: t.P, Residuals: t.Residuals}
	if t.Effect != nil {
		out.Effect = &ComparedEffect{t.Effect.Name, t.Effect.Value}
	}
	for _, s := range c.in.Segments {
		n := 0
		for _, m := range s.Members {
			if c.value(item, m).Answered {
				n++
			}
		}
		out.Segments = append(out.Segments, SegmentFigures{s.ID, s.Label, n, map[string]any{}})
	}
	for _, w := range t.Warnings {
		c.warn(out.ItemID + ": " + w)
	}
	return out
}

func (c *computing) compareChoice(item int, alpha float64) ([]Comparison, error) {
	it := c.in.Items[item]
	options := it.Response.CategoricalOptions
	s, err := c.split(item, func(v Value, s *segments.Segment) error {
		o := place(it, v.Option)
		if o < 0 {
			return fmt.Errorf("method: %s holds an answer that was not offered", it.ID)
		}
		s.Options = append(s.Options, o)
		return nil
	})
	if err != nil {
		return nil, err
	}
	t := segments.Test{Kind: segments.Descriptive}
	if !c.bare(item) {
		if t, err = segments.Choice(s, len(options), c.seed(it.ID)); err != nil {
			return nil, err
		}
	}
	out := c.describe(item, t)
	for i := range out.Segments {
		shares, counts := map[string]stats.Estimate{}, map[string]int{}
		for k, label := range options {
			shares[label] = segments.ShareOf(s[i], k)
			counts[label] = 0
		}
		for _, o := range s[i].Options {
			counts[options[o]]++
		}
		out.Segments[i].Figures["shares"], out.Segments[i].Figures["counts"] = shares, counts
		out.Segments[i].Figures["higherThan"] = c.higher(i, t, options, alpha)
	}
	return []Comparison{out}, nil
}

// higher lists, by option, the segments that choose it less often beyond chance.
func (c *computing) higher(i int, t segments.Test, options []string, alpha float64) map[string][]string {
	out := map[string][]string{}
	for _, p := range t.Pairs {
		if p.Option < 0 || p.PAdjusted >= alpha {
			continue
		}
		switch {
		case p.A == i && p.Difference > 0:
			out[options[p.Option]] = append(out[options[p.Option]], c.in.Segments[p.B].ID)
		case p.B == i && p.Difference < 0:
			out[options[p.Option]] = append(out[options[p.Option]], c.in.Segments[p.A].ID)
		}
	}
	return out
}

func (c *computing) comparePicks(item int, alpha float64) ([]Comparison, error) {
	it := c.in.Items[item]
	bare := c.bare(item)
	var out []Comparison
	for _, label := range it.Response.CategoricalOptions {
		s, err := c.split(item, func(v Value, s *segments.Segment) error {
			picked := 1
			for _, o := range v.Options {
				if o == label {
					picked = 0
				}
			}
			s.Options = append(s.Options, picked)
			return nil
		})
		if err != nil {
			return nil, err
		}
		t := segments.Test{Kind: segments.Descriptive}
		if !bare {
			if t, err = segments.Choice(s, 2, c.seed(it.ID+"\x00"+label)); err != nil {
				return nil, err
			}
			if len(out) > 0 {
				t.Warnings = nil // said once a question
			}
		}
		one := c.describe(item, t)
		for i := range one.Segments {
			one.Segments[i].Figures["option"], one.Segments[i].Figures["share"] = label, segments.ShareOf(s[i], 0)
			if more := c.higher(i, t, []string{label, ""}, alpha)[label]; more != nil {
				one.Segments[i].Figures["higherThan"] = more
			}
		}
		out = append(out, one)
	}
	var p []float64
	var at []int
	for i := range out {
		if out[i].P != nil {
			p, at = append(p, *out[i].P), append(at, i)
		}
	}
	for k, v := range segments.Holm(p) {
		out[at[k]].PAdjusted = &v
	}
	return out, nil
}

func (c *computing) compareScale(item int, alpha float64) ([]Comparison, error) {
	s, err := c.split(item, func(v Value, s *segments.Segment) error {
		s.Values = append(s.Values, v.Number)
		return nil
	})
	if err != nil {
		return nil, err
	}
	t := segments.Test{Kind: segments.Descriptive}
	if !c.bare(item) {
		if t, err = segments.Scale(s, ordinal(c.in.Items[item].Response)); err != nil {
			return nil, err
		}
	}
	out := c.describe(item, t)
	for i := range out.Segments {
		f := out.Segments[i].Figures
		mean := stats.Estimate{N: len(s[i].Values)}
		d := stats.Describe(s[i].Values, s[i].Weights, 0, 1)
		n := d.EffectiveN
		mean.Estimate, mean.EffectiveN = d.Mean, &n
		if d.MeanCI95 != nil {
			mean.CI95 = &[2]float64{d.MeanCI95.Low, d.MeanCI95.High}
		}
		f["mean"], f["median"], f["standardDeviation"] = mean, d.Median, d.SD
		differs := []string{}
		for _, p := range t.Pairs {
			if p.PAdjusted < alpha && (p.A == i || p.B == i) {
				differs = append(differs, c.in.Segments[p.A+p.B-i].ID)
			}
		}
		f["differsFrom"] = differs
	}
	return []Comparison{out}, nil
}

// ordinal reports whether every point of a scale has a name: such points are an
// order and not distances.
func ordinal(r Response) bool {
	if r.Type != "scale" || len(r.ScaleRange) != 2 {
		return false
	}
	for p := r.ScaleRange[0]; p <= r.ScaleRange[1]; p++ {
		if r.ScaleLabels[strconv.Itoa(p)] == "" {
			return false
		}
	}
	return true
}
