package bedrock

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
	"github.com/aws/smithy-go/auth/bearer"

	"github.com/mindgate-dev/mindgate/shared/model"
)

type server struct {
	*httptest.Server
	mu     sync.Mutex
	paths  []string
	bodies []map[string]any
}

func serve(t *testing.T, answer func(w http.ResponseWriter, body map[string]any)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.paths, s.bodies = append(s.paths, r.URL.EscapedPath()), append(s.bodies, body)
		s.mu.Unlock()
		answer(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func config(base string, hc *http.Client) aws.Config {
	return aws.Config{
		Region: "eu-central-1", BaseEndpoint: aws.String(base), HTTPClient: hc,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "AKID", SecretAccessKey: "very-secret"}, nil
		}),
	}
}

func (s *server) client() *Client {
	return New(config(s.URL, s.Server.Client()), "eu.amazon.nova-lite-v1:0")
}

func send(w http.ResponseWriter, status int, kind, body string) {
	w.Header().Set("Content-Type", "application/json")
	if kind != "" {
		w.Header().Set("X-Amzn-ErrorType", kind)
	}
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

const whole = `{"output":{"message":{"role":"assistant","content":[{"text":"Hello."}]}},"stopReason":"end_turn","usage":{"inputTokens":4,"outputTokens":3,"totalTokens":7,"cacheReadInputTokens":20,"cacheWriteInputTokens":100},"metrics":{"latencyMs":1}}`

var (
	schema = &model.Schema{Name: "pick", JSON: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)}
	hello  = []model.Message{{Role: model.User, Text: "x"}}
)

