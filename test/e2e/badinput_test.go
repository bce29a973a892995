package e2e

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Every bad input gets a clear refusal, and leaves nothing half-written.
func TestBadInputOverREST(t *testing.T) {
	s := start(t)
	const nobody = "00000000-0000-4000-8000-000000000000"
	for _, c := range []struct {
		name, method, path string
		body               any
		headers            []string
		status             int
		code, says         string
	}{
		{"no key", "GET", "/api/v1/minds", nil, []string{"Authorization", ""}, 401, "", "Unauthorized"},
		{"wrong key", "GET", "/api/v1/minds", nil, []string{"Authorization", "Bearer " + gateway.NewKey()}, 401, "", "Unauthorized"},
		{"broken JSON", "POST", "/api/v1/minds", strings.NewReader(`{"name":`), []string{"Content-Type", "application/json"}, 400, "VALIDATION", "not valid JSON"},
		{"unknown field", "POST", "/api/v1/minds", fields{"name": "Ada", "keyword": "x"}, nil, 400, "VALIDATION", `did you mean "keywords"?`},
		{"wrong type", "POST", "/api/v1/minds", fields{"name": 7}, nil, 400, "VALIDATION", "name must be a string"},
		{"blank name", "POST", "/api/v1/minds", fields{"name": "   ", "mode": "manual"}, nil, 400, "VALIDATION", "name"},
		{"blank Audience", "POST", "/api/v1/audiences", fields{"name": " "}, nil, 400, "VALIDATION", "name"},
		{"blank Study", "POST", "/api/v1/studies", fields{"name": " "}, nil, 400, "VALIDATION", "name"},
		{"no keywords", "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "keywords"}, nil, 400, "VALIDATION", "keyword"},
		{"no persona", "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "clone"}, nil, 400, "VALIDATION", "personaContext"},
		{"no link", "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "link"}, nil, 400, "VALIDATION", "contextLink"},
		{"unsafe link", "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "link", "contextLink": "http://169.254.169.254/latest"}, nil, 400, "UNSAFE_URL", ""},
		{"missing Mind", "GET", "/api/v1/minds/" + nobody, nil, nil, 404, "NOT_FOUND", "Mind"},
		{"not a UUID", "GET", "/api/v1/minds/ada", nil, nil, 400, "VALIDATION", "must be a UUID"},
		{"Audience of nobody", "POST", "/api/v1/audiences", fields{"name": "A", "mindIds": []string{nobody}}, nil, 404, "NOT_FOUND", ""},
		{"oversized", "POST", "/api/v1/minds", strings.NewReader(`{"name":"` + strings.Repeat("a", 25<<20) + `"}`), []string{"Content-Type", "application/json"}, 413, "PAYLOAD_TOO_LARGE", "25165824"},
		{"text as knowledge", "POST", "/api/v1/minds/" + nobody + "/knowledge", strings.NewReader("x"), []string{"Content-Type", "text/plain"}, 415, "UNSUPPORTED_MEDIA_TYPE", "multipart/form-data"},
		{"limit", "GET", "/api/v1/minds?limit=500", nil, nil, 400, "VALIDATION", "at most 100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := s.Must(t, c.status, c.method, c.path, c.body, c.headers...)
			if a.Text("data", "code") != c.code || !strings.Contains(a.Text("message"), c.says) {
				t.Errorf("got %s", a.Body)
			}
			if a.Header.Get("Content-Type") != "application/json" || a.At("error") != true || a.At("statusCode") != float64(c.status) {
				t.Errorf("not the envelope: %v %s", a.Header, a.Body)
			}
		})
	}
	for _, list := range []string{"minds", "audiences", "studies"} {
		if a := s.Must(t, 200, "GET", "/api/v1/"+list, nil); a.At("pagination", "total") != 0.0 {
			t.Errorf("refused calls left %s: %s", list, a.Body)
		}
	}
}

// M-3: what belongs to another tenant does not exist, with the same body.
func TestTenantsOverREST(t *testing.T) {
	s := start(t)
	other := strings.TrimSpace(command(t, s, "key", "create", "--data", s.Dir, "--account", "other"))
	auth := []string{"Authorization", "Bearer " + other}
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "manual"}).Text("data", "id")
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "A", "mindIds": []string{mind}}).Text("data", "id")
	study := s.Must(t, 201, "POST", "/api/v1/studies", fields{"name": "S", "audienceIds": []string{audience}}).Text("data", "id")
	const nobody = "00000000-0000-4000-8000-000000000000"
	for _, path := range []string{"/minds/%s", "/minds/%s/training", "/audiences/%s", "/studies/%s", "/studies/%s/analytics", "/studies/%s/runs"} {
		id := map[byte]string{'m': mind, 'a': audience, 's': study}[path[1]]
		theirs := s.Must(t, 404, "GET", "/api/v1"+strings.Replace(path, "%s", id, 1), nil, auth...)
		none := s.Must(t, 404, "GET", "/api/v1"+strings.Replace(path, "%s", nobody, 1), nil, auth...)
		if strings.ReplaceAll(string(theirs.Body), id, nobody) != string(none.Body) {
			t.Errorf("%s: another tenant's id is told apart:\n%s\n%s", path, theirs.Body, none.Body)
		}
	}
	s.Must(t, 404, "POST", "/api/v1/audiences", fields{"name": "Mine", "mindIds": []string{mind}}, auth...)
	if a := s.Must(t, 200, "GET", "/api/v1/audiences", nil, auth...); a.At("pagination", "total") != 0.0 {
		t.Errorf("an Audience was half made: %s", a.Body)
	}
}

func TestBadInputOverMCP(t *testing.T) {
	s := start(t)
	c := s.MCP(t)
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "create_minds"}); err == nil || !strings.Contains(err.Error(), "create_minds") {
		t.Errorf("unknown tool: %v", err)
	}
	for name, call := range map[string]struct {
		tool string
		args any
		code string
		says string
	}{
		"unknown field": {"create_mind", fields{"name": "Ada", "mode": "manual", "keyword": "x"}, "VALIDATION", "keyword"},
		"wrong type":    {"create_mind", fields{"name": 7, "mode": "manual"}, "VALIDATION", "name"},
		"blank name":    {"create_mind", fields{"name": "  ", "mode": "manual"}, "VALIDATION", "name"},
		"missing":       {"create_mind", fields{"name": "Ada"}, "VALIDATION", "mode"},
		"foreign id":    {"get_mind_status", fields{"mindId": "00000000-0000-4000-8000-000000000000"}, "NOT_FOUND", "Mind"},
		"not a UUID":    {"get_mind_status", fields{"mindId": "ada"}, "VALIDATION", "mindId"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.Call(t.Context(), t, call.tool, call.args)
			if !r.Refused || r.Text("error", "code") != call.code || !strings.Contains(r.Text("error", "message"), call.says) {
				t.Errorf("got %s", r.Body)
			}
		})
	}
}
