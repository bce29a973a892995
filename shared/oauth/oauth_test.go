package oauth_test

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/oauth"
	"github.com/mindgate-dev/mindgate/shared/oauth/oauthtest"
)

const resource = "https://gate.example/mcp"

var start = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func setup(t testing.TB, change func(*oauth.Config)) (*oauth.Verifier, *oauthtest.Issuer, *clock.Held) {
	t.Helper()
	held := clock.Hold(start)
	issuer := oauthtest.New(t, resource, held.Now)
	c := oauth.Config{Issuer: issuer.URL, Audiences: []string{resource}, ScopePrefix: ""}
	if change != nil {
		change(&c)
	}
	v, err := oauth.New(c, oauth.Options{Clock: held, Patience: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return v, issuer, held
}

func TestGoodTokens(t *testing.T) {
	v, issuer, _ := setup(t, nil)
	for what, token := range map[string]string{
		"RS256":                 issuer.Token("rsa", "user-1", "flows:read sparks:read", nil),
		"ES256":                 issuer.Token("ec", "user-1", "sparks:read flows:read", nil),
		"EdDSA":                 issuer.Token("ed", "user-1", "flows:read sparks:read", nil),
		"audience with a slash": issuer.Token("ec", "user-1", "flows:read sparks:read", map[string]any{"aud": resource + "/"}),
		"several audiences":     issuer.Token("ec", "user-1", "flows:read sparks:read", map[string]any{"aud": []string{"https://other.example", resource}}),
		"scp as a list":         issuer.Token("ec", "user-1", "", map[string]any{"scp": []string{"flows:read", "sparks:read"}}),
		"a plain typ":           issuer.Sign("ec", issuer.Claims("user-1", "flows:read sparks:read"), map[jose.HeaderKey]any{"typ": "JWT"}),
		"no typ, no key id":     issuer.Sign("ec", issuer.Claims("user-1", "flows:read sparks:read"), map[jose.HeaderKey]any{"kid": nil}),
		"clocks apart":          issuer.Token("ec", "user-1", "flows:read sparks:read", map[string]any{"nbf": start.Add(30 * time.Second).Unix(), "exp": start.Add(-30 * time.Second).Unix()}),
	} {
		c, err := v.Verify(t.Context(), token)
		if err != nil || c.Subject != "user-1" || c.Issuer != issuer.URL || c.Client != "client-1" || !slices.Equal(c.Scopes, []string{"flows:read", "sparks:read"}) {
			t.Errorf("%s: %+v %v", what, c, err)
		}
	}
}

// Each refusal is ErrToken, before or after the keys were asked.
func TestRefusedTokens(t *testing.T) {
	v, issuer, _ := setup(t, nil)
	stranger := oauthtest.New(t, resource, func() time.Time { return start })
	good := issuer.Token("rsa", "user-1", "flows:read", nil)
	part := strings.Split(good, ".")
	b64 := func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) }
	claims, err := json.Marshal(issuer.Claims("user-1", "flows:read"))
	if err != nil {
		t.Fatal(err)
	}
	// The public key as the secret of an HMAC: what a verifier falls for that
	// lets the token choose the algorithm.
	der, err := x509.MarshalPKIXPublicKey(issuer.Public("rsa").(*rsa.PublicKey))
	if err != nil {
		t.Fatal(err)
	}
	hs, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.HS256, Key: pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})}, (&jose.SignerOptions{}).WithHeader("kid", "rsa"))
	if err != nil {
		t.Fatal(err)
	}
	signed, err := hs.Sign(claims)
	if err != nil {
		t.Fatal(err)
	}
	confused, err := signed.CompactSerialize()
	if err != nil {
		t.Fatal(err)
	}
	with := func(name string, value any) string {
		return issuer.Token("rsa", "user-1", "flows:read", map[string]any{name: value})
	}
	for what, token := range map[string]string{
		"empty":                  "",
		"an API key":             "minds_000000000000000000000000000000000000000000000000",
		"two parts":              part[0] + "." + part[1],
		"alg none":               b64(`{"alg":"none"}`) + "." + part[1] + ".",
		"alg none, signed":       b64(`{"alg":"none","kid":"rsa"}`) + "." + part[1] + "." + part[2],
		"HMAC by the public key": confused,
		"changed claims":         part[0] + "." + b64(strings.Replace(string(claims), "user-1", "user-2", 1)) + "." + part[2],
		"no signature":           part[0] + "." + part[1] + ".",
		"another issuer's key":   stranger.Sign("rsa", issuer.Claims("user-1", "flows:read"), nil),
		"another issuer":         stranger.Token("rsa", "user-1", "flows:read", nil),
		"unknown key":            b64(`{"alg":"RS256","kid":"nobody"}`) + "." + part[1] + "." + part[2],
		"wrong audience":         with("aud", "https://other.example/mcp"),
		"a longer audience":      with("aud", resource+"/more"),
		"no audience":            with("aud", nil),
		"expired":                with("exp", start.Add(-2*time.Minute).Unix()),
		"no expiry":              with("exp", nil),
		"not valid yet":          with("nbf", start.Add(2*time.Minute).Unix()),
		"of the future":          with("iat", start.Add(2*time.Minute).Unix()),
		"no subject":             with("sub", nil),
		"a long subject":         with("sub", strings.Repeat("x", 256)),
		"an id token":            with("token_use", "id"),
		"expiry as text":         with("exp", "tomorrow"),
		"typ of a logout token":  issuer.Sign("rsa", issuer.Claims("user-1", "flows:read"), map[jose.HeaderKey]any{"typ": "logout+jwt"}),
		"its own key":            issuer.Sign("rsa", issuer.Claims("user-1", "x"), map[jose.HeaderKey]any{"jwk": jose.JSONWebKey{Key: issuer.Public("rsa"), KeyID: "rsa"}}),
		"too long":               with("note", strings.Repeat("x", oauth.MaxToken)),
	} {
		c, err := v.Verify(t.Context(), token)
		if !errors.Is(err, oauth.ErrToken) || c.Subject != "" {
			t.Errorf("%s: %+v %v", what, c, err)
			continue
		}
		for _, canary := range []string{"user-1", part[1], part[2]} {
			if strings.Contains(err.Error(), canary) {
				t.Errorf("%s: the reason %q repeats the token", what, err)
			}
		}
	}
}

