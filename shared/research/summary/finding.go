package summary

import (
	"sort"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats"
)

// finding is one question with what was found, without its answers.
type finding struct {
	q       study.Settled // Minds left out
	differ  study.Difference
	themes  *study.QualitativeResult
	sources []source
	groups  []figures // of q.All, then of each Audience
}

// source is one publication or record behind answers.
type source struct {
	Title   string `json:"title"`
	URL     string `json:"url,omitempty"`
	Dates   string `json:"dates,omitempty"`
	N       *int   `json:"n"`
	Origin  string `json:"origin,omitempty"`
	Answers int    `json:"answers"`
}

// figures are those of a question in one group of Minds.
type figures struct {
	Distribution []share     `json:"distribution,omitempty"`
	Mean         *float64    `json:"mean,omitempty"`
	MeanCI95     *[2]float64 `json:"meanCi95,omitempty"`
	Median       *float64    `json:"median,omitempty"`
	SD           *float64    `json:"standardDeviation,omitempty"`
	Consensus    *float64    `json:"consensus,omitempty"`
	Minimum      *int        `json:"minimum,omitempty"` // of the scale
	Maximum      *int        `json:"maximum,omitempty"`
	Dominant     *string     `json:"dominantCategory,omitempty"`
}

// share is a label's part of a group; Pct and its Wilson interval in percent, by
// weight where members do not count alike (M-127). Null without a base of ten.
type share struct {
	Label string      `json:"label"`
	Count int         `json:"count"`
	Pct   *float64    `json:"pct"`
	CI95  *[2]float64 `json:"ci95"`
}

func findingOf(q study.Settled) finding {
	if ofMethod(q) { // its figures are those of its method
		f := finding{sources: sourcesOf(q)}
		q.Minds = nil
		f.q = q
		return f
	}
	f := finding{differ: study.Differences(q), sources: sourcesOf(q)}
	switch q.Question.Type {
	case simulate.Scale, simulate.Categorical, simulate.Multiselect:
	case simulate.Qualitative, "":
		t := study.Open(q)
		f.themes = &t
	}
	f.groups = append(f.groups, figuresOf(q.Question, q.All))
	for _, a := range q.Audiences {
		f.groups = append(f.groups, figuresOf(q.Question, a))
	}
	q.Minds = nil
	f.q = q
	return f
}

func figuresOf(q simulate.Question, g study.Group) figures {
	var out figures
	base := float64(g.Base.Answered)
	if g.Base.EffectiveN != nil {
		base = *g.Base.EffectiveN
	}
	for _, label := range labelsOf(q, g) {
		s := share{Label: label, Count: g.Counts[label]}
		if g.Base.Answered > 0 {
			part := g.Share(label)
			pct := 100 * part
			s.Pct = &pct
			if e := stats.Share(part, 1, g.Base.Answered, base); e.CI95 != nil {
				s.CI95 = &[2]float64{100 * e.CI95[0], 100 * e.CI95[1]}
			}
		}
		out.Distribution = append(out.Distribution, s)
	}
	switch q.Type {
	case simulate.Scale:
		d := study.DescribeScale(q, g)
		out.Mean, out.Median, out.SD, out.Consensus = d.Mean, d.Median, d.SD, d.Consensus
		out.Minimum, out.Maximum = &q.Min, &q.Max
		if d.MeanCI95 != nil {
			out.MeanCI95 = &[2]float64{d.MeanCI95.Low, d.MeanCI95.High}
		}
	case simulate.Categorical, simulate.Multiselect:
		if g.Evidence.Sufficient && g.Base.Answered > 0 {
			if label := study.Headline(q, g); has(q.Options, label) {
				out.Dominant = &label
			}
		}
	}
	return out
}

// labelsOf are the labels of a question in the order shown.
func labelsOf(q simulate.Question, g study.Group) []string {
	if len(q.Options) > 0 {
		return q.Options
	}
	var out []string
	if q.Type == simulate.Scale && q.Max-q.Min <= 20 {
		for x := q.Min; x <= q.Max; x++ {
			out = append(out, plain(float64(x)))
		}
		return out
	}
	for label := range g.Counts {
		out = append(out, label)
	}
	sort.Slice(out, func(i, j int) bool {
		if len(out[i]) != len(out[j]) { // numbers by size
			return len(out[i]) < len(out[j])
		}
		return out[i] < out[j]
	})
	return out
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// sourcesOf are what the answers of a question rest on, most used first.
func sourcesOf(q study.Settled) []source {
	at := map[string]*source{}
	for _, m := range q.Minds {
		if m.Answer == nil || m.Answer.Status != simulate.Answered {
			continue
		}
		for _, c := range m.Answer.Citations {
			// The same publication may stand in the knowledge of many Minds.
			key := strings.Join([]string{c.Source, c.Dates, c.URL}, "\x00")
			if c.Source == "" && c.URL == "" {
				key = c.Origin
			}
			s := at[key]
			if s == nil {
				s = &source{Title: clip(c.Source, textShown), URL: c.URL, Dates: c.Dates, N: c.N, Origin: c.Origin}
				at[key] = s
			}
			s.Answers++
		}
	}
	return ordered(at)
}

func ordered(at map[string]*source) []source {
	out := make([]source, 0, len(at))
	for _, s := range at {
		out = append(out, *s)
	}
	sort.Slice(out, func(i, j int) bool {
		a, b := out[i], out[j]
		switch {
		case a.Answers != b.Answers:
			return a.Answers > b.Answers
		case a.Title != b.Title:
			return a.Title < b.Title
		case a.Dates != b.Dates:
			return a.Dates < b.Dates
		}
		return a.URL < b.URL
	})
	return out
}

// textShown is how much of a text of others a summary shows.
const textShown = 300

func clip(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
}
