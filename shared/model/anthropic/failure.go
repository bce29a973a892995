package anthropic

import (
	"context"
	"errors"
	"strings"

	sdk "github.com/anthropics/anthropic-sdk-go/v2"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// failure sorts an error of the library. Of the provider's sentence nothing is kept.
func (c *Client) failure(ctx context.Context, err error) error {
	var api *sdk.Error
	if errors.As(err, &api) {
		e := &model.Error{Status: api.StatusCode, Code: model.Safe(string(api.Type()))}
		if api.Response != nil {
			e.RetryAfter = model.RetryAfter(api.Response.Header.Get("Retry-After"), c.cfg.Clock.Now())
			if e.Status == 200 { // an error event inside a stream
				e.Status, e.RetryAfter = 0, 0
			}
		}
		e.Kind = kindOf(e.Status, string(api.Type()), strings.ToLower(api.Message))
		return e
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if known := model.FromLibrary(ctx, err); known != nil {
		return known
	}
	return &model.Error{Kind: model.KindMalformed, Detail: "the server's answer is not of this protocol"}
}

func kindOf(status int, typ, said string) model.Kind {
	switch {
	case typ == "authentication_error" || typ == "permission_error" || status == 401 || status == 403:
		return model.KindAuth
	case typ == "billing_error" || status == 402 || strings.Contains(said, "credit balance"):
		return model.KindQuota
	case typ == "not_found_error" || status == 404:
		return model.KindUnknownModel
	case typ == "rate_limit_error" || status == 429:
		return model.KindRateLimited
	case typ == "overloaded_error" || status == 529 || status == 503:
		return model.KindOverloaded
	case typ == "timeout_error" || status == 504 || status == 408:
		return model.KindTimeout
	case typ == "request_too_large" || typ == "invalid_request_error" || status >= 400 && status < 500:
		return model.KindInvalid
	}
	return model.KindUnavailable
}
