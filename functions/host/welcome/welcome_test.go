package welcome

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"
)

// What is to be pasted into a JSON file is JSON and holds address and key.
func TestClients(t *testing.T) {
	for _, c := range Clients("http://127.0.0.1:8080", "minds_x", Bridge("http://127.0.0.1:8080")) {
		if !strings.Contains(c.Text, "http://127.0.0.1:8080") || !strings.Contains(c.Text, "minds_x") {
			t.Errorf("%s: %s", c.Name, c.Text)
		}
		if strings.Contains(c.Text, "/mcp") && !strings.Contains(c.Text, "find_tools=true") && !strings.Contains(c.Text, "--find-tools") {
			t.Errorf("%s does not list the tool that finds the others: %s", c.Name, c.Text)
		}
		if strings.HasPrefix(c.Text, "{") && !json.Valid([]byte(c.Text)) {
			t.Errorf("%s: not JSON", c.Name)
		}
	}
}

func TestPage(t *testing.T) {
	w := httptest.NewRecorder()
	Page("https://h.example.com", "1", "mindgate key create", false).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	body := w.Body.String()
	for _, says := range []string{"https://h.example.com/mcp", "mindgate key create", "VS Code", "/openapi.json", "explicit=true in place of find_tools=true"} {
		if !strings.Contains(body, says) {
			t.Errorf("the page does not say %q", says)
		}
	}
	if strings.Contains(body, "<script") || strings.Contains(body, "src=") {
		t.Error("the page loads something")
	}
	if strings.Contains(body, "log in") || strings.Contains(body, "{{") {
		t.Error("the page offers a login that is not there, or was not filled in")
	}
}

// With an issuer the page says that a client can do without a key.
func TestPageWithIssuer(t *testing.T) {
	w := httptest.NewRecorder()
	Page("https://h.example.com", "1", "", true).ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
	for _, says := range []string{"needs no key", "An operator of this gateway makes keys."} {
		if !strings.Contains(w.Body.String(), says) {
			t.Errorf("the page does not say %q", says)
		}
	}
}
