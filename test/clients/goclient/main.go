// Command goclient walks through a gateway with the official Go client.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func main() {
	if err := walk(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "go client:", err)
		os.Exit(1)
	}
}

type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

func walk(ctx context.Context) error {
	var want struct {
		Listed        []string
		Hidden, Alias string
	}
	raw, err := os.ReadFile(os.Getenv("WANT"))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		return err
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "go", Version: "1"}, nil)
	s, err := client.Connect(ctx, &mcp.StreamableClientTransport{
		Endpoint: os.Getenv("MINDGATE_URL"), DisableStandaloneSSE: true,
		HTTPClient: &http.Client{Transport: bearer(os.Getenv("MINDGATE_API_KEY"))},
	}, nil)
	if err != nil {
		return err
	}
	list, err := s.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	if !slices.Equal(names, want.Listed) {
		return fmt.Errorf("listed %v", names)
	}
	for _, c := range []struct {
		tool    string
		args    map[string]any
		refused bool
		says    string
	}{
		{"list_studies", map[string]any{"limit": 5}, false, `"limit":5`},
		{want.Hidden, nil, false, "{"},
		{want.Alias, nil, false, `"studies"`},
		{"list_studies", map[string]any{"limit": -1}, true, "limit"},
	} {
		r, err := s.CallTool(ctx, &mcp.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			return fmt.Errorf("%s: %w", c.tool, err)
		}
		text, ok := r.Content[0].(*mcp.TextContent)
		if !ok || r.IsError != c.refused || !strings.Contains(text.Text, c.says) {
			return fmt.Errorf("%s: %+v", c.tool, r)
		}
	}
	if _, err := s.CallTool(ctx, &mcp.CallToolParams{Name: "no_such_tool"}); err == nil || !strings.Contains(err.Error(), "no_such_tool") {
		return fmt.Errorf("unknown tool: %w", err)
	}
	p, err := s.GetPrompt(ctx, &mcp.GetPromptParams{Name: "test_simple_prompt"})
	if err != nil || len(p.Messages) == 0 {
		return fmt.Errorf("prompt: %w", err)
	}
	d, err := s.ReadResource(ctx, &mcp.ReadResourceParams{URI: "test://static-text"})
	if err != nil || len(d.Contents) == 0 {
		return fmt.Errorf("resource: %w", err)
	}
	revision := ""
	if r := s.InitializeResult(); r != nil {
		revision = r.ProtocolVersion
	}
	fmt.Printf("go-sdk client: %s, %d tools, call, hidden, alias, refusal, prompt, resource\n", revision, len(names))
	return errors.Join(s.Close())
}
