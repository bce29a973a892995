package bedrock

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime"
	"github.com/aws/aws-sdk-go-v2/service/bedrockruntime/types"

	"github.com/mindgate-dev/mindgate/shared/model"
)

func (c *Client) whole(ctx context.Context, q query) (model.Response, error) {
	o, err := c.api.Converse(ctx, &bedrockruntime.ConverseInput{
		ModelId: aws.String(c.model), Messages: q.messages, System: q.system, InferenceConfig: q.limits, OutputConfig: q.output, ToolConfig: q.tools,
	})
	if err != nil {
		return model.Response{}, failure(ctx, err)
	}
	out := model.Response{Stop: q.stop(o.StopReason), Usage: usageOf(o.Usage)}
	m, ok := o.Output.(*types.ConverseOutputMemberMessage)
	if !ok {
		return out, &model.Error{Kind: model.KindMalformed, Detail: "the answer holds no message", Usage: out.Usage}
	}
	for _, b := range m.Value.Content {
		switch b := b.(type) {
		case *types.ContentBlockMemberText:
			out.Text += b.Value
		case *types.ContentBlockMemberToolUse:
			if b.Value.Input == nil {
				out.Calls = append(out.Calls, model.ToolCall{ID: aws.ToString(b.Value.ToolUseId), Name: aws.ToString(b.Value.Name)})
				continue
			}
			raw, err := b.Value.Input.MarshalSmithyDocument()
			if err != nil {
				return out, &model.Error{Kind: model.KindMalformed, Detail: "the arguments of the tool are no JSON", Usage: out.Usage}
			}
			out.JSON = json.RawMessage(raw)
			out.Calls = append(out.Calls, model.ToolCall{ID: aws.ToString(b.Value.ToolUseId), Name: aws.ToString(b.Value.Name), Arguments: string(raw)})
		}
	}
	if out.Text == "" && out.JSON != nil && !q.offers {
		out.Text = string(out.JSON)
	}
	return out, nil
}

// stream gives on the pieces; where the answer is asked for as a tool's arguments,
// those are its text.
func (c *Client) stream(ctx context.Context, q query, delta func(string) error) (model.Response, error) {
	o, err := c.api.ConverseStream(ctx, &bedrockruntime.ConverseStreamInput{
		ModelId: aws.String(c.model), Messages: q.messages, System: q.system, InferenceConfig: q.limits, OutputConfig: q.output, ToolConfig: q.tools,
	})
	if err != nil {
		return model.Response{}, failure(ctx, err)
	}
	events := o.GetStream()
	defer events.Close()
	var out model.Response
	var text strings.Builder
	var calls gathered
	ended := false
	for event := range events.Events() {
		piece := ""
		switch e := event.(type) {
		case *types.ConverseStreamOutputMemberContentBlockStart:
			calls.start(e.Value)
		case *types.ConverseStreamOutputMemberContentBlockDelta:
			switch d := e.Value.Delta.(type) {
			case *types.ContentBlockDeltaMemberText:
				piece = d.Value
			case *types.ContentBlockDeltaMemberToolUse:
				if piece = aws.ToString(d.Value.Input); q.offers {
					calls.add(e.Value.ContentBlockIndex, piece)
					piece = ""
				}
			}
		case *types.ConverseStreamOutputMemberMessageStop:
			ended, out.Stop = true, q.stop(e.Value.StopReason)
		case *types.ConverseStreamOutputMemberMetadata:
			out.Usage = usageOf(e.Value.Usage)
		}
		if piece != "" {
			text.WriteString(piece)
			if err := delta(piece); err != nil {
				return out, err
			}
		}
	}
	out.Text = text.String()
	if q.offers {
		out.Calls = calls.calls
	}
	if err := events.Err(); err != nil {
		return out, failure(ctx, err)
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if !ended {
		return out, &model.Error{Kind: model.KindTruncated, Usage: out.Usage}
	}
	return out, nil
}

// stop tells why an answer ended. A tool that stands for the form of an answer is
// the caller's no more than the form is.
func (q query) stop(s types.StopReason) model.Stop {
	if why := stopOf(s); why != model.StopTools || q.offers {
		return why
	}
	return model.StopEnd
}

func stopOf(s types.StopReason) model.Stop {
	switch s {
	case types.StopReasonMaxTokens, types.StopReasonModelContextWindowExceeded:
		return model.StopLength
	case types.StopReasonContentFiltered, types.StopReasonGuardrailIntervened:
		return model.StopFiltered
	case types.StopReasonToolUse:
		return model.StopTools
	}
	return model.StopEnd
}

// usageOf counts what was read from and written to the cache as input, as the
// other providers do.
func usageOf(u *types.TokenUsage) model.Usage {
	if u == nil {
		return model.Usage{}
	}
	n := func(p *int32) int64 { return int64(aws.ToInt32(p)) }
	return model.Usage{
		Input:  n(u.InputTokens) + n(u.CacheReadInputTokens) + n(u.CacheWriteInputTokens),
		Output: n(u.OutputTokens), CachedInput: n(u.CacheReadInputTokens),
	}
}
