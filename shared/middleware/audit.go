package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/mindgate-dev/mindgate/shared/clock"
	"github.com/mindgate-dev/mindgate/shared/fault"
)

// Line is the audit line of one HTTP request. It holds no query, no body and no
// credential.
type Line struct {
	RequestID, Method, Path string
	Status, Bytes           int
	Started                 time.Time
	Elapsed                 time.Duration
}

// Audit calls done once a request has been answered.
func Audit(c clock.Clock, done func(r *http.Request, l Line)) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			started := c.Now()
			counted := &counter{ResponseWriter: w}
			defer func() {
				done(r, Line{
					RequestID: RequestIDFrom(r.Context()), Method: r.Method, Path: r.URL.Path,
					Status: counted.status(), Bytes: counted.bytes, Started: started, Elapsed: c.Now().Sub(started),
				})
			}()
			next.ServeHTTP(counted, r)
		})
	}
}

type counter struct {
	http.ResponseWriter
	code, bytes int
}

func (c *counter) status() int {
	if c.code == 0 {
		return http.StatusOK
	}
	return c.code
}

// WriteHeader notes the status.
func (c *counter) WriteHeader(code int) {
	if c.code == 0 && code >= 200 {
		c.code = code
	}
	c.ResponseWriter.WriteHeader(code)
}

// Write counts.
func (c *counter) Write(b []byte) (int, error) {
	if c.code == 0 {
		c.code = http.StatusOK
	}
	n, err := c.ResponseWriter.Write(b)
	c.bytes += n
	return n, err
}

// Unwrap lets http.ResponseController find the real writer.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// Recover turns a panic into INTERNAL_ERROR with the request id.
func Recover(log *slog.Logger, refuse Refuse) Middleware {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			counted := &counter{ResponseWriter: w}
			defer func() {
				p := recover()
				if p == nil {
					return
				}
				if p == any(http.ErrAbortHandler) { // a panic value, compared as net/http does
					panic(p)
				}
				id := RequestIDFrom(r.Context())
				log.ErrorContext(r.Context(), "request panicked", "requestId", id, "method", r.Method, "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				if counted.code == 0 {
					refuse(w, r, fault.From(fmt.Errorf("panic")).With("requestId", id))
				}
			}()
			next.ServeHTTP(counted, r)
		})
	}
}
