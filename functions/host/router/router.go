// Package router is the MCP router of the stack: it proves callers, knows the
// catalogue and calls each tool's function. It links no research.
package router

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/aws/aws-sdk-go-v2/service/lambda"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/host/welcome"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/mcpserver"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/tool/lambdainvoke"
)

// keyCommand makes a key for a deployed stack.
const keyCommand = "mindgate key create --stack NAME --account YOU"

// Handler serves the MCP paths, the metadata, the welcome page and /healthz.
func Handler(ctx context.Context, version string) (http.Handler, error) {
	h, err := host.Open(ctx)
	if err != nil {
		return nil, err
	}
	mcp, err := mcpserver.New(mcpserver.Options{
		Catalogue:     catalog.Minds().Only(Tools()),
		Invoker:       lambdainvoke.New(lambdainvoke.Options{Client: lambda.NewFromConfig(h.AWS), Prefix: h.Env.FunctionPrefix}),
		Authenticator: h.Accounts(), Limiter: h.Limiter(),
		MaxBody: middleware.MaxBodyLambda, MaxResult: mcpserver.MaxResultLambda,
		PublicURL: h.Env.PublicURL, Origins: h.Env.Origins, Version: version, Log: h.Log, Clock: h.Clock, IDs: h.IDs,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cache-Control", "private, no-store")
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "version": version})
	})
	mux.Handle("GET /{$}", welcome.Page(h.Env.PublicURL, version, keyCommand))
	mux.Handle("/", mcp)
	return mux, nil
}