func TestAlgorithmsAreConfigured(t *testing.T) {
	v, issuer, _ := setup(t, func(c *oauth.Config) { c.Algorithms = []string{"ES256"} })
	if _, err := v.Verify(t.Context(), issuer.Token("ec", "u", "", nil)); err != nil {
		t.Error(err)
	}
	if _, err := v.Verify(t.Context(), issuer.Token("rsa", "u", "", nil)); !errors.Is(err, oauth.ErrToken) {
		t.Error(err)
	}
}

func TestScopePrefix(t *testing.T) {
	v, issuer, _ := setup(t, func(c *oauth.Config) { c.ScopePrefix = resource + "/" })
	c, err := v.Verify(t.Context(), issuer.Token("ec", "u", "openid "+resource+"/flows:read "+resource+"/* sparks:read", nil))
	if err != nil || !slices.Equal(c.Scopes, []string{"flows:read"}) {
		t.Errorf("%v %v", c.Scopes, err)
	}
	if got := v.ScopeNames([]string{"flows:read"}); got[0] != resource+"/flows:read" {
		t.Error(got)
	}
}

// A token never carries all scopes, whatever it claims.
func TestNoScopeIsAll(t *testing.T) {
	v, issuer, _ := setup(t, nil)
	if c, err := v.Verify(t.Context(), issuer.Token("ec", "u", "* flows:read", nil)); err != nil || !slices.Equal(c.Scopes, []string{"flows:read"}) {
		t.Errorf("%v %v", c.Scopes, err)
	}
}

