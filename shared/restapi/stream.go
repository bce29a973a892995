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

// Some operations may answer as server-sent events: start, what the operation tells
// while it lasts and comments where it tells nothing, one result or error, done.
const (
	heartbeat = 15 * time.Second
	// A reply that comes at once brings its headers along (M-106).
	patience = 100 * time.Millisecond
	// How much of a body is read before the caller is known. A body that is longer
	// is looked into once it is.
	peeked   = 256 << 10
	peekTime = 10 * time.Second
)

// streamed says when an operation answers as a stream, and what a refusal is then.
type streamed int

const (
	never streamed = iota
	// whenAsked needs responseMode stream. Refusals are error frames under status 200
	// then, also those of credentials and rates.
	whenAsked
	// unlessQueued needs a responseMode other than stream to be left out. What is
	// refused before the first frame has the status and the body of any refusal.
	unlessQueued
)

// streamKey finds in a context where frames go.
type streamKey struct{}

// event is one frame that an operation tells before its result.
type event struct {
	name string
	data []byte
}

// isStreamed reports whether the call is answered as a stream.
func isStreamed(ctx context.Context) bool { return ctx.Value(streamKey{}) != nil }

// tell sends a frame while an operation lasts; without a stream it does nothing.
func tell(ctx context.Context, name string, v any) error {
	to, ok := ctx.Value(streamKey{}).(chan event)
	if !ok {
		return nil
	}
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	select {
	case to <- event{name, body}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// frames is the schema of each frame.
func (s streamed) frames() map[string]any {
	names, words := []any{"start", "result", "error", "done"}, "With responseMode stream: one event after the other, and comments while it lasts. Refusals are error events too."
	if s == unlessQueued {
		names = []any{"start", "classification", "answer", "aggregating", "result", "error", "done"}
		words = "Unless responseMode is queued: one event after the other, and comments while nothing is told. A refusal before the first has its own status; later it is an error event."
	}
	return map[string]any{"schema": map[string]any{"type": "object", "description": words,
		"properties": map[string]any{
			"event": map[string]any{"type": "string", "enum": names},
			"data":  map[string]any{"type": "string", "description": "JSON: with error as with a refusal, with result what was asked for."},
		},
		"required": []any{"event", "data"}}}
}

// streams answers next as a stream if the body asks for it.
func (a *API) streams(when streamed, next http.Handler) http.Handler {
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
		if !when.wanted(head) {
			next.ServeHTTP(w, r)
			return
		}
		a.stream(when, w, r, next)
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

// wanted reports whether a body is whole and asks for a stream.
func (s streamed) wanted(body []byte) bool {
	if s == never || s == whenAsked && !bytes.Contains(body, []byte("stream")) {
		return false
	}
	var in struct {
		Mode *string `json:"responseMode"`
	}
	if json.Unmarshal(body, &in) != nil {
		return false
	}
	if in.Mode == nil {
		return s == unlessQueued
	}
	return *in.Mode == "stream"
}

// stream runs next and turns what it answers into frames.
func (a *API) stream(when streamed, w http.ResponseWriter, r *http.Request, next http.Handler) {
	ctx := r.Context()
	told := make(chan event)
	r = r.WithContext(context.WithValue(ctx, streamKey{}, told))
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
		case e := <-told:
			out.start(ctx, nil)
			out.frame(e.name, e.data)
		case <-done:
			if when == unlessQueued && !out.started && kept.Status != http.StatusOK {
				kept.To(w)
				return
			}
			out.start(ctx, kept.Header())
			if kept.Status == http.StatusOK {
				out.frame("result", bytes.TrimSpace(kept.Body.Bytes()))
			} else {
				out.frame("error", bytes.TrimSpace(kept.Body.Bytes()))
			}
			out.frame("done", []byte("{}"))
			return
		case <-beats:
			if when == unlessQueued && !out.started {
				continue // it may still be refused
			}
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
