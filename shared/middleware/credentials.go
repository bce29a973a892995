package middleware

import (
	"context"
	"errors"
	"log/slog"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/oauth"
)

// Subjects finds the account that an issuer's subject acts for; account.Service
// is one.
type Subjects interface {
	OfSubject(ctx context.Context, issuer, subject string, first account.Plan) (account.Account, error)
}

// Credentials proves API keys and, beside them, access tokens of one issuer.
type Credentials struct {
	Keys     Authenticator
	Tokens   *oauth.Verifier
	Subjects Subjects
	// First is the plan of the account that a subject's first call makes; empty
	// refuses subjects that nobody has linked to an account.
	First account.Plan
	Log   *slog.Logger
}

// Authenticate tells the kinds apart by their form. What a token may do is what
// its scopes say, never more, and its owner is the account of its subject.
func (c Credentials) Authenticate(ctx context.Context, bearer string) (account.Principal, error) {
	if c.Tokens == nil || !oauth.Looks(bearer) {
		return c.Keys.Authenticate(ctx, bearer)
	}
	claims, err := c.Tokens.Verify(ctx, bearer)
	switch {
	case errors.Is(err, oauth.ErrUnavailable):
		return account.Principal{}, fault.New(fault.EntitlementUnavailable, "The issuer of the access token cannot be reached to check it. Try again in a minute.").Because(err)
	case err != nil:
		if c.Log != nil {
			c.Log.InfoContext(ctx, "access refused", "reason", err.Error(), "requestId", RequestIDFrom(ctx))
		}
		return account.Principal{}, unauthorized().Because(err)
	}
	a, err := c.Subjects.OfSubject(ctx, claims.Issuer, claims.Subject, c.First)
	if err != nil {
		return account.Principal{}, err
	}
	return account.Principal{
		Account: a.ID, Workspace: a.Workspace, Name: a.Name, Plan: a.Plan, Role: a.Role, Scopes: claims.Scopes, Method: "oauth",
	}, nil
}
