package study

import (
	"slices"

	"github.com/mindgate-dev/mindgate/shared/simulate"
	"github.com/mindgate-dev/mindgate/shared/stats/segments"
)

// Why Audiences are described and not tested.
const (
	SharedMinds  = "shared_minds"          // an Audience holds Minds of another: a test would count them as independent
	FewAnswers   = "few_answers"           // fewer than two Audiences have ten answers
	NoEvidence   = "insufficient_evidence" // M-343
	NothingDone  = "nothing_to_compare"    // one Audience, an open question, or one answer given by all
	significance = .05
)

// Difference is how the Audiences of a question differ.
type Difference struct {
	Audiences []int // places in Settled.Audiences of those whose evidence carries a finding
	Reason    string
	// Tests holds one test; of a multiselect question, one for each option. Empty
	// with a Reason. Pairs name places in Audiences, and their adjusted p values are
	// by Holm over all pairs of the question, those of all its options.
	Tests []OptionTest
}

// OptionTest is a test with the option that it is of; -1 for the whole question.
type OptionTest struct {
	Option    int
	PAdjusted *float64 // by Holm over the tests of the question; nil without a test
	segments.Test
}

// Significant reports a pair beyond chance after correction.
func Significant(p segments.Pair) bool { return p.PAdjusted < significance }

// Differences tests whether Audiences answer alike (methods: segment comparison).
// Nothing is tested where Audiences share Minds, where fewer than two have ten
// answers, or where the evidence carries no finding (M-343).
func Differences(q Settled) Difference {
	var d Difference
	if !q.All.Evidence.Sufficient {
		return Difference{Reason: NoEvidence}
	}
	for i, a := range q.Audiences {
		if a.Evidence.Sufficient {
			d.Audiences = append(d.Audiences, i)
		}
	}
	switch q.Question.Type {
	case simulate.Scale, simulate.Categorical, simulate.Multiselect:
	default:
		return Difference{Reason: NothingDone}
	}
	switch {
	case len(q.Audiences) < 2:
		return Difference{Reason: NothingDone}
	case len(d.Audiences) < 2:
		return Difference{Reason: NoEvidence}
	}
	groups := make([][]string, len(d.Audiences))
	for _, m := range q.Minds {
		for _, a := range m.Audiences {
			if at := slices.Index(d.Audiences, a); at >= 0 {
				groups[at] = append(groups[at], m.MindID)
			}
		}
	}
	if _, _, _, shared := segments.Overlap(groups); shared {
		d.Reason = SharedMinds
		return d
	}
	d.test(q)
	return d
}

func (d *Difference) test(q Settled) {
	var tests []OptionTest
	switch q.Question.Type {
	case simulate.Scale:
		t, err := segments.Scale(d.split(q, -1), ordinalScale(q.Question))
		if err == nil {
			tests = append(tests, OptionTest{-1, nil, t})
		}
	case simulate.Categorical:
		t, err := segments.Choice(d.split(q, -1), len(q.Question.Options), seedOf(q.QuestionID))
		if err == nil {
			tests = append(tests, OptionTest{-1, nil, t})
		}
	case simulate.Multiselect:
		for i := range q.Question.Options {
			t, err := segments.Choice(d.split(q, i), 2, seedOf(q.QuestionID)+uint64(i))
			if err == nil {
				t.Pairs = slices.DeleteFunc(t.Pairs, func(p segments.Pair) bool { return p.Option != 0 }) // the other is its mirror
				tests = append(tests, OptionTest{i, nil, t})
			}
		}
	}
	var p, pairs []float64
	for _, t := range tests {
		if t.P != nil {
			p = append(p, *t.P)
		}
		for _, x := range t.Pairs {
			pairs = append(pairs, x.P)
		}
	}
	if len(p) == 0 {
		d.Reason = FewAnswers
		if len(tests) > 0 && enough(tests[0].Tested) {
			d.Reason = NothingDone
		}
		return
	}
	p, pairs = segments.Holm(p), segments.Holm(pairs)
	for i := range tests {
		if tests[i].P != nil {
			tests[i].PAdjusted, p = &p[0], p[1:]
		}
		for k := range tests[i].Pairs {
			tests[i].Pairs[k].PAdjusted, pairs = pairs[0], pairs[1:]
		}
	}
	d.Tests = tests
}

func enough(tested []bool) bool {
	n := 0
	for _, t := range tested {
		if t {
			n++
		}
	}
	return n >= 2
}

// ordinalScale reports scales whose every point is named, so that their distances
// say nothing: ranks are compared there, means on others.
func ordinalScale(q simulate.Question) bool {
	for x := q.Min; x <= q.Max; x++ {
		if q.ScaleLabels[x] == "" {
			return false
		}
	}
	return true
}

// split gives the answers by Audience; for an option of a multiselect question,
// whether it was picked (0) or not (1).
func (d *Difference) split(q Settled, option int) []segments.Segment {
	out := make([]segments.Segment, len(d.Audiences))
	weighted := false
	for at, a := range d.Audiences {
		out[at].Name = q.Audiences[a].Name
		weighted = weighted || q.Audiences[a].Weighted != nil
	}
	for _, m := range q.Minds {
		if m.Answer == nil || m.Answer.Status != simulate.Answered {
			continue // M-211
		}
		for i, a := range m.Audiences {
			at := slices.Index(d.Audiences, a)
			if at < 0 {
				continue
			}
			s := &out[at]
			switch {
			case option >= 0:
				picked := 1
				if slices.Contains(m.Answer.Options, q.Question.Options[option]) {
					picked = 0
				}
				s.Options = append(s.Options, picked)
			case q.Question.Type == simulate.Categorical:
				place := slices.Index(q.Question.Options, m.Answer.Option)
				if place < 0 {
					continue
				}
				s.Options = append(s.Options, place)
			case m.Answer.Number == nil:
				continue
			default:
				s.Values = append(s.Values, *m.Answer.Number)
			}
			if weighted {
				s.Weights = append(s.Weights, m.Weights[i])
			}
		}
	}
	return out
}
