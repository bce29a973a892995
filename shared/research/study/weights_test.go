package study_test

import (
	"math"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/audience"
)

// The members of a disproportionate cohort count by their weights, in percentages
// and in the effective base; counts stay counts.
func TestFiguresAreWeighted_M127(t *testing.T) {
	w := newWorld(t, account.Team)
	ctx := w.as("lab", account.Team)
	ids := w.minds(ctx, 4)
	weights := []float64{2, .5, 1, .5}
	c := audience.Cohort{Axes: []audience.CohortAxis{{Name: "Age", Segments: []string{"18-24", "25-34"}}}}
	of := map[string]float64{}
	for i, id := range ids {
		c.Members = append(c.Members, audience.CohortMember{MindID: id, Index: i, Segments: []int16{0}, Weight: weights[i]})
		of[id] = weights[i]
	}
	a := w.audience(ctx, "Weighted", ids)
	ref, err := w.Audiences.PutCohort(ctx, a.Workspace, c)
	w.must(err)
	a, err = w.Audiences.Note(ctx, a.ID, func(a *audience.Audience) error { a.Cohort = ref; return nil }, nil)
	w.must(err)
	s := w.study(ctx, "S", a)
	for _, question := range []string{"Do you prefer tea or coffee? (Tea / Coffee)", "On a scale of 1 to 5, how do you rate tea?"} {
		r := w.ask(ctx, s.ID, question)
		got := r.Audiences[0]
		sum, squares, by, counts := 0.0, 0.0, map[string]float64{}, map[string]int{}
		for _, x := range got.Answers {
			v := x.Value
			if x.RawValue != "" {
				v = x.RawValue
			}
			by[v] += of[x.MindID]
			counts[v]++
			sum, squares = sum+of[x.MindID], squares+of[x.MindID]*of[x.MindID]
		}
		if len(got.Answers) != 4 || got.Base.Answered != 4 || math.Abs(*got.Base.EffectiveN-sum*sum/squares) > 1e-9 {
			t.Fatalf("%s: base %+v, effective %v", question, got.Base, *got.Base.EffectiveN)
		}
		for label, share := range by {
			if p, ok := got.Percentages[label]; !ok || math.Abs(p-100*share/sum) > 1e-9 || got.Counts[label] != counts[label] {
				t.Errorf("%s: %s has %v %% of %v, want %v", question, label, p, got.Counts, 100*share/sum)
			}
		}
	}
}
