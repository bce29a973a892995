package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// maxAnswer bounds the bytes of a whole answer, a stream's frames included.
const maxAnswer = 16 << 20

type usage struct {
	Prompt     int64 `json:"prompt_tokens"`
	Completion int64 `json:"completion_tokens"`
	Details    struct {
		Cached int64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func (u *usage) model() model.Usage {
	if u == nil {
		return model.Usage{}
	}
	return model.Usage{Input: u.Prompt, Output: u.Completion, CachedInput: u.Details.Cached}
}

type said struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
	Calls   []call `json:"tool_calls"`
}

type reply struct {
	Choices []struct {
		Message said   `json:"message"`
		Delta   said   `json:"delta"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *usage          `json:"usage"`
	Error json.RawMessage `json:"error"`
}

func stopOf(finish string) model.Stop {
	switch finish {
	case "length":
		return model.StopLength
	case "content_filter":
		return model.StopFiltered
	case "tool_calls":
		return model.StopTools
	}
	return model.StopEnd
}

func readWhole(ctx context.Context, body io.Reader) (model.Response, error) {
	raw, err := io.ReadAll(io.LimitReader(body, maxAnswer+1))
	if err != nil {
		return model.Response{}, broken(ctx, err)
	}
	if len(raw) > maxAnswer {
		return model.Response{}, &model.Error{Kind: model.KindMalformed, Detail: "the answer is too large"}
	}
	var r reply
	if err := json.Unmarshal(raw, &r); err != nil {
		return model.Response{}, &model.Error{Kind: model.KindMalformed, Detail: "the server's answer is no JSON of this protocol"}
	}
	if len(r.Error) > 0 && string(r.Error) != "null" { // some servers fail with 200
		return model.Response{}, readError(r.Error).failure(0)
	}
	if len(r.Choices) == 0 {
		return model.Response{}, &model.Error{Kind: model.KindMalformed, Detail: "the server's answer has no choices", Usage: r.Usage.model()}
	}
	m := r.Choices[0]
	out := model.Response{Text: m.Message.Content, Stop: stopOf(m.Finish), Usage: r.Usage.model()}
	if m.Message.Refusal != "" && out.Text == "" {
		out.Text, out.Stop = m.Message.Refusal, model.StopFiltered
	}
	if len(m.Message.Calls) > 0 {
		out.JSON, out.Calls = json.RawMessage(m.Message.Calls[0].Function.Arguments), m.Message.toolCalls()
	}
	return out, nil
}

// readStream gives on the pieces of an answer. A stream that ends without saying
// so was cut.
func readStream(ctx context.Context, body io.Reader, delta func(string) error) (model.Response, error) {
	var out model.Response
	var text strings.Builder
	var calls gathered
	done := false
	events := newEvents(io.LimitReader(body, maxAnswer))
	for {
		data, err := events.next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return out, broken(ctx, err)
		}
		if data == "[DONE]" {
			done = true
			break
		}
		var r reply
		if err := json.Unmarshal([]byte(data), &r); err != nil {
			return out, &model.Error{Kind: model.KindMalformed, Detail: "an event of the stream is no JSON of this protocol"}
		}
		if len(r.Error) > 0 && string(r.Error) != "null" {
			return out, readError(r.Error).failure(0)
		}
		if r.Usage != nil {
			out.Usage = r.Usage.model()
		}
		if len(r.Choices) == 0 {
			continue
		}
		c := r.Choices[0]
		piece := c.Delta.Content
		if piece == "" && c.Delta.Refusal != "" {
			piece, out.Stop = c.Delta.Refusal, model.StopFiltered
		}
		if piece != "" {
			text.WriteString(piece)
			if err := delta(piece); err != nil {
				return out, err
			}
		}
		calls.add(c.Delta.Calls)
		if c.Finish != "" {
			done = true
			if out.Stop == "" {
				out.Stop = stopOf(c.Finish)
			}
		}
	}
	out.Text, out.Calls = text.String(), calls.calls
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	if !done {
		return out, &model.Error{Kind: model.KindTruncated, Usage: out.Usage}
	}
	if out.Stop == "" {
		out.Stop = model.StopEnd
	}
	return out, nil
}

// broken reads an error in the middle of an answer.
func broken(ctx context.Context, err error) error {
	if errors.Is(err, errFrame) {
		return &model.Error{Kind: model.KindMalformed, Detail: "the stream is not well formed"}
	}
	if e := model.FromTransport(ctx, err); !model.IsKind(e, model.KindUnavailable) {
		return e
	}
	return &model.Error{Kind: model.KindTruncated}
}
