package mcpserver

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

// traced puts a span around one request, after OpenTelemetry's conventions for
// MCP. It names methods, tools of the catalogue and codes; ids, arguments, texts
// and whatever else a caller has written never stand in it.
func (s *server) traced(r *http.Request, m message, revision string, answer func(*http.Request) reply) reply {
	if s.o.Tracer == nil || !m.call {
		return answer(r)
	}
	method := "_OTHER"
	if methods[m.method] {
		method = m.method
	}
	name := method
	attrs := []attribute.KeyValue{
		attribute.String("mcp.method.name", method),
		attribute.String("mcp.protocol.version", revision),
		attribute.String("network.protocol.name", "http"),
		attribute.String("network.transport", "tcp"),
	}
	if method == "tools/call" {
		attrs = append(attrs, attribute.String("gen_ai.operation.name", "execute_tool"))
		if def, ok := s.o.Catalogue.Lookup(m.text("name")); ok {
			name += " " + def.Name
			attrs = append(attrs, attribute.String("gen_ai.tool.name", def.Name))
		}
	}
	ctx := r.Context()
	options := []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attrs...)}
	// The message's own parent comes first: a gateway may have put its own into
	// the header, which then is a link.
	header := trace.SpanContextFromContext(w3c.Extract(context.Background(), propagation.HeaderCarrier(r.Header)))
	if parent := trace.SpanContextFromContext(w3c.Extract(context.Background(), m.carrier())); parent.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, parent)
		if header.IsValid() {
			options = append(options, trace.WithLinks(trace.Link{SpanContext: header}))
		}
	} else if header.IsValid() {
		ctx = trace.ContextWithRemoteSpanContext(ctx, header)
	}
	ctx, span := s.o.Tracer.Start(ctx, name, options...)
	defer span.End()
	a := answer(r.WithContext(ctx))
	if code := a.rpcCode(); code != 0 {
		span.SetAttributes(attribute.String("rpc.response.status_code", strconv.Itoa(code)), attribute.String("error.type", strconv.Itoa(code)))
		span.SetStatus(codes.Error, "")
	}
	return a
}

var w3c = propagation.TraceContext{}

// carrier holds what params._meta says of the trace.
func (m message) carrier() propagation.MapCarrier {
	var meta struct {
		Parent any `json:"traceparent"`
		State  any `json:"tracestate"`
	}
	if raw := m.member("_meta"); raw == nil || json.Unmarshal(raw, &meta) != nil {
		return nil
	}
	c := propagation.MapCarrier{}
	for name, v := range map[string]any{"traceparent": meta.Parent, "tracestate": meta.State} {
		if text, ok := v.(string); ok && len(text) <= 512 {
			c[name] = text
		}
	}
	return c
}

// rpcCode is the code of an answer that is an error, else 0.
func (a reply) rpcCode() int {
	if len(a.body) == 0 || len(a.body) > 64<<10 {
		return 0 // an error of ours is never that long
	}
	_, top, _, flaw := scan(a.body)
	at, ok := top["error"]
	if flaw != nil || !ok {
		return 0
	}
	var e struct {
		Code int `json:"code"`
	}
	_ = json.Unmarshal(a.body[at.from:at.to], &e)
	return e.Code
}

// traceTool notes how a tool has answered.
func traceTool(ctx context.Context, a tool.Answer) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	outcome := "ok"
	if a.Error != nil {
		outcome = a.Error.Code
		span.SetAttributes(attribute.String("error.type", "tool_error"))
		span.SetStatus(codes.Error, "")
	}
	span.SetAttributes(attribute.String("mindgate.outcome", outcome))
}

// traceparentOf is the parent for the tool's side: this request's span where
// there is one, else what the caller has sent.
func traceparentOf(ctx context.Context, sent string) string {
	if !trace.SpanContextFromContext(ctx).IsValid() {
		return sent
	}
	c := propagation.MapCarrier{}
	w3c.Inject(ctx, c)
	return c["traceparent"]
}
