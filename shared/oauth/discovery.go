package oauth

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
)

// document is what is read of the issuer's metadata.
type document struct {
	Issuer string `json:"issuer"`
	JWKS   string `json:"jwks_uri"`
}

func (k *keys) openID() string {
	return strings.TrimSuffix(k.config.Issuer, "/") + "/.well-known/openid-configuration"
}

func (k *keys) rfc8414() string {
	return k.issuer.Scheme + "://" + k.issuer.Host + "/.well-known/oauth-authorization-server" + strings.TrimSuffix(k.issuer.EscapedPath(), "/")
}

// discover reads the issuer's metadata and remembers where they stand: an issuer
// without OpenID Connect publishes those of RFC 8414 only.
func (k *keys) discover(ctx context.Context) (document, error) {
	var failed []error
	for _, at := range []string{k.openID(), k.rfc8414()} {
		doc, err := k.read(ctx, at)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		k.mu.Lock()
		k.metadata = at
		k.mu.Unlock()
		return doc, nil
	}
	return document{}, errors.Join(failed...)
}

func (k *keys) read(ctx context.Context, at string) (document, error) {
	raw, _, err := k.get(ctx, at)
	if err != nil {
		return document{}, err
	}
	var doc document
	if err := json.Unmarshal(raw, &doc); err != nil {
		return document{}, errors.New("oauth: the discovery document is no JSON object of metadata")
	}
	if !sameURL(doc.Issuer, k.config.Issuer) {
		return document{}, errors.New("oauth: the discovery document is of another issuer than the configured one")
	}
	return doc, nil
}

// where is the document of the issuer that answers. It is looked for once, and
// in vain at most once a cooldown; meanwhile it is the place of OpenID Connect.
func (k *keys) where(ctx context.Context) string {
	k.mu.Lock()
	at := k.metadata
	resting := !k.looked.IsZero() && k.clock.Now().Before(k.looked.Add(cooldown))
	k.mu.Unlock()
	if at != "" {
		return at
	}
	if resting {
		return k.openID()
	}
	done := k.flight.DoChan("metadata", func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), fetchTime)
		defer cancel()
		_, err := k.discover(ctx)
		if err != nil {
			k.log.WarnContext(ctx, "metadata of the issuer not read", "issuer", k.issuer.Host, "error", err.Error())
			k.mu.Lock()
			k.looked = k.clock.Now()
			k.mu.Unlock()
		}
		return nil, err
	})
	select {
	case <-done:
	case <-ctx.Done():
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.metadata != "" {
		return k.metadata
	}
	return k.openID()
}
