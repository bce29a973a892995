package mcpserver

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// challenge is the WWW-Authenticate value (RFC 6750, RFC 9728): where the
// metadata is, which only exists beside an issuer, why the credential was
// refused (nothing where none was sent), and which scopes to ask for.
func (s *server) challenge(reason string, scopes []string) string {
	parts := []string{`realm="mindgate"`}
	if s.o.Issuer != nil {
		parts = append(parts, `resource_metadata="`+s.o.PublicURL+resourceMetadata+`/mcp"`)
	}
	if reason != "" {
		parts = append(parts, `error="`+reason+`"`)
	}
	if len(scopes) > 0 {
		parts = append(parts, `scope="`+strings.Join(s.scopeNames(scopes), " ")+`"`)
	}
	return "Bearer " + strings.Join(parts, ", ")
}

// unproven is the challenge of a 401: with an issuer it names all scopes that
// there are, so that one login is enough.
func (s *server) unproven(r *http.Request) string {
	reason := "invalid_token"
	if len(r.Header.Values("Authorization")) == 0 {
		reason = ""
	}
	var scopes []string
	if s.o.Issuer != nil {
		scopes = s.scopes
	}
	return s.challenge(reason, scopes)
}

// stepUpScopes are what a new token needs: what the tool takes and, for tokens,
// what the caller had, because a login replaces the token.
func stepUpScopes(p account.Principal, needed []string) []string {
	if p.Method != "oauth" {
		return needed
	}
	all := slices.Concat(p.Scopes, needed)
	slices.Sort(all)
	return slices.Compact(all)
}

func (s *server) scopeNames(scopes []string) []string {
	if s.o.Issuer == nil {
		return scopes
	}
	return s.o.Issuer.ScopeNames(scopes)
}

// allScopes are those that some tool takes, sorted.
func (s *server) allScopes() []string {
	var scopes []string
	for _, d := range s.o.Catalogue.All() {
		scopes = append(scopes, d.Scopes...)
	}
	slices.Sort(scopes)
	return slices.Compact(scopes)
}

const resourceMetadata = "/.well-known/oauth-protected-resource"

// open serves documents of discovery, which need no credential and may be read
// by every page.
func open(get http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Access-Control-Allow-Origin", "*")
		switch r.Method {
		case http.MethodGet, http.MethodHead:
			get(w, r)
		case http.MethodOptions:
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, OPTIONS")
			h.Set("Access-Control-Allow-Headers", "accept, authorization, content-type, mcp-protocol-version")
			h.Set("Access-Control-Max-Age", "600")
			h.Set("Allow", "GET, HEAD, OPTIONS")
			w.WriteHeader(http.StatusNoContent)
		default:
			h.Set("Allow", "GET, HEAD, OPTIONS")
			refuse(w, r, fault.New(fault.MethodNotAllowed, "Send GET."))
		}
	}
}

// metadata is the protected resource metadata of RFC 9728. Without an issuer
// there is none: a client with an API key needs none, and an empty one would
// send clients looking for a login.
func (s *server) metadata(w http.ResponseWriter, r *http.Request) {
	if s.o.Issuer == nil {
		refuse(w, r, fault.New(fault.NotFound, "This server takes API keys only."))
		return
	}
	body, err := json.Marshal(map[string]any{
		"resource":                 s.o.PublicURL + "/mcp",
		"authorization_servers":    []string{s.o.Issuer.Issuer()},
		"scopes_supported":         s.scopeNames(s.scopes),
		"bearer_methods_supported": []string{"header"},
		"resource_name":            "Mindgate",
		"resource_documentation":   s.o.PublicURL + "/",
	})
	if err != nil {
		refuse(w, r, fault.From(err))
		return
	}
	reply{http.StatusOK, body}.write(w)
}

// issuerMetadata sends older clients, which look for the login at the resource
// itself, to the issuer's own document.
func (s *server) issuerMetadata(w http.ResponseWriter, r *http.Request) {
	if s.o.Issuer == nil {
		refuse(w, r, fault.New(fault.NotFound, "This server takes API keys only and issues no tokens."))
		return
	}
	w.Header().Set("Location", s.o.Issuer.Discovery(r.Context()))
	reply{status: http.StatusFound}.write(w)
}

// mountMetadata puts the documents at every place where clients look for those
// of the endpoint: the root, and the endpoint's own path.
func (s *server) mountMetadata(mux *http.ServeMux) {
	for _, at := range []string{resourceMetadata, resourceMetadata + "/mcp", resourceMetadata + "/mcp/"} {
		mux.HandleFunc(at, open(s.metadata))
	}
	for _, name := range []string{"/.well-known/oauth-authorization-server", "/.well-known/openid-configuration"} {
		for _, at := range []string{name, name + "/mcp", name + "/mcp/", "/mcp" + name} {
			mux.HandleFunc(at, open(s.issuerMetadata))
		}
	}
}
