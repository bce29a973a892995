package websearch_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/websearch"
	"github.com/mindgate-dev/mindgate/shared/websearch/searchtest"
)

var engines = []string{"brave", "tavily", "searxng"}

func open(t *testing.T, c websearch.Config, h http.Handler) websearch.Provider {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	guard, err := fetch.NewGuard(fetch.Options{Allow: []string{srv.Listener.Addr().String()}})
	if err != nil {
		t.Fatal(err)
	}
	c.Endpoint = srv.URL
	p, err := websearch.Open(c, guard, clock.Hold(time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func config(engine string) websearch.Config { return (&searchtest.Engine{Provider: engine}).Config("") }

func TestSearch(t *testing.T) {
	for _, name := range engines {
		e := &searchtest.Engine{Provider: name, Results: []websearch.Result{
			{Title: "First <strong>find</strong> &amp; more", URL: "https://www.example.com/a", Snippet: "<p>One.</p><p>Two\u200b\u202e &lt;b&gt;</p><script>x()</script>", Published: "2025-06-01T00:00:00"},
			{Title: "inside", URL: "http://169.254.169.254/latest/meta-data/"},
			{Title: "local", URL: "http://localhost/x"},
			{Title: "file", URL: "file:///etc/passwd"},
			{Title: "no address", URL: ""},
			{Title: "again", URL: "https://www.example.com/a"},
			{Title: "\U000e0041\U000e0042", URL: "https://www.example.com/b", Snippet: strings.Repeat("word ", 400)},
			{Title: "Third", URL: "http://www.example.com/c"},
		}}
		p := open(t, e.Config(""), e)
		found, err := p.Search(t.Context(), "  tea\u200b  in\nBerlin ", 20)
		if err != nil {
			t.Fatal(name, err)
		}
		if p.Name() != name || len(found) != 3 || e.Queries()[0] != "tea in Berlin" {
			t.Fatalf("%s: %d results for %q: %+v", name, len(found), e.Queries(), found)
		}
		want := websearch.Result{Title: "First find & more", URL: "https://www.example.com/a", Snippet: "One. Two ‹b›", Published: "2025-06-01T00:00:00"}
		if found[0] != want {
			t.Errorf("%s: %+v", name, found[0])
		}
		if found[1].Title != found[1].URL || len(found[1].Snippet) > 600 || !strings.HasSuffix(found[1].Snippet, "word") {
			t.Errorf("%s: %+v", name, found[1])
		}
		if few, err := p.Search(t.Context(), "tea", 1); err != nil || len(few) != 1 {
			t.Errorf("%s: %d results, %v", name, len(few), err)
		}
	}
}

// No result is an answer, not a failure.
func TestNothingFound(t *testing.T) {
	for _, name := range engines {
		e := &searchtest.Engine{Provider: name}
		if found, err := open(t, e.Config(""), e).Search(t.Context(), "tea", 5); err != nil || len(found) != 0 {
			t.Errorf("%s: %v, %v", name, found, err)
		}
	}
}

func TestLongQueries(t *testing.T) {
	for _, name := range engines {
		e := &searchtest.Engine{Provider: name}
		p := open(t, e.Config(""), e)
		for _, q := range []string{strings.Repeat("tea ", 300), strings.Repeat("茶", 500), strings.Repeat("🍵 ", 500)} {
			if _, err := p.Search(t.Context(), q, 5); err != nil {
				t.Errorf("%s: %.12s…: %v", name, q, err)
			}
		}
		for _, q := range e.Queries() {
			if n := len([]rune(q)); n > websearch.MaxQuery || n < 50 {
				t.Errorf("%s: asked %d characters", name, n)
			}
		}
		var failed *websearch.Error
		if _, err := p.Search(t.Context(), " \u200b ", 5); !errors.As(err, &failed) || failed.Kind != websearch.Invalid {
			t.Errorf("%s: an empty query: %v", name, err)
		}
	}
}

func TestFailures(t *testing.T) {
	status := func(code int, body string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			for i := 0; i < len(header); i += 2 {
				w.Header().Set(header[i], header[i+1])
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	for _, c := range []struct {
		name   string
		engine string // "" is all
		h      http.HandlerFunc
		kind   websearch.Kind
		wait   time.Duration
	}{
		{"a bad key", "brave", status(422, `{"type":"ErrorResponse","error":{"code":"SUBSCRIPTION_TOKEN_INVALID"}}`), websearch.Auth, 0},
		{"a bad query", "brave", status(422, `{"error":{"code":"VALIDATION"}}`), websearch.Invalid, 0},
		{"a bad key", "tavily", status(401, `{"detail":{"error":"Unauthorized"}}`), websearch.Auth, 0},
		{"the plan used up", "tavily", status(432, `{}`), websearch.Quota, 0},
		{"no JSON here", "searxng", status(403, ``), websearch.Unavailable, 0},
		{"too many", "", status(429, ``, "Retry-After", "30"), websearch.Quota, 30 * time.Second},
		{"too many until a date", "", status(429, ``, "Retry-After", "Sun, 01 Mar 2026 12:02:00 GMT"), websearch.Quota, 2 * time.Minute},
		{"too many, long past", "", status(429, ``, "Retry-After", "Sun, 01 Mar 2020 12:02:00 GMT"), websearch.Quota, 0},
		{"too many for years", "", status(429, ``, "Retry-After", "999999999"), websearch.Quota, 24 * time.Hour},
		{"too many, by the window", "brave", status(429, ``, "X-RateLimit-Reset", "1, 1419704"), websearch.Quota, time.Second},
		{"busy", "", status(503, ``, "Retry-After", "5"), websearch.Unavailable, 5 * time.Second},
		{"a redirect", "", status(302, ``, "Location", "https://www.example.com/"), websearch.Unavailable, 0},
		{"no JSON", "", status(200, `<html>Please log in`), websearch.Malformed, 0},
		{"another shape", "", status(200, `{"message":"hello"}`), websearch.Malformed, 0},
		{"a list", "", status(200, `[]`), websearch.Malformed, 0},
		{"cut off", "", status(200, `{"results":[{"title":"a`), websearch.Malformed, 0},
		{"endless", "", func(w http.ResponseWriter, _ *http.Request) {
			b := []byte(strings.Repeat(" ", 64<<10))
			for {
				if _, err := w.Write(b); err != nil {
					return
				}
			}
		}, websearch.Malformed, 0},
		{"another compression", "", status(200, `x`, "Content-Encoding", "br"), websearch.Malformed, 0},
		{"no answer", "", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, websearch.Unavailable, 0},
	} {
		for _, name := range engines {
			if c.engine != "" && c.engine != name {
				continue
			}
			_, err := open(t, config(name), c.h).Search(t.Context(), "tea", 5)
			var failed *websearch.Error
			if !errors.As(err, &failed) || failed.Kind != c.kind || failed.RetryAfter != c.wait || failed.Provider != name {
				t.Errorf("%s of %s: %#v", c.name, name, err)
				continue
			}
			if failed.Message == "" || strings.Contains(failed.Error(), searchtest.Key) || strings.Contains(failed.Error(), "127.0.0.1") {
				t.Errorf("%s of %s says %q", c.name, name, failed.Message)
			}
			if cause := errors.Unwrap(err); cause != nil && strings.Contains(cause.Error(), searchtest.Key) {
				t.Errorf("%s of %s logs the key", c.name, name)
			}
		}
	}
}

func TestCallerLeaves(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p := open(t, config("tavily"), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // only then does a server notice who leaves
		cancel()
		<-r.Context().Done()
	}))
	if _, err := p.Search(ctx, "tea", 5); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}

// The key may be read late, once, and again only after a failure.
func TestKeyFrom(t *testing.T) {
	e := &searchtest.Engine{Provider: "tavily"}
	reads := 0
	c := websearch.Config{Provider: "tavily", KeyFrom: func(context.Context) (string, error) {
		if reads++; reads == 1 {
			return "", errors.New("no secret yet")
		}
		return searchtest.Key + "\n", nil
	}}
	p := open(t, c, e)
	var failed *websearch.Error
	if _, err := p.Search(t.Context(), "tea", 1); !errors.As(err, &failed) || failed.Kind != websearch.Unavailable {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := p.Search(t.Context(), "tea", 1); err != nil {
			t.Fatal(err)
		}
	}
	if reads != 2 {
		t.Errorf("read %d times", reads)
	}
}

func TestOpen(t *testing.T) {
	guard, err := fetch.NewGuard(fetch.Options{Allow: []string{"127.0.0.1:8888"}})
	if err != nil {
		t.Fatal(err)
	}
	if p, err := websearch.Open(websearch.Config{}, guard, clock.System{}); p != nil || err != nil {
		t.Fatalf("without a configuration: %v, %v", p, err)
	}
	for _, c := range []struct {
		c    websearch.Config
		says string // "" is fine
	}{
		{websearch.Config{Provider: "brave", Key: "k"}, ""},
		{websearch.Config{Provider: "tavily", Key: "k"}, ""},
		{websearch.Config{Provider: "searxng", Endpoint: "https://search.example.com/"}, ""},
		{websearch.Config{Provider: "searxng", Endpoint: "http://127.0.0.1:8888"}, ""},
		{websearch.Config{Provider: "searxng", Endpoint: "http://127.0.0.1:8889"}, "MINDGATE_FETCH_ALLOW"},
		{websearch.Config{Provider: "searxng", Endpoint: "http://search.internal"}, "MINDGATE_SEARCH_ENDPOINT"},
		{websearch.Config{Provider: "searxng", Endpoint: "https://search.example.com/?q="}, "MINDGATE_SEARCH_ENDPOINT"},
		{websearch.Config{Provider: "searxng"}, "MINDGATE_SEARCH_ENDPOINT"},
		{websearch.Config{Provider: "brave"}, "MINDGATE_SEARCH_KEY"},
		{websearch.Config{Provider: "bing", Key: "k"}, "MINDGATE_SEARCH_PROVIDER"},
		{websearch.Config{Key: "secret"}, "MINDGATE_SEARCH_PROVIDER"},
	} {
		p, err := websearch.Open(c.c, guard, clock.System{})
		if c.says == "" && (err != nil || p == nil) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%+v: %v, %v", c.c, p, err)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	for _, s := range []string{`{"results":[{"title":"<b>a","url":"https://www.example.com/","content":"&#0;"}]}`, `{"web":{"results":[{"url":"http://[::1]"}]},"type":"search"}`, `{"results":null}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		guard, err := fetch.NewGuard(fetch.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range engines {
			for _, r := range websearch.Read(name, []byte(answer), guard) {
				if guard.CheckAddress(r.URL, fetch.Page) != nil || r.Title == "" || strings.ContainsAny(r.Title+r.Snippet, "<>") && r.Title != r.URL ||
					strings.ContainsFunc(r.Snippet, func(c rune) bool { return !unicode.IsPrint(c) }) {
					t.Fatalf("%+v", r)
				}
			}
		}
	})
}
