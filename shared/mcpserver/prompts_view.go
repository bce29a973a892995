package mcpserver

import (
	"context"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// exists tells whether a tool is in this deployment.
func (s *server) exists(name string) bool { _, ok := s.o.Catalogue.Lookup(name); return ok }

// hasFrom tells which tools a connection can call: those that it did not choose
// away and that its credential's scopes cover, as in tools/list.
func (s *server) hasFrom(ctx context.Context) func(name string) bool {
	view, p := s.viewFrom(ctx), account.From(ctx)
	return func(name string) bool {
		d, ok := s.o.Catalogue.Lookup(name)
		return ok && view.Barred(d) == "" && len(d.Missing(p.Has)) == 0
	}
}

// viewed fits what is said about the tools to those that the connection has: the
// instructions, the list of prompts, and what can be completed.
func (s *server) viewed(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if c, ok := req.(*mcp.CompleteRequest); ok && c.Params.Ref != nil && c.Params.Ref.Type == "ref/prompt" {
			if p, ours := promptOf(c.Params.Ref.Name); ours && !p.can(s.hasFrom(ctx)) {
				return nil, &jsonrpc.Error{Code: codeInvalidParams, Message: "Invalid params: ref names no prompt and no resource template of this server"}
			}
		}
		res, err := next(ctx, method, req)
		if err != nil {
			return res, err
		}
		switch res := res.(type) {
		case *mcp.InitializeResult:
			res.Instructions = s.instructionsFor(ctx, res.Instructions)
		case *mcp.DiscoverResult:
			res.Instructions = s.instructionsFor(ctx, res.Instructions)
		case *mcp.ListPromptsResult:
			has := s.hasFrom(ctx)
			res.Prompts = slices.DeleteFunc(slices.Clone(res.Prompts), func(listed *mcp.Prompt) bool {
				p, ours := promptOf(listed.Name)
				return ours && !p.can(has)
			})
		}
		return res, nil
	}
}

// instructionsFor gives the instructions for the tools of a connection; whole
// are those for all tools.
func (s *server) instructionsFor(ctx context.Context, whole string) string {
	view, p := s.viewFrom(ctx), account.From(ctx)
	allow := func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 }
	var names []string
	writes := false
	for _, d := range view.Callable(allow) {
		if d.Name == catalog.FindTools && len(view.Hidden(allow)) == 0 {
			continue // it would find nothing
		}
		names = append(names, d.Name)
		writes = writes || !d.Annotations.ReadOnly
	}
	if len(names) == len(s.o.Catalogue.All()) {
		return whole
	}
	text := instructions(s.o.Catalogue.Only(names), s.o.MaxBody)
	if !writes {
		text += " This connection only reads: it can make, ask and change nothing."
	}
	return text
}
