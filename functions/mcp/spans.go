//go:build !nospans

package main

import (
	"context"
	"encoding/json"
	"os"

	"go.opentelemetry.io/otel/trace"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/telemetry/otlp"
)

// handler is a function's handler, for lambda.Start.
type handler = func(context.Context, json.RawMessage) (any, error)

// spans are off unless the environment asks for them. A function may sleep right
// after its answer, so its spans leave before. The build tag nospans leaves the
// exporter out, which is a third of the binary.
func spans(h *host.Host) (trace.Tracer, func(handler) handler, error) {
	e, err := otlp.Start(context.Background(), host.Version(), os.Getenv, h.Log)
	if e == nil {
		return nil, func(next handler) handler { return next }, err
	}
	return e.Tracer(), func(next handler) handler {
		return func(ctx context.Context, event json.RawMessage) (any, error) {
			defer e.Flush(ctx)
			return next(ctx, event)
		}
	}, nil
}
