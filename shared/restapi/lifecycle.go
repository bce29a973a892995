package restapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/research/lifecycle"
)

// retry is how long a client waits before it connects again, in milliseconds.
const retry = 2000

// errEnough ends a stream that has told what it can tell on this host.
var errEnough = errors.New("restapi: the stream is over")

// lifecycle streams hints that something of the caller has changed (M-290). Where a
// host sends answers whole (StreamTime), the stream is over with the first of them,
// so that it arrives when it is news; the client takes up behind it at once.
func (a *API) lifecycle(w http.ResponseWriter, r *http.Request) {
	ctx := r.Context()
	p := account.From(ctx)
	bearer, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if a.config.StreamTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		go func(ctx context.Context) {
			_ = a.config.Clock.Sleep(ctx, a.config.StreamTime)
			cancel()
		}(ctx)
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(http.StatusOK)
	flush := http.NewResponseController(w)
	fmt.Fprintf(w, "retry: %d\n\n", retry)
	err := a.config.Research.Events.Follow(ctx, p.Workspace, p.Account, r.Header.Get("Last-Event-ID"), func(e lifecycle.Event) error {
		if e.Name == lifecycle.Heartbeat {
			// A credential that was taken back gets no more of it (M-105).
			if _, err := a.config.Authenticator.Authenticate(ctx, bearer); fault.Is(err, fault.Unauthorized) {
				return errEnough
			}
		}
		body, err := json.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "id: %s\nevent: %s\ndata: %s\n\n", e.Cursor, e.Name, body); err != nil {
			return errEnough
		}
		_ = flush.Flush()
		if a.config.StreamTime > 0 && e.Name == lifecycle.Invalidate {
			return errEnough
		}
		return nil
	})
	if err != nil && ctx.Err() == nil && !errors.Is(err, errEnough) {
		a.config.Log.WarnContext(ctx, "lifecycle stream ended", "workspace", p.Workspace, "error", err)
	}
}

// StreamTime keeps a stream within what a gateway waits (M-290).
const StreamTime = 25 * time.Second

// describeStream says what the frames hold.
func describeStream(o *agreed) {
	o.Scope = "sparks:read"
	o.Request.Headers = map[string]any{"Last-Event-ID": map[string]any{"type": "string", "maxLength": 200,
		"description": "The id of the last frame that was seen: the stream takes up behind it for up to five minutes; later it begins with one invalidate of every domain."}}
	o.Response = map[string]any{"200 text/event-stream": "Frames connected, invalidate {domains, ids, cursor} and heartbeat; domains are audience_drafts, audiences and minds. Read the state again on invalidate. The stream may end at any time: connect again with Last-Event-ID."}
}
