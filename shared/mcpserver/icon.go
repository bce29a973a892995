package mcpserver

import (
	_ "embed"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// The gateway's own sign: three people behind a gate, drawn for it.
var (
	//go:embed icons/icon.svg
	iconSVG []byte
	//go:embed icons/icon.png
	iconPNG []byte
)

const (
	iconPathSVG = "/mcp/icon.svg"
	iconPathPNG = "/mcp/icon.png"
)

// icons are named by address: the server's description goes with every answer
// of the stateless era, so a picture in it would too.
func icons(publicURL string) []mcp.Icon {
	if publicURL == "" {
		return nil
	}
	return []mcp.Icon{
		{Source: publicURL + iconPathPNG, MIMEType: "image/png", Sizes: []string{"96x96"}},
		{Source: publicURL + iconPathSVG, MIMEType: "image/svg+xml", Sizes: []string{"any"}},
	}
}

// icon serves a picture to anyone: clients fetch it without a credential.
func icon(mime string, body []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			h.Set("Allow", "GET, HEAD")
			refuse(w, r, fault.New(fault.MethodNotAllowed, "Send GET."))
			return
		}
		h.Set("Content-Type", mime)
		h.Set("Cache-Control", "public, max-age=86400")
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("X-Content-Type-Options", "nosniff")
		// An SVG can hold scripts; this one has none, and may run none.
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		if r.Method == http.MethodGet {
			_, _ = w.Write(body)
		}
	}
}
