package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net"
	"net/http"
	"strings"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/fault"
	"github.com/mindgate-dev/mindgate/shared/middleware"
)

const (
	headerRevision = "Mcp-Protocol-Version"
	headerMethod   = "Mcp-Method" // both repeat the message, for proxies
	headerName     = "Mcp-Name"
	maxBatch       = 50
	peek           = 64 << 10 // of an unauthenticated body, to find its id
)

// serve answers one HTTP request to the endpoint.
func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	if f := s.admit(w, r); f != nil {
		refuse(w, r, f)
		return
	}
	if r.Method == http.MethodOptions {
		w.Header().Set("Allow", "POST, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	p, f := middleware.Caller(r, s.o.Authenticator)
	if f != nil {
		if f.Code == fault.Unauthorized {
			w.Header().Set("WWW-Authenticate", s.unproven(r))
		}
		refused(s.peekID(r), f).write(w)
		return
	}
	r = r.WithContext(account.With(r.Context(), p))
	body, f := middleware.ReadBody(r, s.o.MaxBody)
	if f != nil {
		f = s.wayOut(f)
		refuse(w, r, f)
		s.drain(w, r)
		return
	}
	release, err := s.large.take(r.Context(), len(body))
	if err != nil {
		return // nobody waits for an answer any more
	}
	defer release()
	s.answer(w, r, body).writeFor(w, r)
}

// wayOut says what to do about a body that is too large for this host, where its
// ceiling is below the usual one: a function gets its events in 6 MB.
func (s *server) wayOut(f *fault.Error) *fault.Error {
	if f.Code != fault.PayloadTooLarge || s.o.MaxBody >= middleware.MaxBodyLocal {
		return f
	}
	return fault.New(f.Code, "Request body too large: this host takes at most %s in one request. Give large sources by link, or upload them over REST and name them.",
		megabytes(s.o.MaxBody)).With("limitBytes", s.o.MaxBody)
}

// admit checks what needs neither credential nor body.
func (s *server) admit(w http.ResponseWriter, r *http.Request) *fault.Error {
	if s.rebound(r) {
		return fault.New(fault.Forbidden, "The Host header does not name this server.")
	}
	switch r.Method {
	case http.MethodOptions:
		return nil
	case http.MethodPost:
	default:
		w.Header().Set("Allow", "POST, OPTIONS")
		return fault.New(fault.MethodNotAllowed, "Send POST. This endpoint is stateless: it has no stream to GET and no session to DELETE.")
	}
	if t, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || t != "application/json" ||
		params["charset"] != "" && !strings.EqualFold(params["charset"], "utf-8") {
		return fault.New(fault.UnsupportedMediaType, "Send the message as Content-Type: application/json, in UTF-8.")
	}
	if enc := r.Header.Get("Content-Encoding"); enc != "" && !strings.EqualFold(enc, "identity") {
		return fault.New(fault.UnsupportedMediaType, "Send the body without Content-Encoding.")
	}
	if f := middleware.InQuery(r.URL.Query()); f != nil {
		w.Header().Set("WWW-Authenticate", s.challenge("invalid_request", nil))
		return f
	}
	return nil
}

// rebound: a request on the loopback interface whose Host is another name comes
// from a page that made a browser resolve that name to this machine.
func (s *server) rebound(r *http.Request) bool {
	local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if !ok || !middleware.Loopback(local.String()) || middleware.Loopback(r.Host) {
		return false
	}
	return s.publicHost == "" || !strings.EqualFold(r.Host, s.publicHost)
}

// peekID finds the id of a refused message, if it stands in a short body.
func (s *server) peekID(r *http.Request) json.RawMessage {
	body, err := io.ReadAll(io.LimitReader(r.Body, peek+1))
	if err != nil || len(body) > peek {
		return nil
	}
	return idOf(body)
}

func idOf(body []byte) json.RawMessage {
	_, top, _, _ := scan(body)
	if at, ok := top["id"]; ok && validID(body[at.from:at.to]) {
		return body[at.from:at.to]
	}
	return nil
}

// drain reads what a refused client still sends, within bounds: a client that
// cannot finish its write often never reads the answer.
func (s *server) drain(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	_, _ = io.CopyN(io.Discard, r.Body, s.o.MaxBody)
}

// answer is the reply to a body of an authenticated caller.
func (s *server) answer(w http.ResponseWriter, r *http.Request, body []byte) reply {
	first, top, elements, flaw := scan(body)
	id := json.RawMessage(nil)
	if at, ok := top["id"]; ok && validID(body[at.from:at.to]) {
		id = body[at.from:at.to]
	}
	requests := 1
	if first == '[' && flaw == nil {
		requests = min(max(1, len(elements)), maxBatch)
	}
	if f := middleware.Spend(w, r, s.o.Limiter, requests); f != nil {
		return refused(id, f)
	}
	if flaw != nil {
		return failure(http.StatusBadRequest, id, flaw.code, flaw.message, nil)
	}
	revision, bad := s.revision(r, id)
	if bad != nil {
		return *bad
	}
	if r, bad = s.choose(w, r, id); bad != nil {
		return *bad
	}
	switch first {
	case '{':
		return s.single(w, r, body, top, revision)
	case '[':
		return s.batch(w, r, body, elements, revision)
	}
	return failure(http.StatusBadRequest, nil, codeInvalidRequest, "Invalid request: send one JSON-RPC message as a JSON object", nil)
}

// revision reads the version header; none counts as the last revision that had
// no such header.
func (s *server) revision(r *http.Request, id json.RawMessage) (string, *reply) {
	sent := r.Header.Values(headerRevision)
	switch {
	case len(sent) == 0 || len(sent) == 1 && sent[0] == "":
		return lastBatching, nil
	case len(sent) == 1 && known(sent[0]):
		return sent[0], nil
	}
	asked := strings.Join(sent, ",") // as a gateway folds them
	if len(asked) > 64 {
		asked = strings.ToValidUTF8(asked[:64], "")
	}
	a := failure(http.StatusBadRequest, id, codeUnsupportedVersion, "Unsupported protocol version",
		map[string]any{"supported": revisions, "requested": asked})
	return "", &a
}

// batch answers each message of an array on its own (2025-03-26 and earlier).
func (s *server) batch(w http.ResponseWriter, r *http.Request, body []byte, elements []span, revision string) reply {
	switch {
	case revision > lastBatching:
		return failure(http.StatusBadRequest, nil, codeInvalidRequest, "Invalid request: protocol "+revision+" has no batches; send one message a request", nil)
	case len(elements) == 0:
		return failure(http.StatusBadRequest, nil, codeInvalidRequest, "Invalid request: the batch is empty", nil)
	case len(elements) > maxBatch:
		return failure(http.StatusBadRequest, nil, codeInvalidRequest, "Invalid request: a batch has at most 50 messages", nil)
	}
	r = r.WithContext(s.withBatch(r.Context()))
	var out [][]byte
	for _, at := range elements {
		part := body[at.from:at.to]
		first, top, _, _ := scan(part)
		var a reply
		if first != '{' {
			a = failure(http.StatusOK, nil, codeInvalidRequest, "Invalid request: each entry of a batch is a message object", nil)
		} else if m, flaw := readMessage(part, top); flaw == nil && m.method == "initialize" {
			a = failure(http.StatusOK, m.id, codeInvalidRequest, "Invalid request: initialize stands alone, not in a batch", nil)
		} else {
			a = s.single(w, whole(r), part, top, revision)
		}
		if len(a.body) > 0 {
			out = append(out, a.body)
		}
	}
	if len(out) == 0 {
		return reply{status: http.StatusAccepted}
	}
	return reply{http.StatusOK, append(append([]byte("["), bytes.Join(out, []byte(","))...), ']')}
}

// single answers one message.
func (s *server) single(w http.ResponseWriter, r *http.Request, body []byte, top members, revision string) reply {
	m, flaw := readMessage(body, top)
	if flaw != nil {
		status := http.StatusBadRequest
		if flaw.code == codeInvalidParams && !modern(revision) {
			status = http.StatusOK
		}
		if m.method != "" && !m.call {
			return reply{status: http.StatusAccepted} // a bad notification has no answer
		}
		return failure(status, m.id, flaw.code, flaw.message, nil)
	}
	if m.reply {
		return reply{status: http.StatusAccepted}
	}
	return s.traced(r, m, revision, func(r *http.Request) reply { return s.respond(w, r, m, revision) })
}

// respond answers a message that is well formed.
func (s *server) respond(w http.ResponseWriter, r *http.Request, m message, revision string) reply {
	if !m.call {
		return reply{status: http.StatusAccepted} // nothing here acts on a notification
	}
	if m.method == "subscriptions/listen" && modern(revision) {
		if s.streaming != nil && s.o.Extension != nil {
			return s.relayed(w, r, m, revision)
		}
		// Nothing here ever changes by itself, so there is nothing to listen to.
		return noMethod(m, revision)
	}
	if !served(m.method, revision) {
		return noMethod(m, revision)
	}
	switch m.method {
	case "tools/call", "resources/read":
		if a := s.stepUp(w, r, m); a != nil {
			return *a
		}
	case "tools/list":
		return s.cachedList(r, m, revision)
	}
	if s.streams(r, m) {
		r = r.WithContext(context.WithValue(r.Context(), streamKey{}, true))
		return s.relayed(w, r, m, revision)
	}
	return s.pass(r, m, revision)
}

// noMethod is the answer to a request for what this revision does not have.
func noMethod(m message, revision string) reply {
	status := http.StatusOK
	if modern(revision) {
		status = http.StatusNotFound
	}
	return failure(status, m.id, codeMethodNotFound, "Method not found: "+clip(m.method), nil)
}

// stepUp refuses a tool that the credential's scopes do not cover with 403 and
// what is missing, so that a client can ask its authorization server for more.
func (s *server) stepUp(w http.ResponseWriter, r *http.Request, m message) *reply {
	def, ok := s.o.Catalogue.Lookup(m.text("name"))
	if m.method == "resources/read" {
		def, ok = s.resourceTool(m.text("uri"))
	}
	if !ok || s.viewFrom(r.Context()).Barred(def) != "" {
		return nil // the engine's to refuse; no scope would help
	}
	missing := def.Missing(account.From(r.Context()).Has)
	if len(missing) == 0 {
		return nil
	}
	s.noteRefused(r.Context(), def, m, fault.InsufficientScope)
	w.Header().Set("WWW-Authenticate", s.challenge("insufficient_scope", stepUpScopes(account.From(r.Context()), def.Scopes)))
	a := refused(m.id, fault.New(fault.InsufficientScope, "%s needs the scope %s, which this credential does not have.",
		def.Name, strings.Join(missing, " and ")).With("missing", missing))
	return &a
}

// clip is a caller's own word as a sentence of ours repeats it: short, and with
// nothing hidden in it.
func clip(s string) string {
	s = clean(s)
	if len(s) <= 200 {
		return s
	}
	return strings.ToValidUTF8(s[:200], "") + "…"
}
