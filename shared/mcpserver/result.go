package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/tool"
)

// invoke keeps a panic of the invoker from ending the process: the engine runs
// calls on goroutines of its own, behind no recover.
func (s *server) invoke(ctx context.Context, e tool.Envelope, report func(tool.Progress)) (a tool.Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.o.Log.ErrorContext(ctx, "call panicked", "tool", e.Tool, "requestId", e.RequestID, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errNoAnswer
		}
	}()
	return s.o.Invoker.Invoke(ctx, e, report)
}

func unreached(err error, requestID string) error {
	message, retryable := "Internal error", false
	switch {
	case errors.Is(err, tool.ErrUnavailable):
		message, retryable = "The tool cannot be reached now. Try again in a few seconds; read the saved state before you repeat a write.", true
	case errors.Is(err, tool.ErrTooLarge):
		return &jsonrpc.Error{Code: codeInvalidParams, Message: "The arguments are too large for one call. Give large sources by link or upload."}
	}
	data, _ := json.Marshal(map[string]any{"requestId": requestID, "retryable": retryable})
	return &jsonrpc.Error{Code: codeInternal, Message: message, Data: data}
}

// result is the MCP form of an answer: structured content with the same JSON as
// text, or a refusal in both (M-12).
func result(a tool.Answer) *mcp.CallToolResult {
	if a.Error == nil {
		return &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: asText(a)}},
			StructuredContent: a.Structured,
		}
	}
	e := *a.Error
	structured := map[string]any{}
	maps.Copy(structured, e.Beside)
	e.Beside = nil
	structured["error"] = &e
	return &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: clean(readable(a.Error))}},
		StructuredContent: structured,
		IsError:           true,
	}
}

// readable is the refusal for a reader that sees only text: the sentence, the
// code, whether to try again, and the data that the sentence does not hold.
func readable(e *tool.WireError) string {
	again := "Do not repeat the same call."
	if e.Retryable {
		again = "The same call may work later."
	}
	text := fmt.Sprintf("%s\n[%s, status %d] %s", e.Message, e.Code, e.Status, again)
	rest := make(map[string]any, len(e.Data))
	for k, v := range e.Data {
		if k != "errors" { // the sentence names them
			rest[k] = v
		}
	}
	if len(rest) > 0 {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if enc.Encode(rest) == nil && b.Len() <= 4096 {
			text += "\nDetails: " + string(bytes.TrimRight(b.Bytes(), "\n"))
		}
	}
	return text
}

// eventBytes is the size of a result inside a gateway's answer event: the
// structured content escaped once, its text twice.
func eventBytes(a tool.Answer) int {
	escaped := func(s []byte) (once, twice int) {
		for _, c := range s {
			switch {
			case c == '"' || c == '\\':
				once, twice = once+1, twice+3
			case c == '<' || c == '>' || c == '&':
				once, twice = once+5, twice+6
			case c < 0x20:
				once, twice = once+5, twice+6
			}
		}
		return once, twice
	}
	once, _ := escaped(a.Structured)
	_, twice := escaped([]byte(a.Text))
	return len(a.Structured) + once + len(a.Text) + twice + 1024
}

func megabytes(n int64) string {
	if n%(1<<20) == 0 {
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
