package oauth

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

// parsed is a token before its signature was checked.
type parsed struct {
	token  *jwt.JSONWebToken
	header jose.Header
	claims *claims
}

// claims are those that are looked at.
type claims struct {
	Issuer    string           `json:"iss"`
	Subject   string           `json:"sub"`
	Audience  jwt.Audience     `json:"aud"`
	Expires   *jwt.NumericDate `json:"exp"`
	NotBefore *jwt.NumericDate `json:"nbf"`
	IssuedAt  *jwt.NumericDate `json:"iat"`
	Scope     names            `json:"scope"`
	Scp       names            `json:"scp"` // what some issuers call scope
	ClientID  string           `json:"client_id"`
	Azp       string           `json:"azp"`
	TokenUse  string           `json:"token_use"` // Cognito: "access" or "id"
}

func (c *claims) scopes() []string { return append(append([]string(nil), c.Scope...), c.Scp...) }

func (c *claims) client() string {
	if c.ClientID != "" {
		return c.ClientID
	}
	return c.Azp
}

// names is a list in either form that issuers use: a text with blanks between
// (RFC 6749) or a JSON array.
type names []string

// UnmarshalJSON reads either.
func (n *names) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) > 0 && raw[0] == '[' {
		return json.Unmarshal(raw, (*[]string)(n))
	}
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return err
	}
	*n = strings.Fields(text)
	return nil
}

// Looks tells whether a credential has the form of a JSON web token. It says
// nothing about its worth.
func Looks(credential string) bool {
	return strings.HasPrefix(credential, "eyJ") && strings.Count(credential, ".") == 2
}

// parse reads a compact JWS whose algorithm is one of those given. Unencrypted
// only, and never "none": that is no algorithm of the list.
func parse(token string, algorithms []jose.SignatureAlgorithm) (*parsed, error) {
	if len(token) > MaxToken || !Looks(token) {
		return nil, refuse("form")
	}
	t, err := jwt.ParseSigned(token, algorithms)
	if err != nil || len(t.Headers) != 1 {
		return nil, refuse("form or algorithm")
	}
	p := &parsed{token: t, header: t.Headers[0], claims: &claims{}}
	if typ, ok := p.header.ExtraHeaders[jose.HeaderType]; ok {
		s, _ := typ.(string)
		switch strings.TrimPrefix(strings.ToLower(s), "application/") {
		case "jwt", "at+jwt":
		default:
			return nil, refuse("typ: not an access token")
		}
	}
	// Which key may sign is ours to say, never the token's.
	if p.header.JSONWebKey != nil {
		return nil, refuse("carries its own key")
	}
	if err := t.UnsafeClaimsWithoutVerification(p.claims); err != nil {
		return nil, refuse("claims")
	}
	return p, nil
}
