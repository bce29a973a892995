// Package bedrock speaks Amazon Bedrock's Converse API, whole and streamed.
//
// Models behind it differ in what they take. A schema is asked for natively, else
// as the arguments of a tool that must be called, else in words; what a model was
// seen to refuse is not asked of it again.
package bedrock

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/document"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/mindgate-dev/mindgate/shared/awsbody"
	"github.com/mindgate-dev/mindgate/shared/model"
)

// Client is one model in one region.
type Client struct {
	api     *bedrockruntime.Client
	model   string
	form    atomic.Int32 // how schemas are asked for; only grows
	noCache atomic.Bool  // the model was seen to take no cache point
}

var (
	_ model.Client     = (*Client)(nil)
	_ model.ToolCaller = (*Client)(nil)
)

// New makes a client over cfg's region and credentials; it makes no call, and its
// calls are not repeated, whatever cfg says.
func New(cfg aws.Config, modelID string) *Client {
	return &Client{model: modelID, api: bedrockruntime.NewFromConfig(awsbody.Config(cfg), func(o *bedrockruntime.Options) {
		o.Retryer = aws.NopRetryer{}
	})}
}

// Info names the model.
func (c *Client) Info() model.Info { return model.Info{Provider: model.Bedrock, Model: c.model} }

// Ways of asking for a schema, best first.
const (
	formSchema int32 = iota // outputConfig
	formTool                // a tool that must be called
	formWords               // the schema in words
)

// Complete gives the whole answer.
func (c *Client) Complete(ctx context.Context, r model.Request) (model.Response, error) {
	return c.adapting(r, func(q query) (model.Response, error) { return c.whole(ctx, q) })
}

// CallTool has the model call one tool.
func (c *Client) CallTool(ctx context.Context, r model.Request, t model.Tool) (model.Response, error) {
	r.Schema = nil
	res, err := c.adapting(r, func(q query) (model.Response, error) {
		var err error
		if q.tools, err = force(t); err != nil {
			return model.Response{}, err
		}
		return c.whole(ctx, q)
	})
	if err == nil && res.JSON == nil {
		err = &model.Error{Kind: model.KindUnsupported, Detail: "the model did not call the tool", Usage: res.Usage}
	}
	return res, err
}

// Stream gives the answer as it comes.
func (c *Client) Stream(ctx context.Context, r model.Request, delta func(string) error) (model.Response, error) {
	return c.adapting(r, func(q query) (model.Response, error) { return c.stream(ctx, q, delta) })
}

// adapting calls, again without what the model does not take. Each round gives up
// one thing, so it ends; if nothing helps, the first refusal stands.
func (c *Client) adapting(r model.Request, call func(query) (model.Response, error)) (model.Response, error) {
	form, cache := c.form.Load(), r.CacheSystem && r.System != "" && !c.noCache.Load()
	var first error
	for {
		q, err := c.query(r, form, cache)
		if err != nil {
			return model.Response{}, err
		}
		res, err := call(q)
		if err == nil {
			if r.CacheSystem && r.System != "" && !cache {
				c.noCache.Store(true)
			}
			for now := c.form.Load(); r.Schema != nil && form > now && !c.form.CompareAndSwap(now, form); now = c.form.Load() {
			}
			return res, nil
		}
		refused := model.IsKind(err, model.KindInvalid) || model.IsKind(err, model.KindUnsupported)
		if refused && first == nil {
			first = err
		}
		switch {
		case refused && cache && (r.Schema == nil || form == formWords || isCache(err)):
			cache = false
		case refused && r.Schema != nil && form < formWords:
			if form++; form == formTool && len(r.Tools) > 0 {
				form++ // the place of the tools is taken
			}
		case refused && cache:
			cache = false
		case refused:
			return res, first
		default:
			return res, err
		}
	}
}

// query is the body that Converse and ConverseStream share.
type query struct {
	messages []types.Message
	system   []types.SystemContentBlock
	limits   *types.InferenceConfiguration
	output   *types.OutputConfig
	tools    *types.ToolConfiguration
	offers   bool // tools are the caller's own, not the form of an answer
}

func (c *Client) query(r model.Request, form int32, cache bool) (query, error) {
	q := query{limits: &types.InferenceConfiguration{MaxTokens: aws.Int32(int32(min(r.Limit(), 1<<20)))}}
	if r.Temperature != nil {
		q.limits.Temperature = aws.Float32(float32(*r.Temperature))
	}
	if r.System != "" {
		q.system = append(q.system, &types.SystemContentBlockMemberText{Value: r.System})
		if cache {
			q.system = append(q.system, &types.SystemContentBlockMemberCachePoint{Value: types.CachePointBlock{Type: types.CachePointTypeDefault}})
		}
	}
	if r.Schema != nil {
		var err error
		switch form {
		case formSchema:
			q.output = &types.OutputConfig{TextFormat: &types.OutputFormat{Type: types.OutputFormatTypeJsonSchema, Structure: &types.OutputFormatStructureMemberJsonSchema{
				Value: types.JsonSchemaDefinition{Name: aws.String(r.Schema.Name), Schema: aws.String(string(r.Schema.JSON))},
			}}}
		case formTool:
			q.tools, err = force(model.Tool{Name: r.Schema.Name, Description: "Takes the answer.", Parameters: r.Schema.JSON})
		default:
			q.system = append(q.system, &types.SystemContentBlockMemberText{Value: r.Schema.InWords()})
		}
		if err != nil {
			return query{}, err
		}
	}
	var err error
	if q.messages, err = turns(r.Messages); err != nil {
		return query{}, err
	}
	if err := q.offer(r); err != nil {
		return query{}, err
	}
	return q, nil
}

// force is the configuration with which a model must call the one tool t.
func force(t model.Tool) (*types.ToolConfiguration, error) {
	var schema map[string]any
	if err := json.Unmarshal(t.Parameters, &schema); err != nil {
		return nil, fmt.Errorf("bedrock: parameters of %s: %w", t.Name, err)
	}
	return &types.ToolConfiguration{
		Tools: []types.Tool{&types.ToolMemberToolSpec{Value: types.ToolSpecification{
			Name: aws.String(t.Name), Description: aws.String(t.Description), InputSchema: &types.ToolInputSchemaMemberJson{Value: document.NewLazyDocument(schema)},
		}}},
		ToolChoice: &types.ToolChoiceMemberTool{Value: types.SpecificToolChoice{Name: aws.String(t.Name)}},
	}, nil
}
