// Package welcome tells people how to connect a client: the page at the root
// of a gateway, and the same configurations for a terminal.
package welcome

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strings"
)

// Placeholder stands for a key that is not known here.
const Placeholder = "minds_YOUR_KEY"

// endpoint lists the advertised tools, which carry a research from a brief to its
// export, and find_tools, which searches the rest: the whole list would stay in the
// context of every conversation.
const endpoint = "/mcp?find_tools=true"

// Note says what to change where that is not enough.
const Note = "These list the advertised tools and find_tools, which searches the rest. A client that lets its model call only what is listed " +
	"reaches the rest with explicit=true in place of find_tools=true (--explicit in place of --find-tools): all tools, at the cost of its context."

// Client is one client's configuration, ready to paste.
type Client struct {
	Name  string // of the client
	Where string // where the text goes
	Text  string
}

// Stdio is how a client starts the program that speaks MCP on its pipes.
type Stdio struct {
	Program string
	Args    []string
}

// Bridge is the program of that name with a gateway elsewhere.
func Bridge(url string) Stdio {
	return Stdio{"mindgate", []string{"mcp", "--toolset", "minds", "--find-tools", "--url", url + "/mcp"}}
}

// Clients gives the configuration of every client that is known, for a gateway
// at url (without a slash at the end) and a key.
func Clients(url, key string, pipes Stdio) []Client {
	mcp := url + endpoint
	headers := map[string]any{"Authorization": "Bearer " + key}
	return []Client{
		{"Claude Code", "in a terminal", `claude mcp add --transport http mindgate "` + mcp + `" --header "Authorization: Bearer ` + key + `"`},
		{"Claude Desktop", "in claude_desktop_config.json", pretty(map[string]any{"mcpServers": map[string]any{"mindgate": map[string]any{
			"command": pipes.Program, "args": pipes.Args, "env": map[string]any{"MINDGATE_API_KEY": key},
		}}})},
		{"Cursor", "in ~/.cursor/mcp.json", pretty(map[string]any{"mcpServers": map[string]any{"mindgate": map[string]any{
			"url": mcp, "headers": headers,
		}}})},
		{"VS Code", "in .vscode/mcp.json", pretty(map[string]any{"servers": map[string]any{"mindgate": map[string]any{
			"type": "http", "url": mcp, "headers": headers,
		}}})},
		{"A script", "over REST", `curl -H "Authorization: Bearer ` + key + `" ` + url + `/api/v1/minds`},
	}
}

func pretty(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	_ = enc.Encode(v) // maps of texts always encode
	return strings.TrimSpace(b.String())
}

//go:embed welcome.html
var page string

// Page serves the page. command is what makes a key here; it may be empty. login
// tells that an issuer is configured, so that a client may log in without a key.
func Page(url, version, command string, login bool) http.Handler {
	body := []byte(render(url, version, command, login))
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Cache-Control", "public, max-age=300")
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
		h.Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(body)
	})
}

// render fills the page in. It does so by hand: a template engine finds methods
// by name, for which the linker keeps every method of every AWS client.
func render(url, version, command string, login bool) string {
	how := "An operator of this gateway makes keys."
	if command != "" {
		how = "This makes one:</p>\n<pre>" + html.EscapeString(command) + "</pre>\n<p>"
	}
	in := ""
	if login {
		in = "<p>A client that can log in (OAuth 2.1) needs no key: leave the Authorization header out of its configuration, and it asks you to log in.</p>\n" +
			"<pre>" + html.EscapeString(`claude mcp add --transport http mindgate "`+url+endpoint+`"`) + "</pre>\n"
	}
	var clients strings.Builder
	for _, c := range Clients(url, Placeholder, Bridge(url)) {
		fmt.Fprintf(&clients, "<h2>%s</h2>\n<p>%s:</p>\n<pre>%s</pre>\n",
			html.EscapeString(c.Name), html.EscapeString(c.Where), html.EscapeString(c.Text))
	}
	return strings.NewReplacer(
		"{{url}}", html.EscapeString(url), "{{version}}", html.EscapeString(version), "{{how}}", how, "{{login}}", in,
		"{{note}}", html.EscapeString(Note),
		"{{clients}}", clients.String(),
	).Replace(page)
}
