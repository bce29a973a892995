package model

import (
	"context"
	_ "embed" // the picture of the vision probe
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// Capabilities is what a model was seen to do.
type Capabilities struct {
	Streaming        bool `json:"streaming"`
	Tools            bool `json:"tools"`
	StructuredOutput bool `json:"structuredOutput"`
	Vision           bool `json:"vision"`
	Chat             bool `json:"chat"`
}

// The probes, in the order in which they are made.
const (
	ProbeChat       = "chat"
	ProbeStructured = "structuredOutput"
	ProbeVision     = "vision"
	ProbeStreaming  = "streaming"
	ProbeTools      = "tools"
)

// Status of one probe.
const (
	ProbeOK          = "ok"
	ProbeFailed      = "failed"
	ProbeUnsupported = "unsupported"
	ProbeSkipped     = "skipped" // not tried, since chat itself fails
)

// ProbeResult is how one probe went. It holds no prompt, no answer and no key.
type ProbeResult struct {
	Name      string `json:"name"`
	Status    string `json:"status"`
	ErrorCode Kind   `json:"errorCode,omitempty"`
	LatencyMS int64  `json:"latencyMs"`
}

// Probed is what a connection was seen to do.
type Probed struct {
	Capabilities Capabilities  `json:"capabilities"`
	Results      []ProbeResult `json:"results"` // one a probe, in order
	Usage        Usage         `json:"usage"`
}

// Verified tells whether the connection works at all: chat answered.
func (p Probed) Verified() bool { return p.Capabilities.Chat }

// Failure is why chat failed; empty when it answered.
func (p Probed) Failure() Kind {
	for _, r := range p.Results {
		if r.Name == ProbeChat {
			return r.ErrorCode
		}
	}
	return KindUnavailable
}

// Bounds of one probe. A model that thinks before it speaks may use up the tokens
// without a word; such a probe is made once more with room to think.
const (
	probeTime       = 15 * time.Second
	probeTokens     = 50
	probeTokensMore = 1000
)

// probePNG is 8 by 8 points of plain red (255, 0, 0).
//
//go:embed probe.png
var probePNG []byte

var probeSchema = &Schema{Name: "probe", JSON: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string","enum":["yes","no"]},"number":{"type":"integer"}},"required":["word","number"],"additionalProperties":false}`)}

var errWrong = &Error{Kind: KindMalformed}

// Probe tries what a model can do. It goes around no retry layer of its own: give
// the bare client, so that a refusal is seen as it is. Nothing of what is said is
// kept.
func Probe(ctx context.Context, c Client, clk clock.Clock) Probed {
	var p Probed
	say := func(text string) Request {
		return Request{Messages: []Message{{Role: User, Text: text}}, MaxTokens: probeTokens}
	}
	run := func(name string, able *bool, try func(ctx context.Context, tokens int) (Response, error)) {
		res := ProbeResult{Name: name, Status: ProbeSkipped}
		defer func() { p.Results = append(p.Results, res) }()
		if name != ProbeChat && !p.Capabilities.Chat {
			return
		}
		one, cancel := context.WithTimeout(ctx, probeTime)
		defer cancel()
		from := clk.Now()
		got, err := try(one, probeTokens)
		p.Usage = p.Usage.Plus(got.Usage)
		if errors.Is(err, errWrong) && got.Stop == StopLength && strings.TrimSpace(got.Text) == "" && len(got.JSON) == 0 {
			got, err = try(one, probeTokensMore)
			p.Usage = p.Usage.Plus(got.Usage)
		}
		res.LatencyMS = clk.Now().Sub(from).Milliseconds()
		if err == nil {
			res.Status, *able = ProbeOK, true
			return
		}
		res.Status, res.ErrorCode = ProbeFailed, KindOf(err)
		// Chat answers by this key and model, so a refusal is of what was asked.
		if name != ProbeChat && (res.ErrorCode == KindInvalid || res.ErrorCode == KindUnknownModel) {
			res.ErrorCode = KindUnsupported
		}
		if res.ErrorCode == KindUnsupported && name != ProbeChat {
			res.Status = ProbeUnsupported
		}
	}
	able := &p.Capabilities
	run(ProbeChat, &able.Chat, func(ctx context.Context, tokens int) (Response, error) {
		r := say("Reply with OK.")
		r.MaxTokens = tokens
		res, err := c.Complete(ctx, r)
		if err == nil && strings.TrimSpace(res.Text) == "" {
			err = errWrong
		}
		return res, err
	})
	run(ProbeStructured, &able.StructuredOutput, func(ctx context.Context, tokens int) (Response, error) {
		r := say(`Give the word "yes" and the number 7 in the form that is asked for, as JSON.`)
		r.MaxTokens, r.Schema = tokens, probeSchema
		res, err := c.Complete(ctx, r)
		if err == nil && fits(res) != nil {
			err = errWrong
		}
		return res, err
	})
	run(ProbeVision, &able.Vision, func(ctx context.Context, tokens int) (Response, error) {
		r := say("Which colour fills this image? Answer with one word: red, green, blue, yellow, or none if you see no image.")
		r.Messages[0].Images = []Image{{MediaType: "image/png", Data: probePNG}}
		r.MaxTokens = tokens
		res, err := c.Complete(ctx, r)
		if err == nil && strings.ToLower(strings.Trim(strings.TrimSpace(res.Text), `".*`)) != "red" {
			err = errWrong
		}
		return res, err
	})
	run(ProbeStreaming, &able.Streaming, func(ctx context.Context, tokens int) (Response, error) {
		r := say("Reply with OK.")
		r.MaxTokens = tokens
		came := 0
		res, err := c.Stream(ctx, r, func(string) error { came++; return nil })
		if err == nil && came == 0 {
			err = errWrong
		}
		return res, err
	})
	run(ProbeTools, &able.Tools, func(ctx context.Context, tokens int) (Response, error) {
		r := say(`Call the tool with the word "yes" and the number 7.`)
		r.MaxTokens = tokens
		res, err := callTool(ctx, c, r, Tool{Name: "note", Description: "Takes a word and a number.", Parameters: probeSchema.JSON})
		if err == nil && fits(res) != nil {
			err = errWrong
		}
		return res, err
	})
	return p
}

// fits checks a structured answer of a probe.
func fits(res Response) error {
	doc := res.JSON
	if doc == nil {
		doc = FindJSON(res.Text)
	}
	if doc == nil {
		return errors.New("no JSON")
	}
	return probeSchema.Check(doc)
}
