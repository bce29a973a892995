package main

import (
	"context"
	"fmt"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/clock"
)

// issuer is whose access tokens serve takes beside API keys.
type issuer struct {
	URL         string `name:"oidc-issuer" help:"OAuth issuer whose access tokens are taken beside API keys, such as https://login.example.com." placeholder:"URL" env:"MINDGATE_OIDC_ISSUER"`
	Audience    string `name:"oidc-audience" help:"Audiences that a token may be for, separated by commas; by default the address of the MCP endpoint." placeholder:"LIST" env:"MINDGATE_OIDC_AUDIENCE"`
	Algorithms  string `name:"oidc-algorithms" help:"Signatures that are taken, of RS256, ES256 and EdDSA; by default all three." placeholder:"LIST" env:"MINDGATE_OIDC_ALGORITHMS"`
	JWKS        string `name:"oidc-jwks-url" help:"Address of the issuer's keys, when it is on another host than the issuer." placeholder:"URL" env:"MINDGATE_OIDC_JWKS_URL"`
	ScopePrefix string `name:"oidc-scope-prefix" help:"What the issuer puts before the names of scopes." placeholder:"TEXT" env:"MINDGATE_OIDC_SCOPE_PREFIX"`
	FirstPlan   string `name:"oidc-plan" help:"Plan of the account that a person's first call makes: free, premium or team; none refuses whom mindgate account link has not named." default:"free" enum:"free,premium,team,none" env:"MINDGATE_OIDC_PLAN"`
}

func (i issuer) of() host.Issuer {
	return host.Issuer{URL: i.URL, Audience: i.Audience, Algorithms: i.Algorithms, JWKS: i.JWKS, ScopePrefix: i.ScopePrefix, FirstPlan: i.FirstPlan}
}

// check names what is wrong before anything is opened.
func (i issuer) check() error {
	if _, err := i.of().Verifier("https://gateway.invalid", clock.System{}, nil); err != nil {
		return exitf(exitUsage, "%v", err)
	}
	return nil
}

type accountCommand struct {
	Link accountLinkCommand `cmd:"" help:"Let a person of an OAuth issuer act for an account."`
}

type accountLinkCommand struct {
	keyPlace
	Issuer  string `help:"The issuer, as in MINDGATE_OIDC_ISSUER." placeholder:"URL" required:"" env:"MINDGATE_OIDC_ISSUER"`
	Subject string `help:"The person's subject (sub) there." placeholder:"SUB" required:""`
}

// Run does it.
func (c accountLinkCommand) Run(ctx context.Context, s streams) error {
	a, done, err := c.accounts(ctx)
	if err != nil {
		return err
	}
	defer done()
	if err := a.LinkSubject(ctx, c.Account, c.Issuer, c.Subject); err != nil {
		return noAccount(err, c.Account)
	}
	_, err = fmt.Fprintf(s.out, "linked to %s\n", c.Account)
	return err
}
