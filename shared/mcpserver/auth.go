package mcpserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// challenge is the WWW-Authenticate value: why, where the metadata is (only
// where an authorization server exists), and which scopes would do.
func (s *server) challenge(reason string, scopes []string) string {
	parts := []string{`realm="mindgate"`}
	if len(s.o.AuthorizationServers) > 0 {
		parts = append(parts, `resource_metadata="`+s.o.PublicURL+`/.well-known/oauth-protected-resource/mcp"`)
	}
	parts = append(parts, `error="`+reason+`"`)
	if len(scopes) > 0 {
		parts = append(parts, `scope="`+strings.Join(scopes, " ")+`"`)
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// metadata is the protected resource metadata of RFC 9728. Without an
// authorization server there is none: a client with an API key needs none, and
// an empty one would send clients looking for a login.
func (s *server) metadata(w http.ResponseWriter, r *http.Request) {
	if len(s.o.AuthorizationServers) == 0 {
		refuse(w, r, fault.New(fault.NotFound, "This server takes API keys only."))
		return
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, r, fault.New(fault.MethodNotAllowed, "Send GET."))
		return
	}
	var scopes []string
	for _, d := range s.o.Catalogue.All() {
		scopes = append(scopes, d.Scopes...)
	}
	slices.Sort(scopes)
	body, err := json.Marshal(map[string]any{
		"resource":                 s.o.PublicURL + "/mcp",
		"authorization_servers":    s.o.AuthorizationServers,
		"scopes_supported":         slices.Compact(scopes),
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Mindgate",
	})
	if err != nil {
		refuse(w, r, fault.From(err))
		return
	}
	w.Header().Set("Access-Control-Allow-Origin", "*")
	reply{http.StatusOK, body}.write(w)
}
