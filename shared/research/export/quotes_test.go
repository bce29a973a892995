package export_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Equal open answers are quoted once, with their number.
func TestEqualAnswersAreQuotedOnce_M225(t *testing.T) {
	w := newWorld(t, account.Team)
	answers, ids := map[string]*simulate.Answer{}, []string{}
	for i := range 5 {
		id := fmt.Sprint("m", i)
		ids = append(ids, id)
		answers[id] = &simulate.Answer{Status: simulate.Answered, State: simulate.Stated, Text: "Thirty-four of age."}
	}
	answers["m3"] = &simulate.Answer{Status: simulate.Answered, State: simulate.Stated, Text: "I would rather not say."}
	w.studies.settled = []study.Settled{question("q1", "How old are you?", simulate.Question{Type: simulate.Qualitative}, answers, ids, map[string][]string{"First": ids}, []string{"First"})}
	j := w.start(export.Request{Format: "md", Kind: export.FullReport})
	w.run()
	text := strings.ReplaceAll(w.file(j), "\\", "")
	if strings.Count(text, "> Thirty-four of age.") != 1 || strings.Count(text, "> I would rather not say.") != 1 || !strings.Contains(text, "and 3 others (4 equal answers, synthetic)") {
		t.Errorf("want each answer quoted once with its number:\n%s", text)
	}
}