func TestRequest(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, 200, "", whole) })
	warm := .5
	res, err := s.client().Complete(t.Context(), model.Request{
		System: "Be brief.", CacheSystem: true, MaxTokens: 7, Temperature: &warm, Schema: schema,
		Messages: []model.Message{{Role: model.User, Text: "Look", Images: []model.Image{{MediaType: "image/png", Data: []byte{1, 2}}}}, {Role: model.Assistant, Text: "Yes"}, {Role: model.User, Text: "And?"}},
	})
	if err != nil || res.Text != "Hello." || res.Stop != model.StopEnd || res.Usage != (model.Usage{Input: 124, Output: 3, CachedInput: 20}) {
		t.Fatalf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"inferenceConfig":{"maxTokens":7,"temperature":0.5},"messages":[{"content":[{"image":{"format":"png","source":{"bytes":"AQI="}}},{"text":"Look"}],"role":"user"},{"content":[{"text":"Yes"}],"role":"assistant"},{"content":[{"text":"And?"}],"role":"user"}],"outputConfig":{"textFormat":{"structure":{"jsonSchema":{"name":"pick","schema":"{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"string\"}},\"required\":[\"a\"],\"additionalProperties\":false}"}},"type":"json_schema"}},"system":[{"text":"Be brief."},{"cachePoint":{"type":"default"}}]}`
	if string(got) != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	if s.paths[0] != "/model/eu.amazon.nova-lite-v1%3A0/converse" {
		t.Error(s.paths[0])
	}
}

// A schema is asked for natively, then as a tool's arguments, then in words; a
// cache point only of a model that takes one. What was refused is not asked again.
func TestAdapts(t *testing.T) {
	tool := `{"output":{"message":{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"pick","input":{"a":"b"}}}]}},"stopReason":"tool_use","usage":{"inputTokens":1,"outputTokens":1,"totalTokens":2}}`
	for name, c := range map[string]struct {
		refuses func(b map[string]any) (kind, message string)
		calls   int
		text    string
		last    func(b string) bool
	}{
		"a tool": {func(b map[string]any) (string, string) {
			if b["outputConfig"] != nil {
				return "ValidationException", "outputConfig is not supported by this model"
			}
			return "", ""
		}, 2, `{"a":"b"}`, func(b string) bool { return strings.Contains(b, `"toolChoice":{"tool":{"name":"pick"}}`) }},
		"words": {func(b map[string]any) (string, string) {
			if b["outputConfig"] != nil || b["toolConfig"] != nil {
				return "ValidationException", "This model doesn't support tool use."
			}
			return "", ""
		}, 3, "Hello.", func(b string) bool { return strings.Contains(b, "JSON schema") && strings.Contains(b, "cachePoint") }},
		"no cache": {func(b map[string]any) (string, string) {
			if raw, _ := json.Marshal(b); bytes.Contains(raw, []byte("cachePoint")) {
				return "AccessDeniedException", "You invoked an unsupported model or your request did not allow prompt caching."
			}
			return "", ""
		}, 2, "Hello.", func(b string) bool { return strings.Contains(b, "outputConfig") && !strings.Contains(b, "cachePoint") }},
		"nothing of it": {func(b map[string]any) (string, string) {
			if raw, _ := json.Marshal(b); bytes.Contains(raw, []byte("cachePoint")) || b["outputConfig"] != nil || b["toolConfig"] != nil {
				return "ValidationException", "The model returned the following errors: extraneous key is not permitted"
			}
			return "", ""
		}, 4, "Hello.", func(b string) bool { return strings.Contains(b, "JSON schema") && !strings.Contains(b, "cachePoint") }},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, b map[string]any) {
				switch kind, message := c.refuses(b); {
				case kind == "AccessDeniedException":
					send(w, 403, kind, `{"message":"`+message+`"}`)
				case kind != "":
					send(w, 400, kind, `{"message":"`+message+`"}`)
				case b["toolConfig"] != nil:
					send(w, 200, "", tool)
				default:
					send(w, 200, "", whole)
				}
			})
			cl := s.client()
			r := model.Request{System: "s", CacheSystem: true, Schema: schema, Messages: hello}
			for range 2 {
				res, err := cl.Complete(t.Context(), r)
				if err != nil || res.Text != c.text {
					t.Fatalf("%+v %v", res, err)
				}
			}
			last, _ := json.Marshal(s.bodies[len(s.bodies)-1])
			if len(s.bodies) != c.calls+1 || !c.last(string(last)) {
				t.Errorf("%d calls, last %s", len(s.bodies), last)
			}
		})
	}
}

func TestToolCall(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, 200, "", whole) })
	tool := model.Tool{Name: "note", Description: "d", Parameters: schema.JSON}
	if _, err := s.client().CallTool(t.Context(), model.Request{Messages: hello}, tool); !model.IsKind(err, model.KindUnsupported) {
		t.Error(err)
	}
}

// Failures as AWS writes them; none is told with its own sentence, and none is
// repeated by the library.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		status     int
		kind, body string
		want       model.Kind
	}{
		"no access":      {403, "AccessDeniedException", `{"message":"You don't have access to the model with the specified model ID."}`, model.KindAuth},
		"wrong key":      {403, "UnrecognizedClientException", `{"message":"The security token included in the request is invalid. AKID"}`, model.KindAuth},
		"wrong secret":   {403, "InvalidSignatureException", `{"message":"The request signature we calculated does not match"}`, model.KindAuth},
		"unknown model":  {400, "ValidationException", `{"message":"The provided model identifier is invalid."}`, model.KindUnknownModel},
		"needs profile":  {400, "ValidationException", `{"message":"Invocation of model ID x with on-demand throughput isn't supported."}`, model.KindUnknownModel},
		"no such model":  {404, "ResourceNotFoundException", `{"message":"Could not resolve the foundation model"}`, model.KindUnknownModel},
		"throttled":      {429, "ThrottlingException", `{"message":"Too many requests"}`, model.KindRateLimited},
		"quota":          {400, "ServiceQuotaExceededException", `{"message":"quota"}`, model.KindQuota},
		"unavailable":    {503, "ServiceUnavailableException", `{"message":"busy"}`, model.KindOverloaded},
		"not ready":      {429, "ModelNotReadyException", `{"message":"warming"}`, model.KindOverloaded},
		"model late":     {408, "ModelTimeoutException", `{"message":"late"}`, model.KindTimeout},
		"server":         {500, "InternalServerException", `{"message":"oops"}`, model.KindUnavailable},
		"model error":    {424, "ModelErrorException", `{"message":"oops"}`, model.KindInvalid},
		"bad request":    {400, "ValidationException", `{"message":"messages: the prompt is too long"}`, model.KindInvalid},
		"a bare gateway": {529, "", `<html>`, model.KindOverloaded},
		"half a JSON":    {200, "", `{"output":{"mess`, model.KindMalformed},
		"a page":         {200, "", `<html>`, model.KindMalformed},
		"no message":     {200, "", `{}`, model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, c.status, c.kind, c.body) })
			_, err := s.client().Complete(t.Context(), model.Request{Messages: hello})
			if !model.IsKind(err, c.want) || len(s.bodies) != 1 {
				t.Fatalf("%v after %d calls", err, len(s.bodies))
			}
			for _, secret := range []string{"AKID", "secret", "prompt"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("tells too much: %v", err)
				}
			}
			if c.status != 200 {
				if _, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, nil); !model.IsKind(err, c.want) {
					t.Errorf("streamed: %v", err)
				}
			}
		})
	}
}

