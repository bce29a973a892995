package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aws/aws-lambda-go/events"

	"github.com/mindgate-dev/mindgate/shared/apigw"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

// Behind the gateway the same requests get the same answers as over net/http,
// byte for byte, for the error table and for what works.
func TestGatewayAnswersAlike(t *testing.T) {
	h := fixture(t, func(o *Options) { o.MaxBody = 64 << 10 })
	srv := httptest.NewServer(h)
	defer srv.Close()
	function := apigw.Handler(h, apigw.Options{})
	rows := append(errorTable(),
		row{what: "ping", body: `{"jsonrpc":"2.0","id":1,"method":"ping"}`},
		row{what: "list", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		row{what: "choose by address", path: "/mcp/x/studies,audiences/readonly/", body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		row{what: "choose by header", path: "/mcp/x/studies%2Cnope?names=underscore", headers: []string{"X-MCP-Tools: create_mind,nope", "X-MCP-Find-Tools: true"}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		row{what: "a write, read-only", path: "/mcp/readonly", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_panel","arguments":{"name":"A"}}}`},
		row{what: "resource", body: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://tools/ask_study/schema?refs=none"}}`},
		row{what: "no resource", body: `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"mindgate://studies/nope"}}`},
		row{what: "prompt", body: `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"read_results","arguments":{"study":"Brand"}}}`},
		row{what: "notification", body: `{"jsonrpc":"2.0","method":"notifications/initialized"}`},
		row{what: "call", body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"ümlaut <&> 😀"}}}`},
		row{what: "a client that prefers a stream", headers: []string{"Accept: text/event-stream, application/json"}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		row{what: "a refusal, stream preferred", headers: []string{"Accept: text/event-stream", "Authorization: Bearer nobody"}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
		row{what: "preflight", method: "OPTIONS", headers: []string{"Origin: https://gate.example", "Access-Control-Request-Method: POST"}},
	)
	sameAnswers(t, srv, function, rows)
}

// So do a gateway's documents of discovery and its challenges.
func TestGatewayChallengesAlike(t *testing.T) {
	h, issuer := withIssuer(t, "mindgate/")
	srv := httptest.NewServer(h)
	defer srv.Close()
	var rows []row
	for _, path := range []string{"/.well-known/oauth-protected-resource", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-authorization-server", "/.well-known/openid-configuration", "/nowhere", iconPathPNG, iconPathSVG} {
		for _, method := range []string{"GET", "OPTIONS", "DELETE"} {
			rows = append(rows, row{what: method + " " + path, method: method, path: path})
		}
	}
	bearer := "Authorization: Bearer "
	rows = append(rows,
		row{what: "no token", body: pingMessage, headers: []string{"Authorization: "}},
		row{what: "bad token", body: pingMessage, headers: []string{bearer + "eyJ.eyJ.x"}},
		row{what: "good token", body: pingMessage, headers: []string{bearer + issuer.Token("ec", "u", "mindgate/flows:read", nil)}},
		row{what: "expired token", body: pingMessage, headers: []string{bearer + issuer.Token("ec", "u", "", map[string]any{"exp": 1})}},
		row{what: "step up", body: `{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"create_study","arguments":{"name":"x"}}}`,
			headers: []string{bearer + issuer.Token("ec", "u", "mindgate/flows:read", nil)}},
		row{what: "token in the address", path: "/mcp?access_token=x", body: pingMessage},
	)
	sameAnswers(t, srv, apigw.Handler(h, apigw.Options{}), rows)
}

// The lower ceiling of a function is said, with the way out.
func TestCeilingOfAFunction(t *testing.T) {
	h := fixture(t, func(o *Options) { o.MaxBody = middleware.MaxBodyLambda })
	w := post(t, h, strings.Repeat("x", middleware.MaxBodyLambda+1))
	if w.Code != 413 || !strings.Contains(w.Body.String(), "at most 4.5 MB") || !strings.Contains(w.Body.String(), "by link") || !strings.Contains(w.Body.String(), `"limitBytes":4500000`) {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	w = post(t, h, `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{`+statelessMeta+`}}`, "Mcp-Protocol-Version: 2026-07-28", "Mcp-Method: server/discover")
	if !strings.Contains(w.Body.String(), "4.5 MB") || !strings.Contains(w.Body.String(), "link") {
		t.Error(w.Body)
	}
}

func sameAnswers(t *testing.T, srv *httptest.Server, function func(context.Context, json.RawMessage) (any, error), rows []row) {
	t.Helper()
	// A client that followed redirects would show another answer.
	srv.Client().CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	for _, c := range rows {
		t.Run(c.what, func(t *testing.T) {
			status, header, body := overNetwork(t, srv, c)
			r := c.request()
			for version, event := range map[string]any{"v2": eventV2(r, c.body), "v1": eventV1(r, c.body)} {
				raw, err := json.Marshal(event)
				if err != nil {
					t.Fatal(err)
				}
				out, err := function(t.Context(), raw)
				if err != nil {
					t.Fatal(version, err)
				}
				gotStatus, gotHeader, gotBody := unpack(t, out)
				if gotStatus != status || gotBody != body {
					t.Errorf("%s: %d %s\nnet/http: %d %s", version, gotStatus, gotBody, status, body)
				}
				for k := range gotHeader {
					if k != "Date" && len(header[k]) == 0 {
						t.Errorf("%s: header %s: only here", version, k)
					}
				}
				for k := range header {
					if k != "Date" && k != "Content-Length" && k != "Connection" && gotHeader.Get(k) != strings.Join(header[k], ",") {
						t.Errorf("%s: header %s: %q, net/http %q", version, k, gotHeader[k], header[k])
					}
				}
			}
		})
	}
}

func overNetwork(t *testing.T, srv *httptest.Server, c row) (int, http.Header, string) {
	t.Helper()
	r := c.request()
	req, err := http.NewRequestWithContext(t.Context(), r.Method, srv.URL+r.URL.RequestURI(), strings.NewReader(c.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = r.Header
	resp, err := srv.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(body)
}

func packed(body string) (string, bool) {
	if utf8.ValidString(body) {
		return body, false
	}
	return base64.StdEncoding.EncodeToString([]byte(body)), true
}

func eventV2(r *http.Request, text string) any {
	body, coded := packed(text)
	headers := map[string]string{}
	for k, v := range r.Header {
		headers[strings.ToLower(k)] = strings.Join(v, ",")
	}
	return events.APIGatewayV2HTTPRequest{
		Version: "2.0", RawPath: "/prod" + r.URL.EscapedPath(), RawQueryString: r.URL.RawQuery, Headers: headers, Body: body, IsBase64Encoded: coded,
		RequestContext: events.APIGatewayV2HTTPRequestContext{Stage: "prod", RequestID: "gateway-request-1", DomainName: "gate.example",
			HTTP: events.APIGatewayV2HTTPRequestContextHTTPDescription{Method: r.Method, Path: r.URL.Path, SourceIP: "192.0.2.1"}},
	}
}

func eventV1(r *http.Request, text string) any {
	body, coded := packed(text)
	q, _ := url.ParseQuery(r.URL.RawQuery)
	return events.APIGatewayProxyRequest{
		HTTPMethod: r.Method, Path: r.URL.Path, MultiValueQueryStringParameters: q, MultiValueHeaders: r.Header, Body: body, IsBase64Encoded: coded,
		RequestContext: events.APIGatewayProxyRequestContext{Stage: "prod", Path: "/prod" + r.URL.Path, RequestID: "gateway-request-1"},
	}
}

func unpack(t *testing.T, out any) (int, http.Header, string) {
	t.Helper()
	header := http.Header{}
	body, coded, status := "", false, 0
	switch out := out.(type) {
	case events.APIGatewayV2HTTPResponse:
		for k, v := range out.Headers {
			header.Set(k, v)
		}
		body, coded, status = out.Body, out.IsBase64Encoded, out.StatusCode
	case events.APIGatewayProxyResponse:
		for k, v := range out.MultiValueHeaders {
			header.Set(k, strings.Join(v, ","))
		}
		body, coded, status = out.Body, out.IsBase64Encoded, out.StatusCode
	default:
		t.Fatalf("%T", out)
	}
	if coded {
		raw, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			t.Fatal(err)
		}
		body = string(raw)
	}
	return status, header, body
}
