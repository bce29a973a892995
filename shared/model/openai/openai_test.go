package openai

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// server answers by a function and keeps the bodies that it got.
type server struct {
	*httptest.Server
	mu     sync.Mutex
	bodies []map[string]any
	auth   []string
}

func serve(t *testing.T, answer func(w http.ResponseWriter, body map[string]any, n int)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Method != http.MethodPost {
			http.NotFound(w, r)
			return
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		n := len(s.bodies)
		s.bodies, s.auth = append(s.bodies, body), append(s.auth, r.Header.Get("Authorization"))
		s.mu.Unlock()
		answer(w, body, n)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(provider string) *Client {
	return New(Config{Provider: provider, Base: s.URL + "/v1", Model: "m", Key: "sk-secret", HTTP: s.Server.Client(), Clock: clock.Hold(time.Unix(0, 0))})
}

const whole = `{"id":"x","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":3,"total_tokens":15,"prompt_tokens_details":{"cached_tokens":8}}}`

func reply200(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

func refuse(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

var schema = &model.Schema{Name: "pick", JSON: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)}

func TestRequest(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) { reply200(w, whole) })
	warm := .5
	res, err := s.client(model.OpenAI).Complete(t.Context(), model.Request{
		System: "Be brief.", MaxTokens: 7, Temperature: &warm, Schema: schema,
		Messages: []model.Message{{Role: model.User, Text: "Look", Images: []model.Image{{MediaType: "image/png", Data: []byte{1, 2}}}}, {Role: model.Assistant, Text: "Yes"}, {Role: model.User, Text: "And?"}},
	})
	if err != nil || res.Text != "Hello." || res.Stop != model.StopEnd || res.Usage != (model.Usage{Input: 12, Output: 3, CachedInput: 8}) {
		t.Fatalf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_completion_tokens":7,"messages":[{"content":"Be brief.","role":"system"},{"content":[{"image_url":{"url":"data:image/png;base64,AQI="},"type":"image_url"},{"text":"Look","type":"text"}],"role":"user"},{"content":"Yes","role":"assistant"},{"content":"And?","role":"user"}],"model":"m","response_format":{"json_schema":{"name":"pick","schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"strict":true},"type":"json_schema"},"temperature":0.5}`
	if string(got) != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	if s.auth[0] != "Bearer sk-secret" {
		t.Error(s.auth[0])
	}
	if _, err := s.client(model.OpenAICompatible).Complete(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: "x"}}}); err != nil {
		t.Fatal(err)
	}
	if b := s.bodies[1]; b["max_tokens"] != float64(model.DefaultMaxTokens) || b["max_completion_tokens"] != nil || b["temperature"] != nil || b["response_format"] != nil {
		t.Errorf("%v", b)
	}
}

func TestToolCall(t *testing.T) {
	called := true
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
		if called {
			reply200(w, `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1","type":"function","function":{"name":"note","arguments":"{\"a\":\"b\"}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`)
			return
		}
		reply200(w, whole)
	})
	c := s.client(model.OpenAI)
	tool := model.Tool{Name: "note", Description: "d", Parameters: schema.JSON}
	res, err := c.CallTool(t.Context(), model.Request{Messages: []model.Message{{Role: model.User, Text: "x"}}}, tool)
	if err != nil || string(res.JSON) != `{"a":"b"}` {
		t.Errorf("%+v %v", res, err)
	}
	if choice, _ := json.Marshal(s.bodies[0]["tool_choice"]); string(choice) != `{"function":{"name":"note"},"type":"function"}` {
		t.Errorf("%s", choice)
	}
	called = false
	if _, err := c.CallTool(t.Context(), model.Request{}, tool); !model.IsKind(err, model.KindUnsupported) {
		t.Error(err)
	}
}

