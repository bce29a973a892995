package local

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/oauth/oauthtest"
)

// The whole gateway behind an issuer: tokens work on both surfaces, one person's
// records do not exist for another, and no token reaches a key (M-313).
func TestTokensOnBothSurfaces(t *testing.T) {
	h, err := Open(t.Context(), Options{Dir: t.TempDir(), PublicURL: "http://gate.example", Plans: account.DefaultPlans()})
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	issuer := oauthtest.New(t, "http://gate.example/mcp", time.Now)
	handler, err := h.Handler(Surfaces{PublicURL: "http://gate.example", Issuer: host.Issuer{URL: issuer.URL, FirstPlan: "team"}})
	if err != nil {
		t.Fatal(err)
	}
	do := func(method, path, bearer, body string) (int, string) {
		t.Helper()
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("Authorization", "Bearer "+bearer)
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code, w.Body.String()
	}
	const all = "flows:read flows:write sparks:chat sparks:read sparks:write"
	ann, bob := issuer.Token("ec", "ann", all, nil), issuer.Token("rsa", "bob", all, nil)
	status, body := do(http.MethodPost, "/mcp", ann, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_mind","arguments":{"name":"Reader of tests","mode":"keywords","keywords":["tests"]}}}`)
	var made struct {
		Result struct {
			Structured struct {
				Mind struct {
					ID string `json:"id"`
				} `json:"mind"`
			} `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 200 || made.Result.Structured.Mind.ID == "" {
		t.Fatalf("%d %s", status, body)
	}
	mind := "/api/v1/minds/" + made.Result.Structured.Mind.ID
	if status, body := do(http.MethodGet, mind, ann, ""); status != 200 {
		t.Errorf("the maker: %d %s", status, body)
	}
	if status, _ := do(http.MethodGet, mind, bob, ""); status != 404 {
		t.Errorf("another person: %d", status)
	}
	if _, body := do(http.MethodPost, "/mcp", bob, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_minds","arguments":{}}}`); !strings.Contains(body, `"totalCount":0`) {
		t.Errorf("another person's list: %s", body)
	}
	for _, c := range [][2]string{{"GET", "/api/v1/api-keys"}, {"POST", "/api/v1/api-keys"}, {"DELETE", "/api/v1/api-keys/c00000000"}} {
		if status, body := do(c[0], c[1], ann, `{"name":"mine"}`); status != 403 || !strings.Contains(body, `"FORBIDDEN"`) {
			t.Errorf("%s %s with a token: %d %s", c[0], c[1], status, body)
		}
	}
	wrong := issuer.Token("ec", "ann", all, map[string]any{"aud": "http://gate.example/other"})
	for _, path := range []string{"/mcp", "/api/v1/minds"} {
		if status, _ := do(http.MethodPost, path, wrong, `{"jsonrpc":"2.0","id":1,"method":"ping"}`); status != 401 {
			t.Errorf("%s for another audience: %d", path, status)
		}
	}
}
