// Package account knows who calls: users, workspaces (tenants), API keys,
// plans, entitlements and usage counters.
package account

import (
	"context"
	"slices"
)

// Principal is the caller of one request, as proven by its credential.
type Principal struct {
	Account   string   `json:"account"`   // id of the account (user); owner of what it makes
	Workspace string   `json:"workspace"` // id of the tenant; the prefix of every key
	Name      string   `json:"name"`      // account name, for messages
	Plan      Plan     `json:"plan"`
	Role      Role     `json:"role,omitempty"` // in its workspace
	Scopes    []string `json:"scopes"`         // granted scopes; ["*"] is all
	KeyID     string   `json:"keyId,omitempty"`
	Method    string   `json:"method"` // "api_key", "oauth" or "internal" (jobs)
}

// Plan is the wire name of a plan.
type Plan string

// The plans. Enterprise has no limits (the bootstrap owner has it).
const (
	Free       Plan = "free"
	Premium    Plan = "premium"
	Team       Plan = "team"
	Enterprise Plan = "enterprise"
)

// Role is what an account may do in its workspace beside its own work. The zero
// value is the owner: whoever a workspace was made for.
type Role string

// The roles (M-2).
const (
	Owner  Role = ""
	Admin  Role = "admin"
	Member Role = "member"
)

// Administers reports whether the principal may change what belongs to its whole
// team.
func (p Principal) Administers() bool { return p.Role == Owner || p.Role == Admin }

// Has reports whether the principal may use a scope.
func (p Principal) Has(scope string) bool {
	return slices.Contains(p.Scopes, "*") || slices.Contains(p.Scopes, scope)
}

type contextKey struct{}

// With puts the caller into the context; surfaces do this once a request.
func With(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// From reads the caller. A context without one gives the zero Principal, whose
// empty workspace owns nothing.
func From(ctx context.Context) Principal {
	p, _ := ctx.Value(contextKey{}).(Principal)
	return p
}
