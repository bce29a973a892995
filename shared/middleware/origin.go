package middleware

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Origins is the allow-list for browsers. A request without Origin is not from
// a browser and passes; the server's own origin passes; pages of this machine
// may call a server that is addressed as this machine; "*" passes all.
type Origins struct {
	Allowed []string // "https://app.example.com"; also "http://localhost:*"
	Own     string   // public URL of this server
	Methods string   // for preflights, "POST, OPTIONS"
}

var (
	requestHeaders = "authorization, content-type, accept, mcp-protocol-version, mcp-method, mcp-name, mcp-session-id, last-event-id, traceparent, tracestate, baggage, x-request-id, idempotency-key, x-mcp-toolsets, x-mcp-tools, x-mcp-exclude-tools, x-mcp-readonly, x-mcp-explicit, x-mcp-find-tools, x-mcp-names"
	exposedHeaders = "www-authenticate, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset, x-request-id, mcp-protocol-version, x-mcp-ignored"
)

// CORS refuses foreign origins with FORBIDDEN, answers preflights of allowed
// ones, and lets their scripts read the answer.
func CORS(o Origins, refuse Refuse) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			origin := r.Header.Get("Origin")
			if origin == "" {
				next.ServeHTTP(w, r)
				return
			}
			w.Header().Add("Vary", "Origin")
			if !o.allows(origin, r.Host) {
				refuse(w, r, fault.New(fault.Forbidden, "This origin may not call the server from a browser. Add it to MINDGATE_ORIGINS."))
				return
			}
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", origin)
			h.Set("Access-Control-Expose-Headers", exposedHeaders)
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				h.Set("Access-Control-Allow-Methods", o.Methods)
				h.Set("Access-Control-Allow-Headers", allowHeaders(r))
				h.Set("Access-Control-Max-Age", "600")
				w.WriteHeader(http.StatusNoContent)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

// allowHeaders adds the Mcp-Param-* names that a preflight asks for; they are
// made of argument names and cannot be listed.
func allowHeaders(r *http.Request) string {
	out := requestHeaders
	for name := range strings.SplitSeq(r.Header.Get("Access-Control-Request-Headers"), ",") {
		name = strings.ToLower(strings.TrimSpace(name))
		if strings.HasPrefix(name, "mcp-param-") && token(name) {
			out += ", " + name
		}
	}
	return out
}

func token(s string) bool {
	return len(s) <= 128 && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r == '-' || r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9')
	})
}

func (o Origins) allows(origin, host string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return slices.Contains(o.Allowed, "*") // the opaque origin "null" among them
	}
	if own, err := url.Parse(o.Own); err == nil && own.Host != "" && strings.EqualFold(own.Scheme, u.Scheme) && strings.EqualFold(own.Host, u.Host) {
		return true
	}
	if Loopback(u.Host) && Loopback(host) {
		return true
	}
	return slices.ContainsFunc(o.Allowed, func(a string) bool {
		if a == "*" || strings.EqualFold(strings.TrimRight(a, "/"), origin) {
			return true
		}
		prefix, anyPort := strings.CutSuffix(a, ":*")
		return anyPort && strings.EqualFold(prefix, u.Scheme+"://"+u.Hostname())
	})
}

// Loopback tells whether an address ("localhost:8080", "[::1]:80", "127.0.0.1")
// is this machine's own.
func Loopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		host = strings.Trim(address, "[]")
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
