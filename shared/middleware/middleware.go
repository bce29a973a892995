// Package middleware is what MCP and REST do alike before a request reaches
// them: request id, origin, body ceiling, caller, rate window, audit line. Each
// is an http.Handler around another and refuses through a function of the
// surface, so that a refusal always has the surface's own form.
package middleware

import (
	"context"
	"net/http"
	"regexp"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Middleware wraps a handler.
type Middleware func(http.Handler) http.Handler

// Refuse writes a refusal in the form of the surface. Headers that belong to
// it (WWW-Authenticate, Retry-After, Allow) are already set.
type Refuse func(w http.ResponseWriter, r *http.Request, e *fault.Error)

// Chain applies middlewares so that the first one sees a request first.
func Chain(h http.Handler, m ...Middleware) http.Handler {
	for i := len(m) - 1; i >= 0; i-- {
		h = m[i](h)
	}
	return h
}

type requestIDKey struct{}

var requestIDForm = regexp.MustCompile(`^[A-Za-z0-9._:=-]{8,128}$`)

// RequestID gives each request an id, in the context and in the header
// X-Request-Id. An id that the caller or the gateway sent is kept if it is a
// plain token.
func RequestID(ids clock.IDs) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			id := r.Header.Get("X-Request-Id")
			if !requestIDForm.MatchString(id) {
				id = ids.NewID()
			}
			w.Header().Set("X-Request-Id", id)
			next.ServeHTTP(w, r.WithContext(WithRequestID(r.Context(), id)))
		})
	}
}

// WithRequestID puts a request id into the context.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestIDFrom reads the request id, or nothing.
func RequestIDFrom(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}
