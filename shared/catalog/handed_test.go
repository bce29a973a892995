package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// The review of a data set is passed on as it came, and nothing else slips in
// with it.
func TestAReviewIsPassedOnUnchanged(t *testing.T) {
	d, ok := catalog.Minds().Lookup("create_audience_from_brief")
	if !ok {
		t.Fatal("no such tool")
	}
	const review = `{"fileName":"a.csv","sheetName":null,"respondentCount":234,"recommendedMindCount":40,"segmentationColumns":["Gender"],
		"variables":[{"key":"Gender","label":"Gender","role":"structural","selected":true,"distribution":[{"value":"Woman","respondentCount":234,"sharePct":100}],"validRespondentCount":234,"otherRespondentCount":0}],
		"combinations":[],"relationshipCount":0,"dependencyCount":null,"functionalDependencies":[],"dependencyDiscovery":{},"warnings":["x"],"rowCount":240,"excludedRowCount":6}`
	call := func(review string) (string, error) {
		out, err := d.Prepare(json.RawMessage(`{"brief":"Nurses in Berlin","audienceCreationMode":"benchmark_depth","datasetSegmentation":` + review + `}`))
		return string(out), err
	}
	out, err := call(review)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out, "selected") || strings.Contains(out, "rowCount") || !strings.Contains(out, `"respondentCount":234`) {
		t.Error(out)
	}
	for _, other := range []string{
		strings.Replace(review, `"role"`, `"rule"`, 1),
		strings.Replace(review, `"warnings"`, `"rows"`, 1),
	} {
		if _, err := call(other); err == nil {
			t.Errorf("a field that nobody knows is taken: %s", other)
		}
	}
}
