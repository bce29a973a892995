package mcpserver

import (
	"bytes"
	"context"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A call is answered as a stream of events when it asked for progress, its
// client takes streams and the host can send them; and then only once there is
// something to say before the answer. All else is plain JSON, which every client
// and every proxy understands, unless the client prefers a stream (accept.go).

type streamKey struct{}

// streams tells whether notices may go ahead of the answer to this call.
func (s *server) streams(r *http.Request, m message) bool {
	return s.streaming != nil && m.call && m.method == "tools/call" &&
		takesEvents(r.Header) && (m.wantsProgress() || s.extended(m.text("name")))
}

func (m message) wantsProgress() bool {
	if !bytes.Contains(m.params, []byte("progressToken")) {
		return false // spares most calls another reading
	}
	meta := m.member("_meta")
	if len(meta) == 0 || meta[0] != '{' {
		return false
	}
	_, top, _, flaw := scan(meta)
	_, has := top["progressToken"]
	return flaw == nil && has
}

// whole makes each message of a batch answer in JSON.
func whole(r *http.Request) *http.Request {
	q := r.Clone(r.Context())
	q.Header.Set("Accept", "application/json")
	return q
}

func streamed(ctx context.Context) bool {
	on, _ := ctx.Value(streamKey{}).(bool)
	return on
}

// relay reads the events that the engine writes and passes them on. As long as
// none has left, the answer can still be plain JSON.
type relay struct {
	recorder
	out     http.ResponseWriter
	id      []byte // of the message, as it was written
	pending []byte // of an event that is not complete
	open    bool   // the stream has begun
	events  bool   // the engine writes events
	decided bool
}

// Write takes what the engine writes, in any pieces.
func (r *relay) Write(b []byte) (int, error) {
	if !r.decided {
		r.decided = true
		r.events = strings.HasPrefix(r.Header().Get("Content-Type"), eventStream)
	}
	if !r.events {
		return r.recorder.Write(b)
	}
	r.pending = append(r.pending, b...)
	for {
		end := bytes.Index(r.pending, []byte("\n\n"))
		if end < 0 {
			return len(b), nil
		}
		event := r.pending[:end]
		r.pending = r.pending[end+2:]
		if err := r.event(event); err != nil {
			return 0, err
		}
	}
}

func (r *relay) event(event []byte) error {
	var data []byte
	for line := range bytes.Lines(event) {
		if rest, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			data = append(data, bytes.TrimSpace(rest)...)
		}
	}
	if len(data) == 0 {
		return nil
	}
	_, top, _, _ := scan(data)
	answers := !has(top, "method")
	if answers && r.open {
		data = withID(data, r.id)
	}
	if !r.open {
		if answers {
			// The answer comes first: it goes alone.
			r.Header().Set("Content-Type", "application/json")
			_, err := r.recorder.Write(data)
			return err
		}
		r.open = true
		eventHeader(r.out.Header())
		r.out.WriteHeader(http.StatusOK)
	}
	if _, err := r.out.Write(asEvent(data)); err != nil {
		return err
	}
	return http.NewResponseController(r.out).Flush()
}

func has(top members, name string) bool { _, ok := top[name]; return ok }

// newStreaming is the engine that writes events.
func newStreaming(srv *mcp.Server) http.Handler {
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return srv }, &mcp.StreamableHTTPOptions{
		Stateless: true, MaxRequestBodyBytes: -1, DisableLocalhostProtection: true, PropagateRequestCancellation: true,
	})
}
