package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"

	"github.com/mindgate-dev/mindgate/shared/clock"
)

// How keys are kept. An unknown key id asks the issuer again, but at most once a
// cooldown, whoever sends such tokens; the issuer's silence is bridged with the
// keys that are known.
const (
	freshDefault = time.Hour
	freshMin     = 5 * time.Minute
	freshMax     = 24 * time.Hour
	staleMax     = 24 * time.Hour // on top, while the issuer does not answer
	cooldown     = 30 * time.Second
	fetchTime    = 5 * time.Second
	patience     = 250 * time.Millisecond // for keys in place of old ones that still serve
	maxDocument  = 512 << 10
	maxKeys      = 100
	minRSA       = 2048 // bits
)

// keys are the issuer's published keys.
type keys struct {
	issuer     *url.URL
	config     Config
	algorithms []jose.SignatureAlgorithm
	patience   time.Duration
	client     *http.Client
	clock      clock.Clock
	log        *slog.Logger
	flight     singleflight.Group

	mu       sync.Mutex
	set      []jose.JSONWebKey
	until    time.Time // fresh until then
	gone     time.Time // of no use from then on
	tried    time.Time // last attempt to fetch
	slow     bool      // the fetch that runs has outlasted somebody's patience
	jwksAt   string    // as discovered
	jwksTill time.Time // discovered address is kept until then
	metadata string    // the document that answered last
	looked   time.Time // for it, the last time in vain
}

func newKeys(issuer *url.URL, c Config, algorithms []jose.SignatureAlgorithm, client *http.Client, clk clock.Clock, log *slog.Logger) *keys {
	if client == nil {
		client = &http.Client{Timeout: fetchTime}
	}
	own := *client
	// A redirect would leave the issuer that the operator has named.
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &keys{
		issuer: issuer, config: c, algorithms: algorithms, client: &own, clock: clk, log: log, patience: patience,
	}
}

// verify checks the signature with the one key that may have made it.
func (k *keys) verify(ctx context.Context, t *parsed) error {
	set, known, err := k.current(ctx, "")
	if err != nil {
		return err
	}
	candidates := choose(set, t.header)
	if len(candidates) == 0 && known {
		if set, _, err = k.current(ctx, t.header.KeyID); err != nil {
			return err
		}
		candidates = choose(set, t.header)
	}
	if len(candidates) == 0 {
		return refuse("no key of this id")
	}
	for _, key := range candidates {
		if t.token.Claims(key.Key, &claims{}) == nil {
			return nil
		}
	}
	return refuse("signature")
}

// choose finds the keys that may have signed: the one of the header's id, or,
// where the token names none, those of its algorithm, a few at most.
func choose(set []jose.JSONWebKey, h jose.Header) []jose.JSONWebKey {
	var out []jose.JSONWebKey
	for _, key := range set {
		if (h.KeyID == "" || key.KeyID == h.KeyID) && fits(key, h.Algorithm) && len(out) < 4 {
			out = append(out, key)
		}
	}
	return out
}

// fits tells whether a key is of an algorithm: the algorithm of a token never
// decides how a key is read.
func fits(key jose.JSONWebKey, alg string) bool {
	if key.Algorithm != "" && key.Algorithm != alg {
		return false
	}
	switch pub := key.Key.(type) {
	case *rsa.PublicKey:
		return alg == string(jose.RS256) && pub.N.BitLen() >= minRSA
	case *ecdsa.PublicKey:
		return alg == string(jose.ES256) && pub.Curve == elliptic.P256()
	case ed25519.PublicKey:
		return alg == string(jose.EdDSA)
	}
	return false
}

