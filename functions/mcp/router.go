package main

import (
	"encoding/json"
	"net/http"
	"slices"

	"go.opentelemetry.io/otel/trace"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/functions/host/welcome"
	"github.com/mindgate-dev/mindgate/shared/catalog"
	"github.com/mindgate-dev/mindgate/shared/mcpserver"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/tool"
)

// built are the tools that have a function in this stack, sorted. A test holds
// the list to the registry, which the router does not link.
var built = []string{
	"ask_audience",
	"ask_study",
	"chat_with_mind",
	"create_audience",
	"create_audience_from_brief",
	"create_mind",
	"create_study",
	"duplicate_audience",
	"export_study",
	"get_audience",
	"get_audience_limits",
	"get_mind_status",
	"get_study_analytics",
	"get_study_run",
	"get_study_status",
	"get_study_summary",
	"import_audience_sources",
	"list_audiences",
	"list_formations",
	"list_minds",
	"list_model_connections",
	"list_research_methods",
	"list_studies",
	"list_study_drafts",
	"list_study_templates",
	"manage_audience",
	"manage_chat",
	"manage_formation",
	"manage_mind",
	"manage_mind_knowledge",
	"manage_study",
	"manage_study_draft",
	"manage_study_template",
	"plan_study_questions",
	"preview_audience_dataset_segmentation",
	"recalibrate_audience",
	"run_study_questions",
	"save_study_draft",
	"study_heatmap",
}

// listed leaves out what a switched-off feature needs (M-302).
func listed(e host.Env) []string {
	return slices.DeleteFunc(slices.Clone(built), func(name string) bool {
		return name == catalog.ModelConnectionsTool && !e.ModelConnections
	})
}

// router answers what REST does not: MCP, the welcome page, the health check.
func router(h *host.Host, invoker tool.Invoker, tracer trace.Tracer) (http.Handler, error) {
	callers, issuer, err := h.Callers()
	if err != nil {
		return nil, err
	}
	mcp, err := mcpserver.New(mcpserver.Options{
		Catalogue: catalog.Minds().Only(listed(h.Env), catalog.ModelConnectionsTool), Invoker: invoker, Authenticator: callers, Issuer: issuer, Limiter: h.Limiter(), Slots: h.Slots(), Tracer: tracer,
		MaxBody: middleware.MaxBodyLambda, MaxResult: mcpserver.MaxResultLambda,
		PublicURL: h.Env.PublicURL, Origins: h.Env.Origins, Version: host.Version(), Log: h.Log, Clock: h.Clock, IDs: h.IDs,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.Handle("/", mcp)
	mux.Handle("GET /{$}", welcome.Page(h.Env.PublicURL, host.Version(), "", issuer != nil))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "version": host.Version()})
	})
	return mux, nil
}
