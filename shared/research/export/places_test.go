package export_test

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/research/export"
	"github.com/mindgate-dev/mindgate/shared/research/study"
	"github.com/mindgate-dev/mindgate/shared/simulate"
)

// Reports and raw data say where in its source a quotation stands; an answer that
// quotes nothing has no place.
func TestQuotationsHaveTheirPlace(t *testing.T) {
	answers := map[string]*simulate.Answer{
		"m1": {Status: simulate.Answered, State: simulate.Stated, Text: "The fee rose.", SourceIDs: []string{"k1"},
			Citations: []simulate.Citation{{SourceID: "k1", Source: "Annual report", Where: "page 12", Quote: "The fee rose.", Origin: "mind_knowledge"}}},
		"m2": {Status: simulate.Answered, State: simulate.Unsupported, Text: "Nothing is recorded."},
	}
	ids := []string{"m1", "m2"}
	for _, k := range []struct {
		of   export.Request
		want []string
	}{
		{export.Request{Format: "md", Kind: export.FullReport}, []string{"stated, from Annual report, page 12", "| page 12 |"}},
		{export.Request{Format: "csv", Kind: export.RawData}, []string{"q1_where", "\"Annual report, page 12\""}},
	} {
		w := newWorld(t, account.Enterprise)
		w.studies.settled = []study.Settled{question("q1", "What happened to the fee?", simulate.Question{Type: simulate.Qualitative}, answers, ids, map[string][]string{"First": ids}, []string{"First"})}
		j := w.start(k.of)
		w.run()
		text := strings.ReplaceAll(w.file(j), "\\", "")
		for _, want := range k.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q:\n%s", k.of.Format, want, text)
			}
		}
		if strings.Count(text, "Annual report, page 12") != 1 {
			t.Errorf("%s: a place stands beside what quotes nothing:\n%s", k.of.Format, text)
		}
	}
}
