// Package searchtest stands in for search engines in tests: over the wire, in
// the shape of each engine, or as a Provider that answers at once.
package searchtest

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"sync"

	"github.com/mindgate-dev/mindgate/shared/websearch"
)

// Key is the key that the stand-ins of Brave and Tavily take.
const Key = "search-key-of-a-test"

// Answers are a Provider with fixed results, by query; what "" holds answers
// every other query.
type Answers map[string][]websearch.Result

// Name is that of no engine.
func (Answers) Name() string { return "searchtest" }

// Search never fails.
func (a Answers) Search(ctx context.Context, query string, count int) ([]websearch.Result, error) {
	found, ok := a[query]
	if !ok {
		found = a[""]
	}
	return found[:min(count, len(found))], ctx.Err()
}

// Engine answers HTTP requests as one engine does. Serve it on 127.0.0.1 and
// allow its host:port.
type Engine struct {
	Provider string // brave, tavily or searxng
	Results  []websearch.Result

	mu      sync.Mutex
	queries []string
}

// Config points to the engine at url.
func (e *Engine) Config(url string) websearch.Config {
	c := websearch.Config{Provider: e.Provider, Endpoint: url}
	if e.Provider != "searxng" {
		c.Key = Key
	}
	return c
}

// Queries is what was asked so far.
func (e *Engine) Queries() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]string(nil), e.queries...)
}

func (e *Engine) asked(query string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.queries = append(e.queries, query)
}

// ServeHTTP checks the request as the engine would and answers in its shape.
func (e *Engine) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch e.Provider {
	case "brave":
		e.brave(w, r)
	case "tavily":
		e.tavily(w, r)
	default:
		e.searxng(w, r)
	}
}

type object = map[string]any

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

func (e *Engine) brave(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	count, err := strconv.Atoi(q.Get("count"))
	failure := func(code string) {
		reply(w, http.StatusUnprocessableEntity, object{"type": "ErrorResponse", "error": object{"status": 422, "code": code, "detail": code}, "time": 1})
	}
	switch {
	case r.Header.Get("X-Subscription-Token") != Key:
		failure("SUBSCRIPTION_TOKEN_INVALID")
		return
	case r.Method != http.MethodGet || q.Get("q") == "" || err != nil || count < 1 || count > 20:
		failure("VALIDATION")
		return
	}
	e.asked(q.Get("q"))
	answer := object{"type": "search", "query": object{"original": q.Get("q"), "more_results_available": false}}
	if len(e.Results) > 0 {
		list := []object{}
		for _, res := range e.Results[:min(count, len(e.Results))] {
			list = append(list, object{
				"title": res.Title, "url": res.URL, "description": res.Snippet, "page_age": res.Published, "is_source_local": false,
				"profile": object{"name": "x"}, "type": "search_result", "subtype": "generic", "language": "en", "family_friendly": true,
			})
		}
		answer["web"] = object{"type": "search", "results": list, "family_friendly": true}
	}
	reply(w, http.StatusOK, answer)
}

func (e *Engine) tavily(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Query      string `json:"query"`
		MaxResults int    `json:"max_results"`
	}
	switch err := json.NewDecoder(r.Body).Decode(&in); {
	case r.Header.Get("Authorization") != "Bearer "+Key:
		reply(w, http.StatusUnauthorized, object{"detail": object{"error": "Unauthorized: missing or invalid API key."}})
		return
	case err != nil || r.Method != http.MethodPost || in.Query == "" || in.MaxResults < 0 || in.MaxResults > 20:
		reply(w, http.StatusBadRequest, object{"detail": object{"error": "Invalid request."}})
		return
	}
	e.asked(in.Query)
	list := []object{}
	for i, res := range e.Results[:min(in.MaxResults, len(e.Results))] {
		list = append(list, object{"title": res.Title, "url": res.URL, "content": res.Snippet, "published_date": res.Published, "score": 1 / float64(i+1), "raw_content": nil})
	}
	reply(w, http.StatusOK, object{"query": in.Query, "answer": nil, "images": []any{}, "results": list, "response_time": 0.1, "request_id": "x"})
}

// searxng knows no count: it gives a page of what it has.
func (e *Engine) searxng(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.URL.Path != "/search":
		http.NotFound(w, r)
		return
	case r.FormValue("format") != "json":
		w.WriteHeader(http.StatusForbidden)
		return
	case r.FormValue("q") == "":
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	e.asked(r.FormValue("q"))
	list := []object{}
	for _, res := range e.Results {
		list = append(list, object{
			"title": res.Title, "url": res.URL, "content": res.Snippet, "publishedDate": res.Published,
			"engine": "x", "engines": []string{"x"}, "score": 1.0, "category": "general", "positions": []int{1},
		})
	}
	reply(w, http.StatusOK, object{
		"query": r.FormValue("q"), "number_of_results": len(list), "results": list,
		"answers": []any{}, "corrections": []any{}, "infoboxes": []any{}, "suggestions": []any{}, "unresponsive_engines": []any{},
	})
}