// A new key is found at its first use; unknown ids cost the issuer one question
// a cooldown, whoever asks.
func TestRotation(t *testing.T) {
	v, issuer, held := setup(t, nil)
	ctx := t.Context()
	if _, err := v.Verify(ctx, issuer.Token("ec", "u", "", nil)); err != nil {
		t.Fatal(err)
	}
	held.Advance(31 * time.Second)
	issuer.Add("next", jose.ES256)
	if _, err := v.Verify(ctx, issuer.Token("next", "u", "", nil)); err != nil {
		t.Fatal(err)
	}
	if issuer.Reads() != 2 {
		t.Fatalf("%d reads", issuer.Reads())
	}
	issuer.Add("stranger", jose.ES256)
	foreign := issuer.Token("stranger", "u", "", nil)
	issuer.Drop("stranger")
	for range 50 {
		if _, err := v.Verify(ctx, foreign); !errors.Is(err, oauth.ErrToken) {
			t.Fatal(err)
		}
	}
	if issuer.Reads() != 2 {
		t.Errorf("%d reads within the cooldown", issuer.Reads())
	}
	held.Advance(31 * time.Second)
	for range 50 {
		_, _ = v.Verify(ctx, foreign)
	}
	if issuer.Reads() != 3 {
		t.Errorf("%d reads after it", issuer.Reads())
	}
	// A withdrawn key is refused once the set is old.
	last := issuer.Token("next", "u", "", map[string]any{"exp": start.Add(48 * time.Hour).Unix()})
	issuer.Drop("next")
	held.Advance(2 * time.Hour)
	if _, err := v.Verify(ctx, last); !errors.Is(err, oauth.ErrToken) {
		t.Error("a withdrawn key still signs", err)
	}
}

