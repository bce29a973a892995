// Package oauth checks access tokens of one OAuth 2.1 issuer, as a resource
// server does (RFC 9068, RFC 8707): signature by the issuer's published keys,
// issuer, audience, times. It issues nothing and stores nothing.
package oauth

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// Errors of Verify. A caller hears nothing of the reason; it is for the log.
var (
	ErrToken       = errors.New("oauth: the token is not good")
	ErrUnavailable = errors.New("oauth: the issuer's keys cannot be read now")
)

// Leeway is how far the issuer's clock may be off.
const Leeway = time.Minute

// MaxToken is the longest token, in bytes, that is looked at.
const MaxToken = 8192

// Config names one issuer and what its tokens must be for.
type Config struct {
	// Issuer is the issuer's URL, as in the tokens' iss. http is for loopback
	// addresses only.
	Issuer string
	// Audiences are the resources that a token may be for; one of them must be
	// in aud. A slash at the end makes no difference.
	Audiences []string
	// Algorithms that are taken: RS256, ES256, EdDSA. Empty is all three.
	Algorithms []string
	// JWKS is the address of the keys where it is not on the issuer's own host.
	// Empty: the address that the issuer's discovery document gives, which must
	// be on the issuer's host.
	JWKS string
	// ScopePrefix is what the issuer puts before the names of scopes
	// ("https://gate.example/" where scopes read "https://gate.example/flows:read").
	ScopePrefix string
}

// Options are for tests; the zero value is the system's.
type Options struct {
	Client *http.Client // redirects are never followed
	Clock  clock.Clock
	Log    *slog.Logger
	// Patience is how long a call waits for new keys while old ones serve; 0 is
	// a quarter of a second.
	Patience time.Duration
}

// Claims are what a good token says.
type Claims struct {
	Issuer, Subject string
	Scopes          []string // without the prefix, sorted
	Client          string   // client_id or azp; may be empty
	Expires         time.Time
}

// Verifier checks tokens. It is safe for many callers at once.
type Verifier struct {
	config     Config
	algorithms []jose.SignatureAlgorithm
	keys       *keys
	clock      clock.Clock
}

var allowed = map[string]jose.SignatureAlgorithm{"RS256": jose.RS256, "ES256": jose.ES256, "EdDSA": jose.EdDSA}

// New checks the configuration and fetches nothing yet.
func New(c Config, o Options) (*Verifier, error) {
	issuer, err := address("the issuer", c.Issuer)
	if err != nil {
		return nil, err
	}
	if c.JWKS != "" {
		if _, err := address("the address of the keys", c.JWKS); err != nil {
			return nil, err
		}
	}
	if len(c.Audiences) == 0 {
		return nil, errors.New("oauth: no audience is configured")
	}
	if len(c.Algorithms) == 0 {
		c.Algorithms = []string{"RS256", "ES256", "EdDSA"}
	}
	v := &Verifier{config: c, clock: o.Clock}
	for _, name := range c.Algorithms {
		alg, ok := allowed[name]
		if !ok {
			return nil, fmt.Errorf("oauth: the algorithm %q is not taken; the choice is RS256, ES256 and EdDSA", name)
		}
		v.algorithms = append(v.algorithms, alg)
	}
	if v.clock == nil {
		v.clock = clock.System{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	v.keys = newKeys(issuer, c, v.algorithms, o.Client, v.clock, o.Log)
	if o.Patience > 0 {
		v.keys.patience = o.Patience
	}
	return v, nil
}

// address is an absolute https URL, or http on this machine.
func address(what, s string) (*url.URL, error) {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.ForceQuery || strings.Contains(s, "#") {
		return nil, fmt.Errorf("oauth: %s is %q; it must be an absolute https URL without a query", what, s)
	}
	ip := net.ParseIP(u.Hostname())
	if u.Scheme != "https" && !(u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())) {
		return nil, fmt.Errorf("oauth: %s is %q; it must start with https://", what, s)
	}
	return u, nil
}

// Issuer is the issuer as configured.
func (v *Verifier) Issuer() string { return v.config.Issuer }

// Discovery is the address of the issuer's own metadata: of the document that
// answers there, OpenID Connect's or that of RFC 8414. The first call looks for
// it, 5 seconds at most; where neither answers it is that of OpenID Connect.
func (v *Verifier) Discovery(ctx context.Context) string { return v.keys.where(ctx) }

// ScopeNames are our scopes as the issuer names them.
func (v *Verifier) ScopeNames(scopes []string) []string {
	out := make([]string, len(scopes))
	for i, s := range scopes {
		out[i] = v.config.ScopePrefix + s
	}
	return out
}

// Verify checks a token. The error is ErrToken with a reason for the log, which
// holds nothing of the token, or ErrUnavailable.
func (v *Verifier) Verify(ctx context.Context, token string) (Claims, error) {
	t, err := parse(token, v.algorithms)
	if err != nil {
		return Claims{}, err
	}
	// A token of elsewhere must not make us ask for keys.
	if !sameURL(t.claims.Issuer, v.config.Issuer) {
		return Claims{}, refuse("issuer")
	}
	if err := v.check(t.claims); err != nil {
		return Claims{}, err
	}
	if err := v.keys.verify(ctx, t); err != nil {
		return Claims{}, err
	}
	return Claims{
		Issuer: v.config.Issuer, Subject: t.claims.Subject, Scopes: v.scopes(t.claims),
		Client: t.claims.client(), Expires: t.claims.Expires.Time(),
	}, nil
}

func (v *Verifier) check(c *claims) error {
	now := v.clock.Now()
	switch {
	case c.Subject == "" || len(c.Subject) > 255:
		return refuse("subject")
	case c.TokenUse != "" && c.TokenUse != "access":
		return refuse("token_use: not an access token")
	case c.Expires == nil:
		return refuse("exp missing")
	case now.After(c.Expires.Time().Add(Leeway)):
		return refuse("expired")
	case c.NotBefore != nil && now.Add(Leeway).Before(c.NotBefore.Time()):
		return refuse("not valid yet")
	case c.IssuedAt != nil && now.Add(Leeway).Before(c.IssuedAt.Time()):
		return refuse("issued in the future")
	}
	for _, got := range c.Audience {
		if slices.ContainsFunc(v.config.Audiences, func(want string) bool { return sameURL(got, want) }) {
			return nil
		}
	}
	return refuse("audience")
}

// sameURL compares identifiers of issuers and resources, which clients and
// issuers write with and without a slash at the end.
func sameURL(a, b string) bool { return strings.TrimSuffix(a, "/") == strings.TrimSuffix(b, "/") }

func (v *Verifier) scopes(c *claims) []string {
	var out []string
	for _, s := range c.scopes() {
		if s, ok := strings.CutPrefix(s, v.config.ScopePrefix); ok && s != "" && s != "*" {
			out = append(out, s)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func refuse(why string) error { return fmt.Errorf("%w: %s", ErrToken, why) }
