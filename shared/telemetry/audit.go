package telemetry

import (
	"context"
	"log/slog"
	"regexp"
	"time"
)

// Call is what the audit line of one call says: who did what from where, with
// which outcome. Of the arguments it holds only a hash, so that two lines can
// be compared and neither can be read.
type Call struct {
	Tool       string // name in the catalogue
	Account    string // id
	Workspace  string // id
	ArgsSHA256 string // 64 hex digits, of the canonical arguments
	Outcome    string // "ok" or a code of shared/fault
	Duration   time.Duration
	RequestID  string
	Surface    string // mcp, rest, stdio or job
	// Traceparent is the call's place in a trace (W3C); the line holds the
	// trace's id, so that logs and spans find each other.
	Traceparent string
}

// Audit writes the one audit line of a call. A field that is not of its form
// (a tool's name that a client made up, say) is written as "invalid", as it
// may be content.
func Audit(ctx context.Context, c Call) {
	level := slog.LevelInfo
	if c.Outcome == "INTERNAL_ERROR" {
		level = slog.LevelError
	}
	req := RequestOf(ctx)
	// The line's own fields stand for the context's, which would double them.
	ctx = context.WithValue(ctx, requestKey{}, Request{})
	Logger(ctx).LogAttrs(ctx, level, "call",
		slog.Bool("audit", true),
		slog.String("surface", shaped(name, c.Surface)),
		slog.String("tool", shaped(name, or(c.Tool, req.Tool))),
		slog.String("account", shaped(ident, c.Account)),
		slog.String("workspace", shaped(ident, or(c.Workspace, req.Workspace))),
		slog.String("fingerprint", shaped(digest, c.ArgsSHA256)),
		slog.String("outcome", shaped(name, c.Outcome)),
		slog.Float64("ms", float64(c.Duration.Microseconds())/1000),
		slog.String("request", shaped(ident, or(c.RequestID, req.ID))),
		slog.String("trace", traceID(c.Traceparent)),
	)
}

// traceID is the id inside a traceparent, or nothing.
func traceID(traceparent string) string {
	if m := traceForm.FindStringSubmatch(traceparent); m != nil {
		return m[1]
	}
	return ""
}

var traceForm = regexp.MustCompile(`^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}`)

var (
	name   = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_.-]{0,63}$`)
	ident  = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.:=+/@-]{0,127}$`)
	digest = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func shaped(form *regexp.Regexp, s string) string {
	if s == "" || form.MatchString(s) && scrub(s) == s {
		return s
	}
	return "invalid"
}
