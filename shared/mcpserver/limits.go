package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// goodbye is what a host needs after a call to write its answer.
const goodbye = time.Second

// deadline of a call: the budget, or what the host leaves of it.
func (s *server) deadline(ctx context.Context) time.Time {
	at := s.o.Clock.Now().Add(tool.Budget)
	if host, ok := ctx.Deadline(); ok && host.Add(-goodbye).Before(at) {
		at = host.Add(-goodbye)
	}
	if whole, ok := ctx.Value(batchKey{}).(time.Time); ok && whole.Before(at) {
		at = whole
	}
	return at
}

// batchKey is where the deadline of a whole batch stands in the context: its
// messages share one budget, as a gateway waits for all of them together.
type batchKey struct{}

func (s *server) withBatch(ctx context.Context) context.Context {
	return context.WithValue(ctx, batchKey{}, s.deadline(ctx))
}

// spent tells whether the batch that a call belongs to has used up its time.
func (s *server) spent(ctx context.Context) bool {
	whole, ok := ctx.Value(batchKey{}).(time.Time)
	return ok && !s.o.Clock.Now().Before(whole)
}

// notStarted is the refusal of a call whose batch has used up its time before
// its turn. It has done nothing, so it may be repeated as it is.
func notStarted(name string) *tool.WireError {
	return tool.Refused(fault.New(fault.DeadlineExceeded,
		"%s was not started: the calls before it in this batch took all of its time. Send it again, in a request of its own.", name))
}

// within runs a call under the account's cap of calls at once. What is refused
// here has started nothing, so it may be repeated.
func (s *server) within(ctx context.Context, e tool.Envelope, report func(tool.Progress)) (tool.Answer, error) {
	started := s.o.Clock.Now()
	if s.spent(ctx) {
		s.note(ctx, e, string(fault.DeadlineExceeded), started)
		return tool.Answer{Error: notStarted(e.Tool)}, nil
	}
	release, full, err := s.o.Slots.Take(ctx, e.Principal)
	switch {
	case err != nil:
		// A broken counter must not stop the work.
		s.o.Log.WarnContext(ctx, "calls at once not counted", "requestId", e.RequestID, "error", err.Error())
		release = func() {}
	case full > 0:
		refusal := tool.Answer{Error: tool.Refused(fault.New(fault.RateLimited,
			"%d tool calls of this account are running, which is as many as may run at once. This one was not started. Wait for another to end, at least 1 second, then repeat it.", full).
			With("retryAfter", 1).With("limit", full).With("limitType", "concurrentCalls"))}
		s.note(ctx, e, string(fault.RateLimited), started)
		return refusal, nil
	}
	defer release()
	answer, err := s.invoke(ctx, e, report)
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded):
		// A tool behind a wire ran out of its time.
		answer, err = tool.Answer{Error: tool.Refused(tool.Late(e.Tool))}, nil
		s.note(ctx, e, string(fault.DeadlineExceeded), started)
	case left(ctx, err):
		s.note(ctx, e, tool.Cancelled, started)
	case errors.Is(err, tool.ErrUnavailable):
		s.note(ctx, e, "UNAVAILABLE", started)
	default:
		s.note(ctx, e, string(fault.Internal), started)
	}
	return answer, err
}

// left tells whether a call failed because its caller has gone.
func left(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) && errors.Is(context.Cause(ctx), context.Canceled)
}

// note writes the audit line of a call that did not come to its tool; the tool's
// own side writes all others.
func (s *server) note(ctx context.Context, e tool.Envelope, outcome string, started time.Time) {
	s.o.Called(telemetry.WithLogger(ctx, s.o.Log), telemetry.Call{
		Tool: e.Tool, Account: e.Principal.Account, Workspace: e.Principal.Workspace, ArgsSHA256: tool.Fingerprint(e.Args),
		Outcome: outcome, Duration: s.o.Clock.Now().Sub(started), RequestID: e.RequestID, Surface: "mcp", Traceparent: e.Traceparent,
	})
}

// headerMismatch is the outcome of a request whose headers say another thing
// than its message: a fault of the client, or an attempt to get past a proxy that
// reads only headers.
const headerMismatch = "HEADER_MISMATCH"

// noteMismatch writes the line of a request that was refused for its headers.
// The tool is the message's; a word that is no tool's name is not written.
func (s *server) noteMismatch(r *http.Request, m message, a reply) {
	if a.status != http.StatusBadRequest || a.rpcCode() != codeHeaderMismatch {
		return
	}
	name, args := "none", json.RawMessage(nil)
	switch m.method {
	case "tools/call":
		name, args = "unknown", m.member("arguments")
		if def, ok := s.o.Catalogue.Lookup(m.text("name")); ok {
			name = def.Name
		}
	case "resources/read":
		if def, ok := s.resourceTool(m.text("uri")); ok {
			name = def.Name
		}
	}
	ctx := r.Context()
	s.note(ctx, tool.Envelope{Tool: name, Args: args, Principal: account.From(ctx), RequestID: middleware.RequestIDFrom(ctx)}, headerMismatch, s.o.Clock.Now())
}

// noteRefused is note for a call that the front refuses.
func (s *server) noteRefused(ctx context.Context, def *catalog.Definition, m message, outcome fault.Code) {
	s.note(ctx, tool.Envelope{
		Tool: def.Name, Args: m.member("arguments"), Principal: account.From(ctx), RequestID: middleware.RequestIDFrom(ctx),
	}, string(outcome), s.o.Clock.Now())
}
