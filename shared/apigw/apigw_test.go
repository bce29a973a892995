package apigw

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"
)

// seen is what a handler saw of a request.
type seen struct {
	Method, Path, RawPath, Query, Host, Remote, Body string
	Length                                           int64
	Header                                           http.Header
	Info                                             Info
}

func look(into *seen) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		text := string(body)
		if err != nil {
			text = "error: " + err.Error()
		}
		info, _ := From(r.Context())
		*into = seen{r.Method, r.URL.Path, r.URL.RawPath, r.URL.RawQuery, r.Host, r.RemoteAddr, text, r.ContentLength, r.Header, info}
		w.WriteHeader(http.StatusNoContent)
	})
}

func invoke(t testing.TB, h http.Handler, event string) any {
	t.Helper()
	out, err := Handler(h, Options{})(t.Context(), json.RawMessage(event))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRequestV2(t *testing.T) {
	var s seen
	invoke(t, look(&s), `{"version":"2.0","rawPath":"/prod/mcp/a%2Fb","rawQueryString":"x=1&x=2&y=%20",
		"cookies":["a=1","b=2"],
		"headers":{"host":"gate.example","accept":"application/json, text/event-stream","if-modified-since":"Mon, 02 Jan 2006 15:04:05 GMT","x-date":"Mon, 02 Jan 2006 15:04:05 GMT","content-length":"999","transfer-encoding":"chunked"},
		"requestContext":{"stage":"prod","requestId":"id-12345678","domainName":"abc.execute-api.example","http":{"method":"POST","path":"/prod/mcp","sourceIp":"192.0.2.7"},
			"authorizer":{"jwt":{"claims":{"sub":"user-1"}}}},
		"body":"eyJhIjoxfQ==","isBase64Encoded":true}`)
	want := seen{"POST", "/mcp/a/b", "/mcp/a%2Fb", "x=1&x=2&y=%20", "gate.example", "192.0.2.7:0", `{"a":1}`, 7,
		http.Header{
			"Accept": {"application/json, text/event-stream"}, "Cookie": {"a=1; b=2"},
			"If-Modified-Since": {"Mon, 02 Jan 2006 15:04:05 GMT"}, "X-Date": {"Mon, 02 Jan 2006 15:04:05 GMT"},
			"X-Request-Id": {"id-12345678"},
		},
		Info{SourceIP: "192.0.2.7", Stage: "prod", RequestID: "id-12345678", Claims: map[string]any{"sub": "user-1"}}}
	if !reflect.DeepEqual(s, want) {
		t.Errorf("got  %+v\nwant %+v", s, want)
	}
}

func TestRequestV1(t *testing.T) {
	for what, event := range map[string]string{
		"REST API": `"path":"/mcp","requestContext":{"stage":"prod","path":"/prod/mcp",`,
		"HTTP API": `"version":"1.0","path":"/prod/mcp","requestContext":{"stage":"prod","path":"/prod/mcp",`,
	} {
		var s seen
		out := invoke(t, look(&s), `{"httpMethod":"POST",`+event+`"requestId":"id-12345678","identity":{"sourceIp":"2001:db8::1"},"authorizer":{"claims":{"sub":"user-1"}}},
			"headers":{"Host":"gate.example","X-Many":"2"},"multiValueHeaders":{"Host":["gate.example"],"X-Many":["1","2"]},
			"queryStringParameters":{"x":"2"},"multiValueQueryStringParameters":{"x":["1","2"]},"body":"{}","isBase64Encoded":false}`)
		want := seen{"POST", "/mcp", "", "x=1&x=2", "gate.example", "[2001:db8::1]:0", "{}", 2,
			http.Header{"X-Many": {"1", "2"}, "X-Request-Id": {"id-12345678"}},
			Info{SourceIP: "2001:db8::1", Stage: "prod", RequestID: "id-12345678", Claims: map[string]any{"sub": "user-1"}}}
		if !reflect.DeepEqual(s, want) {
			t.Errorf("%s: got  %+v\nwant %+v", what, s, want)
		}
		if _, ok := out.(events.APIGatewayProxyResponse); !ok {
			t.Errorf("%s: a v1 event is answered with %T", what, out)
		}
	}
}

// A gateway that hands a path on decoded does not break the request, nor does a
// missing body or a body that is not base64.
func TestOddRequests(t *testing.T) {
	var s seen
	event := func(path, more string) string {
		return `{"version":"2.0","rawPath":` + path + `,"requestContext":{"http":{"method":"get"}}` + more + `}`
	}
	invoke(t, look(&s), event(`"/a b/100%/ü?#"`, ""))
	if s.Path != "/a b/100%/ü?#" || s.Method != "GET" || s.Length != 0 || s.Body != "" {
		t.Errorf("%+v", s)
	}
	invoke(t, look(&s), event(`"/prodigal"`, ""))
	if s.Path != "/prodigal" {
		t.Errorf("%+v", s)
	}
	invoke(t, look(&s), event(`"/"`, `,"body":"%%%","isBase64Encoded":true`))
	if !strings.HasPrefix(s.Body, "error: ") {
		t.Errorf("%+v", s)
	}
	if _, err := Handler(look(&s), Options{})(t.Context(), json.RawMessage(`{"Records":[]}`)); err == nil {
		t.Error("an event of another service is taken")
	}
	if out, err := Handler(look(&s), Options{BasePath: "v9"})(t.Context(), json.RawMessage(event(`"/v9"`, ""))); err != nil || out == nil || s.Path != "/" {
		t.Errorf("%v %+v", err, s)
	}
}

// What the library gets wrong about answers, one each.
func TestAnswersAsNetHTTP(t *testing.T) {
	for what, h := range map[string]http.HandlerFunc{
		"nothing written": func(http.ResponseWriter, *http.Request) {},
		"status only":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(202) },
		"second status": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(404)
			w.WriteHeader(200)
			_, _ = w.Write([]byte("x"))
		},
		"status after body": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("x")); w.WriteHeader(500) },
		"late header": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(200)
			w.Header().Set("X-Late", "1")
			_, _ = w.Write([]byte("{}"))
		},
		"hint before": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(103); w.WriteHeader(201) },
		"binary":      func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0, 0xff, 0xfe}) },
		"two cookies": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Add("Set-Cookie", "a=1")
			w.Header().Add("Set-Cookie", "b=2; Path=/")
			_, _ = w.Write([]byte("x"))
		},
		"body of a 204":   func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(204); _, _ = w.Write([]byte("x")) },
		"type is guessed": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html><body>")) },
		"two of one header": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Add("Vary", "A")
			w.Header().Add("Vary", "B")
			_, _ = w.Write([]byte("x"))
		},
	} {
		t.Run(what, func(t *testing.T) {
			srv := httptest.NewServer(h)
			defer srv.Close()
			resp, err := srv.Client().Get(srv.URL)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			body, _ := io.ReadAll(resp.Body)
			resp.Header.Del("Date")
			resp.Header.Del("Content-Length")
			v2 := invoke(t, h, `{"version":"2.0","rawPath":"/","requestContext":{"http":{"method":"GET"}}}`).(events.APIGatewayV2HTTPResponse)
			v1 := invoke(t, h, `{"httpMethod":"GET","path":"/"}`).(events.APIGatewayProxyResponse)
			header := http.Header{}
			for k, v := range v2.Headers {
				header.Set(k, v)
			}
			for _, c := range v2.Cookies {
				header.Add("Set-Cookie", c)
			}
			folded := http.Header{}
			for k, v := range resp.Header {
				folded[k] = v
				if k != "Set-Cookie" {
					folded[k] = []string{strings.Join(v, ",")}
				}
			}
			if v2.StatusCode != resp.StatusCode || !bytes.Equal(decoded(t, v2.Body, v2.IsBase64Encoded), body) || !reflect.DeepEqual(header, folded) {
				t.Errorf("v2 %+v\nnet/http %d %v %q", v2, resp.StatusCode, resp.Header, body)
			}
			if v1.StatusCode != resp.StatusCode || !bytes.Equal(decoded(t, v1.Body, v1.IsBase64Encoded), body) || !reflect.DeepEqual(http.Header(v1.MultiValueHeaders), resp.Header) {
				t.Errorf("v1 %+v\nnet/http %d %v %q", v1, resp.StatusCode, resp.Header, body)
			}
		})
	}
}

