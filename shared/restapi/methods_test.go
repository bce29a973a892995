package restapi

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// M-200: experimental methods are listed either way, and only executable ones
// promise a run.
func TestResearchMethodsOverREST(t *testing.T) {
	for name, query := range map[string]map[string]any{"left out": {}, "with planned": {"includePlanned": true}, "without": {"includePlanned": false}} {
		got, err := listResearchMethods(context.Background(), &call{query: query})
		if err != nil || got.status != http.StatusOK || got.header.Get("Cache-Control") != "private, max-age=60" {
			t.Fatalf("%s: %d %v %v", name, got.status, got.header, err)
		}
		raw, err := json.Marshal(got.body)
		if err != nil {
			t.Fatal(err)
		}
		var page struct {
			CatalogVersion string
			Data           []struct {
				ID           string
				Executable   bool
				Availability string
			}
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			t.Fatal(err)
		}
		if len(page.Data) != 17 || page.CatalogVersion == "" {
			t.Errorf("%s: %d methods of version %q", name, len(page.Data), page.CatalogVersion)
		}
		for _, m := range page.Data {
			experimental := slices.Contains([]string{"visual-asset-analysis", "recommendation-synthesis"}, m.ID)
			if m.Executable == experimental || (m.Availability == "experimental") != experimental {
				t.Errorf("%s: %+v", name, m)
			}
		}
	}
}
