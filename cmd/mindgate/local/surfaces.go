package local

import (
	"context"
	"net/http"
	"slices"

	"go.opentelemetry.io/otel/trace"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/host/welcome"
	"github.com/mindgate-dev/mindgate/functions/minds"
	"github.com/mindgate-dev/mindgate/shared/blobs/folder"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/fixtures"
	"github.com/mindgate-dev/mindgate/shared/mcpserver"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/research"
	"github.com/mindgate-dev/mindgate/shared/restapi"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Surfaces is how a host is reached.
type Surfaces struct {
	PublicURL string
	Version   string
	Origins   []string
	Limiter   middleware.Limiter
	// Issuer is whose access tokens are taken beside keys, if any.
	Issuer host.Issuer
	Slots  middleware.Slots // nil: no cap of calls at once
	Tracer trace.Tracer     // nil: no spans
	// Stream lets calls that ask for progress be answered as streams.
	Stream bool
	// Metrics are counted and shown at /metrics: to this machine, or to all who
	// reach the address. Nil counts nothing.
	Metrics    *telemetry.Metrics
	MetricsAll bool
	// Command makes another key; the welcome page shows it.
	Command string
}

// Tools gives the tools of the toolset with their catalogue, to be called in
// this process.
func (h *Host) Tools() (*catalog.Catalogue, tool.Invoker, error) { return h.tools(nil) }

func (h *Host) tools(called func(context.Context, telemetry.Call)) (*catalog.Catalogue, tool.Invoker, error) {
	all := minds.Registry()
	if h.fixtures != nil {
		all = append(all, h.fixtures.Registry()...)
	}
	all = slices.DeleteFunc(all, func(t tool.Tool) bool {
		return t.Name == catalog.ModelConnectionsTool && !h.Research.Connections.Enabled()
	})
	registry, err := tool.NewRegistry(all...)
	if err != nil {
		return nil, nil, err
	}
	listed := catalog.Minds().Only(registry.Names(), catalog.ModelConnectionsTool)
	if h.fixtures != nil {
		if listed, err = listed.With(fixtures.Definitions()...); err != nil {
			return nil, nil, err
		}
	}
	dispatcher, err := tool.NewDispatcher(tool.DispatchOptions{
		Registry: registry, Catalogue: listed, MaxResult: tool.MaxResultLocal, Clock: h.Clock, Log: h.Log,
		Prepare: func(ctx context.Context) context.Context { return research.With(ctx, h.Research) }, Audit: called,
	})
	if err != nil {
		return nil, nil, err
	}
	return listed, tool.InProcess(dispatcher), nil
}

// Handler puts MCP, REST, downloads and the welcome page under one address.
func (h *Host) Handler(s Surfaces) (http.Handler, error) {
	called := h.called(s.Metrics)
	listed, invoker, err := h.tools(called)
	if err != nil {
		return nil, err
	}
	issuer, err := s.Issuer.Verifier(s.PublicURL, h.Clock, h.Log)
	if err != nil {
		return nil, err
	}
	callers, err := s.Issuer.Credentials(h.Research.Accounts, issuer, h.Log)
	if err != nil {
		return nil, err
	}
	options := mcpserver.Options{
		Catalogue: listed, Invoker: invoker, Authenticator: callers, Issuer: issuer, Limiter: s.Limiter,
		PublicURL: s.PublicURL, Origins: s.Origins, Version: s.Version, Log: h.Log, Clock: h.Clock, IDs: h.IDs,
		Stream: s.Stream, Slots: s.Slots, Tracer: s.Tracer, Called: called,
		Strict: true, // who runs this can mend a name at once
	}
	if h.fixtures != nil {
		options.Extension = h.fixtures.Streaming(s.Stream)
	}
	mcp, err := mcpserver.New(options)
	if err != nil {
		return nil, err
	}
	rest, err := restapi.New(restapi.Config{
		Research: h.Research, Authenticator: callers, PublicURL: s.PublicURL, Version: s.Version, Limiter: s.Limiter, Origins: s.Origins,
		Ready: h.Ready, Spool: h.Blobs.Incoming(), Clock: h.Clock, IDs: h.IDs, Log: h.Log,
	})
	if err != nil {
		return nil, err
	}
	var mcpHandler, restHandler http.Handler = mcp, rest
	mux := http.NewServeMux()
	if s.Metrics != nil {
		mcpHandler = s.Metrics.Count("mcp", h.Clock.Now, mcp)
		restHandler = s.Metrics.Count("rest", h.Clock.Now, rest)
		mux.Handle("GET /metrics", metricsFor(s.MetricsAll, s.Metrics, restHandler))
	}
	mux.Handle("/mcp", mcpHandler)
	mux.Handle("/mcp/", mcpHandler)
	mux.Handle("/.well-known/", mcp)
	mux.Handle(folder.DownloadPath, h.Blobs.Download())
	mux.Handle("GET /{$}", welcome.Page(s.PublicURL, s.Version, s.Command, issuer != nil))
	mux.Handle("/", restHandler)
	return mux, nil
}
