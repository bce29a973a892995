package study

import (
	"strconv"

	"github.com/mindgate-dev/mindgate/shared/research/plan"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// classification is how a text was read, as callers see it.
func classification(c plan.Classified) Classification {
	out := Classification{Type: string(c.Question.Type), Why: c.Why, Planner: plan.Version, Response: contract(c.Question)}
	if c.FromEvidence != nil {
		source := c.FromEvidence.Question
		out.Source = &source
	}
	return out
}

// contract is the answer format of a question as ResponseContract.
func contract(q simulate.Question) ResponseContract {
	r := ResponseContract{Type: string(q.Type)}
	switch q.Type {
	case simulate.Categorical:
		r.CategoricalOptions = q.Options
	case simulate.Multiselect:
		r.CategoricalOptions = q.Options
		r.MaxSelections, r.MinSelections, r.ExclusiveOptions = q.MaxSelections, q.MinSelections, q.Exclusive
	case simulate.Scale:
		r.ScaleRange, r.ScaleTop = []int{q.Min, q.Max}, "high"
		if q.TopLow {
			r.ScaleTop = "low"
		}
		for point, label := range q.ScaleLabels {
			if r.ScaleLabels == nil {
				r.ScaleLabels = map[string]string{}
			}
			r.ScaleLabels[strconv.Itoa(point)] = label
		}
	}
	return r
}
