package mcpserver

import (
	"bytes"
	"container/list"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mindgate-dev/mindgate/shared/account"
	"github.com/mindgate-dev/mindgate/shared/catalog"
)

// Bounds of the cache: what was not asked for the longest time goes first, so
// that a client which asks in ever new ways pushes out its own lists.
const (
	maxLists      = 256
	maxListBytes  = 8 << 20
	maxListParams = 64 << 10 // of a request that is looked at here
)

// lists keeps the bytes of tools/list by what is listed and the revision. The
// engine answers each new list once, with all that the protocol checks; the same
// list then has the same bytes. The catalogue never changes while a process
// lives, so nothing is ever stale.
type lists struct {
	mu   sync.Mutex
	by   map[string]*list.Element // of *keptList, as is used
	used list.List                // the last one asked for is at the front
	size int                      // bytes
}

type keptList struct {
	key    string
	result []byte
}

// cachedList answers tools/list from the cache, or asks the engine and keeps
// its answer. A request that says more than a list needs is the engine's to
// judge and leaves nothing here.
func (s *server) cachedList(r *http.Request, m message, revision string) reply {
	if !plainList(r.Header, m, revision) {
		return s.pass(r, m, revision)
	}
	key := s.listKey(r, revision)
	if result, ok := s.lists.get(key); ok {
		return listReply(m.id, result)
	}
	a := s.pass(r, m, revision)
	if a.status == http.StatusOK {
		s.lists.keep(key, a.body)
	}
	return a
}

// listKey names a list by all that it depends on: one character a tool that says
// whether it is listed to this caller, how names are written, whether an
// extension's tools follow, and the revision, whose form it has.
func (s *server) listKey(r *http.Request, revision string) string {
	p, view := account.From(r.Context()), s.viewFrom(r.Context())
	shown := map[string]bool{}
	for _, d := range view.Listed(func(d *catalog.Definition) bool { return len(d.Missing(p.Has)) == 0 }) {
		shown[view.Name(d)] = true
	}
	var b strings.Builder
	b.WriteString(revision + strconv.FormatBool(view.Narrow()))
	for _, d := range s.o.Catalogue.All() {
		switch name := view.Name(d); {
		case !shown[name]:
			b.WriteByte('0')
		case name == d.Name:
			b.WriteByte('1')
		default:
			b.WriteByte('_')
		}
	}
	return b.String()
}

// plainList tells whether the engine answers a request for the list as it
// answers any other of its revision, whoever the client says it is.
func plainList(h http.Header, m message, revision string) bool {
	if len(m.params) > maxListParams {
		return false
	}
	if method := h.Values(headerMethod); modern(revision) && (len(method) != 1 || method[0] != m.method) {
		return false
	}
	_, top, _, flaw := scan(m.params)
	if len(m.params) > 0 && flaw != nil {
		return false
	}
	for name, at := range top {
		switch raw := m.params[at.from:at.to]; {
		case name == "_meta":
		case name == "cursor" && (string(raw) == `""` || string(raw) == "null"):
		default:
			return false
		}
	}
	return plainMeta(m.member("_meta"), revision)
}

// metaPrefix begins the members of _meta that belong to the protocol.
const metaPrefix = "io.modelcontextprotocol/"

// plainMeta tells whether the engine takes a request's _meta: what belongs to the
// protocol must be there and of its form in the stateless era, and has no place
// in an older revision. All else is the client's own.
func plainMeta(meta json.RawMessage, revision string) bool {
	if len(meta) == 0 || meta[0] != '{' {
		return len(meta) == 0 && !modern(revision)
	}
	_, top, _, flaw := scan(meta)
	if flaw != nil {
		return false
	}
	capable, versioned := false, false
	for name, at := range top {
		raw := meta[at.from:at.to]
		switch name {
		case mcp.MetaKeyProtocolVersion:
			versioned = string(raw) == strconv.Quote(revision)
		case mcp.MetaKeyClientCapabilities:
			capable = raw[0] == '{' && json.Unmarshal(raw, new(mcp.ClientCapabilities)) == nil
		case mcp.MetaKeyClientInfo:
			if raw[0] != '{' || json.Unmarshal(raw, new(mcp.Implementation)) != nil {
				return false
			}
		case metaPrefix + "logLevel":
		case "progressToken":
			if raw[0] != '"' && raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
				return false
			}
			continue
		default:
			if strings.HasPrefix(name, metaPrefix) {
				return false
			}
			continue
		}
		if !modern(revision) {
			return false
		}
	}
	return !modern(revision) || capable && versioned
}

func listReply(id json.RawMessage, result []byte) reply {
	var b bytes.Buffer
	b.Grow(len(result) + len(id) + 48)
	b.WriteString(`{"jsonrpc":"2.0","id":`)
	b.Write(id)
	b.WriteString(`,"result":`)
	b.Write(result)
	b.WriteByte('}')
	return reply{http.StatusOK, b.Bytes()}
}

func (l *lists) get(key string) ([]byte, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e, ok := l.by[key]
	if !ok {
		return nil, false
	}
	l.used.MoveToFront(e)
	return e.Value.(*keptList).result, true
}

// keep takes the result out of an answer; an error is not kept.
func (l *lists) keep(key string, body []byte) {
	_, top, _, flaw := scan(body)
	at, ok := top["result"]
	if flaw != nil || !ok || at.to-at.from > maxListBytes {
		return
	}
	result := bytes.Clone(body[at.from:at.to])
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, has := l.by[key]; has {
		return // another request was sooner
	}
	if l.by == nil {
		l.by = map[string]*list.Element{}
	}
	l.by[key] = l.used.PushFront(&keptList{key, result})
	l.size += len(result)
	for len(l.by) > maxLists || l.size > maxListBytes {
		last := l.used.Back()
		old := l.used.Remove(last).(*keptList)
		delete(l.by, old.key)
		l.size -= len(old.result)
	}
}
