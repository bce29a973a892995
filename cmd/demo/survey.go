package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed steak-risk-2014.json
var steakSurvey []byte

// survey holds the published figures of one survey: margins of its
// respondents and answer shares, never a respondent's row.
type survey struct {
	Title, Source, URL, Dates, Population, Attribution string
	Margins                                            []margin
	Questions                                          []question
}

type margin struct {
	Axis     string
	Segments []segment
}

type segment struct {
	Label string
	Count int
}

type question struct {
	ID         string      `json:"id"`
	Question   string      `json:"question"`
	Ask        string      `json:"ask"` // as it is put to the Study, with its options
	Options    []share     `json:"options"`
	N          int         `json:"n"`
	Breakdowns []breakdown `json:"breakdowns"`
}

type share struct {
	Label string  `json:"label"`
	Count int     `json:"count"`
	Share float64 `json:"share"` // 0 to 1, of the counts
}

type breakdown struct {
	Dimension string    `json:"dimension"`
	Group     string    `json:"group"`
	N         int       `json:"n"`
	Counts    []int     `json:"counts"`
	Shares    []float64 `json:"shares"` // of the counts
}

// readSurvey reads the counted answers and takes the shares from them, so that
// no rounding stands between.
func readSurvey() (survey, error) {
	var s survey
	if err := json.Unmarshal(steakSurvey, &s); err != nil {
		return survey{}, err
	}
	for _, q := range s.Questions {
		for i, o := range q.Options {
			q.Options[i].Share = float64(o.Count) / float64(q.N)
		}
		for i, b := range q.Breakdowns {
			for _, n := range b.Counts {
				q.Breakdowns[i].Shares = append(q.Breakdowns[i].Shares, float64(n)/float64(b.N))
			}
		}
	}
	return s, nil
}

// evidence is one question's published distribution in the file format that
// Minds take as knowledge.
func (s survey) evidence(q question) ([]byte, error) {
	return json.MarshalIndent(map[string]any{
		"question": q.Question, "options": q.Options, "n": q.N,
		"source": s.Source, "url": s.URL, "dates": s.Dates, "population": s.Population,
		"breakdowns": q.Breakdowns,
	}, "", " ")
}

// persona is one Mind to be made.
type persona struct {
	Name    string
	Profile []string // "Key: value" lines
}

func (p persona) context() string { return strings.Join(p.Profile, "\n") }

// personas draws n members whose margins meet the survey's by exact quotas. The
// axes are combined by a seeded shuffle, that is as if independent: the joint
// distribution is not claimed.
func (s survey) personas(n int) []persona {
	out := make([]persona, n)
	for i := range out {
		out[i].Name = fmt.Sprintf("Steak survey member %02d", i+1)
	}
	for axis, m := range s.Margins {
		var values []string
		for i, quota := range quotas(m.Segments, n) {
			values = append(values, slices.Repeat([]string{m.Segments[i].Label}, quota)...)
		}
		rng := rand.New(rand.NewPCG(2014, uint64(axis)))
		rng.Shuffle(len(values), func(i, j int) { values[i], values[j] = values[j], values[i] })
		for i := range out {
			out[i].Profile = append(out[i].Profile, m.Axis+": "+values[i])
		}
	}
	return out
}

// quotas turns counts into n whole places by largest remainder (Hamilton);
// ties go to the larger segment, then to the earlier one.
func quotas(segments []segment, n int) []int {
	total := 0
	for _, s := range segments {
		total += s.Count
	}
	out := make([]int, len(segments))
	left := n
	for i, s := range segments {
		out[i] = s.Count * n / total
		left -= out[i]
	}
	order := make([]int, len(segments))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		ra, rb := segments[a].Count*n%total, segments[b].Count*n%total
		if ra != rb {
			return rb - ra
		}
		return segments[b].Count - segments[a].Count
	})
	for _, i := range order[:left] {
		out[i]++
	}
	return out
}
