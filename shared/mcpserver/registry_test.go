package mcpserver

import (
	"encoding/json"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// The registry file keeps the rules of its schema (2025-12-11), names no header
// that the server does not read, and no package that is not published.
func TestRegistryFile(t *testing.T) {
	raw, err := os.ReadFile("../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	type input struct {
		Description, Value, Default string
		Choices                     []string
		IsSecret                    bool
	}
	var f struct {
		Schema                            string `json:"$schema"`
		Name, Title, Description, Version string
		Repository                        struct{ URL, Source string }
		Packages                          []any
		Remotes                           []struct {
			Type, URL string
			Variables map[string]input
			Headers   []struct {
				input
				Name      string
				Variables map[string]input
			}
		}
	}
	if err := json.Unmarshal(raw, &f); err != nil {
		t.Fatal(err)
	}
	if f.Schema != "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json" || f.Title == "" || len(f.Description) == 0 || len(f.Description) > 100 {
		t.Errorf("%+v", f)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(f.Name) || !strings.HasPrefix(metaUntrusted, strings.Split(f.Name, "/")[0]+"/") {
		t.Errorf("name %q", f.Name)
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(f.Version) || f.Repository.URL == "" || f.Repository.Source != "github" || len(f.Packages) > 0 {
		t.Errorf("%q %+v", f.Version, f.Repository)
	}
	variable := regexp.MustCompile(`\{([a-z_]+)\}`)
	known := map[string]bool{"Authorization": true}
	for _, h := range []string{headerAreas, headerTools, headerExclude, headerReadOnly, headerFind, headerNames} {
		known[h] = true
	}
	for _, r := range f.Remotes {
		if r.Type != "streamable-http" || !regexp.MustCompile(`^https?://[^\s]+/mcp$`).MatchString(r.URL) {
			t.Errorf("%s %s", r.Type, r.URL)
		}
		for _, v := range variable.FindAllStringSubmatch(r.URL, -1) {
			if _, ok := r.Variables[v[1]]; !ok {
				t.Errorf("%s: no variable %s", r.URL, v[1])
			}
		}
		for _, h := range r.Headers {
			if !known[http.CanonicalHeaderKey(h.Name)] {
				t.Errorf("the server does not read %s", h.Name)
			}
			for _, v := range variable.FindAllStringSubmatch(h.Value, -1) {
				if in, ok := h.Variables[v[1]]; !ok || !in.IsSecret {
					t.Errorf("%s: no secret variable %s", h.Name, v[1])
				}
			}
			if http.CanonicalHeaderKey(h.Name) == headerAreas {
				for _, a := range catalog.Minds().Areas() {
					if !strings.Contains(h.Description, a) {
						t.Errorf("area %s is not named", a)
					}
				}
			}
		}
	}
	if len(f.Remotes) == 0 {
		t.Error("no remote")
	}
}
