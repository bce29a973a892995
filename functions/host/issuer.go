package host

import (
	"fmt"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/middleware"
	"github.com/mindgate-dev/mindgate/shared/oauth"
)

// Issuer is the OAuth issuer whose access tokens are taken beside API keys; the
// zero value is none. The fields are the variables MINDGATE_OIDC_*, as text.
type Issuer struct {
	URL         string // MINDGATE_OIDC_ISSUER
	Audience    string // MINDGATE_OIDC_AUDIENCE, separated by commas; empty is the address of the MCP endpoint
	Algorithms  string // MINDGATE_OIDC_ALGORITHMS, separated by commas; empty is RS256, ES256 and EdDSA
	JWKS        string // MINDGATE_OIDC_JWKS_URL, for keys on another host than the issuer's
	ScopePrefix string // MINDGATE_OIDC_SCOPE_PREFIX
	FirstPlan   string // MINDGATE_OIDC_PLAN: plan of the account that a first call makes, or "none"
}

// none is the value of MINDGATE_OIDC_PLAN that refuses unknown subjects.
const none = "none"

// Verifier makes the check of tokens for a gateway at publicURL; nil without an
// issuer.
func (i Issuer) Verifier(publicURL string, c clock.Clock, log *slog.Logger) (*oauth.Verifier, error) {
	if i.URL == "" {
		if i != (Issuer{FirstPlan: i.FirstPlan}) {
			return nil, fmt.Errorf("MINDGATE_OIDC_ISSUER is not set, but other variables of it are")
		}
		return nil, nil
	}
	if _, err := i.first(); err != nil {
		return nil, err
	}
	audiences := List(i.Audience)
	if len(audiences) == 0 {
		audiences = []string{publicURL + "/mcp"}
	}
	v, err := oauth.New(oauth.Config{
		Issuer: i.URL, Audiences: audiences, Algorithms: List(i.Algorithms), JWKS: i.JWKS, ScopePrefix: i.ScopePrefix,
	}, oauth.Options{Clock: c, Log: log})
	if err != nil {
		return nil, fmt.Errorf("MINDGATE_OIDC_*: %w", err)
	}
	return v, nil
}

// first is the plan of accounts that first calls make; empty makes none.
func (i Issuer) first() (account.Plan, error) {
	switch i.FirstPlan {
	case "":
		return account.Free, nil
	case none:
		return "", nil
	}
	p, err := account.ParsePlan(i.FirstPlan)
	if err != nil {
		return "", fmt.Errorf("MINDGATE_OIDC_PLAN is %q; it must be free, premium, team or none", i.FirstPlan)
	}
	return p, nil
}

// Credentials proves keys, and tokens where v is not nil.
func (i Issuer) Credentials(accounts *account.Service, v *oauth.Verifier, log *slog.Logger) (middleware.Authenticator, error) {
	if v == nil {
		return accounts, nil
	}
	first, err := i.first()
	if err != nil {
		return nil, err
	}
	return middleware.Credentials{Keys: accounts, Tokens: v, Subjects: accounts, First: first, Log: log}, nil
}

func readIssuer(values map[string]string) (Issuer, []string) {
	i := Issuer{
		URL: values["MINDGATE_OIDC_ISSUER"], Audience: values["MINDGATE_OIDC_AUDIENCE"], Algorithms: values["MINDGATE_OIDC_ALGORITHMS"],
		JWKS: values["MINDGATE_OIDC_JWKS_URL"], ScopePrefix: values["MINDGATE_OIDC_SCOPE_PREFIX"], FirstPlan: values["MINDGATE_OIDC_PLAN"],
	}
	if _, err := i.Verifier("https://gateway.invalid", nil, nil); err != nil {
		return i, []string{err.Error()}
	}
	return i, nil
}
