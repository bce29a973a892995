package main

import (
	"bytes"
	"strings"
	"testing"
)

// What may be fetched although it is not public is said in the log and on the
// terminal; without it neither says a word.
func TestAllowedFetchesAreSaid(t *testing.T) {
	var log, terminal bytes.Buffer
	c := settings{Allow: "127.0.0.1:9000, localhost:8888", LogLevel: "warn", LogFormat: "text"}
	logger, err := c.logger(&log)
	if err != nil {
		t.Fatal(err)
	}
	attention(&terminal, c.allowed(logger))
	for _, text := range []string{log.String(), terminal.String()} {
		if !strings.Contains(text, "127.0.0.1:9000") || !strings.Contains(text, "localhost:8888") || !strings.Contains(text, "MINDGATE_FETCH_ALLOW") {
			t.Errorf("%q", text)
		}
	}
	if !strings.Contains(log.String(), "WARN") {
		t.Errorf("%q", log.String())
	}
	log.Reset()
	terminal.Reset()
	if attention(&terminal, settings{}.allowed(logger)); log.Len()+terminal.Len() > 0 {
		t.Errorf("%q %q", log.String(), terminal.String())
	}
}

func TestSearchSettings(t *testing.T) {
	for _, c := range []struct {
		s    settings
		key  string
		says string
	}{
		{settings{}, "", ""},
		{settings{Search: "brave"}, "k", ""},
		{settings{Search: "brave"}, "", "MINDGATE_SEARCH_KEY"},
		{settings{Search: "google"}, "k", "MINDGATE_SEARCH_PROVIDER"},
		{settings{}, "k", "MINDGATE_SEARCH_PROVIDER"},
	} {
		t.Setenv("MINDGATE_SEARCH_KEY", c.key)
		got, err := c.s.search()
		if c.says == "" && (err != nil || got.Key != c.key) || c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) {
			t.Errorf("%+v: %+v, %v", c.s, got, err)
		}
	}
}