// current gives the keys, fetched if they are old, or if missing names a key
// that they do not have. cached tells that they were not fetched just now. Old
// keys that still serve are waited for a moment only: an issuer that hangs must
// not hold up every call, and the fetch goes on behind.
func (k *keys) current(ctx context.Context, missing string) (set []jose.JSONWebKey, cached bool, err error) {
	k.mu.Lock()
	now := k.clock.Now()
	set = k.set
	usable := set != nil && now.Before(k.gone)
	wanted := set == nil || !now.Before(k.until) || missing != ""
	resting := !k.tried.IsZero() && now.Before(k.tried.Add(cooldown))
	slow := k.slow
	k.mu.Unlock()
	switch {
	case !wanted:
		return set, true, nil
	case resting && usable:
		return set, false, nil
	case resting:
		return nil, false, ErrUnavailable
	case slow && usable && missing == "":
		return set, true, nil
	}
	// One fetch for all that wait, and none that dies with the first of them.
	done := k.flight.DoChan("", func() (any, error) {
		return nil, k.refresh(context.WithoutCancel(ctx))
	})
	var late <-chan time.Time // never, where nothing else serves
	if usable && missing == "" {
		timer := time.NewTimer(k.patience)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case r := <-done:
		err = r.Err
	case <-late:
		k.mu.Lock()
		defer k.mu.Unlock()
		k.slow = k.tried.Before(now) // or it has just ended
		return k.set, true, nil
	case <-ctx.Done():
		return nil, false, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if err != nil && !(k.set != nil && k.clock.Now().Before(k.gone)) {
		return nil, false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return k.set, false, nil
}

func (k *keys) refresh(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	set, fresh, err := k.fetch(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.clock.Now()
	k.tried, k.slow = now, false
	if err != nil {
		k.jwksTill = time.Time{} // the address may have moved
		k.log.WarnContext(ctx, "keys of the issuer not read", "issuer", k.issuer.Host, "error", err.Error())
		return err
	}
	k.set, k.until, k.gone = set, now.Add(fresh), now.Add(fresh+staleMax)
	return nil
}

func (k *keys) fetch(ctx context.Context) ([]jose.JSONWebKey, time.Duration, error) {
	at, err := k.address(ctx)
	if err != nil {
		return nil, 0, err
	}
	raw, header, err := k.get(ctx, at)
	if err != nil {
		return nil, 0, err
	}
	set, err := readKeys(raw)
	if err != nil {
		return nil, 0, err
	}
	return set, freshness(header), nil
}

// address of the keys: as configured, or as the issuer says, on its own host.
func (k *keys) address(ctx context.Context) (string, error) {
	if k.config.JWKS != "" {
		return k.config.JWKS, nil
	}
	k.mu.Lock()
	at, till := k.jwksAt, k.jwksTill
	k.mu.Unlock()
	if at != "" && k.clock.Now().Before(till) {
		return at, nil
	}
	doc, err := k.discover(ctx)
	if err != nil {
		return "", err
	}
	u, err := address("jwks_uri", doc.JWKS)
	if err != nil {
		return "", err
	}
	if !strings.EqualFold(u.Host, k.issuer.Host) || u.Scheme != k.issuer.Scheme {
		return "", errors.New("oauth: jwks_uri is on another host than the issuer; configure the address of the keys")
	}
	k.mu.Lock()
	k.jwksAt, k.jwksTill = doc.JWKS, k.clock.Now().Add(freshMax)
	k.mu.Unlock()
	return doc.JWKS, nil
}

func (k *keys) get(ctx context.Context, at string) ([]byte, http.Header, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		return nil, nil, err
	}
	req.Header.Set("Accept", "application/json")
	resp, err := k.client.Do(req)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, nil, fmt.Errorf("oauth: %s answers %d", req.URL.Path, resp.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err == nil && len(raw) > maxDocument {
		err = fmt.Errorf("oauth: %s is larger than %d bytes", req.URL.Path, maxDocument)
	}
	return raw, resp.Header, err
}

// readKeys takes the public signing keys of a set; one that cannot be read does
// not spoil the rest.
func readKeys(raw []byte) ([]jose.JSONWebKey, error) {
	var doc struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &doc); err != nil || doc.Keys == nil {
		return nil, errors.New("oauth: the set of keys is no JSON object with keys")
	}
	if len(doc.Keys) > maxKeys {
		return nil, fmt.Errorf("oauth: the set has more than %d keys", maxKeys)
	}
	set := make([]jose.JSONWebKey, 0, len(doc.Keys))
	for _, one := range doc.Keys {
		var key jose.JSONWebKey
		if key.UnmarshalJSON(one) != nil || !key.Valid() || !key.IsPublic() || key.Use != "" && key.Use != "sig" {
			continue
		}
		if slices.ContainsFunc([]string{"RS256", "ES256", "EdDSA"}, func(alg string) bool { return fits(key, alg) }) {
			set = append(set, key)
		}
	}
	if len(set) == 0 {
		return nil, errors.New("oauth: the set has no key for RS256, ES256 or EdDSA")
	}
	return set, nil
}

// freshness is the issuer's own word, within bounds.
func freshness(h http.Header) time.Duration {
	for part := range strings.SplitSeq(h.Get("Cache-Control"), ",") {
		if s, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(part)), "max-age="); ok {
			if n, err := strconv.Atoi(s); err == nil && n >= 0 && n < 1<<31 {
				return min(max(time.Duration(n)*time.Second, freshMin), freshMax)
			}
		}
	}
	return freshDefault
}
