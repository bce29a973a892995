package bedrock

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/mindgate-dev/mindgate/shared/model"
)

const detailCache = "the model takes no cache point"

func isCache(err error) bool {
	var e *model.Error
	return errors.As(err, &e) && e.Detail == detailCache
}

// failure sorts an error of the library. Of the provider's sentence nothing is kept.
func failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var status int
	var after time.Duration
	var res *smithyhttp.ResponseError
	if errors.As(err, &res) && res.Response != nil {
		status = res.HTTPStatusCode()
		after = model.RetryAfter(res.Response.Header.Get("Retry-After"), time.Time{}) // AWS gives seconds
	}
	var api smithy.APIError
	if errors.As(err, &api) && api.ErrorCode() != "UnknownError" {
		said := strings.ToLower(api.ErrorMessage())
		e := &model.Error{Kind: kindOf(status, api.ErrorCode(), said), Status: status, Code: model.Safe(api.ErrorCode()), RetryAfter: after}
		if strings.Contains(said, "caching") || strings.Contains(said, "cachepoint") {
			e.Kind, e.Detail = model.KindInvalid, detailCache
		}
		return e
	}
	if status >= 400 {
		return &model.Error{Kind: kindOf(status, "", ""), Status: status, RetryAfter: after}
	}
	if known := model.FromLibrary(ctx, err); known != nil {
		return known
	}
	var operation *smithy.OperationError
	var reading *smithy.DeserializationError
	if errors.As(err, &operation) && !errors.As(err, &reading) {
		return &model.Error{Kind: model.KindInvalid, Detail: "the request cannot be made or signed"}
	}
	return &model.Error{Kind: model.KindMalformed, Detail: "the answer is not of this protocol"}
}

func kindOf(status int, code, said string) model.Kind {
	switch code {
	case "AccessDeniedException", "UnrecognizedClientException", "InvalidSignatureException", "ExpiredTokenException",
		"InvalidClientTokenId", "MissingAuthenticationTokenException", "IncompleteSignatureException", "OptInRequired":
		return model.KindAuth
	case "ResourceNotFoundException":
		return model.KindUnknownModel
	case "ServiceQuotaExceededException":
		return model.KindQuota
	case "ThrottlingException", "TooManyRequestsException":
		return model.KindRateLimited
	case "ServiceUnavailableException", "ModelNotReadyException":
		return model.KindOverloaded
	case "ModelTimeoutException", "RequestTimeoutException":
		return model.KindTimeout
	case "ValidationException":
		if strings.Contains(said, "model identifier") || strings.Contains(said, "on-demand throughput") {
			return model.KindUnknownModel // the latter wants the id of an inference profile
		}
		return model.KindInvalid
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return model.KindAuth
	case status == http.StatusNotFound:
		return model.KindUnknownModel
	case status == http.StatusTooManyRequests:
		return model.KindRateLimited
	case status == http.StatusServiceUnavailable || status == 529:
		return model.KindOverloaded
	case status == http.StatusRequestTimeout || status == http.StatusGatewayTimeout:
		return model.KindTimeout
	case status >= 400 && status < 500:
		return model.KindInvalid
	}
	return model.KindUnavailable
}
