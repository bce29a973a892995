package middleware

import (
	"bytes"
	"errors"
	"io"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Body ceilings in bytes. A function receives at most 6 MB of event, in which
// the body is escaped or base64.
const (
	MaxBodyLocal  = 24 << 20
	MaxBodyLambda = 4_500_000
)

// Body refuses a request whose declared length is above the ceiling, and bounds
// the reading of one that declares none; ReadBody tells that end apart.
func Body(ceiling int64, refuse Refuse) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength > ceiling {
				refuse(w, r, tooLarge(ceiling))
				return
			}
			if r.Body != nil {
				r.Body = http.MaxBytesReader(w, r.Body, ceiling)
			}
			next.ServeHTTP(w, r)
		})
	}
}

func tooLarge(ceiling int64) *fault.Error {
	return fault.New(fault.PayloadTooLarge, "Request body too large").With("limitBytes", ceiling)
}

// ReadBody reads a whole body of at most ceiling bytes.
func ReadBody(r *http.Request, ceiling int64) ([]byte, *fault.Error) {
	if r.ContentLength > ceiling {
		return nil, tooLarge(ceiling)
	}
	if r.Body == nil {
		return nil, nil
	}
	// Grow with what arrives, not with what was declared: a declared length alone
	// must not cost memory.
	buffer := bytes.NewBuffer(make([]byte, 0, min(max(r.ContentLength, 0), 64<<10)+bytes.MinRead))
	_, err := buffer.ReadFrom(io.LimitReader(r.Body, ceiling+1))
	body := buffer.Bytes()
	var over *http.MaxBytesError
	switch {
	case errors.As(err, &over), int64(len(body)) > ceiling:
		return nil, tooLarge(ceiling)
	case err != nil:
		return nil, fault.New(fault.Validation, "The request body ended early.").Because(err)
	}
	return body, nil
}
