package websearch

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/fetch"
)

// brave is the Brave Search API, version 1.
type brave struct{}

func (brave) name() string     { return "brave" }
func (brave) endpoint() string { return "https://api.search.brave.com/res/v1/web/search" }

func (brave) request(endpoint, key, query string, count int) fetch.Request {
	// The engine takes at most 50 words.
	if words := strings.Fields(query); len(words) > 50 {
		query = strings.Join(words[:50], " ")
	}
	for len(url.QueryEscape(query)) > 3500 { // an address has its own limit
		query = shorten(query, utf8.RuneCountInString(query)*3/4)
	}
	v := url.Values{"q": {query}, "count": {strconv.Itoa(count)}, "text_decorations": {"false"}, "result_filter": {"web"}}
	return fetch.Request{URL: endpoint + "?" + v.Encode(), Kind: fetch.Asset, Header: http.Header{"X-Subscription-Token": {key}}}
}

func (brave) results(answer []byte) ([]Result, error) {
	var a struct {
		Web *struct {
			Results []struct {
				Title       string `json:"title"`
				URL         string `json:"url"`
				Description string `json:"description"`
				PageAge     string `json:"page_age"`
				Age         string `json:"age"`
			} `json:"results"`
		} `json:"web"`
		Type string `json:"type"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	if a.Web == nil { // no page was found
		if a.Type != "search" {
			return nil, errNoResults
		}
		return nil, nil
	}
	var out []Result
	for _, r := range a.Web.Results {
		published := r.PageAge
		if published == "" {
			published = r.Age
		}
		out = append(out, Result{Title: r.Title, URL: r.URL, Snippet: r.Description, Published: published})
	}
	return out, nil
}

// failure knows that a bad key is 422, as a bad query is.
func (brave) failure(s fetch.StatusError) Kind {
	if s.Status == http.StatusUnprocessableEntity && strings.Contains(s.Body, "SUBSCRIPTION_TOKEN_INVALID") {
		return Auth
	}
	return byStatus(s.Status)
}

// tavily is the Tavily search API.
type tavily struct{}

func (tavily) name() string     { return "tavily" }
func (tavily) endpoint() string { return "https://api.tavily.com/search" }

func (tavily) request(endpoint, key, query string, count int) fetch.Request {
	body, err := json.Marshal(map[string]any{"query": query, "max_results": count, "search_depth": "basic", "topic": "general"})
	if err != nil {
		panic(err) // strings and numbers always are JSON
	}
	return fetch.Request{
		URL: endpoint, Kind: fetch.Asset, Method: http.MethodPost, Body: body,
		Header: http.Header{"Authorization": {"Bearer " + key}, "Content-Type": {"application/json"}},
	}
}

func (tavily) results(answer []byte) ([]Result, error) {
	return flat(answer)
}

// failure knows the two statuses of a plan that is used up.
func (tavily) failure(s fetch.StatusError) Kind {
	if s.Status == 432 || s.Status == 433 {
		return Quota
	}
	return byStatus(s.Status)
}

// searxng is an instance of SearXNG whose settings let it answer in JSON.
type searxng struct{}

func (searxng) name() string     { return "searxng" }
func (searxng) endpoint() string { return "" }

func (searxng) request(endpoint, _, query string, _ int) fetch.Request {
	v := url.Values{"q": {query}, "format": {"json"}, "pageno": {"1"}}
	return fetch.Request{
		URL: strings.TrimSuffix(endpoint, "/search") + "/search", Kind: fetch.Page, Method: http.MethodPost, Body: []byte(v.Encode()),
		Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	}
}

func (searxng) results(answer []byte) ([]Result, error) {
	return flat(answer)
}

// failure takes 403 for what it is here: an instance that gives no JSON. There
// is no key that could be refused.
func (searxng) failure(s fetch.StatusError) Kind {
	if k := byStatus(s.Status); k != Auth {
		return k
	}
	return Unavailable
}

// flat reads a list of results that stands at the top of an answer. Engines write
// the date in two ways.
func flat(answer []byte) ([]Result, error) {
	var a struct {
		Results []struct {
			Title         string `json:"title"`
			URL           string `json:"url"`
			Content       string `json:"content"`
			PublishedDate string `json:"publishedDate"`
			Published     string `json:"published_date"`
		} `json:"results"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, err
	}
	if a.Results == nil {
		return nil, errNoResults
	}
	var out []Result
	for _, r := range a.Results {
		out = append(out, Result{Title: r.Title, URL: r.URL, Snippet: r.Content, Published: cmp.Or(r.Published, r.PublishedDate)})
	}
	return out, nil
}
