package e2e

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// A spreadsheet of respondents is sent, reviewed and reviewed again with other
// columns; what is refused is as private as what is answered.
func TestReviewOfADataSet(t *testing.T) {
	s := start(t)
	const at = "/api/v1/audiences/from-brief/segmentation-preview"
	send := func(name, content string) string {
		up := s.Must(t, 201, "POST", "/api/v1/uploads", fields{"name": name, "folder": "temp", "sizeBytes": len(content)})
		if got := gateway.Put(t, up.Text("data", "uploadUrl"), []byte(content)); got != 204 {
			t.Fatalf("upload: %d", got)
		}
		return up.Text("data", "path")
	}
	var rows strings.Builder
	rows.WriteString("sep=;\r\nRespondentID;Geschlecht;Alter;Trinken Sie Tee?\r\n")
	for i := range 120 {
		rows.WriteString(strings.Join([]string{"71" + string(rune('0'+i/100)) + string(rune('0'+i/10%10)) + string(rune('0'+i%10)), []string{"weiblich", "m\xe4nnlich"}[i%2], []string{"18-29", "30-49", "50+"}[i%3], []string{"Ja", "Nein"}[i/2%2]}, ";") + "\r\n")
	}
	file := fields{"name": "welle.csv", "url": send("welle.csv", rows.String())}
	a := s.Must(t, 200, "POST", at, fields{"file": file})
	gateway.Shape(t, "previewAudienceDatasetSegmentation", a)
	if a.At("data", "respondentCount") != 120.0 || !strings.Contains(string(a.Body), "männlich") || !strings.Contains(string(a.Body), "Windows-1252") {
		t.Errorf("%s", a.Body)
	}
	if got := a.Header.Get("Cache-Control"); got != "private, no-store" {
		t.Errorf("Cache-Control: %s", got)
	}
	again := s.Must(t, 200, "POST", at, fields{"file": file, "segmentationColumns": []string{"Alter"}})
	if chosen, _ := again.At("data", "segmentationColumns").([]any); len(chosen) != 1 || chosen[0] != "Alter" {
		t.Errorf("%s", again.Body)
	}

	for _, c := range []struct {
		status int
		code   string
		body   any
	}{
		{400, "VALIDATION", fields{"file": fields{"name": "welle.pdf", "url": file["url"]}}},
		{400, "VALIDATION", fields{"file": file, "segmentationColumns": []string{"Einkommen"}}},
		{400, "UNSAFE_URL", fields{"file": fields{"name": "welle.csv", "url": "https://169.254.169.254/welle.csv"}}},
		{400, "UNSAFE_URL", fields{"file": fields{"name": "welle.csv", "url": s.URL + "/api/v1/minds"}}},
		{403, "FORBIDDEN", fields{"file": fields{"name": "welle.csv", "url": "temp/1b4e28ba-2fa1-41d2-883f-0016d3cca427/1b4e28ba-2fa1-41d2-883f-0016d3cca427/welle.csv"}}},
		{413, "PAYLOAD_TOO_LARGE", fields{"file": file, "segmentationColumns": []string{strings.Repeat("a", 256<<10)}}},
		{413, "PAYLOAD_TOO_LARGE", fields{"file": fields{"name": "breit.csv", "url": send("breit.csv", strings.Repeat("a;", 2100)+"b\n"+strings.Repeat("1;", 2100)+"2\n")}}},
	} {
		a := s.Must(t, c.status, "POST", at, c.body)
		if a.Text("error", "code") != c.code && !strings.Contains(string(a.Body), c.code) {
			t.Errorf("want %s: %s", c.code, a.Body)
		}
		if got := a.Header.Get("Cache-Control"); got != "private, no-store" {
			t.Errorf("%s: Cache-Control: %s", c.code, got)
		}
	}
}
