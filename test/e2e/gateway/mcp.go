package gateway

import (
	"context"
	"encoding/json"
	"net/http"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Client is an MCP client made with the official SDK.
type Client struct{ *mcp.ClientSession }

// MCP connects over HTTP with the server's key.
func (s *Server) MCP(t testing.TB) *Client {
	t.Helper()
	return connect(t, &mcp.StreamableClientTransport{
		Endpoint: s.URL + "/mcp", DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: bearer(s.Key)},
	})
}

// Stdio connects to a command that speaks MCP on its pipes.
func Stdio(t testing.TB, cmd *exec.Cmd) *Client {
	t.Helper()
	return connect(t, &mcp.CommandTransport{Command: cmd})
}

func connect(t testing.TB, transport mcp.Transport) *Client {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	return &Client{session}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// Result is the structured content of a call, with the same reading as an
// Answer of REST.
type Result struct {
	Answer
	Refused bool
}

// Call calls a tool.
func (c *Client) Call(ctx context.Context, t testing.TB, name string, args any) Result {
	t.Helper()
	out, err := c.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	raw, err := json.Marshal(out.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	r := Result{Answer: Answer{Body: raw}, Refused: out.IsError}
	_ = json.Unmarshal(raw, &r.JSON)
	return r
}

// Must is Call that fails the test on a refusal.
func (c *Client) Must(t testing.TB, name string, args any) Result {
	t.Helper()
	r := c.Call(t.Context(), t, name, args)
	if r.Refused {
		t.Fatalf("%s: %s", name, r.Body)
	}
	return r
}