// Failures as servers of this protocol write them, each sorted, none of them told
// with the provider's own sentence.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		after  string
		body   string
		kind   model.Kind
		code   string
		wait   time.Duration
	}{
		"wrong key":              {401, "", `{"error":{"message":"Incorrect API key provided: sk-secret. You can find your API key at https://platform.openai.com.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, model.KindAuth, "invalid_api_key", 0},
		"no access":              {403, "", `{"error":{"message":"Project does not have access to model","type":"invalid_request_error","code":null}}`, model.KindAuth, "invalid_request_error", 0},
		"unknown model":          {404, "", "{\"error\":{\"message\":\"The model `m` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"}}", model.KindUnknownModel, "model_not_found", 0},
		"unknown model, Ollama":  {404, "", `{"error":{"message":"model \"m\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, model.KindUnknownModel, "api_error", 0},
		"unknown model, vLLM":    {404, "", "{\"object\":\"error\",\"message\":\"The model `m` does not exist.\",\"type\":\"NotFoundError\",\"param\":null,\"code\":404}", model.KindUnknownModel, "NotFoundError", 0},
		"unknown model, Mistral": {400, "", `{"object":"error","message":"Invalid model: m","type":"invalid_model","param":null,"code":"1500"}`, model.KindUnknownModel, "1500", 0},
		"another page":           {404, "", `<html>Not Found</html>`, model.KindInvalid, "", 0},
		"rate limit":             {429, "20", `{"error":{"message":"Rate limit reached for m in organization org-x on tokens per min.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, model.KindRateLimited, "rate_limit_exceeded", 20 * time.Second},
		"rate limit, bare":       {429, "", ``, model.KindRateLimited, "", 0},
		"no credit":              {429, "", `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, model.KindQuota, "insufficient_quota", 0},
		"payment":                {402, "", `{"error":{"message":"Insufficient credits","code":402}}`, model.KindQuota, "", 0},
		"overloaded":             {529, "", `{"error":{"message":"Overloaded","type":"overloaded_error"}}`, model.KindOverloaded, "overloaded_error", 0},
		"unavailable":            {503, "3", `{"error":{"message":"The engine is currently overloaded","type":"server_error"}}`, model.KindOverloaded, "server_error", 3 * time.Second},
		"server":                 {500, "", `{"error":{"message":"The server had an error","type":"server_error"}}`, model.KindUnavailable, "server_error", 0},
		"gateway":                {502, "", `<html>bad gateway</html>`, model.KindUnavailable, "", 0},
		"gateway late":           {504, "", ``, model.KindTimeout, "", 0},
		"too long":               {400, "", `{"error":{"message":"This model's maximum context length is 8192 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`, model.KindInvalid, "context_length_exceeded", 0},
		"filtered":               {400, "", `{"error":{"message":"The response was filtered","param":"prompt","code":"content_filter","status":400}}`, model.KindFiltered, "content_filter", 0},
		"a string":               {400, "", `{"error":"bad things happened to your prompt"}`, model.KindInvalid, "", 0},
		"FastAPI":                {422, "", `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`, model.KindInvalid, "", 0},
		"no images":              {400, "", `{"error":{"message":"This model does not support image input","type":"invalid_request_error"}}`, model.KindUnsupported, "invalid_request_error", 0},
		"not built":              {501, "", `{"error":{"message":"Not implemented"}}`, model.KindUnsupported, "", 0},
		"failed with 200":        {200, "", `{"error":{"message":"Provider returned error","code":"rate_limit_exceeded"}}`, model.KindRateLimited, "rate_limit_exceeded", 0},
		"invalid JSON":           {200, "", `{"choices":[`, model.KindMalformed, "", 0},
		"a page":                 {200, "", `<html>welcome</html>`, model.KindMalformed, "", 0},
		"no choices":             {200, "", `{"choices":[]}`, model.KindMalformed, "", 0},
		"a redirect":             {302, "", ``, model.KindInvalid, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ map[string]any, _ int) {
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				refuse(w, c.status, c.body)
			})
			for _, stream := range []bool{false, true} {
				if stream && c.status == 200 {
					continue
				}
				var err error
				r := model.Request{Messages: []model.Message{{Role: model.User, Text: "the prompt"}}}
				if stream {
					_, err = s.client(model.OpenAI).Stream(t.Context(), r, func(string) error { return nil })
				} else {
					_, err = s.client(model.OpenAI).Complete(t.Context(), r)
				}
				var e *model.Error
				if !errors.As(err, &e) || e.Kind != c.kind || e.Code != c.code || e.RetryAfter != c.wait {
					t.Fatalf("%+v %v", e, err)
				}
				for _, secret := range []string{"sk-secret", "org-x", "prompt"} {
					if strings.Contains(err.Error(), secret) {
						t.Errorf("%q tells %q", err, secret)
					}
				}
				if n := len(s.bodies); n > 2 {
					t.Errorf("%d calls", n)
				}
			}
		})
	}
}

