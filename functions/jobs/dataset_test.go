package jobs_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/workflow"
)

// The machine of a data set: trouble that passes is tried again, what does not is
// settled.
func TestDatasetMachine(t *testing.T) {
	names := []string{"DatasetReview", "DatasetFail"}
	for name, c := range map[string]struct {
		errors map[string][]string
		want   map[string]int
	}{
		"a file":            {nil, map[string]int{"DatasetReview": 1}},
		"a file in trouble": {map[string][]string{"DatasetReview": {"Transient", "Transient"}}, map[string]int{"DatasetReview": 3}},
		"trouble that does not pass": {map[string][]string{"DatasetReview": slices.Repeat([]string{"Transient"}, 9), "DatasetFail": {"Transient"}},
			map[string]int{"DatasetReview": 3, "DatasetFail": 2}},
		"a mistake": {map[string][]string{"DatasetReview": {"Internal"}}, map[string]int{"DatasetReview": 1, "DatasetFail": 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &script{errors: c.errors, outputs: map[string]string{"DatasetReview": `{"status":"completed"}`, "DatasetFail": `{"status":"failed"}`}}
			if x := play(t, "audience-dataset", s, names...); x.Status != workflow.Succeeded {
				t.Errorf("%+v", x)
			}
			got := map[string]int{}
			for _, call := range s.calls {
				task, _, _ := strings.Cut(call, " ")
				got[task]++
			}
			for _, task := range names {
				if got[task] != c.want[task] {
					t.Errorf("%s was called %d times, want %d: %q", task, got[task], c.want[task], s.calls)
				}
			}
		})
	}
}
