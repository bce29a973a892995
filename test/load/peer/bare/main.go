// Command bare is the least server that the SDK can be: the tools of a list,
// each answering with its arguments, without a front, a caller or a check.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: bare HOST:PORT TOOLS.json")
		os.Exit(2)
	}
	if err := serve(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, "bare:", err)
		os.Exit(1)
	}
}

func serve(address, file string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	var list struct{ Tools []*mcp.Tool }
	if err := json.Unmarshal(raw, &list); err != nil {
		return err
	}
	srv := mcp.NewServer(&mcp.Implementation{Name: "bare", Version: "1"}, nil)
	for _, t := range list.Tools {
		srv.AddTool(t, echo)
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return srv }, &mcp.StreamableHTTPOptions{Stateless: true, JSONResponse: true})
	return http.ListenAndServe(address, handler)
}

func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	out, err := json.Marshal(map[string]any{"arguments": req.Params.Arguments})
	if err != nil {
		return nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(out)}}, StructuredContent: json.RawMessage(out)}, nil
}
