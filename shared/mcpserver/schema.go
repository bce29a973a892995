package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

func (s *server) readSchema(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	uri := req.Params.URI
	u, err := url.Parse(uri)
	if err != nil {
		return nil, noResource(uri)
	}
	name, _ := strings.CutSuffix(strings.TrimPrefix(u.Path, "/"), "/schema")
	d, ok := s.o.Catalogue.Lookup(name)
	if !ok || s.viewFrom(ctx).Barred(d) != "" || len(d.Missing(account.From(ctx).Has)) > 0 {
		return nil, noResource(uri)
	}
	in, out := d.Input, d.Output
	if u.Query().Get("refs") == "none" {
		var wrong, also error
		in, wrong = catalog.Inline(in)
		out, also = catalog.Inline(out)
		if err := errors.Join(wrong, also); err != nil {
			return nil, &jsonrpc.Error{Code: codeInvalidParams, Message: "The schema of " + d.Name + " cannot be written without $ref; read it with them."}
		}
	}
	if out, err = orRefusal(out); err != nil {
		return nil, err
	}
	raw, err := marshal(map[string]any{
		"name": d.Name, "title": d.Title, "description": d.Description, "annotations": d.Annotations, "scopes": d.Scopes,
		"inputSchema": in, "outputSchema": out, "examples": d.Examples,
	})
	if err != nil {
		return nil, err
	}
	return jsonContents(uri, raw), nil
}

// refusalSchema is what a refused call has as structured content (M-12).
const refusalSchema = `{"type":"object","properties":{"error":{"type":"object","properties":{` +
	`"code":{"type":"string"},"status":{"type":"integer","minimum":0},"message":{"type":"string"},"retryable":{"type":"boolean"},"data":{"type":"object"}},` +
	`"required":["code","status","message","retryable"],"additionalProperties":false}},"required":["error"],"additionalProperties":false,` +
	`"description":"A refused call; the result has isError."}`

// orRefusal is a result's schema as clients check it: the result, or the refusal
// of the call. A client need not know that isError stands beside the content.
// What references lead to stays at the root, where they look for it.
func orRefusal(result json.RawMessage) (json.RawMessage, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(result, &members); err != nil {
		return nil, err
	}
	out := map[string]any{"type": "object"}
	for _, name := range []string{"$schema", "$defs", "definitions"} {
		if v, ok := members[name]; ok {
			out[name] = v
			delete(members, name)
		}
	}
	out["anyOf"] = []any{members, json.RawMessage(refusalSchema)}
	return marshal(out)
}
