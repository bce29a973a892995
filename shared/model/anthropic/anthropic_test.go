package anthropic

import (
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

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
)

type server struct {
	*httptest.Server
	mu      sync.Mutex
	bodies  []map[string]any
	headers []http.Header
}

func serve(t *testing.T, answer func(w http.ResponseWriter, body map[string]any)) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/messages" {
			t.Errorf("path %s", r.URL.Path)
		}
		var body map[string]any
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil {
			t.Error(err)
		}
		s.mu.Lock()
		s.bodies, s.headers = append(s.bodies, body), append(s.headers, r.Header.Clone())
		s.mu.Unlock()
		answer(w, body)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client() *Client {
	return New(Config{Base: s.URL, Model: "claude-x", Key: "sk-ant-secret", HTTP: s.Server.Client(), Clock: clock.Hold(time.Unix(0, 0))})
}

func send(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

const whole = `{"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[{"type":"text","text":"Hello."}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":4,"cache_creation_input_tokens":100,"cache_read_input_tokens":20,"output_tokens":3}}`

var (
	schema = &model.Schema{Name: "pick", JSON: json.RawMessage(`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`)}
	hello  = []model.Message{{Role: model.User, Text: "x"}}
)

func TestRequest(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "sk-of-this-machine")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "token-of-this-machine")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, 200, whole) })
	res, err := s.client().Complete(t.Context(), model.Request{
		System: "Be brief.", CacheSystem: true, MaxTokens: 7, Schema: schema,
		Messages: []model.Message{{Role: model.User, Text: "Look", Images: []model.Image{{MediaType: "image/png", Data: []byte{1, 2}}}}, {Role: model.Assistant, Text: "Yes"}, {Role: model.User, Text: "And?"}},
	})
	if err != nil || res.Text != "Hello." || res.Stop != model.StopEnd || res.Usage != (model.Usage{Input: 124, Output: 3, CachedInput: 20}) {
		t.Fatalf("%+v %v", res, err)
	}
	got, _ := json.Marshal(s.bodies[0])
	want := `{"max_tokens":7,"messages":[{"content":[{"source":{"data":"AQI=","media_type":"image/png","type":"base64"},"type":"image"},{"text":"Look","type":"text"}],"role":"user"},{"content":[{"text":"Yes","type":"text"}],"role":"assistant"},{"content":[{"text":"And?","type":"text"}],"role":"user"}],"model":"claude-x","output_config":{"format":{"schema":{"additionalProperties":false,"properties":{"a":{"type":"string"}},"required":["a"],"type":"object"},"type":"json_schema"}},"system":[{"cache_control":{"type":"ephemeral"},"text":"Be brief.","type":"text"}]}`
	if string(got) != want {
		t.Errorf("\n%s, want\n%s", got, want)
	}
	h := s.headers[0]
	if h.Get("Authorization") != "Bearer sk-ant-secret" || h.Get("X-Api-Key") != "" || h.Get("Traceparent") != "" {
		t.Errorf("%v", h)
	}
}

// An address may end in /v1, as those of the other protocol do.
func TestBase(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, 200, whole) })
	for _, base := range []string{s.URL + "/", s.URL + "/v1", s.URL + "/v1/"} {
		c := New(Config{Base: base, Model: "m", Key: "k", HTTP: s.Server.Client()})
		if _, err := c.Complete(t.Context(), model.Request{Messages: hello}); err != nil {
			t.Errorf("%s: %v", base, err)
		}
	}
}

// An older model has no schema mode; that is seen once.
func TestSchemaInWords(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, b map[string]any) {
		if b["output_config"] != nil {
			send(w, 400, `{"type":"error","error":{"type":"invalid_request_error","message":"output_config.format: this model does not support structured outputs"}}`)
			return
		}
		send(w, 200, whole)
	})
	c := s.client()
	for range 2 {
		if _, err := c.Complete(t.Context(), model.Request{Messages: hello, Schema: schema}); err != nil {
			t.Fatal(err)
		}
	}
	last, _ := json.Marshal(s.bodies[2]["system"])
	if len(s.bodies) != 3 || !strings.Contains(string(last), "JSON schema") {
		t.Errorf("%d calls, %s", len(s.bodies), last)
	}
}

func TestToolCall(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		send(w, 200, `{"type":"message","role":"assistant","content":[{"type":"tool_use","id":"t","name":"note","input":{"a":"b"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`)
	})
	tool := model.Tool{Name: "note", Description: "d", Parameters: schema.JSON}
	res, err := s.client().CallTool(t.Context(), model.Request{Messages: hello}, tool)
	if err != nil || string(res.JSON) != `{"a":"b"}` {
		t.Errorf("%+v %v", res, err)
	}
	choice, _ := json.Marshal(s.bodies[0]["tool_choice"])
	tools, _ := json.Marshal(s.bodies[0]["tools"])
	if string(choice) != `{"name":"note","type":"tool"}` || !strings.Contains(string(tools), `"required":["a"]`) {
		t.Errorf("%s %s", choice, tools)
	}
	s = serve(t, func(w http.ResponseWriter, _ map[string]any) { send(w, 200, whole) })
	if _, err := s.client().CallTool(t.Context(), model.Request{Messages: hello}, tool); !model.IsKind(err, model.KindUnsupported) {
		t.Error(err)
	}
}

func failing(typ, message string) string {
	return `{"type":"error","error":{"type":"` + typ + `","message":"` + message + `"},"request_id":"req_1"}`
}

