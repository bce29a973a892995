//go:build conformance

package conformance

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/test/e2e/gateway"
)

func text(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A handler that panics gives a refusal with a request id and nothing of the
// inside; one that never looks at its deadline is left behind in time; the next
// request is fine.
func TestBrokenHandlers(t *testing.T) {
	t.Parallel()
	url := served(t).URL
	out, refused := call(t, url, ownerKey, "test_panic", `{}`)
	said := text(t, out)
	if !refused || code(out) != "INTERNAL_ERROR" || !strings.Contains(said, "requestId") || strings.Contains(said, "the fixture panics") || strings.Contains(said, ".go") {
		t.Errorf("panic: %s", said)
	}
	began := time.Now()
	out, refused = call(t, url, ownerKey, "test_stuck", `{}`)
	if took := time.Since(began); took > 28*time.Second || took < 20*time.Second {
		t.Errorf("a stuck handler is left after %s", took)
	}
	if !refused || code(out) != "DEADLINE_EXCEEDED" {
		t.Errorf("stuck: %v", out)
	}
	if out, refused := call(t, url, ownerKey, "list_studies", `{}`); refused {
		t.Errorf("the next request: %v", out)
	}
}

// What is made to cost much is refused at once.
func TestCostlyBodies(t *testing.T) {
	url := served(t).URL
	many := make([]string, 200_000)
	for i := range many {
		many[i] = fmt.Sprintf(`"k%d":%d`, i, i)
	}
	for what, body := range map[string]string{
		"lists of 10,000 levels":            strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"objects of 10,000 levels":          strings.Repeat(`{"a":`, 10_000) + "1" + strings.Repeat("}", 10_000),
		"a key twice":                       `{"jsonrpc":"2.0","id":1,"method":"ping","id":2}`,
		"a key twice, written as an escape": `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_studies","arguments":{"limit":1,"\u006cimit":2}}}`,
		"200,000 keys, one twice":           `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + strings.Join(many, ",") + `,"k7":1}}`,
		"a number of the size of a book":    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":` + strings.Repeat("9", 100_000) + `}}`,
	} {
		t.Run(what, func(t *testing.T) {
			best := time.Hour
			for range 3 { // the machine may be busy; the request is not slow by itself
				began := time.Now()
				if a := post(t, url, body); a.status != 400 || a.at(t, "error") == nil {
					t.Fatalf("%d %.200s", a.status, a.body)
				}
				best = min(best, time.Since(began))
			}
			limit := 50 * time.Millisecond
			if len(body) > 1<<20 {
				limit = 250 * time.Millisecond
			}
			if best > limit {
				t.Errorf("took %s", best)
			}
		})
	}
}

// The list is the same bytes on every call, with every name folded, and after a
// restart, while others call.
func TestSameList(t *testing.T) {
	s := served(t)
	list := func() string {
		return post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, "Mcp-Protocol-Version: 2025-11-25").body
	}
	want := list()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for range 20 {
				if got := list(); got != want {
					t.Errorf("another list: %.300s", got)
					return
				}
				call(t, s.URL, ownerKey, "list_studies", `{}`)
			}
		})
	}
	wg.Wait()
	if err := s.Stop(t); err != nil {
		t.Fatal(err)
	}
	again := gateway.Start(t, s.Dir, s.Addr, ownerKey, "MINDGATE_FIXTURES=1", "MINDGATE_PUBLIC_URL="+publicURL)
	if got := list(); got != want {
		t.Errorf("another list after the restart of %s: %.300s", again.URL, got)
	}
}

// The fixtures are there only where the variable asks for them.
func TestNoFixturesUnasked(t *testing.T) {
	for _, value := range []string{"", "0", "true"} {
		s := gateway.Start(t, t.TempDir(), gateway.FreeAddress(t), ownerKey, "MINDGATE_FIXTURES="+value)
		a := post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		if strings.Contains(a.body, "test_") || strings.Contains(a.body, "fixture_") {
			t.Errorf("MINDGATE_FIXTURES=%q lists fixtures", value)
		}
		for _, name := range []string{"test_simple_text", "fixture_start", "test_hidden", "test_panic"} {
			a := post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+name+`","arguments":{}}}`)
			if a.at(t, "error", "code") != float64(-32602) {
				t.Errorf("MINDGATE_FIXTURES=%q: %s answers %s", value, name, a.body)
			}
		}
		for method, params := range map[string]string{"prompts/get": `{"name":"test_simple_prompt"}`, "resources/read": `{"uri":"test://static-text"}`} {
			a := post(t, s.URL, `{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`)
			if a.at(t, "error", "code") != float64(-32602) {
				t.Errorf("MINDGATE_FIXTURES=%q: %s answers %s", value, method, a.body)
			}
		}
	}
}
