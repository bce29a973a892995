package mcpserver

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

func TestAccepts(t *testing.T) {
	for accept, want := range map[string]string{
		"":                                          "json",
		"*/*":                                       "json",
		"application/json":                          "json",
		"application/json, text/event-stream":       "json, can stream",
		"application/json,text/event-stream;q=1":    "json, can stream",
		"text/event-stream, application/json":       "stream",
		"text/event-stream":                         "stream",
		"Text/Event-Stream ; q=0.5":                 "stream",
		"text/event-stream, */*":                    "stream",
		"*/*, text/event-stream":                    "json, can stream",
		"text/event-stream;q=0.5, application/json": "json, can stream",
		"application/json;q=0.5, text/event-stream": "stream",
		"application/json;q=0.5, */*, text/event-stream;q=0": "json",
		"text/event-stream;q=0, application/json;q=0":        "json",
		"text/event-stream;q=x, application/json":            "json",
		"text/event-stream;q=NaN":                            "json",
		"text/*":                                             "json",
		"text/html, application/xhtml+xml;q=0.9, */*;q=0.8":  "json",
		",,;;q=, text/event-stream":                          "stream",
	} {
		h := http.Header{"Accept": strings.SplitAfter(accept, "|")}
		got := "json"
		switch {
		case prefersEvents(h):
			got = "stream"
		case takesEvents(h):
			got = "json, can stream"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", accept, got, want)
		}
	}
	if h := (http.Header{"Accept": {"text/event-stream", "application/json"}}); !prefersEvents(h) {
		t.Error("two lines are one list")
	}
}

// A client that prefers a stream gets the same message as the one event of a
// stream, on every host; a refusal stays JSON, and so does a batch.
func TestPreferredStream(t *testing.T) {
	const prefers = "Accept: text/event-stream, application/json"
	for _, stream := range []bool{false, true} {
		h := fixture(t, func(o *Options) { o.Stream = stream })
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":"ü","method":"tools/list"}`, callList, withToken, `{"jsonrpc":"2.0","id":3,"method":"ping"}`,
			`{"jsonrpc":"2.0","id":3,"method":"nope"}`, `{"jsonrpc":"2.0","id":3,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}`,
		} {
			plain, w := post(t, h, body, "Accept: application/json"), post(t, h, body, prefers)
			data, ok := strings.CutPrefix(w.Body.String(), "event: message\ndata: ")
			if data, ended := strings.CutSuffix(data, "\n\n"); !ok || !ended || data != plain.Body.String() || w.Header().Get("Content-Type") != eventStream {
				t.Errorf("%v %s", w.Header(), w.Body)
			}
		}
		for _, c := range []struct {
			body    string
			headers []string
			status  int
		}{
			{callList, []string{prefers, "Authorization: Bearer nobody"}, 401},
			{`{`, []string{prefers}, 400},
			{`{"jsonrpc":"2.0","method":"notifications/initialized"}`, []string{prefers}, 202},
			{"[" + callList + "]", []string{prefers}, 200},
		} {
			w := post(t, h, c.body, c.headers...)
			if w.Code != c.status || w.Header().Get("Content-Type") == eventStream || w.Body.Len() > 0 && !json.Valid(w.Body.Bytes()) {
				t.Errorf("%s: %d %v %s", c.body, w.Code, w.Header(), w.Body)
			}
		}
	}
}
