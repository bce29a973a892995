// Package telemetry sets up the log: one JSON line an event on stderr, with
// the request's id, tool and workspace, and never with content, keys or
// arguments. Its guard enforces the second half.
package telemetry

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Format of log lines.
type Format string

// The formats. Auto is text when the writer is a terminal, else JSON.
const (
	Auto Format = "auto"
	JSON Format = "json"
	Text Format = "text"
)

// Options of New. The zero value logs JSON (text on a terminal) at level info
// to stderr.
type Options struct {
	Writer io.Writer
	Format Format
	Level  slog.Leveler
}

// New makes a logger. Programs pass it to slog.SetDefault in main.
func New(opt Options) (*slog.Logger, error) {
	if opt.Writer == nil {
		opt.Writer = os.Stderr
	}
	if opt.Level == nil {
		opt.Level = slog.LevelInfo
	}
	h := &slog.HandlerOptions{Level: opt.Level}
	switch opt.Format {
	case JSON:
	case Text:
	case "", Auto:
		opt.Format = JSON
		if terminal(opt.Writer) {
			opt.Format = Text
		}
	default:
		return nil, fmt.Errorf("telemetry: log format %q: use auto, json or text", opt.Format)
	}
	var inner slog.Handler = slog.NewJSONHandler(opt.Writer, h)
	if opt.Format == Text {
		inner = slog.NewTextHandler(opt.Writer, h)
	}
	return slog.New(handler{inner: inner}), nil
}

// ParseLevel reads debug, info, warn or error; blank is info.
func ParseLevel(s string) (slog.Level, error) {
	var l slog.Level
	if s == "" {
		return l, nil
	}
	if err := l.UnmarshalText([]byte(s)); err != nil {
		return l, fmt.Errorf("telemetry: log level %q: use debug, info, warn or error", s)
	}
	return l, nil
}

func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// Request is what each line of one request says. Blank fields are left out.
type Request struct {
	ID        string
	Tool      string
	Workspace string
}

type (
	requestKey struct{}
	loggerKey  struct{}
)

// WithRequest gives every line that is logged with ctx the request's
// attributes. Fields set later fill in or replace earlier ones, so the surface
// may set the id and the dispatcher the tool.
func WithRequest(ctx context.Context, r Request) context.Context {
	was := RequestOf(ctx)
	return context.WithValue(ctx, requestKey{}, Request{
		ID: or(r.ID, was.ID), Tool: or(r.Tool, was.Tool), Workspace: or(r.Workspace, was.Workspace),
	})
}

// RequestOf gives what WithRequest has set.
func RequestOf(ctx context.Context) Request {
	r, _ := ctx.Value(requestKey{}).(Request)
	return r
}

// WithLogger makes Logger and Audit use l for this context.
func WithLogger(ctx context.Context, l *slog.Logger) context.Context {
	return context.WithValue(ctx, loggerKey{}, l)
}

// Logger gives the context's logger, or slog's default.
func Logger(ctx context.Context) *slog.Logger {
	if l, ok := ctx.Value(loggerKey{}).(*slog.Logger); ok {
		return l
	}
	return slog.Default()
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
