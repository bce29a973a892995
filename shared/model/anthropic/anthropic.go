// Package anthropic speaks Anthropic's Messages API through its own client
// library, which is told to repeat nothing, to read no environment and to trace
// nothing.
package anthropic

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"
	"github.com/anthropics/anthropic-sdk-go/v2/option"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// Config of a client.
type Config struct {
	Base  string // address; Anthropic's own when empty
	Model string
	Key   string
	HTTP  *http.Client // how addresses are reached; it must not follow redirects
	Clock clock.Clock  // for dates in Retry-After
}

// Client is one model.
type Client struct {
	cfg      Config
	messages sdk.MessageService
	noSchema atomic.Bool // the model was seen to have no schema mode
}

var (
	_ model.Client     = (*Client)(nil)
	_ model.ToolCaller = (*Client)(nil)
)

// New makes a client; it makes no call.
func New(cfg Config) *Client {
	if cfg.Clock == nil {
		cfg.Clock = clock.System{}
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(), // a caller's connection never uses a key of this machine
		option.WithoutOpenTelemetry(),       // no span and no header of ours goes with a caller's content
		option.WithMaxRetries(0), option.WithHTTPClient(cfg.HTTP), option.WithAPIKey(cfg.Key),
	}
	if cfg.Base != "" {
		opts = append(opts, option.WithBaseURL(strings.TrimSuffix(strings.TrimRight(cfg.Base, "/"), "/v1")))
	}
	return &Client{cfg: cfg, messages: sdk.NewClient(opts...).Messages}
}

// Info names the model.
func (c *Client) Info() model.Info {
	return model.Info{Provider: model.Anthropic, Model: c.cfg.Model}
}

// Complete gives the whole answer.
func (c *Client) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	return c.adapting(r, func(p sdk.MessageNewParams) (model.Response, error) { return c.whole(ctx, p) })
}

// CallTool has the model call one tool.
func (c *Client) CallTool(ctx context.Context, r model.Request, t model.Tool) (model.Response, error) {
	r.Schema = nil
	tool := sdk.ToolParam{Name: t.Name, Description: sdk.String(t.Description)}
	var schema struct {
		Properties any      `json:"properties"`
		Required   []string `json:"required"`
	}
	if err := json.Unmarshal(t.Parameters, &schema); err != nil {
		return model.Response{}, fmt.Errorf("anthropic: parameters of %s: %w", t.Name, err)
	}
	tool.InputSchema = sdk.ToolInputSchemaParam{Properties: schema.Properties, Required: schema.Required}
	res, err := c.adapting(r, func(p sdk.MessageNewParams) (model.Response, error) {
		p.Tools = []sdk.ToolUnionParam{{OfTool: &tool}}
		p.ToolChoice = sdk.ToolChoiceParamOfTool(t.Name)
		return c.whole(ctx, p)
	})
	if err == nil && res.JSON == nil {
		err = &model.Error{Kind: model.KindUnsupported, Detail: "the model did not call the tool", Usage: res.Usage}
	}
	return res, err
}

// Stream gives the answer as it comes.
func (c *Client) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	return c.adapting(r, func(p sdk.MessageNewParams) (model.Response, error) { return c.stream(ctx, p, delta) })
}

// adapting calls, again with the schema in words where the model has no mode for it.
func (c *Client) adapting(r model.Request, call func(sdk.MessageNewParams) (model.Response, error)) (model.Response, error) {
	words := c.noSchema.Load()
	res, err := call(c.params(r, words))
	if r.Schema == nil || words || !model.IsKind(err, model.KindInvalid) {
		return res, err
	}
	if again, trouble := call(c.params(r, true)); !model.IsKind(trouble, model.KindInvalid) {
		if trouble == nil {
			c.noSchema.Store(true)
		}
		return again, trouble
	}
	return res, err
}

func (c *Client) whole(ctx context.Context, p sdk.MessageNewParams) (model.Response, error) {
	m, err := c.messages.New(ctx, p)
	if err != nil {
		return model.Response{}, c.failure(ctx, err)
	}
	if m.Type != "message" {
		return model.Response{}, &model.Error{Kind: model.KindMalformed, Detail: "the server's answer is no message of this protocol"}
	}
	out := model.Response{Stop: stopOf(m.StopReason), Usage: usageOf(m.Usage)}
	for _, b := range m.Content {
		switch b.Type {
		case "text":
			out.Text += b.Text
		case "tool_use":
			out.JSON = b.Input
			out.Calls = append(out.Calls, model.ToolCall{ID: b.ID, Name: b.Name, Arguments: string(b.Input)})
		}
	}
	return out, nil
}

func (c *Client) stream(ctx context.Context, p sdk.MessageNewParams, delta func(string) error) (model.Response, error) {
	s := c.messages.NewStreaming(ctx, p)
	defer s.Close()
	var out model.Response
	var text strings.Builder
	var used sdk.Usage
	var calls gathered
	ended := false
	for s.Next() {
		e := s.Current()
		switch e.Type {
		case "message_start":
			used = e.Message.Usage
		case "content_block_start":
			calls.start(e)
		case "content_block_delta":
			calls.add(e)
			if e.Delta.Type == "text_delta" && e.Delta.Text != "" {
				text.WriteString(e.Delta.Text)
				if err := delta(e.Delta.Text); err != nil {
					return out, err
				}
			}
		case "message_delta":
			used.OutputTokens = e.Usage.OutputTokens
			if e.Usage.JSON.InputTokens.Valid() {
				used.InputTokens = e.Usage.InputTokens
			}
			out.Stop = stopOf(e.Delta.StopReason)
		case "message_stop":
			ended = true
		}
	}
	out.Text, out.Usage, out.Calls = text.String(), usageOf(used), calls.calls
	if err := s.Err(); err != nil {
		return out, c.failure(ctx, err)
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if !ended {
		return out, &model.Error{Kind: model.KindTruncated, Usage: out.Usage}
	}
	return out, nil
}

// params is the body of a call; words asks for the schema in words. The API has no
// temperature any more, so a request's is left out.
func (c *Client) params(r model.Request, words bool) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: c.cfg.Model, MaxTokens: int64(r.Limit())}
	if r.System != "" {
		block := sdk.TextBlockParam{Text: r.System}
		if r.CacheSystem {
			block.CacheControl = sdk.NewCacheControlEphemeralParam()
		}
		p.System = append(p.System, block)
	}
	if r.Schema != nil {
		var schema map[string]any
		if err := json.Unmarshal(r.Schema.JSON, &schema); err != nil || words {
			p.System = append(p.System, sdk.TextBlockParam{Text: r.Schema.InWords()})
		} else {
			p.OutputConfig = sdk.OutputConfigParam{Format: sdk.JSONOutputFormatParam{Schema: schema}}
		}
	}
	offer(&p, r)
	p.Messages = turns(r.Messages)
	return p
}

func stopOf(s sdk.StopReason) model.Stop {
	switch s {
	case sdk.StopReasonMaxTokens, sdk.StopReasonModelContextWindowExceeded:
		return model.StopLength
	case sdk.StopReasonRefusal:
		return model.StopFiltered
	case sdk.StopReasonToolUse:
		return model.StopTools
	}
	return model.StopEnd
}

// usageOf counts what was read from and written to the cache as input, as the
// other providers do.
func usageOf(u sdk.Usage) model.Usage {
	return model.Usage{
		Input:  u.InputTokens + u.CacheReadInputTokens + u.CacheCreationInputTokens,
		Output: u.OutputTokens, CachedInput: u.CacheReadInputTokens,
	}
}
