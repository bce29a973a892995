package model

import (
	"context"
	"time"
)

// Capabilities is what a model was seen to do.
type Capabilities struct {
	Chat             bool `json:"chat"`
	StructuredOutput bool `json:"structuredOutput"`
	Vision           bool `json:"vision"`
	Streaming        bool `json:"streaming"`
	Tools            bool `json:"tools"`
}

// Status of one probe.
const (
	ProbeOK          = "ok"
	ProbeFailed      = "failed"
	ProbeUnsupported = "unsupported"
	ProbeSkipped     = "skipped" // not tried, since chat itself fails
)

// ProbeResult is how one probe went. It holds no prompt and no answer.
type ProbeResult struct {
	Name      string        `json:"name"` // chat, structuredOutput, vision, streaming, tools
	Status    string        `json:"status"`
	ErrorCode Kind          `json:"errorCode,omitempty"`
	Latency   time.Duration `json:"-"`
	LatencyMS int64         `json:"latencyMs"`
}

// Probed is what a connection was seen to do.
type Probed struct {
	Capabilities Capabilities  `json:"capabilities"`
	Results      []ProbeResult `json:"results"` // one a probe, in the order of the names above
	Usage        Usage         `json:"usage"`
}

// Verified tells whether the connection works at all: chat answered.
func (p Probed) Verified() bool { return p.Capabilities.Chat }

// Failure is why chat failed; empty when it answered.
func (p Probed) Failure() Kind {
	for _, r := range p.Results {
		if r.Name == "chat" {
			return r.ErrorCode
		}
	}
	return KindUnavailable
}

// Probe tries what a model can do, each with at most 50 tokens and 15 seconds.
func Probe(ctx context.Context, c Client, now func() time.Time) Probed { return Probed{} }
