package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

func TestBuiltIsTheRegistry(t *testing.T) {
	registry, err := tool.NewRegistry(minds.Registry()...)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(built, registry.Names()) {
		t.Errorf("built %v\nregistry %v", built, registry.Names())
	}
}

func TestRoutes(t *testing.T) {
	h := &host.Host{Env: host.Env{PublicURL: "https://gate.example"}, Clock: clock.System{}, IDs: clock.RandomIDs{}, Log: slog.New(slog.DiscardHandler)}
	gateway, err := router(h, nothing{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		status int
		says   string
	}{
		"/": {200, "https://gate.example/mcp"}, "/healthz": {200, `"ok"`}, "/mcp": {405, `"jsonrpc"`}, "/mcp/": {405, `"jsonrpc"`},
		"/.well-known/oauth-protected-resource": {404, `"jsonrpc"`}, "/other": {404, `"jsonrpc"`},
	} {
		w := httptest.NewRecorder()
		gateway.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != want.status || !strings.Contains(w.Body.String(), want.says) {
			t.Errorf("%s: %d %.200s", path, w.Code, w.Body)
		}
	}
}

// The welcome page tells how each client is connected, and that a client can log
// in where there is an issuer.
func TestWelcome(t *testing.T) {
	for issuer, login := range map[string]bool{"": false, "https://login.example": true} {
		env := host.Env{PublicURL: "https://gate.example", Issuer: host.Issuer{URL: issuer}}
		h := &host.Host{Env: env, Clock: clock.System{}, IDs: clock.RandomIDs{}, Log: slog.New(slog.DiscardHandler)}
		gateway, err := router(h, nothing{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		gateway.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		for _, name := range []string{"Claude Code", "Claude Desktop", "Cursor", "VS Code", "https://gate.example/mcp?find_tools=true"} {
			if !strings.Contains(w.Body.String(), name) {
				t.Errorf("the page does not name %s", name)
			}
		}
		if w.Header().Get("Content-Type") != "text/html; charset=utf-8" || strings.Contains(w.Body.String(), "needs no key") != login {
			t.Errorf("issuer %q: %s %s", issuer, w.Header(), w.Body)
		}
	}
}

type nothing struct{ tool.Invoker }
