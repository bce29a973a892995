// Package websearch asks a search engine for pages about something. Which
// engine is the operator's choice; with none nothing is researched, and the
// services say so.
package websearch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// Limits of a search.
const (
	MaxResults = 20               // the most that every engine gives on one page
	MaxQuery   = 400              // characters; the rest is left out at a word
	total      = 10 * time.Second // of one search
	maxAnswer  = 2 << 20          // bytes of an engine's answer
	maxTitle   = 200              // characters
	maxSnippet = 600              // characters
)

// Result is one page that was found. The texts are plain: no markup and nothing
// that cannot be seen. They are a stranger's words all the same.
type Result struct {
	Title, URL, Snippet string
	Published           string // as the engine gives it, often empty
}

// Provider is a search engine. It is safe for concurrent use.
type Provider interface {
	// Name is the engine's, in lower case, such as "brave".
	Name() string
	// Search gives at most count results (1 to MaxResults), best first, each
	// once, with addresses that the guard lets pass as far as it can tell
	// without a look-up. It returns an *Error or the context's error. No result
	// is no error.
	Search(ctx context.Context, query string, count int) ([]Result, error)
}

// Config chooses the engine.
type Config struct {
	Provider string // brave, tavily, searxng, or "" for none
	Key      string // of Brave and Tavily; SearXNG takes none
	Endpoint string // of SearXNG; for the others only to reach a stand-in
	// KeyFrom reads the key when it is first needed, instead of Key.
	KeyFrom func(ctx context.Context) (string, error)
}

// engine is what differs between the engines.
type engine interface {
	name() string
	endpoint() string // by default
	request(endpoint, key, query string, count int) fetch.Request
	results(answer []byte) ([]Result, error)
	failure(s fetch.StatusError) Kind
}

// engines by name.
func engineOf(name string) (engine, bool) {
	switch name {
	case "brave":
		return brave{}, true
	case "tavily":
		return tavily{}, true
	case "searxng":
		return searxng{}, true
	}
	return nil, false
}

// Check tells what is wrong with a configuration, by the names of the
// variables that it comes from.
func Check(c Config) error {
	if c.Provider == "" {
		if c.Key != "" || c.KeyFrom != nil || c.Endpoint != "" {
			return errors.New("MINDGATE_SEARCH_KEY or MINDGATE_SEARCH_ENDPOINT is set, but MINDGATE_SEARCH_PROVIDER is not; name brave, tavily or searxng")
		}
		return nil
	}
	e, ok := engineOf(c.Provider)
	switch {
	case !ok:
		return fmt.Errorf("MINDGATE_SEARCH_PROVIDER is %q; it must be brave, tavily or searxng", c.Provider)
	case c.Provider != "searxng" && c.Key == "" && c.KeyFrom == nil:
		return fmt.Errorf("MINDGATE_SEARCH_KEY is not set; %s needs the key of an account with it", e.name())
	case c.Provider == "searxng" && c.Endpoint == "":
		return errors.New("MINDGATE_SEARCH_ENDPOINT is not set; searxng needs the address of an instance, such as https://search.example.com")
	case strings.ContainsAny(c.Endpoint, "?#"):
		return errors.New("MINDGATE_SEARCH_ENDPOINT has a query or a fragment; give the address alone, such as https://search.example.com")
	}
	return nil
}

// Open makes the engine of the configuration; nil without an error when there
// is none. Requests go through the guard: an engine on the operator's own
// network needs its host:port among the guard's allowed pairs.
func Open(c Config, guard *fetch.Guard, clk clock.Clock) (Provider, error) {
	if err := Check(c); err != nil || c.Provider == "" {
		return nil, err
	}
	e, _ := engineOf(c.Provider)
	s := &search{engine: e, at: strings.TrimRight(c.Endpoint, "/"), guard: guard, clock: clk, read: c.KeyFrom, key: c.Key}
	if s.at == "" {
		s.at = e.endpoint()
	}
	// The name is looked up at each search, not at the start: networks come and go.
	if err := guard.CheckAddress(s.at, fetch.Page); err != nil {
		return nil, fmt.Errorf("MINDGATE_SEARCH_ENDPOINT is no public address, and its host:port is not in MINDGATE_FETCH_ALLOW: %w", err)
	}
	s.client = fetch.NewClient(guard, fetch.Limits{MaxBytes: maxAnswer, Total: total, MaxRedirects: -1})
	return s, nil
}

// search is one engine at one address.
type search struct {
	engine engine
	at     string
	guard  *fetch.Guard
	client *fetch.Client
	clock  clock.Clock
	read   func(context.Context) (string, error)

	mu  sync.Mutex
	key string
}

func (s *search) Name() string { return s.engine.name() }

func (s *search) Search(ctx context.Context, query string, count int) ([]Result, error) {
	query = shorten(plainText(query), MaxQuery)
	if query == "" {
		return nil, &Error{Kind: Invalid, Provider: s.Name(), Message: "There is nothing to search for: the query holds no word."}
	}
	count = min(max(count, 1), MaxResults)
	key, err := s.secret(ctx)
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	req := s.engine.request(s.at, key, query, count)
	req.Direct, req.Excerpt = true, 2048
	req.Header.Set("Accept", "application/json")
	answer, err := s.ask(ctx, req)
	if err != nil {
		return nil, s.failed(ctx, err)
	}
	found, err := s.engine.results(answer)
	if err != nil {
		return nil, &Error{Kind: Malformed, Provider: s.Name(), Message: "The search engine's answer could not be read. Try again later.", cause: err}
	}
	return s.clean(found, count), nil
}

// secret reads the key once; a failed reading is tried again at the next search.
func (s *search) secret(ctx context.Context) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.key != "" || s.read == nil {
		return s.key, nil
	}
	key, err := s.read(ctx)
	if err != nil {
		return "", fmt.Errorf("websearch: the key: %w", err)
	}
	if s.key = strings.TrimSpace(key); s.key == "" {
		return "", errors.New("websearch: the key: the secret is empty")
	}
	return s.key, nil
}

// clean keeps what may be fetched, each page once, in plain text.
func (s *search) clean(found []Result, count int) []Result {
	out := make([]Result, 0, min(len(found), count))
	seen := map[string]bool{}
	for _, r := range found {
		if len(out) == count {
			break
		}
		r.URL = strings.TrimSpace(r.URL)
		if seen[r.URL] || s.guard.CheckAddress(r.URL, fetch.Page) != nil {
			continue
		}
		seen[r.URL] = true
		r.Title, r.Snippet = shorten(plainText(r.Title), maxTitle), shorten(plainText(r.Snippet), maxSnippet)
		r.Published = shorten(plainText(r.Published), 40)
		if r.Title == "" {
			r.Title = r.URL
		}
		out = append(out, r)
	}
	return out
}