func TestKeysAreKept(t *testing.T) {
	v, issuer, held := setup(t, nil)
	issuer.Set(func(i *oauthtest.Issuer) { i.CacheControl("public, max-age=600") })
	long := issuer.Token("ec", "u", "", map[string]any{"exp": start.Add(100 * time.Hour).Unix()})
	verify := func() error { _, err := v.Verify(t.Context(), long); return err }
	var all sync.WaitGroup
	for range 20 { // many at once ask once
		all.Go(func() {
			if err := verify(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if issuer.Reads() != 1 {
		t.Errorf("%d reads", issuer.Reads())
	}
	held.Advance(9 * time.Minute)
	_ = verify()
	held.Advance(2 * time.Minute)
	_ = verify()
	if issuer.Reads() != 2 {
		t.Errorf("%d reads: max-age is not kept to", issuer.Reads())
	}
	// While the issuer is silent the known keys go on for a day.
	issuer.Set(func(i *oauthtest.Issuer) { i.Down = true })
	held.Advance(12 * time.Hour)
	if err := verify(); err != nil {
		t.Error(err)
	}
	held.Advance(13 * time.Hour)
	if err := verify(); !errors.Is(err, oauth.ErrUnavailable) {
		t.Error(err)
	}
	if err := verify(); !errors.Is(err, oauth.ErrUnavailable) { // at rest
		t.Error(err)
	}
	issuer.Set(func(i *oauthtest.Issuer) { i.Down = false })
	held.Advance(time.Minute)
	if err := verify(); err != nil {
		t.Error(err)
	}
}

// Keys are asked for at the issuer only: neither its document nor a redirect
// sends us elsewhere.
func TestKeysComeFromTheIssuer(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("asked elsewhere") }))
	defer elsewhere.Close()
	v, issuer, _ := setup(t, nil)
	issuer.Set(func(i *oauthtest.Issuer) { i.JWKS = elsewhere.URL + "/keys" })
	if _, err := v.Verify(t.Context(), issuer.Token("ec", "u", "", nil)); !errors.Is(err, oauth.ErrUnavailable) {
		t.Error(err)
	}
	redirect := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer redirect.Close()
	v, issuer, _ = setup(t, func(c *oauth.Config) { c.JWKS = redirect.URL })
	if _, err := v.Verify(t.Context(), issuer.Token("ec", "u", "", nil)); !errors.Is(err, oauth.ErrUnavailable) {
		t.Error(err)
	}
}

func TestConfigurationIsChecked(t *testing.T) {
	good := oauth.Config{Issuer: "https://login.example/pool", Audiences: []string{resource}}
	for what, change := range map[string]func(*oauth.Config){
		"no issuer":     func(c *oauth.Config) { c.Issuer = "" },
		"plain http":    func(c *oauth.Config) { c.Issuer = "http://login.example" },
		"query":         func(c *oauth.Config) { c.Issuer = "https://login.example/?a=b" },
		"credentials":   func(c *oauth.Config) { c.Issuer = "https://a:b@login.example" },
		"no audience":   func(c *oauth.Config) { c.Audiences = nil },
		"none":          func(c *oauth.Config) { c.Algorithms = []string{"none"} },
		"HS256":         func(c *oauth.Config) { c.Algorithms = []string{"RS256", "HS256"} },
		"keys by http":  func(c *oauth.Config) { c.JWKS = "http://login.example/keys" },
		"fragment":      func(c *oauth.Config) { c.Issuer = "https://login.example/#x" },
		"relative keys": func(c *oauth.Config) { c.JWKS = "/keys" },
	} {
		c := good
		change(&c)
		if _, err := oauth.New(c, oauth.Options{}); err == nil {
			t.Errorf("%s: taken", what)
		}
	}
	if _, err := oauth.New(good, oauth.Options{}); err != nil {
		t.Error(err)
	}
}

// Clients are sent to the document that answers, found at the first question or
// beside the keys; while none does, to the usual place.
func TestDiscovery(t *testing.T) {
	const openID, plain = "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"
	v, issuer, held := setup(t, nil)
	issuer.Set(func(i *oauthtest.Issuer) { i.Down = true })
	if got := v.Discovery(t.Context()); got != issuer.URL+openID {
		t.Error(got)
	}
	issuer.Set(func(i *oauthtest.Issuer) { i.Down, i.Plain = false, true })
	if got := v.Discovery(t.Context()); got != issuer.URL+openID { // at rest
		t.Error(got)
	}
	held.Advance(time.Minute)
	if got := v.Discovery(t.Context()); got != issuer.URL+plain {
		t.Error(got)
	}
	v, issuer, _ = setup(t, nil)
	issuer.Set(func(i *oauthtest.Issuer) { i.Plain = true })
	if _, err := v.Verify(t.Context(), issuer.Token("ec", "u", "", nil)); err != nil {
		t.Error(err)
	}
	issuer.Set(func(i *oauthtest.Issuer) { i.Down = true })
	if got := v.Discovery(t.Context()); got != issuer.URL+plain {
		t.Error(got)
	}
}

// An issuer that hangs does not hold up calls for which old keys serve; what it
// says in the end counts from then on.
func TestOldKeysServeWhileTheIssuerHangs(t *testing.T) {
	held := clock.Hold(start)
	issuer := oauthtest.New(t, resource, held.Now)
	v, err := oauth.New(oauth.Config{Issuer: issuer.URL, Audiences: []string{resource}}, oauth.Options{Clock: held, Patience: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	long := issuer.Token("ec", "u", "", map[string]any{"exp": start.Add(100 * time.Hour).Unix()})
	if _, err := v.Verify(t.Context(), long); err != nil {
		t.Fatal(err)
	}
	hang := make(chan struct{})
	issuer.Set(func(i *oauthtest.Issuer) { i.Hang = hang })
	issuer.Drop("ec")
	held.Advance(2 * time.Hour)
	began := time.Now()
	for range 20 {
		if _, err := v.Verify(t.Context(), long); err != nil {
			t.Error(err)
		}
	}
	if took := time.Since(began); took > 4*time.Second {
		t.Errorf("20 calls took %s", took)
	}
	close(hang)
	// A key id that nobody has waits for the fetch that runs.
	other := issuer.Sign("rsa", issuer.Claims("u", ""), map[jose.HeaderKey]any{"kid": "nobody"})
	if _, err := v.Verify(t.Context(), other); !errors.Is(err, oauth.ErrToken) {
		t.Error(err)
	}
	if _, err := v.Verify(t.Context(), long); !errors.Is(err, oauth.ErrToken) {
		t.Error("a withdrawn key still signs", err)
	}
}

// Nothing that is sent as a token ends the process or passes.
func FuzzVerify(f *testing.F) {
	v, issuer, _ := setup(f, nil)
	good := issuer.Token("ec", "u", "flows:read", nil)
	f.Add(good)
	f.Add(good[:len(good)-2])
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add("eyJ.eyJ.eyJ")
	f.Add("")
	f.Fuzz(func(t *testing.T, token string) {
		c, err := v.Verify(t.Context(), token)
		switch {
		case token == good && err != nil:
			t.Fatal(err)
		case token != good && err == nil && c.Subject != "u":
			t.Fatalf("%q passes as %q", token, c.Subject)
		case err != nil && !errors.Is(err, oauth.ErrToken) && !errors.Is(err, oauth.ErrUnavailable):
			t.Fatal(err)
		}
	})
}
