package mcpserver

import "github.com/modelcontextprotocol/go-sdk/mcp"

// Extension is what a host serves beside the catalogue, through the same front
// and engine: whatever the protocol has and a tool of the catalogue has not.
// The fixtures that the official conformance suite asks for are one; a deployed
// gateway has none.
type Extension interface {
	// Configure may add capabilities and handlers before the server is made.
	Configure(o *mcp.ServerOptions)
	// Install adds tools, prompts and resources.
	Install(srv *mcp.Server)
	// Tools are listed after those of the catalogue, in this order.
	Tools() []*mcp.Tool
	// Serves tells whether a tool that the catalogue does not know is here.
	Serves(name string) bool
}

// extended tells whether the extension has a tool.
func (s *server) extended(name string) bool {
	return s.o.Extension != nil && s.o.Extension.Serves(name)
}
