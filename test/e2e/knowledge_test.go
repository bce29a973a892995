package e2e

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// A real report and a web page are given to a Mind; asked what only the report
// says it answers with the passage and its source, and asked what nothing says it
// says so. Every answer is held to its shape in the contract.
func TestKnowledgeFromFileAndPage(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "clone", "includeWebSearch": false, "personaContext": "Age: 34\nGender: Female"}).Text("data", "id")
	ready(t, s, mind)
	at := "/api/v1/minds/" + mind + "/knowledge"

	report, err := os.ReadFile("../../shared/extract/testdata/report.pdf")
	if err != nil {
		t.Fatal(err)
	}
	body, kind := upload(t, "report.pdf", string(report))
	pdf := s.Must(t, 202, "POST", at, body, "Content-Type", kind)
	gateway.Shape(t, "addMindKnowledge", pdf)
	page := s.Must(t, 202, "POST", at, fields{"link": site.URL + "/profile", "description": "The grill cook"})
	gateway.Shape(t, "addMindKnowledge", page)
	note := s.Must(t, 202, "POST", at, fields{"text": "I always rest the meat for five minutes."})
	gateway.Shape(t, "addMindKnowledge", note)
	for _, item := range []gateway.Answer{pdf, page, note} {
		known(t, s, at, item.Text("data", "id"), "completed")
	}
	gone := s.Must(t, 202, "POST", at, fields{"link": site.URL + "/nowhere"})
	if problem := known(t, s, at, gone.Text("data", "id"), "failed").Text("data", "error"); !strings.Contains(problem, "404") {
		t.Errorf("a page that is not there: %q", problem)
	}

	c := s.MCP(t)
	says := c.Must(t, "chat_with_mind", fields{"mindId": mind, "message": "What was the difference between efficient and inefficient offices?", "sourcePolicy": "knowledge_only"})
	if text := string(says.Body); !strings.Contains(text, "12 euros") || !strings.Contains(text, "report.pdf") || !strings.Contains(text, pdf.Text("data", "id")) {
		t.Errorf("what only the report says: %s", text)
	}
	unknown := c.Must(t, "chat_with_mind", fields{"mindId": mind, "message": "Which submarine won the chess championship of Venus?", "sourcePolicy": "knowledge_only"})
	if text := string(unknown.Body); !strings.Contains(text, `"fallback":true`) {
		t.Errorf("what nothing says (M-27): %s", text)
	}

	grouped := s.Must(t, 200, "GET", at+"/patterns", nil)
	gateway.Shape(t, "getMindKnowledgePatterns", grouped)
	if n, _ := grouped.At("data", "totalPatterns").(float64); n == 0 {
		t.Errorf("no pattern in a page of first-person statements: %s", grouped.Body)
	}
	list := s.Must(t, 200, "GET", at+"?limit=2", nil)
	gateway.Shape(t, "listMindKnowledge", list)
	if list.At("data", "total") != 4.0 || list.At("data", "pagination", "nextOffset") != 2.0 {
		t.Errorf("M-270: %s", list.Body)
	}
	item := at + "/" + pdf.Text("data", "id")
	named := s.Must(t, 200, "PUT", item, fields{"description": "Energy report"})
	gateway.Shape(t, "updateMindKnowledgeItem", named)
	s.Must(t, 400, "PUT", item, fields{"description": " "})
	s.Must(t, 400, "PUT", item, fields{"description": "x", "link": "https://example.com"})

	s.Must(t, 204, "DELETE", item, nil)
	s.Must(t, 404, "DELETE", item, nil)
	s.Must(t, 404, "GET", item+"/status", nil)
	says = c.Must(t, "chat_with_mind", fields{"mindId": mind, "message": "What was the difference between efficient and inefficient offices?", "sourcePolicy": "knowledge_only"})
	if strings.Contains(string(says.Body), "12 euros") {
		t.Errorf("a deleted report still speaks: %s", says.Body)
	}

	plain := s.Must(t, 202, "POST", at+"/enrich", fields{"keywords": strings.Split(strings.Repeat("a topic,", 20)+"another", ",")})
	gateway.Shape(t, "enrichMindKnowledge", plain)
	if plain.At("data", "queued") != false || !strings.Contains(plain.Text("data", "message"), "no search engine") {
		t.Errorf("without a search engine (M-281): %s", plain.Body)
	}
	for name, bad := range map[string]any{
		"private address": fields{"link": "http://127.0.0.1:1/x"}, "metadata": fields{"link": "http://169.254.169.254/"}, "file over http": fields{"file": fields{"name": "a.pdf", "url": "http://example.com/a.pdf"}},
		"a data address": fields{"file": fields{"name": "a.txt", "url": "data:text/plain,hello"}}, "two sources": fields{"link": "https://example.com", "keywords": []string{"a"}},
		"nothing": fields{}, "no keyword": fields{"keywords": []string{" "}}, "not ours": fields{"unknown": 1},
	} {
		if a := s.Must(t, 400, "POST", at, bad); a.Text("data", "code") != "UNSAFE_URL" && a.Text("data", "code") != "VALIDATION" {
			t.Errorf("%s: %s", name, a.Body)
		}
	}
	s.Must(t, 404, "POST", "/api/v1/minds/550e8400-e29b-41d4-a716-446655440000/knowledge", fields{"link": "https://example.com"})
}

// known waits until an item is done, and tells how.
func known(t *testing.T, s *gateway.Server, at, item, want string) gateway.Answer {
	t.Helper()
	var a gateway.Answer
	gateway.Eventually(t, patience, "knowledge item "+item, func() bool {
		a = s.Must(t, 200, "GET", at+"/"+item+"/status", nil)
		gateway.Shape(t, "getMindKnowledgeItemStatus", a)
		return a.Text("data", "status") == "completed" || a.Text("data", "status") == "failed"
	})
	if a.Text("data", "status") != want {
		t.Fatalf("want %s: %s", want, a.Body)
	}
	return a
}

// An upload: an address, the file, and the path in place of a web address.
func TestUploadAndUse(t *testing.T) {
	s := start(t)
	mind := s.Must(t, 201, "POST", "/api/v1/minds", fields{"name": "Ada", "mode": "manual"}).Text("data", "id")
	at := "/api/v1/minds/" + mind + "/knowledge"
	up := s.Must(t, 201, "POST", "/api/v1/uploads", fields{"name": "notes.md", "folder": "context", "sizeBytes": 12})
	gateway.Shape(t, "createUpload", up)
	use := fields{"file": fields{"name": "notes.md", "url": up.Text("data", "path")}}
	s.Must(t, 404, "POST", at, use)
	put := func(body string) int {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPut, up.Text("data", "uploadUrl"), strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		_ = res.Body.Close()
		return res.StatusCode
	}
	if got := put("Tea before noon"); got != 400 {
		t.Errorf("more than was announced: %d", got)
	}
	if got := put("I drink tea."); got != 204 {
		t.Fatalf("%d", got)
	}
	if got := get(t, up.Text("data", "readUrl")); string(got.body) != "I drink tea." {
		t.Errorf("read back: %d %q", got.status, got.body)
	}
	item := s.Must(t, 202, "POST", at, use)
	known(t, s, at, item.Text("data", "id"), "completed")
	s.Must(t, 413, "POST", "/api/v1/uploads", fields{"name": "a.pdf", "folder": "chat", "sizeBytes": 50<<20 + 1})
	s.Must(t, 400, "POST", "/api/v1/uploads", fields{"name": "a.pdf", "folder": "etc"})
}
