// Package oauthtest is an OAuth issuer for tests: keys, their publication and
// tokens. No program links it.
package oauthtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
)

// Issuer publishes keys on 127.0.0.1 and signs tokens.
type Issuer struct {
	URL      string
	Audience string

	t      testing.TB
	now    func() time.Time
	mu     sync.Mutex
	keys   map[string]signing
	reads  int           // of the keys
	Down   bool          // answers 500
	Plain  bool          // without OpenID Connect: metadata of RFC 8414 only
	Hang   chan struct{} // the keys answer once it is closed
	JWKS   string
	header string // Cache-Control of the keys
}

type signing struct {
	alg jose.SignatureAlgorithm
	key crypto.Signer
}

// New starts an issuer with the keys "rsa", "ec" and "ed".
func New(t testing.TB, audience string, now func() time.Time) *Issuer {
	t.Helper()
	i := &Issuer{Audience: audience, t: t, now: now, keys: map[string]signing{}}
	i.Add("rsa", jose.RS256)
	i.Add("ec", jose.ES256)
	i.Add("ed", jose.EdDSA)
	mux := http.NewServeMux()
	metadata := func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		defer i.mu.Unlock()
		if i.Plain != strings.HasSuffix(r.URL.Path, "oauth-authorization-server") {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if i.Down {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		at := i.JWKS
		if at == "" {
			at = i.URL + "/keys"
		}
		_ = json.NewEncoder(w).Encode(map[string]string{"issuer": i.URL, "jwks_uri": at})
	}
	mux.HandleFunc("GET /.well-known/openid-configuration", metadata)
	mux.HandleFunc("GET /.well-known/oauth-authorization-server", metadata)
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		i.mu.Lock()
		hang := i.Hang
		i.mu.Unlock()
		if hang != nil {
			<-hang
		}
		i.mu.Lock()
		defer i.mu.Unlock()
		i.reads++
		if i.Down {
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		if i.header != "" {
			w.Header().Set("Cache-Control", i.header)
		}
		set := jose.JSONWebKeySet{Keys: []jose.JSONWebKey{}}
		for id, s := range i.keys {
			set.Keys = append(set.Keys, jose.JSONWebKey{Key: s.key.Public(), KeyID: id, Algorithm: string(s.alg), Use: "sig"})
		}
		_ = json.NewEncoder(w).Encode(set)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	i.URL = server.URL
	return i
}

// Add makes a key.
func (i *Issuer) Add(id string, alg jose.SignatureAlgorithm) {
	i.t.Helper()
	var key crypto.Signer
	var err error
	switch alg {
	case jose.ES256:
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case jose.EdDSA:
		_, key, err = ed25519.GenerateKey(rand.Reader)
	default:
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	}
	if err != nil {
		i.t.Fatal(err)
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys[id] = signing{alg, key}
}

// Drop withdraws a key.
func (i *Issuer) Drop(id string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.keys, id)
}

// Set changes how the issuer answers.
func (i *Issuer) Set(change func(i *Issuer)) {
	i.mu.Lock()
	defer i.mu.Unlock()
	change(i)
}

// CacheControl of the keys; call it within Set.
func (i *Issuer) CacheControl(s string) { i.header = s }

// Reads is how often the keys were asked for.
func (i *Issuer) Reads() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.reads
}

// Claims are those of a good token, valid for an hour.
func (i *Issuer) Claims(subject, scope string) map[string]any {
	now := i.now()
	return map[string]any{
		"iss": i.URL, "sub": subject, "aud": i.Audience, "scope": scope, "client_id": "client-1",
		"iat": now.Unix(), "exp": now.Add(time.Hour).Unix(),
	}
}

// Token is a good token but for the changes; a nil value removes a claim.
func (i *Issuer) Token(key, subject, scope string, changes map[string]any) string {
	i.t.Helper()
	c := i.Claims(subject, scope)
	maps.Copy(c, changes)
	for name, v := range c {
		if v == nil {
			delete(c, name)
		}
	}
	return i.Sign(key, c, map[jose.HeaderKey]any{"typ": "at+jwt"})
}

// Sign signs any claims with any headers.
func (i *Issuer) Sign(key string, claims any, headers map[jose.HeaderKey]any) string {
	i.t.Helper()
	i.mu.Lock()
	s, ok := i.keys[key]
	i.mu.Unlock()
	if !ok {
		i.t.Fatalf("no key %q", key)
	}
	o := (&jose.SignerOptions{}).WithHeader("kid", key)
	for name, v := range headers {
		if v == nil {
			delete(o.ExtraHeaders, name)
			continue
		}
		o = o.WithHeader(name, v)
	}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: s.alg, Key: s.key}, o)
	if err != nil {
		i.t.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		i.t.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		i.t.Fatal(err)
	}
	out, err := signed.CompactSerialize()
	if err != nil {
		i.t.Fatal(err)
	}
	return out
}

// Public is a key as published.
func (i *Issuer) Public(key string) crypto.PublicKey {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.keys[key].key.Public()
}
