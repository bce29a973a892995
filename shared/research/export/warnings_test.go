package export_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Reports and raw data say what the sources leave in doubt, beside the finding;
// the statement names what the answers rest on, the Minds' own record too.
func TestWarningsInFiles_M225(t *testing.T) {
	w := newWorld(t, account.Team)
	doubt := &simulate.Answer{Status: simulate.Answered, State: simulate.Grounded, Option: "Yes", SourceIDs: []string{"k1"},
		Warnings: []string{simulate.SourcesDisagree, "the source is 76 years old (1950)"}}
	q := question("q1", "Do you own a car?", simulate.Question{Type: simulate.Categorical, Options: []string{"Yes", "No"}},
		map[string]*simulate.Answer{"m1": doubt}, []string{"m1"}, map[string][]string{"First": {"m1"}}, []string{"First"})
	q.All.Warnings = []simulate.Warning{{Text: simulate.SourcesDisagree, Count: 1}, {Text: "the source is 76 years old (1950)", Count: 1}}
	own := question("q2", "Do you own a dog?", simulate.Question{Type: simulate.Categorical, Options: []string{"Yes", "No"}},
		map[string]*simulate.Answer{"m1": {Status: simulate.Answered, State: simulate.Stated, Option: "No"}}, []string{"m1"}, map[string][]string{"First": {"m1"}}, []string{"First"})
	w.studies.settled = []study.Settled{q, own}
	for _, kind := range []string{export.FullReport, export.ExecutiveBrief} {
		j := w.start(export.Request{Format: "md", Kind: kind})
		w.run()
		text := w.file(j)
		for _, want := range []string{"base: 1 Mind; " + simulate.SourcesDisagree, "76 years old", "50% rest on the Minds' own record, 50% on published or imported figures"} {
			if !strings.Contains(strings.ReplaceAll(text, "\\", ""), want) {
				t.Errorf("%s: %q is not in\n%s", kind, want, text)
			}
		}
		if strings.Contains(text, " 0%") {
			t.Errorf("%s says that nothing rests on what nothing rests on:\n%s", kind, text)
		}
	}
	j := w.start(export.Request{Format: "csv"})
	w.run()
	if text := w.file(j); !strings.Contains(text, "q1_warnings") || !strings.Contains(text, "the source is 76 years old (1950)") {
		t.Errorf("raw data without warnings:\n%s", text)
	}
}