// What a server does not take is left out and remembered.
func TestAdapts(t *testing.T) {
	refusing := func(param, message string, has func(b map[string]any) bool) func(http.ResponseWriter, map[string]any) bool {
		return func(w http.ResponseWriter, b map[string]any) bool {
			if has(b) {
				refuse(w, 400, fmt.Sprintf(`{"error":{"message":%q,"type":"invalid_request_error","param":%q,"code":"unsupported_parameter"}}`, message, param))
				return true
			}
			return false
		}
	}
	format := func(b map[string]any) any { f, _ := b["response_format"].(map[string]any); return f["type"] }
	warm := .2
	for name, c := range map[string]struct {
		provider string
		refuses  func(http.ResponseWriter, map[string]any) bool
		calls    int // of the first request
		last     func(b map[string]any) bool
	}{
		"max_tokens": {model.OpenAICompatible, refusing("max_tokens", "Unsupported parameter: 'max_tokens'", func(b map[string]any) bool { return b["max_tokens"] != nil }), 2,
			func(b map[string]any) bool { return b["max_completion_tokens"] != nil && b["max_tokens"] == nil }},
		"temperature": {model.OpenAI, refusing("temperature", "Unsupported value", func(b map[string]any) bool { return b["temperature"] != nil }), 2,
			func(b map[string]any) bool { return b["temperature"] == nil && format(b) == "json_schema" }},
		"json_schema": {model.OpenAICompatible, refusing("response_format", "json_schema is not supported", func(b map[string]any) bool { return format(b) == "json_schema" }), 2,
			func(b map[string]any) bool {
				return format(b) == "json_object" && strings.Contains(firstText(b), `"required":["a"]`)
			}},
		"any format": {model.OpenAICompatible, refusing("", "extra fields not permitted: response_format", func(b map[string]any) bool { return b["response_format"] != nil }), 3,
			func(b map[string]any) bool { return format(b) == nil && strings.Contains(firstText(b), "JSON schema") }},
		"all of it": {model.OpenAI, func(w http.ResponseWriter, b map[string]any) bool {
			for _, p := range []string{"max_completion_tokens", "temperature", "response_format"} {
				if b[p] != nil {
					refuse(w, 400, fmt.Sprintf(`{"error":{"message":"Unrecognized request argument supplied: %s","type":"invalid_request_error","param":null,"code":null}}`, p))
					return true
				}
			}
			return false
		}, 5, func(b map[string]any) bool {
			return b["max_tokens"] != nil && b["temperature"] == nil && format(b) == nil
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, b map[string]any, _ int) {
				if !c.refuses(w, b) {
					reply200(w, whole)
				}
			})
			cl := s.client(c.provider)
			r := model.Request{Schema: schema, Temperature: &warm, Messages: []model.Message{{Role: model.User, Text: "x"}}}
			for range 2 {
				if _, err := cl.Complete(t.Context(), r); err != nil {
					t.Fatal(err)
				}
			}
			if len(s.bodies) != c.calls+1 || !c.last(s.bodies[c.calls-1]) || !c.last(s.bodies[c.calls]) {
				t.Errorf("%d calls, last %v", len(s.bodies), s.bodies[len(s.bodies)-1])
			}
		})
	}
}

func firstText(b map[string]any) string {
	turns, _ := b["messages"].([]any)
	first, _ := turns[0].(map[string]any)
	s, _ := first["content"].(string)
	return s
}

// A refusal that nothing helps against is the first one, and teaches nothing.
func TestAdaptingGivesUp(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any, n int) {
		refuse(w, 400, fmt.Sprintf(`{"error":{"message":"no","code":"c%d"}}`, n))
	})
	c := s.client(model.OpenAI)
	_, err := c.Complete(t.Context(), model.Request{Schema: schema})
	var e *model.Error
	if !errors.As(err, &e) || e.Code != "c0" || len(s.bodies) != 3 || c.form.Load() != formSchema {
		t.Errorf("%v after %d, form %d", err, len(s.bodies), c.form.Load())
	}
}
