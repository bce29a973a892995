package middleware

import (
	"bytes"
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/oauth"
	"github.com/mindgate-dev/mindgate/shared/oauth/oauthtest"
)

type people struct{}

func (people) OfSubject(_ context.Context, issuer, subject string, first account.Plan) (account.Account, error) {
	if subject == "stranger" {
		return account.Account{}, unauthorized()
	}
	return account.Account{ID: "a-" + subject, Workspace: "w-" + subject, Name: subject, Plan: first}, nil
}

type oneKey struct{}

func (oneKey) Authenticate(_ context.Context, bearer string) (account.Principal, error) {
	if bearer != "minds_key" {
		return account.Principal{}, unauthorized()
	}
	return account.Principal{Account: "a", Workspace: "w", Method: "api_key"}, nil
}

func TestCredentials(t *testing.T) {
	issuer := oauthtest.New(t, "https://gate.example/mcp", time.Now)
	v, err := oauth.New(oauth.Config{Issuer: issuer.URL, Audiences: []string{issuer.Audience}}, oauth.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	c := Credentials{Keys: oneKey{}, Tokens: v, Subjects: people{}, First: account.Free, Log: slog.New(slog.NewJSONHandler(&log, nil))}
	ctx := t.Context()
	p, err := c.Authenticate(ctx, issuer.Token("ec", "user-1", "flows:read", nil))
	if err != nil || p.Account != "a-user-1" || p.Workspace != "w-user-1" || p.Method != "oauth" || p.Plan != account.Free || !slices.Equal(p.Scopes, []string{"flows:read"}) {
		t.Errorf("%+v %v", p, err)
	}
	if p, err := c.Authenticate(ctx, "minds_key"); err != nil || p.Method != "api_key" {
		t.Errorf("%+v %v", p, err)
	}
	for what, bearer := range map[string]string{
		"unknown key": "minds_other", "expired": issuer.Token("ec", "user-1", "", map[string]any{"exp": 1}),
		"stranger": issuer.Token("ec", "stranger", "flows:read", nil), "half a token": "eyJhbGciOiJFUzI1NiJ9.e30",
	} {
		if _, err := c.Authenticate(ctx, bearer); !fault.Is(err, fault.Unauthorized) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if !strings.Contains(log.String(), "expired") || strings.Contains(log.String(), "eyJ") || strings.Contains(log.String(), "user-1") {
		t.Errorf("log: %s", &log)
	}
	// No keys: nobody can tell, which is not the caller's fault.
	down := oauthtest.New(t, issuer.Audience, time.Now)
	down.Set(func(i *oauthtest.Issuer) { i.Down = true })
	if c.Tokens, err = oauth.New(oauth.Config{Issuer: down.URL, Audiences: []string{issuer.Audience}}, oauth.Options{}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Authenticate(ctx, down.Token("ec", "user-1", "", nil)); !fault.Is(err, fault.EntitlementUnavailable) {
		t.Error(err)
	}
	// Without an issuer a token is a key that nobody knows.
	c.Tokens = nil
	if _, err := c.Authenticate(ctx, issuer.Token("ec", "user-1", "", nil)); !fault.Is(err, fault.Unauthorized) {
		t.Error(err)
	}
}
