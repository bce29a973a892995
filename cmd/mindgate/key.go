package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/mindgate-dev/mindgate/cmd/mindgate/local"
	"github.com/mindgate-dev/mindgate/functions/host/stack"
	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

type keyCommand struct {
	Create keyCreateCommand `cmd:"" help:"Make a key and print it; it is shown this once."`
	List   keyListCommand   `cmd:"" help:"List the keys of an account; secrets are not stored and never shown."`
	Revoke keyRevokeCommand `cmd:"" help:"Revoke a key at once."`
}

// keyPlace is where the accounts live: a data folder, also of a running server,
// or a deployed stack.
type keyPlace struct {
	Data    string `help:"Data folder; its server may be running." placeholder:"DIR" default:".data" env:"MINDGATE_DATA"`
	Stack   string `help:"Name of a deployed stack, instead of a data folder. Region and credentials as for the aws command (AWS_REGION, AWS_PROFILE, …); AWS_ENDPOINT_URL is honoured." placeholder:"NAME"`
	Account string `help:"Name of the account." placeholder:"NAME" required:""`
}

// Help names what is read from the environment alone.
func (keyPlace) Help() string {
	return "A data folder's master secret is read from MINDGATE_SECRET_KEY when it is set, else from DIR/secret.key."
}

// accounts opens the place; close when done.
func (p keyPlace) accounts(ctx context.Context) (*account.Service, func(), error) {
	if p.Stack != "" {
		a, err := stack.Accounts(ctx, p.Stack)
		return a, func() {}, err
	}
	return local.Accounts(ctx, p.Data)
}

type keyCreateCommand struct {
	keyPlace
	Plan   string   `help:"Plan of the account: free, premium or team. A new account gets team; an existing one keeps its plan unless one is named." placeholder:"PLAN"`
	Scopes []string `help:"Scopes of the key, separated by commas, such as sparks:read,flows:read; all by default." placeholder:"SCOPE"`
}

// Run does it.
func (c keyCreateCommand) Run(ctx context.Context, s streams) error {
	var plan account.Plan
	if c.Plan != "" {
		var err error
		if plan, err = account.ParsePlan(c.Plan); err != nil {
			return exitf(exitUsage, "--plan: %v", err)
		}
		if plan == account.Enterprise {
			return exitf(exitUsage, "--plan: enterprise is the first owner's alone; choose free, premium or team")
		}
	}
	if err := checkScopes(c.Scopes); err != nil {
		return err
	}
	a, done, err := c.accounts(ctx)
	if err != nil {
		return err
	}
	defer done()
	secret, _, err := a.CreateKey(ctx, c.Account, plan, c.Scopes)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(s.out, secret)
	return err
}

// checkScopes refuses a scope that no tool asks for: the key could do nothing
// with it.
func checkScopes(scopes []string) error {
	known := map[string]bool{}
	for _, d := range catalog.Minds().All() {
		for _, s := range d.Scopes {
			known[s] = true
		}
	}
	for _, s := range scopes {
		if s != "*" && !known[s] {
			return exitf(exitUsage, "--scopes: there is no scope %q; choose among %s", s, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
	}
	return nil
}

type keyListCommand struct{ keyPlace }

// Run does it.
func (c keyListCommand) Run(ctx context.Context, s streams) error {
	a, done, err := c.accounts(ctx)
	if err != nil {
		return err
	}
	defer done()
	keys, err := a.ListKeys(ctx, c.Account)
	if err != nil {
		return noAccount(err, c.Account)
	}
	w := tabwriter.NewWriter(s.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tKEY\tSCOPES\tCREATED\tLAST USED")
	for _, k := range keys {
		used := "never"
		if !k.LastUsedAt.IsZero() {
			used = k.LastUsedAt.UTC().Format(time.RFC3339)
		}
		fmt.Fprintf(w, "%s\t%s…\t%v\t%s\t%s\n", k.ID, k.Prefix, k.Scopes, k.CreatedAt.UTC().Format(time.RFC3339), used)
	}
	return w.Flush()
}

type keyRevokeCommand struct {
	keyPlace
	ID string `arg:"" help:"Id of the key, as key list shows it."`
}

// Run does it.
func (c keyRevokeCommand) Run(ctx context.Context, s streams) error {
	a, done, err := c.accounts(ctx)
	if err != nil {
		return err
	}
	defer done()
	found, err := a.RevokeKey(ctx, c.Account, c.ID)
	if err != nil {
		return noAccount(err, c.Account)
	}
	if !found {
		return exitf(exitFailed, "the account %q has no key %s; mindgate key list --account %q shows its keys", c.Account, c.ID, c.Account)
	}
	_, err = fmt.Fprintln(s.out, "revoked", c.ID)
	return err
}

func noAccount(err error, name string) error {
	if errors.Is(err, account.ErrNoAccount) {
		return exitf(exitFailed, "there is no account %q; mindgate key create --account %q makes it with its first key", name, name)
	}
	return err
}
