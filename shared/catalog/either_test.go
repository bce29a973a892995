package catalog

import (
	"strings"
	"testing"
)

// A choice of fields is told as a choice: of none given, and of two given that
// exclude each other.
func TestAChoiceOfFieldsIsToldAsOne(t *testing.T) {
	d, _ := Minds().Lookup("create_audience_from_brief")
	for args, want := range map[string]string{
		`{}`:                       "give one of operationId, brief, text",
		`{"brief":"x","text":"y"}`: "brief and text cannot be given together",
		`{"name":"x"}`:             "brief: is required",
	} {
		_, err := d.Prepare([]byte(args))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "resume") {
			t.Errorf("%s: %v", args, err)
		}
	}
}
