// Package openai speaks the chat completions protocol, which OpenAI, many other
// vendors and one's own server (Ollama, vLLM, llama.cpp) understand, over plain
// HTTP and server-sent events.
//
// Servers differ in what they take. What a server refuses is left out of the next
// call and remembered: the strict schema mode falls back to JSON mode and that to
// words, an unknown name of a parameter to the older one.
package openai

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// DefaultBase is where OpenAI itself answers.
const DefaultBase = "https://api.openai.com/v1"

// Config of a client.
type Config struct {
	Provider string       // as Info names it: model.OpenAI or model.OpenAICompatible
	Base     string       // address up to /v1; DefaultBase when empty
	Model    string       // as the server calls it
	Key      string       // empty: no Authorization header
	HTTP     *http.Client // how addresses are reached; it must not follow redirects
	Clock    clock.Clock  // for dates in Retry-After
}

// Client is one model of one server.
type Client struct {
	cfg  Config
	form atomic.Int32 // how schemas are asked for; only grows
	// What this server was seen not to take.
	otherMax, noTemperature, noUsage, noOneCall atomic.Bool
}

var (
	_ model.Client     = (*Client)(nil)
	_ model.ToolCaller = (*Client)(nil)
)

// New makes a client; it makes no call.
func New(cfg Config) *Client {
	if cfg.Base == "" {
		cfg.Base = DefaultBase
	}
	cfg.Base = strings.TrimRight(cfg.Base, "/")
	if cfg.Clock == nil {
		cfg.Clock = clock.System{}
	}
	return &Client{cfg: cfg}
}

// Info names the model.
func (c *Client) Info() model.Info { return model.Info{Provider: c.cfg.Provider, Model: c.cfg.Model} }

// Ways of asking for a schema, best first.
const (
	formSchema int32 = iota // response_format json_schema, strict
	formObject              // response_format json_object, the schema in words
	formWords               // the schema in words alone
)

// Complete gives the whole answer.
func (c *Client) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	return c.call(ctx, r, nil, func(body io.Reader) (model.Response, error) { return readWhole(ctx, body) }, false)
}

// CallTool has the model call one tool.
func (c *Client) CallTool(ctx context.Context, r model.Request, t model.Tool) (model.Response, error) {
	r.Schema = nil
	res, err := c.call(ctx, r, &t, func(body io.Reader) (model.Response, error) { return readWhole(ctx, body) }, false)
	if err == nil && res.JSON == nil {
		err = &model.Error{Kind: model.KindUnsupported, Detail: "the model did not call the tool", Usage: res.Usage}
	}
	return res, err
}

// Stream gives the answer as it comes.
func (c *Client) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	return c.call(ctx, r, nil, func(body io.Reader) (model.Response, error) { return readStream(ctx, body, delta) }, true)
}

// call sends a request, again without what the server does not take. Each round
// gives up one thing, so it ends.
func (c *Client) call(ctx context.Context, r model.Request, t *model.Tool, read func(io.Reader) (model.Response, error), stream bool) (model.Response, error) {
	form := c.form.Load()
	var first *model.Error
	for {
		res, refused, err := c.once(ctx, r, t, form, stream, read)
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != model.KindInvalid && e.Kind != model.KindUnsupported {
			if err == nil {
				c.learn(form) // if it fell back, it was the form that was refused
			}
			return res, err
		}
		switch {
		case refused.of("max_tokens", "max_completion_tokens") && c.otherMax.CompareAndSwap(false, true):
		case refused.of("temperature") && r.Temperature != nil && c.noTemperature.CompareAndSwap(false, true):
		case stream && refused.of("stream_options") && c.noUsage.CompareAndSwap(false, true):
		case r.OneCall && refused.of("parallel_tool_calls") && c.noOneCall.CompareAndSwap(false, true):
		case r.Schema != nil && form < formWords && refused.param != "messages":
			form++
		default:
			if first != nil {
				e = first
			}
			return res, e
		}
		if first == nil {
			first = e
		}
	}
}

