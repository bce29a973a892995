package mcpserver

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// When a call says nothing of itself, the first sign of life comes after
// firstSign and another each nextSign; it moves the figure by less than any
// tool's own step, so that what a tool reports later still goes up.
const (
	firstSign = 500 * time.Millisecond
	nextSign  = 10 * time.Second
	signStep  = 0.001
)

// progress passes on how far a call has come, always upwards (the protocol asks
// for it) and never after the end.
type progress struct {
	send  func(tool.Progress)
	clock clock.Clock

	mu    sync.Mutex
	said  bool
	ended bool
	last  float64
	total float64
	at    time.Time
}

// progressOf begins the reports of a call; nil for a call that gets none. end
// must be called before the answer leaves.
func (s *server) progressOf(ctx context.Context, req *mcp.CallToolRequest) (report func(tool.Progress), end func()) {
	token := req.Params.GetProgressToken()
	if token == nil || !streamed(ctx) {
		return nil, func() {}
	}
	p := &progress{clock: s.o.Clock, send: func(step tool.Progress) {
		// A client that has gone is noticed by the context.
		_ = req.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
			ProgressToken: token, Progress: step.Done, Total: step.Total, Message: clean(step.Message),
		})
	}}
	signs, stop := context.WithCancel(ctx)
	go p.live(signs)
	return p.report, func() {
		stop()
		p.mu.Lock()
		p.ended = true
		p.mu.Unlock()
	}
}

// report sends a step that goes up; another is dropped.
func (p *progress) report(step tool.Progress) {
	if math.IsNaN(step.Done) || math.IsInf(step.Done, 0) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.step(step)
}

func (p *progress) step(step tool.Progress) {
	if p.ended || p.said && step.Done <= p.last {
		return
	}
	p.said, p.last, p.at = true, step.Done, p.clock.Now()
	if step.Total > 0 {
		p.total = step.Total
	}
	p.send(step)
}

// live gives signs until ctx ends.
func (p *progress) live(ctx context.Context) {
	wait := firstSign
	for p.clock.Sleep(ctx, wait) == nil {
		p.mu.Lock()
		quiet := p.clock.Now().Sub(p.at)
		switch {
		case !p.said:
			p.step(tool.Progress{Done: 0, Message: "Started"})
			wait = nextSign
		case quiet >= nextSign:
			p.step(tool.Progress{Done: p.last + signStep, Total: p.total, Message: "Still working"})
			wait = nextSign
		default:
			wait = nextSign - quiet
		}
		p.mu.Unlock()
	}
}
