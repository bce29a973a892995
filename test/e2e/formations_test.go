package e2e

import (
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Formations over REST and over MCP are the same ones: proposed in JSON and line by
// line, created, sorted by the machine of the running server, read, sorted again and
// deleted; every answer is held to its shape in the contract.
func TestFormations(t *testing.T) {
	s := start(t)
	var minds []string
	for _, text := range []string{"Age: 34\nGender: Female", "Age: 61\nGender: Male", "Age: 19\nGender: Female"} {
		minds = append(minds, s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "manual", "includeWebSearch": false, "personaContext": text}).Text("data", "id"))
	}
	audience := s.Must(t, 201, "POST", "/api/v1/audiences", fields{"name": "Three", "mindIds": minds}).Text("data", "id")
	at := "/api/v1/audiences/" + audience + "/formations"

	preview := s.Must(t, 200, "POST", at+"/preview", fields{"userInput": "by gender"})
	if preview.Text("data", "phase") != "hypothesizing" || preview.At("success") != true || preview.At("data", "memberCount") != 3.0 {
		t.Errorf("%s", preview.Body)
	}
	lines := s.Must(t, 200, "POST", at+"/preview", nil, "Accept", "application/x-ndjson")
	var kinds []string
	for _, l := range strings.Split(strings.TrimSpace(string(lines.Body)), "\n") {
		for _, k := range []string{"meta", "status", "subgroups", "done", "error"} {
			if strings.Contains(l, `"type":"`+k+`"`) {
				kinds = append(kinds, k)
			}
		}
	}
	if strings.Join(kinds, " ") != "meta status subgroups done" {
		t.Errorf("lines %v: %s", kinds, lines.Body)
	}

	made := s.Must(t, 200, "POST", at, fields{"name": "By gender", "hypothesis": preview.At("data", "hypothesis")})
	gateway.Shape(t, "createFormation", made)
	id := made.Text("data", "id")
	if again := s.Must(t, 200, "POST", at, fields{"name": "By gender", "hypothesis": preview.At("data", "hypothesis")}); again.Text("data", "id") != id {
		t.Errorf("equal creates in a minute: %s", again.Body)
	}
	gateway.Eventually(t, patience, "the sort", func() bool {
		a := s.Must(t, 200, "GET", at+"/"+id, nil)
		gateway.Shape(t, "getFormation", a)
		return a.Text("data", "status") == "ready"
	})
	list := s.Must(t, 200, "GET", at+"?limit=2", nil)
	gateway.Shape(t, "listFormations", list)
	if list.At("pagination", "total") != 3.0 || list.At("pagination", "nextOffset") != 2.0 || list.At("pagination", "hasMore") != true { // with age and gender
		t.Errorf("%s", list.Body)
	}
	c := s.MCP(t)
	if both := c.Must(t, "manage_formation", fields{"action": "get", "audienceId": audience, "formationId": id}); !strings.Contains(string(both.Body), `"label":"Female"`) {
		t.Errorf("%s", both.Body)
	}
	again := s.Must(t, 200, "POST", at+"/"+id+"/recompute", nil)
	gateway.Shape(t, "recomputeFormation", again)

	one := fields{"intent": "x", "subgroups": []any{fields{"id": "a", "label": "A", "definition": "d"}}}
	two := func(id string) fields {
		return fields{"intent": "x", "subgroups": []any{fields{"id": "a", "label": "A", "definition": "d"}, fields{"id": id, "label": "B", "definition": strings.Repeat("d", 2000)}}}
	}
	for name, bad := range map[string]struct {
		body   fields
		status int
		code   string
	}{
		"one bucket":  {fields{"hypothesis": one}, 400, "INVALID_HYPOTHESIS"},
		"reserved id": {fields{"hypothesis": two("__other")}, 400, "INVALID_HYPOTHESIS"},
		"same id":     {fields{"hypothesis": two(" a")}, 400, "INVALID_HYPOTHESIS"},
		"blank id":    {fields{"hypothesis": two("")}, 400, "INVALID_HYPOTHESIS"},
		"no split":    {fields{"name": "x"}, 400, "VALIDATION"},
		"long name":   {fields{"name": strings.Repeat("n", 201), "hypothesis": two("b")}, 400, "VALIDATION"},
		"too large":   {fields{"name": strings.Repeat("n", 70_000), "hypothesis": two("b")}, 413, "PAYLOAD_TOO_LARGE"},
	} {
		if a := s.Must(t, bad.status, "POST", at, bad.body); a.Text("data", "code") != bad.code {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	if a := s.Must(t, 400, "POST", at+"/preview", fields{"userInput": strings.Repeat("x", 2001)}); a.Text("data", "code") != "VALIDATION" {
		t.Errorf("%s", a.Body)
	}
	s.Must(t, 400, "GET", at+"/none", nil)
	s.Must(t, 400, "GET", at+"?limit=101", nil)
	s.Must(t, 404, "GET", at+"/00000000-0000-4000-8000-000000000000", nil)
	s.Must(t, 404, "GET", "/api/v1/audiences/00000000-0000-4000-8000-000000000000/formations", nil)
	s.Must(t, 204, "DELETE", at+"/"+id, nil)
	gone := s.Must(t, 404, "DELETE", at+"/"+id, nil)
	if gone.Text("message") != "Formation not found" {
		t.Errorf("%s", gone.Body)
	}
}
