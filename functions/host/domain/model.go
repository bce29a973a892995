package domain

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"

	"github.com/mindgate-dev/mindgate/functions/host"
	"github.com/mindgate-dev/mindgate/shared/fetch"
	"github.com/mindgate-dev/mindgate/shared/model"
	opener "github.com/mindgate-dev/mindgate/shared/model/open"
)

// platformModel is the model of the installation; nil when none is set, and
// everything runs offline. Its key is read when it is first asked. Bedrock without
// a key takes the function's role.
func platformModel(h *host.Host, guard *fetch.Guard) (model.Client, error) {
	if h.Env.Model.Name == "" {
		return nil, nil
	}
	set, err := model.ParseName(h.Env.Model.Name)
	if err != nil {
		return nil, fmt.Errorf("MINDGATE_MODEL: %w", err)
	}
	set.Endpoint = h.Env.Model.Endpoint
	if err := opener.Check(guard, set); err != nil {
		return nil, fmt.Errorf("MINDGATE_MODEL: %w", err)
	}
	byRole := opener.New(opener.Options{Guard: guard, Clock: h.Clock, AWS: func(context.Context) (aws.Config, error) { return h.AWS, nil }})
	var client model.Client
	if h.Env.Model.KeySecret == "" {
		if client, err = byRole(context.Background(), set, ""); err != nil {
			return nil, fmt.Errorf("MINDGATE_MODEL: %w", err)
		}
	} else {
		client = model.Deferred(model.Info{Provider: set.Provider, Model: set.Model}, func(ctx context.Context) (model.Client, error) {
			key, err := h.Secret(h.Env.Model.KeySecret)(ctx)
			if err != nil {
				return nil, err
			}
			c, err := byRole(ctx, set, strings.TrimSpace(key))
			if err != nil {
				return nil, errors.New("MINDGATE_MODEL: " + err.Error()) // no refusal: the mistake is the operator's, no caller's
			}
			return c, nil
		})
	}
	return model.Retrying(model.Metered(client, func(ctx context.Context, who model.Info, u model.Usage) {
		h.Log.InfoContext(ctx, "model used", "provider", who.Provider, "model", who.Model, "input", u.Input, "output", u.Output, "cached", u.CachedInput)
	}), model.RetryPolicy{Clock: h.Clock}), nil
}
