package mcpserver

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode"
	"unicode/utf16"
)

// JSON-RPC codes. -32020 to -32099 belong to the protocol, -32000 to -32019 to
// the server.
const (
	codeParse              = -32700
	codeInvalidRequest     = -32600
	codeMethodNotFound     = -32601
	codeInvalidParams      = -32602
	codeInternal           = -32603
	codeUnauthorized       = -32001
	codeForbidden          = -32003
	codeRateLimited        = -32005
	codeHeaderMismatch     = -32020
	codeUnsupportedVersion = -32022
)

// message is one JSON-RPC message as the front reads it; the engine reads it
// again with all its types.
type message struct {
	raw    []byte
	id     json.RawMessage // nil when there is none
	method string
	params json.RawMessage
	call   bool // a request: has an id and a method
	reply  bool // a response of the client
}

// readMessage classifies one object whose members are known.
func readMessage(body []byte, top members) (message, *flaw) {
	get := func(name string) json.RawMessage {
		at, ok := top[name]
		if !ok {
			return nil
		}
		return body[at.from:at.to]
	}
	m := message{raw: body, params: get("params")}
	id, hasID := get("id"), false
	if id != nil {
		hasID = true
		if !validID(id) {
			return m, &flaw{codeInvalidRequest, "Invalid request: id must be a short string of whole characters or a whole number of at most 18 digits"}
		}
		m.id = id
	}
	if v := get("jsonrpc"); !bytes.Equal(v, []byte(`"2.0"`)) {
		return m, &flaw{codeInvalidRequest, `Invalid request: jsonrpc must be "2.0"`}
	}
	method := get("method")
	if method == nil {
		if hasID && (get("result") != nil || get("error") != nil) {
			m.reply = true
			return m, nil
		}
		return m, &flaw{codeInvalidRequest, "Invalid request: method is missing"}
	}
	if json.Unmarshal(method, &m.method) != nil || m.method == "" || len(m.method) > 256 {
		return m, &flaw{codeInvalidRequest, "Invalid request: method must be a short text"}
	}
	m.call = hasID
	if m.params != nil && m.params[0] != '{' {
		return m, &flaw{codeInvalidParams, "Invalid params: params must be an object of named values"}
	}
	return m, nil
}

// validID: MCP takes a text or a whole number, never null. Half of a surrogate
// pair is no text: the answer could not repeat it.
func validID(id []byte) bool {
	if len(id) > 512 {
		return false
	}
	if id[0] == '"' {
		return !halfPair(id)
	}
	return (id[0] == '-' || id[0] >= '0' && id[0] <= '9') && !bytes.ContainsAny(id, ".eE") && len(id) <= 18
}

// halfPair tells whether an escape of a text stands for half of a surrogate pair.
func halfPair(text []byte) bool {
	unit := func(i int) (rune, bool) {
		if i+6 > len(text) || text[i] != '\\' || text[i+1] != 'u' {
			return 0, false
		}
		v, err := strconv.ParseUint(string(text[i+2:i+6]), 16, 16)
		return rune(v), err == nil
	}
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		first, ok := unit(i)
		if !ok {
			i++ // the character that a short escape names
			continue
		}
		i += 5
		if !utf16.IsSurrogate(first) {
			continue
		}
		second, ok := unit(i + 1)
		if !ok || utf16.DecodeRune(first, second) == unicode.ReplacementChar {
			return true
		}
		i += 6
	}
	return false
}

// withID puts the id as the client wrote it into an answer of the engine, which
// reads numbers as floating point and would round a long one.
func withID(answer, id []byte) []byte {
	if id == nil {
		return answer
	}
	const open = `{"jsonrpc":"2.0","id":`
	var at span
	if bytes.HasPrefix(answer, []byte(open)) {
		s := &scanner{b: answer, i: len(open)}
		if s.value(1) != nil {
			return answer
		}
		at = span{len(open), s.i}
	} else {
		_, top, _, flaw := scan(answer)
		found, ok := top["id"]
		if flaw != nil || !ok {
			return answer
		}
		at = found
	}
	if bytes.Equal(answer[at.from:at.to], id) {
		return answer
	}
	return slices.Concat(answer[:at.from], id, answer[at.to:])
}

// member reads one member of params without decoding the rest.
func (m message) member(name string) json.RawMessage {
	if m.params == nil {
		return nil
	}
	_, top, _, err := scan(m.params)
	if err != nil {
		return nil
	}
	at, ok := top[name]
	if !ok {
		return nil
	}
	return m.params[at.from:at.to]
}

func (m message) text(name string) string {
	var s string
	_ = json.Unmarshal(m.member(name), &s)
	return s
}

// Revisions of the protocol, newest first. The first is the stateless era, the
// others open with initialize. One table; every row is tested.
var revisions = []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

const (
	stateless    = "2026-07-28"
	lastBatching = "2025-03-26" // batches were removed after it
)

func known(revision string) bool { return slices.Contains(revisions, revision) }

// modern tells whether a request of this revision header belongs to the
// stateless era. Revisions are dates, so they compare as text.
func modern(revision string) bool { return revision >= stateless }

// served tells whether a revision has a request. The stateless era did away with
// the handshake and with what needed a session.
func served(method, revision string) bool {
	if !methods[method] {
		return false
	}
	if !modern(revision) {
		return true
	}
	switch method {
	case "initialize", "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return false
	}
	return true
}

// methods are the requests that the engine knows. An older client that calls
// anything else gets -32601 with its id.
var methods = map[string]bool{
	"initialize": true, "ping": true, "server/discover": true,
	"tools/list": true, "tools/call": true,
	"prompts/list": true, "prompts/get": true,
	"resources/list": true, "resources/read": true, "resources/templates/list": true,
	"resources/subscribe": true, "resources/unsubscribe": true,
	"completion/complete": true, "logging/setLevel": true,
}
