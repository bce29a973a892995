// Package mcpserver serves tools over the Model Context Protocol. The official
// SDK is the protocol engine, stateless and answering in JSON; a front of ours
// stands before it, because clients must get JSON-RPC in JSON for every refusal,
// whatever their revision, headers or mistakes.
//
// One endpoint serves both eras: requests of the stateless era (2026-07-28) and
// the older revisions that open with initialize.
package mcpserver

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"go.opentelemetry.io/otel/trace"

	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/oauth"
	"github.com/mindgate-dev/mindgate/shared/telemetry"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// Options are what the server needs. Catalogue, Invoker and Authenticator are
// required.
type Options struct {
	Catalogue     *catalog.Catalogue // the tools that exist here (Catalogue.Only)
	Invoker       tool.Invoker
	Authenticator middleware.Authenticator
	Limiter       middleware.Limiter // nil: no limit
	MaxBody       int64              // bytes of a request body; 0 is 24 MiB
	// MaxResult is the largest answer as it leaves, in bytes inside a gateway
	// event (structured content, text, both escaped); 0 is no ceiling.
	MaxResult int
	PublicURL string   // "https://host", for challenges and the server's own origin
	Origins   []string // browsers that may call; see middleware.Origins
	Version   string   // of the server
	// Issuer, when set, is whose access tokens the Authenticator takes beside
	// keys: its metadata is published (RFC 9728) and challenges point to it.
	Issuer *oauth.Verifier
	Log    *slog.Logger // nil discards
	Clock  clock.Clock  // nil is the system clock
	IDs    clock.IDs    // nil is random
	Audit  func(r *http.Request, l middleware.Line)
	// Stream lets a call that asks for progress be answered as a stream of
	// events. A host that hands on whole answers only leaves it off.
	Stream bool
	// Slots caps the calls of one account that run at once; nil is no cap.
	Slots middleware.Slots
	// Called gets the audit line of a call that does not come to its tool, whose
	// own side writes the others; nil writes it to Log.
	Called func(context.Context, telemetry.Call)
	// Tracer makes a span a request; nil makes none.
	Tracer trace.Tracer
	// Strict refuses a connection that chooses an area or a tool which is not
	// here; otherwise such a name is left out and told in X-MCP-Ignored.
	Strict bool
	// Extension, when set, is served beside the catalogue.
	Extension Extension
}

// MaxResultLambda leaves room for headers in the 6 MB of a function's answer.
const MaxResultLambda = 6_000_000

// New makes the handler. It serves /mcp, the addresses below it that choose tools
// (/mcp/readonly, /mcp/x/{area,area}, both), each with and without a slash at the
// end, the icons, and the metadata of the resource; another path is 404 in JSON.
func New(o Options) (http.Handler, error) {
	if o.Catalogue == nil || o.Invoker == nil || o.Authenticator == nil {
		return nil, errors.New("mcpserver: Catalogue, Invoker and Authenticator are required")
	}
	if o.Limiter == nil {
		o.Limiter = middleware.NoLimit{}
	}
	if o.Slots == nil {
		o.Slots = middleware.NoSlots{}
	}
	if o.Called == nil {
		o.Called = telemetry.Audit
	}
	if o.MaxBody <= 0 {
		o.MaxBody = middleware.MaxBodyLocal
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	if o.IDs == nil {
		o.IDs = clock.RandomIDs{}
	}
	o.PublicURL = strings.TrimRight(o.PublicURL, "/")
	o.Catalogue = o.Catalogue.WithFinder()
	s := &server{o: o, publicHost: hostOf(o.PublicURL), large: newLarge(o.MaxBody)}
	s.everything, _ = o.Catalogue.Choose(catalog.Choice{})
	s.scopes = s.allScopes()
	s.engine, s.streaming = newEngine(s)

	mcp := []middleware.Middleware{middleware.RequestID(o.IDs)}
	if o.Audit != nil {
		mcp = append(mcp, middleware.Audit(o.Clock, o.Audit))
	}
	mcp = append(mcp,
		middleware.Recover(o.Log, refuse),
		middleware.CORS(middleware.Origins{Allowed: o.Origins, Own: o.PublicURL, Methods: "POST, OPTIONS"}, refuse),
	)
	mux := http.NewServeMux()
	endpoint := middleware.Chain(http.HandlerFunc(s.serve), mcp...)
	for _, path := range []string{"/mcp", "/mcp/readonly", "/mcp/x/{areas}", "/mcp/x/{areas}/readonly"} {
		mux.Handle(path, endpoint)
		mux.Handle(path+"/{$}", endpoint)
	}
	mux.Handle(iconPathSVG, icon("image/svg+xml", iconSVG))
	mux.Handle(iconPathPNG, icon("image/png", iconPNG))
	s.mountMetadata(mux)
	mux.Handle("/", middleware.Chain(http.HandlerFunc(nowhere), middleware.RequestID(o.IDs)))
	return mux, nil
}

type server struct {
	o          Options
	engine     http.Handler
	streaming  http.Handler // the engine that writes events; nil where the host cannot
	publicHost string
	everything *catalog.View // what a connection sees that chose nothing
	lists      lists
	scopes     []string // of all tools
	large      large
}

func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}

func nowhere(w http.ResponseWriter, r *http.Request) {
	refuse(w, r, fault.New(fault.NotFound, "Nothing is here. The MCP endpoint is /mcp."))
}
