package stdio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// Remote is the handler that asks an MCP endpoint over HTTP. with are headers of
// each request, such as those that choose tools.
func Remote(url, key string, client *http.Client, with ...http.Header) Handler {
	if client == nil {
		client = http.DefaultClient
	}
	r := &remote{url: url, key: key, client: client, with: http.Header{}}
	for _, h := range with {
		maps.Copy(r.with, h)
	}
	return r
}

// Local is the handler that asks an MCP endpoint of this process. It takes the
// same way as a request over the network, credential, rate window and
// revocation included.
func Local(h http.Handler, key string, with ...http.Header) Handler {
	return Remote("http://in-process/mcp", key, &http.Client{Transport: direct{h}}, with...)
}

type remote struct {
	url, key string
	client   *http.Client
	with     http.Header // of each request

	mu       sync.Mutex
	revision string // negotiated by initialize; each later request names it
	session  string // Mcp-Session-Id of a server that keeps sessions
}

const headerRevision = "Mcp-Protocol-Version"

// Handle posts one message and sends back what comes.
func (b *remote) Handle(ctx context.Context, message []byte, send func([]byte) error) {
	m := peek(message)
	fail := func(code int, text string) {
		if m.ID != nil {
			_ = send(refusal(m.ID, code, text))
		}
	}
	exchange, end := context.WithCancelCause(ctx)
	defer end(nil)
	req, err := http.NewRequestWithContext(exchange, http.MethodPost, b.url, bytes.NewReader(message))
	if err != nil {
		fail(-32603, "The gateway's address cannot be used: check the URL")
		return
	}
	b.headers(req, m)
	resp, err := b.client.Do(req)
	if err != nil {
		if ctx.Err() == nil {
			fail(-32603, "The gateway cannot be reached: "+reason(err))
		}
		return
	}
	defer resp.Body.Close()
	if id := resp.Header.Get("Mcp-Session-Id"); id != "" {
		b.mu.Lock()
		b.session = id
		b.mu.Unlock()
	}
	deliver := func(body []byte) error {
		if m.Method == "initialize" {
			b.learn(body)
		}
		return send(body)
	}
	in := watch(resp.Body, end)
	defer in.stop()
	cut := func(text string) {
		if errors.Is(context.Cause(exchange), errIdle) {
			text += ": " + errIdle.Error()
		}
		if ctx.Err() == nil {
			fail(-32603, text)
		}
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		if !events(in, deliver) {
			cut("The gateway's stream ended before its answer")
		}
		return
	}
	body, err := io.ReadAll(in)
	body = bytes.TrimSpace(body)
	switch {
	case err != nil:
		cut("The gateway's answer ended early")
	case json.Valid(body) && bytes.HasPrefix(body, []byte("{")) && bytes.Contains(body, []byte(`"jsonrpc"`)), json.Valid(body) && bytes.HasPrefix(body, []byte("[")):
		_ = deliver(named(body, m.ID, resp.Header.Get("Retry-After")))
	case resp.StatusCode >= 400:
		fail(-32603, "The gateway answered with HTTP status "+strconv.Itoa(resp.StatusCode)+wait(resp.Header.Get("Retry-After")))
	case len(body) > 0:
		fail(-32603, "The gateway's answer is no JSON-RPC message")
	case m.ID != nil:
		fail(-32603, "The gateway gave no answer")
	}
}

// named gives a refusal whose id could not be read (413, 401 from a gateway) the
// id of its request: on a pipe nothing else ties the two together. It also says
// how long to wait, which stands in a header that a pipe does not have, unless
// the refusal says so itself.
func named(body []byte, id json.RawMessage, retryAfter string) []byte {
	var reply struct {
		ID    json.RawMessage            `json:"id"`
		Error map[string]json.RawMessage `json:"error"`
	}
	if len(body) == 0 || body[0] != '{' || json.Unmarshal(body, &reply) != nil || reply.Error == nil {
		return body
	}
	changed := false
	if id != nil && (reply.ID == nil || string(reply.ID) == "null") {
		reply.ID, changed = id, true
	}
	var message string
	if retryAfter != "" && json.Unmarshal(reply.Error["message"], &message) == nil && !strings.Contains(message, retryAfter) {
		if raw, err := json.Marshal(message + wait(retryAfter)); err == nil {
			reply.Error["message"], changed = raw, true
		}
	}
	if !changed {
		return body
	}
	raw, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": reply.ID, "error": reply.Error})
	if err != nil {
		return body
	}
	return raw
}

// wait is the header Retry-After in words: seconds, or a date.
func wait(retryAfter string) string {
	if retryAfter == "" || len(retryAfter) > 64 {
		return ""
	}
	if _, err := strconv.Atoi(retryAfter); err == nil {
		return "; try again after " + retryAfter + " seconds"
	}
	return "; try again after " + retryAfter
}

// headers says in HTTP what the message says itself, as the protocol wants it.
func (b *remote) headers(req *http.Request, m head) {
	h := req.Header
	maps.Copy(h, b.with)
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	if b.key != "" {
		h.Set("Authorization", "Bearer "+b.key)
	}
	b.mu.Lock()
	revision, session := b.revision, b.session
	b.mu.Unlock()
	if session != "" {
		h.Set("Mcp-Session-Id", session)
	}
	if v := m.Params.Meta.ProtocolVersion; v != "" {
		h.Set(headerRevision, plainHeader(v))
		h.Set("Mcp-Method", plainHeader(m.Method))
		switch m.Method {
		case "tools/call", "prompts/get":
			h.Set("Mcp-Name", plainHeader(m.Params.Name))
		case "resources/read":
			h.Set("Mcp-Name", plainHeader(m.Params.URI))
		}
		return
	}
	if revision != "" && m.Method != "initialize" {
		h.Set(headerRevision, revision)
	}
}

// plainHeader encodes what a header cannot carry.
func plainHeader(s string) string {
	for _, c := range []byte(s) {
		if c < 0x21 || c > 0x7e {
			return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
		}
	}
	return s
}

// learn keeps the negotiated revision.
func (b *remote) learn(body []byte) {
	var r struct {
		Result struct {
			ProtocolVersion string `json:"protocolVersion"`
		} `json:"result"`
	}
	if json.Unmarshal(body, &r) == nil && r.Result.ProtocolVersion != "" {
		b.mu.Lock()
		b.revision = r.Result.ProtocolVersion
		b.mu.Unlock()
	}
}

// reason leaves the URL out: it may hold what should not be shown.
func reason(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// events delivers each message of an event stream and tells whether one of them
// was an answer.
func events(r io.Reader, deliver func([]byte) error) bool {
	in := bufio.NewReaderSize(r, 64<<10)
	var data []byte
	answered := false
	flush := func() error {
		body := bytes.TrimSpace(data)
		data = nil
		if len(body) == 0 || !json.Valid(body) {
			return nil
		}
		if m := peek(body); m.ID != nil && m.Method == "" {
			answered = true
		}
		return deliver(body)
	}
	for {
		line, err := in.ReadBytes('\n')
		text := bytes.TrimRight(line, "\r\n")
		switch {
		case bytes.HasPrefix(text, []byte("data:")):
			part := bytes.TrimPrefix(bytes.TrimPrefix(text, []byte("data:")), []byte(" "))
			if len(data) > 0 {
				data = append(data, '\n')
			}
			if len(data)+len(part) > MaxMessage {
				return answered
			}
			data = append(data, part...)
		case len(text) == 0:
			if flush() != nil {
				return answered
			}
		}
		if err != nil {
			_ = flush()
			return answered
		}
	}
}