// learn remembers the form of asking for a schema that worked.
func (c *Client) learn(form int32) {
	for now := c.form.Load(); form > now && !c.form.CompareAndSwap(now, form); now = c.form.Load() {
	}
}

// once makes one HTTP call.
func (c *Client) once(ctx context.Context, r model.Request, t *model.Tool, form int32, stream bool, read func(io.Reader) (model.Response, error)) (model.Response, refusal, error) {
	body, err := json.Marshal(c.request(r, t, form, stream))
	if err != nil {
		return model.Response{}, refusal{}, fmt.Errorf("openai: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.cfg.Base+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return model.Response{}, refusal{}, &model.Error{Kind: model.KindInvalid, Detail: "the address is not well formed"}
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "mindgate")
	if c.cfg.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.cfg.Key)
	}
	if stream {
		req.Header.Set("Accept", "text/event-stream")
	}
	res, err := c.cfg.HTTP.Do(req)
	if err != nil {
		return model.Response{}, refusal{}, model.FromTransport(ctx, err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		e, refused := readFailure(res, c.cfg.Clock.Now())
		return model.Response{}, refused, e
	}
	if stream && !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") {
		return model.Response{}, refusal{}, &model.Error{Kind: model.KindUnsupported, Detail: "the server does not stream"}
	}
	out, err := read(res.Body)
	return out, refusal{}, err
}

type part struct {
	Type  string    `json:"type"`
	Text  string    `json:"text,omitempty"`
	Image *imageURL `json:"image_url,omitempty"`
}

type imageURL struct {
	URL string `json:"url"`
}

type turn struct {
	Role    string `json:"role"`
	Content any    `json:"content"` // string or []part; null beside calls
	Calls   []call `json:"tool_calls,omitempty"`
	CallID  string `json:"tool_call_id,omitempty"`
}

// request is the body of a call.
func (c *Client) request(r model.Request, t *model.Tool, form int32, stream bool) map[string]any {
	system := r.System
	body := map[string]any{"model": c.cfg.Model}
	if r.Schema != nil {
		switch form {
		case formSchema:
			body["response_format"] = map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": r.Schema.Name, "strict": true, "schema": r.Schema.JSON}}
		case formObject:
			body["response_format"] = map[string]any{"type": "json_object"}
		}
		if form != formSchema {
			system = strings.TrimSpace(system + "\n\n" + r.Schema.InWords())
		}
	}
	var turns []turn
	if system != "" {
		turns = append(turns, turn{Role: "system", Content: system})
	}
	for _, m := range r.Messages {
		turns = append(turns, turn{Role: string(m.Role), Content: content(m), Calls: callsOf(m.Calls), CallID: m.CallID})
	}
	body["messages"] = turns
	// OpenAI's newer models know max_completion_tokens alone, other servers often
	// only the older name.
	name := "max_tokens"
	if (c.cfg.Provider == model.OpenAI) != c.otherMax.Load() {
		name = "max_completion_tokens"
	}
	body[name] = r.Limit()
	if r.Temperature != nil && !c.noTemperature.Load() {
		body["temperature"] = *r.Temperature
	}
	if t != nil {
		body["tools"] = []any{map[string]any{"type": "function", "function": map[string]any{"name": t.Name, "description": t.Description, "parameters": t.Parameters}}}
		body["tool_choice"] = map[string]any{"type": "function", "function": map[string]any{"name": t.Name}}
	}
	c.offer(body, r)
	if stream {
		body["stream"] = true
		if !c.noUsage.Load() {
			body["stream_options"] = map[string]any{"include_usage": true}
		}
	}
	return body
}

// content is a plain string unless there are images: many servers take no parts.
func content(m model.Message) any {
	if len(m.Images) == 0 {
		if m.Text == "" && len(m.Calls) > 0 {
			return nil
		}
		return m.Text
	}
	var parts []part
	for _, i := range m.Images {
		parts = append(parts, part{Type: "image_url", Image: &imageURL{"data:" + i.MediaType + ";base64," + base64.StdEncoding.EncodeToString(i.Data)}})
	}
	if m.Text != "" {
		parts = append(parts, part{Type: "text", Text: m.Text})
	}
	return parts
}
