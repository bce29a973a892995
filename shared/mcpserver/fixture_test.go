package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// The tools of the tests have the contract's names and schemas and handlers
// that do one thing each.
func fixtureTools() []tool.Tool {
	raw := func(name string, f func(context.Context, json.RawMessage) (any, error)) tool.Tool {
		return tool.Tool{Name: name, Invoke: f}
	}
	return []tool.Tool{
		raw("list_minds", func(_ context.Context, args json.RawMessage) (any, error) {
			var in struct{ Limit, Offset int }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			return map[string]any{"minds": []any{}, "totalCount": 0, "shownCount": 0, "limit": in.Limit, "offset": in.Offset}, nil
		}),
		raw("list_audiences", func(context.Context, json.RawMessage) (any, error) {
			return map[string]any{"audiences": []any{}, "totalCount": 0, "shownCount": 0, "limit": 20, "offset": 0}, nil
		}),
		raw("create_study", func(_ context.Context, args json.RawMessage) (any, error) {
			var in struct{ Name string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			if in.Name == "panic" {
				panic("secret of the inside")
			}
			if in.Name == "big" {
				return map[string]any{"name": strings.Repeat("x", 3<<20)}, nil
			}
			return map[string]any{"studyId": "550e8400-e29b-41d4-a716-446655440000", "name": in.Name}, nil
		}),
		raw("ask_study", func(context.Context, json.RawMessage) (any, error) {
			return nil, fault.New(fault.PlanLimit, "The plan free allows 30 responses a month.").
				With("limitType", "responses").With("limit", 30)
		}),
		raw("get_study_status", func(context.Context, json.RawMessage) (any, error) {
			return nil, fault.New(fault.NotFound, "No Study with this id.")
		}),
	}
}

type keys map[string]account.Principal

func (k keys) Authenticate(_ context.Context, bearer string) (account.Principal, error) {
	if bearer == "down" {
		return account.Principal{}, fault.New(fault.EntitlementUnavailable, "The accounts cannot be read now.")
	}
	p, ok := k[bearer]
	if !ok {
		return account.Principal{}, fault.New(fault.Unauthorized, "Unauthorized")
	}
	return p, nil
}

var testKeys = keys{
	"owner":  {Account: "a1", Workspace: "w1", Name: "owner", Plan: account.Enterprise, Scopes: []string{"*"}, Method: "api_key"},
	"reader": {Account: "a2", Workspace: "w2", Name: "reader", Plan: account.Team, Scopes: []string{"sparks:read", "flows:read"}, Method: "api_key"},
}

func fixture(t testing.TB, change func(*Options)) http.Handler {
	t.Helper()
	registry, err := tool.NewRegistry(fixtureTools()...)
	if err != nil {
		t.Fatal(err)
	}
	c := catalog.Minds().Only(registry.Names())
	d, err := tool.NewDispatcher(tool.DispatchOptions{Registry: registry, Catalogue: c})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Catalogue: c, Invoker: tool.InProcess(d), Authenticator: testKeys, PublicURL: "https://gate.example", Version: "1.2.3"}
	if change != nil {
		change(&o)
	}
	h, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// post sends one message as the owner; headers are "Name: value".
func post(t testing.TB, h http.Handler, body string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, "/mcp", bytes.NewReader([]byte(body)))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer owner")
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		if value == "" {
			r.Header.Del(name)
			continue
		}
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}
