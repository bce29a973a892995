package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/mindgate-dev/mindgate/shared/fault"
)

type wireError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

type wireReply struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Error   wireError       `json:"error"`
}

// sent is the status of an answer that a stream has carried already.
const sent = 0

// reply is an answer before it is written.
type reply struct {
	status int
	body   []byte // empty: no body
}

func failure(status int, id json.RawMessage, code int, message string, data any) reply {
	if id == nil {
		id = json.RawMessage("null")
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(wireReply{"2.0", id, wireError{code, message, data}}); err != nil {
		return reply{http.StatusInternalServerError, []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"Internal error"}}`)}
	}
	return reply{status, bytes.TrimRight(b.Bytes(), "\n")}
}

func (a reply) write(w http.ResponseWriter) {
	if a.status == sent {
		return
	}
	h := w.Header()
	if len(a.body) > 0 {
		h.Set("Content-Type", "application/json")
		h.Set("X-Content-Type-Options", "nosniff")
	}
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(a.status)
	if len(a.body) > 0 { // an empty write would be given a content type behind a gateway
		_, _ = w.Write(a.body)
	}
}

// code is the JSON-RPC code of a refusal by the front.
func code(status int) int {
	switch status {
	case http.StatusUnauthorized:
		return codeUnauthorized
	case http.StatusForbidden:
		return codeForbidden
	case http.StatusTooManyRequests:
		return codeRateLimited
	}
	if status >= 500 {
		return codeInternal
	}
	return codeInvalidRequest
}

// refused is the JSON-RPC form of a refusal. data.code is the stable code, the
// rest of data is the fault's own.
func refused(id json.RawMessage, f *fault.Error) reply {
	data := map[string]any{"code": string(f.Code)}
	for k, v := range f.Data {
		data[k] = v
	}
	return failure(f.Status(), id, code(f.Status()), f.Message, data)
}

// refuse answers before a body was read.
func refuse(w http.ResponseWriter, _ *http.Request, f *fault.Error) { refused(nil, f).write(w) }
