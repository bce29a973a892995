package mcpserver

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/mindgate-dev/mindgate/shared/middleware"
)

// pass hands a message to the engine and brings its answer into our form.
func (s *server) pass(r *http.Request, m message, revision string) reply {
	rec := &recorder{}
	s.engine.ServeHTTP(rec, s.toEngine(r, m))
	a := rec.reply(m, revision)
	s.noteMismatch(r, m, a)
	return a
}

// relayed is pass with notices on the way.
func (s *server) relayed(w http.ResponseWriter, r *http.Request, m message, revision string) reply {
	rel := &relay{out: w, id: m.id}
	s.streaming.ServeHTTP(rel, s.toEngine(r, m))
	if rel.open {
		return reply{status: sent}
	}
	a := rel.reply(m, revision)
	s.noteMismatch(r, m, a)
	return a
}

// callerKey is where the context of the HTTP request stands on the way through
// the engine.
type callerKey struct{}

// present ends the work when its caller has gone, whatever the revision: the
// engine hands that on for the stateless era only. No answer can be delivered
// any more, as there is no session in which another request could fetch it.
func present(ctx context.Context) (context.Context, context.CancelFunc) {
	caller, ok := ctx.Value(callerKey{}).(context.Context)
	if !ok {
		return ctx, func() {}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(caller, func() { cancel(context.Cause(caller)) })
	return ctx, func() { stop(); cancel(nil) }
}

// toEngine is the message as the engine wants it.
func (s *server) toEngine(r *http.Request, m message) *http.Request {
	q := r.Clone(context.WithValue(r.Context(), callerKey{}, r.Context()))
	q.Body = io.NopCloser(bytes.NewReader(m.raw))
	q.ContentLength = int64(len(m.raw))
	q.Header.Set("Accept", "application/json, text/event-stream")
	q.Header.Set("Content-Type", "application/json")
	for _, name := range []string{headerMethod, headerName} {
		// Two headers are one list, as a gateway folds them; the engine would
		// compare the first with the message and leave the other unread.
		if v := q.Header.Values(name); len(v) > 1 {
			q.Header.Set(name, strings.Join(v, ","))
		}
	}
	if name, ok := decodeName(q.Header.Get(headerName)); ok {
		q.Header.Set(headerName, name)
	}
	q.Header.Del("Last-Event-Id")
	q.Header.Del("Mcp-Session-Id")
	return q
}

// reply brings an answer of the engine into our form.
func (r *recorder) reply(m message, revision string) reply {
	if r.Status == 0 {
		r.Status = http.StatusOK
	}
	if r.Body.Len() == 0 && m.call && r.Status == http.StatusOK {
		return failure(http.StatusInternalServerError, m.id, codeInternal, "Internal error", nil)
	}
	if r.Body.Len() == 0 {
		return reply{status: r.Status}
	}
	if strings.HasPrefix(r.Header().Get("Content-Type"), "application/json") {
		if r.Body.Len() < 4096 && bytes.Contains(r.Body.Bytes(), []byte("*mcp.")) && isFailure(r.Body.Bytes()) {
			// Names of Go types say nothing to a caller.
			return failure(r.Status, m.id, codeInvalidParams, "Invalid params: a field of params has another type than "+clip(m.method)+" takes", nil)
		}
		return reply{status: r.Status, body: withID(r.Body.Bytes(), m.id)}
	}
	// The engine speaks plain text where it cannot take the parameters.
	status := r.Status
	c := code(status)
	if status == http.StatusBadRequest {
		c = codeInvalidParams
		if !modern(revision) {
			status = http.StatusOK
		}
	}
	return failure(status, m.id, c, "Invalid params: "+clip(strings.TrimSpace(r.Body.String())), nil)
}

// decodeName reads a Mcp-Name that is no plain ASCII: "=?base64?…?=".
func decodeName(header string) (string, bool) {
	inner, ok := strings.CutPrefix(header, "=?base64?")
	if !ok {
		return "", false
	}
	if inner, ok = strings.CutSuffix(inner, "?="); !ok {
		return "", false
	}
	raw, err := base64.StdEncoding.DecodeString(inner)
	if err != nil || !utf8.Valid(raw) {
		return "", false
	}
	return string(raw), true
}

// isFailure tells whether a message is an error, and no result that says so.
func isFailure(body []byte) bool {
	_, top, _, _ := scan(body)
	_, failed := top["error"]
	return failed
}

// recorder keeps the engine's answer.
type recorder struct{ middleware.Kept }

// Flush does nothing: an answer leaves whole.
func (r *recorder) Flush() {}

var errNoAnswer = errors.New("mcpserver: the tool gave no answer")
