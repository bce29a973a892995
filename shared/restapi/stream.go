package restapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

// A completion may be answered as server-sent events: start, comments while it
// lasts, one result or error, done. Refusals are error frames under status 200
// then, also those of credentials and rates.
const (
	heartbeat = 15 * time.Second
	// A reply that comes at once brings its headers along (M-106).
	patience = 100 * time.Millisecond
	// How much of a body is read before the caller is known. A body that is longer
	// is looked into once it is.
	peeked   = 256 << 10
	peekTime = 10 * time.Second
)

type streamedKey struct{}

// streams answers next as a stream if the body asks for it.
func (a *API) streams(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Whoever sends slowly and is not known yet does not hold us up.
		conn := http.NewResponseController(w)
		timed := conn.SetReadDeadline(a.config.Clock.Now().Add(peekTime)) == nil
		head, err := io.ReadAll(io.LimitReader(r.Body, peeked))
		if timed && err == nil {
			_ = conn.SetReadDeadline(time.Time{})
		}
		r = r.Clone(r.Context())
		r.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(head), failing{err}, r.Body), r.Body}
		if !asksStream(head) {
			next.ServeHTTP(w, r)
			return
		}
		a.stream(w, r, next)
	})
}

// failing gives an error of an earlier reading again; none ends at once.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) {
	if f.err != nil {
		return 0, f.err
	}
	return 0, io.EOF
}

// asksStream reports whether a body is whole and asks for a stream.
func asksStream(body []byte) bool {
	var in struct {
		Mode string `json:"responseMode"`
	}
	return bytes.Contains(body, []byte("stream")) && json.Unmarshal(body, &in) == nil && in.Mode == "stream"
}

// stream runs next and turns what it answers into frames.
func (a *API) stream(w http.ResponseWriter, r *http.Request, next http.Handler) {
	ctx := r.Context()
	r = r.WithContext(context.WithValue(ctx, streamedKey{}, true))
	kept := &middleware.Kept{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				a.config.Log.ErrorContext(ctx, "request panicked", "requestId", middleware.RequestIDFrom(ctx), "path", r.URL.Path, "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
				*kept = middleware.Kept{}
				a.refuse(kept, r, fault.From(fmt.Errorf("panic")))
			}
		}()
		next.ServeHTTP(kept, r)
	}()
	beats := make(chan struct{})
	go func() {
		wait := patience
		for a.config.Clock.Sleep(ctx, wait) == nil {
			select {
			case beats <- struct{}{}:
			case <-done:
				return
			}
			wait = heartbeat
		}
	}()
	out := &frames{w: w, flush: http.NewResponseController(w)}
	for {
		select {
		case <-done:
			out.start(ctx, kept.Header())
			if kept.Status == http.StatusOK {
				out.frame("result", bytes.TrimSpace(kept.Body.Bytes()))
			} else {
				out.frame("error", bytes.TrimSpace(kept.Body.Bytes()))
			}
			out.frame("done", []byte("{}"))
			return
		case <-beats:
			if !out.start(ctx, nil) {
				out.comment("heartbeat")
			}
		}
	}
}

// frames writes server-sent events. A caller who is gone ends the work by its
// context, so errors of writing need no care.
type frames struct {
	w       http.ResponseWriter
	flush   *http.ResponseController
	started bool
}

// start begins the stream, once, and tells whether it did.
func (f *frames) start(ctx context.Context, more http.Header) bool {
	if f.started {
		return false
	}
	f.started = true
	h := f.w.Header()
	for _, name := range []string{"X-Ratelimit-Limit", "X-Ratelimit-Remaining", "X-Ratelimit-Reset", "Ratelimit-Limit", "Ratelimit-Remaining", "Ratelimit-Reset", "Retry-After"} {
		if v := more.Get(name); v != "" {
			h.Set(name, v)
		}
	}
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Content-Type-Options", "nosniff")
	f.w.WriteHeader(http.StatusOK)
	id, _ := json.Marshal(map[string]string{"requestId": middleware.RequestIDFrom(ctx)})
	f.frame("start", id)
	return true
}

func (f *frames) frame(event string, data []byte) {
	fmt.Fprintf(f.w, "event: %s\ndata: %s\n\n", event, data)
	_ = f.flush.Flush()
}

func (f *frames) comment(text string) {
	fmt.Fprintf(f.w, ": %s\n\n", text)
	_ = f.flush.Flush()
}
