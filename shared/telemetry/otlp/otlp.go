// Package otlp sends spans to an OpenTelemetry collector, over HTTP, as the
// standard variables say. It is off unless one of them asks for it.
package otlp

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// patience is how long a function waits for its spans to leave before it
// answers, and a process at its end.
const patience = 2 * time.Second

// Exporter is a tracer and what sends its spans. The nil Exporter makes none.
type Exporter struct{ provider *sdk.TracerProvider }

// Wanted tells whether the variables ask for spans: an endpoint is set, or the
// exporter is named, and nothing switches it off.
func Wanted(env func(string) string) bool {
	if strings.EqualFold(env("OTEL_SDK_DISABLED"), "true") || env("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return env("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || env("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != "" || env("OTEL_TRACES_EXPORTER") == "otlp"
}

// Start makes the exporter of a service, or nil if none is wanted. Trouble on
// the way to the collector goes to log and never stops a request.
func Start(ctx context.Context, version string, env func(string) string, log *slog.Logger) (*Exporter, error) {
	if !Wanted(env) {
		return nil, nil
	}
	for _, name := range []string{"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
		if p := env(name); p != "" && p != "http/protobuf" {
			return nil, fmt.Errorf("%s is %q; this gateway speaks http/protobuf", name, p)
		}
	}
	if e := env("OTEL_TRACES_EXPORTER"); e != "" && e != "otlp" {
		return nil, fmt.Errorf("OTEL_TRACES_EXPORTER is %q; this gateway knows otlp and none", e)
	}
	client, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, fmt.Errorf("exporter of spans: %w", err)
	}
	// What the variables say of the service comes last, so that it holds.
	about, err := resource.New(ctx,
		resource.WithAttributes(attribute.String("service.name", "mindgate"), attribute.String("service.version", version)),
		resource.WithTelemetrySDK(), resource.WithFromEnv())
	if err != nil {
		return nil, fmt.Errorf("exporter of spans: %w", err)
	}
	// The library reports through one handler a process.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("spans not sent", "error", err.Error()) }))
	return &Exporter{sdk.NewTracerProvider(sdk.WithBatcher(client), sdk.WithResource(about))}, nil
}

// Tracer makes spans; nil for the nil Exporter.
func (e *Exporter) Tracer() trace.Tracer {
	if e == nil {
		return nil
	}
	return e.provider.Tracer("github.com/mindgate-dev/mindgate")
}

// Flush sends what has ended, for a function that may sleep after its answer.
func (e *Exporter) Flush(ctx context.Context) {
	if e == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	_ = e.provider.ForceFlush(ctx) // the handler has told of it
}

// Close sends the rest.
func (e *Exporter) Close(ctx context.Context) {
	if e == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	_ = e.provider.Shutdown(ctx)
}
