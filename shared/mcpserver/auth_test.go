package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/oauth"
	"github.com/mindgate-dev/mindgate/shared/oauth/oauthtest"
)

type subjects struct{}

func (subjects) OfSubject(_ context.Context, _, subject string, first account.Plan) (account.Account, error) {
	return account.Account{ID: "a-" + subject, Workspace: "w-" + subject, Name: subject, Plan: first}, nil
}

// withIssuer is the fixture behind an issuer of access tokens.
func withIssuer(t testing.TB, prefix string) (http.Handler, *oauthtest.Issuer) {
	t.Helper()
	issuer := oauthtest.New(t, "https://gate.example/mcp", time.Now)
	v, err := oauth.New(oauth.Config{Issuer: issuer.URL, Audiences: []string{issuer.Audience}, ScopePrefix: prefix}, oauth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return fixture(t, func(o *Options) {
		o.Issuer = v
		o.Authenticator = middleware.Credentials{Keys: testKeys, Tokens: v, Subjects: subjects{}, First: account.Free}
	}), issuer
}

const pingMessage = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func TestTokens(t *testing.T) {
	h, issuer := withIssuer(t, "")
	for what, c := range map[string]struct {
		authorization string
		status        int
		challenge     string
	}{
		"a token":         {"Bearer " + issuer.Token("ec", "u", "flows:read", nil), 200, ""},
		"an API key":      {"Bearer owner", 200, ""},
		"nothing":         {"", 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", scope="flows:read flows:write sparks:chat sparks:read"`},
		"expired":         {"Bearer " + issuer.Token("ec", "u", "flows:read", map[string]any{"exp": 1}), 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="invalid_token", scope="flows:read flows:write sparks:chat sparks:read"`},
		"wrong audience":  {"Bearer " + issuer.Token("ec", "u", "flows:read", map[string]any{"aud": "https://other.example"}), 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="invalid_token", scope="flows:read flows:write sparks:chat sparks:read"`},
		"alg none":        {"Bearer eyJhbGciOiJub25lIn0.e30.", 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="invalid_token", scope="flows:read flows:write sparks:chat sparks:read"`},
		"basic":           {"Basic b3duZXI6", 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="invalid_token", scope="flows:read flows:write sparks:chat sparks:read"`},
		"two credentials": {"Bearer owner, Bearer owner", 401, `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="invalid_token", scope="flows:read flows:write sparks:chat sparks:read"`},
	} {
		w := post(t, h, pingMessage, "Authorization: "+c.authorization)
		if w.Code != c.status || w.Header().Get("WWW-Authenticate") != c.challenge {
			t.Errorf("%s: %d %s", what, w.Code, w.Header().Get("WWW-Authenticate"))
		}
	}
}

// The metadata that a challenge names is there, without a credential, at both
// places, and says what a client needs to log in.
func TestMetadataResolves(t *testing.T) {
	h, issuer := withIssuer(t, "mindgate/")
	want := fmt.Sprintf(`{"authorization_servers":[%q],"bearer_methods_supported":["header"],"resource":"https://gate.example/mcp","resource_documentation":"https://gate.example/","resource_name":"Mindgate","scopes_supported":["mindgate/flows:read","mindgate/flows:write","mindgate/sparks:chat","mindgate/sparks:read"]}`, issuer.URL)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource/mcp/readonly"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 200 || w.Body.String() != want || w.Header().Get("Access-Control-Allow-Origin") != "*" || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	for _, path := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server/mcp", "/mcp/.well-known/openid-configuration"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 302 || w.Header().Get("Location") != issuer.URL+"/.well-known/openid-configuration" {
			t.Errorf("%s: %d %v", path, w.Code, w.Header())
		}
	}
	r := httptest.NewRequest(http.MethodOptions, "/.well-known/oauth-protected-resource/mcp", nil)
	r.Header.Set("Origin", "https://inspector.example")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if w.Code != 204 || !strings.Contains(w.Header().Get("Access-Control-Allow-Headers"), "mcp-protocol-version") {
		t.Errorf("preflight: %d %v", w.Code, w.Header())
	}
	if w := post(t, h, pingMessage, "Authorization: "); !strings.Contains(w.Header().Get("WWW-Authenticate"), `scope="mindgate/flows:read `) {
		t.Errorf("challenge: %s", w.Header().Get("WWW-Authenticate"))
	}
}

func TestNoIssuerNoMetadata(t *testing.T) {
	h := fixture(t, nil)
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != 404 || !json.Valid(w.Body.Bytes()) {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}

// A token does what its scopes say: the list is shorter, and a call of more is
// told what to ask for, with what it had.
func TestTokenScopes(t *testing.T) {
	h, issuer := withIssuer(t, "")
	bearer := "Authorization: Bearer " + issuer.Token("ed", "u", "sparks:read flows:read", nil)
	w := post(t, h, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, bearer)
	if strings.Contains(w.Body.String(), "create_study") || !strings.Contains(w.Body.String(), "get_study_status") {
		t.Error(w.Body)
	}
	w = post(t, h, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"x"}}}`, bearer)
	want := `Bearer realm="mindgate", resource_metadata="https://gate.example/.well-known/oauth-protected-resource/mcp", error="insufficient_scope", scope="flows:read flows:write sparks:read"`
	if w.Code != 403 || w.Header().Get("WWW-Authenticate") != want || !strings.Contains(w.Body.String(), `"missing":["flows:write"]`) {
		t.Errorf("%d %s %s", w.Code, w.Header().Get("WWW-Authenticate"), w.Body)
	}
	// A token in the address is refused, even beside a good one in the header.
	for _, name := range []string{"access_token", "token", "api_key", "Access_Token", "TOKEN", "explicit"} {
		r := row{path: "/mcp?" + name + "=" + issuer.Token("ed", "u", "sparks:read", nil), body: pingMessage}.request()
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 400 || strings.Contains(w.Body.String(), "eyJ") || !strings.Contains(w.Header().Get("WWW-Authenticate"), `error="invalid_request"`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
}

// No header ends the process, and none but a good one passes.
func FuzzAuthorization(f *testing.F) {
	h, issuer := withIssuer(f, "")
	good := issuer.Token("ec", "u", "flows:read", nil)
	f.Add("Bearer "+good, "")
	f.Add("bearer "+good, "x=1")
	f.Add("Bearer owner", "access_token=1")
	f.Add("Bearer "+good, "a=eyJ")
	f.Add("Bearer", "")
	f.Add("Basic x:y", "token")
	f.Fuzz(func(t *testing.T, authorization, query string) {
		r := row{body: pingMessage}.request()
		r.Header.Set("Authorization", authorization)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		_, token, _ := strings.Cut(strings.TrimSpace(authorization), " ")
		_, known := testKeys[strings.TrimSpace(token)]
		switch {
		case w.Code == 400 && strings.Contains(w.Header().Get("WWW-Authenticate"), "invalid_request"): // in the address
		case w.Code != 200 && w.Code != 401 && w.Code != 503, !json.Valid(w.Body.Bytes()):
			t.Fatalf("%d %s", w.Code, w.Body)
		case w.Code == 200 && !known && !strings.Contains(authorization, good[:strings.LastIndex(good, ".")]):
			t.Fatalf("%q passes", authorization)
		case w.Code == 401 && !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), `Bearer realm="mindgate"`):
			t.Fatal("no challenge")
		}
	})
}
