package restapi

import (
	"context"
	"maps"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

func health(_ context.Context, c *call) (reply, error) {
	why := c.api.config.Ready()
	body := map[string]any{"ok": why == nil, "version": c.api.config.Version}
	if why != nil {
		body["reason"] = why.Error()
		return reply{status: http.StatusServiceUnavailable, body: body}, nil
	}
	return ok(body)
}

func getAuthenticatedUser(ctx context.Context, _ *call) (reply, error) {
	return ok(map[string]any{"id": account.From(ctx).Account})
}

// apiKey is a key as lists show it; secrets are never there.
type apiKey struct {
	ID         string  `json:"id"`
	Name       *string `json:"name"`
	CreatedAt  string  `json:"createdAt"`
	LastUsedAt *string `json:"lastUsedAt"`
}

func listAPIKeys(ctx context.Context, c *call) (reply, error) {
	if err := mayHoldKeys(ctx, c); err != nil {
		return reply{}, err
	}
	keys, err := c.Accounts.ListKeys(ctx, account.From(ctx).Name)
	if err != nil {
		return reply{}, err
	}
	rows := make([]apiKey, 0, len(keys))
	for i := len(keys) - 1; i >= 0; i-- { // newest first
		k := keys[i]
		rows = append(rows, apiKey{ID: k.ID, Name: labelOf(k), CreatedAt: clock.Stamp(k.CreatedAt), LastUsedAt: stampOrNil(k.LastUsedAt)})
	}
	return ok(rows)
}

func createAPIKey(ctx context.Context, c *call) (reply, error) {
	if err := mayHoldKeys(ctx, c); err != nil {
		return reply{}, err
	}
	var in struct {
		Name *string `json:"name"`
	}
	if err := c.decode(&in); err != nil {
		return reply{}, err
	}
	name := ""
	if in.Name != nil {
		name = strings.TrimSpace(*in.Name)
	}
	if utf8.RuneCountInString(name) > 100 {
		return reply{}, fault.New(fault.Validation, "name must have at most 100 characters after trimming, for example %q.", "ci pipeline").With("path", "/name")
	}
	// A key never gets more than the key that made it.
	p := account.From(ctx)
	secret, k, err := c.Accounts.CreateLabelledKey(ctx, p.Name, name, "", p.Scopes)
	if err != nil {
		return reply{}, err
	}
	return reply{status: http.StatusCreated, body: map[string]any{
		"id": k.ID, "name": name, "createdAt": clock.Stamp(k.CreatedAt), "key": secret,
	}}, nil
}

func deleteAPIKey(ctx context.Context, c *call) (reply, error) {
	if err := mayHoldKeys(ctx, c); err != nil {
		return reply{}, err
	}
	found, err := c.Accounts.RevokeKey(ctx, account.From(ctx).Name, c.id("keyId"))
	if err != nil {
		return reply{}, err
	}
	if !found {
		return reply{}, fault.New(fault.NotFound, "No API key with this id; GET /api/v1/api-keys lists yours.")
	}
	return reply{status: http.StatusNoContent}, nil
}

// mayHoldKeys refuses accounts whose plan has no API keys (M-101, M-103).
func mayHoldKeys(ctx context.Context, c *call) error {
	limits, err := c.Accounts.Limits(ctx)
	if err != nil {
		return err
	}
	if !limits.APIKeys {
		return c.Accounts.PlanLimit(ctx, account.APIKeys, 0)
	}
	return nil
}

func labelOf(k account.Key) *string {
	if k.Label == "" {
		return nil
	}
	return &k.Label
}

func stampOrNil(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	s := clock.Stamp(t)
	return &s
}

// allowance is one line of getUsage. Limit null is no limit.
type allowance struct {
	LimitType string `json:"limitType"`
	Limit     *int64 `json:"limit"`
	Current   int64  `json:"current"`
}

func getUsage(ctx context.Context, c *call) (reply, error) {
	limits, err := c.Accounts.Limits(ctx)
	if err != nil {
		return reply{}, err
	}
	var rows []allowance
	for _, what := range []account.Counter{account.Minds, account.Audiences, account.Flows} {
		used, err := c.Accounts.Owned(ctx, what)
		if err != nil {
			return reply{}, err
		}
		rows = append(rows, allowance{string(what), limits.Of(what), used})
	}
	responses := allowance{LimitType: string(account.Responses), Limit: limits.Of(account.Responses)}
	if responses.Current, err = c.Accounts.ResponsesUsed(ctx); err != nil {
		return reply{}, err
	}
	body := map[string]any{}
	if c.Connections != nil { // what the team's own models used; a view of it, so that its trouble hides nothing else
		if spent, err := c.Connections.Spent(ctx); err == nil {
			body["modelTokens"] = spent
		} else {
			c.api.config.Log.WarnContext(ctx, "the tokens of model connections could not be read", "error", err)
		}
	}
	now := c.api.config.Clock.Now().UTC()
	maps.Copy(body, map[string]any{
		"plan":       string(account.From(ctx).Plan),
		"periodEnd":  clock.Stamp(time.Date(now.Year(), now.Month()+1, 1, 0, 0, 0, 0, time.UTC)),
		"allowances": append(rows, responses),
	})
	return ok(data(body))
}