// frames writes events in AWS's own framing; a type that ends in Exception is one.
func frames(t *testing.T, events ...[2]string) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := eventstream.NewEncoder()
	for _, e := range events {
		kind, name := "event", ":event-type"
		if strings.HasSuffix(e[0], "Exception") {
			kind, name = "exception", ":exception-type"
		}
		err := enc.Encode(&out, eventstream.Message{
			Headers: eventstream.Headers{
				{Name: ":message-type", Value: eventstream.StringValue(kind)},
				{Name: name, Value: eventstream.StringValue(e[0])},
				{Name: ":content-type", Value: eventstream.StringValue("application/json")},
			}, Payload: []byte(e[1]),
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out.Bytes()
}

func TestStream(t *testing.T) {
	text := func(s string) [2]string {
		return [2]string{"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"text":"` + s + `"}}`}
	}
	start := [2]string{"messageStart", `{"role":"assistant"}`}
	stop := func(why string) [2]string { return [2]string{"messageStop", `{"stopReason":"` + why + `"}`} }
	meta := [2]string{"metadata", `{"usage":{"inputTokens":9,"outputTokens":2,"totalTokens":11},"metrics":{"latencyMs":1}}`}
	full := frames(t, start, text("Hel"), text("lo"), stop("end_turn"), meta)
	for name, c := range map[string]struct {
		body []byte
		text string
		stop model.Stop
		kind model.Kind
	}{
		"whole":      {full, "Hello", model.StopEnd, ""},
		"cut":        {frames(t, start, text("Hi"), stop("max_tokens"), meta), "Hi", model.StopLength, ""},
		"filtered":   {frames(t, start, text("Hi"), stop("guardrail_intervened"), meta), "Hi", model.StopFiltered, ""},
		"tool":       {frames(t, start, [2]string{"contentBlockDelta", `{"contentBlockIndex":0,"delta":{"toolUse":{"input":"{\"a\":1}"}}}`}, stop("tool_use"), meta), `{"a":1}`, model.StopEnd, ""},
		"truncated":  {frames(t, start, text("Hel")), "Hel", "", model.KindTruncated},
		"in a frame": {full[:len(full)-330], "Hel", "", model.KindTruncated},
		"throttled":  {frames(t, start, text("Hel"), [2]string{"throttlingException", `{"message":"slow down"}`}), "Hel", "", model.KindRateLimited},
		"model":      {frames(t, start, text("Hel"), [2]string{"modelStreamErrorException", `{"message":"oops"}`}), "Hel", "", model.KindUnavailable},
		"garbage":    {[]byte("<html>this is no stream of events, just a page of some proxy</html>"), "", "", model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
				w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
				_, _ = w.Write(c.body)
			})
			got := ""
			res, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, func(p string) error { got += p; return nil })
			if got != c.text || c.kind == "" && (err != nil || res.Text != c.text || res.Stop != c.stop || res.Usage != (model.Usage{Input: 9, Output: 2})) || c.kind != "" && !model.IsKind(err, c.kind) {
				t.Errorf("%q %+v %v", got, res, err)
			}
			if s.paths[0] != "/model/eu.amazon.nova-lite-v1%3A0/converse-stream" {
				t.Error(s.paths[0])
			}
		})
	}
	enough := errors.New("enough")
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "application/vnd.amazon.eventstream")
		_, _ = w.Write(full)
	})
	if _, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, func(string) error { return enough }); !errors.Is(err, enough) {
		t.Error(err)
	}
}

type apiKey struct{}

func (apiKey) RetrieveBearerToken(context.Context) (bearer.Token, error) {
	return bearer.Token{Value: "ABSKabc"}, nil
}

// A Bedrock API key stands in the header as it is, over TLS alone.
func TestAPIKey(t *testing.T) {
	sent := ""
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.Header.Get("Authorization")
		send(w, 200, "", whole)
	}))
	defer s.Close()
	cfg := config(s.URL, s.Client())
	cfg.Credentials, cfg.BearerAuthTokenProvider, cfg.AuthSchemePreference = nil, apiKey{}, []string{"httpBearerAuth"}
	if _, err := New(cfg, "m").Complete(t.Context(), model.Request{Messages: hello}); err != nil || sent != "Bearer ABSKabc" {
		t.Errorf("%q %v", sent, err)
	}
	cfg.BaseEndpoint = aws.String(strings.Replace(s.URL, "https", "http", 1))
	if _, err := New(cfg, "m").Complete(t.Context(), model.Request{Messages: hello}); !model.IsKind(err, model.KindInvalid) {
		t.Error(err)
	}
}

func TestTransport(t *testing.T) {
	hang := make(chan struct{})
	defer close(hang)
	r := model.Request{Messages: hello}
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "4096")
		_, _ = io.WriteString(w, whole[:40])
	})
	if _, err := s.client().Complete(t.Context(), r); !model.IsKind(err, model.KindTruncated) {
		t.Errorf("cut: %v", err)
	}
	s = serve(t, func(http.ResponseWriter, map[string]any) { <-hang })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.client().Complete(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hanging: %v", err)
	}
	gone := New(config("http://127.0.0.1:1", http.DefaultClient), "m")
	if _, err := gone.Complete(t.Context(), r); !model.IsKind(err, model.KindUnavailable) {
		t.Errorf("gone: %v", err)
	}
}
