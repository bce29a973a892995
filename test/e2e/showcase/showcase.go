// Package showcase is what the knowledge of a Mind is for, as a test that every
// way in can take: given a report and a page, a Mind answers what only they say
// with the passage, its place and its source, and says so when they do not tell.
package showcase

import (
	_ "embed" // the report and the page
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

// Report is a report of four pages that a word processor has written, and Page
// one of a web site, with its menu. testdata/report.html is what the report was
// written from.
var (
	//go:embed testdata/report.pdf
	Report []byte
	//go:embed testdata/page.html
	Page []byte
)

// Patience is how long an ingestion may take on a busy machine.
const Patience = 40 * time.Second

// Source is an item of knowledge by its id and by what answers call it.
type Source struct{ Item, Name string }

// Hold asks, under the policy knowledge_only, and holds the answers to what the
// report and the page say. ask gives a reply with content and metadata.
func Hold(t testing.TB, report, page Source, ask func(message string) gateway.Answer) {
	t.Helper()
	for _, q := range []struct {
		question, says, where string
		source                Source
	}{
		{"How many times was the carpet cleaner lent?", "418 times", "page 2", report},
		{"What did a repair cost in spare parts on average?", "4.70 euros", "page 3", report},
		{"Where does the library of things move next year?", "old signal box", "page 4", report},
		{"What does a borrower bring for the Saturday shift?", "brings cake", "", page},
	} {
		a := ask(q.question)
		cited, _ := a.At("metadata", "citations").([]any)
		if len(cited) == 0 {
			t.Errorf("%s: no source: %s", q.question, a.Body)
			continue
		}
		c, _ := cited[0].(map[string]any)
		first := gateway.Answer{JSON: c}
		said := a.Text("content")
		if !strings.Contains(said, q.says) || !strings.Contains(said, q.source.Name) || !strings.Contains(said, q.where) {
			t.Errorf("%s: want %q from %s, %s: %q", q.question, q.says, q.source.Name, q.where, said)
		}
		if first.Text("sourceId") != q.source.Item || first.Text("source") != q.source.Name || first.Text("where") != q.where || !strings.Contains(first.Text("quote"), q.says) {
			t.Errorf("%s: cited %v", q.question, c)
		}
		if a.Text("metadata", "evidenceState") != "stated" || a.At("metadata", "answerProvenance", "unsupported") != false {
			t.Errorf("%s: %s", q.question, a.Body)
		}
	}
	for _, q := range []string{
		"Which submarine won the chess championship of Venus?",
		"How much does a monthly tram ticket cost?",
		"How many times was the lawn mower lent?", // near to what it says, and not in it
	} {
		a := ask(q)
		cited, _ := a.At("metadata", "citations").([]any)
		if len(cited) > 0 || a.Text("content") == "" || a.Text("metadata", "evidenceState") != "unsupported" || a.At("metadata", "knowledgeRetrieval", "fallback") != true {
			t.Errorf("%s: what nothing tells (M-27): %s", q, a.Body)
		}
	}
}

// Uploaded gives a Mind the report and the page over REST, one in a form with the
// file in it, the other by the path of an upload, and waits until both are known.
func Uploaded(t testing.TB, s *gateway.Server, mind string) (report, page Source) {
	t.Helper()
	at := "/api/v1/minds/" + mind + "/knowledge"
	body, kind := gateway.Form(t, "report.pdf", Report)
	report = Source{s.Must(t, 202, "POST", at, body, "Content-Type", kind).Text("data", "id"), "report.pdf"}

	up := s.Must(t, 201, "POST", "/api/v1/uploads", map[string]any{"name": "page.html", "folder": "context", "type": "text/html", "sizeBytes": len(Page)})
	if status := gateway.Put(t, up.Text("data", "uploadUrl"), Page); status/100 != 2 {
		t.Fatalf("the upload of the page: %d", status)
	}
	page = Source{s.Must(t, 202, "POST", at, map[string]any{"file": map[string]any{"name": "page.html", "url": up.Text("data", "path")}}).Text("data", "id"), "page.html"}
	for _, item := range []Source{report, page} {
		Known(t, item.Name, func() gateway.Answer {
			return s.Must(t, 200, "GET", at+"/"+item.Item+"/status", nil)
		}, "data")
	}
	return report, page
}

// Known waits until an item can be found; status asks for its state, which lies
// at path.
func Known(t testing.TB, name string, status func() gateway.Answer, path ...string) {
	t.Helper()
	gateway.Eventually(t, Patience, "reading "+name, func() bool {
		a := status()
		if strings.Contains(string(a.Body), `"failed"`) {
			t.Fatalf("%s: %s", name, a.Body)
		}
		return a.At(append(path, "readyForRetrieval")...) == true
	})
}

// Linked gives a Mind the report and the page by their addresses over MCP, and
// waits until both are known.
func Linked(t testing.TB, c *gateway.Client, mind, site string) (report, page Source) {
	t.Helper()
	give := func(link, name string) Source {
		a := c.Must(t, "manage_mind_knowledge", map[string]any{"action": "add", "mindId": mind, "link": link, "description": name})
		return Source{a.Text("data", "item", "id"), name}
	}
	report, page = give(site+"/report.pdf", "The report of the library"), give(site+"/page.html", "The notes of the librarian")
	for _, item := range []Source{report, page} {
		Known(t, item.Name, func() gateway.Answer {
			return c.Must(t, "manage_mind_knowledge", map[string]any{"action": "status", "mindId": mind, "itemId": item.Item}).Answer
		}, "data")
	}
	return report, page
}

// OverREST asks a Mind through the completion endpoint, OverMCP through its tool.
func OverREST(t testing.TB, s *gateway.Server, mind string) func(string) gateway.Answer {
	return func(message string) gateway.Answer {
		t.Helper()
		return s.Must(t, 200, "POST", "/api/v1/minds/"+mind+"/completion", map[string]any{
			"messages": []map[string]any{{"role": "user", "content": message}}, "sourcePolicy": "knowledge_only"})
	}
}

// OverMCP is OverREST for chat_with_mind.
func OverMCP(t testing.TB, c *gateway.Client, mind string) func(string) gateway.Answer {
	return func(message string) gateway.Answer {
		t.Helper()
		return c.Must(t, "chat_with_mind", map[string]any{"mindId": mind, "message": message, "sourcePolicy": "knowledge_only"}).Answer
	}
}

// Made makes a Mind over REST, MadeOverMCP over MCP, and waits until it can chat.
func Made(t testing.TB, s *gateway.Server) string {
	t.Helper()
	mind := s.Must(t, 201, "POST", "/api/v1/minds", persona(t)).Text("data", "id")
	gateway.Eventually(t, Patience, "training", func() bool {
		return s.Must(t, 200, "GET", "/api/v1/minds/"+mind+"/training", nil).At("readyToChat") == true
	})
	return mind
}

// MadeOverMCP is Made over MCP.
func MadeOverMCP(t testing.TB, c *gateway.Client) string {
	t.Helper()
	mind := c.Must(t, "create_mind", persona(t)).Text("mind", "id")
	gateway.Eventually(t, Patience, "training", func() bool {
		return c.Must(t, "get_mind_status", map[string]any{"mindId": mind}).At("training", "readyToChat") == true
	})
	return mind
}

// persona has a name of its own for each test: the same request within ten seconds
// is taken for a repetition (M-91).
func persona(t testing.TB) map[string]any {
	return map[string]any{"name": "Librarian of " + t.Name(), "mode": "clone", "includeWebSearch": false, "personaContext": "Age: 52\nGender: Female"}
}
