package openai

import (
	"net/http"
	"time"

	"github.com/mindgate-dev/mindgate/shared/model"
)

// Failure sorts an answer outside 200 to 299 of another endpoint of the protocol.
// It reads the body and leaves it open.
func Failure(res *http.Response, now time.Time) *model.Error {
	e, _ := readFailure(res, now)
	e.Detail = ""
	return e
}
