package s3

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"github.com/mindgate-dev/mindgate/shared/blobs"
)

// What another try may mend is marked so; a refusal of the service is not.
func TestTroubleThatPassesIsMarked(t *testing.T) {
	answer := func(status int, name string) error {
		return &smithyhttp.ResponseError{
			Response: &smithyhttp.Response{Response: &http.Response{StatusCode: status}},
			Err:      &smithy.GenericAPIError{Code: name},
		}
	}
	for name, c := range map[string]struct {
		err    error
		passes bool
	}{
		"slow down":   {answer(503, "SlowDown"), true},
		"too many":    {answer(429, "TooManyRequests"), true},
		"broken":      {answer(500, "InternalError"), true},
		"no answer":   {errors.New("connection refused"), true},
		"race":        {answer(409, "ConditionalRequestConflict"), true},
		"no right":    {answer(403, "AccessDenied"), false},
		"no bucket":   {answer(404, "NoSuchBucket"), false},
		"bad request": {answer(400, "InvalidArgument"), false},
	} {
		got := later(t.Context(), c.err)
		if errors.Is(got, blobs.ErrUnavailable) != c.passes || !errors.Is(got, c.err) {
			t.Errorf("%s: %v", name, got)
		}
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := later(over, errors.New("canceled")); errors.Is(err, blobs.ErrUnavailable) {
		t.Error("a call that was given up is no trouble of the store")
	}
}