// Failures as the API writes them; none is told with its own sentence, and none is
// repeated by the library.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		after  string
		body   string
		kind   model.Kind
		wait   time.Duration
	}{
		"wrong key":     {401, "", failing("authentication_error", "invalid x-api-key sk-ant-secret"), model.KindAuth, 0},
		"no permission": {403, "", failing("permission_error", "not allowed"), model.KindAuth, 0},
		"unknown model": {404, "", failing("not_found_error", "model: claude-x"), model.KindUnknownModel, 0},
		"no credit":     {400, "", failing("invalid_request_error", "Your credit balance is too low to access the API"), model.KindQuota, 0},
		"billing":       {402, "", failing("billing_error", "billing"), model.KindQuota, 0},
		"rate limit":    {429, "11", failing("rate_limit_error", "This request would exceed your rate limit"), model.KindRateLimited, 11 * time.Second},
		"overloaded":    {529, "", failing("overloaded_error", "Overloaded"), model.KindOverloaded, 0},
		"server":        {500, "", failing("api_error", "Internal server error"), model.KindUnavailable, 0},
		"late":          {504, "", failing("timeout_error", "timed out"), model.KindTimeout, 0},
		"bad request":   {400, "", failing("invalid_request_error", "messages: the prompt is too long"), model.KindInvalid, 0},
		"too large":     {413, "", failing("request_too_large", "too large"), model.KindInvalid, 0},
		"gateway":       {502, "", `<html>bad gateway</html>`, model.KindUnavailable, 0},
		"half a JSON":   {200, "", `{"type":"message","content":[`, model.KindTruncated, 0},
		"a page":        {200, "", `<html>welcome</html>`, model.KindMalformed, 0},
		"another JSON":  {200, "", `{"choices":[]}`, model.KindMalformed, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
				if c.after != "" {
					w.Header().Set("Retry-After", c.after)
				}
				send(w, c.status, c.body)
			})
			_, err := s.client().Complete(t.Context(), model.Request{Messages: hello})
			var e *model.Error
			if !errors.As(err, &e) || e.Kind != c.kind || e.RetryAfter != c.wait || len(s.bodies) != 1 {
				t.Fatalf("%v after %d calls", err, len(s.bodies))
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "prompt") {
				t.Errorf("tells too much: %v", err)
			}
			if c.status != 200 {
				if _, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, nil); !model.IsKind(err, c.kind) {
					t.Errorf("streamed: %v", err)
				}
			}
		})
	}
}

func event(typ, data string) string { return "event: " + typ + "\ndata: " + data + "\n\n" }

func text(s string) string {
	return event("content_block_delta", `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"`+s+`"}}`)
}

var (
	start = event("message_start", `{"type":"message_start","message":{"id":"m","type":"message","role":"assistant","content":[],"model":"claude-x","usage":{"input_tokens":9,"cache_read_input_tokens":5,"output_tokens":1}}}`) +
		event("content_block_start", `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`) + event("ping", `{"type":"ping"}`)
	end = event("content_block_stop", `{"type":"content_block_stop","index":0}`) +
		event("message_delta", `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":15}}`) + event("message_stop", `{"type":"message_stop"}`)
)

func TestStream(t *testing.T) {
	for name, c := range map[string]struct {
		body, text string
		stop       model.Stop
		kind       model.Kind
	}{
		"whole":        {start + text("Hel") + text("lo") + end, "Hello", model.StopEnd, ""},
		"cut":          {start + text("Hi") + strings.Replace(end, "end_turn", "max_tokens", 1), "Hi", model.StopLength, ""},
		"refused":      {start + text("Hi") + strings.Replace(end, "end_turn", "refusal", 1), "Hi", model.StopFiltered, ""},
		"truncated":    {start + text("Hel"), "Hel", "", model.KindTruncated},
		"empty":        {"", "", "", model.KindTruncated},
		"overloaded":   {start + text("Hel") + event("error", failing("overloaded_error", "Overloaded")), "Hel", "", model.KindOverloaded},
		"invalid JSON": {start + text("Hel") + event("content_block_delta", `{"type":`), "Hel", "", model.KindMalformed},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, func(w http.ResponseWriter, b map[string]any) {
				if b["stream"] != true {
					t.Error("not asked to stream")
				}
				w.Header().Set("Content-Type", "text/event-stream")
				_, _ = io.WriteString(w, c.body)
			})
			got := ""
			res, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, func(p string) error { got += p; return nil })
			if got != c.text || c.kind == "" && (err != nil || res.Text != c.text || res.Stop != c.stop || res.Usage != (model.Usage{Input: 14, Output: 15, CachedInput: 5})) || c.kind != "" && !model.IsKind(err, c.kind) {
				t.Errorf("%q %+v %v", got, res, err)
			}
		})
	}
	enough := errors.New("enough")
	s := serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, start+text("a")+text("b")+end)
	})
	if _, err := s.client().Stream(t.Context(), model.Request{Messages: hello}, func(string) error { return enough }); !errors.Is(err, enough) {
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
	s = serve(t, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Content-Length", "4096")
		_, _ = io.WriteString(w, start+text("a"))
	})
	if _, err := s.client().Stream(t.Context(), r, func(string) error { return nil }); !model.IsKind(err, model.KindTruncated) {
		t.Errorf("cut stream: %v", err)
	}
	s = serve(t, func(http.ResponseWriter, map[string]any) { <-hang })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := s.client().Complete(ctx, r); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("hanging: %v", err)
	}
	late := New(Config{Base: s.URL, Model: "m", Key: "k", HTTP: &http.Client{Timeout: 20 * time.Millisecond}})
	if _, err := late.Complete(t.Context(), r); !model.IsKind(err, model.KindTimeout) {
		t.Errorf("time-out of the transport: %v", err)
	}
	gone := New(Config{Base: "http://127.0.0.1:1", Model: "m", Key: "k", HTTP: http.DefaultClient})
	if _, err := gone.Complete(t.Context(), r); !model.IsKind(err, model.KindUnavailable) {
		t.Errorf("gone: %v", err)
	}
}