func decoded(t *testing.T, body string, coded bool) []byte {
	t.Helper()
	if !coded {
		return []byte(body)
	}
	raw, err := base64.StdEncoding.DecodeString(body)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// An answer that does not fit into the function's payload is an answer that
// says so, not a runtime error.
func TestOversize(t *testing.T) {
	h := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte(`"`), 4<<20)) })
	out := invoke(t, h, `{"version":"2.0","rawPath":"/","requestContext":{"http":{"method":"GET"}}}`).(events.APIGatewayV2HTTPResponse)
	if out.StatusCode != 500 || !strings.Contains(out.Body, "PAYLOAD_TOO_LARGE") || out.Headers["Content-Type"] != "application/json" {
		t.Errorf("%d %.200s", out.StatusCode, out.Body)
	}
	fits := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(bytes.Repeat([]byte(`x`), 6<<20-64<<10)) })
	if out := invoke(t, fits, `{"version":"2.0","rawPath":"/","requestContext":{"http":{"method":"GET"}}}`).(events.APIGatewayV2HTTPResponse); out.StatusCode != 200 {
		t.Errorf("%d", out.StatusCode)
	}
}

func FuzzEvent(f *testing.F) {
	f.Add(`{"version":"2.0","rawPath":"/x","requestContext":{"http":{"method":"GET"}}}`)
	f.Add(`{"httpMethod":"GET","path":"/%zz","headers":null}`)
	f.Add(`{"version":"2.0","rawPath":"//","cookies":[""],"requestContext":{"http":{"method":" "},"authorizer":{"jwt":null}}}`)
	f.Fuzz(func(t *testing.T, event string) {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Method, r.URL.String()) })
		out, err := Handler(h, Options{})(t.Context(), json.RawMessage(event))
		if (out == nil) == (err == nil) {
			t.Fatalf("%v %v", out, err)
		}
	})
}
